"""A constant."""

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
