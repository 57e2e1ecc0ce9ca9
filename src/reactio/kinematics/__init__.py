"""Kinematics: poses and velocities that satisfy the constraints, and bodies by name."""
