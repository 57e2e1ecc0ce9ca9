"""Projection: positions and velocities on the constraint manifold, accelerations in the metric of the mass matrix."""
