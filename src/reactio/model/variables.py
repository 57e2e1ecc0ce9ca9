"""The variables of a function: time, coordinates, their rates."""

from __future__ import annotations

from functools import singledispatch

from reactio.functions import Function
from reactio.functions.program import Code
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum


@singledispatch
def variables(function: Function) -> frozenset[str]:
    """What occurs in a function: t, s, rate, and names of coordinates and rates.

    >>> from reactio.functions.expression import Expression
    >>> sorted(variables(Expression("sin(t) - 2*s")))
    ['s', 't']
    """
    code = Code()
    function.emit(code)
    return frozenset(code.variables)


@variables.register
def _(function: Spline) -> frozenset[str]:
    return frozenset({"t"})  # known without fitting the curve, which needs SciPy


@variables.register
def _(function: Sum) -> frozenset[str]:
    return frozenset().union(*map(variables, function.terms))
