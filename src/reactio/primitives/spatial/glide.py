"""Velocity of the point of B along an axis of B, as seen from A."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import ZERO, cross, dot, mul, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="slip", holonomic=False, exact=True)
def glide(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Speed of B's origin relative to A along axis b of B: the knife edge (Wojtyra & Frączek 2013, Eqs 30, 31).

    ṡ = b·(v_B − v_A − ω_A×d)        b = R_B e_l,  d = r_B − r_A     [m/s]
    D = [−b, b×d | b, 0]
    σ = (ω_B×b)·(ḋ − ω_A×d) − b·(ω_A×ḋ)                              [m/s²]
    """
    b, d, d_dot = axis(B, l), sub(B.r, A.r), sub(B.v, A.v)
    sigma = dot(cross(B.w, b), sub(d_dot, cross(A.w, d))) - dot(b, cross(A.w, d_dot))
    return 0.0, mul(-1.0, b), cross(b, d), b, ZERO, sigma
