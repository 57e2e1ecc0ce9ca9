"""Motion from event to event against formulas of textbooks: bounces, rolling over an edge, several contacts at once."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.contact_motion.contact_system import contact_system
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.system.types import State

G = 9.81
BALL = """
space: planar
gravity: [0, -9.81]
bodies:
  ball: {mass: 2, inertia: 0.1, position: [0, 2], velocity: [0.5, 0]}
contacts:
  floor: {type: disc-on-line, line: ground, center: ball, radius: 1, restitution: 0.5}
"""
PUSHED = """
space: planar
gravity: [0, -10]
bodies:
  block: {mass: 2, inertia: 0.1, position: [0, 0], points: {left: [-1, 0], right: [1, 0]}}
forces:
  lift: {type: force, at: block, force: [0, "40*t"]}
contacts:
  foot: {type: point-on-line, line: ground, points: [block.left, block.right]}
"""


def moved(model: Model | str, until: float, **options: object) -> ContactTrajectory:
    given = reactio.parse_model(model) if isinstance(model, str) else model
    run = reactio.simulate(given, until, **options)  # type: ignore[arg-type]
    assert isinstance(run, ContactTrajectory)
    assert run.status.name == "DONE"
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)
    assert run.energy_growth < 1e-8
    assert run.penetration < 1e-9
    return run


def box(position: tuple[float, ...], *, restitution: float = 0.0, **parameters: float) -> Model:
    model = reactio.load("box-on-plane", **parameters)
    contact = replace(model.contacts[0], parameters={"restitution": restitution})
    return replace(model, bodies=(replace(model.bodies[0], position=position),), contacts=(contact,))


def test_a_ball_bounces_at_the_times_of_the_formula() -> None:
    """It falls 1 m in √(2/g); each flight takes e times the one before, 2 e √(2/g) the first; they end at 3 √(2/g)."""
    run = moved(BALL, 1.6, output=5)
    fall = np.sqrt(2 / G)
    struck = [event.t for event in run.events]
    by_hand = fall + 2 * fall * np.concatenate([[0.0], np.cumsum(0.5 ** np.arange(1, len(struck)))])
    np.testing.assert_allclose(struck, by_hand, atol=1e-9)
    assert run.events[-1].action == "rest"
    assert struck[-1] == pytest.approx(3 * fall, abs=1e-4)
    assert any("accumulate (Zeno)" in note for note in run.notes)
    assert run.reactions_at(0)["floor"].words == "open"
    assert run.last_reactions["floor"].force == pytest.approx([0.0, 2 * G])
    assert run.body("ball").position[-1] == pytest.approx([0.8, 1.0])


def test_a_ball_without_loss_comes_back_to_its_height() -> None:
    run = moved(BALL.replace("restitution: 0.5", "restitution: 1"), 2 * np.sqrt(2 / G))
    assert run.body("ball").position[-1, 1] == pytest.approx(2.0, abs=1e-9)
    assert run.closed_at_end == ()


def test_a_box_at_rest_stays_at_rest() -> None:
    run = moved(reactio.load("box-on-plane"), 0.3)
    assert run.events == ()
    assert len(run.closed_at_end) == 4
    assert np.abs(run.v).max() < 1e-12
    assert run["corner1"].verdicts[-1] == "not unique"


def test_four_corners_strike_at_once() -> None:
    """Restitution ½ at all of them: a flat box bounces flat, half as fast."""
    run = moved(box((0.0, 0.0, 1.0), restitution=0.5), 0.5)
    fall = np.sqrt(2 * 0.5 / G)
    assert [(e.name, e.action) for e in run.events] == [(f"corner{k}", "impact") for k in (1, 2, 3, 4)]
    assert run.events[0].t == pytest.approx(fall, abs=1e-9)
    assert run.events[0].v_after == pytest.approx([0, 0, 0.5 * G * fall, 0, 0, 0], abs=1e-9)
    assert np.isnan(run.events[0].work)  # the four share it
    assert run.impacts[0].work == pytest.approx(-0.5 * 0.75 * (G * fall) ** 2, abs=1e-8)


def test_a_box_rolls_over_its_edge() -> None:
    """Weight 0.2 m beyond the edge, no friction: m g Δh is the kinetic energy of turning and falling."""
    run = moved(reactio.load("box-on-plane", cx=1.2), 0.3)
    assert {(e.name, e.action, e.t) for e in run.events} == {("corner2", "open", 0.0), ("corner3", "open", 0.0)}
    assert run.closed_at_end == ("corner1", "corner4")
    x, z, turn = 0.2, 0.5, 2 * np.arctan2(run.q[-1, 5], run.q[-1, 3])
    height = z * np.cos(turn) - x * np.sin(turn)  # of the centre of mass, turned about the edge
    sinking = -(x * np.cos(turn) + z * np.sin(turn)) * run.v[-1, 4]
    kinetic = 0.5 * (1 / 3 + 1 / 12) * run.v[-1, 4] ** 2 + 0.5 * sinking**2
    assert kinetic == pytest.approx(G * (0.5 - height), rel=1e-7)


def test_contacts_open_where_their_force_vanishes() -> None:
    """A growing pull of 40 t N lifts a weight of 20 N at t = 0.5 s; then z̈ = 20 (t − 0.5)."""
    run = moved(PUSHED, 1.0)
    assert [(e.name, e.action) for e in run.events] == [("foot1", "open"), ("foot2", "open")]
    assert run.events[0].t == pytest.approx(0.5, abs=1e-7)
    assert run.body("block").position[-1, 1] == pytest.approx(20 / 6 * 0.5**3, abs=1e-7)
    before, at, behind = (run["foot1"].force[run.events[0].row + k, 1] for k in (-1, 0, 1))
    assert before > 0.0
    assert at == behind == 0.0


def test_contacts_open_one_after_the_other() -> None:
    """Pulled off its middle, a block on three feet in a row lifts one end first; there are reactions all along."""
    text = PUSHED.replace("at: block,", "at: {body: block, point: [0.1, 0]},").replace(
        "[block.left, block.right]", "[block.left, block.right, block]"
    )
    run = moved(text, 0.6)
    assert {(event.name, event.action) for event in run.events} >= {("foot2", "open")}
    pushes = [row[name].force[1] for row in run.reactions for name in ("foot1", "foot2", "foot3")]
    assert np.nanmin(pushes) >= -1e-9


def test_velocities_of_two_balls_after_an_impact_are_those_of_newton() -> None:
    text = """
