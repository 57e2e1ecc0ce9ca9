"""Drawings: a scene of marks on frames, from the model alone, and its pictures."""
