"""Small scenes for the laws: two bodies, what connects them, and exact motions through any state.

Kinematics here is written a second time, with matrices and SciPy's rotations, so that nothing is compared with itself.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from reactio import joints, primitives
from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.catalogue.fields import Field, Number
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.errors import ModelError
from reactio.functions.harmonic import Harmonic
from reactio.functions.polynomial import Polynomial
from reactio.functions.sum import Sum
from reactio.joints import Freedom, JointType, Row
from reactio.model.model import Model
from reactio.model.specs import Body, Drive, Element, Joint
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

SIZE = {"planar": 2, "spatial": 3}
SPIN = {"planar": 1, "spatial": 3}
INERTIA = {"planar": (0.3,), "spatial": (0.5, 0.6, 0.7, 0.04, -0.03, 0.05)}
# A natural body "b" or "T" is described by these elements, two more than needed; all others by their origin and axes.
ELEMENTS = {
    "planar": (
        Element("point", (0.1, 0.2)),
        Element("point", (-0.3, 0.4)),
        Element("vector", (0.8, -0.6)),
        Element("point", (0.5, -0.3)),
    ),
    "spatial": (
        Element("point", (0.1, 0.2, -0.2)),
        Element("vector", (0.6, 0.0, 0.8)),
        Element("point", (-0.3, 0.5, 0.4)),
        Element("vector", (0.0, 1.0, 0.0)),
        Element("vector", (0.0, 0.6, 0.8)),
        Element("point", (0.3, -0.1, 0.7)),
    ),
}
SWEEP = Sum((Polynomial((0.2, -0.7, 0.45)), Harmonic(0.6, 0.35, 0.4)))  # f, f_t and f_tt all differ from zero
JOINTS = [(space, name) for space, registry in joints.JOINTS_BY_SPACE.items() for name in registry]
Motion = Callable[[float], tuple[Floats, Floats, Floats]]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a frame is: origin (d,) and axes as columns (d, d)."""

    r: Floats
    R: Floats

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.r + self.R @ other.r, self.R @ other.R)

    @property
    def inverse(self) -> Pose:
        return Pose(-self.R.T @ self.r, self.R.T)

    @property
    def orientation(self) -> tuple[float, ...]:
        """As models give it: an angle, or a unit quaternion with the scalar first."""
        if len(self.r) == 2:
            return (math.atan2(self.R[1, 0], self.R[0, 0]),)
        return tuple(Rotation.from_matrix(self.R).as_quat()[[3, 0, 1, 2]].tolist())

    def end(self, body: str) -> End:
        return End(body, tuple(self.r.tolist()), self.orientation)


def rotation(a: Floats) -> Floats:
    """The matrix of a rotation vector (3,) or of an angle (1,)."""
    if len(a) == 3:
        return np.asarray(Rotation.from_rotvec(a).as_matrix())
    c, s = math.cos(a[0]), math.sin(a[0])
    return np.array([[c, -s], [s, c]])


def pose_of(point: Sequence[float] | Floats, orientation: Sequence[float] | Floats) -> Pose:
    if len(point) == 2:
        return Pose(np.array(point), rotation(np.array(orientation)))
    return Pose(np.array(point), np.asarray(Rotation.from_quat(np.array(orientation)[[1, 2, 3, 0]]).as_matrix()))


def random_pose(space: str, rng: np.random.Generator) -> Pose:
    return Pose(rng.uniform(-1, 1, SIZE[space]), rotation(rng.uniform(-1.5, 1.5, SPIN[space])))


def clear_pose(space: str, rng: np.random.Generator) -> Pose:
    """A relative pose away from every pose where a joint is not defined (coinciding points, parallel axes)."""
    apart = rng.uniform(0.3, 0.7, SIZE[space]) * rng.choice((-1, 1), SIZE[space])
    return Pose(apart, rotation(rng.uniform(0.3, 0.7, SPIN[space]) * rng.choice((-1, 1), SPIN[space])))


def around(w: Floats, d: Floats) -> Floats:
    """ω × d in the plane (ω of size 1) or in space."""
    if len(w) == 1:
        return np.array([-w[0] * d[1], w[0] * d[0]])
    return np.cross(w, d)


