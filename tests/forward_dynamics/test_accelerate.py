"""Accelerations: against the written-out equations, without mass, and with constraints that contradict."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.errors import AssemblyError
from reactio.forward_dynamics.accelerate import (
    InconsistentConstraints,
    UndeterminedMotion,
    accelerations,
    determined_accelerations,
)
from reactio.simulation.state_at import state_at


def moving(name: str, seed: int = 0) -> reactio.Equations:
    """A library mechanism at its start, with admissible velocities that are otherwise random."""
    system = reactio.build(reactio.load(name))
    start = reactio.assemble(system)
    v = np.random.default_rng(seed).standard_normal(system.n)
    return reactio.equations(system, reactio.assemble(system, reactio.State(start.t, start.q, v)))


@pytest.mark.parametrize("name", library.names())
def test_null_space_equations_are_met(name: str) -> None:
    """[TᵀM; C] v̇ = [TᵀQ; Γ], Wojtyra & Fraczek 2013, Eq. 13, with T from an independent SVD."""
    eqs = moving(name)
    found = accelerations(eqs)
    C, M = eqs.C.toarray(), eqs.M.toarray()
    T = np.linalg.svd(C)[2][np.linalg.matrix_rank(C, tol=1e-9) :].T
    assert found.unique
    assert found.free.shape == (eqs.system.n, 0)
    # Rounding of a dense solution: 1e-16 times condition numbers up to 1e5, relative to the terms.
    size = 1 + np.abs(found.vdot).max()
    assert np.abs(C @ found.vdot - eqs.Gamma).max() <= 1e-10 * size * (1 + np.abs(C).max())
    assert np.abs(T.T @ found.f).max(initial=0.0) <= 1e-10 * (np.abs(eqs.Q).max() + np.abs(M).max() * size)


def test_free_body_falls() -> None:
    text = "{space: planar, gravity: [0, -9.81], bodies: {b: {mass: 2, inertia: 1}}}"
    found = accelerations(reactio.equations(reactio.build(reactio.parse_model(text))))
    assert found.vdot == pytest.approx([0.0, -9.81, 0.0], rel=1e-15)  # one product with a root and its inverse
    assert found.f == pytest.approx([0.0, 0.0, 0.0], abs=1e-14)  # rounding of 20 N


CHAIN = """
space: planar
gravity: [0, -9.81]
bodies:
  link: {{mass: {mass}, inertia: {inertia}, position: [0.5, 0]}}
  bob: {{kind: point, mass: 3, position: [1, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, link], at: [0, 0]}}
  B: {{type: revolute, a: {{body: link, point: [0.5, 0]}}, b: bob}}
"""


def test_massless_link_makes_a_mathematical_pendulum() -> None:
    """A bob of 3 kg on a massless link at the horizontal, at rest: α = −g/l, and no force in the pin at the top."""
    eqs = reactio.equations(reactio.build(reactio.parse_model(CHAIN.format(mass=0, inertia=0))))
    found = accelerations(eqs)
    assert found.unique
    # Exact up to rounding of a system of eight unknowns.
    assert found.vdot == pytest.approx([0, -9.81 / 2, -9.81, 0, -9.81], abs=1e-12)
    assert found.f == pytest.approx(np.zeros(5), abs=1e-11)


def test_massless_is_the_limit_of_light() -> None:
    """v̇ depends smoothly on the mass of the link: 1e-9 kg changes it by parts in 1e9."""
    none = accelerations(reactio.equations(reactio.build(reactio.parse_model(CHAIN.format(mass=0, inertia=0)))))
    light = accelerations(reactio.equations(reactio.build(reactio.parse_model(CHAIN.format(mass=1e-9, inertia=1e-10)))))
    assert none.vdot == pytest.approx(light.vdot, abs=1e-8)


SPINNER = """
space: planar
gravity: [0, -9.81]
bodies:
  arm: {mass: 1, inertia: 1/12, position: [0.5, 0]}
  pin: {mass: 0, position: [1, 0]}
joints:
  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}
  B: {type: revolute, bodies: [arm, pin], at: [1, 0]}
"""


def test_undetermined_rotation_is_named_and_not_zero() -> None:
    """A massless pin turns freely about its hinge: its rotation is open, everything else is not."""
    eqs = reactio.equations(reactio.build(reactio.parse_model(SPINNER)))
    found = accelerations(eqs)
    assert not found.unique
    assert found.undetermined == ("pin",)
    assert found.free.shape == (6, 1)
    assert np.flatnonzero(np.isnan(found.vdot)).tolist() == [5]
    assert np.abs(found.free[:5]).max() < 1e-12  # exact zeros but for rounding of an orthonormal basis
    alpha = -1.5 * 9.81  # rod about its end
    assert found.vdot[:5] == pytest.approx([0, alpha / 2, alpha, 0, alpha], abs=1e-11)
    with pytest.raises(UndeterminedMotion, match=r"'pin' is not determined.*1 direction\."):
        determined_accelerations(eqs)


def test_load_on_a_free_massless_body_has_no_answer() -> None:
    text = SPINNER + "forces: {push: {type: torque, at: pin, torque: 2.5}}"
    eqs = reactio.equations(reactio.build(reactio.parse_model(text)))
    with pytest.raises(UndeterminedMotion, match=r"'pin' has no mass.*2\.5 N m"):
        accelerations(eqs)


TWO_DRIVES = """
space: planar
bodies: {slide: {mass: 1, inertia: 1}, other: {mass: 1, inertia: 1}}
joints:
  P: {type: translational, bodies: [ground, slide], at: [0, 0], axis: [1, 0]}
  R: {type: revolute, bodies: [ground, other], at: [0, 0]}
