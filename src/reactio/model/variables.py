"""What a function depends on: time, a joint coordinate, its rate."""

from __future__ import annotations

from functools import singledispatch

from reactio.functions import Function
from reactio.functions.program import VARIABLES, Code
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum


@singledispatch
def variables(function: Function) -> frozenset[str]:
    """Those of t, s and rate that occur among the instructions of a function.

    >>> from reactio.functions.expression import Expression
    >>> sorted(variables(Expression("sin(t) - 2*s")))
    ['s', 't']
    """
    code = Code()
    function.emit(code)
    used = {instruction[0] for instruction in code.instructions}
    return frozenset(name for name, op in VARIABLES.items() if op in used)


@variables.register
def _(function: Spline) -> frozenset[str]:
    return frozenset({"t"})  # known without fitting the curve, which needs SciPy


@variables.register
def _(function: Sum) -> frozenset[str]:
    return frozenset().union(*map(variables, function.terms))
