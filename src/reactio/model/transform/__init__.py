"""Transformations: the same mechanism described in another way."""
