"""Rows on the twists of two frames in space, and forces and moments on one: the functions of loops in space."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.algebra import Vector, add, dot, mul
from reactio.space.frames import SpatialFrame, vector


@kernel(**NO_ARRAYS)
def row_on_side(D: Floats, i: int, side: int) -> tuple[Vector, Vector]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector(D, i, 6 * side), vector(D, i, 6 * side + 3)


@kernel(**NO_ARRAYS)
def store_row(D: Floats, i: int, Av: Vector, Aw: Vector, Bv: Vector, Bw: Vector) -> None:
    """Store D of measure i: its rows on the twists of A and B."""
    for k in range(3):
        D[i, k] = Av[k]
        D[i, 3 + k] = Aw[k]
        D[i, 6 + k] = Bv[k]
        D[i, 9 + k] = Bw[k]


@kernel(**NO_ARRAYS)
def row_times_twists(D: Floats, i: int, A: SpatialFrame, B: SpatialFrame) -> float:
    """ṡ = D V of measure i."""
    Av, Aw, Bv, Bw = vector(D, i, 0), vector(D, i, 3), vector(D, i, 6), vector(D, i, 9)
    return dot(Av, A.v) + dot(Aw, A.w) + dot(Bv, B.v) + dot(Bw, B.w)


@kernel(**NO_ARRAYS)
def bias_acceleration(sigma: float, D: Floats, i: int, A: SpatialFrame, B: SpatialFrame) -> float:
    """s̈ of measure i at v̇ = 0: σ + D V̇, where V̇ = J̇ v."""
    Av, Aw, Bv, Bw = vector(D, i, 0), vector(D, i, 3), vector(D, i, 6), vector(D, i, 9)
    return sigma + dot(Av, A.drift) + dot(Aw, A.drift_w) + dot(Bv, B.drift) + dot(Bw, B.drift_w)


@kernel(**NO_ARRAYS)
def components(load: Floats, e: int) -> tuple[Vector, Vector]:
    """Force and moment of load e, in the axes in which they are given."""
    return vector(load, e, 0), vector(load, e, 3)


@kernel(**NO_ARRAYS)
def in_world_axes(force: Vector, moment: Vector, at: SpatialFrame) -> tuple[Vector, Vector]:
    """A force and a moment, given in the axes of a frame, in those of the world."""
    return (
        add(add(mul(force[0], at.x), mul(force[1], at.y)), mul(force[2], at.z)),
        add(add(mul(moment[0], at.x), mul(moment[1], at.y)), mul(moment[2], at.z)),
    )
