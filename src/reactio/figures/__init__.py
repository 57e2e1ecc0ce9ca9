"""Drawings over numbers: figures of runs; nothing here computes mechanics."""
