"""End stops in models with contacts: they are contacts of a coordinate, with impacts, rest and forces."""

from __future__ import annotations

import math

import pytest

import reactio
from reactio.errors import ReactioError
from reactio.simulation.contact_trajectory import ContactTrajectory

G = 9.81
# A plate on a vertical guide with a loose block on top, which falls on its stop at y = 0 from a height of 0.5 m.
PLATE = """
space: planar
gravity: [0, -9.81]
bodies:
  plate: {mass: 1, inertia: 0.1, position: [0, HEIGHT]}
  block: {mass: 2, inertia: 0.1, position: [0, HEIGHT + 0.2]}
joints:
  guide: {type: translational, a: {body: ground, angle: pi/2}, b: {body: plate, angle: pi/2}}
contacts:
  feet: {type: point-on-line, line: {body: plate, point: [0, 0.1], normal: [0, 1]},
         points: [{body: block, point: [-0.1, -0.1]}, {body: block, point: [0.1, -0.1]}]}
stops:
  bottom: {along: guide, lower: 0, ENDS}
"""
ARM = """
space: planar
gravity: [0, -9.81]
bodies:
  block: {mass: 2, inertia: 0.1, position: [0, 0.1]}
  arm: {mass: 3, inertia: 0.1, position: [3.5, 3]}
joints:
  H: {type: revolute, a: {body: ground, point: [3, 3]}, b: {body: arm, point: [-0.5, 0]}}
contacts:
  foot: {type: point-on-line, line: ground, point: {body: block, point: [0, -0.1]}}
stops:
  range: {along: H, lower: -0.8, upper: 0.5, restitution: 0}
"""


def plate(ends: str, height: float = 0.5) -> reactio.Model:
    return reactio.parse_model(PLATE.replace("HEIGHT", repr(height)).replace("ENDS", ends))


@pytest.mark.parametrize("method", ["event-driven", "moreau"])
def test_a_stop_bears_what_rests_on_it(method: str) -> None:
    more = {"method": "moreau", "step": 2e-3} if method == "moreau" else {}
    run = reactio.simulate(plate("restitution: 0"), 0.4, **more)  # type: ignore[arg-type]
    assert isinstance(run, ContactTrajectory)
    assert set(run.closed_at_end) == {"feet1", "feet2", "bottom"}
    assert abs(run.last_reactions["bottom"].force[0]) == pytest.approx(3 * G, rel=1e-9)
    assert run.last_reactions["feet1"].force[1] == pytest.approx(G, rel=1e-9)
    assert run.events[-1].t == pytest.approx(math.sqrt(2 * 0.5 / G), abs=2 * 2e-3 if more else 1e-9)  # within two steps
    assert run.energy_growth < 1e-9


def test_a_rebound_from_a_stop_takes_along_what_lies_on_top() -> None:
    """By hand: the plate must leave with e v, and the block must not sink into it: both leave with e v."""
    run = reactio.simulate(plate("restitution: 0.5"), 0.35, output=3)
    (hit,) = [event for event in run.events if event.name == "bottom"]
    v = math.sqrt(2 * G * 0.5)
    assert hit.v_after[[1, 4]] == pytest.approx([0.5 * v, 0.5 * v], rel=1e-9)
    assert hit.work == pytest.approx(-0.75 * 0.5 * 3 * v**2, rel=1e-9)


def test_a_hinge_rests_on_a_stop_while_another_body_has_a_contact() -> None:
    """By hand: M = m g l cos 0.8, l = 0.5 m; gaps of angles count as arcs."""
    run = reactio.simulate(reactio.parse_model(ARM), 1.0, output=3)
    assert isinstance(run, ContactTrajectory)
    assert run.closed_at_end == ("foot", "range lower")
    assert abs(run.last_reactions["range lower"].moment[0]) == pytest.approx(3 * G * 0.5 * math.cos(0.8), rel=1e-9)
    with pytest.raises(ReactioError, match=r"stop 'range lower': H.* begins 0.05 rad beyond its limit"):
        reactio.simulate(reactio.parse_model(ARM.replace("lower: -0.8", "lower: 0.05")), 1.0)


def test_a_stop_that_ends_the_run_does_so_in_a_model_with_contacts() -> None:
    run = reactio.simulate(plate("action: stop"), 1.0, output=3)
    assert run.t[-1] == pytest.approx(math.sqrt(2 * 0.5 / G), abs=1e-9)
    with pytest.raises(ReactioError, match="nor end stops that end a run"):
        reactio.simulate(plate("action: stop"), 1.0, method="moreau")


@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_hinges_in_space_strike_their_stops_in_a_model_with_contacts(method: str) -> None:
    """Two flaps with stops fall, the longer one later: ½ α t² = 0.05 rad nearly, α = m g r/(J + m r²); a ball rolls by.

    The angles of hinges in space are counted over full turns in q, whichever of the stops are closed.
    """
    text = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  long: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
  short: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 1, 0]}
  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 5, 0.1], velocity: [1, 0, 0]}
joints:
  A: {type: revolute, bodies: [ground, long], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, bodies: [ground, short], at: [0, 1, 0], axis: [0, 1, 0]}
contacts: {floor: {type: sphere-on-plane, plane: ground, center: ball, radius: 0.1}}
stops: {a: {along: A, upper: 0.05, restitution: 0}, b: {along: B, upper: 0.05, restitution: 0}}
"""
    run = reactio.simulate(reactio.parse_model(text), 0.2, method=method, step=1e-3 if method == "moreau" else None)
    assert isinstance(run, ContactTrajectory)
    at = {event.name: event.t for event in run.events if event.name in "ab"}
    for name, r in (("a", 1.0), ("b", 0.5)):
        alpha = G * r / (0.1 + r * r)
        # cos θ falls by 1e-3 on the way, and a step ends up to 1 ms behind the stop.
        assert at[name] == pytest.approx((0.1 / alpha) ** 0.5, abs=2e-3)
        assert abs(run.last_reactions[name].moment[0]) == pytest.approx(G * r * math.cos(0.05), rel=1e-2)
    assert run.penetration < 1e-2
