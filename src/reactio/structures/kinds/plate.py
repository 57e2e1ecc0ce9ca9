"""Plates: a quadrilateral of constant thickness, by quadratic solid elements."""

from __future__ import annotations

PLATE_KEYS = ("outline", "thickness", "divisions", "insert", "level")
MOST_DIVISIONS = 60  # divisions of a side: 45,000 nodes, and some seconds to factor
DIVISIONS = 12  # of a side, when not given: bending of a plate on its corners to a part in a thousand
SPACING_MARGIN = 1 + 1e-6  # an insert as wide as the spacing of nodes holds the next ones, also where both are rounded
