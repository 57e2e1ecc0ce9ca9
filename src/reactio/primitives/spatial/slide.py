"""Displacement of B along an axis of A."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import ZERO, cross, dot, mul, spin, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="{k}", turns="A", exact=True)
def slide(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """How far B is displaced from A along axis a of A (Haug 1989, dot-2 condition).

    s = a·d          a = R_A e_k,  d = r_B − r_A                    [m]
    D = [−a, a×d | a, 0]
    σ = 2 (ω_A×a)·ḋ + (ω_A×(ω_A×a))·d                               [m/s²]
    """
    a, d, d_dot = axis(A, k), sub(B.r, A.r), sub(B.v, A.v)
    sigma = 2 * dot(cross(A.w, a), d_dot) + dot(spin(A.w, a), d)
    return dot(a, d), mul(-1.0, a), cross(a, d), a, ZERO, sigma
