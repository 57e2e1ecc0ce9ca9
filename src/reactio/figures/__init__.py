"""Figures: what the rooms below find, as plots; matplotlib is imported inside."""
