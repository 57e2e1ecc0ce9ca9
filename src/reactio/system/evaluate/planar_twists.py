"""Rows on the twists of two planar frames, and forces and moments on one: the functions of loops in the plane."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.algebra import Vector2, dot2
from reactio.space.frames import PlanarFrame, vector2


@kernel(**NO_ARRAYS)
def row_on_side(D: Floats, i: int, side: int) -> tuple[Vector2, float]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector2(D, i, 3 * side), D[i, 3 * side + 2]


@kernel(**NO_ARRAYS)
def store_row(D: Floats, i: int, Av: Vector2, Aw: float, Bv: Vector2, Bw: float) -> None:
    """Store D of measure i: its rows on the twists of A and B."""
    D[i, 0], D[i, 1], D[i, 2] = Av[0], Av[1], Aw
    D[i, 3], D[i, 4], D[i, 5] = Bv[0], Bv[1], Bw


@kernel(**NO_ARRAYS)
def row_times_twists(D: Floats, i: int, A: PlanarFrame, B: PlanarFrame) -> float:
    """ṡ = D V of measure i."""
    Av, Bv = vector2(D, i, 0), vector2(D, i, 3)
    return dot2(Av, A.v) + D[i, 2] * A.w + dot2(Bv, B.v) + D[i, 5] * B.w  # type: ignore[no-any-return]


@kernel(**NO_ARRAYS)
def bias_acceleration(sigma: float, D: Floats, i: int, A: PlanarFrame, B: PlanarFrame) -> float:
    """s̈ of measure i at v̇ = 0: σ + D V̇, where V̇ = J̇ v."""
    Av, Bv = vector2(D, i, 0), vector2(D, i, 3)
    return sigma + dot2(Av, A.drift) + D[i, 2] * A.drift_w + dot2(Bv, B.drift) + D[i, 5] * B.drift_w  # type: ignore[no-any-return]


@kernel(**NO_ARRAYS)
def components(load: Floats, e: int) -> tuple[Vector2, float]:
    """Force and moment of load e, in the axes in which they are given."""
    return vector2(load, e, 0), load[e, 2]


@kernel(**NO_ARRAYS)
def in_world_axes(force: Vector2, moment: float, at: PlanarFrame) -> tuple[Vector2, float]:
    """A force and a moment, given in the axes of a frame, in those of the world."""
    return (force[0] * at.x[0] + force[1] * at.y[0], force[0] * at.x[1] + force[1] * at.y[1]), moment
