"""Scenes on the manifold of their joint, and twists of B against A as velocities of the whole system."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.joints import JOINTS_BY_SPACE, Freedom
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

from .scenes import SIZE, SPIN, Pose, around, body_pose, body_velocity, frame_at, joint_model, rotation


def on_manifold(space: str, name: str, kinds: tuple[str, str], seed: int) -> Equations:
    """A random pose that fulfils the joint, found by Gauss–Newton steps on its own rows; v = 0."""
    system = build(joint_model(space, name, kinds, np.random.default_rng(seed)))
    q, rows = np.array(system.q0), joint_rows(system)
    rows = np.r_[rows, [i for g in system.groups if g.kind == "intrinsic" for i in range(g.start, g.stop)]].astype(int)
    for _ in range(50):
        e = equations(system, State(0.0, q, np.zeros(system.n)))
        if abs(e.Phi[rows]).max() < 1e-14:
            break
        d = -np.linalg.pinv(e.C.toarray()[rows] * system.holonomic[rows, None]) @ e.Phi[rows]
        q = advance(system, q, d * min(1.0, 0.3 / float(np.linalg.norm(d))))
    # Quadratic convergence ends at rounding; a joint that cannot be met would stay far above.
    assert abs(e.Phi[rows]).max() < 1e-13
    return e


def joint_rows(system: System) -> slice:
    group = system.group("J")
    return slice(group.start, group.stop)


def relative_twist(e: Equations, velocity: Floats, w: Floats) -> Floats:
    """v (n,) when frame B moves with this twist (velocity of its origin, ω) while A rests; or A the other way."""
    system, q = e.system, e.state.q
    joint = system.model.joint("J")
    moving, sign = (joint.b, 1.0) if joint.b.body != GROUND else (joint.a, -1.0)
    # The relative twist is taken at the origin of B, also where A is the one that moves.
    lever = body_pose(system, q, moving.body).r - frame_at(system, q, joint.b).r
    v = np.zeros(system.n)
    i = system.model.body_index[moving.body]
    own = body_velocity(system, q, moving.body, velocity + around(w, lever), w)
    v[system.body_v[i] : system.body_v[i + 1]] = sign * own
    return v


def frames(e: Equations) -> tuple[Pose, Pose]:
    """Frames A and B of the joint in the world."""
    joint = e.system.model.joint("J")
    return frame_at(e.system, e.state.q, joint.a), frame_at(e.system, e.state.q, joint.b)


def free_twist(e: Equations, one: Freedom) -> tuple[Floats, Floats]:
    """The declared twist of a freedom in world axes: velocity of B's origin and ω."""
    space = e.system.space
    A, B = frames(e)
    if space == "planar" and one.axis == "z":
        return np.zeros(2), np.ones(1)
    axis = (A if one.on == "A" else B).R[:, "xyz".index(one.axis)]
    if not one.rotates:
        return axis, np.zeros(SPIN[space])
    pitch = parameter(e, one.advance) if one.advance else 0.0
    return axis * pitch / (2 * np.pi), axis


def stepped(e: Equations, velocity: Floats, w: Floats, size: float) -> Equations:
    """B (on ground's joint) moved by a finite part of a twist of its origin: its body origin runs on an exact screw."""
    system, q = e.system, e.state.q
    d = size * relative_twist(e, velocity, w)
    r, B = q[: SIZE[system.space]], frames(e)[1]
    d[: SIZE[system.space]] = size * velocity + B.r + rotation(size * w) @ (r - B.r) - r
    return equations(system, State(e.state.t, advance(system, q, d), e.state.v))


def parameter(e: Equations, name: str) -> float:
    """A parameter of the joint, which these scenes always give."""
    value = e.system.model.joint("J").parameters[name]
    assert value is not None
    return value


def free(space: str, name: str) -> tuple[Freedom, ...]:
    return JOINTS_BY_SPACE[space].get(name).free


def contact_map(e: Equations, point: Floats) -> Floats:
    """(d, n) map from v to the velocity of B's material against A's at a point of the world."""
    joint = e.system.model.joint("J")
    system, q = e.system, e.state.q
    rows = np.zeros((SIZE[system.space], system.n))
    for end, sign in ((joint.a, -1.0), (joint.b, 1.0)):
        if end.body != GROUND:
            first = int(system.body_v[system.model.body_index[end.body]])
            rows[:, first : first + SIZE[system.space]] = sign * np.eye(SIZE[system.space])
            arm = point - body_pose(system, q, end.body).r
            for k, w in enumerate(np.eye(SPIN[system.space])):
                rows[:, first + SIZE[system.space] + k] = sign * around(w, arm)
    return rows


def turning_map(e: Equations) -> Floats:
    """(1 or 3, n) map from v to ω_B − ω_A."""
    joint, system = e.system.model.joint("J"), e.system
    rows = np.zeros((SPIN[system.space], system.n))
    for end, sign in ((joint.a, -1.0), (joint.b, 1.0)):
        if end.body != GROUND:
            first = int(system.body_v[system.model.body_index[end.body]]) + SIZE[system.space]
            rows[:, first : first + SPIN[system.space]] = sign * np.eye(SPIN[system.space])
    return rows
