"""Directions between the axes in which an open reaction is unique."""

from __future__ import annotations

import math

import pytest

import reactio

# A bar on two pins that lie on a line at an angle: they share load along that line only.
PINS = """
space: planar
parameters: {{c: cos({angle}), s: sin({angle})}}
gravity: [0, -9.81]
bodies: {{bar: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  A: {{type: revolute, bodies: [ground, bar], at: [-c, -s]}}
  B: {{type: revolute, bodies: [ground, bar], at: [c, s]}}
"""


@pytest.mark.parametrize("angle", [math.pi / 6, math.pi / 4, 2.0])
def test_the_force_across_the_line_of_two_pins_is_named(angle: float) -> None:
    system = reactio.build(reactio.parse_model(PINS.format(angle=angle), "pins.yaml"))
    eqs = reactio.equations(system)
    sentences = reactio.explain(eqs, reactio.check(system), "A").sentences
    (told,) = (text for text in sentences if text.startswith("Nevertheless unique"))
    across = {"Fx": -math.sin(angle), "Fy": math.cos(angle)}
    sign = "+" if across["Fx"] * across["Fy"] > 0 else "−"
    assert f": {abs(across['Fx']):.3g} Fx {sign} {abs(across['Fy']):.3g} Fy, its force" in told


def test_axes_that_are_unique_themselves_need_no_direction() -> None:
    system = reactio.build(reactio.parse_model(PINS.format(angle=0), "pins.yaml"))
    sentences = reactio.explain(reactio.equations(system), reactio.check(system), "A").sentences
    assert not any("one direction" in text for text in sentences)
    assert "Unique: Fy." in sentences[0]


def test_what_a_joint_cannot_bear_is_no_unique_force() -> None:
    """Two rods side by side: the force across them is zero by their kind, and nothing to be told."""
    eqs = reactio.equations(reactio.build(reactio.load("pendulum-twice")))
    sentences = reactio.explain(eqs, reactio.solvability(eqs.constraints), "rod1").sentences
    assert not any("Nevertheless unique" in text for text in sentences)
