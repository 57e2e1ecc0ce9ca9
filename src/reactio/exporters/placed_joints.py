"""Joints of a model with their frames in the world, at its pose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reactio.catalogue.places import GROUND, End
from reactio.errors import ReactioError
from reactio.importers.pose import Pose, from_quaternion
from reactio.model.model import Model
from reactio.model.specs import Joint


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJoint:
    """A joint with its two frames in the world."""

    joint: Joint
    a: Pose
    b: Pose


def body_poses(model: Model) -> dict[str, Pose]:
    """The pose of each body, and of ground."""
    poses = {
        b.name: from_quaternion(b.position, b.orientation, b.name) for b in model.bodies if len(b.orientation) == 4
    }
    return poses | {GROUND: Pose()}


def placed_joints(model: Model) -> Iterator[PlacedJoint]:
    """All joints of a spatial model in the world; none of a planar one."""
    if model.space != "spatial":
        return
    poses = body_poses(model)
    for joint in model.joints:
        if joint.a.body in poses and joint.b.body in poses:
            yield PlacedJoint(joint, _in_world(poses, joint.a), _in_world(poses, joint.b))


def _in_world(poses: dict[str, Pose], end: End) -> Pose:
    return poses[end.body] @ from_quaternion(end.point, end.orientation, end.body)


def need_rigid_bodies_in_space(model: Model, format: str) -> None:
    """Refuse a planar model, contacts, and bodies that are not rigid."""
    if model.space != "spatial":
        raise ReactioError(
            f"'{model.name}' is planar, and {format} holds mechanisms in space; model it in space first."
        )
    if model.contacts:
        raise ReactioError(
            f"'{model.name}' has {len(model.contacts)} contacts, which carry load; {format} is written with joints "
            "only. Write it as YAML, or replace closed contacts by joints."
        )
    for body in model.bodies:
        if body.kind != "rigid":
            raise ReactioError(f"body '{body.name}' is of the kind {body.kind}; {format} has only rigid bodies.")
