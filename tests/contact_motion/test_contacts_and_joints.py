"""Contacts whose rows are combinations of those of joints, or hold each other in balance: rounding decides nothing."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

import reactio
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.simulation.stepped import SteppedTrajectory

G = 9.81
# The foot stands exactly under the pin: its row is that of the pin along y, but for rounding.
LEVER = """
space: planar
gravity: [0, -9.81]
bodies: {lever: {mass: 2, inertia: 0.3, position: [PX, PY], angle: TURN}}
joints: {pin: {type: revolute, bodies: [ground, lever], at: [XX, YY]}}
contacts: {foot: {type: point-on-line, line: ground, point: {body: lever, point: [FX, FY]}}}
"""


def lever(seed: int) -> tuple[reactio.Model, float]:
    """A lever on a pin, and the acceleration of a physical pendulum, α = −m g Δx/(J + m r²)."""
    rng = np.random.default_rng(seed)
    centre, pin, turn = rng.uniform(-1, 1, 2).round(2), rng.uniform(0.2, 1, 2).round(2), float(rng.uniform(-1, 1))
    c, s = math.cos(turn), math.sin(turn)
    foot = np.array([[c, s], [-s, c]]) @ (np.array([pin[0], 0.0]) - centre)
    text = LEVER
    values = {"PX": centre[0], "PY": centre[1], "TURN": turn, "XX": pin[0], "YY": pin[1], "FX": foot[0], "FY": foot[1]}
    for key, value in values.items():
        text = text.replace(key, repr(float(value)))
    arm = centre - pin
    return reactio.parse_model(text), -2 * G * arm[0] / (0.3 + 2 * arm @ arm)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_a_foot_under_the_pin_of_a_lever(seed: int, method: str) -> None:
    model, alpha = lever(seed)
    more: dict[str, Any] = {"step": 1e-4} if method == "moreau" else {}
    run = reactio.simulate(model, 1e-3, method=method, **more)
    # Over a millisecond the acceleration of the pendulum changes by a part of some 1e-6.
    assert run.v[-1, 2] / 1e-3 == pytest.approx(alpha, rel=1e-4)
    assert run.energy_error == pytest.approx(0.0, abs=1e-4)


def test_walls_on_both_sides_hold_a_pinned_body_at_rest() -> None:
    """Two contacts keep a lever from turning either way: their rows balance each other but for the last digit."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {lever: {mass: 2, inertia: 0.3, position: [0.3*cos(0.7), 0.3*sin(0.7)], angle: 0.7}}
joints: {pin: {type: revolute, bodies: [ground, lever], at: [0, 0]}}
contacts:
  below: {type: point-on-line, line: {body: ground, point: [0.9*cos(0.7), 0.9*sin(0.7)], normal: [-sin(0.7), cos(0.7)]},
          point: {body: lever, point: [0.6, 0]}}
  above: {type: point-on-line, line: {body: ground, point: [0.9*cos(0.7), 0.9*sin(0.7)], normal: [sin(0.7), -cos(0.7)]},
          point: {body: lever, point: [0.5, 0]}}
"""
    run = reactio.simulate(reactio.parse_model(text), 0.1)
    assert not run.events
    np.testing.assert_allclose(run.v[-1], 0.0, atol=1e-12)


def test_a_foot_that_the_motion_lifts_off_ever_so_slowly() -> None:
    """The lever hangs nearly straight down: its foot leaves the floor with the fourth power of the time."""
    text = LEVER
    values = {"PX": -0.52, "PY": -0.75, "TURN": 0.0, "XX": -0.54, "YY": 0.29, "FX": -0.02, "FY": 0.75}
    for key, value in values.items():
        text = text.replace(key, repr(value))
    run = reactio.simulate(reactio.parse_model(text), 0.5)
    assert [(event.name, event.action, event.t) for event in run.events] == [("foot", "open", 0.0)]
    assert run.steps < 100  # nothing holds it back
    assert run.energy_error == pytest.approx(0.0, abs=1e-9)


def test_ledges_one_above_the_other_part_at_fourth_order() -> None:
    """φ turns the plate over its upper ledge, and lifts it off the lower one by 1 − cos φ ~ t⁴."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {plate: {mass: 2, inertia: 0.3, position: [0.2, 0]}}
contacts:
  upper: {type: point-on-line, line: {body: ground, point: [0, 0.5]}, point: {body: plate, point: [-0.2, 0.5]}}
  lower: {type: point-on-line, line: {body: ground, point: [0, -0.5]}, point: {body: plate, point: [-0.2, -0.5]}}
"""
    run = cast(ContactTrajectory, reactio.simulate(reactio.parse_model(text), 0.2))
    assert [(event.name, event.action) for event in run.events] == [("lower", "open")]
    _, y, phi = run.q[-1]
    assert y - 0.2 * math.sin(phi) + 0.5 * math.cos(phi) == pytest.approx(0.5, abs=1e-9)  # on the upper ledge
    assert len(run.reactions) == len(run.t)


def test_events_of_time_steps_do_not_depend_on_the_rows_that_are_kept() -> None:
    text = """
space: planar
gravity: [0, -9.81]
bodies: {ball: {mass: 2, inertia: 0.1, position: [0, 2]}}
contacts: {floor: {type: disc-on-line, line: ground, center: ball, radius: 1, restitution: 0.8}}
"""
    model = reactio.parse_model(text)
    runs = [reactio.simulate(model, 2.0, method="moreau", output=rows) for rows in (None, 3)]
    told = [[(event.name, event.action, event.t) for event in run.events] for run in runs]
    assert told[0] == told[1]
    assert [action for _, action, _ in told[0]] == ["close", "open"] * 3
    assert told[0][0][2] == pytest.approx(math.sqrt(2 / G), abs=2e-3)  # of the step and the one before
    assert all(run.t[event.row] >= event.t for run in runs for event in run.events)


def test_sums_over_contacts_that_open_and_close() -> None:
    """A box in the air bears nothing; on its feet they bear the weight together, whatever each of them does."""
    text = """
space: planar
gravity: [0, -10]
bodies: {box: {mass: 1, inertia: 1/6, position: [0, 0.6], points: {a: [-0.5, -0.5], b: [0.5, -0.5]}}}
contacts: {foot: {type: point-on-line, line: ground, points: [box.a, box.b], friction: 0.3}}
"""
    from reactio.simulation.peaks import peaks

    run = cast(SteppedTrajectory, reactio.simulate(reactio.parse_model(text), 0.4, method="moreau"))
    found = next(one for one in peaks(run, {"weight": "foot1.Fy + foot2.Fy"}).found if one.name == "weight")
    assert (found.verdict, found.unit) == ("unique", "N")
    last = run.last_reactions
    assert sum(last[name].force[1] for name in ("foot1", "foot2")) == pytest.approx(10.0, rel=1e-9)
    assert len(repr(last)) < 200
    assert len(repr(run)) < 400
