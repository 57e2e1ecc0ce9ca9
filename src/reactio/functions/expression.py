"""A function written as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from reactio.expressions.number import fold
from reactio.expressions.parameters import check_name
from reactio.expressions.syntax import Apply, NumberLiteral, Tree, names, parse
from reactio.functions import register
from reactio.functions.program import VARIABLES, Code, FieldMeasure, check_finite

JUMPING = ("sign", "floor", "mod")


@register
@dataclass(frozen=True, slots=True)
class Expression:
    """A formula: f = scale · text(t, c s, c rate, k_i x_i), c = coordinate_scale.

    t [s]; s [m or rad] and rate [m/s or rad/s] of the joint, which c brings to the units of the text;
    constants: pairs of a name in the text and its value; coordinates: pairs of a name in the text, ``ram.y`` or
    ``A.rotation.rate``, and the factor k_i that brings it [m, rad, m/s, rad/s] to the units of the text.
    """

    kind: ClassVar[str] = "expression"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}  # by its text
    text: str
    constants: tuple[tuple[str, float], ...] = ()
    scale: float = 1.0
    coordinate_scale: float = 1.0
    coordinates: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        for name, value in self.constants:
            check_name(name)
            check_finite(self.kind, **{name: value})
        factors = tuple(factor for _, factor in self.coordinates)
        check_finite(self.kind, scale=self.scale, coordinate_scale=self.coordinate_scale, coordinates=factors)
        self.tree()

    def tree(self) -> Tree:
        """The formula with all constants put in."""
        known = dict(self.constants)
        return fold(parse(self.text, {*known, *VARIABLES, *dict(self.coordinates)}), known, self.text)

    def scaled(self, factor: float) -> Expression:
        return replace(self, scale=self.scale * factor)

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
            scale = 1.0 if tree.name == "t" else self.coordinate_scale
            code.scale(dict(self.coordinates).get(tree.name, scale))


def jump(tree: Tree) -> Apply | None:
    """The first part of a formula that jumps as a coordinate or a rate passes a value; jumps in time are not meant.

    >>> jump(parse("sign(s)*2 + abs(rate)", VARIABLES))
    Apply(operation='sign', arguments=(Name(name='s'),))
    """
    if not isinstance(tree, Apply):
        return None
    if tree.operation in JUMPING and names(tree) - {"t"}:
        return tree
    return next((part for argument in tree.arguments if (part := jump(argument)) is not None), None)
