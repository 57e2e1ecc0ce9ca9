"""Bounds: the interval of every reaction over all splits that a model allows, and what its joints can bear."""

from __future__ import annotations

from reactio.reaction_bounds.intervals import Answer, Bound, bounds
from reactio.reaction_bounds.over_run import BoundsEnvelope, Extreme, bounds_envelope

__all__ = ["Answer", "Bound", "BoundsEnvelope", "Extreme", "bounds", "bounds_envelope"]
