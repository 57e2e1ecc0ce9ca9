"""A smooth curve through a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal, get_args

from reactio.errors import ReactioError, did_you_mean
from reactio.functions import register
from reactio.functions.machine import SPLINE
from reactio.functions.program import Code, FieldMeasure, check_finite

Ends = Literal["not-a-knot", "natural", "clamped"]


@register
@dataclass(frozen=True, slots=True)
class Spline:
    """The cubic spline with continuous second derivative through a table: f(times[i]) = values[i], times [s].

    ``ends``: "not-a-knot" (third derivative continuous at the second and the last but one point), "natural"
    (second derivative zero at both ends) or "clamped" (first derivative zero at both ends).
    Outside the table the value is not a number.
    """

    kind: ClassVar[str] = "spline"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {
        "times": FieldMeasure.TIME,
        "values": FieldMeasure.VALUE,
        "ends": FieldMeasure.WORD,
    }
    times: tuple[float, ...]
    values: tuple[float, ...]
    ends: Ends = "not-a-knot"

    def __post_init__(self) -> None:
        check_finite(self.kind, times=self.times, values=self.values)
        if len(self.times) != len(self.values):
            raise ReactioError(
                f"spline function: {len(self.times)} times but {len(self.values)} values; one belongs to each"
            )
        if len(self.times) < 2:
            raise ReactioError(f"spline function: {len(self.times)} points; give at least two")
        for before, after in pairwise(self.times):
            if not after > before:
                raise ReactioError(f"spline function: time {after:g} s follows {before:g} s; times must increase")
        if self.ends not in get_args(Ends):
            raise ReactioError(
                f"spline function: unknown ends '{self.ends}'." + did_you_mean(self.ends, get_args(Ends))
            )

    def scaled(self, factor: float) -> Spline:
        return Spline(self.times, tuple(v * factor for v in self.values), self.ends)

    def emit(self, code: Code) -> None:
        code.variable("t")
        code.unary(SPLINE, code.store((len(self.times) - 1, *self.times, *self._coefficients())))

    def _coefficients(self) -> list[float]:
        """Those of the cubic of every interval, from the third power down; they must be finite."""
        import numpy as np
        from scipy.interpolate import CubicSpline

        try:
            with np.errstate(all="ignore"):
                curve = CubicSpline(self.times, self.values, bc_type=self.ends)
            finite = bool(np.isfinite(curve.c).all())
        except (ValueError, np.linalg.LinAlgError):
            finite = False
        if not finite:
            steps = min(after - before for before, after in pairwise(self.times))
            raise ReactioError(
                f"spline function: values up to {max(map(abs, self.values)):g} at times that are {steps:g} s apart "
                "give slopes beyond the range of numbers; check the table and its units"
            )
        return [float(x) for x in curve.c.T.ravel()]
