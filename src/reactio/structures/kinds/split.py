"""Split rods: two halves that slide along each other on a spring; between two joints only their length gives way."""

from __future__ import annotations

import math

import numpy as np

from reactio.errors import ModelError, did_you_mean
from reactio.structures import Description, Flexibility, MassProperties, StructureKind, register

SPLIT_KEYS = ("stiffness", "damping", "axis")


def _flexibility(given: Description) -> Flexibility:
    """Quasi-static: s = (w₂ − w₁)/2 in the spring, each half displaced by s/2k.  Wojtyra & Frączek 2012, Sect. 4.1."""
    points = np.array(given.points)
    if len(points) != 2:
        raise ModelError(
            f"body '{given.name}' is held at {len(points)} points; a rod that is split has two, one on each half.",
            given.where,
        )
    along = points[1] - points[0]
    length = float(np.linalg.norm(along))
    if not length > 0:
        raise ModelError(
            f"body '{given.name}': its two joints coincide; a rod that is split has a length.", given.where
        )
    k = _stiffness(given)
    e = np.zeros(12)
    e[:3], e[6:9] = -along / length, along / length
    return Flexibility(given.name, points, e[:, None] / (2 * math.sqrt(k)), np.zeros((1, 6)))


def _stiffness(given: Description) -> float:
    """[N/m], with what else is said of the rod checked."""
    what, p = f"body '{given.name}': a rod that is split", given.parameters
    for key in p:
        if key not in SPLIT_KEYS:
            raise ModelError(
                f"body '{given.name}': split knows no '{key}'.{did_you_mean(key, SPLIT_KEYS)}", given.where
            )
    k, c = p.get("stiffness"), p.get("damping", 0.0)
    if not isinstance(k, int | float) or not k > 0:
        raise ModelError(f"{what} needs a positive `stiffness` [N/m].", given.where)
    if not isinstance(c, int | float) or not c >= 0:
        raise ModelError(f"{what}: its damping is {c!r} N s/m; it must not be negative.", given.where)
    return float(k)


def _inertia(given: Description) -> MassProperties | None:
    _stiffness(given)  # a rod has no mass of its own; its parameters are checked here, together with the model
    return None


SPLIT = register(
    StructureKind(
        name="split",
        doc="Two halves with a prismatic joint and a spring-damper: axial flexibility and its vibration.",
        flexibility=_flexibility,
        inertia=_inertia,
        vibrates=False,
    )
)
