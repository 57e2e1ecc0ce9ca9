"""Impulses at impacts against calculation by hand: unique or not, shared by a rule or not shown, with their ranges."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.model.model import Model
from reactio.reaction_bounds.at_impact import impulses_with_ranges
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.simulation.impulses import Impulse
from reactio.simulation.peaks import peaks

G, MASS, FALL, BOUNCE = 9.81, 2.0, 0.05, 0.3
SPEED = (2 * G * FALL) ** 0.5
# A box whose centre of mass is at (cx, cy) over the square of its corners falls flat.
BOX = """
space: spatial
parameters: {{cx: 0, cy: 0}}
gravity: [0, 0, -9.81]
bodies: {{box: {{mass: 2, inertia: [0.05, 0.05, 0.05], position: [0, 0, 0.15], center: [cx, cy, 0]}}}}
contacts:
  corner: {{type: point-on-plane, plane: ground, restitution: 0.3{friction}, points: [
    {{body: box, point: [0.2, 0.2, -0.1]}}, {{body: box, point: [-0.2, 0.2, -0.1]}},
    {{body: box, point: [-0.2, -0.2, -0.1]}}, {{body: box, point: [0.2, -0.2, -0.1]}}]}}
"""
CORNERS = [f"corner{k}" for k in (1, 2, 3, 4)]


def box(cx: float = 0.0, cy: float = 0.0, friction: str = "") -> Model:
    return reactio.parse_model(BOX.format(friction=friction), cx=cx, cy=cy)


def followed(model: Model, until: float, **options: object) -> ContactTrajectory:
    run = reactio.simulate(model, until, **options)  # type: ignore[arg-type]
    assert isinstance(run, ContactTrajectory)
    return run


def normal(run: ContactTrajectory, k: int = 0) -> dict[str, Impulse]:
    return {one.name: one for one, _ in impulses_with_ranges(run, run.impacts[k]) if one.component in ("Fz", "Fy")}


def test_four_corners_share_an_impact_that_none_of_them_has_alone() -> None:
    run = followed(box(), 0.11)
    total = MASS * (1 + BOUNCE) * SPEED
    for impulse, bound in impulses_with_ranges(run, run.impacts[0]):
        if impulse.component == "Fz":
            assert (impulse.value, impulse.verdict, impulse.unit) == (None, "not unique", "N s")
            assert bound is not None
            assert [bound.low, bound.high] == pytest.approx([0.0, total / 2], abs=1e-9)
    assert run.impacts[0].struck == tuple(CORNERS)
    assert run.impacts[0].work == pytest.approx(-0.5 * MASS * (1 - BOUNCE**2) * SPEED**2, rel=1e-8)
    assert all(np.isnan(event.work) for event in run.events[:4])


@pytest.mark.parametrize("rule", ["inertia", "pseudoinverse", "null-space"])
def test_a_rule_shares_an_impact_evenly_where_all_is_symmetric(rule: str) -> None:
    run = followed(box(), 0.11, rule=rule)
    for impulse in normal(run).values():
        assert impulse.value == pytest.approx(MASS * (1 + BOUNCE) * SPEED / 4, rel=1e-9)
        assert impulse.verdict == f"by {rule}"


@pytest.mark.parametrize("friction", ["", ", friction: 0.4"])
def test_time_steps_share_by_the_minimum_norm_and_say_so(friction: str) -> None:
    run = followed(box(friction=friction), 0.11, method="moreau", step=1e-3)
    values = [normal(run)[name].value for name in CORNERS]
    assert values == pytest.approx([values[0]] * 4, rel=1e-9)
    # A step also bears the weight, and strikes up to a step late: both are G times 1e-3 s of some 1 m/s.
    assert sum(x for x in values if x) == pytest.approx(MASS * (1 + BOUNCE) * SPEED, rel=0.05)
    assert {one.verdict for one in normal(run).values()} == {"by minimum norm"}
    assert any("'minimum norm', the default" in line for line in run.solver_words)


def test_a_corner_without_a_share_does_not_make_the_others_unique() -> None:
    """Centre of mass at (0.12, 0.12) of ±0.2: with signs the smallest shares are 0.6, 0.2, 0, 0.2 of the weight."""
    model = box(0.12, 0.12)
    resting = reactio.parse_model(BOX.format(friction="").replace("0.15]", "0.1]"), cx=0.12, cy=0.12)
    run = followed(resting, 0.01, method="moreau", step=1e-3)
    last = run.last_reactions
    shares = [float(last[name].force[2]) for name in CORNERS]
    # The smallest shares are found to some 1e-7, FIRST_WEIGHT, times the condition of the problem.
    assert shares == pytest.approx(MASS * G * np.array([0.6, 0.2, 0.0, 0.2]), abs=1e-5 * MASS * G)
    assert not any(last[name].unique for name in CORNERS)
    assert run.closed_at_end == tuple(CORNERS)
    assert {one.verdict for one in normal(followed(model, 0.11)).values()} == {"not unique"}


def test_signs_alone_may_make_an_impulse_unique() -> None:
    """The centre of mass is over a corner: no other can bear anything, though the rank does not say so."""
    found = normal(followed(box(0.2, 0.2), 0.11))
    assert {one.verdict for one in found.values()} == {"unique by signs"}
    values = [found[name].value for name in CORNERS]
    assert values == pytest.approx([MASS * (1 + BOUNCE) * SPEED, 0, 0, 0], abs=1e-8)


def test_impulses_of_a_rod_that_strikes_with_its_tip() -> None:
    """m L²/3 (1 + e) ω = P L at the tip, and the pin has the rest of m L/2 (1 + e) ω: −1/2 of P; both unique."""
    rod = reactio.parse_model("""
