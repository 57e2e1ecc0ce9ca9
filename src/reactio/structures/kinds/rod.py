"""Rods: between two joints only their length gives way."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError, did_you_mean
from reactio.structures import Description, Flexibility, MassProperties, StructureKind, register

ROD_KEYS = ("stiffness", "axis")


def rod_flexibility(given: Description) -> Flexibility:
    """Two halves of equal mass on a spring k bear s = a·(w₂ − w₁)/2 and move by ± a s/(2k) along the axis a.

    w₁ and w₂ are the forces at the two ends.  Both halves have the centre of the rod, so that spin does not stretch it.
    Wojtyra & Frączek 2012, Sect. 4.1.
    """
    points = np.array(given.points)
    if len(points) != 2:
        raise ModelError(
            f"body '{given.name}' is held at {len(points)} points; a rod has two, one on each half.", given.where
        )
    axis, e = _axis(given, points), np.zeros(12)
    e[:3], e[6:9] = -axis, axis
    L = e[:, None] / (2 * math.sqrt(rod_stiffness(given, (*ROD_KEYS, "damping"))))
    return Flexibility(given.name, points, L, np.zeros((1, 6)))


def _axis(given: Description, points: Floats) -> Floats:
    """The unit vector along which the length gives way, from the first joint to the second unless it is given."""
    along = points[1] - points[0]
    if not np.linalg.norm(along) > 0:
        raise ModelError(f"body '{given.name}': its two joints coincide; a rod has a length.", given.where)
    chosen = np.array([*given.parameters.get("axis", along), 0.0][:3], dtype=float)
    chosen = chosen if chosen @ along >= 0 else -chosen
    return np.asarray(chosen / np.linalg.norm(chosen))


def rod_stiffness(given: Description, keys: Iterable[str], kind: str = "rod") -> float:
    """[N/m], with the other parameters of the rod checked."""
    what, p, known = f"body '{given.name}': {kind}", given.parameters, tuple(keys)
    for key in p:
        if key not in known:
            raise ModelError(f"{what} has no field '{key}'.{did_you_mean(key, known)}", given.where)
    k, c, axis = p.get("stiffness"), p.get("damping", 0.0), p.get("axis", (1.0,))
    if not isinstance(k, int | float) or not k > 0:
        raise ModelError(f"{what} needs a positive `stiffness` [N/m].", given.where)
    if not isinstance(c, int | float) or not c >= 0:
        raise ModelError(f"{what}: its damping is {c!r} N s/m; it must not be negative.", given.where)
    if not isinstance(axis, tuple | list) or not all(isinstance(x, int | float) for x in axis) or not any(axis):
        raise ModelError(f"{what}: its axis is {axis!r}; give a direction in body axes, as in [1, 0, 0].", given.where)
    return float(k)


def _inertia(given: Description) -> MassProperties | None:
    rod_stiffness(given, ROD_KEYS)  # a rod has no mass of its own; its parameters are checked here, with the model
    return None


ROD = register(
    StructureKind(
        name="rod",
        doc="A rod in one piece whose length gives way by the rule compliance; `split` lets it vibrate too.",
        flexibility=rod_flexibility,
        inertia=_inertia,
        vibrates=False,
    )
)
