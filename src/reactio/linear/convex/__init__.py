"""Convex problems: linear programmes over polyhedra, nearest points, multipliers that only push, friction cones."""
