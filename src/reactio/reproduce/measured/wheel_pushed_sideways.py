"""A bicycle wheel pushed sideways at six spoke tensions: 36 spokes and a rim that bends and twists."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reactio.arrays import Floats
from reactio.reproduce.measured.ford_wheel import (
    FLANGE_DISTANCE,
    LATERAL_BENDING,
    LOAD_ERROR,
    RIM_RADIUS,
    SPOKE_EA,
    THESIS,
    TORSION,
    wheel,
)
from reactio.reproduce.measured.measurement import Measurement, Prediction, PublishedReading, joint_forces

PUSHED = 1e-3  # [m]; forces are proportional to it while all spokes pull
SHORTENING = 0.27e-3  # [m] of every spoke: 350 N of tension, the least of the test
# Weights [N], and mean spoke tension [N] → displacements of the rim under them [mm], as in the data files.
WEIGHTS = np.array([0.0, 4.4571, 8.9142, 18.7209, 28.5275, 44.5712, 64.1845, 89.1424, 108.7557])
DISPLACEMENTS: dict[int, tuple[float, ...]] = {
    353: (0.0, 0.018766, 0.075063, 0.150125, 0.243954, 0.412845, 0.628650, 0.891369, 1.107175),
    485: (0.0, 0.028149, 0.075063, 0.178274, 0.281485, 0.450376, 0.675564, 0.947666, 1.163472),
    615: (0.0, 0.018766, 0.075063, 0.164200, 0.262719, 0.431610, 0.647416, 0.919518, 1.135323),
    737: (0.0, 0.023457, 0.075063, 0.178274, 0.281485, 0.450376, 0.675564, 0.957049, 1.210386),
    870: (0.0, 0.046914, 0.093828, 0.206422, 0.319016, 0.487907, 0.722478, 1.032112, 1.276066),
    1067: (0.0, 0.056297, 0.117285, 0.243954, 0.370622, 0.581736, 0.844455, 1.163472, 1.435574),
}
DIAL_ERROR = 0.0254  # [mm]: 0.001 inch


def push(displacement: float) -> str:
    """A rod that moves the rim sideways at its first spoke, by a displacement [m]."""
    return (
        f"push: {{type: distance, a: {{body: ground, point: [{RIM_RADIUS}, 0, -0.3]}}, "
        f"b: {{body: rim, point: [{RIM_RADIUS}, 0, 0]}}, misfit: {{length: {displacement}}}}}"
    )


def lateral_stiffness(data: Mapping[str, float]) -> float:
    """Load over displacement of the rim at one spoke [N/mm]."""
    bent = wheel(
        push(PUSHED),
        SHORTENING,
        data["EA"],
        lateral=data["lateral bending"],
        torsion=data["torsion"],
        flanges=data["flange distance"],
    )
    return -joint_forces(bent, "compliance")["push"] / (1e3 * PUSHED)


def _pushed(data: Mapping[str, float]) -> Prediction:
    stiffness = lateral_stiffness(data)
    return {_quantity(tension): stiffness for tension in DISPLACEMENTS}


def _quantity(tension: int) -> str:
    return f"lateral stiffness at {tension} N [N/mm]"


def _reading(tension: int) -> PublishedReading:
    """The slope of the line through the points, as the source takes it."""
    displacement: Floats = np.array(DISPLACEMENTS[tension])
    slope = float(np.polyfit(displacement, WEIGHTS, 1)[0])
    return PublishedReading(
        _quantity(tension),
        float(f"{slope:.4g}"),
        slope * float(np.hypot(LOAD_ERROR, DIAL_ERROR / displacement.max())),
    )


PUSHED_WHEEL = Measurement(
    name="wheel pushed sideways",
    source=THESIS,
    model="flexible rim on 36 cables, rule compliance",
    ranges={
        "EA": SPOKE_EA,
        "lateral bending": LATERAL_BENDING,
        "torsion": TORSION,
        "flange distance": FLANGE_DISTANCE,
    },
    stated="rim by its sound with the printed errors; EA and flange distance: both values of the source; load "
    "± 1 % and displacement ± 0.001 inch as stated there",
    predict=_pushed,
    readings=tuple(_reading(tension) for tension in DISPLACEMENTS),
    at="weights of 4 … 109 N at the rim, hub clamped",
    miss="tight spokes compress the rim, which makes it softer sideways; the model leaves that out",
    read="Section on lateral stiffness, appendix and data files were read; each reading is the slope of the points "
    "of one data file, of which the text prints two (97.0 and 76.0 N/mm).",
)
