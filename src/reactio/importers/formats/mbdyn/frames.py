"""Positions and orientations of MBDyn, given in the global frame, in references, on nodes or relative to other ends."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.importers.formats.mbdyn.statements import MbdynStatement
from reactio.importers.pose import Pose, frame_along, from_quaternion, orthonormal, rotation

# Angles of sequences about axes of the turned frame.
EULER_SEQUENCES = {"euler": "xyz", "euler123": "xyz", "euler313": "zxz", "euler321": "zyx"}
AXIS_VECTORS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
Frames = Mapping[str, Pose]  # by the word after `reference`: node, other node, other position, other orientation


def frame(statement: MbdynStatement, default: Pose, references: Mapping[int, Pose], named: Frames) -> Pose:
    """The frame in which the next argument is given."""
    if not statement.take("reference"):
        return default
    if statement.take("global"):
        return Pose()
    if word := statement.take("node", "other node", "other position", "other orientation"):
        if word not in named:
            raise statement.fail(f"reference, {word} has no meaning here.")
        return named[word]
    label = statement.label("the label of a reference")
    if label not in references:
        raise statement.fail(f"there is no reference {label} before this line.")
    return references[label]


def position(statement: MbdynStatement, default: Pose, references: Mapping[int, Pose], named: Frames) -> Floats:
    """A point (3,) in global axes."""
    outer = frame(statement, default, references, named)
    return np.asarray(outer.r + outer.R @ vector(statement))


def direction(statement: MbdynStatement, default: Pose, references: Mapping[int, Pose], named: Frames) -> Floats:
    """A vector (3,) in global axes."""
    return np.asarray(frame(statement, default, references, named).R @ vector(statement))


def orientation(statement: MbdynStatement, default: Pose, references: Mapping[int, Pose], named: Frames) -> Floats:
    """Axes (3, 3) in global axes."""
    return np.asarray(frame(statement, default, references, named).R @ axes(statement))


def vector(statement: MbdynStatement) -> Floats:
    """Three numbers, which a scale may follow, or ``null``."""
    if statement.take("null"):
        return np.zeros(3)
    numbers = np.array(statement.numbers(3, "a vector"))
    return numbers * statement.number("its scale") if statement.take("scale") else numbers


def axes(statement: MbdynStatement) -> Floats:
    """A rotation matrix (3, 3) in one of the ways in which MBDyn writes it."""
    try:
        if statement.take("eye"):
            return np.eye(3)
        if statement.take("matr"):
            return orthonormal(np.array(statement.numbers(9, "a matrix")).reshape(3, 3), "the orientation")
        if word := statement.take(*EULER_SEQUENCES):
            unit = np.pi / 180 if statement.take("degrees") else 1.0
            angles = [unit * angle for angle in statement.numbers(3, "an angle")]
            turns = [
                rotation(AXIS_VECTORS[axis], angle) for axis, angle in zip(EULER_SEQUENCES[word], angles, strict=True)
            ]
            return np.asarray(turns[0] @ turns[1] @ turns[2])
        if statement.take("vector"):
            return rotation_of(np.array(statement.numbers(3, "a rotation vector")))
        if statement.take("quaternion"):
            return from_quaternion((0, 0, 0), statement.numbers(4, "a quaternion"), "the orientation").R
        return _two_vectors(statement)
    except ReactioError as error:
        if statement.place in str(error):
            raise
        raise statement.fail(str(error)) from None


def rotation_of(vector: Floats) -> Floats:
    """exp(θ̃) (3, 3) of a rotation vector θ."""
    angle = float(np.linalg.norm(vector))
    return rotation(vector / angle, angle) if angle else np.eye(3)


def rotation_vector(R: Floats) -> Floats:
    """The rotation vector θ (3,) of R = exp(θ̃), with |θ| ≤ π."""
    w, *v = Pose(np.zeros(3), R).quaternion
    length = float(np.linalg.norm(v))
    angle = 2 * float(np.arctan2(length, abs(w)))
    return np.array(v) * (np.copysign(angle, w) / length if length else 0.0)


def _two_vectors(statement: MbdynStatement) -> Floats:
    """Axes by two of them: the first exactly, the second made perpendicular to it, or guessed."""
    first = _axis(statement)
    one = vector(statement)
    second = _axis(statement)
    other = None if statement.take("guess") else vector(statement)
    if first == second:
        raise statement.fail("an orientation by two vectors needs two different axes.")
    R = frame_along(one, "the orientation", other)  # columns: along the second, across, along the first
    third = 3 - first - second
    columns = np.empty((3, 3))
    columns[:, first], columns[:, second] = R[:, 2], R[:, 0]
    columns[:, third] = np.cross(columns[:, (third + 1) % 3], columns[:, (third + 2) % 3])
    return columns


def _axis(statement: MbdynStatement) -> int:
    number = statement.label("the number of an axis")
    if number not in (1, 2, 3):
        raise statement.fail(f"an orientation begins with eye, matr, euler, vector, or axis 1, 2 or 3, not {number}.")
    return number - 1


def matrix(statement: MbdynStatement) -> Floats:
    """A symmetric matrix (3, 3), as of inertia, which a scale may follow."""
    if statement.take("null"):
        return np.zeros((3, 3))
    entries = _entries(statement)
    return entries * statement.number("its scale") if statement.take("scale") else entries


def _entries(statement: MbdynStatement) -> Floats:
    if statement.take("eye"):
        return np.eye(3)
    if statement.take("diag"):
        return np.diag(statement.numbers(3, "a diagonal"))
    if statement.take("sym"):
        xx, xy, xz, yy, yz, zz = statement.numbers(6, "a symmetric matrix")
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    statement.take("matr")
    return np.array(statement.numbers(9, "a matrix")).reshape(3, 3)
