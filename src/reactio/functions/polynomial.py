"""A polynomial in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.errors import ReactioError
from reactio.functions import register
from reactio.functions.machine import ADD, MUL, SUB
from reactio.functions.program import Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial: f = Σ_k coefficients[k] (t − origin)^k.

    origin [s]; coefficients[k] in the unit of f per s^k.
    """

    kind: ClassVar[str] = "polynomial"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {"coefficients": FieldMeasure.POWERS, "origin": FieldMeasure.TIME}
    coefficients: tuple[float, ...]
    origin: float = 0.0

    def __post_init__(self) -> None:
        check_finite(self.kind, coefficients=self.coefficients, origin=self.origin)
        if not self.coefficients:
            raise ReactioError("polynomial function: it has no coefficients; give at least one, power 0 first")

    def scaled(self, factor: float) -> Polynomial:
        return Polynomial(tuple(c * factor for c in self.coefficients), self.origin)

    def emit(self, code: Code) -> None:
        *lower, highest = self.coefficients
        f = code.constant(highest)
        x = code.variable("t")
        code.constant(self.origin)
        code.binary(SUB)
        for c in reversed(lower):
            code.combine(MUL, f, x)
            code.combine(ADD, f, code.constant(c))
            code.drop(1)
        code.drop(1)
