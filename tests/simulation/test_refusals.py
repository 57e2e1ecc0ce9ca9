"""Runs with bad requests or bad results: what is asked for is done, or refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.model.specs import Event
from reactio.simulation.state_at import state_at

THROWN = """
space: planar
gravity: [0, -9.81]
bodies: {m: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 9.81]}}
joints: {D: {type: translational, bodies: [ground, m], at: [0, 0], axis: [0, 1]}}
stops: {w: {along: D, upper: 4.9, restitution: 1}}
"""
DRIVEN = """
space: planar
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 1, position: [1, 0], velocity: [0, 1], angular_velocity: 1}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
drives: {m: {joint: A, function: t}}
"""


def test_a_stop_that_is_only_just_reached_is_hit() -> None:
    """The apex lies 5 mm beyond the limit: it is crossed and crossed back within a step; t = 1 − √(2·0.005/9.81)."""
    run = reactio.simulate(reactio.parse_model(THROWN), until=1.5)
    assert [(one.action, one.direction) for one in run.events] == [("impact", "rising")]
    assert run.events[0].t == pytest.approx(1 - np.sqrt(2 * 0.005 / 9.81), abs=1e-9)  # located to 1e-13, motion to 1e-9
    assert run.body("m").position[:, 1].max() <= 4.9 + 1e-9


def test_following_a_motion_to_a_time_honours_stops() -> None:
    system = reactio.build(reactio.parse_model(THROWN))
    run = reactio.simulate(system, until=1.5, tol=1e-10)
    assert state_at(system, 1.5).q == pytest.approx(run.final.q, abs=1e-8)
    assert reactio.singularities(system, 1.0).events == ()


def test_the_implicit_method_follows_a_motion_without_freedom() -> None:
    run = reactio.simulate(reactio.parse_model(DRIVEN), until=1.0, method="radau5")
    assert run.status.name == "DONE"
    assert run.final.q == pytest.approx([np.cos(1.0), np.sin(1.0), 1.0], abs=1e-9)  # the drive says where it is


def test_the_end_is_the_end_whatever_rows_were_asked_for() -> None:
    model = reactio.load("double-four-bar")
    whole = reactio.simulate(model, until=0.5)
    some = reactio.simulate(model, until=0.5, output=[0.1, 0.2])
    assert some.final.t == 0.5
    assert some.final.q == pytest.approx(whole.final.q, abs=1e-12)  # the same steps
    for rows in (1, 0, -3, 10**9):
        with pytest.raises(reactio.ReactioError, match="rows of output"):
            reactio.simulate(model, until=0.5, output=rows)


PENDULUM = """
space: planar
gravity: [0, -9.81]
bodies: {b: {mass: 1, inertia: 0.1, position: [1, 0]}}
joints:
  A: {type: revolute, bodies: [ground, b], at: [0, 0]}
  L: {type: distance, a: ground, b: b, length: 1}
"""


def test_an_elimination_is_checked_before_and_along_the_motion() -> None:
    """The rod repeats A.x where the pendulum is level, A.y where it hangs: dropping the other is wrong there."""
    model = reactio.parse_model(PENDULUM)
    with pytest.raises(reactio.ReactioError, match=r"A\.y"):
        reactio.simulate(model, until=0.1, rule="elimination:A.y")
    # Where the pendulum hangs, and only there, the rod has no part along x: nothing replaces A.x.
    hanging = reactio.simulate(model, until=1.2, events=[Event("hangs", lambda now: now.q[2] + np.pi / 2)])
    t = hanging.events[0].t
    times = np.array([0.0, 0.5 * t, t, 1.2])
    run = reactio.simulate(model, until=1.2, rule="elimination:A.x", output=times)
    assert run.status.name == "DONE"
    (note,) = run.notes
    assert note.startswith(f"The sharing rule 'elimination:A.x' does not apply at t = {t:.6g} s")
    with pytest.raises(reactio.ReactioError, match=r"A\.x"):
        run.reactions_at(2)
    for row in (0, 1, 3):
        assert run.reactions_at(row).lam[0] == 0.0  # A.x was dropped


PUSHED = """
space: planar
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 1, position: [1, 0]}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
forces: {push: {type: force, at: rod, force: [LAW, 0]}}
"""
TABLE = "{spline: {times: [0, 0.1, 0.2, 0.3], values: [0, 1, 1, 2]}}"


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("1/(t - 0.3)", "grows without bound"),
        ("log(0.3 - t)", "is not defined there"),
        ("1/floor(1.3 - t)", "is not defined there"),
        (TABLE, "its table runs from 0 s to 0.3 s"),
    ],
)
def test_a_load_without_a_value_is_named(law: str, words: str) -> None:
    system = reactio.build(reactio.parse_model(PUSHED.replace("LAW", law)))
    run = reactio.simulate(system, until=1.0)
    assert run.checkpoint.t == pytest.approx(0.3, abs=1e-6)
    (note,) = run.notes
    assert note.startswith("force 'push' (force)")
    assert words in note


def test_following_a_motion_names_the_load_too() -> None:
    system = reactio.build(reactio.parse_model(PUSHED.replace("LAW", TABLE)))
    with pytest.raises(reactio.ReactioError, match=r"beyond t = 0\.3 s.*force 'push' \(force\).*its table runs"):
        state_at(system, 1.0)


def test_a_load_beyond_double_precision_is_named_at_once() -> None:
    system = reactio.build(reactio.parse_model(PUSHED.replace("LAW", "1e200")))
    with pytest.raises(reactio.ReactioError, match=r"force 'push' \(force\) has the value 1e\+200 at t = 0 s"):
        reactio.simulate(system, until=1.0)
