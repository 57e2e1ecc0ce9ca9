"""Minimal coordinates: the equations of motion in a basis T of the admissible velocities."""
