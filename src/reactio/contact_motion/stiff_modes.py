"""Modes of flexible bodies in time steps: explicit steps must resolve them."""

from __future__ import annotations

import math

import numpy as np

from reactio.errors import ReactioError
from reactio.model.model import Model


def refuse_stiff_modes(model: Model, h: float) -> None:
    """Refuse steps h [s] in which a mode would grow: ω h > 2 (√(1 + ζ²) − ζ), the limit of explicit midpoint steps."""
    for body in model.bodies:
        modal = None if body.flexible is None else body.flexible.modal
        if modal is None or not len(modal.frequency):
            continue
        longest = float((2 * (np.sqrt(1 + modal.ratio**2) - modal.ratio) / modal.frequency).min())
        if h > longest:
            fastest = float(modal.frequency.max()) / math.tau
            raise ReactioError(
                f"step = {h:g} s: '{body.name}' has modes of up to {fastest:.3g} Hz, which explicit time steps follow "
                f"up to {longest:.2g} s. Give a shorter step, or follow contacts from event to event (without "
                "friction, method radau5)."
            )
