"""Singular passage: states in and near configurations where C loses rank, from the motion around them."""
