"""Units: SI inside; a file may declare others and is converted on reading."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from reactio.catalogue.fields import DIMENSIONS
from reactio.errors import ReactioError, did_you_mean

UNITS: Mapping[str, Mapping[str, float]] = {
    "length": {
        "m": 1.0,
        "mm": 1e-3,
        "cm": 1e-2,
        "dm": 0.1,
        "km": 1e3,
        "um": 1e-6,
        "in": 0.0254,
        "ft": 0.3048,
    },
    "angle": {"rad": 1.0, "deg": math.pi / 180, "degree": math.pi / 180, "degrees": math.pi / 180},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": 0.45359237},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0},
    "force": {"N": 1.0, "kN": 1e3, "mN": 1e-3, "lbf": 4.4482216152605},
}


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a file as factors to SI."""

    length: float = 1.0
    angle: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    force: float = 1.0

    def factor(self, dimension: str) -> float:
        """What one unit of a dimension is in SI.

        >>> units_named({"length": "mm"}).factor("torque")
        0.001
        """
        return _factor(self, dimension)


@lru_cache
def _factor(units: Units, dimension: str) -> float:
    bases = (units.length, units.angle, units.mass, units.time, units.force)
    return math.prod(base**power for base, power in zip(bases, DIMENSIONS[dimension], strict=True))


def units_named(names: Mapping[str, str]) -> Units:
    """Units from their names by quantity: ``{"length": "mm", "angle": "deg"}``."""
    factors = {}
    for quantity, name in names.items():
        if quantity not in UNITS:
            raise ReactioError(f"units: '{quantity}' is no quantity.{did_you_mean(quantity, UNITS)}")
        if name not in UNITS[quantity]:
            raise ReactioError(f"'{name}' is no unit of {quantity}.{did_you_mean(name, UNITS[quantity])}")
        factors[quantity] = UNITS[quantity][name]
    return Units(**factors)


def quantity_of(name: str) -> str:
    """The quantity a unit measures."""
    for quantity, units in UNITS.items():
        if name in units:
            return quantity
    known = [unit for units in UNITS.values() for unit in units]
    raise ReactioError(f"'{name}' is no unit.{did_you_mean(name, known)}")
