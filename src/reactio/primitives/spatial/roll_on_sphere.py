"""Slip of a sphere on a sphere."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.slip import slip
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import add, cross, dot, mul, sub
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="slip_{k}", holonomic=False, exact=True)
def roll_on_sphere(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Slip of a sphere (centre at B, radius p) on a sphere around A, along axis k of A turned across the normal.

    u = d/|d|,  c = −p u           d = r_B − r_A                             slip: see primitives/slip.py
    t = a − h (u + n),  h = a·u/g,  g = 1 + n·u         a = R_A e_k (k = x, y),  n = ±z_A on the side of u

    t is a after the shortest rotation that takes n to u.  No directions are smooth all over a sphere: where u passes
    the x-y plane of A they turn about u, and the plane that they span does not.
    """
    d, d_dot = sub(B.r, A.r), sub(B.v, A.v)
    size = math.sqrt(dot(d, d))
    u = mul(1 / size, d)
    u_dot = mul(1 / size, sub(d_dot, mul(dot(u, d_dot), u)))
    side = 1.0
    if dot(A.z, u) < 0.0:
        side = -1.0
    n, a = mul(side, A.z), axis(A, k)
    n_dot, a_dot = cross(A.w, n), cross(A.w, a)
    g, g_dot = 1 + dot(n, u), dot(n_dot, u) + dot(n, u_dot)
    h = dot(a, u) / g
    h_dot = (dot(a_dot, u) + dot(a, u_dot) - h * g_dot) / g
    t = sub(a, mul(h, add(u, n)))
    t_dot = sub(a_dot, add(mul(h_dot, add(u, n)), mul(h, add(u_dot, n_dot))))
    return slip(A, B, t, t_dot, mul(-p, u), mul(-p, u_dot))
