"""A smooth step in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.errors import ReactioError
from reactio.functions import register
from reactio.functions.program import Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class Step:
    """A step with continuous second derivative: f = before + (after − before)(10u³ − 15u⁴ + 6u⁵).

    u = (t − start)/(end − start), kept between 0 and 1; start and end [s].
    """

    kind: ClassVar[str] = "step"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {
        "start": FieldMeasure.TIME,
        "end": FieldMeasure.TIME,
        "before": FieldMeasure.VALUE,
        "after": FieldMeasure.VALUE,
    }
    start: float
    end: float
    before: float = 0.0
    after: float = 1.0

    def __post_init__(self) -> None:
        check_finite(self.kind, start=self.start, end=self.end, before=self.before, after=self.after)
        if not self.end > self.start:
            raise ReactioError(f"step function: end = {self.end:g} s is not after start = {self.start:g} s")

    def scaled(self, factor: float) -> Step:
        return Step(self.start, self.end, self.before * factor, self.after * factor)

    def emit(self, code: Code) -> None:
        code.variable("t")
        for number in (self.start, self.before, self.end, self.after):
            code.constant(number)
        code.step()
