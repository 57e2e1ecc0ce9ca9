"""Clearance of a disc above a plane."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import ZERO, add, cross, dot, mul, spin, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="height", exact=True)
def disc_height(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Height of the lowest point of a disc (centre and axis z of B, radius p) above the plane z of A.

    s = n·d − p e     n = z_A,  b = z_B,  h = n·b,  e = √(1 − h²)    [m]
    D = D_slide + p (h/e) [0, n×b | 0, −n×b]
    σ = σ_slide + p (h/e) σ_h + p ḣ²/e³                              [m/s²]
    """
    n, b, d, d_dot = A.z, B.z, sub(B.r, A.r), sub(B.v, A.v)
    h = dot(n, b)
    e = math.sqrt(1 - h * h)
    g = mul(p * h / e, cross(n, b))
    h_dot = dot(sub(A.w, B.w), cross(n, b))
    sigma_h = dot(spin(A.w, n), b) + 2 * dot(cross(A.w, n), cross(B.w, b)) + dot(n, spin(B.w, b))
    sigma_slide = 2 * dot(cross(A.w, n), d_dot) + dot(spin(A.w, n), d)
    sigma = sigma_slide + p * (h / e) * sigma_h + p * h_dot * h_dot / (e * e * e)
    return dot(n, d) - p * e, mul(-1.0, n), add(cross(n, d), g), add(n, ZERO), mul(-1.0, g), sigma
