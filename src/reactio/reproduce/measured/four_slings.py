"""Four slings on a rigid load: two carry it nearly alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reactio.library import load
from reactio.reproduce.measured.measurement import Measurement, Prediction, PublishedReading, joint_forces

STANDARD_WEIGHT = 9.81  # [N] of 1 kgf, as the library has it


def _slings(data: Mapping[str, float]) -> Prediction:
    """Tensions of four legs [kgf]: s1 and s3 are the longer pair."""
    spread = data["inclination"]
    a = 1.7 * np.tan(np.radians(spread)) / np.sqrt(2)
    model = load("sling-lift", a=a, b=a, h=1.7, EA=data["EA"], slack=data["slack"], mass=data["load"])
    # A sling that is longer by more than parts can give way by is left out: it bears nothing.
    pull = dict.fromkeys(("s1", "s2", "s3", "s4"), 0.0)
    pull |= {name: force / STANDARD_WEIGHT for name, force in joint_forces(model, "compliance").items()}
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
    read="The page was read whole.",
)
