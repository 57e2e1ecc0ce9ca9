"""Formulations of constrained motion, one in each file; ``integrate.formulation`` has their registry."""
