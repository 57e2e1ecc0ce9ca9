"""Displacement of B along an axis of A."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow, axis
from reactio.space.algebra import cross2, dot2, mul2, sub2, turned
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m", label="{k}", turns="A", exact=True)
def slide(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """How far B is displaced from A along axis a of A (Wojtyra & Frączek 2013, Eqs 42–47).

    s = a·d          a = R_A e_k,  d = r_B − r_A                    [m]
    D = [−a, a×d | a, 0]
    σ = 2 (ω_A×a)·ḋ − ω_A² a·d                                      [m/s²]
    """
    a, d, d_dot = axis(A, k), sub2(B.r, A.r), sub2(B.v, A.v)
    sigma = 2 * dot2(turned(A.w, a), d_dot) - A.w * A.w * dot2(a, d)
    return dot2(a, d), mul2(-1.0, a), cross2(a, d), a, 0.0, sigma
