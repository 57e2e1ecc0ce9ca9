"""Flexibility: which parts decide the load sharing, how sure that is, and the consequences for a mechanism."""
