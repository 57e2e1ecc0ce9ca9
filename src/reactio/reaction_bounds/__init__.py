"""Bounds: the interval of every reaction over all load distributions, within the capacities of joints."""