@dataclass(frozen=True, slots=True)
class Scene:
    """A system with an exact motion of each body."""

    system: System
    motions: tuple[Motion, ...]

    def state(self, t: float) -> State:
        q, v, _ = self.along(t)
        return State(t, q, v)

    def along(self, t: float) -> tuple[Floats, Floats, Floats]:
        """q, v, v̇ at a time; remembered angles stay as at the start, good for half a turn."""
        parts = [motion(t) for motion in self.motions]
        memory = self.system.q0[int(self.system.body_q[-1]) :]
        q, v, a = (np.concatenate(part) for part in zip(*parts, strict=True))
        return np.concatenate([q, memory]), v, a

    def equations(self, t: float = 0.0) -> Equations:
        return equations(self.system, self.state(t))


def polynomial_motion(c: Floats) -> Motion:
    """q = c₀ + c₁ t + c₂ t²/2 + c₃ t³/6."""

    def at(t: float) -> tuple[Floats, Floats, Floats]:
        powers = np.array([1.0, t, t * t / 2, t**3 / 6])
        return powers @ c, powers[:3] @ c[1:], powers[:2] @ c[2:]

    return at


def turning_motion(c: Floats) -> Motion:
    """Position and a quaternion x that is a polynomial, not of unit length: ω = 2 vec(ẋ x̄)/|x|²."""
    path = polynomial_motion(c)

    def at(t: float) -> tuple[Floats, Floats, Floats]:
        q, q_dot, q_ddot = path(t)
        x, x_dot, x_ddot = q[3:], q_dot[3:], q_ddot[3:]
        square = x @ x
        w = 2 * _vector_part(x_dot, x) / square
        w_dot = 2 * _vector_part(x_ddot, x) / square - 2 * w * (x @ x_dot) / square
        return q, np.concatenate([q_dot[:3], w]), np.concatenate([q_ddot[:3], w_dot])

    return at


def _vector_part(a: Floats, b: Floats) -> Floats:
    """Vector part of the quaternion a b̄."""
    return np.asarray(b[0] * a[1:] - a[0] * b[1:] - np.cross(a[1:], b[1:]))


def motion_from(body: Body, rng: np.random.Generator) -> Motion:
    """A random motion through the pose of one body."""
    q = np.array(body.position + (body.orientation if BODIES.get(body.kind).turns else ()))
    c = np.concatenate([q[None], rng.uniform(-1, 1, (3, len(q)))])
    path = turning_motion(c) if len(q) == 7 else polynomial_motion(c)
    return natural_motion(body, path) if body.kind == "natural" else path


def elements_of(body: Body) -> tuple[Floats, Floats]:
    """Local coordinates (k, d) of the elements of a natural body, and 1 for points, 0 for vectors (k, 1)."""
    if not body.elements:
        size = len(body.position)
        count = size if size == 3 else 1
        return np.vstack([np.zeros(size), np.eye(size)[:count]]), np.array([1.0, *[0.0] * count])[:, None]
    at = np.array([e.at for e in body.elements])
    return at, np.array([[float(e.kind == "point")] for e in body.elements])


def natural_motion(body: Body, path: Motion) -> Motion:
    """Points and vectors carried along by a body that moves on an absolute path."""
    s, point = elements_of(body)
    size = s.shape[1]

    def at(t: float) -> tuple[Floats, Floats, Floats]:
        q, v, a = path(t)
        pose = pose_of(q[:size], q[size:] / (np.linalg.norm(q[size:]) if size == 3 else 1.0))
        arms = s @ pose.R.T
        w, alpha = v[size:], a[size:]
        spins = np.array([around(w, arm) for arm in arms])
        bends = np.array([around(alpha, arm) + around(w, u) for arm, u in zip(arms, spins, strict=True)])
        turn, x = q[size:] if size == 2 else np.zeros(0), (point * pose.r + arms).ravel()
        return (
            np.concatenate([x[:4], turn, x[4:]]),
            (point * v[:size] + spins).ravel(),
            (point * a[:size] + bends).ravel(),
        )

    return at


