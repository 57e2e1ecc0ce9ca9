"""The numbers of a system at a state: M, Q, C, Γ, Φ and ν, by kernels linked from the kinds that a model uses."""
