"""Numbers for scripts, and as texts for tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reactio.arrays import Floats


def numbers(values: Floats | Sequence[float]) -> list[float | None]:
    """A vector; nothing in place of a component that is not unique or not known."""
    return [float(x) if math.isfinite(x) else None for x in values]


def rounding(values: Iterable[Floats | Sequence[float | None]]) -> float:
    """What counts as zero in a table: 10⁻¹² of its largest number, some thousand roundings of a sum of such."""
    known = (abs(float(x)) for part in values for x in part if x is not None and math.isfinite(x))
    return 1e-12 * max(known, default=0.0)


def rounded(x: float, digits: int = 5) -> str:
    """A number to so many digits; below a million without a power of ten, as people write loads: 123450."""
    return f"{float(f'{x:.{digits}g}'):.{max(digits, 6)}g}"


def number_text(x: float, zero: float, digits: int = 5) -> str:
    """A number, 0 where it is rounding only, ∞ where nothing limits it, – where there is none."""
    if math.isinf(x):
        return "−∞" if x < 0 else "∞"
    return "–" if math.isnan(x) else "0" if abs(x) <= zero else rounded(x, digits)


def number_texts(values: Floats | Sequence[float], zero: float, digits: int = 5) -> str:
    """A vector of such numbers."""
    return ", ".join(number_text(float(x), zero, digits) for x in values)
