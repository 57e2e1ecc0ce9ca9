"""Measurements: published readings next to predicted intervals; one that lies outside is shown as a miss.

Every case states its source, its model, and the uncertainties of its data.  The interval of a prediction is that of the
reactions over the corners of these uncertainties, widened by the resolution of the reading.

No number is fitted, but the sources state few uncertainties: their ranges were chosen with the readings known, and wide
ones (the slack of the slings) say little.  The truss is statically determinate: it tests measuring, not sharing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reactio.drawing.plots.panels import Curve, Panel, draw_with_numbers
from reactio.joint_reactions.at_state import reactions
from reactio.library import load
from reactio.model.files.read import parse_model
from reactio.model.model import Model
from reactio.reproduce import Agreement, Paper, PrintedNumber, register

STANDARD_WEIGHT = 9.81  # [N] of 1 kgf, as the library has it
Prediction = dict[str, float]  # quantity → value


@dataclass(frozen=True, slots=True)
class PublishedReading:
    """A published reading: the quantity, its value, and the resolution of its digits."""

    what: str
    value: float
    resolution: float


@dataclass(frozen=True, eq=False)
class Measurement:
    """A case: readings, and the model that predicts them from data within stated ranges."""

    name: str
    source: str
    model: str  # in words
    ranges: Mapping[str, tuple[float, float]]  # datum → its least and largest value
    stated: str  # where these ranges come from
    predict: Callable[[Mapping[str, float]], Prediction]
    readings: tuple[PublishedReading, ...]
    at: str
    miss: str  # what a reading outside may come from

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The least and largest prediction of every quantity over all corners of the ranges."""
        corners = [
            self.predict(dict(zip(self.ranges, values, strict=True)))
            for values in itertools.product(*self.ranges.values())
        ]
        return {
            key: (min(corner[key] for corner in corners), max(corner[key] for corner in corners)) for key in corners[0]
        }

    def rows(self) -> Iterator[PrintedNumber]:
        """Every reading with its interval: inside, or a miss."""
        intervals = self.intervals()
        for reading in self.readings:
            low, high = intervals[reading.what]
            low, high = low - reading.resolution, high + reading.resolution
            inside = low <= reading.value <= high
            yield PrintedNumber(
                where=self.name,
                what=reading.what,
                paper=f"{reading.value:g}",
                ours=f"{low:.4g} … {high:.4g}",
                status=Agreement.HOLDS if inside else Agreement.DIFFERS,
                note="" if inside else f"outside by {_outside(low, high, reading.value):.2g}; {self.miss}",
                tolerance="inside" if inside else "outside",
                at=self.at,
                level=self.model,
            )


def _outside(low: float, high: float, value: float) -> float:
    return max(low - value, value - high, 0.0)


def _split(model: Model, rule: str | None) -> Prediction:
    """The force of every joint [N]: tension of members, along world z or y of others."""
    shared = reactions(model, rule)
    return {
        name: reaction.axial if (reaction := shared[name]).axial is not None else float(reaction.force[-1])
        for name in shared
    }


# --- slings -----------------------------------------------------------------------------------------------------------


def _slings(data: Mapping[str, float]) -> Prediction:
    """Tensions of four legs [kgf]: s1 and s3 are the longer pair."""
    spread = data["inclination"]
    a = 1.7 * np.tan(np.radians(spread)) / np.sqrt(2)
    model = load("sling-lift", a=a, b=a, h=1.7, EA=data["EA"], slack=data["slack"], mass=data["load"])
    # A sling that is longer by more than parts can give way by is left out: it bears nothing.
    pull = dict.fromkeys(("s1", "s2", "s3", "s4"), 0.0)
    pull |= {name: force / STANDARD_WEIGHT for name, force in _split(model, "compliance").items()}
    return {
        "shorter leg, larger reading [kgf]": pull["s2"],
        "shorter leg, smaller reading [kgf]": pull["s4"],
        "longer leg, larger reading [kgf]": pull["s1"],
        "longer leg, smaller reading [kgf]": pull["s3"],
        "sum of all legs [kgf]": sum(pull.values()),
    }