def make_body(name: str, kind: str, space: str, pose: Pose, **more: Any) -> Body:
    turns = BODIES.get(kind).turns
    return Body(
        name,
        mass=1.3,
        inertia=INERTIA[space] if turns else (),
        center=tuple(np.linspace(0.1, 0.3, SIZE[space])) if turns else (),
        position=tuple(pose.r.tolist()),
        orientation=pose.orientation if turns else (),
        kind=kind,
        elements=ELEMENTS[space] if kind == "natural" and name in "bT" else (),
        **more,
    )


def carry(name: str, kind: str, space: str, frame: Pose, rng: np.random.Generator) -> tuple[Body | None, End]:
    """A body of that kind (None for ground) that carries a frame standing there in the world, and the frame on it."""
    if kind == GROUND:
        return None, frame.end(GROUND)
    local = random_pose(space, rng) if BODIES.get(kind).turns else Pose(np.zeros(SIZE[space]), np.eye(SIZE[space]))
    if kind == "natural" and name == "b":
        local = Pose(np.array(ELEMENTS[space][-1].at), local.R)  # on a point with coordinates of its own
    return make_body(name, kind, space, frame @ local.inverse), local.end(name)


def values(fields: Sequence[Field], rng: np.random.Generator) -> dict[str, Any]:
    """A value for every number, also for those that may be left out."""
    return {f.name: float(rng.uniform(0.3, 0.6)) for f in fields if isinstance(f, Number)}


