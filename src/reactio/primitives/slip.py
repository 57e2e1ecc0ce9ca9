"""Slip between two bodies at a moving contact point: the common part of all rolling."""

from __future__ import annotations

from reactio.kernels import kernel
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import Vector, add, cross, dot, mul, sub
from reactio.space.frames import SpatialFrame


@kernel
def slip(A: SpatialFrame, B: SpatialFrame, t: Vector, t_dot: Vector, c: Vector, c_dot: Vector) -> SpatialRow:
    """Relative velocity of the material points of B and A at the contact r_B + c, along direction t.

    ṡ = t·w,   w = v_B + ω_B×c − v_A − ω_A×e      e = r_B + c − r_A         [m/s]
    D = [−t, −e×t | t, c×t]
    σ = ṫ·w + t·(ω_B×ċ − ω_A×ė)                                            [m/s²]
    """
    e = sub(add(B.r, c), A.r)
    e_dot = sub(add(B.v, c_dot), A.v)
    w = sub(add(B.v, cross(B.w, c)), add(A.v, cross(A.w, e)))
    sigma = dot(t_dot, w) + dot(t, sub(cross(B.w, c_dot), cross(A.w, e_dot)))
    return 0.0, mul(-1.0, t), mul(-1.0, cross(e, t)), t, cross(c, t), sigma
