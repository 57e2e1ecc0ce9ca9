"""Singular configurations: where the rank of C drops, what opens up there, and whether it is real."""
