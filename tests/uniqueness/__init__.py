"""Tests of the solvability engine."""
