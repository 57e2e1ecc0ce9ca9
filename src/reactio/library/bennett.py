"""Bennett linkage, four skew hinges that should be rigid and move.

Opposite links are equal and sin α / a = sin β / b.  C is 20 × 18 with rank 17: three redundancies, one freedom.
"""

from __future__ import annotations

import math

from reactio.errors import ReactioError
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Joint
from reactio.space.algebra import Vector, add, mul, sub
from reactio.space.rotations import Axes, turn

CITE = "Bennett 1903, A new mechanism; Sharma & Ghosal, Reaction solvability analysis using natural coordinates"
PARAMETERS = {"a": 1.0, "b": 0.8, "alpha": math.pi / 3, "theta": 1.9}


def build(a: float, b: float, alpha: float, theta: float) -> Model:
    """Links a and b [m], twist alpha of link a and hinge angle theta of the first hinge [rad]."""
    sine = b * math.sin(alpha) / a
    if not -1 < sine < 1:
        raise ReactioError(
            f"No Bennett linkage has a = {a:g}, b = {b:g}, alpha = {alpha:g}: sin β would be {sine:.3g}."
        )
    beta = math.asin(sine)
    ratio = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    second = 2 * math.atan(ratio / math.tan(theta / 2))
    links = ((theta, a, alpha), (second, b, beta), (-theta, a, alpha))
    points, hinges = _hinges(links)
    bodies = [
        Body(f"link{i + 1}", 1.0, (0.05, 0.05, 0.05), mul.plain(0.5, add.plain(points[i], points[i + 1])))
        for i in range(3)
    ]
    chain: list[Body | str] = ["ground", *bodies, "ground"]
    # The x axis of a hinge lies along a link, its common normal: rational where the linkage is.
    directions = [sub.plain(points[i + 1], points[i]) for i in (0, 1, 2, 2)]
    joints: list[Joint] = [
        joint_at(name, "revolute", chain[i], chain[i + 1], points[i], axis=hinges[i], x=directions[i])
        for i, name in enumerate("ABCD")
    ]
    return Model(
        name="bennett",
        space="spatial",
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=(0.0, 0.0, -9.81),
        title="Bennett linkage",
        cite=CITE,
        parameters={"a": a, "b": b, "alpha": alpha, "theta": theta},
    )


def _hinges(links: tuple[tuple[float, float, float], ...]) -> tuple[list[Vector], list[Vector]]:
    """Points and directions of the hinges, one link after the other by the rotations of Denavit and Hartenberg."""
    axes: Axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    point: Vector = (0.0, 0.0, 0.0)
    points, hinges = [point], [axes[2]]
    for angle, length, twist in links:
        c, s = math.cos(angle), math.sin(angle)
        x = turn.plain(axes, (c, s, 0.0))
        y = turn.plain(axes, (-s, c, 0.0))
        point = add.plain(point, mul.plain(length, x))
        c, s = math.cos(twist), math.sin(twist)
        axes = (
            x,
            add.plain(mul.plain(c, y), mul.plain(s, axes[2])),
            add.plain(mul.plain(-s, y), mul.plain(c, axes[2])),
        )
        points.append(point)
        hinges.append(axes[2])
    return points, hinges
