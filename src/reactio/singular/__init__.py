"""Singular configurations: where the rank of C drops, which motions open up there, and whether they are real."""
