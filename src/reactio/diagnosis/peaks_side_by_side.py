"""The peaks of two runs side by side, of two models or of one model by two rules."""

from __future__ import annotations

from dataclasses import dataclass

from reactio.linear.precision import DISPLAY
from reactio.simulation.peaks import Peak, Peaks

BY_RULE = "by "  # begins the verdict of a peak that a sharing rule decides


@dataclass(frozen=True, slots=True)
class ComparedPeak:
    """The peak of one component on both sides; None where it is open or a side does not have it."""

    name: str
    component: str
    unit: str
    verdicts: tuple[str, str]  # over the run; empty where a side does not have the component
    peaks: tuple[float | None, float | None]
    t: tuple[float | None, float | None]  # [s]
    differs: bool


def peaks_side_by_side(left: Peaks, right: Peaks) -> tuple[ComparedPeak, ...]:
    """Every component of either side; peaks that differ by rounding, or in time only, are the same.

    >>> import reactio
    >>> from reactio.simulation.peaks import peaks
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=0.1, output=3)
    >>> any(peak.differs for peak in peaks_side_by_side(peaks(run), peaks(run)))
    False
    """
    sides = [{(peak.name, peak.component): peak for peak in side.found} for side in (left, right)]
    sizes = [abs(peak.peak) for side in sides for peak in side.values() if peak.peak is not None]
    noise = DISPLAY * max(sizes, default=0.0)
    return tuple(
        _compared(sides[0].get(key), sides[1].get(key), noise) for key in dict.fromkeys((*sides[0], *sides[1]))
    )


def _compared(a: Peak | None, b: Peak | None, noise: float) -> ComparedPeak:
    known = next(peak for peak in (a, b) if peak is not None)
    x, y = (None if peak is None else peak.peak for peak in (a, b))
    moved = (x is None) != (y is None) or (x is not None and y is not None and abs(x - y) > noise)
    verdicts = ("" if a is None else a.verdict, "" if b is None else b.verdict)
    times = (None if a is None else a.t, None if b is None else b.t)
    shared = all(verdict.startswith(BY_RULE) for verdict in verdicts)  # by one rule and by another: not unique on both
    differs = moved or (verdicts[0] != verdicts[1] and not shared)
    return ComparedPeak(known.name, known.component, known.unit, verdicts, (x, y), times, differs)
