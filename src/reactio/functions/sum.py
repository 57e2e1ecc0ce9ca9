"""A sum of functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.errors import ReactioError
from reactio.functions import register
from reactio.functions.machine import ADD
from reactio.functions.program import Code, FieldMeasure, Function


@register
@dataclass(frozen=True, slots=True)
class Sum:
    """A sum: f = Σ_k terms[k]."""

    kind: ClassVar[str] = "sum"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}  # by its terms
    terms: tuple[Function, ...]

    def __post_init__(self) -> None:
        if not self.terms:
            raise ReactioError("sum function: it has no terms; give at least one function")

    def scaled(self, factor: float) -> Sum:
        return Sum(tuple(term.scaled(factor) for term in self.terms))

    def emit(self, code: Code) -> None:
        first, *others = self.terms
        first.emit(code)
        for term in others:
            term.emit(code)
            code.binary(ADD)
