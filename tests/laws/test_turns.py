"""Angles over many turns: small steps keep counting, whatever looks at the angle."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reactio import joints, primitives
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.functions.constant import Constant
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.specs import Body, Coupling, Drive, Force, Joint
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

from .manifold import free_twist, on_manifold, stepped
from .scenes import (
    JOINTS,
    SIZE,
    SPIN,
    alone,
    around,
    frame_at,
    joint_scene,
    make_body,
    random_pose,
    rigid_motion,
)

REMEMBERING = [
    (s, p.name) for s, registry in primitives.PRIMITIVES_BY_SPACE.items() for p in registry.values() if p.remembers
]


@pytest.mark.parametrize(("space", "name"), [*REMEMBERING, ("planar", "turn")])
def test_counting_agrees_with_the_integral_of_the_rate(space: str, name: str) -> None:
    """B circles about z of A for more than three turns while A tumbles: Φ grows by ∫ C v dt."""
    with alone(space, name, "x", "x") as joint:
        system = joint_scene(space, joint.name, ("rigid", "rigid"), 3).system
        q, h, total = np.array(system.q0), 0.02, 0.0
        start = equations(system).Phi[0]
        for _ in range(1000):
            v = circling(system, q)
            total += h * float((equations(system, State(0.0, q, v)).C @ v)[0])
            q = advance(system, q, h * v)
        grown = equations(system, State(0.0, q, 0 * v)).Phi[0] - start
    # Steps of the first order, h = 0.02 over 20 s, are off by some tenths; a lost turn would be off by 6.28.
    assert abs(grown - total) < 1.0
    assert abs(grown) > 6 * math.pi


def circling(system: System, q: Floats) -> Floats:
    """A and B move as one body, and B turns at 1 rad/s about the z axis of A besides."""
    joint, space = system.model.joint("J"), system.space
    v = rigid_motion(system, q, np.full(SIZE[space], 0.1), np.full(SPIN[space], 0.3))
    A = frame_at(system, q, joint.a)
    w = A.R[:, 2] if space == "spatial" else np.ones(1)
    i, j = system.body_v[1:3]
    v[i:j] += np.concatenate([around(w, q[system.body_q[1] :][: SIZE[space]] - A.r), w])
    return v


ROTATIONS = [
    (space, name, one)
    for space, name in JOINTS
    for one in joints.JOINTS_BY_SPACE[space].get(name).free
    if one.coordinate is not None and one.axis and one.rotates
]


@pytest.mark.parametrize(("space", "name", "one"), ROTATIONS, ids=lambda x: getattr(x, "name", x))
def test_driven_rotation(space: str, name: str, one: joints.Freedom) -> None:
    """Three and a half turns forth and five back: the residual of the drive moves by exactly that."""
    e = on_manifold(space, name, (GROUND, "rigid"), 5)
    row = e.system.group(f"drive-{one.name}").start
    start = e.Phi[row]
    for turns in (3.5, -5.0):
        before = e.Phi[row]
        for _ in range(40):
            e = stepped(e, *free_twist(e, one), turns * math.tau / 40)
        # Forty motions at rounding.
        assert e.Phi[row] - before == pytest.approx(turns * math.tau, abs=1e-11)
        assert abs(e.Phi[e.system.group("J").start : e.system.group("J").stop]).max() < 1e-11
    assert e.Phi[row] - start == pytest.approx(-1.5 * math.tau, abs=1e-11)


def wheels(space: str, **parts: object) -> System:
    """Two bodies on ground, their origins in their joints: a wheel on R, and a body on T that turns and slides."""
    host = {"planar": ("revolute", "revolute-translational"), "spatial": ("revolute", "cylindrical")}[space]
    rng = np.random.default_rng(6)
    bodies, ends = [], []
    for name, kind in zip("RT", host, strict=True):
        pose = random_pose(space, rng)
        bodies.append(make_body(name, "rigid", space, pose))
        ends.append(Joint(name, kind, pose.end(GROUND), End(name)))
    return build(Model("wheels", space, tuple(bodies), tuple(ends), **parts))  # type: ignore[arg-type]


def rolled(system: System, q: Floats, turn: float, other: float, shift: float) -> Floats:
    """Wheel R turned, body T turned and shifted along its axis."""
    parts = []
    for name, angle, along in (("R", turn, 0.0), ("T", other, shift)):
        A = frame_at(system, q, system.model.joint(name).a)
        axis = A.R[:, 2] if system.space == "spatial" else A.R[:, 0]
        parts.append(np.concatenate([along * axis, angle * (axis if system.space == "spatial" else np.ones(1))]))
    return advance(system, q, np.concatenate(parts))


@pytest.mark.parametrize("space", SIZE)
def test_gear_rack_and_spring(space: str) -> None:
    """Over four turns a gear pair and a rack stay in mesh, and a torsional spring winds up."""
    R, T = CoordinateName("R"), CoordinateName("T", "rotation")
    couplings = (
        Coupling("gear", "gear", (T, R), FrozenMap({"ratio": -1.5})),
        Coupling("rack", "rack", (CoordinateName("T", "translation"), R), FrozenMap({"radius": 0.2})),
    )
    spring = Force("spring", "torsional-spring-damper", FrozenMap({"joint": R, "stiffness": 3.0, "angle": 0.1}))
    system = wheels(space, couplings=couplings, forces=(spring,))
    q = np.array(system.q0)
    for _ in range(80):
        q = rolled(system, q, math.tau / 20, -1.5 * math.tau / 20, 0.2 * math.tau / 20)
    e = equations(system, State(0.0, q, np.zeros(system.n)))
    for name in ("gear", "rack"):
        assert e.Phi[system.group(name).start] == pytest.approx(0, abs=1e-11)  # eighty steps at rounding
    turn = np.zeros(system.n)
    A = frame_at(system, q, system.model.joint("R").a)
    turn[SIZE[space] : SIZE[space] + SPIN[space]] = A.R[:, 2] if space == "spatial" else 1.0
    assert e.Q @ turn == pytest.approx(-3.0 * (4 * math.tau - 0.1), abs=1e-10)


def test_planet_runs_around_its_sun() -> None:
    """A planet on a fixed sun turns (r_a + r_b)/r_b times as often as its centre goes around."""
    planet = Body("planet", 1.0, (0.1,), position=(0.5, 0.0))
    gear = Joint("J", "gear", End(GROUND), End("planet"), FrozenMap({"radius_a": 0.3, "radius_b": 0.2, "offset": 0.0}))
    system = build(Model("sun", "planar", (planet,), (gear,)))
    q = np.array(system.q0)
    for theta in np.linspace(0, 5 * math.tau, 101)[1:]:
        target = np.array([0.5 * math.cos(theta), 0.5 * math.sin(theta), 2.5 * theta])
        q = advance(system, q, target - q[:3])
    # A hundred steps at rounding, times radii below 1.
    assert equations(system, State(0.0, q, np.zeros(3))).Phi[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("turns", [0, 2, -3])
def test_drive_starts_on_its_own_turn(turns: int) -> None:
    """A wheel posed at 0.3 rad, driven from 0.3 rad and some turns: it is where the drive wants it."""
    start = turns * math.tau + 0.3
    wheel = Body("b", position=(0, 0, 0), orientation=(math.cos(0.15), 0, 0, math.sin(0.15)))
    hinge = Joint("J", "revolute", End(GROUND), End("b"))
    drive = Drive("D", CoordinateName("J"), Constant(start))
    system = build(Model("driven", "spatial", (wheel,), (hinge,), (drive,)))
    assert equations(system).Phi[system.group("D").start] == pytest.approx(0, abs=1e-14)
