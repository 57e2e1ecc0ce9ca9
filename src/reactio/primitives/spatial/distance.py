"""Distance between the origins of A and B."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import ZERO, dot, mul, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="length", turns="", exact=True)
def distance(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Distance between the two origins.

    s = |d|          d = r_B − r_A,  u = d/|d|                      [m]
    D = [−u, 0 | u, 0]
    σ = (ḋ·ḋ − (u·ḋ)²)/|d|                                          [m/s²]
    """
    d, d_dot = sub(B.r, A.r), sub(B.v, A.v)
    s = math.sqrt(dot(d, d))
    u = mul(1 / s, d)
    radial = dot(u, d_dot)
    return s, mul(-1.0, u), ZERO, u, ZERO, (dot(d_dot, d_dot) - radial * radial) / s
