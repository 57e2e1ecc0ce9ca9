"""Rows on the twists of two frames, and loads on one, in the plane and in space: the functions of loops."""

from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.space.algebra import Vector, Vector2, add, dot, dot2, mul
from reactio.space.frames import (
    PlanarFrame,
    SpatialFrame,
    planar_frame,
    spatial_frame,
    store_planar_pose,
    store_planar_velocity,
    store_spatial_pose,
    store_spatial_velocity,
    vector,
    vector2,
)


@kernel(**NO_ARRAYS)
def planar_row_on_side(D: Floats, i: int, side: int) -> tuple[Vector2, float]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector2(D, i, 3 * side), D[i, 3 * side + 2]


@kernel(**NO_ARRAYS)
def planar_store_row(D: Floats, i: int, Av: Vector2, Aw: float, Bv: Vector2, Bw: float) -> None:
    """Store D of measure i: its rows on the twists of A and B."""
    D[i, 0], D[i, 1], D[i, 2] = Av[0], Av[1], Aw
    D[i, 3], D[i, 4], D[i, 5] = Bv[0], Bv[1], Bw


@kernel(**NO_ARRAYS)
def planar_row_times_twists(D: Floats, i: int, A: PlanarFrame, B: PlanarFrame) -> float:
    """ṡ = D V of measure i."""
    Av, Bv = vector2(D, i, 0), vector2(D, i, 3)
    return dot2(Av, A.v) + D[i, 2] * A.w + dot2(Bv, B.v) + D[i, 5] * B.w  # type: ignore[no-any-return]


@kernel(**NO_ARRAYS)
def planar_bias_acceleration(sigma: float, D: Floats, i: int, A: PlanarFrame, B: PlanarFrame) -> float:
    """s̈ of measure i at v̇ = 0: σ + D V̇, where V̇ = J̇ v."""
    Av, Bv = vector2(D, i, 0), vector2(D, i, 3)
    return sigma + dot2(Av, A.drift) + D[i, 2] * A.drift_w + dot2(Bv, B.drift) + D[i, 5] * B.drift_w  # type: ignore[no-any-return]


@kernel(**NO_ARRAYS)
def planar_components(load: Floats, e: int) -> tuple[Vector2, float]:
    """Force and moment of load e, in the axes in which they are given."""
    return vector2(load, e, 0), load[e, 2]


@kernel(**NO_ARRAYS)
def planar_in_world_axes(force: Vector2, moment: float, at: PlanarFrame) -> tuple[Vector2, float]:
    """A force and a moment, given in the axes of a frame, in those of the world."""
    return (force[0] * at.x[0] + force[1] * at.y[0], force[0] * at.x[1] + force[1] * at.y[1]), moment


@kernel(**NO_ARRAYS)
def spatial_row_on_side(D: Floats, i: int, side: int) -> tuple[Vector, Vector]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector(D, i, 6 * side), vector(D, i, 6 * side + 3)


@kernel(**NO_ARRAYS)
def spatial_store_row(D: Floats, i: int, Av: Vector, Aw: Vector, Bv: Vector, Bw: Vector) -> None:
    """Store D of measure i: its rows on the twists of A and B."""
    for k in range(3):
        D[i, k] = Av[k]
        D[i, 3 + k] = Aw[k]
        D[i, 6 + k] = Bv[k]
        D[i, 9 + k] = Bw[k]


@kernel(**NO_ARRAYS)
def spatial_row_times_twists(D: Floats, i: int, A: SpatialFrame, B: SpatialFrame) -> float:
    """ṡ = D V of measure i."""
    Av, Aw, Bv, Bw = vector(D, i, 0), vector(D, i, 3), vector(D, i, 6), vector(D, i, 9)
    return dot(Av, A.v) + dot(Aw, A.w) + dot(Bv, B.v) + dot(Bw, B.w)


@kernel(**NO_ARRAYS)
def spatial_bias_acceleration(sigma: float, D: Floats, i: int, A: SpatialFrame, B: SpatialFrame) -> float:
    """s̈ of measure i at v̇ = 0: σ + D V̇, where V̇ = J̇ v."""
    Av, Aw, Bv, Bw = vector(D, i, 0), vector(D, i, 3), vector(D, i, 6), vector(D, i, 9)
    return sigma + dot(Av, A.drift) + dot(Aw, A.drift_w) + dot(Bv, B.drift) + dot(Bw, B.drift_w)


@kernel(**NO_ARRAYS)
def spatial_components(load: Floats, e: int) -> tuple[Vector, Vector]:
    """Force and moment of load e, in the axes in which they are given."""
    return vector(load, e, 0), vector(load, e, 3)


@kernel(**NO_ARRAYS)
def spatial_in_world_axes(force: Vector, moment: Vector, at: SpatialFrame) -> tuple[Vector, Vector]:
    """A force and a moment, given in the axes of a frame, in those of the world."""
    return (
        add(add(mul(force[0], at.x), mul(force[1], at.y)), mul(force[2], at.z)),
        add(add(mul(moment[0], at.x), mul(moment[1], at.y)), mul(moment[2], at.z)),
    )


# The functions by which the plane and space differ, by the names under which loops know them.
SPACE_FUNCTIONS: dict[str, dict[str, Kernel[..., Any]]] = {
    "planar": {
        "frame": planar_frame,
        "store_pose": store_planar_pose,
        "store_velocity": store_planar_velocity,
        "row_on_side": planar_row_on_side,
        "store_row": planar_store_row,
        "row_times_twists": planar_row_times_twists,
        "bias_acceleration": planar_bias_acceleration,
        "components": planar_components,
        "in_world_axes": planar_in_world_axes,
    },
    "spatial": {
        "frame": spatial_frame,
        "store_pose": store_spatial_pose,
        "store_velocity": store_spatial_velocity,
        "row_on_side": spatial_row_on_side,
        "store_row": spatial_store_row,
        "row_times_twists": spatial_row_times_twists,
        "bias_acceleration": spatial_bias_acceleration,
        "components": spatial_components,
        "in_world_axes": spatial_in_world_axes,
    },
}
