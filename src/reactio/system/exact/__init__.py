"""The same formulas in rational numbers: C without rounding."""
