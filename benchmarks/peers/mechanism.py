"""A mechanism as every engine understands it, taken from a Reactio model at its start.

Bodies of the plane lie at z = 0 of space.  Joints are hinges or balls; a spanning tree from ground holds as many as it
can, the others close loops.  In space a hinge that closes a loop is two balls on its axis, with one redundant row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import reactio
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.system.types import State, System

KINDS = {"revolute": "hinge", "spherical": "ball"}
HALF_HINGE = 0.1  # [m] between the point of a hinge that closes a loop and each of its balls


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A rigid body at the start, world axes."""

    name: str
    mass: float  # [kg]
    inertia: Floats  # (3, 3) about the centre of mass [kg m²]
    centre: Floats  # (3,) [m]
    R: Floats  # (3, 3) body axes as columns
    velocity: Floats  # (3,) of the centre [m/s]
    omega: Floats  # (3,) [rad/s]
    force: Floats  # (3,) constant load at the centre besides gravity [N]
    moment: Floats  # (3,) [N m]


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A hinge or a ball between two bodies, −1 for ground."""

    name: str
    kind: str
    a: int
    b: int
    point: Floats  # (3,) world [m]
    axis: Floats  # (3,) of a hinge, unit length, world


@dataclass(frozen=True, slots=True, eq=False)
class Mechanism:
    """Bodies in the order of the tree (depth first), the joint that carries each, and those that close loops."""

    system: System
    state: State
    planar: bool
    gravity: Floats  # (3,) [m/s²]
    bodies: tuple[Body, ...]
    carried: tuple[Joint, ...]  # joint of each body; ``a`` is its parent
    loops: tuple[Joint, ...]


def mechanism(name: str, parameters: dict[str, float]) -> Mechanism:
    """The neutral form of a library mechanism."""
    system = reactio.build(reactio.load(name, **parameters))
    state = reactio.assemble(system)
    bodies = [_body(system, state, b) for b in range(len(system.model.bodies))]
    joints = [_joint(system, bodies, k) for k in range(len(system.model.joints))]
    carried, loops = _tree(len(bodies), joints)
    carried = _depth_first(carried)
    order = [joint.b for joint in carried]
    place = {-1: -1} | {b: i for i, b in enumerate(order)}

    def moved(joint: Joint) -> Joint:
        return replace(joint, a=place[joint.a], b=place[joint.b])

    planar = system.space == "planar"
    closing = loops if planar else [ball for joint in loops for ball in _balls(joint)]
    return Mechanism(
        system, state, planar, _lift(system.model.gravity), tuple(bodies[b] for b in order),
        tuple(map(moved, carried)), tuple(map(moved, closing)),
    )  # fmt: skip


def _lift(vector: Any) -> Floats:
    return np.array([*vector, 0.0, 0.0, 0.0][:3], dtype=float)


def _turn(orientation: Floats) -> Floats:
    """(3, 3) from an angle about z or a unit quaternion, scalar first."""
    if len(orientation) == 1:
        c, s = np.cos(orientation[0]), np.sin(orientation[0])
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    w, x, y, z = orientation
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def _body(system: System, state: State, b: int) -> Body:
    spec, planar = system.model.bodies[b], system.space == "planar"
    size = 2 if planar else 3
    q = state.q[system.body_q[b] : system.body_q[b + 1]]
    v = state.v[system.body_v[b] : system.body_v[b + 1]]
    R = _turn(q[size:])
    omega = np.array([0.0, 0.0, v[2]]) if planar else v[3:]
    if np.any(spec.center):
        raise ReactioError(f"Body '{spec.name}': the race wants body origins at centres of mass.")
    J = np.zeros((3, 3))
    if planar:
        J[:] = spec.inertia[0] * np.eye(3)  # only the last counts
    else:
        xx, yy, zz, xy, xz, yz = (*spec.inertia, 0.0, 0.0, 0.0)[:6]
        J[:] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    # Constant loads, with the gyroscopic terms taken off: Q = (m g + f, m − ω×Jω) at the start.
    Q = reactio.equations(system, state).Q[system.body_v[b] : system.body_v[b + 1]]
    force = _lift(Q[:size]) - spec.mass * _lift(system.model.gravity)
    moment = np.array([0.0, 0.0, Q[2]]) if planar else Q[3:] + np.cross(omega, R @ J @ R.T @ omega)
    return Body(spec.name, spec.mass, R @ J @ R.T, _lift(q[:size]), R, _lift(v[:size]), omega, force, moment)


def _joint(system: System, bodies: list[Body], k: int) -> Joint:
    spec = system.model.joints[k]
    if spec.type not in KINDS:
        raise ReactioError(f"Joint '{spec.name}': the race knows {', '.join(KINDS)} only, not {spec.type}.")
    index = {GROUND: -1, **system.model.body_index}
    a, b = index[spec.a.body], index[spec.b.body]
    local = _lift(spec.b.point)
    point = local if b < 0 else bodies[b].centre + bodies[b].R @ local
    turned = _turn(np.array(spec.b.orientation)) if len(spec.b.orientation) == 4 else np.eye(3)
    axis = turned[:, 2] if b < 0 else bodies[b].R @ turned[:, 2]
    return Joint(spec.name, KINDS[spec.type], a, b, point, axis)


def _balls(joint: Joint) -> list[Joint]:
    """A ball; of a hinge two, as far from its point as a typical link is wide."""
    if joint.kind == "ball":
        return [joint]
    return [
        replace(joint, name=f"{joint.name}{k}", kind="ball", point=joint.point + side * joint.axis)
        for k, side in enumerate((-HALF_HINGE, HALF_HINGE))
    ]


def _tree(count: int, joints: list[Joint]) -> tuple[list[Joint], list[Joint]]:
    """Breadth first from ground: what carries each body, and what closes loops."""
    reached, carried, left = {-1}, [], list(joints)
    while len(carried) < count:
        front = set(reached)
        for joint in list(left):
            ends = (joint.a, joint.b) if joint.a in front else (joint.b, joint.a)
            if ends[0] in front and ends[1] not in reached:
                carried.append(replace(joint, a=ends[0], b=ends[1]))
                reached.add(ends[1])
                left.remove(joint)
        if front == reached:
            raise ReactioError("The race wants mechanisms whose bodies all hang on ground.")
    return carried, left


def _depth_first(carried: list[Joint]) -> list[Joint]:
    """The same tree with every branch in one piece, as Pinocchio wants it."""
    children: dict[int, list[Joint]] = {}
    for joint in carried:
        children.setdefault(joint.a, []).append(joint)
    order, ahead = [], list(reversed(children[-1]))
    while ahead:
        order.append(ahead.pop())
        ahead += reversed(children.get(order[-1].b, []))
    return order
