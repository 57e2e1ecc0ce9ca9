"""Distance of the origin of B from an axis of A."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import ZERO, cross, dot, mul, spin, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="length", turns="A", exact=True)
def axis_distance(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Distance of the origin of B from the line through the origin of A along its axis a.

    s = |d − h a|    d = r_B − r_A,  a = R_A e_k,  h = a·d,  u = (d − h a)/s        [m]
    D = [−u, −d×u | u, 0]
    σ = (ḋ·ḋ − ḣ² − ṡ² − h ((ω_A×(ω_A×a))·d + 2 (ω_A×a)·ḋ))/s                      [m/s²]

    from s² = d·d − h², with ḣ = (ω_A×a)·d + a·ḋ and s ṡ = d·ḋ − h ḣ.
    """
    a, d, d_dot = axis(A, k), sub(B.r, A.r), sub(B.v, A.v)
    h = dot(a, d)
    e = sub(d, mul(h, a))
    s = math.sqrt(dot(e, e))
    u = mul(1 / s, e)
    a_dot = cross(A.w, a)
    h_dot = dot(a_dot, d) + dot(a, d_dot)
    s_dot = (dot(d, d_dot) - h * h_dot) / s
    swing = dot(spin(A.w, a), d) + 2 * dot(a_dot, d_dot)
    sigma = (dot(d_dot, d_dot) - h_dot * h_dot - s_dot * s_dot - h * swing) / s
    return s, mul(-1.0, u), mul(-1.0, cross(d, u)), u, ZERO, sigma
