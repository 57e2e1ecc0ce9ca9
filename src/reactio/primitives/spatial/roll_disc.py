"""Slip of a disc on a plane."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.slip import slip
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import add, cross, dot, mul, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="slip_{k}", holonomic=False, exact=True)
def roll_disc(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Slip of a disc (centre and axis z of B, radius p) on the plane z of A, along (k=x) or across (k=y) its track.

    e = n − (n·b) b,  u = e/|e|       n = z_A,  b = z_B;  u points from the contact to the centre
    c = −p u,  track t₁ = b×u,  across it t₂ = n×t₁                          slip: see primitives/slip.py
    """
    n, b = A.z, B.z
    n_dot, b_dot = cross(A.w, n), cross(B.w, b)
    h, h_dot = dot(n, b), dot(n_dot, b) + dot(n, b_dot)
    e = sub(n, mul(h, b))
    e_dot = sub(n_dot, add(mul(h_dot, b), mul(h, b_dot)))
    size = math.sqrt(dot(e, e))
    u = mul(1 / size, e)
    u_dot = mul(1 / size, sub(e_dot, mul(dot(u, e_dot), u)))
    t, t_dot = cross(b, u), add(cross(b_dot, u), cross(b, u_dot))
    if k == 1:
        t_dot = add(cross(n_dot, t), cross(n, t_dot))
        t = cross(n, t)
    return slip(A, B, t, t_dot, mul(-p, u), mul(-p, u_dot))
