"""Poses of SDF: six numbers, or a position and a quaternion, relative to a frame that may be named."""

from __future__ import annotations

import numpy as np

from reactio.importers.pose import Pose, from_quaternion, roll_pitch_yaw
from reactio.importers.written_angles import written_angle
from reactio.importers.xml import XmlElement


def standing(element: XmlElement, default: str, scope: str) -> tuple[str, Pose]:
    """The frame to which a frame is relative, and its pose there."""
    pose = element.find("pose")
    if pose is None:
        return default, Pose()
    what = f"{element.tag} '{element.get('name')}': pose"
    on = scoped(pose.get("relative_to"), scope) if pose.get("relative_to") else default
    if pose.get("rotation_format") == "quat_xyzw":
        x = pose.numbers(pose.text, 7, what)
        return on, from_quaternion(x[:3], (x[6], *x[3:6]), what)
    x = pose.numbers(pose.text or "0 0 0 0 0 0", 6, what)
    words = pose.text.split()[3:] or ["0"] * 3
    angles = [a * np.pi / 180 for a in x[3:]] if pose.get("degrees") == "true" else [written_angle(w) for w in words]
    return on, Pose(np.array(x[:3]), roll_pitch_yaw(angles))


def scoped(name: str, scope: str) -> str:
    """The full name of a frame that is named inside a model; ``world`` and ``__model__`` are frames too."""
    if name == "world":
        return name
    return scope.removesuffix("::") if name == "__model__" else f"{scope}{name}"
