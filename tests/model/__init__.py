"""Models: reading, writing, refusing."""
