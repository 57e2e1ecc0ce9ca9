"""Joints from locked axes: any choice of components of position and rotation, as MBDyn's total joint takes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.importers.formats.mbdyn.drives import DriveCaller
from reactio.importers.formats.mbdyn.frames import rotation_of, rotation_vector
from reactio.importers.mechanism import ImportedJoint, ImportedMotion
from reactio.importers.pose import Pose
from reactio.linear.precision import GEOMETRY

ALIGNED = 1e-6  # [rad] of the rotation about free axes, at which locking one component is a perpendicularity

HELD_DRIVES = (
    "its drives keep their values at the start or, if these are not read, the placement of its ends: verdicts hold, "
    "but the motion differs"
)


class JointEnd(NamedTuple):
    """One end of a joint: its part, the point in the world, axes of position and of rotation in the world."""

    part: str
    pose: Pose  # of the part in the world
    r: Floats
    R_position: Floats
    R_rotation: Floats

    def inside(self, R: Floats, shift: Floats | None = None) -> Pose:
        """A frame at this end with these axes in the world, in the axes of the part."""
        return self.pose.inverse @ Pose(self.r if shift is None else self.r + shift, R)


class Locks(NamedTuple):
    """The locked components of position and rotation, and the value of each."""

    position: tuple[bool, bool, bool]
    rotation: tuple[bool, bool, bool]
    x: tuple[DriveCaller, ...]  # [m] of the second point from the first along the axes of position of the first
    theta: tuple[DriveCaller, ...]  # [rad] rotation vector of the second axes of rotation in those of the first
    by_rate: tuple[bool, bool] = (False, False)  # are positions, or rotations, given by their rates?


class Composed(NamedTuple):
    """The joints that lock these components, the motion of a driven one, and the words that were not understood."""

    joints: tuple[ImportedJoint, ...]
    motion: ImportedMotion | None
    warning: str = ""


def composed(name: str, a: JointEnd, b: JointEnd, locks: Locks) -> Composed:
    """The joints of locked components; one driven component of a joint that is otherwise rigid is a motion."""
    driven = [("rotation", k) for k in range(3) if locks.rotation[k] and not _holds(locks, "rotation", k)]
    driven += [("position", k) for k in range(3) if locks.position[k] and not _holds(locks, "position", k)]
    free = None
    if len(driven) == 1 and all(locks.position) and all(locks.rotation):
        free = driven[0]
    turned = rotation_vector(a.R_rotation.T @ b.R_rotation)
    moved = a.R_position.T @ (b.r - a.r)
    theta = np.array([_start(locks, "rotation", k, turned[k]) for k in range(3)])
    x = np.array([_start(locks, "position", k, moved[k]) for k in range(3)])
    position = tuple(k for k in range(3) if locks.position[k] and ("position", k) != free)
    rotation = tuple(k for k in range(3) if locks.rotation[k] and ("rotation", k) != free)
    theta[[k for k in range(3) if k not in rotation]] = 0.0
    x[[k for k in range(3) if k not in position]] = 0.0
    joints = tuple(_joints(name, a, b, position, rotation, a.R_position @ x, a.R_rotation @ rotation_of(theta)))
    if free is not None:
        word = "rotation" if free[0] == "rotation" else "translation"
        motion = ImportedMotion(f"{name}_drive", f"{name}.{word}", _function(locks, *free), is_constraint=True)
        return Composed(joints, motion, "" if motion.function else HELD_DRIVES)
    return Composed(joints, None, HELD_DRIVES if driven else "")


def _joints(
    name: str,
    a: JointEnd,
    b: JointEnd,
    position: tuple[int, ...],
    rotation: tuple[int, ...],
    shift: Floats,
    R_a: Floats,
) -> list[ImportedJoint]:
    """The joints that lock these axes; ``shift`` (3,) of the first point, ``R_a`` the turned axes of the first end."""
    R_b = b.R_rotation
    along = _along(a.R_position, position)  # z along the line or normal to the plane of the point
    about = [_along(R, rotation) for R in (R_a, R_b)]  # z along the free axis, or about the locked one
    counts = (len(position), len(rotation))
    if counts == (2, 3) or counts == (1, 3):
        about = [along, R_b @ R_a.T @ along]
    one_axis = np.linalg.norm(np.cross(along[:, 2], about[0][:, 2])) < GEOMETRY
    if counts in ((2, 2), (1, 2)) and one_axis and along[:, 2] @ about[0][:, 2] < 0:
        along = along @ np.diag([1.0, -1.0, -1.0])
    kind = {
        (3, 3): "fixed", (3, 2): "revolute", (2, 3): "prismatic", (3, 1): "universal", (3, 0): "spherical",
        (2, 0): "point-on-line", (1, 0): "point-on-plane", (0, 3): "orientation", (0, 2): "parallel-axes",
        (0, 1): "perpendicular-axes", **({(2, 2): "cylindrical", (1, 2): "planar"} if one_axis else {}),
    }.get(counts)  # fmt: skip
    if kind is not None:
        z = along if counts in ((2, 0), (1, 0)) else about[0]
        frames = a.inside(z, shift), b.inside(about[1] if counts[1] else z)
        return [ImportedJoint(name, kind, a.part, b.part, *frames)]
    if counts == (0, 0):
        return []
    turned = _joints(f"{name}_rotation", a, b, (), rotation, shift, R_a)
    return [*_joints(name, a, b, position, (), shift, R_a), *turned]


def _along(R: Floats, locked: tuple[int, ...]) -> Floats:
    """The axes R (3, 3) in another order, with the odd one out third: the free of two locked, or the only locked."""
    if len(locked) not in (1, 2):
        return R
    k = locked[0] if len(locked) == 1 else 3 - sum(locked)
    return np.asarray(R[:, [(k + 1) % 3, (k + 2) % 3, k]])


def misaligned(a: JointEnd, b: JointEnd, locks: Locks) -> bool:
    """Is a single rotation locked while the ends are turned against each other, which is not a perpendicularity?"""
    if sum(locks.rotation) != 1:
        return False
    R = a.R_rotation.T @ b.R_rotation
    twist = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    return bool(np.linalg.norm(twist) > ALIGNED or np.trace(R) < 0)


def _values(locks: Locks, word: str) -> tuple[tuple[DriveCaller, ...], bool]:
    return (locks.x, locks.by_rate[0]) if word == "position" else (locks.theta, locks.by_rate[1])


def _holds(locks: Locks, word: str, k: int) -> bool:
    """Is the component held at a constant?"""
    values, by_rate = _values(locks, word)
    return values[k].constant and not (by_rate and values[k].value)


def _start(locks: Locks, word: str, k: int, between: float) -> float:
    """The component at the start; given by its rate, or not known, it begins where the ends are: ``between``."""
    values, by_rate = _values(locks, word)
    value = values[k].value
    if by_rate:
        return 0.0 if _holds(locks, word, k) else between
    return between if value is None else value


def _function(locks: Locks, word: str, k: int) -> str | None:
    """The text of a driven component in t; a constant rate is integrated."""
    values, by_rate = _values(locks, word)
    law = values[k]
    return (f"{law.value!r}*t" if law.constant else None) if by_rate else law.text
