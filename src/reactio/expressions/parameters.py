"""Named parameters that refer to each other in any order."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from graphlib import CycleError, TopologicalSorter
from keyword import iskeyword

from reactio.errors import did_you_mean
from reactio.expressions.number import evaluate
from reactio.expressions.syntax import ARGUMENT_COUNTS, CONSTANTS, ExpressionError, names, nfkc, parse

RESERVED = frozenset(CONSTANTS) | frozenset(ARGUMENT_COUNTS) | {"t"}
_NOT_NUMBERS = frozenset({"nan", "inf", "infinity"})  # what float() reads besides numbers, in any case


def resolve(texts: Mapping[str, float | str], overrides: Mapping[str, float | str]) -> dict[str, float]:
    """The values of all parameters, in the order in which they are written.

    >>> resolve({"b": "2*a", "a": "0.5"}, {"a": 1.5})
    {'b': 3.0, 'a': 1.5}
    """
    spelling: dict[str, str] = {}
    for name in texts:
        check_name(name)
        if (same := spelling.setdefault(nfkc(name), name)) != name:
            raise ExpressionError(f"parameters '{same}' and '{name}' look the same; rename one of them")
    for name in overrides:
        if name not in texts:
            raise ExpressionError(f"there is no parameter '{name}'." + did_you_mean(name, texts))
    given = {**texts, **overrides}
    values: dict[str, float] = {}
    for name in _order({name: _needs(name, text, given) for name, text in given.items()}):
        values[name] = _value(name, given[name], values)
    return {name: values[name] for name in texts}


def check_name(name: str) -> None:
    """Refuse a name that could not be distinguished from a function, a constant or a variable of the grammar."""
    if not name.isidentifier():
        raise ExpressionError(f"parameter '{name}': a name is made of letters, digits and _, and no digit first")
    if name in RESERVED or iskeyword(name) or name.lower() in _NOT_NUMBERS:
        meaning = {"e": " (Euler's number)", "t": " (time)"}.get(name, "")
        raise ExpressionError(
            f"parameter '{name}': this name has a fixed meaning in expressions{meaning}; choose another"
        )


def _needs(name: str, text: float | str, given: Collection[str]) -> frozenset[str]:
    """The parameters named in the definition of one of them."""
    if not isinstance(text, str) or is_literal(text):
        return frozenset()
    try:
        return names(parse(text, given))
    except ExpressionError as error:
        raise ExpressionError(f"parameter '{name}': {error}") from None


def is_literal(text: str) -> bool:
    """Is a text a number, and no expression?"""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _order(needs: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """The names, each after those it needs."""
    try:
        return tuple(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = " → ".join(reversed(error.args[1]))
        raise ExpressionError(f"parameters define each other in a circle: {cycle}; give one of them a number") from None


def _value(name: str, text: float | str, values: Mapping[str, float]) -> float:
    try:
        if isinstance(text, str):
            return evaluate(text, values)
        if isinstance(text, bool) or not math.isfinite(text):
            raise ExpressionError(f"{text} is not a finite number")
        return text if isinstance(text, float) else float(text)
    except ExpressionError as error:
        raise ExpressionError(f"parameter '{name}': {error}") from None
