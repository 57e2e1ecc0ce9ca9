"""What must not matter: a common rigid motion of all bodies, where the scene stands, the unit of length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reactio import joints
from reactio.arrays import Floats
from reactio.catalogue.fields import Number
from reactio.catalogue.places import GROUND, End
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

from .scenes import (
    JOINTS,
    SIZE,
    SPIN,
    Pose,
    body_pose,
    joint_cases,
    joint_model,
    joint_scene,
    moving,
    pose_of,
    random_pose,
    rigid_motion,
)

MOVING = [case for case in joint_cases() if GROUND not in case[2]]
PAIRS = (("rigid", "rigid"), (GROUND, "rigid"), ("natural", "natural"), (GROUND, "natural"))
PLACED = [(space, name, kinds) for space, name in JOINTS for kinds in PAIRS]


@pytest.mark.parametrize(("space", "name", "kinds"), MOVING)
def test_common_rigid_motion_moves_no_row(space: str, name: str, kinds: tuple[str, str]) -> None:
    """Action equals reaction: what a row does to one body, it undoes to the other, off the manifold too."""
    rng = np.random.default_rng(11)
    for seed in range(3):
        scene = joint_scene(space, name, kinds, seed)
        e = scene.equations()
        v = rigid_motion(scene.system, e.state.q, rng.uniform(-1, 1, SIZE[space]), rng.uniform(-1, 1, SPIN[space]))
        # Rounding of sums of up to a dozen products of size 1 to 10.
        np.testing.assert_allclose(e.C @ v, 0, atol=3e-14 * (1 + abs(e.C) @ abs(v)).max())


def moved_model(model: Model, g: Pose) -> Model:
    """The whole scene, bodies and ground, moved and turned."""
    bodies = tuple(_moved_body(body, g) for body in model.bodies)
    return replace(model, bodies=bodies, joints=tuple(_moved_joint(joint, g) for joint in model.joints))


def _moved_body(body: Body, g: Pose) -> Body:
    pose = g @ pose_of(body.position, body.orientation)
    return replace(body, position=tuple(pose.r.tolist()), orientation=pose.orientation)


def _moved_joint(joint: Joint, g: Pose) -> Joint:
    a, b = (_moved_end(end, g) for end in (joint.a, joint.b))
    return replace(joint, a=a, b=b)


def _moved_end(end: End, g: Pose) -> End:
    return (g @ pose_of(end.point, end.orientation)).end(GROUND) if end.body == GROUND else end


def turned_velocities(system: System, v: Floats, g: Pose) -> Floats:
    """All vectors in v turned by g; in the plane an angular velocity stays."""
    size = SIZE[system.space]
    spin = g.R if size == 3 else np.eye(1)
    parts = []
    for i, body in enumerate(system.model.bodies):
        own = v[system.body_v[i] : system.body_v[i + 1]]
        if body.kind == "natural":
            parts.append((own.reshape(-1, size) @ g.R.T).ravel())
        else:
            parts += [g.R @ own[:size], spin @ own[size:]]
    return np.concatenate(parts)


def scalar_rows(system: System) -> Floats:
    """Which rows turn with no axes: all but those of further elements, which are vectors in world axes."""
    labels = [(group.kind, label) for group in system.groups for label in group.labels]
    return np.array([not (kind == "intrinsic" and "." in label) for kind, label in labels])


@pytest.mark.parametrize(("space", "name", "kinds"), PLACED)
def test_place_of_the_scene_does_not_matter(space: str, name: str, kinds: tuple[str, str]) -> None:
    rng = np.random.default_rng(12)
    model = joint_model(space, name, kinds, rng)
    g = random_pose(space, rng)
    here, there = build(model), build(moved_model(model, g))
    v = rng.uniform(-1, 1, here.n)
    e = equations(here, State(0.3, here.q0, v))
    f = equations(there, State(0.3, there.q0, turned_velocities(here, v, g)))
    plain = scalar_rows(here)
    # Rounding of positions of size 3 through a handful of products.
    for one, other in ((e.Phi, f.Phi), (e.nu, f.nu), (e.Gamma, f.Gamma), (e.C @ v, f.C @ f.state.v)):
        np.testing.assert_allclose(one[plain], other[plain], atol=1e-12, rtol=1e-12)
    C, D = e.C.toarray(), f.C.toarray()
    turned = np.array([turned_velocities(here, row, g) for row in C])
    np.testing.assert_allclose(turned[plain], D[plain], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(C, axis=1), np.linalg.norm(D, axis=1), atol=1e-12)
    assert np.linalg.matrix_rank(C, 1e-8) == np.linalg.matrix_rank(D, 1e-8)
    np.testing.assert_allclose(there.length, here.length, rtol=1e-12)


@pytest.mark.parametrize(("space", "name"), JOINTS)
def test_units_of_rows(space: str, name: str) -> None:
    """In a scene k times as large a row in metres is k times as large, and one in radians the same."""
    k = 1.7
    model = joint_model(space, name, ("rigid", "rigid"), np.random.default_rng(13))
    large = replace(
        model,
        bodies=tuple(replace(b, position=tuple(k * x for x in b.position)) for b in model.bodies),
        joints=tuple(_scaled_joint(j, k, space) for j in model.joints),
    )
    small_system, large_system = build(model), build(large)
    rng = np.random.default_rng(14)
    v = rng.uniform(-1, 1, small_system.n)
    lengths = np.array([k if unit == "m/s" else 1.0 for unit in small_system.column_units])
    e = equations(small_system, State(0.0, small_system.q0, v))
    f = equations(large_system, State(0.0, large_system.q0, lengths * v))
    units = [unit for group in small_system.groups for unit in group.units]
    factors = np.array([{"m": k, "rad": 1.0, "m²": k * k}[unit] for unit in units])
    # The same numbers times k: rounding only.  Φ and ν of a drive follow its function, which does not grow.
    joint = slice(small_system.group("J").start, small_system.group("J").stop)
    np.testing.assert_allclose((factors * e.Phi)[joint], f.Phi[joint], atol=1e-12)
    np.testing.assert_allclose(factors * (e.C @ v), f.C @ (lengths * v), atol=1e-12)
    np.testing.assert_allclose((factors * e.Gamma)[joint], f.Gamma[joint], atol=1e-12)


def _scaled_joint(joint: Joint, k: float, space: str) -> Joint:
    ends = [replace(end, point=tuple(k * x for x in end.point)) for end in (joint.a, joint.b)]
    fields = {f.name: f for f in joints.JOINTS_BY_SPACE[space].get(joint.type).parameters}
    given = {name: _scaled(value, fields[name], k) for name, value in joint.parameters.items()}
    return Joint(joint.name, joint.type, ends[0], ends[1], given, holds=joint.holds)


def _scaled(value: float | None, one: Number, k: float) -> float | None:
    return value * k if value is not None and one.dimension == "length" else value


@pytest.mark.parametrize(("space", "name"), JOINTS)
def test_frames_are_where_the_bodies_carry_them(space: str, name: str) -> None:
    """Two ways to the same relative pose: bodies posed anywhere, frames anywhere on them, the residuals agree."""
    relative = pose_of(*_REFERENCE[space])
    found: list[Equations] = []
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        given = {p.name: 0.4 for p in joints.JOINTS_BY_SPACE[space].get(name).parameters}
        scene = moving(joint_model(space, name, ("rigid", "rigid"), rng, relative, given), rng)
        found.append(scene.equations())
        joint = scene.system.model.joint("J")
        A, B = (body_pose(scene.system, scene.system.q0, end.body) @ pose_of(end.point, end.orientation)
                for end in (joint.a, joint.b))  # fmt: skip
        np.testing.assert_allclose((A.inverse @ B).r, relative.r, atol=1e-14)
    # The relative pose is the same to rounding, and Φ depends on nothing else.
    np.testing.assert_allclose(found[0].Phi, found[1].Phi, atol=1e-13)


_REFERENCE = {
    "planar": ((0.4, -0.3), (0.6,)),
    "spatial": ((0.4, -0.3, 0.5), (0.8, 0.4, 0.2, 0.4)),
}
