"""Singular passage: states in and beside configurations where C loses rank, found from the motion around them."""
