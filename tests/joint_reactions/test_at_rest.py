"""Mechanisms that stand still, come to rest, or only move as they are driven: what is said of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.shared_models import DRIVEN_PARALLELOGRAM

import reactio
from reactio.forward_dynamics.accelerate import CONTRADICTION, InconsistentConstraints, check_consistent
from reactio.forward_dynamics.branch_limit import SingularStart
from reactio.joint_reactions.at_singular import refuse_locked
from reactio.model.model import Model
from reactio.simulation.start import start_notes
from reactio.system.types import State


def still(model: Model) -> Model:
    bodies = tuple(replace(body, velocity=(), angular_velocity=()) for body in model.bodies)
    return replace(model, bodies=bodies, gravity=(), forces=(), source="")


@pytest.mark.parametrize("gravity", [True, False])
def test_energy_of_a_mechanism_at_rest_balances(gravity: bool) -> None:
    """A held four-bar: kinetic energies of 1e-30 J were compared with each other, and differed by all of it."""
    text = DRIVEN_PARALLELOGRAM.replace("function: 1*t", "function: 0*t")
    model = reactio.parse_model(text + ("gravity: [0, -9.81]\n" if gravity else ""))
    state = reactio.assemble(reactio.build(model))
    noise = State(0.0, state.q, 1e-16 * np.ones_like(state.v))  # rounding, as other models have it
    run = reactio.simulate(model, until=1.0, state=noise)
    assert run.energy_error == pytest.approx(0.0, abs=1e-6)


STRAIGHT = """
space: planar
gravity: [0, -9.81]
bodies:
  near: {mass: 1, inertia: 0.1, position: [0.5, 0]}
  far: {mass: 2, inertia: 0.1, position: [1.5, 0]}
joints:
  begin: {type: revolute, bodies: [ground, near], at: [0, 0]}
  middle: {type: revolute, bodies: [near, far], at: [1, 0]}
  end: {type: revolute, bodies: [ground, far], at: [2, 0]}
"""


def test_velocities_of_rounding_are_no_motion() -> None:
    """A toggle that lies straight, pushed where it only seems to move: rounding in v is no start beside the pose."""
    system = reactio.build(reactio.parse_model(STRAIGHT))
    pose = State(0.0, system.q0, np.zeros(system.n))
    direction = reactio.equations(system, pose).solvability.T[:, 0]
    for size in (0.0, 1e-17, 1e-10):
        with pytest.raises(SingularStart, match="at rest in a singular pose"):
            refuse_locked(system, replace(pose, v=size * direction))
    refuse_locked(system, replace(pose, v=1e-3 * direction))  # a motion: what becomes of it the run tells


def test_a_drive_starts_its_mechanism_without_a_word() -> None:
    """A drive at 200 rad/s, and no velocities given."""
    text = DRIVEN_PARALLELOGRAM.replace("function: 1*t", "function: 200*t")
    system = reactio.build(reactio.parse_model(text))
    assert start_notes(system) == ()
    run = reactio.simulate(system, until=1e-3)
    assert run.notes == ()
    assert run.v[0, 2] == pytest.approx(200.0)


def test_wrong_velocities_are_still_said() -> None:
    text = DRIVEN_PARALLELOGRAM.replace("mass: 2,", "mass: 2, velocity: [0, 3],")
    (note,) = start_notes(reactio.build(reactio.parse_model(text)))
    assert "violate" in note


def test_a_driven_mechanism_moves_as_it_is_driven() -> None:
    found = reactio.mobility(reactio.parse_model(DRIVEN_PARALLELOGRAM))
    assert found.finite == 0
    assert found.words == ("Its drives determine its motion, and it has no freedom besides the drive.",)


def test_accelerations_that_have_died_away_contradict_nothing() -> None:
    """What comes to rest leaves accelerations of 1e-180 m/s², all of them noise: redundant rows may differ by that."""
    system = reactio.build(still(reactio.load("double-four-bar")))
    state = reactio.assemble(system)
    eqs = reactio.equations(system, State(0.0, state.q, np.zeros(system.n)))
    noise = 1e-180 * np.random.default_rng(1).standard_normal(system.n)
    check_consistent(eqs, noise, np.zeros(system.n), CONTRADICTION)
    with pytest.raises(InconsistentConstraints):
        check_consistent(eqs, 1e200 * noise, np.zeros(system.n), CONTRADICTION)


HUNG = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {top: {mass: 10, inertia: [1, 1, 1]}}
joints:
"""


def test_what_hangs_at_rest_in_a_singular_pose_has_the_reactions_of_statics() -> None:
    """A plate on four parallel rods: beside the pose C has one more independent row, but nothing pushes it there.

    With rods of stiffness k, 2k, k, k at the corners and the self-stress (1, -1, -1, 1), F = diag(1, ½, 1, 1)/k:
    λ = mg/4 (1, 1, 1, 1) − mg/4 (½ / 3.5) (1, -1, -1, 1).
    """
    rods = "".join(
        f"  rod{k}: {{type: distance, a: {{body: ground, point: [{x}, {y}, 1]}}, "
        f"b: {{body: top, point: [{x}, {y}, 0]}}, stiffness: {s}}}\n"
        for k, (x, y, s) in enumerate([(0.1, 0.1, 1e6), (-0.1, 0.1, 2e6), (0.1, -0.1, 1e6), (-0.1, -0.1, 1e6)])
    )
    eqs = reactio.equations(reactio.build(reactio.parse_model(HUNG + rods)))
    assert np.isnan(reactio.reactions(eqs)["rod0"].force[2])  # redundant in this pose
    found = reactio.reactions(eqs, "compliance")
    quarter, shift = 10 * 9.81 / 4, 10 * 9.81 / 4 / 7
    exact = [quarter - shift, quarter + shift, quarter + shift, quarter - shift]
    assert [found[f"rod{k}"].force[2] for k in range(4)] == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize("kind", ["cable", "distance"])
def test_reactions_of_an_open_joint_are_refused(kind: str) -> None:
    """As by every command: a length of 0.9 m between points that are 1 m apart."""
    ends = f"{{type: {kind}, a: ground, b: lamp, length: 0.9}}"
    text = f"space: planar\nbodies: {{lamp: {{mass: 2, inertia: 0.1, position: [0, -1]}}}}\njoints: {{rope: {ends}}}\n"
    with pytest.raises(reactio.ReactioError, match=r"'rope'.* 0\.1 m"):
        reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(text))))