drives: {one: {joint: P, function: t**2}, two: {joint: P, function: 2*t**2}}
"""


def test_contradicting_drives_are_named_with_their_residuals() -> None:
    """ẍ = 2 and ẍ = 4: the compromise 3 misses each by 1 m/s²; positions and velocities agree at t = 0."""
    system = reactio.build(reactio.parse_model(TWO_DRIVES))
    eqs = reactio.equations(system, reactio.assemble(system))
    with pytest.raises(InconsistentConstraints, match=r"drive 'one' by 1 m/s².*drive 'two' by 1 m/s²") as caught:
        accelerations(eqs)
    assert {name for name, _, _ in caught.value.residuals} == {"one", "two"}
    with pytest.raises(InconsistentConstraints):
        state_at(system, 0.1)


ROTOR = """
space: planar
bodies:
  slide: {{mass: 1, inertia: 1}}
  rotor: {{mass: 1, inertia: 1, position: [3, 0], center: [0.5, 0], angular_velocity: {spin}}}
joints:
  P: {{type: translational, a: ground, b: slide}}
  S: {{type: revolute, a: {{body: ground, point: [3, 0]}}, b: rotor}}
drives: {{p: {{joint: P, function: {p}}}, q: {{joint: P, function: {q}}}}}
"""


@pytest.mark.parametrize("spin", [0, 1000, 3000, 1e5])
def test_what_moves_fast_elsewhere_hides_no_contradiction(spin: float) -> None:
    """The rotor and the slide have nothing to do with each other."""
    system = reactio.build(reactio.parse_model(ROTOR.format(spin=spin, p="t**2", q="1.1*t**2")))
    with pytest.raises(InconsistentConstraints, match=r"drive 'p' by 0.1 m/s².*drive 'q' by 0.1 m/s²") as caught:
        accelerations(reactio.equations(system, reactio.assemble(system)))
    assert {name for name, _, _ in caught.value.residuals} == {"p", "q"}
    agreed = reactio.build(reactio.parse_model(ROTOR.format(spin=spin, p="t**2", q="t**2")))
    found = accelerations(reactio.equations(agreed, reactio.assemble(agreed)))
    assert found.vdot[0] == pytest.approx(2.0, abs=1e-15 * (1 + 0.5 * spin**2))  # rounding of the rotor's


def test_what_moves_fast_elsewhere_hides_no_velocities_that_contradict() -> None:
    """Drives at 1 and 1 + 1e-5 m/s beside a rotor of 1e5 rad/s."""
    system = reactio.build(reactio.parse_model(ROTOR.format(spin=1e5, p="t", q="1.00001*t")))
    with pytest.raises(AssemblyError, match=r"drive '[pq]' is off by 5e-06 m/s"):
        reactio.assemble(system)


def test_consistent_double_drive_is_fine() -> None:
    text = TWO_DRIVES.replace("2*t**2", "t**2")
    found = accelerations(reactio.equations(reactio.build(reactio.parse_model(text))))
    assert found.vdot[0] == pytest.approx(2.0, abs=1e-13)


def test_a_large_chain_is_solved_sparsely() -> None:
    """903 velocities: residuals of both equations at the rounding of a refined sparse solution."""
    system = reactio.build(reactio.load("n-four-bar", N=150))
    eqs = reactio.equations(system, reactio.assemble(system))
    found = accelerations(eqs)
    assert np.abs(eqs.C @ found.vdot - eqs.Gamma).max() < 1e-9
    # All cranks stay parallel: the hinges at the top share one acceleration.
    couplers = [system.body_v[system.model.body_index[b.name]] for b in system.model.bodies if b.position[1] == 1.0]
    assert np.ptp(found.vdot[couplers]) < 1e-8


def test_velocities_that_no_motion_continues() -> None:
    """Flat double four-bar: admissible velocities off its three branches have no acceleration, those on them have."""
    system = reactio.build(reactio.load("double-four-bar", theta=0))
    start = reactio.assemble(system)
    on = reactio.equations(system, start)  # all cranks parallel
    assert np.abs(on.C @ accelerations(on).vdot - on.Gamma).max() < 1e-12  # rounding at speeds of 1 m/s
    v = np.random.default_rng(0).standard_normal(system.n)
    off = reactio.equations(system, reactio.assemble(system, reactio.State(0.0, start.q, v)))
    with pytest.raises(InconsistentConstraints, match="other velocities if the pose is singular"):
        accelerations(off)