def joint_model(
    space: str,
    name: str,
    kinds: tuple[str, str],
    rng: np.random.Generator,
    relative: Pose | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Model:
    """Two bodies and one joint off its manifold, every coordinate of it driven."""
    kind = joints.JOINTS_BY_SPACE[space].get(name)
    A = random_pose(space, rng)
    B = A @ (relative or clear_pose(space, rng))
    (a, end_a), (b, end_b) = (carry(n, k, space, F, rng) for n, k, F in zip("ab", kinds, (A, B), strict=True))
    given = {**values(kind.parameters, rng), **(parameters or {})}
    drives = tuple(
        Drive(f"drive-{c}", CoordinateName("J", c), SWEEP)
        for c, combination in kind.coordinates.items()
        if _measurable(combination, kinds)
    )
    bodies = tuple(body for body in (a, b) if body is not None)
    return Model("scene", space, bodies, (Joint("J", name, end_a, end_b, given, holds=True),), drives)


def joint_scene(space: str, name: str, kinds: tuple[str, str], seed: int) -> Scene:
    """The model of a joint with a random motion through its pose."""
    rng = np.random.default_rng(seed)
    return moving(joint_model(space, name, kinds, rng), rng)


def _measurable(combination: primitives.Combination, kinds: tuple[str, str]) -> bool:
    """A coordinate that needs an orientation is not one of a point mass."""
    turns = {side for side, kind in zip("AB", kinds, strict=True) if kind == GROUND or BODIES.get(kind).turns}
    return all(set(measure.primitive.turns) <= turns for _, measure in combination.terms)


def moving(model: Model, rng: np.random.Generator) -> Scene:
    """A model with a random motion through its given pose."""
    return Scene(build(model), tuple(motion_from(body, rng) for body in model.bodies))


@functools.cache
def joint_cases() -> list[tuple[str, str, tuple[str, str]]]:
    """Every joint between every pair of body kinds (and ground) that the model accepts."""
    found = []
    for space, name in JOINTS:
        for kinds in product([*(name for name, kind in BODIES.items() if not kind.internal), GROUND], repeat=2):
            try:
                joint_model(space, name, kinds, np.random.default_rng(0))
            except ModelError:
                assert set(kinds) != {"rigid"}, f"{space} {name} refuses rigid bodies"
                continue
            found.append((space, name, kinds))
    return found


@contextmanager
def alone(space: str, name: str, k: str, l: str) -> Iterator[JointType]:
    """A joint type that holds one primitive and nothing else, known as long as it is needed."""
    measure = primitives.PRIMITIVES_BY_SPACE[space].get(name)(k, l, parameter="p")
    free = tuple(Freedom(f"other_{i}") for i in range({"planar": 3, "spatial": 6}[space] - 1))
    kind = JointType(
        f"only-{name}-{k}{l}",
        space,
        (Row(measure),),
        free,
        "One primitive alone.",
        (Number("p", "Parameter of the primitive.", dimension="length"),),
    )
    joints.register(kind)
    try:
        yield kind
    finally:
        joints.JOINTS_BY_SPACE[space].remove(kind.name)


def body_pose(system: System, q: Floats, body: str) -> Pose:
    """Where a body is, by the coordinates; ground at the origin, a point mass with world axes."""
    size = SIZE[system.space]
    if body == GROUND:
        return Pose(np.zeros(size), np.eye(size))
    i = system.model.body_index[body]
    own = q[system.body_q[i] : system.body_q[i + 1]]
    if system.model.bodies[i].kind == "natural":
        return _natural_pose(system.model.bodies[i], own)
    if len(own) == size:
        return Pose(own, np.eye(size))
    return pose_of(own[:size], own[size:] / (np.linalg.norm(own[size:]) if size == 3 else 1.0))


def _natural_pose(body: Body, own: Floats) -> Pose:
    """The pose that carries the elements to where they are; in the plane the second axis is the first one turned."""
    s, point = elements_of(body)
    needed = 4 if s.shape[1] == 3 else 2
    s, point = s[:needed], point[:needed]
    x = own[: s.size].reshape(s.shape)
    if s.shape[1] == 3:
        axes = np.linalg.solve(np.hstack([s, point]), x)
        return Pose(np.asarray(axes[3], dtype=float), np.asarray(axes[:3].T, dtype=float))
    A = np.vstack(
        [np.hstack([[[p, 0], [0, p]], np.array([[a, -b], [b, a]])]) for (a, b), (p,) in zip(s, point, strict=True)]
    )
    r0, r1, u0, u1 = np.linalg.solve(A, x.ravel())
    return Pose(np.array([r0, r1]), np.array([[u0, -u1], [u1, u0]]))


def body_twist(system: System, q: Floats, v: Floats, body: str) -> tuple[Floats, Floats]:
    """Velocity of the body origin and angular velocity."""
    size = SIZE[system.space]
    spin = np.zeros(SPIN[system.space])
    if body == GROUND:
        return np.zeros(size), spin
    i = system.model.body_index[body]
    own = v[system.body_v[i] : system.body_v[i + 1]]
    if system.model.bodies[i].kind == "natural":
        basis = [body_velocity(system, q, body, *np.split(e, [size])) for e in np.eye(size + len(spin))]
        twist = np.linalg.lstsq(np.array(basis).T, own, rcond=None)[0]
        return np.asarray(twist[:size], dtype=float), np.asarray(twist[size:], dtype=float)
    return own[:size], own[size:] if len(own) > size else spin


def body_velocity(system: System, q: Floats, body: str, velocity: Floats, w: Floats) -> Floats:
    """The part of v that belongs to a body which moves with this twist of its origin."""
    one = system.model.body(body)
    if one.kind == "natural":
        s, point = elements_of(one)
        R = body_pose(system, q, body).R
        return np.asarray(point * velocity + np.array([around(w, R @ a) for a in s])).ravel()
    return np.concatenate([velocity, w if BODIES.get(one.kind).turns else w[:0]])


def frame_at(system: System, q: Floats, end: End) -> Pose:
    """Where a frame on a body is."""
    return body_pose(system, q, end.body) @ pose_of(end.point, end.orientation)


def twist_at(system: System, q: Floats, v: Floats, end: End) -> tuple[Floats, Floats]:
    """How a frame on a body moves: velocity of its origin, angular velocity."""
    velocity, w = body_twist(system, q, v, end.body)
    return velocity + around(w, frame_at(system, q, end).r - body_pose(system, q, end.body).r), w


def rigid_motion(system: System, q: Floats, velocity: Floats, w: Floats) -> Floats:
    """v (n,) when the whole scene moves like one rigid body, ``velocity`` that of the world's origin."""
    parts = []
    for body in system.model.bodies:
        r = body_pose(system, q, body.name).r
        parts.append(body_velocity(system, q, body.name, velocity + around(w, r), w))
    return np.concatenate(parts)
