"""Split rods: two halves that slide along each other on a spring; between two joints only their length gives way."""

from __future__ import annotations

import numpy as np

from reactio.errors import ModelError
from reactio.structures import Description, Flexibility, MassProperties, StructureKind, register


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
    k = float(given.parameters["stiffness"])
    e = np.zeros(12)
    e[:3], e[6:9] = -along / length, along / length
    return Flexibility(given.name, points, np.outer(e, e) / (4 * k), np.zeros((12, 6)))


def _inertia(given: Description) -> MassProperties | None:
    return None


SPLIT = register(
    StructureKind(
        name="split",
        doc="Two halves with a prismatic joint and a spring-damper: axial flexibility and its vibration.",
        flexibility=_flexibility,
        inertia=_inertia,
    )
)
