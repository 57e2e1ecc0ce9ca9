"""Forces by the power they bring: Q·v against energies and velocities found from the geometry alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.forces import FORCES, FrameMeasures, FrameVelocity, JointCoordinates
from reactio.functions.expression import Expression
from reactio.model.model import Model
from reactio.model.specs import Force
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.types import State

from .chains import HOSTS, NAMES, chain
from .derivatives import FIRST, FIRST_TOLERANCE, TIMES
from .scenes import (
    SIZE,
    SPIN,
    Scene,
    carry,
    clear_pose,
    frame_at,
    moving,
    random_pose,
    rigid_motion,
    twist_at,
)

BETWEEN: Mapping[str, Mapping[str, float]] = {
    "spring": {"stiffness": 30.0, "length": 0.35},
    "damper": {"damping": 4.0},
    "spring-damper": {"stiffness": 30.0, "length": 0.35, "damping": 4.0},
}
ALONG: Mapping[str, Mapping[str, float]] = {
    "linear-spring-damper": {"stiffness": 20.0, "position": 0.15, "damping": 3.0},
    "torsional-spring-damper": {"stiffness": 12.0, "angle": -0.4, "damping": 2.0},
}
ACTING = ("force", "torque")
YIELDING = "compliant-contact"
KINDS = (("rigid", "rigid"), ("rigid", GROUND), (GROUND, "rigid"), ("point", "rigid"), ("point", "point"),
         ("natural", "natural"), ("rigid", "natural"), (GROUND, "natural"))  # fmt: skip


def test_every_force_is_checked() -> None:
    # Friction depends on reactions: tests/forward_dynamics/test_friction.py.
    # Bushings: tests/laws/test_extension_load.py.
    # Rotors add no load: tests/importers/test_rotors.py.
    assert {*BETWEEN, *ALONG, *ACTING, YIELDING, "actuator", "joint-friction", "bushing", "rotor"} == set(FORCES)


def load(scene: Scene, t: float = 0.0) -> Floats:
    """What the forces of a model add to Q."""
    state = scene.state(t)
    bare = build(replace(scene.system.model, forces=()))
    q = state.q[: int(bare.body_q[-1])]
    rest = np.concatenate([q, bare.q0[len(q) :]])
    return equations(scene.system, state).Q - equations(bare, State(t, rest, state.v)).Q


def check_power(scene: Scene, expected: float) -> None:
    v = scene.state(0.0).v
    Q = load(scene)
    # Q and its power are sums of terms of the size of |Q|·|v|, from which gyroscopic forces were taken away again.
    assert Q @ v == pytest.approx(expected, abs=FIRST_TOLERANCE * float(1 + abs(Q) @ abs(v)))
    assert abs(Q @ v) > 1e-3  # a force that does nothing would agree with anything that rests


def check_internal(scene: Scene) -> None:
    """Forces between bodies do nothing in a common rigid motion."""
    space, q = scene.system.space, scene.state(0.0).q
    rng = np.random.default_rng(7)
    v = rigid_motion(scene.system, q, rng.uniform(-1, 1, SIZE[space]), rng.uniform(-1, 1, SPIN[space]))
    Q = load(scene)
    assert Q @ v == pytest.approx(0, abs=1e-13 * float(1 + abs(Q) @ abs(v)))  # rounding


def spring_power(s: Callable[[float], float], stiffness: float, free: float, damping: float) -> float:
    """−dU/dt − c ṡ² with U = k (s − s₀)²/2."""
    values = np.array([s(t) for t in TIMES])
    energy = stiffness * (values - free) ** 2 / 2
    return float(-FIRST @ energy - damping * (FIRST @ values) ** 2)


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("name", BETWEEN)
@pytest.mark.parametrize("space", SIZE)
def test_between_points(space: str, name: str, kinds: tuple[str, str]) -> None:
    rng = np.random.default_rng(1)
    A = random_pose(space, rng)
    (a, end_a), (b, end_b) = (
        carry(n, k, space, F, rng) for n, k, F in zip("ab", kinds, (A, A @ clear_pose(space, rng)), strict=True)
    )
    bodies = tuple(body for body in (a, b) if body is not None)
    force = Force("F", name, {"a": end_a, "b": end_b, **BETWEEN[name]})
    scene = moving(Model("pair", space, bodies, forces=(force,)), rng)

    def length(t: float) -> float:
        q = scene.state(t).q
        return float(np.linalg.norm(frame_at(scene.system, q, end_a).r - frame_at(scene.system, q, end_b).r))

    given = {"stiffness": 0.0, "length": 0.0, "damping": 0.0, **BETWEEN[name]}
    check_power(scene, spring_power(length, given["stiffness"], given["length"], given["damping"]))
    if GROUND not in kinds:
        check_internal(scene)


@pytest.mark.parametrize("depth", [0.2, -0.2])
@pytest.mark.parametrize("surface", ["plane", "centre"])
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("space", SIZE)
def test_a_contact_that_yields(space: str, kinds: tuple[str, str], surface: str, depth: float) -> None:
    """k δ max(0, 1 + χ δ̇) ṡ with the depth δ = r − s by geometry, and no load where the bodies do not overlap."""
    if surface == "plane" and kinds[0] == "point":
        pytest.skip("a point has no axes, so no surface")
    rng = np.random.default_rng(4)
    A = random_pose(space, rng)
    (a, end_a), (b, end_b) = (
        carry(n, k, space, F, rng) for n, k, F in zip("ab", kinds, (A, A @ clear_pose(space, rng)), strict=True)
    )
    bodies = tuple(body for body in (a, b) if body is not None)

    def s(scene: Scene, t: float) -> float:
        q = scene.state(t).q
        at_a, at_b = frame_at(scene.system, q, end_a), frame_at(scene.system, q, end_b)
        d = at_b.r - at_a.r
        return float(np.linalg.norm(d) if surface == "centre" else at_a.R[:, -1] @ d)

    def touching(reach: float) -> Scene:
        given = {"a": end_a, "b": end_b, "surface": surface, "reach": reach, "stiffness": 30.0, "damping": 0.3}
        model = Model("pair", space, bodies, forces=(Force("F", YIELDING, given),))
        return moving(model, np.random.default_rng(5))

    start = s(touching(0.0), 0.0)
    scene = touching(start + depth)
    if depth < 0:
        assert not load(scene).any()
        return
    rate = float(FIRST @ [s(scene, t) for t in TIMES])
    check_power(scene, 30.0 * depth * max(0.0, 1 - 0.3 * rate) * rate)
    if GROUND not in kinds:
        check_internal(scene)


def coordinate(scene: Scene, joint: str, unit: str, t: float) -> float:
    """The coordinate of a host joint, by geometry."""
    system, q = scene.system, scene.state(t).q
    a, b = system.model.joint(joint).a, system.model.joint(joint).b
    A, B = frame_at(system, q, a), frame_at(system, q, b)
    if unit == "m":
        return float(A.R[:, -1 if len(A.r) == 3 else 0] @ (B.r - A.r))
    if len(A.r) == 3:
        x = A.R.T @ B.R[:, 0]
        return math.atan2(x[1], x[0])
    # The last coordinate of a planar body is its angle, whatever its kind.
    angles = [q[system.body_q[system.model.body_index[e.body] + 1] - 1] + e.orientation[0] for e in (a, b)]
    return float(angles[1] - angles[0])


def chain_scene(space: str, kind: str, name: str, along: CoordinateName, **given: Any) -> Scene:
    rng = np.random.default_rng(2)
    force = Force("F", name, {"joint": along, **given})
    return moving(chain(space, 2, rng, kind, forces=(force,)), rng)


@pytest.mark.parametrize("kind", ["rigid", "natural"])
@pytest.mark.parametrize("name", ALONG)
@pytest.mark.parametrize("space", HOSTS)
def test_along_coordinates(space: str, name: str, kind: str) -> None:
    """Also where the name of the coordinate is left to the unit."""
    unit = FORCES.get(name).fields[0].unit  # type: ignore[attr-defined]
    for word in ("", NAMES[unit]):
        scene = chain_scene(space, kind, name, CoordinateName("J1", word), **ALONG[name])
        stiffness, free, damping = ALONG[name].values()
        check_power(scene, spring_power(lambda t: coordinate(scene, "J1", unit, t), stiffness, free, damping))  # noqa: B023
        check_internal(scene)


@pytest.mark.parametrize("kind", ["rigid", "natural"])
@pytest.mark.parametrize("unit", NAMES)
@pytest.mark.parametrize("space", HOSTS)
def test_an_actuator_has_the_power_of_its_law_and_no_net_wrench(space: str, unit: str, kind: str) -> None:
    law = Expression("3*cos(2*t + 0.3) - 2*s + 0.7*s*rate - rate**2")
    scene = chain_scene(space, kind, "actuator", CoordinateName("J1", NAMES[unit]), effort=law)
    values = np.array([coordinate(scene, "J1", unit, t) for t in TIMES])
    s, rate = values[4], float(FIRST @ values)
    check_power(scene, (3 * math.cos(0.3) - 2 * s + 0.7 * s * rate - rate**2) * rate)
    check_internal(scene)


@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize("name", ACTING)
@pytest.mark.parametrize("space", SIZE)
@pytest.mark.parametrize("kind", ["rigid", "natural"])
def test_acting_on_a_body(kind: str, space: str, name: str, axes: str) -> None:
    """F·ẋ of the point it acts on, or τ·ω, with components that change in time."""
    rng = np.random.default_rng(3)
    body, end = carry("b", kind, space, random_pose(space, rng), rng)
    assert body is not None
    size = SIZE[space] if name == "force" else SPIN[space]
    laws = tuple(Expression(f"{k + 1} + 2*sin(3*t + {k})") for k in range(size))
    given = {"at": end, name: laws, "axes": axes}
    scene = moving(Model("one", space, (body,), forces=(Force("F", name, given),)), rng)
    system, t = scene.system, 0.0
    state = scene.state(t)
    f = np.array([k + 1 + 2 * math.sin(3 * t + k) for k in range(size)])
    if axes == "body" and size > 1:
        f = frame_at(system, state.q, end).R @ f
    velocity, w = twist_at(system, state.q, state.v, end)
    check_power(scene, float(f @ (velocity if name == "force" else w)))


def test_force_on_a_point_mass_and_on_ground() -> None:
    """A force moves a point mass as Newton says; on ground it does nothing."""
    body, end = carry(
        "b", "point", "spatial", random_pose("spatial", np.random.default_rng(4)), np.random.default_rng(4)
    )
    assert body is not None
    laws = tuple(Expression(f"{k} + t") for k in (1, 2, 3))
    forces = tuple(
        Force(f"on-{on.body}", "force", {"at": on, "force": laws}) for on in (end, End("ground", (0.1, 0.2, 0.3)))
    )
    system = build(Model("one", "spatial", (body,), forces=forces))
    assert equations(system, State(0.5, system.q0, system.v0)).Q.tolist() == [1.5, 2.5, 3.5]


def test_what_loads_act_along() -> None:
    """The tests above give each kind what it acts along: points, a joint coordinate, or a frame."""
    ends = {"a": End("x"), "b": End("y"), "at": End("x"), "joint": CoordinateName("j"), "effort": Expression("t")}
    components = {"force": (Expression("t"),) * 3, "torque": (Expression("t"),) * 3, "axes": "world"}
    for names, place in (((*ALONG, "actuator"), JointCoordinates), (BETWEEN, FrameMeasures), (ACTING, FrameVelocity)):
        for name in names:
            loads = FORCES.get(name).loads({**ends, **components, **BETWEEN.get(name, {}), **ALONG.get(name, {})})
            assert [type(one.along) for one in loads] == [place]
