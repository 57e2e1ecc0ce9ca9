"""Cosine between an axis of A and an axis of B."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import ZERO, cross, dot, mul, spin
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="rad", label="{k}{l}", exact=True)
def perp(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Cosine of the angle between axis a of A and axis b of B (Haug 1989, dot-1 condition).

    s = a·b          a = R_A e_k,  b = R_B e_l                      [1], radians near a right angle
    D = [0, a×b | 0, −a×b]
    σ = (ω_A×(ω_A×a))·b + 2 (ω_A×a)·(ω_B×b) + a·(ω_B×(ω_B×b))       [1/s²]
    """
    a, b = axis(A, k), axis(B, l)
    n = cross(a, b)
    sigma = dot(spin(A.w, a), b) + 2 * dot(cross(A.w, a), cross(B.w, b)) + dot(a, spin(B.w, b))
    return dot(a, b), ZERO, n, ZERO, mul(-1.0, n), sigma
