"""The implicit Radau IIA method of order 5 along the constraint manifold."""
