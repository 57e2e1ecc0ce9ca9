"""Frames on bodies at one instant: what joints see of a body, in the plane and in space.

All frames of a system live in one array, a row each; kernels load a row as a named tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from reactio.arrays import Floats
from reactio.kernels import kernel
from reactio.space.algebra import Vector, Vector2

SPATIAL_WIDTH = 27
PLANAR_WIDTH = 13
SPATIAL_ARM = 18  # where the arm of a frame begins in its row
PLANAR_ARM = 8


class SpatialFramePose(NamedTuple):
    """Where a frame is in space."""

    r: Vector  # position [m]
    x: Vector  # its axes, unit vectors
    y: Vector
    z: Vector
    arm: Vector  # from the origin of its body to the frame [m]


class SpatialFrameVelocity(NamedTuple):
    """How a frame moves in space."""

    v: Vector  # velocity of its origin [m/s]
    w: Vector  # angular velocity [rad/s]
    drift: Vector  # acceleration of its origin at v̇ = 0: J̇ v [m/s²]
    drift_w: Vector  # angular acceleration at v̇ = 0, of bodies that bend [rad/s²]


class PlanarFramePose(NamedTuple):
    """Where a frame is in the plane."""

    r: Vector2  # position [m]
    x: Vector2  # its first axis
    phi: float  # angle, counted over full turns [rad]
    arm: Vector2  # from the origin of its body to the frame [m]


class PlanarFrameVelocity(NamedTuple):
    """How a frame moves in the plane."""

    v: Vector2  # velocity of its origin [m/s]
    w: float  # angular velocity [rad/s]
    drift: Vector2  # acceleration of its origin at v̇ = 0: J̇ v [m/s²]
    drift_w: float  # angular acceleration at v̇ = 0, of bodies that bend [rad/s²]


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
    drift_w: Vector  # angular acceleration at v̇ = 0, of bodies that bend [rad/s²]


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
    drift_w: float  # angular acceleration at v̇ = 0, of bodies that bend [rad/s²]


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
        vector(F, i, SPATIAL_ARM),
        vector(F, i, 21),
        vector(F, i, 24),
    )


@kernel
def store_spatial_pose(F: Floats, i: int, at: SpatialFramePose) -> None:
    """Store where frame i is."""
    for k in range(3):
        F[i, k] = at.r[k]
        F[i, 3 + k] = at.x[k]
        F[i, 6 + k] = at.y[k]
        F[i, 9 + k] = at.z[k]
        F[i, SPATIAL_ARM + k] = at.arm[k]


@kernel
def store_spatial_velocity(F: Floats, i: int, velocity: SpatialFrameVelocity) -> None:
    """Store how frame i moves."""
    for k in range(3):
        F[i, 12 + k] = velocity.v[k]
        F[i, 15 + k] = velocity.w[k]
        F[i, 21 + k] = velocity.drift[k]
        F[i, 24 + k] = velocity.drift_w[k]


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
        vector2(F, i, PLANAR_ARM),
        vector2(F, i, 10),
        F[i, 12],
    )


@kernel
def store_planar_pose(F: Floats, i: int, at: PlanarFramePose) -> None:
    """Store where frame i is."""
    F[i, 4] = at.phi
    for k in range(2):
        F[i, k] = at.r[k]
        F[i, 2 + k] = at.x[k]
        F[i, PLANAR_ARM + k] = at.arm[k]


@kernel
def store_planar_velocity(F: Floats, i: int, velocity: PlanarFrameVelocity) -> None:
    """Store how frame i moves."""
    F[i, 7] = velocity.w
    F[i, 12] = velocity.drift_w
    for k in range(2):
        F[i, 5 + k] = velocity.v[k]
        F[i, 10 + k] = velocity.drift[k]
