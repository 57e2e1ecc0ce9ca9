"""Velocity of the point of B along an axis of B, as seen from A."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow, axis
from reactio.space.algebra import cross2, dot2, mul2, sub2, turned
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m", label="slip", holonomic=False, exact=True)
def glide(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Speed of B's origin relative to A along axis b of B: the knife edge (Wojtyra & Frączek 2013, Eqs 30, 31).

    ṡ = b·(v_B − v_A − ω_A×d)        b = R_B e_l,  d = r_B − r_A     [m/s]
    D = [−b, b×d | b, 0]
    σ = (ω_B×b)·(ḋ − ω_A×d) − b·(ω_A×ḋ)                              [m/s²]
    """
    b, d, d_dot = axis(B, l), sub2(B.r, A.r), sub2(B.v, A.v)
    sigma = dot2(turned(B.w, b), sub2(d_dot, turned(A.w, d))) - dot2(b, turned(A.w, d_dot))
    return 0.0, mul2(-1.0, b), cross2(b, d), b, 0.0, sigma
