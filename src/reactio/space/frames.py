"""Frames on bodies at one instant: the view that joints have of a body, in the plane and in space.

All frames of a system live in one array, a row each; kernels load a row as a named tuple.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import kernel
from reactio.space.algebra import Vector, Vector2

# Where the members of a frame begin in its row: position r, axes, velocity v, angular velocity w, arm, drifts.
SPATIAL_R, SPATIAL_X, SPATIAL_Y, SPATIAL_Z, SPATIAL_V, SPATIAL_W = 0, 3, 6, 9, 12, 15
SPATIAL_ARM, SPATIAL_DRIFT, SPATIAL_DRIFT_W, SPATIAL_WIDTH = 18, 21, 24, 27
PLANAR_R, PLANAR_X, PLANAR_PHI, PLANAR_V, PLANAR_W = 0, 2, 4, 5, 7
PLANAR_ARM, PLANAR_DRIFT, PLANAR_DRIFT_W, PLANAR_WIDTH = 8, 10, 12, 13


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
        vector(F, i, SPATIAL_R),
        vector(F, i, SPATIAL_X),
        vector(F, i, SPATIAL_Y),
        vector(F, i, SPATIAL_Z),
        vector(F, i, SPATIAL_V),
        vector(F, i, SPATIAL_W),
        vector(F, i, SPATIAL_ARM),
        vector(F, i, SPATIAL_DRIFT),
        vector(F, i, SPATIAL_DRIFT_W),
    )


@kernel
def store_spatial_pose(F: Floats, i: int, at: SpatialFramePose) -> None:
    """Store where frame i is."""
    for k in range(3):
        F[i, SPATIAL_R + k] = at.r[k]
        F[i, SPATIAL_X + k] = at.x[k]
        F[i, SPATIAL_Y + k] = at.y[k]
        F[i, SPATIAL_Z + k] = at.z[k]
        F[i, SPATIAL_ARM + k] = at.arm[k]


@kernel
def store_spatial_velocity(F: Floats, i: int, velocity: SpatialFrameVelocity) -> None:
    """Store how frame i moves."""
    for k in range(3):
        F[i, SPATIAL_V + k] = velocity.v[k]
        F[i, SPATIAL_W + k] = velocity.w[k]
        F[i, SPATIAL_DRIFT + k] = velocity.drift[k]
        F[i, SPATIAL_DRIFT_W + k] = velocity.drift_w[k]


@kernel
def planar_frame(F: Floats, i: int) -> PlanarFrame:
    """Load frame i."""
    x = vector2(F, i, PLANAR_X)
    return PlanarFrame(
        vector2(F, i, PLANAR_R),
        x,
        (-x[1], x[0]),
        F[i, PLANAR_PHI],
        vector2(F, i, PLANAR_V),
        F[i, PLANAR_W],
        vector2(F, i, PLANAR_ARM),
        vector2(F, i, PLANAR_DRIFT),
        F[i, PLANAR_DRIFT_W],
    )


@kernel
def store_planar_pose(F: Floats, i: int, at: PlanarFramePose) -> None:
    """Store where frame i is."""
    F[i, PLANAR_PHI] = at.phi
    for k in range(2):
        F[i, PLANAR_R + k] = at.r[k]
        F[i, PLANAR_X + k] = at.x[k]
        F[i, PLANAR_ARM + k] = at.arm[k]


@kernel
def store_planar_velocity(F: Floats, i: int, velocity: PlanarFrameVelocity) -> None:
    """Store how frame i moves."""
    F[i, PLANAR_W] = velocity.w
    F[i, PLANAR_DRIFT_W] = velocity.drift_w
    for k in range(2):
        F[i, PLANAR_V + k] = velocity.v[k]
        F[i, PLANAR_DRIFT + k] = velocity.drift[k]


def origins_of_frames(F: Floats) -> Floats:
    """Positions (…, 2 or 3) [m] of frames given by their rows F (…, width)."""
    return F[..., PLANAR_R : PLANAR_R + 2] if _is_planar(F) else F[..., SPATIAL_R : SPATIAL_R + 3]


def arms_of_frames(F: Floats) -> Floats:
    """Arms (…, 2 or 3) [m] of frames, from the origins of their bodies."""
    return F[..., PLANAR_ARM : PLANAR_ARM + 2] if _is_planar(F) else F[..., SPATIAL_ARM : SPATIAL_ARM + 3]


def axes_of_frames(F: Any) -> Any:
    """Axes (…, 2, 2) or (…, 3, 3) of frames, one in each row: world axes → axes of the frame."""
    if not _is_planar(F):
        return F[..., SPATIAL_X:SPATIAL_V].reshape(*F.shape[:-1], 3, 3)
    x, y = F[..., PLANAR_X], F[..., PLANAR_X + 1]
    return np.stack([np.stack([x, y], axis=-1), np.stack([-y, x], axis=-1)], axis=-2)


def twists_of_frames(F: Floats) -> tuple[Floats, Floats]:
    """Velocities (…, 2 or 3) [m/s] and angular velocities (…, 1 or 3) [rad/s] of frames."""
    if _is_planar(F):
        return F[..., PLANAR_V : PLANAR_V + 2], F[..., PLANAR_W : PLANAR_W + 1]
    return F[..., SPATIAL_V : SPATIAL_V + 3], F[..., SPATIAL_W : SPATIAL_W + 3]


def _is_planar(F: Any) -> bool:
    return bool(F.shape[-1] == PLANAR_WIDTH)