space: planar
gravity: [0, 0]
bodies:
  left: {mass: 1, inertia: 1, position: [0, 0], velocity: [2, 0]}
  right: {mass: 3, inertia: 1, position: [3, 0]}
contacts:
  pair: {type: disc-on-disc, other: left, center: right, radius: 1, other_radius: 1, restitution: 0.6}
"""
    run = moved(text, 1.0)
    mean = 2 * 1 / 4  # of the centre of mass
    assert run.events[0].t == pytest.approx(0.5)
    assert run.v[-1, [0, 3]] == pytest.approx([mean - 0.6 * 3 / 4 * 2, mean + 0.6 * 1 / 4 * 2])


def test_friction_names_its_method() -> None:
    with pytest.raises(ReactioError, match="--method moreau"):
        reactio.simulate(reactio.parse_model(BALL.replace("restitution", "friction")), 1.0)


def test_a_start_inside_the_floor_says_how_deep() -> None:
    with pytest.raises(ReactioError, match=r"0\.25 m deep.*deepest of 4"):
        reactio.simulate(box((0.0, 0.0, 0.25)), 1.0)


def test_contradictory_contacts_are_refused() -> None:
    """A drive presses a point through the floor."""
    text = """
space: planar
gravity: [0, -10]
bodies:
  press: {mass: 1, inertia: 1, position: [0, 1], velocity: [0, -1]}
joints:
  guide: {type: translational, bodies: [ground, press], at: [0, 1], axis: [0, 1]}
drives:
  down: {joint: guide, function: "-t"}
contacts:
  floor: {type: point-on-line, line: ground, point: press}
