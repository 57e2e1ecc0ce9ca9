"""Displacement of B from A along an axis of the world."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import dot2, mul2, sub2
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m", label="{k}", turns="", exact=True)
def world_offset(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """How far B is displaced from A along axis e of the world (Wojtyra & Frączek 2013, Eqs 40, 44).

    s = e·d          d = r_B − r_A                                  [m]
    D = [−e, 0 | e, 0],  σ = 0
    """
    e = (1.0, 0.0) if k == 0 else (0.0, 1.0)
    return dot2(e, sub2(B.r, A.r)), mul2(-1.0, e), 0.0, e, 0.0, 0.0
