"""Numbers as texts for tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reactio.catalogue.units import decimal, in_units, unit_name

if TYPE_CHECKING:
    from reactio.arrays import Floats


def rounding(values: Iterable[Floats | Sequence[float | None]]) -> float:
    """The size of numbers that are rounding in a table: 10⁻¹² of the largest, some thousand roundings of a sum."""
    known = (abs(float(x)) for part in values for x in part if x is not None and math.isfinite(x))
    return 1e-12 * max(known, default=0.0)


def rounded(x: float | None, digits: int = 5, unit: str = "") -> str:
    """A number to so many digits, – for None; with its ``unit`` in SI in the units of the file."""
    return "–" if x is None else decimal(in_units(x, unit), digits)


def number_text(x: float, zero: float, digits: int = 5, unit: str = "") -> str:
    """A number as text: 0 where it is rounding, ∞ where nothing limits it, – where it is not known."""
    if math.isinf(x):
        return "−∞" if x < 0 else "∞"
    return "–" if math.isnan(x) else "0" if abs(x) <= zero else rounded(x, digits, unit)


def number_texts(values: Floats | Sequence[float], zero: float, digits: int = 5, unit: str = "") -> str:
    """The numbers of a vector as text."""
    return ", ".join(number_text(float(x), zero, digits, unit) for x in values)


def wrench_heads() -> tuple[str, str]:
    """The heads of the columns of forces and moments."""
    return f"force {unit_name('N')}", f"moment {unit_name('N m')}"
