"""Poses of SDF: six numbers, or a position and a quaternion, relative to a frame that may be named."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.importers.pose import Pose, from_quaternion, roll_pitch_yaw
from reactio.importers.reading.written_angles import written_angle
from reactio.importers.reading.xml import XmlElement, words_of


class RelativePose(NamedTuple):
    """A pose relative to a frame."""

    relative_to: str  # full name of that frame
    pose: Pose


def relative_pose(element: XmlElement, default: str, scope: str) -> RelativePose:
    """The <pose> of an element, relative to the frame ``default`` unless it names one, which ``scope`` precedes."""
    pose = element.find("pose")
    if pose is None:
        return RelativePose(default, Pose())
    what = f"{element.tag} '{element.get('name')}': pose"
    on = scoped(pose.get("relative_to"), scope) if pose.get("relative_to") else default
    if pose.get("rotation_format") == "quat_xyzw":
        x = pose.numbers(pose.text, 7, what)
        return RelativePose(on, from_quaternion(x[:3], (x[6], *x[3:6]), what))
    x = pose.numbers(pose.text or "0 0 0 0 0 0", 6, what)
    words = words_of(pose.text)[3:] or ["0"] * 3
    angles = [a * np.pi / 180 for a in x[3:]] if pose.get("degrees") == "true" else [written_angle(w) for w in words]
    return RelativePose(on, Pose(np.array(x[:3]), roll_pitch_yaw(angles)))


def scoped(name: str, scope: str) -> str:
    """The full name of a frame that is named inside a model; ``world`` and ``__model__`` are frames too."""
    if name == "world":
        return name
    return scope.removesuffix("::") if name == "__model__" else f"{scope}{name}"
