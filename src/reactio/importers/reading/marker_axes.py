"""Rotations that exchange the axes of a frame."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.importers.pose import Pose

TURN_TO_X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).T  # the new x axis is the old z axis
TURN_TO_Y = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).T  # the new y axis is the old z axis
OPPOSED = np.diag([1.0, -1.0, -1.0])  # the z axes of two shafts point away from each other: x·y' + y·x' = 0
# Files give every axis as the z axis of a marker; these joints here have other axes of frames A and B.
MARKER_AXES: dict[str, tuple[Floats, Floats]] = {
    "universal": (TURN_TO_X, TURN_TO_Y),
    "perpendicular-axes": (TURN_TO_X, TURN_TO_Y),
    "line-on-plane": (np.eye(3), TURN_TO_X),
    "constant-velocity": (np.eye(3), OPPOSED),
}


def joint_frames(kind: str, at_a: Pose, at_b: Pose) -> tuple[Pose, Pose]:
    """The frames of a joint from two markers whose z axes are its axes."""
    a, b = MARKER_AXES.get(kind, (np.eye(3), np.eye(3)))
    return Pose(at_a.r, at_a.R @ a), Pose(at_b.r, at_b.R @ b)
