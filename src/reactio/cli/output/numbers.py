"""Numbers as texts for tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reactio.arrays import Floats


def rounding(values: Iterable[Floats | Sequence[float | None]]) -> float:
    """The size of numbers that are rounding in a table: 10⁻¹² of the largest, some thousand roundings of a sum."""
    known = (abs(float(x)) for part in values for x in part if x is not None and math.isfinite(x))
    return 1e-12 * max(known, default=0.0)


def rounded(x: float, digits: int = 5) -> str:
    """A number to so many digits; below a million without an exponent: 123450."""
    return f"{float(f'{x:.{digits}g}'):.{max(digits, 6)}g}"


def number_text(x: float, zero: float, digits: int = 5) -> str:
    """A number as text: 0 where it is rounding, ∞ where nothing limits it, – where it is not known."""
    if math.isinf(x):
        return "−∞" if x < 0 else "∞"
    return "–" if math.isnan(x) else "0" if abs(x) <= zero else rounded(x, digits)


def number_texts(values: Floats | Sequence[float], zero: float, digits: int = 5) -> str:
    """The numbers of a vector as text."""
    return ", ".join(number_text(float(x), zero, digits) for x in values)
