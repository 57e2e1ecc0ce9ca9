"""Generic (D6) joints of UsdPhysics: the joint that a set of locked axes is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats

JOINT_AXES = ("X", "Y", "Z")


class NamedJoint(NamedTuple):
    """A joint type, and the axes of its frame (3, 3) in those of the joint of the file; "" where nothing is held."""

    type: str
    axes: Floats


def z_along(axis: str) -> Floats:
    """Axes (3, 3) whose z is the named axis of the file, cyclic: X → (Y, Z, X).

    >>> z_along("X")[:, 2].tolist()
    [1.0, 0.0, 0.0]
    """
    k = JOINT_AXES.index(axis)
    return np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]


def joint_of(locked: Mapping[str, bool]) -> NamedJoint | None:
    """The joint with these locked axes transX … rotZ; None where no type of ours is the same.

    >>> joint_of(dict.fromkeys(("transX", "transY", "transZ", "rotX", "rotY"), True)).type
    'revolute'
    """
    slides = [axis for axis in JOINT_AXES if not locked.get(f"trans{axis}")]
    turns = [axis for axis in JOINT_AXES if not locked.get(f"rot{axis}")]
    if len(slides) == 2:  # along a plane, whose normal is the third axis
        (normal,) = set(JOINT_AXES) - set(slides)
        kind = {(normal,): "planar", JOINT_AXES: "point-on-plane"}.get(tuple(turns))
        return NamedJoint(kind, z_along(normal)) if kind else None
    if len(slides) == 1:
        kind = {(): "prismatic", (slides[0],): "cylindrical", JOINT_AXES: "point-on-line"}.get(tuple(turns))
        return NamedJoint(kind, z_along(slides[0])) if kind else None
    by_turns = ("fixed", "revolute", "universal", "spherical")
    if slides:
        by_turns = ("orientation", "parallel-axes", "perpendicular-axes", "")
    kind = by_turns[len(turns)]
    if len(turns) == 2:  # x of A and y of B stay perpendicular: the two free axes, with the locked one along z
        (held,) = set(JOINT_AXES) - set(turns)
        return NamedJoint(kind, z_along(held))
    return NamedJoint(kind, z_along(turns[0]) if len(turns) == 1 else np.eye(3))
