"""The value of an expression, and whether it is an angle in radians.

An angle that comes out of ``asin``, and π itself, is in radians, whatever unit the numbers around it have.  Values
carry this as their type: a plain float is in the unit of its place, ``Radians`` is an angle in radians, ``Mixed``
is a sum of both.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from reactio.expressions.syntax import Apply, ExpressionError, Name, NumberLiteral, Radians, Tree, parse, shortened

__all__ = ["Mixed", "Radians", "evaluate", "fold", "smooth"]


class Mixed(float):
    """A sum of an angle in radians and a plain number: meaningful only where angles are in radians."""

    __slots__ = ()


def evaluate(text: str, names: Mapping[str, float]) -> float:
    """The value of an expression in named numbers.

    >>> evaluate("2*l + 1", {"l": 0.25})
    1.5
    """
    try:
        value = float(text)
    except ValueError:
        tree = fold(parse(text, names), names, text)
        assert isinstance(tree, NumberLiteral), "every name has a value"
        return tree.value
    if not math.isfinite(value):
        raise ExpressionError(f"'{shortened(text)}' is not a finite number; give a number below 1.8e308")
    return value


def fold(tree: Tree, names: Mapping[str, float], text: str) -> Tree:
    """The tree with every part that is known replaced by its value; ``text`` is for messages."""
    if isinstance(tree, Name):
        return NumberLiteral(names[tree.name]) if tree.name in names else tree
    if isinstance(tree, NumberLiteral):
        return tree
    arguments = tuple(fold(a, names, text) for a in tree.arguments)
    known = [a.value for a in arguments if isinstance(a, NumberLiteral)]
    if len(known) < len(arguments):
        return Apply(tree.operation, arguments)
    return NumberLiteral(_applied(tree.operation, known, text))


def smooth(u: float) -> float:
    """The quintic that rises from 0 to 1 with two zero derivatives at both ends: 10u³ − 15u⁴ + 6u⁵."""
    return 0.0 if u <= 0.0 else 1.0 if u >= 1.0 else u * u * u * (10.0 + u * (6.0 * u - 15.0))


def _applied(operation: str, x: list[float], text: str) -> float:
    try:
        value = float(OPERATION_VALUES[operation](*x))
    except ZeroDivisionError:
        raise ExpressionError(f"expression '{shortened(text)}' divides by zero") from None
    except ValueError:
        called = f"{operation}({', '.join(f'{a:g}' for a in x)})"
        raise ExpressionError(f"expression '{shortened(text)}': {called} has no real value") from None
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ExpressionError(f"expression '{shortened(text)}' has a part beyond 1.8e308")
    return TYPES.get(operation, _plain)(*x)(value)


def _step(x: float, x0: float, h0: float, x1: float, h1: float) -> float:
    return h0 + (h1 - h0) * smooth((x - x0) / (x1 - x0))


_OF_MATH = (
    math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2, math.sinh, math.cosh,
    math.tanh, math.exp, math.log, math.sqrt, math.floor, math.hypot, math.degrees, math.radians, math.pow,
)  # fmt: skip
OPERATION_VALUES: Mapping[str, Callable[..., float]] = {
    **{function.__name__: function for function in _OF_MATH},
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "mod": operator.mod,
    "neg": operator.neg,
    "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "min": min,
    "max": max,
    "step": _step,
}


def _plain(*x: float) -> type[float]:
    return float


def _angle(*x: float) -> type[float]:
    return Radians


def _same(x: float) -> type[float]:
    return type(x)


def _joined(*x: float) -> type[float]:
    """The type of a sum; a plain zero has the type of the other terms."""
    kinds = {type(a) for a in x if a != 0.0 or type(a) is not float} or {float}
    return kinds.pop() if len(kinds) == 1 else Mixed


def _product(x: float, y: float) -> type[float]:
    return type(y) if type(x) is float else type(x) if type(y) is float else float


def _quotient(x: float, y: float) -> type[float]:
    return type(x) if type(y) is float else float


TYPES: Mapping[str, Callable[..., type[float]]] = {
    **dict.fromkeys(("asin", "acos", "atan", "atan2", "radians"), _angle),
    **dict.fromkeys(("neg", "abs"), _same),
    **dict.fromkeys(("add", "sub", "mod", "min", "max"), _joined),
    "mul": _product,
    "div": _quotient,
    "step": lambda x, x0, h0, x1, h1: _joined(h0, h1),
}
