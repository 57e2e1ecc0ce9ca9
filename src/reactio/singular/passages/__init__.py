"""Passages: where along a motion the rank of C drops."""
