"""Units: SI inside; a file may declare others, is converted on reading, and gets its answers in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
DEFAULT_DIGITS = 4  # of a quantity in a sentence
# Prefixes of small quantities in SI, with their factor and the least value in them, which three digits do not round up.
PREFIXES = (("", 1.0, 0.9995), ("m", 1e-3, 0.09995), ("µ", 1e-6, 0.9995), ("n", 1e-9, 0.0))


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a file by their names."""

    length: str = "m"
    angle: str = "rad"
    mass: str = "kg"
    time: str = "s"
    force: str = "N"

    def factor(self, dimension: str) -> float:
        """The value of a unit of a dimension in SI.

        >>> units_named({"length": "mm"}).factor("torque")
        0.001
        """
        return _factor(self, dimension)


@lru_cache
def _factor(units: Units, dimension: str) -> float:
    bases = (table[getattr(units, quantity)] for quantity, table in UNITS.items())
    return math.prod(base**power for base, power in zip(bases, DIMENSIONS[dimension], strict=True))


def units_named(names: Mapping[str, str]) -> Units:
    """Units from their names by quantity: ``{"length": "mm", "angle": "deg"}``."""
    for quantity, name in names.items():
        if quantity not in UNITS:
            raise ReactioError(f"units: '{quantity}' is not a quantity.{did_you_mean(quantity, UNITS)}")
        if name not in UNITS[quantity]:
            raise ReactioError(f"'{name}' is not a unit of {quantity}.{did_you_mean(name, UNITS[quantity])}")
    return Units(**names)


def units_of(names: Iterable[str]) -> Units:
    """Units from their names alone: ``mm``, ``kN``.

    >>> units_of(["mm", "kN"]).force
    'kN'
    """
    given = [(quantity_of(name), name) for name in names]
    if len(dict(given)) < len(given):
        raise ReactioError("units: two units of one quantity are given; give one.")
    return units_named(dict(given))


def units_of_size(**sizes: float) -> Units:
    """The units with these values in SI, by quantity; of one that has no name here that of SI.

    >>> units_of_size(length=1e-3, force=9.80665).length, units_of_size(force=9.80665).force
    ('mm', 'N')
    """
    names = ((quantity, name) for quantity, size in sizes.items() for name, x in UNITS[quantity].items() if x == size)
    return units_named(dict(names))


def quantity_of(name: str) -> str:
    """The quantity a unit measures."""
    for quantity, units in UNITS.items():
        if name in units:
            return quantity
    known = [unit for units in UNITS.values() for unit in units]
    raise ReactioError(f"'{name}' is not a unit.{did_you_mean(name, known)}")


# The units in which texts are written now: those of the file that a command is about.  Instants stay in seconds, as
# options give them, and with them all rates.
WRITTEN_IN: ContextVar[Units] = ContextVar("WRITTEN_IN", default=Units())  # noqa: B039, a frozen value


@contextmanager
def writing_in(units: Units) -> Iterator[None]:
    """Texts written inside have these units."""
    token = WRITTEN_IN.set(units)
    try:
        yield
    finally:
        WRITTEN_IN.reset(token)


_SYMBOL = re.compile(r"(?<![\w°])(m|rad|kg|N)(²|³|⁴)?(?!\w)")
_POWERS = {"": 1, "²": 2, "³": 3, "⁴": 4}
_QUANTITY_OF_SYMBOL = {"m": "length", "rad": "angle", "kg": "mass", "N": "force"}


@lru_cache
def _written(unit: str, units: Units) -> tuple[str, float]:
    """Name and value in SI of the unit in which quantities with a unit of SI are written.

    Symbols behind a solidus divide.

    >>> _written("N m/rad", Units(length="mm", angle="deg"))[0]
    'N mm/deg'
    """
    above, solidus, below = unit.partition("/")
    factor = 1.0
    for part, sign in ((above, 1), (below, -1)):
        for symbol, power in _SYMBOL.findall(part):
            quantity = _QUANTITY_OF_SYMBOL[symbol]
            factor *= UNITS[quantity][getattr(units, quantity)] ** (sign * _POWERS[power])

    def replaced(text: str) -> str:
        return _SYMBOL.sub(lambda symbol: getattr(units, _QUANTITY_OF_SYMBOL[symbol[1]]) + (symbol[2] or ""), text)

    return replaced(above) + solidus + replaced(below), factor


