"""Sparse factorisations: multifrontal QR with its fronts and their order, and LDLᵀ of a product A Aᵀ."""
