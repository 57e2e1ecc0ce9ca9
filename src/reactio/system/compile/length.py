"""The characteristic length of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from reactio.catalogue.places import GROUND
from reactio.linear.precision import ROUNDOFF
from reactio.model.model import Model

# Points of a body that are nearer to each other than this part of their coordinates, or of the whole mechanism, are one
# point: coordinates are rounded at 1e-16 of their size, and axes that meet in a wrist meet up to some roundings.
SAME_POINT_PART = ROUNDOFF
# [m] Lengths smaller than an atom are rounding of a mechanism whose joints all meet in one point.
LEAST_LENGTH = 1e-11


def characteristic_length(model: Model) -> float:
    """How large the bodies are: the median over bodies of the spread of their joint points [m].

    It turns radians into metres when rows and columns are weighed against each other.  Points of one body are compared
    with each other only, so the origin of the world or of a body has no part in it.
    """
    points: dict[str, list[Sequence[float]]] = {}
    for joint in model.joints:
        for end in (joint.a, joint.b):
            points.setdefault(end.body, []).append(end.point)
    return length_of(points, (body.position for body in model.bodies))


def length_of(points: Mapping[str, list[Sequence[float]]], positions: Iterable[Sequence[float]]) -> float:
    """The same of joint points by the name of their body, in its axes, and of the positions of bodies [m]."""
    everywhere = [*points.get(GROUND, ()), *positions]
    spreads = [
        s
        for name, body_points in points.items()
        if name != GROUND and (s := _spread(body_points)) > SAME_POINT_PART * _reach(body_points)
    ]
    rounding = max(SAME_POINT_PART * max([_spread(everywhere), *spreads]), LEAST_LENGTH)
    if spreads := [s for s in spreads if s > rounding]:
        return _median(spreads)
    far = max((_reach(body_points) for body_points in (everywhere, *points.values()) if body_points), default=0.0)
    spread = _spread(everywhere)
    return spread if spread > max(SAME_POINT_PART * far, LEAST_LENGTH) else 1.0


def _median(numbers: list[float]) -> float:
    """The number in the middle, or the mean of the two there; ``statistics`` and NumPy import much more for it."""
    ordered, half = sorted(numbers), len(numbers) // 2
    return 0.5 * (ordered[half] + ordered[-half - 1])


def _spread(points: Sequence[Sequence[float]]) -> float:
    """The diagonal of the box around points."""
    return math.hypot(*(max(c) - min(c) for c in zip(*points, strict=True))) if points else 0.0


def _reach(points: Sequence[Sequence[float]]) -> float:
    """The largest coordinate of points."""
    return max(abs(x) for point in points for x in point)
