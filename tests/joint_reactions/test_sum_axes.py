"""Sums across joints are forces of the machine: in world axes, unless asked otherwise; axes that turn are named."""

from __future__ import annotations

import pytest

import reactio
from reactio.joint_reactions.sums import evaluated, simplest
from reactio.system.reaction_axes import axes_carriers, moving_axes_words

# A ram of 100 kg, tilted by 30°, on two pins whose axes ride on it.
RAM = """
space: planar
gravity: [0, -10]
bodies: {ram: {mass: 100, inertia: 5, angle: radians(30)}}
joints:
  L: {type: revolute, a: {body: ram, point: [-1, 0], angle: 0}, b: {body: ground, point: ["-cos(radians(30))", -0.5]}}
  R: {type: revolute, a: {body: ram, point: [1, 0], angle: 0}, b: {body: ground, point: ["cos(radians(30))", 0.5]}}
"""


@pytest.fixture(scope="module")
def ram() -> reactio.Reactions:
    return reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(RAM))))


def test_a_sum_across_joints_is_the_force_of_the_ram(ram: reactio.Reactions) -> None:
    """The weight, 1000 N downwards on the ground; along axes tilted by 30° only 1000 cos 30° of it."""
    whole = evaluated(ram, "L.Fy + R.Fy")
    assert whole.value == pytest.approx(-1000)
    assert (whole.unit, str(whole.axes), str(whole.verdict)) == ("N", "world", "unique")
    tilted = evaluated(ram, "L.Fy + R.Fy in joint axes")
    assert tilted.value == pytest.approx(-866.0254037844386)
    assert tilted.axes == "joint"


def test_a_component_of_one_joint_keeps_the_axes_of_the_table(ram: reactio.Reactions) -> None:
    assert evaluated(ram, "L.Fy").axes == "joint"
    assert evaluated(ram, "L.Fy in world").axes == "world"
    # Along the line of the two pins a rigid model knows only the sum, across it each.
    assert evaluated(ram, "L.Fy").unique
    assert not evaluated(ram, "L.Fy in world").unique


def test_the_simplest_sums_are_in_world_axes(ram: reactio.Reactions) -> None:
    found = {one.expression: one for one in simplest(ram)}
    assert found["L.Fy + R.Fy"].value == pytest.approx(-1000)
    assert found["L.Fy + R.Fy"].axes == "world"


def test_axes_that_turn_are_named(ram: reactio.Reactions) -> None:
    system = ram.eqs.system
    assert axes_carriers(system) == {"L": "ram", "R": "ram"}
    assert moving_axes_words(system) == "Joint axes turn with the first body of each joint: L, R with ram."
    assert moving_axes_words(system.in_axes("world")) == ""
    assert moving_axes_words(reactio.build(reactio.load("door"))) == ""


def test_questions_take_a_model_a_system_or_equations() -> None:
    model = reactio.parse_model(RAM)
    system = reactio.build(model)
    every = [
        reactio.reactions(one, "inertia")["L"].force.tolist() for one in (model, system, reactio.equations(system))
    ]
    assert every[0] == every[1] == every[2]
    moved = reactio.reactions(system, "inertia", state=system.state())
    assert moved["L"].force.tolist() == every[0]
    table = reactio.reactions(model).to_pandas()
    assert list(table.columns) == ["name", "component", "value", "unit", "basis"]
    assert set(table["basis"]) <= {"unique", "open"}
    assert "inertia" in reactio.compare(model, ["inertia"]).rules
