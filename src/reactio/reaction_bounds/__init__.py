"""Bounds: the interval of every reaction over all load distributions, within the capacities of joints."""

from __future__ import annotations

from reactio.reaction_bounds.at_instant import bounds
from reactio.reaction_bounds.intervals import Bound, ReactionBounds
from reactio.reaction_bounds.over_run import BoundsEnvelope, Extreme, bounds_envelope

__all__ = ["Bound", "BoundsEnvelope", "Extreme", "ReactionBounds", "bounds", "bounds_envelope"]
