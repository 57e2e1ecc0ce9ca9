"""Assembly closes rough poses, keeps bodies put, and says what cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.errors import AssemblyError, ModelError
from reactio.kinematics.assemble import assembly_record, initial_state
from reactio.kinematics.body_state import model_at
from reactio.system.evaluate.coordinates import advance


def rough(system: reactio.System, size: float, seed: int = 0) -> reactio.State:
    """A state displaced at random by a part of the characteristic length."""
    random = np.random.default_rng(seed)
    angular = np.array(system.column_units) == "rad/s"
    d = size * random.standard_normal(system.n) * np.where(angular, 1.0, system.length)
    return reactio.State(0.0, advance(system, system.q0, d), random.standard_normal(system.n))


@pytest.mark.parametrize("name", library.names())
def test_rough_poses_are_closed(name: str) -> None:
    system = reactio.build(reactio.load(name))
    state = reactio.assemble(system, rough(system, 0.03))
    eqs = reactio.equations(system, state)
    # Stated limits: 1e-9 of the characteristic length where rounding ends progress, velocities likewise.
    assert np.abs(eqs.Phi).max() <= 1e-9 * system.length
    assert np.abs(eqs.C @ state.v - eqs.nu).max() <= 1e-8 * (1 + np.abs(state.v).max())


def test_kept_bodies_stay_put() -> None:
    """Leg 1 leans more than the others; kept put, it makes the platform and all other legs follow."""
    system = reactio.build(reactio.load("five-leg-parallelogram"))
    leg, platform = (system.model.body_index[name] for name in ("leg1", "platform"))
    own = slice(system.body_q[leg], system.body_q[leg + 1])
    q = np.array(system.q0)
    angle = q[own][2] + 0.1
    q[own] = 0.5 * np.cos(angle), 0.5 * np.sin(angle), angle
    state = reactio.assemble(system, reactio.State(0.0, q, system.v0), keep=["leg1"])
    assert np.array_equal(state.q[own], q[own])
    place = slice(system.body_q[platform], system.body_q[platform + 1])
    assert np.abs(state.q[place] - q[place]).max() > 1e-3


def test_unknown_body_to_keep() -> None:
    system = reactio.build(reactio.load("door"))
    with pytest.raises(reactio.ReactioError, match=r"no body 'dor'.*'door'"):
        reactio.assemble(system, keep=["dor"])


def test_impossible_mechanism_names_the_joints() -> None:
    """A rod of 0.5 m cannot span two fixed points 1 m apart."""
    text = """
space: planar
bodies: {bar: {mass: 1, inertia: 1, position: [0.25, 0]}}
joints:
  A: {type: revolute, a: ground, b: {body: bar, point: [-0.25, 0]}}
  B: {type: revolute, a: {body: ground, point: [1, 0]}, b: {body: bar, point: [0.25, 0]}}
"""
    system = reactio.build(reactio.parse_model(text))
    with pytest.raises(AssemblyError, match=r"cannot be assembled.*'[AB]' is off by 0\.25 m"):
        reactio.assemble(system)


def test_contradictory_drives_are_named() -> None:
    text = """
space: planar
bodies: {slide: {mass: 1, inertia: 1}}
joints: {P: {type: translational, bodies: [ground, slide], at: [0, 0], axis: [1, 0]}}
drives: {one: {joint: P, function: t}, two: {joint: P, function: 2*t}}
"""
    system = reactio.build(reactio.parse_model(text))
    with pytest.raises(AssemblyError, match=r"no velocities satisfy .*drive 'one'.*drive 'two'"):
        reactio.assemble(system)


@pytest.mark.parametrize("length", [1e-6, 1e-3, 1.0, 1e2, 1e4])
def test_angles_are_angles_at_any_size(length: float) -> None:
    """Two welds that are turned by an angle against each other: the body lies between them, each off by half of it."""

    def twice_welded(angle: float) -> reactio.System:
        other = f"point: [{length}, 0, 0], orientation: "
        return reactio.build(
            reactio.parse_model(f"""
space: spatial
bodies: {{a: {{mass: 1, inertia: [{length**2}, {length**2}, {length**2}]}}}}
joints:
  A: {{type: fixed, a: ground, b: a}}
  B:
    type: fixed
    a: {{body: ground, {other}{{axis: [1, 0, 0], angle: {angle}}}}}
    b: {{body: a, {other}[1, 0, 0, 0]}}
""")
        )

    for angle in (1e-12, 1e-9, 1e-8, 9e-6):  # rounding, and digits of the given pose
        system = twice_welded(angle)
        eqs = reactio.equations(system, reactio.assemble(system))
        assert np.abs(eqs.Phi).max() <= angle
    for angle in (1e-4, 1e-3):
        with pytest.raises(AssemblyError, match=rf"no pose nearby satisfies.* off by {angle / 2:.4g} rad"):
            reactio.assemble(twice_welded(angle))


def test_gaps_are_counted_by_what_does_not_meet() -> None:
    """Gaps of 2 µm in a mechanism of 1 m are digits; in one of 10 cm they are not, and there are two."""
    text = """
space: planar
bodies: {{a: {{mass: 1, inertia: 1, position: [2e-6, 0]}}}}
joints:
  A: {{type: revolute, a: ground, b: a}}
  B: {{type: revolute, a: {{body: ground, point: [{L}, 0]}}, b: {{body: a, point: [{L}, 0]}}}}
"""
    initial_state(reactio.build(reactio.parse_model(text.format(L=1.0))))
    with pytest.raises(ModelError, match=r"off by 2e-06 m \(1 more does not close either\)"):
        initial_state(reactio.build(reactio.parse_model(text.format(L=0.1))))


def test_start_refuses_poses_that_do_not_meet() -> None:
    model = reactio.load("four-bar-planar")
    crank = model.bodies[0]
    moved = replace(crank, position=(crank.position[0] + 0.01, crank.position[1]))
    system = reactio.build(replace(model, bodies=(moved, *model.bodies[1:]), source=""))
    with pytest.raises(ModelError, match=r"joint '[AB]'.*off by 0\.0\d+ m.*reactio assemble"):
        initial_state(system)
    found = assembly_record(system)
    # Both joints of the crank are off by the 0.01 m it was moved; the largest component along a joint axis is listed.
    assert {g.name for g in found.gaps} == {"A", "B"}
    assert 0 < found.moved < 0.05


def test_posed_model_closes_and_keeps_what_the_pose_decided() -> None:
    """A rod whose length came from the given pose keeps that length when the pose is mended."""
    text = """
space: planar
bodies:
  a: {mass: 1, inertia: 1, position: [0, 0]}
  b: {mass: 1, inertia: 1, position: [2.001, 0]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  R: {type: distance, a: a, b: b}
  B: {type: translational, a: {body: ground, point: [2, 0.001]}, b: b, axis: [1, 0]}
"""
    system = reactio.build(reactio.parse_model(text))
    model = model_at(system, reactio.assemble(system))
    assert model.joint("R").parameters["length"] == pytest.approx(2.001, abs=1e-15)
    assert np.abs(reactio.equations(reactio.build(model)).Phi).max() < 1e-9


def test_large_chain_uses_the_sparse_path() -> None:
    system = reactio.build(reactio.load("n-four-bar", N=300))
    state = reactio.assemble(system, rough(system, 1e-3))
    eqs = reactio.equations(system, state)
    assert np.abs(eqs.Phi).max() <= 1e-9
    assert np.abs(eqs.C @ state.v - eqs.nu).max() <= 1e-8 * (1 + np.abs(state.v).max())
