"""Slip of a disc on a disc."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import add2, cross2, dot2, mul2, sub2, turned
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="m", label="slip", holonomic=False, exact=True)
def roll_on_disc(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Slip of a disc (centre at B, radius p) on a disc around A, across the line of centres.

    ṡ = t·w,   w = v_B + ω_B×c − v_A − ω_A×e                                [m/s]
    u = d/|d|,  t = z×u,  c = −p u,  e = d + c        d = r_B − r_A;  c, e: from B and from A to the contact
    D = [−t, −e×t | t, c×t]
    σ = ṫ·w + t·(ω_B×ċ − ω_A×ė)                                            [m/s²]
    """
    d, d_dot = sub2(B.r, A.r), sub2(B.v, A.v)
    size = math.sqrt(dot2(d, d))
    u = mul2(1 / size, d)
    u_dot = mul2(1 / size, sub2(d_dot, mul2(dot2(u, d_dot), u)))
    t, t_dot = turned(1.0, u), turned(1.0, u_dot)
    c, c_dot = mul2(-p, u), mul2(-p, u_dot)
    e, e_dot = add2(d, c), add2(d_dot, c_dot)
    w = sub2(add2(d_dot, turned(B.w, c)), turned(A.w, e))
    sigma = dot2(t_dot, w) + dot2(t, sub2(turned(B.w, c_dot), turned(A.w, e_dot)))
    return 0.0, mul2(-1.0, t), -cross2(e, t), t, cross2(c, t), sigma
