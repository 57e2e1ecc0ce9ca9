"""Plots of runs, flexibility and singular configurations; matplotlib is imported inside."""