def unit_name(unit: str) -> str:
    """The unit in which quantities with a unit of SI are written now: ``N mm`` for ``N m`` in a file in mm.

    >>> with writing_in(units_of(["mm"])):
    ...     unit_name("N m"), unit_name("m/s²"), unit_name("%")
    ('N mm', 'mm/s²', '%')
    """
    return _written(unit, WRITTEN_IN.get())[0]


def in_units(x: Any, unit: str) -> Any:
    """A number or an array with a unit of SI, in the unit in which it is written now."""
    factor = _written(unit, WRITTEN_IN.get())[1]
    return x if factor == 1.0 or x is None else x / factor


def in_si(x: Any, unit: str) -> Any:
    """A number or an array in the unit in which it is written now, in SI.

    >>> with writing_in(units_of(["mm"])):
    ...     in_si(3000.0, "N m")
    3.0
    """
    return x * _written(unit, WRITTEN_IN.get())[1]


_POWER_SIGNS = {power: sign for sign, power in _POWERS.items()}


@lru_cache
def si_unit(dimension: str) -> str:
    """The unit of SI of a dimension.

    >>> si_unit("torsional damping"), si_unit("inertia"), si_unit("number")
    ('N m s/rad', 'kg m²', '')
    """
    length, angle, mass, time, force = DIMENSIONS[dimension]
    powers = {"N": force, "kg": mass, "m": length, "rad": angle, "s": time}
    above, below = (
        " ".join(symbol + _POWER_SIGNS[abs(power)] for symbol, power in powers.items() if sign * power > 0)
        for sign in (1, -1)
    )
    return f"{above}/{below}" if below else above


def reaction_unit(component: str) -> str:
    """The unit of SI of a component of a reaction, by its name: moments begin with M."""
    return "N m" if component.rpartition(".")[2].startswith("M") else "N"


# Names that a symbol of SI may have behind a number.
_NAMES: Mapping[str, Mapping[str, float]] = {
    "m": {**UNITS["length"], "µm": 1e-6, "μm": 1e-6, "nm": 1e-9},
    "rad": {**UNITS["angle"], "mrad": 1e-3, "µrad": 1e-6, "μrad": 1e-6, "urad": 1e-6},
    "kg": UNITS["mass"],
    "N": {**UNITS["force"], "MN": 1e6},
    "s": UNITS["time"],
    "K": {"K": 1.0},
    "": {},
}


@lru_cache
def names_of_unit(unit: str) -> Mapping[str, float]:
    """The names that a unit of SI and its multiples may have behind a number, with their values in SI.

    >>> names_of_unit("N m")["kNm"], names_of_unit("m/s")["mm/s"]
    (1000.0, 0.001)
    """
    first, *symbols = re.findall(r"[ /]?[^ /]+", unit) or [""]
    names = dict(_NAMES[first])
    for symbol in symbols:
        sign = -1 if symbol[0] == "/" else 1
        joins = ("/",) if sign < 0 else (" ", "", "*", "·")
        further = _NAMES[symbol[1:]].items()
        names = {f"{a}{join}{b}": x * y**sign for join in joins for a, x in names.items() for b, y in further}
    return names


def decimal(x: float, digits: int) -> str:
    """A number to so many digits, below ten million without an exponent: moments in N mm are large.

    >>> decimal(1234567.0, 5), decimal(1.5e-7, 5)
    ('1234600', '1.5e-07')
    """
    return f"{float(f'{x:.{digits}g}'):.{max(digits, 7)}g}"


def quantity(x: float, unit: str, digits: int = DEFAULT_DIGITS) -> str:
    """A value with a unit of SI as text.

    >>> with writing_in(units_of(["mm"])):
    ...     quantity(0.0125, "m"), quantity(3.0, "N m")
    ('12.5 mm', '3000 N mm')
    """
    return f"{decimal(in_units(x, unit), digits)} {unit_name(unit)}".rstrip()


def small_quantity(x: float, unit: str, digits: int = 3) -> str:
    """A small length or angle as text, in SI with the prefix that is read most easily.

    >>> small_quantity(1e-5, "m"), small_quantity(2e-4, "rad")
    ('10 µm', '0.2 mrad')
    """
    if unit_name(unit) != unit:
        return quantity(x, unit, digits)
    prefix, factor = next((prefix, factor) for prefix, factor, least in PREFIXES if abs(x) >= least * factor)
    return f"{x / factor:.{digits}g} {prefix}{unit}"
