"""Sweeps: one question asked of a model at many parameters, on processes here or on a cluster."""
