"""The unit alarm: a rule whose numbers depend on the writing of a mechanism says so, and by how much."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.rewriting import rewritings

LOAD = 9.81 * math.cos(0.7)  # the pendulum's weight along its rods


def rods(rule: str) -> Reactions:
    return reactio.reactions(reactio.equations(reactio.build(reactio.load("pendulum-two-rods"))), rule)


def test_minimum_norm_shares_by_the_unit_of_length() -> None:
    """6.00 and 1.50 N in metres, 7.50 and 0.000002 N in millimetres: shares go as squared row lengths, (2 l)² : 1."""
    alarm = next(one for one in rewritings(rods("pseudoinverse")) if one.change == "units")
    forces = alarm.forces()
    # Closed form; the solver loses 1e-10 of the load where shares differ by 4e6.
    assert forces["rod1"] == pytest.approx((LOAD * 4 / 5, LOAD * 4e6 / (4e6 + 1)), rel=1e-9)
    assert forces["rod2"] == pytest.approx((LOAD / 5, LOAD / (4e6 + 1)), abs=1e-9)
    assert "in millimetres rod1.N would be 7.5031 N, not 6.00248 N" in alarm.sentence


@pytest.mark.parametrize("rule", ["inertia", "mass-rows", "penalty", "null-space", "wrench-norm"])
def test_rules_that_do_not_see_units_share_equally(rule: str) -> None:
    found = rods(rule)
    for name in ("rod1", "rod2"):
        assert math.hypot(*found[name].force) == pytest.approx(LOAD / 2, rel=1e-12)
    assert not any(one.sentence for one in rewritings(found))


def test_the_command_raises_the_alarm_in_words_and_in_json() -> None:
    said = CliRunner().invoke(app, ["reactions", "pendulum-two-rods", "--rule", "pseudoinverse"]).output
    assert "depend on how the mechanism is written: in millimetres" in " ".join(said.split())
    done = CliRunner().invoke(app, ["reactions", "pendulum-two-rods", "--rule", "pseudoinverse", "--json"])
    (units,) = json.loads(done.output)["written_otherwise"]
    assert units["differs"]
    assert units["forces"]["rod2"]["there"] < 1e-5 < 1.0 < units["forces"]["rod2"]["here"]


def test_rules_are_listed_with_what_they_depend_on() -> None:
    done = json.loads(CliRunner().invoke(app, ["rules", "--json"]).output)
    marks = {rule["name"]: rule["invariant_under"] for rule in done["rules"]}
    assert all(marks["inertia"].values())
    assert not marks["pseudoinverse"]["units"]


DOOR = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  door: {mass: 20, inertia: [6, 7, 1.2], position: [0.4, 0, 1]}
joints:
  low:  {type: revolute, bodies: [ground, door], at: [0, 0, 0.25], axis: [0, 0, 1]}
  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.75], axis: [0, 0, 1]}
"""


@pytest.mark.parametrize("rule", ["pseudoinverse", "unit-rows", "mass-rows", "inertia", "null-space", "wrench-norm:1m"])
def test_a_door_of_20_kg_by_every_rule(rule: str) -> None:
    """Equilibrium by hand: vertical forces make the weight, moments about the hinge line's middle balance its lever."""
    found = reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(DOOR))), rule)
    low, high = found["low"], found["high"]
    weight, lever = 20 * 9.81, 0.4
    # Rounding of sums of a few numbers of the size of the weight.
    assert low.force[2] + high.force[2] == pytest.approx(weight, rel=1e-12)
    assert low.force[0] + high.force[0] == pytest.approx(0.0, abs=1e-10)
    couple = 0.75 * (high.force[0] - low.force[0]) + low.moment[1] + high.moment[1]
    assert couple == pytest.approx(-lever * weight, rel=1e-12)


def test_the_invariant_rule_gives_a_door_no_couple_of_lateral_forces() -> None:
    """Unique is not realistic: the joint-wise metric bends both hinges, where a door pulls at one and pushes at one."""
    found = reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(DOOR))), "inertia")
    assert found["low"].force[2] == pytest.approx(found["high"].force[2], rel=1e-12)
    assert abs(found["high"].force[0] - found["low"].force[0]) < 1e-9 * abs(found["low"].moment[1])
