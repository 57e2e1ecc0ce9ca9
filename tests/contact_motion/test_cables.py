"""Cables and struts in motion: free flight, impact, swing; taut and slack are events."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventKind
from reactio.simulation.contact_trajectory import ContactTrajectory

G = 9.81
BALL = """
space: planar
gravity: [0, -9.81]
bodies: {{ball: {{mass: 2, inertia: 0.1, position: [{x}, {y}], velocity: [{vx}, {vy}]}}}}
joints:
  rope: {{type: {kind}, a: ground, b: ball, length: {length}{more}}}
"""


def ball(
    x: float, y: float, *, vx: float = 0.0, vy: float = 0.0, kind: str = "cable", length: float = 1.0, more: str = ""
) -> reactio.Model:
    """A ball of 2 kg on a cable or strut from the origin."""
    return reactio.parse_model(BALL.format(x=x, y=y, vx=vx, vy=vy, kind=kind, length=length, more=more))


def run_of(model: reactio.Model, until: float) -> ContactTrajectory:
    """A run from event to event."""
    run = reactio.simulate(model, until)
    assert isinstance(run, ContactTrajectory)
    return run


def test_free_flight_impact_and_swing() -> None:
    """From (0.6, 0): free fall to r = 1 at y = −0.8; the radial part of v = √(2 g 0.8) is lost; then a pendulum."""
    run = run_of(ball(0.6, 0.0), 1.0)
    (event,) = run.events
    fall, v = math.sqrt(2 * 0.8 / G), math.sqrt(2 * G * 0.8)
    assert (event.kind, event.action) == (EventKind.CABLE, EventAction.TAUT)
    # The gap counts as closed to CLOSED_DEPTH · tol: 1e-11 m at 4 m/s.
    assert event.t == pytest.approx(fall, abs=1e-10)
    radial = 0.8 * v
    (impact,) = run.impacts
    assert impact.work == pytest.approx(-0.5 * 2 * radial**2, rel=1e-9)  # tolerance of a step
    # Afterwards the tension is m (v²/r − g·r̂), and energy is kept.
    end = run.final
    x, y = end.q[:2]
    speed2 = (0.6 * v) ** 2 + 2 * G * (-0.8 - y)
    assert math.hypot(x, y) == pytest.approx(1.0, abs=1e-10)
    assert float(end.v[:2] @ end.v[:2]) == pytest.approx(speed2, rel=1e-8)  # tol = 1e-9 a step
    assert run.last_reactions["rope"].axial == pytest.approx(2 * (speed2 - G * y), rel=1e-7)
    assert run.energy_growth < 1e-8


def test_a_cable_gets_slack_where_its_tension_vanishes() -> None:
    """A pendulum with v₀² = 3.5 g r at the bottom: slack at cos φ = −(v₀²/gr − 2)/3 = −0.5, then a parabola."""
    v0 = math.sqrt(3.5 * G)
    run = reactio.simulate(ball(0.0, -1.0, vx=v0), 0.9)
    slack = run.events[0]
    assert slack.action is EventAction.SLACK
    assert slack.q[1] == pytest.approx(0.5, abs=1e-6)  # height r cos 60°: tension falls linearly through zero there
    later = [event for event in run.events if event.action is EventAction.TAUT]
    rows = run.t[run.t > slack.t] if not later else run.t[(run.t > slack.t) & (run.t < later[0].t)]
    t = float(rows[-1]) - slack.t
    at = int(np.searchsorted(run.t, rows[-1]))
    vx, vy = slack.v[:2]
    assert run.q[at, 0] == pytest.approx(slack.q[0] + vx * t, abs=1e-9)
    assert run.q[at, 1] == pytest.approx(slack.q[1] + vy * t - G * t**2 / 2, abs=1e-9)


def test_restitution_of_a_cable() -> None:
    """Straight below the support: after the impact the speed is e times as large, upwards."""
    run = run_of(ball(0.0, -0.5, more=", restitution: 0.5"), 0.4)
    impact, v = run.impacts[0], math.sqrt(2 * G * 0.5)
    assert impact.v[1] == pytest.approx(-v, rel=1e-9)
    assert impact.v_after[1] == pytest.approx(0.5 * v, rel=1e-9)
    assert any("restitution of rope 0.5" in note for note in run.notes)


def test_slack_adds_to_the_length_taken_from_the_pose() -> None:
    """`slack: 0.2` without a length, hanging straight down: 0.2 m of free fall."""
    text = BALL.format(x=0, y=-1, vx=0, vy=0, kind="cable", length=1, more="").replace("length: 1", "slack: 0.2")
    run = reactio.simulate(reactio.parse_model(text), 0.3)
    assert run.events[0].t == pytest.approx(math.sqrt(2 * 0.2 / G), abs=1e-10)


def test_a_strut_stops_what_comes_near() -> None:
    """A ball thrown at the foot of a strut of 1 m from above stops there, and rests."""
    run = run_of(ball(0.0, 1.5, kind="strut"), 0.5)
    assert run.events[0].t == pytest.approx(math.sqrt(2 * 0.5 / G), abs=1e-10)
    assert run.closed_at_end == ("rope",)
    assert run.last_reactions["rope"].axial == pytest.approx(-2 * G, rel=1e-6)


def test_time_steps_follow_a_cable() -> None:
    """Moreau's steps tighten the cable within a step of the event, with nearly its impulse m v_r."""
    run = reactio.simulate(ball(0.6, 0.0), 0.5, method="moreau", step=1e-3)
    assert [event.action for event in run.events] == [EventAction.TAUT]
    assert run.events[0].t == pytest.approx(math.sqrt(1.6 / G), abs=2e-3)  # a step, and the one in which it is active


