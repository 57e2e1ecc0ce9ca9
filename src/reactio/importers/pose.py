"""Poses in files: an origin and three axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.linear.precision import LAST_DIGIT
from reactio.space.rotations import axes_of, quaternion_from_axes

ORIGIN, IDENTITY_AXES = np.zeros(3), np.eye(3)  # of a frame that coincides with the outer one
ROTATION_ROUNDING = LAST_DIGIT  # by which products of the axes of a rotation with all digits differ from 0 and 1
ORIGIN.flags.writeable = IDENTITY_AXES.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """The pose of a frame in another: its origin r (3,) [m] and its axes as the columns of R (3, 3)."""

    r: Floats = field(default_factory=lambda: ORIGIN)
    R: Floats = field(default_factory=lambda: IDENTITY_AXES)

    def __matmul__(self, inner: Pose) -> Pose:
        """The pose in the outer frame of a frame ``inner`` whose pose is given in this one."""
        return Pose(self.r + self.R @ inner.r, self.R @ inner.R)

    @property
    def inverse(self) -> Pose:
        """The pose of the outer frame in this one."""
        return Pose(-self.R.T @ self.r, self.R.T)

    def scaled(self, unit: float) -> Pose:
        """The same with lengths in another unit."""
        return Pose(unit * self.r, self.R)

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """Unit quaternion, scalar first and not negative.

        >>> Pose().quaternion
        (1.0, 0.0, 0.0, 0.0)
        """
        return quaternion_from_axes(self.R.T.tolist())


class PoseStack(NamedTuple):
    """The poses of many frames, in arrays: products of all of them at once."""

    r: Floats  # (k, 3) [m]
    R: Floats  # (k, 3, 3)

    @classmethod
    def of(cls, poses: Sequence[Pose]) -> PoseStack:
        """The same poses."""
        r, R = np.array([pose.r for pose in poses]), np.array([pose.R for pose in poses])
        return cls(r.reshape(-1, 3), R.reshape(-1, 3, 3))

    @classmethod
    def from_quaternions(cls, r: Sequence[Sequence[float]], q: Sequence[Sequence[float]]) -> PoseStack:
        """Poses from origins (k, 3) and unit quaternions (k, 4), scalar first."""
        unit = np.reshape(q, (-1, 4)) / np.linalg.norm(np.reshape(q, (-1, 4)), axis=1)[:, None]
        w, x, y, z = unit.T
        columns = np.array(axes_of.plain((w, x, y, z)))
        return cls(np.reshape(r, (-1, 3)), np.ascontiguousarray(columns.T))

    def at(self, places: Ints) -> PoseStack:
        """Those at some places."""
        return PoseStack(self.r[places], self.R[places])

    def one(self, k: int) -> Pose:
        """The k-th of them."""
        return Pose(self.r[k], self.R[k])

    @property
    def quaternions(self) -> list[list[float]]:
        """The unit quaternions (k, 4) of all frames, as ``Pose.quaternion`` gives that of one."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self.R.transpose(1, 2, 0)
        products = np.array([
            [1 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, 1 + xx - yy - zz, yx + xy, zx + xz],
            [xz - zx, yx + xy, 1 - xx + yy - zz, zy + yz],
            [yx - xy, zx + xz, zy + yz, 1 - xx - yy + zz],
        ])  # fmt: skip
        # Each row holds 4 p_i p; dividing by the largest p_i avoids cancellation.
        largest = np.einsum("iik->ik", products).argmax(axis=0)
        p = products[largest, :, np.arange(len(self.R))]
        unit = p / np.sqrt((p * p).sum(axis=1))[:, None]
        return np.where(unit[:, :1] >= 0.0, unit, -unit).tolist()  # type: ignore[no-any-return]

    def then(self, inner: PoseStack) -> PoseStack:
        """The poses in the outer frame of frames ``inner`` whose poses are given in these."""
        return PoseStack(self.r + (self.R @ inner.r[:, :, None])[:, :, 0], self.R @ inner.R)

    @property
    def inverse(self) -> PoseStack:
        """The poses of the outer frame in these."""
        back = self.R.transpose(0, 2, 1)
        return PoseStack(-(back @ self.r[:, :, None])[:, :, 0], back)


