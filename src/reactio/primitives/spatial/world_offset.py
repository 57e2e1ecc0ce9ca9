"""Displacement of B from A along an axis of the world."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import ZERO, dot, mul, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="{k}", turns="", exact=True)
def world_offset(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """How far B is displaced from A along axis e of the world (Wojtyra & Frączek 2012, Eq. 3).

    s = e·d          d = r_B − r_A                                  [m]
    D = [−e, 0 | e, 0],  σ = 0
    """
    e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    return dot(e, sub(B.r, A.r)), mul(-1.0, e), ZERO, e, ZERO, 0.0
