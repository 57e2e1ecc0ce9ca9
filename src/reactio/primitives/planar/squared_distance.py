"""Squared distance between the origins of A and B, less the square of a length."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import dot2, mul2, sub2
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m²", label="square", turns="", exact=True)
def squared_distance(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Squared distance between the two origins, less the square of the length p.

    s = d·d − p²          d = r_B − r_A                             [m²]
    D = [−2d, 0 | 2d, 0]
    σ = 2 ḋ·ḋ                                                       [m²/s²]
    """
    d, d_dot = sub2(B.r, A.r), sub2(B.v, A.v)
    return dot2(d, d) - p * p, mul2(-2.0, d), 0.0, mul2(2.0, d), 0.0, 2.0 * dot2(d_dot, d_dot)
