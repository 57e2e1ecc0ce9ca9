"""The model of a neutral mechanism: its parts as bodies, the two frames of every joint in agreement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.errors import AssemblyError
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.program import Function
from reactio.importers.mechanism import ImportedJoint, ImportedMotion, Inertia, Mechanism, Part
from reactio.importers.pose import ORIGIN, Pose, PoseStack
from reactio.model.accuracy import Accuracy
from reactio.model.defaults import NEUTRAL_VALUES
from reactio.model.model import Model
from reactio.model.notes import Note
from reactio.model.specs import Body, Coupling, Drive, Force, Joint, Shape, Stop

# Angles [rad] within which directions count as parallel: so many times the precision of the file, at least rounding.
PARALLEL_PRECISIONS, PARALLEL_ROUNDING = 10.0, 1e-13
GENERIC_DIRECTION = np.array([0.5377, 0.6247, 0.5662])  # of length one; different axes of drawings differ along it
LEAST_AXIS_COSINE = 0.5  # between axes of a closed joint, which agree to 1e-5 or are opposed
# Points on the axes of the two frames, in arms, that coincide where the joint is closed.  Products of axes vanish also
# where axes are opposed; distances of points do not, so that open loops close the right way round.
MEETING_POINTS = {
    "fixed": ((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    "revolute": ((0, 0, 0), (0, 0, 1)),
}


def draft_model(mechanism: Mechanism, arm: float) -> Model:
    """The geometry for assembly: every joint with both frames as the file gives them.

    Joints that close loops are replaced by coincident points, an ``arm`` [m] apart.
    """
    bodies = tuple(_body(part, None) for part in mechanism.parts)
    joints = tuple(draft for joint in mechanism.joints for draft in _draft_joints(joint, arm))
    return Model(mechanism.name, "spatial", bodies, joints, couplings=_couplings(mechanism))


def _draft_joints(joint: ImportedJoint, arm: float) -> Iterable[Joint]:
    """The joint as it is, or, where it closes a loop, spherical joints at its points."""
    points = MEETING_POINTS.get(joint.type) if joint.closes_loop else None
    if points is None:
        yield Joint(
            joint.name, joint.type, _end(joint.a, joint.frame_a), _end(joint.b, joint.frame_b), joint.parameters
        )
        return
    for k, point in enumerate(points):
        at = Pose(arm * np.array(point, dtype=float))
        ends = (_end(joint.a, joint.frame_a @ at), _end(joint.b, joint.frame_b @ at))
        yield Joint(joint.name if k == 0 else f"{joint.name} {k}", "spherical", *ends)


def to_model(
    mechanism: Mechanism,
    precision: float,
    accuracy: Accuracy | None,
    *,
    drives: bool,
    stops: bool,
    source: str,
    shapes: Mapping[str, tuple[Shape, ...]],
    notes: tuple[Note, ...],
) -> Model:
    """The model of an assembled mechanism; both ends of each joint meet by construction.

    ``precision`` is that of its placements as part of the characteristic length: axes within it are parallel.
    Where a part has no known mass the model is one of geometry alone: no part gets a mass, and there are no loads.
    """
    masses = all(part.inertia is not None for part in mechanism.parts)
    return Model(
        mechanism.name,
        "spatial",
        tuple(_body(part, part.inertia if masses else None, shapes.get(part.name, ())) for part in mechanism.parts),
        tuple(_joints(mechanism, max(PARALLEL_PRECISIONS * precision, PARALLEL_ROUNDING))),
        drives=_drives(mechanism, drives),
        couplings=_couplings(mechanism),
        forces=_forces(mechanism) if masses else (),
        gravity=mechanism.gravity if masses else (),
        stops=_stops(mechanism) if stops else (),
        accuracy=accuracy,
        ground=Body(GROUND, shapes=shapes.get(GROUND, ())),
        source=source,
        notes=notes,
        units=mechanism.units,
    )


def with_given_poses(model: Model, mechanism: Mechanism) -> Model:
    """The model with the poses of parts and frames of joints of a mechanism, whose loops may be open."""
    poses = {part.name: part.pose for part in mechanism.parts}
    bodies = tuple(
        replace(body, position=tuple(poses[body.name].r), orientation=poses[body.name].quaternion)
        for body in model.bodies
    )
    joints = tuple(
        Joint(joint.name, joint.type, _end(joint.a, joint.frame_a), _end(joint.b, joint.frame_b), joint.parameters)
        for joint in mechanism.joints
    )
    return replace(model, bodies=bodies, joints=joints)


def _body(part: Part, inertia: Inertia | None, shapes: tuple[Shape, ...] = ()) -> Body:
    neutral = NEUTRAL_VALUES["spatial"]  # all fields are given, so that none has to be completed
    given: dict[str, Any] = {"center": neutral["point"]}
    if inertia is not None:
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.J.tolist()
        given = {"mass": inertia.mass, "inertia": (xx, yy, zz, xy, xz, yz), "center": tuple(inertia.center.tolist())}
    return Body(
        part.name,
        position=tuple(part.pose.r.tolist()),
        orientation=part.pose.quaternion,
        velocity=neutral["point"],
        angular_velocity=neutral["spin"],
        shapes=shapes,
        **given,
    )


def _end(body: str, frame: Pose) -> End:
    return End(body, tuple(frame.r.tolist()), frame.quaternion)


def coordinate_name(text: str) -> CoordinateName:
    joint, _, name = text.partition(".")
    return CoordinateName(joint, name)


def _couplings(mechanism: Mechanism) -> tuple[Coupling, ...]:
    return tuple(
        Coupling(r.name, r.type, tuple(map(coordinate_name, r.along)), r.parameters) for r in mechanism.couplings
    )


def _drives(mechanism: Mechanism, every: bool) -> tuple[Drive, ...]:
    """The motions that are constraints of the file, or every one."""
    kept = [motion for motion in mechanism.motions if every or motion.is_constraint]
    return tuple(Drive(motion.name, coordinate_name(motion.along), _law(motion, mechanism)) for motion in kept)


def _law(motion: ImportedMotion, mechanism: Mechanism) -> Function:
    """The function of a drive; a constant, the present coordinate, where none is given."""
    if motion.function is not None:
        return Expression(motion.function)
    along = coordinate_name(motion.along)
    joint = next(joint for joint in mechanism.joints if joint.name == along.joint)
    between = (mechanism.pose_of(joint.a) @ joint.frame_a).inverse @ (mechanism.pose_of(joint.b) @ joint.frame_b)
    if along.name == "translation":
        return Constant(float(between.r[2]))
    return Constant(_angle_about_z(between.R))


def _angle_about_z(R: Floats) -> float:
    """The angle of a rotation about z, known to the digits of a file."""
    (xx, xy, _), (yx, yy, _), _ = R.tolist()
    return math.atan2(yx - xy, xx + yy)


def _stops(mechanism: Mechanism) -> tuple[Stop, ...]:
    return tuple(
        Stop(f"range of {limit.along.replace('.', ' ')}", coordinate_name(limit.along), limit.lower, limit.upper)
        for limit in mechanism.limits
    )


def _forces(mechanism: Mechanism) -> tuple[Force, ...]:
    forces = []
    for load in mechanism.loads:
        given: dict[str, Any] = dict(load.parameters)
        given |= {key: _end(part, pose) for key, (part, pose) in load.frames.items()}
        given |= {key: coordinate_name(text) for key, text in load.along.items()}
        forces.append(Force(load.name, load.type, given))
    return tuple(forces)


def _joints(mechanism: Mechanism, parallel: float) -> Iterable[Joint]:
    """Joints whose frames satisfy their equations: frame b is computed from frame a and the joint coordinates."""
    poses, joints = {part.name: part.pose for part in mechanism.parts}, mechanism.joints
    on_a, on_b = (PoseStack.of([poses.get(getattr(joint, end), Pose()) for joint in joints]) for end in "ab")
    given = on_a.then(PoseStack.of([joint.frame_a for joint in joints]))
    a = PoseStack(given.r, _with_z_axes(given.R, aligned(given.R[:, :, 2], parallel)))
    between = a.inverse.then(on_b.then(PoseStack.of([joint.frame_b for joint in joints])))
    admitted = [nearest_admissible_pose(joint, between.one(k)) for k, joint in enumerate(joints)]
    ends_a = _ends([joint.a for joint in joints], on_a.inverse.then(a))
    ends_b = _ends([joint.b for joint in joints], on_b.inverse.then(a.then(PoseStack.of(admitted))))
    for joint, end_a, end_b in zip(joints, ends_a, ends_b, strict=True):
        yield Joint(joint.name, joint.type, end_a, end_b, joint.parameters)


def _ends(bodies: Iterable[str], frames: PoseStack) -> Iterable[End]:
    for body, r, quaternion in zip(bodies, frames.r.tolist(), frames.quaternions, strict=True):
        yield End(body, tuple(r), tuple(quaternion))


def _with_z_axes(R: Floats, z: Floats) -> Floats:
    """Axes R (k, 3, 3) with each third one replaced by a unit vector z (k, 3) that is nearly the same."""
    x = R[:, :, 0] - (R[:, :, 0] * z).sum(axis=1)[:, None] * z
    x = x / np.linalg.norm(x, axis=1)[:, None]
    return np.stack([x, np.cross(z, x), z], axis=2)


def aligned(axes: Floats, within: float) -> Floats:
    """Unit vectors (k, 3), those within a small angle of each other, or of the opposite, made parallel.

    >>> aligned(np.array([[0.0, 0.0, 1.0], [0.0, 1e-9, -1.0]]), 1e-8)[1].tolist()
    [-0.0, -0.0, -1.0]
    """
    if not len(axes):
        return axes
    unit_axes = axes / np.linalg.norm(axes, axis=1)[:, None]
    # Components along one direction, without their sign, differ no more than the axes: neighbours are among those near.
    along = np.abs(unit_axes @ GENERIC_DIRECTION)
    order, free = np.argsort(along, kind="stable"), np.ones(len(axes), dtype=bool)
    ascending = along[order]
    close = np.diff(ascending) <= 2 * within
    for k in np.sort(order[np.append(close, False) | np.append(False, close)]):
        if not free[k]:
            continue
        leader = unit_axes[k].copy()
        near = order[slice(*np.searchsorted(ascending, (along[k] - 2 * within, along[k] + 2 * within)))]
        for sense in (1.0, -1.0):
            near = near[free[near]]
            of_leader = near[np.linalg.norm(unit_axes[near] - sense * leader, axis=1) <= within]
            unit_axes[of_leader], free[of_leader] = sense * leader, False
    return np.asarray(unit_axes)


def nearest_admissible_pose(joint: ImportedJoint, between: Pose) -> Pose:
    """The pose of frame b in frame a that the joint admits and that is nearest to a given one."""
    kind = joint_registry.SPATIAL_JOINTS.get(joint.type)
    if kind.parameters and joint.type != "screw":
        return between  # the length of such a joint is computed from the pose
    slides = [f.axis for f in kind.free if f.axis and not f.rotates] + (["z"] if joint.type == "screw" else [])
    turns = [f for f in kind.free if f.rotates]
    if len(turns) < 2 and min(between.R[2, 2], 1.0 if turns else between.R[0, 0]) < LEAST_AXIS_COSINE:
        raise AssemblyError(
            f"joint '{joint.name}' ({joint.type}) closes only with opposed axes; rotate one of its frames "
            "by 180° in the file, or start from a pose nearer to the wanted one."
        )
    r = between.r * [axis in slides for axis in "xyz"] if slides else ORIGIN
    if len(turns) > 1:
        return Pose(r, between.R)
    if not turns:
        return Pose(r)
    angle = _angle_about_z(between.R)
    c, s = math.cos(angle), math.sin(angle)
    return Pose(r, np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
