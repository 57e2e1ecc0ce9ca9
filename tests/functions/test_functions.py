"""Functions and their derivatives, against power series in ball arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import FrozenInstanceError, fields
from operator import methodcaller
from typing import Any, get_args

import flint
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reactio.errors import ReactioError
from reactio.functions import FUNCTIONS, Function, evaluate
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.harmonic import Harmonic
from reactio.functions.linear_law import LinearLaw
from reactio.functions.polynomial import Polynomial
from reactio.functions.spline import Ends, Spline
from reactio.functions.step import Step
from reactio.functions.sum import Sum

Jet = tuple[float, float, float]

TABLE = (0.0, 0.3, 1.0, 1.4, 2.0), (1.0, -0.5, 0.2, 0.9, 0.1)
EXAMPLES: dict[str, tuple[Function, str]] = {  # an example of each kind, and its formula where it has one
    "constant": (Constant(2.5), "2.5 + 0*t"),
    "polynomial": (
        Polynomial((1.0, -2.0, 0.5, 3.0), 0.25),
        "1 - 2*(t-0.25) + 0.5*(t-0.25)**2 + 3*(t-0.25)**3",
    ),
    "step": (
        Step(-1.0, 3.0, 2.0, 5.0),
        "2 + 3*(10*((t+1)/4)**3 - 15*((t+1)/4)**4 + 6*((t+1)/4)**5)",
    ),
    "linear-law": (LinearLaw(3.0, 0.5, 0.2), "-3*(s - 0.5) - 0.2*rate + 0*t"),
    "harmonic": (Harmonic(1.5, 2.0, 0.4, 0.7), "0.7 + 1.5*sin(2*pi*2*t + 0.4)"),
    "spline": (Spline(*TABLE), ""),
    "sum": (Sum((Harmonic(1.0, 1.0), Polynomial((0.0, 2.0)))), "sin(2*pi*t) + 2*t"),
    "expression": (Expression("a*sin(t)*exp(-t)", (("a", 2.0),)), "2*sin(t)*exp(-t)"),
}
IN_SERIES: dict[str, Callable[..., Any]] = {
    **{f: methodcaller(f) for f in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt")},
    "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: (x.exp() + (-x).exp()) / 2,
    "tanh": lambda x: 1 - 2 / ((2 * x).exp() + 1),
    "atan2": lambda y, x: (y / x).atan(),
    "hypot": lambda x, y: (x * x + y * y).sqrt(),
    "degrees": lambda x: x * 180 / flint.arb.pi(),
    "radians": lambda x: x * flint.arb.pi() / 180,
}  # fmt: skip
NUMBERS = (("a", 2.0), ("b", 0.7), ("c", -1.3))


@contextmanager
def bits(precision: int) -> Iterator[None]:
    old = flint.ctx.prec, flint.ctx.cap
    flint.ctx.prec, flint.ctx.cap = precision, 3
    try:
        yield
    finally:
        flint.ctx.prec, flint.ctx.cap = old


def series(formula: str, precision: int, t: float, s: float = 0.0, rate: float = 0.0) -> list[Any]:
    """The formula as a power series about t, read by Python itself: value and two derivatives as balls."""
    with bits(precision):
        known = {name: flint.arb_series([x]) for name, x in (*NUMBERS, ("s", s), ("rate", rate))}
        result = eval(formula, {**IN_SERIES, **known, "t": flint.arb_series([t, 1]), "pi": flint.arb.pi()})
        return [result[k] * math.factorial(k) for k in range(3)]


def reference(formula: str, t: float, s: float = 0.0, rate: float = 0.0) -> tuple[list[float], list[float]]:
    """Value and derivatives in 200 bits, and the proven error bounds of the same formula in 53 bits."""
    exact = [float(x.mid()) for x in series(formula, 200, t, s, rate)]
    return exact, [float(x.rad()) for x in series(formula, 53, t, s, rate)]


def assert_agrees(jet: Jet, exact: list[float], bound: list[float]) -> None:
    """Allow sixteen times the bound, and a few roundings of each number, for another order of operations."""
    for found, x, b in zip(jet, exact, bound, strict=True):
        # The scale of all three enters: a derivative that vanishes is a difference of numbers of that scale.
        assert found == pytest.approx(x, rel=1e-12, abs=16 * b + 1e-13 * (1.0 + max(map(abs, exact))))


def test_each_kind_has_an_example() -> None:
    assert set(EXAMPLES) == set(FUNCTIONS)


@pytest.mark.parametrize("kind", [kind for kind, (_, formula) in EXAMPLES.items() if formula])
@settings(deadline=None)  # the first call compiles
@given(t=st.floats(-0.9, 2.9))
def test_derivatives_of_each_kind(kind: str, t: float) -> None:
    function, formula = EXAMPLES[kind]
    assert_agrees(evaluate(function, t, 0.4, -0.6), *reference(formula, t, 0.4, -0.6))


@pytest.mark.parametrize("kind", EXAMPLES)
@settings(deadline=None)  # the first call compiles
@given(t=st.floats(0.0, 2.0), factor=st.integers(-10, 10))
def test_scaled_multiplies_value_and_derivatives(kind: str, t: float, factor: int) -> None:
    function, _ = EXAMPLES[kind]
    expected = [factor * x for x in evaluate(function, t)]
    # Rounded coefficients, not a rounded sum: 1e-12 of the largest term, below 1e3, covers cancellation.
    assert evaluate(function.scaled(factor), t) == pytest.approx(expected, rel=1e-12, abs=1e-9 * abs(factor))


@pytest.mark.parametrize("kind", EXAMPLES)
def test_functions_are_values(kind: str) -> None:
    function, _ = EXAMPLES[kind]
    twin = type(function)(*(getattr(function, f.name) for f in fields(function)))  # type: ignore[arg-type]
    assert twin == function
    assert hash(twin) == hash(function)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(function, fields(function)[0].name, 0.0)  # type: ignore[arg-type]


ONE = [
    *(f + "({0})" for f in ("sin", "cos", "tan", "atan", "exp", "sinh", "cosh", "tanh", "degrees", "radians", "-")),
    *("({0})**2", "({0})**3", "(1.1+({0})**2)**-1", "(2+cos({0}))**0.5", "log(2.5+sin({0}))"),
    *("sqrt(1.5+cos({0}))", "asin(0.9*sin({0}))", "acos(0.9*cos({0}))"),
]
TWO = [
    *("({0})+({1})", "({0})-({1})", "({0})*({1})", "({0})/(3.1+sin({1}))", "(1.5+sin({0}))**({1})"),
    *("hypot({0},1.1+({1})**2)", "atan2({0},1.5+sin({1}))"),
]


@pytest.mark.parametrize("form", [*ONE, *TWO])
@pytest.mark.parametrize("t", [-1.1, 0.0, 0.4, 1.3])
def test_every_operation(form: str, t: float) -> None:
    formula = form.format("t + s*t**2", "exp(-t) + rate*t")
    assert_agrees(evaluate(Expression(formula), t, 0.4, -0.6), *reference(formula, t, 0.4, -0.6))


# The referee's intervals underflow where arguments of 1e-293 are squared.
NINE_DIGITS = st.floats(-2, 2).map(lambda x: round(x, 9))


def trees(depth: int) -> st.SearchStrategy[str]:
    """Formulas in t, s and rate that have derivatives everywhere but may be as steep as they like."""
    leaf = st.sampled_from(["t", "t", "t", "s", "rate", "a", "b", "c"])
    if depth == 0:
        return leaf
    x = trees(depth - 1)
    one, two = st.sampled_from(ONE), st.sampled_from(TWO)
    return st.one_of(leaf, st.builds(str.format, one, x), st.builds(str.format, two, x, x))


@settings(max_examples=400, deadline=None)
@given(formula=trees(3), t=NINE_DIGITS, s=NINE_DIGITS, rate=NINE_DIGITS)
def test_random_formulas(formula: str, t: float, s: float, rate: float) -> None:
    try:
        function = Expression(formula, NUMBERS)
    except ReactioError:  # a constant part without a value, such as exp(exp(…)) beyond 1e308
        assume(False)
    exact, bound = reference(f"({formula}) + 0*t", t, s, rate)
    assume(all(math.isfinite(x) for x in exact + bound))
    assume(all(b < 1e-6 * (1.0 + abs(x)) for b, x in zip(bound, exact, strict=True)))
    assert_agrees(evaluate(function, t, s, rate), exact, bound)


@pytest.mark.parametrize(
    ("text", "t", "expected"),
    [
        ("t**2", 0.0, (0.0, 0.0, 2.0)),
        ("t**1", 0.0, (0.0, 1.0, 0.0)),
        ("t**0", 0.0, (1.0, 0.0, 0.0)),
        ("t**3", -2.0, (-8.0, 12.0, -12.0)),
        ("t**-1", -2.0, (-0.5, -0.25, -0.25)),
        ("t**0.5", 4.0, (2.0, 0.25, -1 / 32)),
        ("t**s", 0.0, (0.0, 0.0, 0.0)),
        ("abs(t)", -2.0, (2.0, -1.0, 0.0)),
        ("abs(t**3)", -2.0, (8.0, -12.0, 12.0)),
        ("sign(t)", -2.0, (-1.0, 0.0, 0.0)),
        ("floor(t)", -1.5, (-2.0, 0.0, 0.0)),
        ("min(t**2, 9, 5)", 2.0, (4.0, 4.0, 2.0)),
        ("max(t**2, 9)", 2.0, (9.0, 0.0, 0.0)),
        ("max(1, log(t))", 0.0, (1.0, 0.0, 0.0)),
        ("(5*t) % 3", 1.0, (2.0, 5.0, 0.0)),
        ("(-5*t) % 3", 1.0, (1.0, -5.0, 0.0)),
        ("7 % t", 2.0, (1.0, -3.0, 0.0)),
        ("step(t**2, 0, 1, 8, 5)", 2.0, (3.0, 3.75, 1.875)),
        ("step(t, 0, 1, 8, 5)", 9.0, (5.0, 0.0, 0.0)),
        ("t*sqrt(abs(rate))", 3.0, (0.0, 0.0, 0.0)),
        ("t + sqrt(rate) + rate**0.5", 3.0, (3.0, 1.0, 0.0)),
        ("sqrt(s - s)*t", 3.0, (0.0, 0.0, 0.0)),
    ],
)
def test_pieces_and_special_points(text: str, t: float, expected: Jet) -> None:
    # Here s = 3 and rate = 0; all results are short binary fractions, a rounding or two apart from exact.
    assert evaluate(Expression(text), t, 3.0, 0.0) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    "text", ["1/t", "log(t)", "sqrt(t-1)", "min(sqrt(t-1), 5)", "max(5, sqrt(t-1))", "1 % t", "asin(t+2)"]
)
def test_no_number_is_never_hidden(text: str) -> None:
    assert not math.isfinite(evaluate(Expression(text), 0.0)[0])


def test_expression_scales() -> None:
    degrees = Expression("2*s + rate + t", scale=10.0, coordinate_scale=180.0 / math.pi)
    expected = 10.0 * (2 * math.degrees(0.5) + math.degrees(0.25) + 3.0)
    # About ten operations of 1e-16 each.
    assert evaluate(degrees, 3.0, 0.5, 0.25) == pytest.approx((expected, 10.0, 0.0), rel=1e-14)


@pytest.mark.parametrize("ends", ["not-a-knot", "natural", "clamped"])
@pytest.mark.parametrize("points", [2, 3, 5])
def test_spline_is_that_of_scipy(ends: Ends, points: int) -> None:
    from scipy.interpolate import CubicSpline

    times, values = TABLE[0][:points], TABLE[1][:points]
    spline = Spline(times, values, ends)
    reference = CubicSpline(times, values, bc_type=ends)
    for t in [*times, *np.linspace(times[0], times[-1], 23)]:
        expected = [float(reference(t, k)) for k in range(3)]
        # Same coefficients, two ways of summing four terms below 1e3.
        assert evaluate(spline, t) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("times", "values"),
    [((0.0, 1.0, 2.0), (1e308, -1e308, 1e308)), ((0.0, 1e-200, 1.0), (0.0, 1e200, 0.0)), ((0.0, 5e-324), (0.0, 1.0))],
)
@pytest.mark.parametrize("ends", get_args(Ends))
def test_spline_whose_slopes_overflow_is_refused(
    times: tuple[float, ...], values: tuple[float, ...], ends: Ends
) -> None:
    with pytest.raises(ReactioError, match="slopes beyond the range of numbers"):
        evaluate(Spline(times, values, ends), 0.0)


def test_spline_outside_its_table_is_no_number() -> None:
    spline = Spline(*TABLE)
    assert all(math.isnan(x) for t in (-0.01, 2.01, math.nan) for x in evaluate(spline, t))
    assert evaluate(spline, 2.0 + 4e-16)[0] == pytest.approx(0.1, abs=1e-12)  # a rounded end time is inside


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Constant(math.nan), "value contains nan"),
        (lambda: Polynomial(()), "no coefficients"),
        (lambda: Polynomial((1.0, math.inf)), "coefficients contains inf"),
        (lambda: Step(1.0, 1.0), "not after start"),
        (lambda: Harmonic(1.0, math.inf), "frequency contains inf"),
        (lambda: Spline((0.0,), (1.0,)), "at least two"),
        (lambda: Spline((0.0, 1.0), (1.0,)), "2 times but 1 values"),
        (lambda: Spline((0.0, 1.0, 1.0), (1.0, 2.0, 3.0)), "times must increase"),
        (lambda: Spline((0.0, 1.0), (1.0, 2.0), "natual"), "Did you mean 'natural'"),  # type: ignore[arg-type]
        (lambda: Sum(()), "no terms"),
        (lambda: Expression("2*x"), "'x' is not a known name"),
        (lambda: Expression("1/0*t"), "divides by zero"),
        (lambda: Expression("t", (("t", 1.0),)), "fixed meaning"),
        (lambda: Expression("a*t", (("a", math.nan),)), "a contains nan"),
    ],
)
def test_impossible_functions_are_refused(make: Callable[[], Function], message: str) -> None:
    with pytest.raises(ReactioError, match=message):
        make()