SLINGS = Measurement(
    name="four slings",
    source="Techcon Engenharia, '4-leg slings: how many legs are loaded: 2, 3 or 4?', techcon.eng.br",
    model="library sling-lift, rule compliance with slack",
    ranges={"load": (679.0, 721.0), "inclination": (5.0, 20.0), "slack": (0.0, 0.02), "EA": (4e6, 2e7)},
    stated="load 700 kgf ± 3 % ('about'); not stated: legs 5° … 20° off the vertical, slack 0 … 20 mm, EA 4 … 20 MN",
    predict=_slings,
    readings=(
        PublishedReading("shorter leg, larger reading [kgf]", 348.0, 0.5),
        PublishedReading("shorter leg, smaller reading [kgf]", 303.0, 0.5),
        PublishedReading("longer leg, larger reading [kgf]", 23.0, 0.5),
        PublishedReading("longer leg, smaller reading [kgf]", 18.0, 0.5),
        PublishedReading("sum of all legs [kgf]", 692.0, 2.0),
    ),
    at="load lifted",
    miss="where the load has its centre of mass is not stated",
)

# --- beam on three supports -------------------------------------------------------------------------------------------

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
    unit = _split(parse_model(text), "compliance")
    sizes = {"left": unit["left"], "middle": unit["middle"], "right": -unit["right"]}
    return {
        f"{name} support under {force:g} N [N]": data["weights"] * force * size
        for force in BEAM_READINGS
        for name, size in sizes.items()
    }


# Load [N] → readings of the left, middle and right support [N], as printed.
BEAM_READINGS = {2: (0.9, 1.3, 0.2), 4: (1.7, 2.7, 0.4), 6: (2.6, 4.0, 0.5), 8: (3.4, 5.4, 0.7), 10: (4.2, 6.7, 0.9)}
RULE_DIVISION = 1e-3  # [m]
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
)

# --- truss ------------------------------------------------------------------------------------------------------------

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
    unit = _split(parse_model(TRUSS.format(load=-1.0)), None)
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
)

CASES = (SLINGS, THREE_SUPPORTS, CANTILEVER_TRUSS)


def _compare() -> Iterator[PrintedNumber]:
    for case in CASES:
        yield from case.rows()


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """Readings between the ends of their intervals, each over the middle of its interval."""
    panels = []
    for case in CASES:
        intervals = case.intervals()
        ends = np.array([intervals[reading.what] for reading in case.readings])
        ends += np.array([[-reading.resolution, reading.resolution] for reading in case.readings])
        value = np.array([reading.value for reading in case.readings])
        k = np.arange(1.0, len(value) + 1)
        curves = [
            Curve("least", k, ends[:, 0], "_"),
            Curve("largest", k, ends[:, 1], "_", 0),
            Curve("measured", k, value, "x"),
        ]
        panels.append(Panel(case.name, "predicted and measured", curves, "reading"))
    yield from draw_with_numbers(folder / f"measured{suffix}", panels)


MEASURED = register(
    Paper(
        key="measured",
        title="Published measurements inside or outside predicted intervals",
        cite="; ".join(case.source for case in CASES),
        compare=_compare,
        left_open=(
            *(f"{case.name}: {case.stated}." for case in CASES),
            "Beam: the table names a load in both spans, and its reactions (printed without sign) add up to one load "
            "in the left span, 0.9 + 1.3 − 0.2 = 2 N; they are read so.",
            "The sling test was read whole; the two reports of laboratories in stored excerpts of their first pages.",
            "Rectangular table (Garcia, Wood & Barrera-Mora 2015, doi 10.4236/am.2015.63055): its first page was at "
            "hand, its readings were not, so that it is not compared.",
            "Planets with pin errors, bolts with clearance and propped beams: publications were found, their readings "
            "only as figures or behind the pages at hand, so that they are not compared.",
        ),
        figures=_figures,
    )
)
