"""Flexibility: which parts decide how load is shared, how sure that is, and what it does to a mechanism."""
