"""Constants: a given one, and the one that a pose decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.functions import register
from reactio.functions.program import Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class Constant:
    """The same value at all times: f = value."""

    kind: ClassVar[str] = "constant"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {"value": FieldMeasure.VALUE}
    value: float

    def __post_init__(self) -> None:
        check_finite(self.kind, value=self.value)

    def scaled(self, factor: float) -> Constant:
        return Constant(self.value * factor)

    def emit(self, code: Code) -> None:
        code.constant(self.value)


@dataclass(frozen=True, slots=True)
class Hold:
    """The value that a driven coordinate has in the given pose, at all times; not for loads, which have no pose."""

    kind: ClassVar[str] = "hold"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}

    def scaled(self, factor: float) -> Hold:
        return self

    def emit(self, code: Code) -> None:
        code.constant(0.0)  # counted from the pose: the row of the drive has its target from there
