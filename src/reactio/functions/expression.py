"""A function written as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.expressions.number import fold
from reactio.expressions.parameters import check_name
from reactio.expressions.syntax import Apply, NumberLiteral, Tree, parse
from reactio.functions import register
from reactio.functions.program import VARIABLES, Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class Expression:
    """A formula: f = scale · text(t, c s, c rate), c = coordinate_scale.

    t [s]; s [m or rad] and rate [m/s or rad/s] of the joint, which c brings to the units of the text;
    constants: pairs of a name in the text and its value.
    """

    kind: ClassVar[str] = "expression"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}  # by its text
    text: str
    constants: tuple[tuple[str, float], ...] = ()
    scale: float = 1.0
    coordinate_scale: float = 1.0

    def __post_init__(self) -> None:
        for name, value in self.constants:
            check_name(name)
            check_finite(self.kind, **{name: value})
        check_finite(self.kind, scale=self.scale, coordinate_scale=self.coordinate_scale)
        self.tree()

    def tree(self) -> Tree:
        """The formula with all constants put in."""
        known = dict(self.constants)
        return fold(parse(self.text, {*known, *VARIABLES}), known, self.text)

    def scaled(self, factor: float) -> Expression:
        return Expression(self.text, self.constants, self.scale * factor, self.coordinate_scale)

    def emit(self, code: Code) -> None:
        self._emit(self.tree(), code)
        code.scale(self.scale)

    def _emit(self, tree: Tree, code: Code) -> None:
        if isinstance(tree, NumberLiteral):
            code.constant(tree.value)
        elif isinstance(tree, Apply):
            for argument in tree.arguments:
                self._emit(argument, code)
            code.apply(tree.operation, len(tree.arguments))
        else:
            code.variable(tree.name)
            code.scale(1.0 if tree.name == "t" else self.coordinate_scale)
