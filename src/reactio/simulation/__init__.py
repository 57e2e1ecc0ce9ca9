"""Simulation: runs of a model with events, energy, reactions and files."""