def test_a_slack_cable_has_no_row_and_an_overlong_one_is_refused() -> None:
    """`check` and `bounds` know cables as contacts: slack at the given pose, they have no reaction."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {ball: {mass: 2, inertia: 0.1, position: [0, -1]}}
joints:
  guide: {type: translational, a: {body: ground, angle: 90 deg}, b: {body: ball, angle: 90 deg}}
  tight: {type: cable, a: ground, b: ball, length: 1, stiffness: 1e5}
  loose: {type: cable, a: ground, b: ball, length: 1.00001, stiffness: 1e5}
""".replace("90 deg", str(math.pi / 2))
    model = reactio.parse_model(text)
    assert "loose" not in reactio.build(model).group_index
    bound = reactio.bounds(model)["tight"]["N"]
    assert (bound.low, bound.high) == pytest.approx((2 * G, 2 * G), rel=1e-12)
    # In a model that gives way, the slack is a gap: λ₂ = (F − k g)/2.
    from reactio.joint_reactions.closing import with_closing_contacts

    eqs = reactio.equations(reactio.build(with_closing_contacts(model)))
    loose = reactio.reactions(eqs, "compliance")["loose"].axial
    assert loose == pytest.approx((2 * G - 1e5 * 1e-5) / 2, rel=1e-9)
    with pytest.raises(ReactioError, match=r"cable 'tight': its ends are 0\.5 m farther apart than its length"):
        reactio.build(reactio.parse_model(text.replace("length: 1,", "length: 0.5,")))


def test_a_cable_that_must_push_names_load_and_cable() -> None:
    """An upward load of more than the weight: the sentence has the load and the cable."""
    text = BALL.format(x=0, y=-1, vx=0, vy=0, kind="cable", length=1, more="")
    model = reactio.parse_model(f"{text}forces: {{lift: {{type: force, at: ball, force: [0, 30]}}}}\n")
    with pytest.raises(ReactioError, match=r"No cable .*cable \(rope\).*the load 'lift' \("):
        reactio.bounds(model)


def test_the_command_says_how_cables_tighten(tmp_path: Path) -> None:
    """The events table has taut, the notes the restitution, and components are N."""
    file = tmp_path / "ball.yaml"
    file.write_text(BALL.format(x=0.6, y=0, vx=0, vy=0, kind="cable", length=1, more=""))
    output = CliRunner().invoke(app, ["simulate", str(file), "--until", "0.5"]).output
    text = " ".join(output.split())  # whatever the width of the terminal
    assert all(words in text for words in ("taut", "restitution 0", "rope N "))
