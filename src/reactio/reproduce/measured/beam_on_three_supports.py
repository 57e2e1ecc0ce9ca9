"""A beam on three supports, which a load in the left span lifts off the right one."""

from __future__ import annotations

from collections.abc import Mapping

from reactio.model.files.read import parse_model
from reactio.reproduce.measured.measurement import (
    RULE_DIVISION,
    Measurement,
    Prediction,
    PublishedReading,
    joint_forces,
)

BEAM = """
space: spatial
gravity: [0, 0, 0]
materials: {{steel: {{E: 2e11, nu: 0.3, density: 7800}}}}
bodies:
  beam: {{flexible: {{beam: {{from: [0, 0, 0], to: [{end}, 0, 0], section: {{rod: 0.01}}}}, material: steel}}}}
joints:
  left: {{type: spherical, a: ground, b: beam}}
  middle: {{type: point-on-line, a: {{body: ground, point: [{left}, 0, 0], orientation: [0.5, 0.5, 0.5, 0.5]}},
            b: {{body: beam, point: [{left}, 0, 0], orientation: [0.5, 0.5, 0.5, 0.5]}}}}
  right: {{type: point-on-line, a: {{body: ground, point: [{end}, 0, 0], orientation: [0.5, 0.5, 0.5, 0.5]}},
           b: {{body: beam, point: [{end}, 0, 0], orientation: [0.5, 0.5, 0.5, 0.5]}}}}
forces: {{weight: {{type: force, at: {{body: beam, point: [{at}, 0, 0]}}, force: [0, 0, -1]}}}}
"""


def _beam(data: Mapping[str, float]) -> Prediction:
    """Reactions of three supports by a load in the left span [N]; the right one holds the beam down."""
    left_span = data["left span"]
    text = BEAM.format(left=left_span, end=left_span + data["right span"], at=data["place"])
    unit = joint_forces(parse_model(text), "compliance")
    sizes = {"left": unit["left"], "middle": unit["middle"], "right": -unit["right"]}
    return {
        f"{name} support under {force:g} N [N]": data["weights"] * force * size
        for force in BEAM_READINGS
        for name, size in sizes.items()
    }


# Load [N] → readings of the left, middle and right support [N], as printed.
BEAM_READINGS = {2: (0.9, 1.3, 0.2), 4: (1.7, 2.7, 0.4), 6: (2.6, 4.0, 0.5), 8: (3.4, 5.4, 0.7), 10: (4.2, 6.7, 0.9)}
THREE_SUPPORTS = Measurement(
    name="beam on three supports",
    source="'Structure lab report', reaction of a two-span continuous beam, scribd.com/document/342669479",
    model="uniform beam on three supports, rule compliance",
    ranges={
        "left span": (0.46 - RULE_DIVISION, 0.46 + RULE_DIVISION),
        "right span": (0.47 - RULE_DIVISION, 0.47 + RULE_DIVISION),
        "place": (0.23 - RULE_DIVISION, 0.23 + RULE_DIVISION),
        "weights": (0.99, 1.01),
    },
    stated="lengths ± 1 mm (a rule), weights ± 1 % (not stated), readings to 0.1 N",
    predict=_beam,
    readings=tuple(
        PublishedReading(f"{name} support under {force:g} N [N]", value, 0.05)
        for force, values in BEAM_READINGS.items()
        for name, value in zip(("left", "middle", "right"), values, strict=True)
    ),
    at="load at 230 mm of the left span",
    miss="the supports are load cells, which give way by an amount that is not stated",
    read="An excerpt of its first pages was read. The table names a load in both spans, and its reactions (printed "
    "without sign) add up to one load in the left span, 0.9 + 1.3 − 0.2 = 2 N; they are read so.",
)
