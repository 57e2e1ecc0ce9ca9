"""Geometry in the plane and in space: small vectors as tuples, rotations, frames."""
