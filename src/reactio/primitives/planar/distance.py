"""Distance between the origins of A and B."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import dot2, mul2, sub2
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m", label="length", turns="", exact=True)
def distance(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Distance between the two origins.

    s = |d|          d = r_B − r_A,  u = d/|d|                      [m]
    D = [−u, 0 | u, 0]
    σ = (ḋ·ḋ − (u·ḋ)²)/|d|                                          [m/s²]
    """
    d, d_dot = sub2(B.r, A.r), sub2(B.v, A.v)
    s = math.sqrt(dot2(d, d))
    u = mul2(1 / s, d)
    radial = dot2(u, d_dot)
    return s, mul2(-1.0, u), 0.0, u, 0.0, (dot2(d_dot, d_dot) - radial * radial) / s