space: planar
gravity: [0, 0]
bodies: {rod: {mass: 3, inertia: 3*4/12, position: [cos(0.2), sin(0.2)], angle: 0.2,
         velocity: [sin(0.2), -cos(0.2)], angular_velocity: -1}}
joints: {A: {type: revolute, a: ground, b: {body: rod, point: [-1, 0]}}}
contacts: {floor: {type: point-on-line, line: ground, point: {body: rod, point: [1, 0]}, restitution: 0.5}}
""")
    tip = 3 * 4 / 3 * 1.5 / 2  # P of m L²/3 (1 + e) ω/L, L = 2
    for options in ({}, {"method": "moreau", "step": 1e-3}):
        found = normal(followed(rod, 0.3, **options))
        assert found["floor"].value == pytest.approx(tip, rel=1e-2 if options else 1e-8)  # strikes within a step
        assert found["A"].value == pytest.approx(-(tip - 3 * 1.5), rel=1e-2 if options else 1e-7)
        assert {one.verdict for one in found.values()} == {"unique"}


def test_no_peak_is_shown_of_a_load_that_no_rule_shares() -> None:
    """Open corners bear nothing, closed ones something that nothing decides: their peak is not 0."""
    run = followed(reactio.parse_model(BOX.format(friction="").replace("restitution: 0.3", "restitution: 0")), 0.2)
    found = [one for one in peaks(run).found if one.component in ("Fz", "|F|")]
    assert {(one.peak, one.verdict) for one in found} == {(None, "not unique")}


def test_impulses_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "boxdrop.yaml"
    file.write_text(BOX.format(friction=""), encoding="utf-8")
    command = ["simulate", str(file), "--until", "0.11"]
    text = CliRunner().invoke(app, command).output
    assert "Impulses at 1 impact" in text
    assert "not unique" in text
    data = json.loads(CliRunner().invoke(app, [*command, "--rule", "inertia", "--json"]).output)
    (impact,) = data["impacts"]
    first = next(one for one in impact["impulses"] if one["component"] == "Fz")
    assert (first["name"], first["verdict"], first["rule"]) == ("corner1", "by inertia", "inertia")
    assert first["range"] == [pytest.approx(0.0, abs=1e-9), pytest.approx(2 * first["value"], rel=1e-9)]
    assert data["events"][0]["work"] is None


def test_time_steps_of_a_model_without_contacts() -> None:
    """A mechanism without contacts moves as it does by the default method, to the order of the midpoint rule."""
    model = reactio.load("double-four-bar")
    run, smooth = (reactio.simulate(model, 0.05, method=method) for method in ("moreau", "dop853"))
    assert run.q[-1] == pytest.approx(smooth.q[-1], abs=1e-5)
    assert run.last_reactions["A"].force == pytest.approx(smooth.last_reactions["A"].force, rel=1e-2)
    done = CliRunner().invoke(app, ["simulate", "double-four-bar", "--until", "0.002", "--method", "moreau"])
    assert done.exit_code == 0
