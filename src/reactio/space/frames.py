"""Frames on bodies at one instant: what joints see of a body, in the plane and in space.

All frames of a system live in one array, a row each; kernels load a row as a named tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from reactio.arrays import Floats
from reactio.kernels import kernel
from reactio.space.algebra import Vector, Vector2

SPATIAL_WIDTH = 24
PLANAR_WIDTH = 12


class SpatialFrame(NamedTuple):
    """A frame in space, world axes."""

    r: Vector  # position [m]
    x: Vector  # its axes, unit vectors
    y: Vector
    z: Vector
    v: Vector  # velocity of its origin [m/s]
    w: Vector  # angular velocity [rad/s]
    arm: Vector  # from the origin of its body to the frame [m]
    drift: Vector  # acceleration of its origin at v̇ = 0: J̇ v [m/s²]


class PlanarFrame(NamedTuple):
    """A frame in the plane, world axes."""

    r: Vector2  # position [m]
    x: Vector2  # its axes, unit vectors
    y: Vector2
    phi: float  # angle, counted over full turns [rad]
    v: Vector2  # velocity of its origin [m/s]
    w: float  # angular velocity [rad/s]
    arm: Vector2  # from the origin of its body to the frame [m]
    drift: Vector2  # acceleration of its origin at v̇ = 0: J̇ v [m/s²]


@kernel
def vector(F: Floats, i: int, k: int) -> Vector:
    """Three entries of row i from column k on."""
    return (F[i, k], F[i, k + 1], F[i, k + 2])


@kernel
def vector2(F: Floats, i: int, k: int) -> Vector2:
    """Two entries of row i from column k on."""
    return (F[i, k], F[i, k + 1])


@kernel
def spatial_frame(F: Floats, i: int) -> SpatialFrame:
    """Load frame i."""
    return SpatialFrame(
        vector(F, i, 0),
        vector(F, i, 3),
        vector(F, i, 6),
        vector(F, i, 9),
        vector(F, i, 12),
        vector(F, i, 15),
        vector(F, i, 18),
        vector(F, i, 21),
    )


@kernel
def store_spatial_frame(F: Floats, i: int, frame: SpatialFrame) -> None:
    """Store frame i."""
    for k in range(3):
        F[i, k] = frame.r[k]
        F[i, 3 + k] = frame.x[k]
        F[i, 6 + k] = frame.y[k]
        F[i, 9 + k] = frame.z[k]
        F[i, 12 + k] = frame.v[k]
        F[i, 15 + k] = frame.w[k]
        F[i, 18 + k] = frame.arm[k]
        F[i, 21 + k] = frame.drift[k]


@kernel
def planar_frame(F: Floats, i: int) -> PlanarFrame:
    """Load frame i."""
    x = vector2(F, i, 2)
    return PlanarFrame(
        vector2(F, i, 0),
        x,
        (-x[1], x[0]),
        F[i, 4],
        vector2(F, i, 5),
        F[i, 7],
        vector2(F, i, 8),
        vector2(F, i, 10),
    )


@kernel
def store_planar_frame(F: Floats, i: int, frame: PlanarFrame) -> None:
    """Store frame i."""
    F[i, 4] = frame.phi
    F[i, 7] = frame.w
    for k in range(2):
        F[i, k] = frame.r[k]
        F[i, 2 + k] = frame.x[k]
        F[i, 5 + k] = frame.v[k]
        F[i, 8 + k] = frame.arm[k]
        F[i, 10 + k] = frame.drift[k]
