"""Model files of Reactio (YAML) for people: joints by the point where bodies meet, numbers without rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reactio.exporters import ExportFormat, register
from reactio.exporters.placed_joints import JointFrames, joint_frames
from reactio.linear.precision import LAST_DIGIT
from reactio.model.files.write import to_data
from reactio.model.files.yaml_text import yaml_text
from reactio.model.model import Model
from reactio.model.specs import Joint

LAST_DIGITS = LAST_DIGIT  # part of a number, or of the size of the model, that is dropped if that shortens it
AS_GIVEN = frozenset(("mass", "inertia", "gravity"))  # whose numbers have other sizes than lengths
MEETING_JOINTS = ("revolute", "spherical", "fixed", "prismatic", "cylindrical")  # whose frames may coincide in the pose


def write(model: Model, comments: Sequence[str] = ()) -> dict[str, str]:
    """The model as YAML with comments above it."""
    data = to_data(model)
    used = _named_coordinates(model)
    size = max([1e-3, *(abs(x) for body in model.bodies for x in body.position)])
    placed = joint_frames(model)
    meet = _frames_meet(placed, size)
    for joint, at, z, is_common in zip(
        placed.joints, placed.a.r.tolist(), placed.a.R[:, :, 2].tolist(), meet, strict=True
    ):
        if is_common and joint.type in MEETING_JOINTS and joint.name not in used:
            data["joints"][joint.name] = _by_common_point(joint, at, z)
    head = "".join(f"# {line}\n" for comment in comments for line in _wrapped(comment))
    return {".yaml": head + yaml_text(_without_rounding(data, LAST_DIGITS * size))}


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(" ".join(text.split()), 116, subsequent_indent="  ") or [""]


def _named_coordinates(model: Model) -> set[str]:
    """Joints whose coordinate is used by drives, stops, couplings, forces or events: its zero must not change."""
    names = {drive.along.joint for drive in model.drives} | {stop.along.joint for stop in model.stops}
    names |= {along.joint for c in model.couplings if c.parameters.get("offset") is not None for along in c.along}
    for force in model.forces:
        names |= {value.joint for value in force.parameters.values() if hasattr(value, "joint")}
    if model.events:
        names |= {joint.name for joint in model.joints}
    return names


def _frames_meet(placed: JointFrames, size: float) -> list[bool]:
    """Are both frames of a joint at one point, with z axes in one sense, but for spherical joints?"""
    same_place = (np.abs(placed.a.r - placed.b.r) <= 1e-12 * size).all(axis=1)
    same_sense = (placed.a.R[:, :, 2] * placed.b.R[:, :, 2]).sum(axis=1) > 0
    without_axis = np.array([joint.type == "spherical" for joint in placed.joints], dtype=bool)
    return [bool(meets) for meets in same_place & (same_sense | without_axis)]


def _by_common_point(joint: Joint, at: list[float], z: list[float]) -> dict[str, Any]:
    data: dict[str, Any] = {"type": joint.type, "bodies": [joint.a.body, joint.b.body], "at": at}
    if joint.type != "spherical":
        data["axis"] = z
    return data | dict(joint.parameters)


def _without_rounding(value: Any, step: float) -> Any:
    """Numbers without their rounding: 0.3 for 0.30000000000000004, 0 for 1e-17."""
    if isinstance(value, float):
        if value == 0.0:
            return 0.0
        near = round(value, 12)
        return near + 0.0 if abs(value - near) <= max(step, LAST_DIGITS * abs(value)) else value
    if isinstance(value, dict):
        return {
            key: inner if isinstance(inner, str) else _without_rounding(inner, 0.0 if key in AS_GIVEN else step)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [inner if isinstance(inner, str) else _without_rounding(inner, step) for inner in value]
    return value


YAML = register(ExportFormat("yaml", (".yaml", ".yml"), write, "Model files of Reactio."))
