"""Seven bicycle rims pressed together: closed rings, whose bending is known from their sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reactio.model.files.read import parse_model
from reactio.reproduce.measured.ford_wheel import E_RIM, LOAD_ERROR, RIM_AREA, THESIS
from reactio.reproduce.measured.measurement import Measurement, Prediction, PublishedReading, joint_forces

SEGMENTS = 24  # of half a rim: its stiffness is that of a circle to 0.1 %
PRESSED = 1e-3  # [m]; forces are proportional to it

RING = """
space: planar
gravity: [0, 0]
materials: {{aluminium: {{E: {E}, nu: 0.33, density: 2700}}}}
bodies:
  upper: {{flexible: {{beam: {{path: [{upper}], section: {section}}}, material: aluminium}}}}
  lower: {{flexible: {{beam: {{path: [{lower}], section: {section}}}, material: aluminium}}}}
joints:
  right: {{type: fixed, bodies: [upper, lower], at: [{corner}, 0]}}
  left: {{type: fixed, bodies: [upper, lower], at: [-{corner}, 0]}}
  rest: {{type: fixed, bodies: [ground, upper], at: [0, {corner}]}}
  press: {{type: distance, a: {{body: upper, point: [0, {corner}]}}, b: {{body: lower, point: [0, -{corner}]}},
           misfit: {{length: -{pressed}}}}}
"""


@dataclass(frozen=True, slots=True)
class Rim:
    """A rim of the table: its bending stiffness in its plane by sound and by pressing [N m²]."""

    name: str
    radius: float  # [m]
    acoustic: float
    error: float  # of the acoustic one, as printed
    static: float

    @property
    def measured(self) -> float:
        """Load over displacement [N/mm] that the printed static value was computed from, 4 EI / R³ (π − 8/π)."""
        return 4e-3 * self.static / (self.radius**3 * (np.pi - 8.0 / np.pi))


RIMS = (
    Rim("Alex ALX295", 0.305, 310.0, 14.8, 288.0),
    Rim("DT Swiss R460", 0.304, 274.0, 13.6, 256.0),
    Rim('Sun Ringle CR18 20"', 0.217, 103.0, 5.0, 102.0),
    Rim("Sun Ringle CR18 700C", 0.304, 111.0, 9.2, 113.0),
    Rim('Alex X404 27"', 0.307, 131.0, 10.6, 134.0),
    Rim('Alex Y2000 26"', 0.271, 114.0, 7.4, 113.0),
    Rim("Alex Y2000 700C", 0.302, 125.0, 9.8, 123.0),
)


def stiffness(radius: float, EI: float) -> float:
    """Load over displacement of a ring pressed together along a diameter [N/mm]; three times redundant."""
    step = np.pi / SEGMENTS
    corner = radius * (step / 2.0) / np.sin(step / 2.0)  # of a polygon as long as the circle
    section = f"{{A: {RIM_AREA}, Iy: {EI / E_RIM}, Iz: {EI / E_RIM}, J: {EI / E_RIM}}}"
    halves = (corner * np.exp(1j * (start + step * np.arange(SEGMENTS + 1))) for start in (0.0, np.pi))
    upper, lower = (", ".join(f"[{z.real:.12g}, {z.imag:.12g}]" for z in half) for half in halves)
    text = RING.format(E=E_RIM, upper=upper, lower=lower, section=section, corner=f"{corner:.12g}", pressed=PRESSED)
    return joint_forces(parse_model(text), "compliance")["press"] / (1e3 * PRESSED)


def _rims(data: Mapping[str, float]) -> Prediction:
    return {
        f"stiffness of {rim.name} [N/mm]": stiffness(rim.radius, rim.acoustic + data["error"] * rim.error)
        for rim in RIMS
    }


PRESSED_RIMS = Measurement(
    name="rims pressed together",
    source=THESIS,
    model="closed ring of two halves, rule compliance",
    ranges={"error": (-1.0, 1.0)},
    stated="bending stiffness by sound ± its error, both as printed; load over displacement ± 1 % (of the source)",
    predict=_rims,
    readings=tuple(
        PublishedReading(f"stiffness of {rim.name} [N/mm]", float(f"{rim.measured:.4g}"), LOAD_ERROR * rim.measured)
        for rim in RIMS
    ),
    at="pressed along a diameter",
    miss="both rims with deep sections are softer than their sound says; the source gives no reason",
    read="Chapter on acoustic testing and its appendix were read. The static values are printed as bending "
    "stiffness; the measured stiffness follows from them by the formula that the source used.",
)
