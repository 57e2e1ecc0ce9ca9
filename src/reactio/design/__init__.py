"""What to change in a mechanism, what to measure on it, and how much load it must carry."""
