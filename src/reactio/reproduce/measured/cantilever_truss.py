"""A cantilever truss of two bays, whose members carry strain gauges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reactio.model.files.read import parse_model
from reactio.reproduce.measured.measurement import Measurement, Prediction, PublishedReading, joint_forces

TRUSS = """
space: planar
gravity: [0, 0]
bodies:
  B: {{kind: point, mass: 1, position: [0, 0]}}
  C: {{kind: point, mass: 1, position: [0.4, 0.4]}}
  D: {{kind: point, mass: 1, position: [0.4, 0]}}
  E: {{kind: point, mass: 1, position: [0.8, 0]}}
joints:
  member1: {{type: distance, a: {{body: ground, point: [0, 0.4]}}, b: C}}
  member2: {{type: distance, a: C, b: D}}
  member3: {{type: distance, a: D, b: E}}
  member4: {{type: distance, a: B, b: D}}
  member5: {{type: distance, a: {{body: ground, point: [0, 0.4]}}, b: B}}
  member7: {{type: distance, a: {{body: ground, point: [0, 0.4]}}, b: D}}
  member8: {{type: distance, a: C, b: E}}
  track: {{type: distance, a: {{body: ground, point: [-0.4, 0]}}, b: B}}
forces: {{load: {{type: force, at: E, force: [0, {load}]}}}}
"""


def _truss(data: Mapping[str, float]) -> Prediction:
    """Strains of the members [µm/m] of a cantilever truss of two bays, which is statically determinate."""
    unit = joint_forces(parse_model(TRUSS.format(load=-1.0)), None)
    EA = data["E"] * np.pi / 4 * data["diameter"] ** 2
    return {
        f"strain of {name} under {force:g} N [µm/m]": 1e6 * data["load"] * force * unit[name] / EA
        for force in STRAINS
        for name in unit
        if name != "track"
    }


# Load [N] → strains of members 1, 2, 3, 4, 5, 7, 8 less those without load, as printed.
STRAINS = {
    50: (8, -7, -7, -15, 1, 11, 11),
    100: (18, -17, -17, -35, 1, 25, 26),
    150: (27, -27, -26, -54, 1, 40, 42),
    200: (37, -36, -35, -72, 1, 53, 56),
    250: (43, -43, -42, -87, 0, 64, 67),
}
MEMBERS = ("member1", "member2", "member3", "member4", "member5", "member7", "member8")
CANTILEVER_TRUSS = Measurement(
    name="cantilever truss",
    source="laboratory report on a statically determinate cantilever truss, pdfcookie.com, nlz1rn67gx25",
    model="pinned rods, all reactions unique",
    ranges={"E": (2.0e11, 2.1e11), "diameter": (5.95e-3, 6.05e-3), "load": (0.99, 1.01)},
    stated="rods 6 ± 0.05 mm, E 200 … 210 GPa (210 printed), load ± 1 % (not stated), strains to 1 µm/m",
    predict=_truss,
    readings=tuple(
        PublishedReading(f"strain of {name} under {force:g} N [µm/m]", float(value), 1.0)
        for force, values in STRAINS.items()
        for name, value in zip(MEMBERS, values, strict=True)
    ),
    at="load at the tip",
    miss="the calibration of the strain gauges is not stated",
    read="An excerpt of its results was read. The truss is statically determinate: it tests measuring, not load "
    "sharing.",
)
