"""Velocities that violate constraints: the nearest admissible ones in kinetic energy, in any coordinates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.catalogue.places import End
from reactio.kinematics.assemble import assembly_record
from reactio.kinematics.body_state import body_state, centre, model_at
from reactio.model.specs import Body
from reactio.model.transform.natural import natural


def thrown(name: str, seed: int = 0) -> reactio.Model:
    """A mechanism whose bodies are given velocities at random, which its joints do not allow."""
    model = reactio.load(name)
    random = np.random.default_rng(seed)
    bodies = tuple(
        replace(
            b,
            velocity=tuple(random.standard_normal(len(b.velocity))),
            angular_velocity=tuple(random.standard_normal(len(b.angular_velocity))),
        )
        for b in model.bodies
    )
    return replace(model, bodies=bodies, source="")


def test_a_rod_that_is_caught_at_its_end() -> None:
    """A uniform rod moving across itself at u is caught at one end: ω = 3u/2l, by its moment about that end."""
    text = """
space: planar
bodies: {rod: {mass: 3, inertia: 1, position: [1, 0], velocity: [0, 4]}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
"""
    state = reactio.assemble(reactio.build(reactio.parse_model(text)))  # l = 2 m, J = m l²/12
    assert state.v == pytest.approx([0.0, 3.0, 3.0], abs=1e-14)  # rounding of a solution of size 3


def test_what_is_taken_away_does_no_work_on_admissible_motions() -> None:
    """Tᵀ M (v − v₀) = 0."""
    system = reactio.build(thrown("two-by-two-four-bar"))
    state = reactio.assemble(system)
    eqs = reactio.equations(system, state)
    T = reactio.check(system, state).T
    assert np.abs(T.T @ (eqs.M @ (state.v - system.v0))).max() < 1e-10  # rounding of a least-squares solution
    assert np.abs(eqs.C @ state.v).max() < 1e-12


def test_bodies_that_cannot_keep_their_velocity_lose_it() -> None:
    """The pivot of ``a`` moves, so it cannot stay as given; the nearest is then that of both rates α̇, β̇ at will.

    v = T (α̇, β̇) with Tᵀ M (v − v₀) = 0:  a turns about the origin, b's origin goes with the end of a.
    """
    model = reactio.parse_model("""
space: planar
bodies:
  a: {mass: 1, inertia: 0.1, velocity: [0, 1], angular_velocity: 2, center: [0.5, 0]}
  b: {mass: 5, inertia: 0.3, position: [1, 0], velocity: [0.3, 0.2], angular_velocity: 0.7, center: [0.5, 0]}
joints:
  A: {type: revolute, a: ground, b: a}
  B: {type: revolute, a: {body: a, point: [1, 0]}, b: b}
""")
    system = reactio.build(model)
    M, v0 = reactio.equations(system).M.toarray(), system.v0
    T = np.array([[0, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1]]).T
    nearest = T @ np.linalg.solve(T.T @ M @ T, T.T @ M @ v0)
    assert reactio.assemble(system, keep=["a"]).v == pytest.approx(nearest, abs=1e-13)  # rounding of some rad/s
    # One that can stay does, and the other pays for it.
    free = replace(model.bodies[0], velocity=(0.0, 0.0))
    kept = reactio.assemble(reactio.build(replace(model, bodies=(free, model.bodies[1]))), keep=["a"])
    assert kept.v[:3].tolist() == [0.0, 0.0, 2.0]
    assert kept.v[4] == pytest.approx(2.0, abs=1e-13)


@pytest.mark.parametrize("name", ["four-bar-planar", "four-bar-spatial", "bennett", "double-four-bar"])
def test_natural_coordinates_move_alike(name: str) -> None:
    model = thrown(name)
    runs = [reactio.simulate(m, until=0.5, tol=1e-10, output=3) for m in (model, natural(model))]
    for body in model.bodies:
        one, other = (run.body(body.name) for run in runs)
        # Two integrations at 1e-10; velocities at the start agree to rounding.
        assert other.velocity[0] == pytest.approx(one.velocity[0], abs=1e-11)
        assert other.position == pytest.approx(one.position, abs=1e-7)
        assert other.velocity == pytest.approx(one.velocity, abs=1e-6)
    changes = [assembly_record(reactio.build(m)).velocity_change for m in (model, natural(model))]
    assert changes[1] == pytest.approx(changes[0], rel=1e-9)
    assert changes[0] > 0.1


def shifted(model: reactio.Model, s: tuple[float, ...]) -> reactio.Model:
    """The same planar mechanism with the origin of every body moved by s in body axes."""

    def moved(body: Body) -> Body:
        arm = complex(*s) * np.exp(1j * body.orientation[0])
        way = 1j * body.angular_velocity[0] * arm
        return replace(
            body,
            position=(body.position[0] + arm.real, body.position[1] + arm.imag),
            velocity=(body.velocity[0] + way.real, body.velocity[1] + way.imag),
            center=tuple(np.subtract(body.center, s)),
            points={},
            frames={},
        )

    def end(given: End) -> End:
        return given if given.body == "ground" else replace(given, point=tuple(np.subtract(given.point, s)))

    joints = tuple(replace(j, a=end(j.a), b=end(j.b)) for j in model.joints)
    return replace(model, bodies=tuple(moved(b) for b in model.bodies), joints=joints, forces=(), source="")


def scaled(model: reactio.Model, k: float) -> reactio.Model:
    """The same planar mechanism k times as large, its times and masses as before."""

    def longer(numbers: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(k * x for x in numbers)

    bodies = tuple(
        replace(
            b,
            position=longer(b.position),
            velocity=longer(b.velocity),
            center=longer(b.center),
            inertia=longer(longer(b.inertia)),
            points={},
            frames={},
        )
        for b in model.bodies
    )
    ends = [(replace(j.a, point=longer(j.a.point)), replace(j.b, point=longer(j.b.point))) for j in model.joints]
    joints = tuple(replace(j, a=a, b=b) for j, (a, b) in zip(model.joints, ends, strict=True))
    return replace(model, bodies=bodies, joints=joints, gravity=longer(model.gravity), forces=(), source="")


def spins(model: reactio.Model) -> tuple[list[float], list[np.ndarray]]:
    """Angular velocities, and velocities of centres of mass, that an assembly starts with."""
    system = reactio.build(model)
    state = reactio.assemble(system)
    found = [body_state(system, b, state.q, state.v) for b in range(len(model.bodies))]
    arms = [centre(system, b, state.q) - one.position for b, one in enumerate(found)]
    turning = [float(one.angular_velocity[0]) for one in found]
    moving = [one.velocity + w * np.array([-arm[1], arm[0]]) for one, w, arm in zip(found, turning, arms, strict=True)]
    return turning, moving


def test_neither_reference_points_nor_units_matter() -> None:
    model = thrown("four-bar-planar")
    turning, moving = spins(model)
    for other, factor in ((shifted(model, (0.7, -0.3)), 1.0), (scaled(model, 1000.0), 1000.0)):
        again, velocities = spins(other)
        assert again == pytest.approx(turning, abs=1e-12)  # rounding of arms of 1 m
        assert np.array(velocities) == pytest.approx(factor * np.array(moving), abs=factor * 1e-12)


def test_bodies_without_mass_follow() -> None:
    """A massless rod between two sliders passes their momentum on: both end at (m₁u₁ + m₂u₂)/(m₁ + m₂)."""
    text = """
space: planar
bodies:
  a: {mass: 1, inertia: 1, position: [0, 0], velocity: [3, 0]}
  rod: {mass: 0, position: [0.5, 0]}
  b: {mass: 2, inertia: 1, position: [1, 0]}
joints:
  P: {type: translational, bodies: [ground, a], at: [0, 0], axis: [1, 0]}
  Q: {type: translational, bodies: [ground, b], at: [1, 0], axis: [1, 0]}
  A: {type: revolute, bodies: [a, rod], at: [0, 0]}
  B: {type: revolute, bodies: [rod, b], at: [1, 0]}
"""
    system = reactio.build(reactio.parse_model(text))
    state = reactio.assemble(system)
    # The rod has an added inertia of 1e-9 of 1: what it takes of the momentum is of that size.
    assert state.v[[0, 3, 6]] == pytest.approx([1.0, 1.0, 1.0], abs=1e-8)


def test_a_model_of_geometry_alone_moves_too() -> None:
    model = reactio.load("four-bar-planar")
    bare = tuple(replace(b, mass=None, inertia=(), angular_velocity=(1.0,)) for b in model.bodies)
    system = reactio.build(replace(model, bodies=bare, gravity=(), forces=(), source=""))
    state = reactio.assemble(system)
    assert np.abs(reactio.equations(system, state).C @ state.v).max() < 1e-12
    assert np.abs(state.v).max() > 0.1


def test_a_run_says_what_was_violated_and_by_how_much() -> None:
    text = """
space: planar
bodies: {rod: {mass: 3, inertia: 1, position: [1, 0], velocity: [0, 4]}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
"""
    run = reactio.simulate(reactio.parse_model(text), until=0.1)
    (note,) = run.notes
    assert "joint 'A' by 4 m/s" in note  # the end of the rod moves at 4 m/s
    # The centre slows from 4 to 3 m/s; the rotation of 3 rad/s on the length of 1 m changes most.
    assert "in kinetic energy" in note
    assert "up to 3 m/s away" in note
    again = reactio.simulate(model_at(run.system, run.state(0)), until=0.1)
    assert again.notes == ()