def from_quaternion(r: Sequence[float] | Floats, q: Sequence[float] | Floats, what: str) -> Pose:
    """A pose from a quaternion, scalar first, of any length but zero."""
    w, x, y, z = (float(c) for c in q)
    size = float(np.hypot(np.hypot(w, x), np.hypot(y, z)))
    if not size > 0 or not np.isfinite(size):
        raise ReactioError(f"{what}: the quaternion has length {size:g}; it must be a rotation, of length 1.")
    columns = axes_of.plain((w / size, x / size, y / size, z / size))
    return Pose(np.array(r, dtype=float), np.array(columns).T.copy())


def rotation(axis: Sequence[float] | Floats, angle: float) -> Floats:
    """R (3, 3) of a rotation about a unit axis (Rodrigues)."""
    x, y, z = (float(a) for a in axis)
    c, s = math.cos(angle), math.sin(angle)
    d = 1.0 - c
    return np.array(
        [
            [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
            [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
            [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
        ]
    )


def exponentials(turns: Floats) -> Floats:
    """R (k, 3, 3) of rotations about axes by angles, each given by its vector (k, 3) [rad]."""
    angle = np.linalg.norm(turns, axis=1)[:, None, None]
    x, y, z = axis = turns.T / np.where(angle > 0.0, angle, 1.0)[:, 0, 0]
    zero = np.zeros_like(x)
    across = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    along = axis.T[:, :, None] * axis.T[:, None, :]
    return np.asarray(np.cos(angle) * np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * along)


def cross(a: Floats, b: Floats) -> Floats:
    """a × b of two vectors; ``np.cross`` takes ten times as long for one pair."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def roll_pitch_yaw(angles: Sequence[float]) -> Floats:
    """R = R_z(yaw) R_y(pitch) R_x(roll): rotations about fixed axes, as in URDF and SDF."""
    if not any(angles):
        return IDENTITY_AXES
    roll, pitch, yaw = angles
    return rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), pitch) @ rotation((1, 0, 0), roll)


def orthonormal(R: Floats, what: str) -> Floats:
    """The rotation nearest to a matrix with few digits; an error if it is not a rotation."""
    if not np.isfinite(R).all():
        raise ReactioError(f"{what}: the rotation matrix holds a number that is not finite.")
    if np.abs(R.T @ R - IDENTITY_AXES).max() <= ROTATION_ROUNDING and np.linalg.det(R) > 0:
        return R
    U, s, Vt = np.linalg.svd(R)
    if np.abs(s - 1).max() > 1e-3 or np.linalg.det(R) < 0:
        raise ReactioError(f"{what}: the matrix {R.round(4).tolist()} is not a rotation; its axes must be orthonormal.")
    return np.asarray(U @ Vt)


def frame_along(z: Sequence[float] | Floats, what: str, x: Floats | None = None) -> Floats:
    """Axes R (3, 3) with the third along z; the first along the component of x perpendicular to z."""
    axis = np.array(z, dtype=float)
    size = math.hypot(*axis.tolist())
    if not 0 < size < math.inf:
        raise ReactioError(
            f"{what}: the axis {[float(c) for c in axis]} has no direction; give one of non-zero length."
        )
    axis /= size
    hint = IDENTITY_AXES[int(np.abs(axis).argmin())] if x is None else np.array(x, dtype=float)
    across = hint - (hint @ axis) * axis
    length = math.hypot(*across.tolist())
    if length < 1e-9 * math.hypot(*hint.tolist()):
        raise ReactioError(f"{what}: its two directions are parallel; they must span a plane.")
    across /= length
    return np.array([across, cross(axis, across), axis]).T
