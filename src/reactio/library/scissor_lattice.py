"""Scissor lattice of rows by columns, many times overconstrained and still mobile.

Each cell is an X of two bars pinned in the middle; neighbouring cells share their corners, where bars are pinned one to
the next.  One corner is pinned to ground and one bar slides: the whole lattice has a single degree of freedom.
"""

from __future__ import annotations

import math
from itertools import pairwise

from reactio.catalogue.places import GROUND, End
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.specs import Body, Joint

CITE = "Zhao, Chu & Feng 2009, The mechanism theory and application of deployable structures based on SLE"
PARAMETERS = {"rows": 3.0, "columns": 3.0, "angle": math.pi / 5}


def build(rows: float, columns: float, angle: float) -> Model:
    """Bars of 1 m at ± angle [rad] to the horizontal."""
    height, width = whole(rows, "rows", most=1000), whole(columns, "columns", most=100_000)
    w, h = math.cos(angle), math.sin(angle)
    bodies: list[Body] = []
    joints: list[Joint] = []
    corners: dict[tuple[int, int], list[tuple[str, float, float]]] = {}
    for i in range(height):
        for j in range(width):
            _cell(i, j, angle, (w, h), bodies, joints, corners)
    for (i, j), ends in sorted(corners.items()):
        for k, (first, second) in enumerate(pairwise(ends), start=1):
            joints.append(_pin(f"N{i}_{j}_{k}", first, second))
    first, second = corners[0, 0][0], corners[0, 1][0]
    joints.append(
        Joint("base", "revolute", End(GROUND, (0.0, 0.0), (0.0,)), End(first[0], (first[1], 0.0), (-first[2],)))
    )
    joints.append(
        Joint(
            "slot",
            "revolute-translational",
            End(GROUND, (0.0, 0.0), (0.0,)),
            End(second[0], (second[1], 0.0), (-second[2],)),
        )
    )
    return Model(
        name="scissor-lattice",
        space="planar",
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=(0.0, -9.81),
        title=f"Scissor lattice, {height} by {width} cells",
        cite=CITE,
        parameters={"rows": height, "columns": width, "angle": angle},
    )


def _cell(
    i: int,
    j: int,
    angle: float,
    size: tuple[float, float],
    bodies: list[Body],
    joints: list[Joint],
    corners: dict[tuple[int, int], list[tuple[str, float, float]]],
) -> None:
    """Two bars crossing in cell (row i, column j), pinned in the middle."""
    w, h = size
    for name, turned, ends in (
        (f"up{i}_{j}", angle, ((i, j), (i + 1, j + 1))),
        (f"down{i}_{j}", -angle, ((i + 1, j), (i, j + 1))),
    ):
        bodies.append(
            Body(name, 1.0, (1 / 12,), ((j + 0.5) * w, (i + 0.5) * h), (turned,), (0.0, 0.0), (0.0,), (0.0, 0.0))
        )
        for place, along in zip(ends, (-0.5, 0.5), strict=True):
            corners.setdefault(place, []).append((name, along, turned))
    joints.append(_pin(f"X{i}_{j}", (f"up{i}_{j}", 0.0, angle), (f"down{i}_{j}", 0.0, -angle)))


def _pin(name: str, first: tuple[str, float, float], second: tuple[str, float, float]) -> Joint:
    """A revolute joint between points along two bars, its frames parallel to the world."""
    a, b = (End(body, (along, 0.0), (-turned,)) for body, along, turned in (first, second))
    return Joint(name, "revolute", a, b)
