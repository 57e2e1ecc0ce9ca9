"""Text becomes numbers: the grammar, its refusals, the values, the angles and the parameters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reactio.expressions.number import OPERATION_VALUES, TYPES, Mixed, Radians, evaluate
from reactio.expressions.parameters import resolve
from reactio.expressions.syntax import (
    DEEPEST_NESTING,
    EXPRESSION_OPERATIONS,
    LONGEST_EXPRESSION,
    ExpressionError,
    parse,
)
from reactio.functions import program

from ..counted_calls import calls_of

NAMES = {"l": 0.25, "a1": 2.0, "θ": 0.5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.25", 0.25),
        ("+1e-3", 1e-3),
        (" .5 + 2. ", 2.5),
        ("2*l + a1", 2.5),
        ("-2**2", -4.0),
        ("2**-1", 0.5),
        ("(-8)**3", -512.0),
        ("7 % 4 - -7 % 4", 2.0),
        ("θ*\n2", 1.0),
        ("min(3, a1, 5) + max(1, 2)", 4.0),
        ("sign(-3) + floor(-0.5) + abs(-4)", 2.0),
        ("hypot(3, 4) + log(e)", 6.0),
        ("step(-1, 0, 2, 1, 5) + step(0.5, 0, 2, 1, 5) + step(9, 0, 2, 1, 5)", 2.0 + 3.5 + 5.0),
        ("tau - 2*pi", 0.0),
    ],
)
def test_expressions_have_the_values_of_arithmetic(text: str, expected: float) -> None:
    # All these values are small sums of exact binary fractions; two roundings at most remain.
    assert evaluate(text, NAMES) == pytest.approx(expected, abs=1e-15, rel=1e-15)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_literals_are_read_exactly(x: float) -> None:
    assert evaluate(repr(x), {}) == x


REFUSED = [
    "__import__('os').system('true')",
    "__import__",
    "().__class__",
    "l.__class__",
    "(1).real",
    "lambda: 1",
    "[x for x in (1, 2)]",
    "(l for l in l)",
    "l if l else 2",
    "l and 1",
    "not l",
    "~1",
    "l[0]",
    "l < 2",
    "l == 2",
    "f'{l}'",
    "'text'",
    "b'x'",
    "True",
    "None",
    "...",
    "2j",
    "7 // 2",
    "1 << 9",
    "3 @ 4",
    "(x := 3)",
    "sin(x=1)",
    "sin(*l)",
    "sin(**l)",
    "sin()",
    "sin(1, 2)",
    "min(1)",
    "step(1, 2, 3)",
    "sin",
    "l(3)",
    "2(3)",
    "(sin)(1)(2)",
    "eval(1)",
    "exec(1)",
    "open(1)",
    "(1, 2)",
    "*l",
    "1; 2",
    "import os",
    "1 +",
    "2 l",
    "1if l else 2",
    "",
    "  ",
    "\0",
    "1 # note",
    "²",
    "9**9**9",
    "10**400",
    "1" + "0" * 400,
    "1" * 5000,
    "1e999",
    "-inf",
    "nan",
    "Infinity",
    "1e308*10",
    "1e308+1e308",
    "1/0",
    "1 % 0",
    "0**-1",
    "(-8)**(1/3)",
    "sqrt(-1)",
    "log(0)",
    "asin(2)",
    "exp(1000)",
    "step(1, 2, 0, 2, 1)",
    "-" * (LONGEST_EXPRESSION - 1) + "1",
    "2**" * 3000 + "2",
    "1+" * 4000 + "1",
    "(" * 5000 + "1",
    "sin(" * 150 + "1" + ")" * 150,
    "-" * DEEPEST_NESTING + "1",
    "1" + " " * LONGEST_EXPRESSION,
]


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:30]))
def test_texts_that_are_no_expressions_are_refused_at_once(text: str) -> None:
    def refused() -> None:
        with pytest.raises(ExpressionError):
            evaluate(text + " + 0" if text.strip() == "1" else text, NAMES)

    calls_of(refused, most=1_000_000)  # thousands are normal; what is caught here is a hang


@given(st.text(alphabet="0123456789.+-*/%(), lsinae_^'[]", max_size=25))
def test_any_text_gives_a_number_or_an_expression_error(text: str) -> None:
    try:
        value, message = evaluate(text, NAMES), text
    except ExpressionError as error:
        value, message = 0.0, str(error)
    assert math.isfinite(value)
    assert text in message


def test_nesting_up_to_the_limit() -> None:
    assert evaluate("-" * (DEEPEST_NESTING - 1) + "1", {}) == -1.0
    assert evaluate("(" * 99 + "l" + ")" * 99, NAMES) == 0.25


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2 ^ 3", ["'2 ^ 3'", "column 3", "write ** for powers"]),
        ("  2*lenght", ["column 5", "'lenght'", "Did you mean 'length'?"]),
        ("2*sinn(1)", ["column 3", "'sinn'", "Did you mean 'sin'"]),
        ("θ + 7//2", ["column 5", "'7//2'", "allowed are"]),
        ("sin(1, 2)", ["has 2 arguments", "takes 1"]),
        ("1/(length - length)", ["'1/(length - length)'", "divides by zero"]),
        ("log(-1)", ["log(-1) has no real value"]),
    ],
)
def test_messages_show_the_place_and_the_remedy(text: str, parts: list[str]) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, {"length": 1.0, "θ": 0.5})
    for part in parts:
        assert part in str(caught.value)


def test_micro_sign_and_greek_letter_are_one_name() -> None:
    assert evaluate("2*µ", {"µ": 0.5}) == evaluate("2*μ", {"µ": 0.5}) == 1.0


def test_every_operation_is_known_to_values_and_to_programs() -> None:
    assert set(OPERATION_VALUES) == set(EXPRESSION_OPERATIONS) == set(program.OPERATION_EMITTERS)
    assert set(TYPES) <= EXPRESSION_OPERATIONS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0.5", float),
        ("a", Radians),
        ("asin(0.5)", Radians),
        ("atan2(1, 2)", Radians),
        ("radians(30)", Radians),
        ("-a", Radians),
        ("+a", Radians),
        ("a + acos(0)", Radians),
        ("a + 0", Radians),
        ("0 - a", Radians),
        ("a - 30", Mixed),
        ("2*(a + 30)", Mixed),
        ("a + 30 - a", Mixed),
        ("2*a/3", Radians),
        ("a*2", Radians),
        ("a/a", float),
        ("a*a", float),
        ("1/a", float),
        ("a**2", float),
        ("sin(a)", float),
        ("degrees(a)", float),
        ("abs(a)", Radians),
        ("min(a, 2*a)", Radians),
        ("max(a, 3)", Mixed),
        ("a % atan(1)", Radians),
        ("a % 3", Mixed),
        ("step(1, 0, a, 2, 2*a)", Radians),
        ("step(a, 0, 1, 2, 3)", float),
    ],
)
def test_angles_in_radians_are_known_as_such(text: str, kind: type[float]) -> None:
    assert type(evaluate(text, {"a": Radians(0.7)})) is kind


def test_parameters_in_any_order_and_overridden() -> None:
    texts: dict[str, float | str] = {"c": "a + b", "b": "2*a", "a": "1.5", "x": 3}
    assert resolve(texts, {}) == {"c": 4.5, "b": 3.0, "a": 1.5, "x": 3.0}
    assert list(resolve(texts, {})) == ["c", "b", "a", "x"]
    assert resolve(texts, {"a": 1, "b": "x/2"}) == {"c": 2.5, "b": 1.5, "a": 1.0, "x": 3.0}
    assert type(resolve({"a": "asin(1)", "b": "2*a"}, {})["b"]) is Radians


def test_a_long_chain_of_parameters() -> None:
    chain = {f"p{i}": f"p{i + 1} + 1" for i in range(3000)} | {"p3000": "0"}
    assert resolve(chain, {})["p0"] == 3000.0


@pytest.mark.parametrize(
    ("texts", "overrides", "message"),
    [
        ({"a": "a"}, {}, "a → a"),
        ({"a": "b", "b": "2*c", "c": "a"}, {}, "→"),
        ({"a": "1", "b": "a"}, {"a": "b"}, "circle"),
        ({"length": "1"}, {"lenght": 2.0}, "Did you mean 'length'"),
        ({"a": "1 +"}, {}, "parameter 'a'"),
        ({"a": "1/0"}, {}, "parameter 'a'.*divides by zero"),
        ({"a": "nan"}, {}, "parameter 'a'.*not a finite number"),
        ({"a": "1"}, {"a": math.inf}, "parameter 'a'"),
        ({"a": "1"}, {"a": True}, "parameter 'a'"),
        ({"a b": "1"}, {}, "letters, digits"),
        ({"1a": "1"}, {}, "letters, digits"),
        ({"µ": "1", "μ": "2"}, {}, "look the same"),
        *(({name: "1"}, {}, "fixed meaning") for name in ("t", "pi", "e", "sin", "NaN", "if")),
    ],
)
def test_parameters_refused(texts: dict[str, str], overrides: dict[str, float | str], message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        resolve(texts, overrides)


def test_a_circle_is_named_in_the_direction_of_reference() -> None:
    with pytest.raises(ExpressionError) as caught:
        resolve({"a": "b", "b": "2*c", "c": "a"}, {})
    text = str(caught.value)
    assert any(circle in text for circle in ("a → b → c → a", "b → c → a → b", "c → a → b → c"))


def test_parsing_takes_few_calls() -> None:
    text = "+".join(["sin(l)"] * 90)
    calls_of(lambda: parse(text, NAMES), most=1_000_000)  # thousands; caught is work that doubles with each term
