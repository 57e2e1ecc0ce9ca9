"""Spatial mechanisms that move in one plane: recognised, and converted to planar models where asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers.mechanism import ImportedJoint, Mechanism, Part
from reactio.importers.pose import Pose
from reactio.model.accuracy import Accuracy
from reactio.model.model import Model
from reactio.model.notes import Note
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Joint

PLANAR_TYPES = {"revolute": "revolute", "cylindrical": "revolute", "spherical": "revolute"}  # in space → in the plane

IN_PLANE_JOINTS = ("revolute", "prismatic", "fixed")  # which keep each of their parts in the plane of the other


def moves_in_one_plane(mechanism: Mechanism, within: float) -> bool:
    """Are all hinges parallel and all sliders perpendicular to them, and do these keep every part in its plane?

    A part with ball or cylindrical joints alone, or without joints, may leave the plane.
    """
    return _normal(mechanism, within) is not None and _in_plane_parts(mechanism) >= {
        part.name for part in mechanism.parts
    }


def _in_plane_parts(mechanism: Mechanism) -> set[str]:
    """Ground and the parts that hinges, sliders and fixed joints connect with it."""
    neighbours: dict[str, list[str]] = {}
    for joint in mechanism.joints:
        if joint.type in IN_PLANE_JOINTS:
            neighbours.setdefault(joint.a, []).append(joint.b)
            neighbours.setdefault(joint.b, []).append(joint.a)
    held, waiting = {GROUND}, [GROUND]
    while waiting:
        for name in neighbours.get(waiting.pop(), ()):
            if name not in held:
                held.add(name)
                waiting.append(name)
    return held


def _normal(mechanism: Mechanism, within: float) -> Floats | None:
    """The direction of all hinges (3,), to which sliders are perpendicular; None where there is none."""
    poses = {part.name: part.pose for part in mechanism.parts}
    axes: dict[str, list[Floats]] = {}
    for joint in mechanism.joints:
        axes.setdefault(joint.type, []).append((poses.get(joint.a, Pose()) @ joint.frame_a).R[:, 2])
    if set(axes) - {"fixed", "spherical", "revolute", "cylindrical", "prismatic"}:
        return None
    hinges = axes.get("revolute", []) or axes.get("cylindrical", [])
    if not hinges:
        return None
    n = hinges[0]
    parallel = _along(hinges, n, within).all()
    across = _across(axes.get("prismatic", []), n, within).all()
    cylinders = axes.get("cylindrical", [])
    either = (_along(cylinders, n, within) | _across(cylinders, n, within)).all()
    return np.asarray(n) if parallel and across and either else None


def _along(directions: list[Floats], n: Floats, within: float) -> Bools:
    """Which of k unit vectors (3,) are parallel to n or opposed, within the sine of an angle? (k,)"""
    return np.asarray(np.linalg.norm(np.cross(n, np.reshape(directions, (-1, 3))), axis=1) <= within)


def _across(directions: list[Floats], n: Floats, within: float) -> Bools:
    """Which of k unit vectors (3,) are perpendicular to n, within the sine of an angle? (k,)"""
    return np.asarray(np.abs(np.reshape(directions, (-1, 3)) @ n) <= within)


def planar_model(
    mechanism: Mechanism, within: float, accuracy: Accuracy | None, source: str, notes: tuple[Note, ...]
) -> Model:
    """The mechanism in the plane perpendicular to its hinges, as a planar model.

    Hinges, ball joints and cylindrical joints along the normal become revolute joints, sliders and cylindrical joints
    perpendicular to it translational ones; a body has its moment of inertia about the normal.  Constraints and forces
    along the normal are left out, and with them the redundancy of those constraints.
    """
    n = _normal(mechanism, within)
    if n is None:
        raise ReactioError("--planar: the axes of its hinges are not parallel, or a joint moves out of the plane.")
    for word, items in (("couplings", mechanism.couplings), ("loads", mechanism.loads)):
        if items:
            raise ReactioError(f"--planar takes parts, joints and gravity; this file has {len(items)} {word}.")
    E = _plane_axes(n)
    bodies = {part.name: _body(part, E) for part in mechanism.parts}
    poses = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    joints = tuple(_joint(joint, poses, bodies, E) for joint in mechanism.joints)
    has_masses = all(body.mass is not None for body in bodies.values())
    gravity = tuple((E @ np.array(mechanism.gravity)).tolist()) if has_masses else ()
    given = (
        tuple(bodies.values())
        if has_masses
        else tuple(replace(body, mass=None, inertia=()) for body in bodies.values())
    )
    return Model(
        mechanism.name, "planar", given, joints, gravity=gravity, accuracy=accuracy, source=source, notes=notes
    )


def _plane_axes(n: Floats) -> Floats:
    """Two axes perpendicular to n as rows (2, 3), right-handed with it: x and y where n is z."""
    k = int(np.argmax(np.abs(n)))
    first = np.eye(3)[(k + 1) % 3]
    x = first - (first @ n) * n
    x = x / np.linalg.norm(x)
    return np.array([x, np.cross(n, x)])


def _body(part: Part, E: Floats) -> Body:
    r = (E @ part.pose.r).tolist()
    turned = E @ part.pose.R @ np.array([E[0], E[1]]).T  # rotation of the axes in the plane with the part
    angle = float(np.arctan2(turned[1, 0], turned[0, 0]))
    if part.inertia is None:
        return Body(part.name, None, (), tuple(r), (angle,))
    n = np.cross(E[0], E[1])
    J = part.pose.R @ part.inertia.J @ part.pose.R.T
    c, s = np.cos(angle), np.sin(angle)
    arm = np.array([[c, s], [-s, c]]) @ (E @ part.pose.R @ part.inertia.center)
    return Body(part.name, part.inertia.mass, (float(n @ J @ n),), tuple(r), (angle,), center=tuple(arm.tolist()))


def _joint(joint: ImportedJoint, poses: dict[str, Pose], bodies: dict[str, Body], E: Floats) -> Joint:
    frame = poses[joint.a] @ joint.frame_a
    a, b = (bodies.get(name, name) for name in (joint.a, joint.b))
    at = (E @ (poses[joint.b] @ joint.frame_b).r).tolist()
    if joint.type == "prismatic" or (joint.type == "cylindrical" and np.linalg.norm(E @ frame.R[:, 2]) > 0.5):
        return joint_at(joint.name, "translational", a, b, at=at, axis=(E @ frame.R[:, 2]).tolist())
    return joint_at(joint.name, PLANAR_TYPES.get(joint.type, joint.type), a, b, at=at)
