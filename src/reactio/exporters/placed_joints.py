"""Joints of a model with their frames in the world, at its pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reactio.catalogue.places import GROUND, End
from reactio.errors import ReactioError
from reactio.importers.pose import Pose, PoseStack
from reactio.model.model import Model
from reactio.model.specs import Joint


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJoint:
    """A joint with its two frames in the world."""

    joint: Joint
    a: Pose
    b: Pose


class JointFrames(NamedTuple):
    """Joints with their frames in the world, one after the other."""

    joints: list[Joint]
    a: PoseStack
    b: PoseStack


def body_poses(model: Model) -> dict[str, Pose]:
    """The pose of each body, and of ground."""
    bodies = [body for body in model.bodies if len(body.orientation) == 4]
    poses = PoseStack.from_quaternions([body.position for body in bodies], [body.orientation for body in bodies])
    return {body.name: poses.one(k) for k, body in enumerate(bodies)} | {GROUND: Pose()}


def placed_joints(model: Model) -> Iterator[PlacedJoint]:
    """All joints of a spatial model in the world; none of a planar one."""
    placed = joint_frames(model)
    for k, joint in enumerate(placed.joints):
        yield PlacedJoint(joint, placed.a.one(k), placed.b.one(k))


def joint_frames(model: Model) -> JointFrames:
    """The same in arrays."""
    poses = body_poses(model) if model.space == "spatial" else {}
    joints = [joint for joint in model.joints if joint.a.body in poses and joint.b.body in poses]
    a, b = (_in_world(poses, ends) for ends in ([joint.a for joint in joints], [joint.b for joint in joints]))
    return JointFrames(joints, a, b)


def _in_world(poses: dict[str, Pose], ends: Sequence[End]) -> PoseStack:
    on_bodies = PoseStack.from_quaternions([end.point for end in ends], [end.orientation for end in ends])
    return PoseStack.of([poses[end.body] for end in ends]).then(on_bodies)


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
