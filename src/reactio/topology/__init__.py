"""Topology: connected and biconnected components of graphs, and the edges that groups of bodies make."""
