"""A portal frame on two pins: its beam, loaded off the middle, pushes its feet apart."""

from __future__ import annotations

from collections.abc import Mapping

from reactio.joint_reactions.at_state import reactions
from reactio.model.files.read import parse_model
from reactio.reproduce.measured.measurement import RULE_DIVISION, Measurement, Prediction, PublishedReading

FRAME = """
space: planar
gravity: [0, 0]
materials: {{steel: {{E: 2e11, nu: 0.3, density: 7800}}}}
bodies:
  frame: {{flexible: {{beam: {{path: [[0, 0], [0, {height}], [{width}, {height}], [{width}, 0]],
                              section: {{box: [0.025, 0.009]}}}}, material: steel}}}}
joints:
  left: {{type: revolute, bodies: [ground, frame], at: [0, 0]}}
  right: {{type: revolute, bodies: [ground, frame], at: [{width}, 0]}}
forces: {{load: {{type: force, at: {{body: frame, point: [{place}, {height}]}}, force: [0, -1]}}}}
"""
THRUST = "horizontal reaction over the load"


def thrust(height: float, width: float, place: float) -> float:
    """Horizontal reaction of a foot over a vertical load on the beam, at ``place`` [m] from one leg."""
    frame = parse_model(FRAME.format(height=height, width=width, place=place))
    return float(reactions(frame, "compliance")["left"].force[0])


def _portal(data: Mapping[str, float]) -> Prediction:
    return {THRUST: thrust(data["height"], data["width"], data["place"])}


PORTAL_FRAME = Measurement(
    name="portal frame",
    source="'Lab Report (Portal Frame)', scribd.com/document/256542933",
    model="frame of beams on two pins, rule compliance",
    ranges={
        "height": (0.6 - RULE_DIVISION, 0.6 + RULE_DIVISION),
        "width": (0.6 - RULE_DIVISION, 0.6 + RULE_DIVISION),
        "place": (0.5 - RULE_DIVISION, 0.5 + RULE_DIVISION),
    },
    stated="lengths ± 1 mm (a rule, not stated), slope to 0.01",
    predict=_portal,
    readings=(PublishedReading(THRUST, 0.04, 0.005),),
    at="slope of the readings under 5 … 25 N",
    miss="the load cell at one foot gives way by an amount that is not stated",
    read="An excerpt of results and calculation was read: it prints the slope of the readings, not the readings.",
)
