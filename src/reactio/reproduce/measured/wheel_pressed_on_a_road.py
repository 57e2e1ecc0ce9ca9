"""Three bicycle wheels pressed on a road until spokes go slack: 36 spokes that only pull."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from reactio.arrays import Floats
from reactio.flexibility.engagement import engagement
from reactio.linear.precision import SOLUTION
from reactio.reproduce.measured.ford_wheel import (
    IN_PLANE_BENDING,
    SPOKE_EA,
    THESIS,
    road,
    tension_per_shortening,
    wheel,
)
from reactio.reproduce.measured.measurement import Measurement, Prediction, PublishedReading

ROAD_RISES = 1.8e-3  # [m]: beyond the point at which the stiffness has changed, for all tensions
NON_LINEAR = 0.05  # the onset: the load is that much below the line of the first part


@dataclass(frozen=True, slots=True)
class TestedWheel:
    """A wheel of the table of radial tests."""

    name: str
    side: float  # dead load on the rim, away from the flange of the loaded spoke [N]
    tension: float  # mean of its spokes [N]
    spread: float  # standard deviation [N]
    stiffness: float  # [kN/mm]
    error: float  # of the stiffness
    onset: float  # load at which it is non-linear [kN]


WHEELS = (
    TestedWheel("wheel 1", 58.0, 852.0, 21.0, 1.944, 0.006, 2.79),
    TestedWheel("wheel 2", 58.0, 862.0, 52.0, 1.999, 0.014, 1.85),
    TestedWheel("wheel 3", 220.0, 867.0, 33.0, 2.003, 0.005, 2.14),
)
RECORD_STEP = 0.04  # [kN] between points of the data files


@cache
def pressed(tested: TestedWheel, EA: float, in_plane: float) -> tuple[Floats, Floats]:
    """Displacement of the rim at the road [m] and load [N] at the mean tension, from the first contact on."""
    shortening = tested.tension / tension_per_shortening(EA, in_plane)
    path = engagement(wheel(road(slack=0.0), shortening, EA, in_plane, side=-tested.side), "road.length", ROAD_RISES)
    load = np.abs(path.forces["road"])
    touches = int(np.flatnonzero(load > SOLUTION * load.max())[0])
    rise, load = path.loads[touches:], load[touches:]
    before = load[0] * (rise[1] - rise[0]) / (load[1] - load[0])  # the first load lies on the line through zero
    return rise - rise[0] + before, load


def onset(displacement: Floats, load: Floats, contact: float) -> float:
    """The load [N] that is 5 % below the first line, with a ``contact`` [m/N] that gives way between rim and road.

    (u + c F) K₁ / F − 1 = 0.05, K₁ the first F over u + c F; u (n,) displacement [m], F (n,) load [N].
    """
    total = displacement + contact * load
    below = total / (total[0] / load[0]) / load - 1.0
    return float(np.interp(NON_LINEAR, below, load))


def _pressed(data: Mapping[str, float]) -> Prediction:
    prediction = {}
    for tested in WHEELS:
        displacement, load = pressed(tested, data["EA"], data["in-plane bending"])
        # All loads of the model grow with the tension, the one on the side too.
        tighter = 1.0 + data["tension"] * tested.spread / tested.tension
        prediction[f"stiffness of {tested.name} [kN/mm]"] = 1e-6 * load[0] / displacement[0]
        prediction[f"onset of {tested.name} [kN]"] = 1e-3 * tighter * onset(displacement, load, data["contact"])
    return prediction


PRESSED_WHEEL = Measurement(
    name="wheel pressed on a road",
    source=THESIS,
    model="flexible rim on 36 cables and a strut, engage and rule compliance",
    ranges={
        "EA": SPOKE_EA,
        "in-plane bending": IN_PLANE_BENDING,
        "tension": (-1.0, 1.0),
        "contact": (0.0, 0.3e-6),
    },
    stated="rim by its sound with the printed error, EA: both values of the source, tension: mean ± standard "
    "deviation as printed; between rim and road 0 … 0.3 µm/N, which the measured stiffness leaves",
    predict=_pressed,
    readings=tuple(
        reading
        for tested in WHEELS
        for reading in (
            PublishedReading(f"stiffness of {tested.name} [kN/mm]", tested.stiffness, tested.error),
            PublishedReading(f"onset of {tested.name} [kN]", tested.onset, RECORD_STEP / 2.0),
        )
    ),
    at="load at one spoke, hub guided",
    miss="the pin in the rim, the seats of the nipples and the machine give way too, by an amount that the source "
    "does not state, and the record starts while the pin settles",
    read="Section on radial experiments, appendix and data files were read; a load is non-linear where it is 5 % "
    "below the line of the first part, as in the source.",
)