"""
    with pytest.raises(ReactioError, match="contradict"):
        reactio.simulate(reactio.parse_model(text), 2.0)


def test_assemble_mends_a_start_inside_the_floor(tmp_path: Path) -> None:
    """A box 0.25 m deep and tilted is lifted until it touches; the model that is written can be simulated."""
    model = box((0.0, 0.0, 0.25))
    tilted = replace(model, bodies=(replace(model.bodies[0], orientation=(np.cos(0.05), np.sin(0.05), 0.0, 0.0)),))
    rough, mended = tmp_path / "rough.yaml", tmp_path / "mended.yaml"
    rough.write_text(to_yaml(tilted), encoding="utf-8")
    done = CliRunner().invoke(app, ["assemble", str(rough), "-o", str(mended)])
    assert done.exit_code == 0, done.output
    found = reactio.load(mended)
    assert found.contacts == tilted.contacts
    run = moved(found, 0.01)
    assert -1e-9 < contact_system(found).at(State(0.0, run.q[0], run.v[0])).gap.min() < 1e-9


def lifted_chain(height: float, slope: float) -> Model:
    """The chain of the library turned about its left end and lifted."""
    model = reactio.load("chain", links=4 if slope else 11)
    c, s = np.cos(slope), np.sin(slope)
    bodies = tuple(
        replace(body, position=(body.position[0] * c, body.position[0] * s + height), orientation=(slope,))
        for body in model.bodies
    )
    return replace(model, bodies=bodies)


def test_a_chain_falls_flat_on_redundant_supports() -> None:
    """33 freedoms, 22 feet for 12 places: all strike at once, and the whole kinetic energy m g h is lost."""
    run = moved(lifted_chain(0.01, 0.0), 0.06)
    assert len(run.events) == 22
    assert run.events[0].t == pytest.approx(np.sqrt(2 * 0.01 / G), abs=1e-8)
    assert sum(impact.work for impact in run.impacts) == pytest.approx(-11 * 0.2 * G * 0.01, abs=1e-8)
    assert len(run.closed_at_end) == 22


def test_a_slanting_chain_falls_link_by_link() -> None:
    """Every place between links strikes once, from the low end on, stays closed, and none opens again."""
    run = moved(lifted_chain(0.005, 0.05), 0.08, output=3)
    assert [event.name for event in run.events] == [f"foot{k}" for k in range(1, 9)]
    assert {event.action for event in run.events} == {"rest"}
    assert run.closed_at_end == tuple(f"foot{k}" for k in range(1, 9))


def test_time_steps_agree_with_events_on_a_chain() -> None:
    run = reactio.simulate(lifted_chain(0.005, 0.05), 0.08, method="moreau", step=2e-3)
    assert isinstance(run, ContactTrajectory)
    assert run.energy_growth < 1e-12
    assert run.position_drift < 1e-9
    first = {event.name: event.t for event in reversed(run.events) if event.action == "close"}
    assert first["foot1"] == pytest.approx(0.0319, abs=4e-3)
    assert first["foot8"] == pytest.approx(0.0690, abs=4e-3)


def test_a_load_leaves_a_lift_that_slows_down_and_lands_on_it() -> None:
    """y = ½ sin 8t: the load leaves where 32 sin 8t = g and flies on; opening is no impact, however fast both move."""
    model = reactio.parse_model("""
space: planar
gravity: [0, -9.81]
bodies:
  lift: {mass: 10, inertia: 1, position: [0, 0], velocity: [0, 4]}
  load: {mass: 2, inertia: 0.1, position: [0, 0.2], velocity: [0, 4]}
joints: {guide: {type: translational, bodies: [ground, lift], at: [0, 0], axis: [0, 1]}}
drives: {up: {joint: guide, function: "0.5*sin(8*t)"}}
contacts:
  foot: {type: point-on-line, line: lift, points: [{body: load, point: [-0.3, -0.2]}, {body: load, point: [0.3, -0.2]}],
         restitution: 0.3}
""")
    run = reactio.simulate(model, until=0.9, output=2)
    leaves = math.asin(9.81 / 32) / 8
    told = [(event.name, event.action) for event in run.events]
    assert told == [("foot1", "open"), ("foot2", "open"), ("foot1", "impact"), ("foot2", "impact")]
    assert run.events[0].t == pytest.approx(leaves, abs=1e-9)
    lands, y, v = run.events[2].t, 0.5 * math.sin(8 * leaves), 4 * math.cos(8 * leaves)
    flight = lands - leaves
    assert 0.5 * math.sin(8 * lands) == pytest.approx(y + v * flight - 0.5 * 9.81 * flight**2, abs=1e-9)
