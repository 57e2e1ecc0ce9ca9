"""Compile everything a space needs, on a mechanism that is nearly nothing."""

from __future__ import annotations

import numpy as np

from reactio.model.specs import Body, Joint, Model
from reactio.places import GROUND, End
from reactio.system.build import build
from reactio.system.equations import advance, coordinate_rates, equations


def warm(space: str) -> None:
    """Run every kernel of the plane or of space once."""
    position = (0.0, 0.0) if space == "planar" else (0.0, 0.0, 0.0)
    body = Body("body", 1.0, (1.0,) if space == "planar" else (1.0, 1.0, 1.0), position)
    joint = Joint("joint", "revolute", End(GROUND), End("body"))
    system = build(Model("warm", space, (body,), (joint,)))
    eqs = equations(system)
    advance(system, eqs.state.q, np.zeros(system.n))
    coordinate_rates(system, eqs.state.q, eqs.state.v)
