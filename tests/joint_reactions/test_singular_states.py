"""Reactions at one instant on its own, in singular poses: those of the motion, or none; never those of C alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.catalogue.places import ReactionAxes
from reactio.forward_dynamics.branch_limit import SingularStart
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import judge

from ..shared_models import TAUT_BARS

# A parallelogram with cranks of 1 m, 2 m apart, turned at a constant rate; flat at th = 0.
PARALLELOGRAM = """
space: planar
gravity: [0, -9.81]
parameters: {th: 0, w: -2}
bodies:
  one: {mass: 1, inertia: 0.1, center: [0.5, 0], angle: th, angular_velocity: w}
  two: {mass: 1, inertia: 0.1, center: [0.5, 0], position: [2, 0], angle: th, angular_velocity: w}
  rod: {mass: 2, inertia: 0.3, position: [1 + cos(th), sin(th)], velocity: [-w*sin(th), w*cos(th)]}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0]}
  B: {type: revolute, bodies: [one, rod], at: [cos(th), sin(th)]}
  C: {type: revolute, bodies: [rod, two], at: [2 + cos(th), sin(th)]}
  D: {type: revolute, bodies: [two, ground], at: [2, 0]}
drives: {motor: {joint: A, function: w*t}}
"""


def now(model: reactio.Model) -> Reactions:
    system = reactio.build(model)
    return reactio.reactions(reactio.equations(system, reactio.assemble(system)))


@pytest.mark.parametrize("th", [0.0, 0.4])
def test_the_torque_of_a_drive_is_that_of_virtual_power(th: float) -> None:
    """At a constant rate only weights have power: M = (m₁/2 + m₂/2 + m) g cos θ, flat or not."""
    motor = now(reactio.parse_model(PARALLELOGRAM, th=th))["motor"]
    assert motor.unique
    assert motor.moment[0] == pytest.approx(3 * 9.81 * np.cos(th), abs=1e-7)  # the limit of differences


def test_nothing_is_unique_where_the_flat_double_four_bar_bears_what_grows_beyond_bounds() -> None:
    found = now(reactio.load("double-four-bar", theta=0.0))
    assert all(np.isnan(found[name].force).all() and not found[name].unique for name in found)


def test_numbers_in_a_singular_pose_are_those_of_the_run_there() -> None:
    """The run has its accelerations from compiled steps beside the pose, the instant from poses that are assembled."""
    model = reactio.load("modified-double-four-bar", theta=0.0)
    here, run = now(model), reactio.simulate(model, until=0.02, output=2)
    known = 0
    for name in here:
        given = ~np.isnan(here[name].force)
        assert here[name].force[given] == pytest.approx(run[name].force[0][given], abs=1e-7)  # limits of differences
        known += int(given.sum())
    assert known == 6  # across the bars


def test_a_pose_at_rest_that_it_cannot_leave_has_no_reactions_and_no_motion() -> None:
    model = reactio.parse_model(TAUT_BARS.format(g=-9.81))
    assert all(np.isnan(one.force).all() and not one.unique for one in now(model).values())
    with pytest.raises(SingularStart, match="only infinitesimal"):
        reactio.simulate(model, until=1.0)
    still = reactio.simulate(reactio.parse_model(TAUT_BARS.format(g=0)), until=1.0)  # nothing pushes it
    assert np.array_equal(still.final.q, reactio.build(still.system.model).q0)
    along = TAUT_BARS.format(g=0).replace("gravity: [0, 0]", "gravity: [-9.81, 0]")  # along the bars: nothing either
    assert np.abs(reactio.simulate(reactio.parse_model(along), until=0.1).final.v).max() < 1e-9


def test_runs_of_no_length_know_their_pose_too() -> None:
    model = reactio.parse_model(PARALLELOGRAM)
    assert reactio.simulate(model, until=0.0).last_reactions["motor"].moment[0] == pytest.approx(29.43, abs=1e-7)


@pytest.mark.parametrize("name", ["mobile-robot", "door", "spatial-parallelogram", "sarrus", "table", "bennett"])
def test_regular_poses_are_judged_by_what_they_are(name: str) -> None:
    system = reactio.build(reactio.load(name))
    assert judge(reactio.equations(system, reactio.assemble(system))).motion is None


def test_turning_on_knife_edges_with_rows_in_joint_axes_is_not_a_singular_pose() -> None:
    """Knife edges restrict velocities, not poses: the poses nearby, which show that the rank stays, must close.

    The edges depend on the rows of the hinges, which off their closed poses turn with the bodies; the axes in which the
    rows are written change no verdict and no unique reaction.
    """
    model = reactio.load("mobile-robot")
    in_joint_axes = replace(model, joints=tuple(replace(joint, rows=ReactionAxes.JOINT) for joint in model.joints))
    state = reactio.simulate(model, 2.5, output=2).state(1)
    world, joint = (reactio.reactions(reactio.equations(reactio.build(m), state)) for m in (model, in_joint_axes))
    assert {name for name in joint if joint[name].unique} == {"A", "D", "E", "F", "G", "H", "W5", "steering"}
    for name in ("A", "D", "E", "F", "G"):
        # Both follow from one state by one decomposition each: rounding, of forces of 1 N.
        assert joint[name].force == pytest.approx(world[name].force, abs=1e-10)
