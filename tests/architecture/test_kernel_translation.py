"""Kernels in LLVM's language have the values of the same functions in Python; what is not known is refused by name."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.kernels import NO_ARRAYS, Kernel, kernel

WEIGHTS = (0.5, -2.0, 3.0)
WHOLE = st.integers(-50, 50)
REAL = st.floats(-1e3, 1e3)


class Pair(NamedTuple):
    """A named tuple that kernels make."""

    size: float
    places: tuple[int, int]


def both(one: Kernel[..., Any], *values: Any) -> tuple[Any, Any]:
    """The result compiled and in plain Python, each on arguments of its own, with the arrays among them."""
    answers = []
    for call in (one.run_compiled, one.plain):
        own = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
        found = call(*own)
        answers.append((found, [value.tolist() for value in own if isinstance(value, np.ndarray)]))
    return answers[0], answers[1]


@kernel
def whole(a: int, b: int) -> tuple[int, int, int, int, bool, int]:
    """Quotients and remainders of whole numbers have the sign of Python's."""
    return a // b, a % b, abs(a), max(a, b, 3), a < b <= 40, min(a, b) ** 3


@settings(max_examples=60, deadline=None)
@given(a=WHOLE, b=WHOLE.filter(bool))
def test_whole_numbers(a: int, b: int) -> None:
    compiled, plain = both(whole, a, b)
    assert compiled == plain


@kernel
def real(x: float, y: float) -> Any:
    """Real numbers, whole where Python says so."""
    wide: Any = 0
    for k in range(3):
        wide += WEIGHTS[k] * x if k != 1 else k
    low = x if not x > y else y
    return x % y, wide, max(x, y), low, int(x) + round(y), x > y or x == 0.0, (x * x + 1.0) ** 1.5


@settings(max_examples=60, deadline=None)
@given(x=REAL, y=REAL.filter(lambda v: abs(v) > 1e-3))
def test_real_numbers(x: float, y: float) -> None:
    (compiled, _), (plain, _) = both(real, x, y)
    assert compiled == plain


@kernel
def only_added_to(x: float, y: float) -> float:
    """An argument that nothing but an assignment with an operation reads."""
    y += x
    return x


def test_a_name_that_is_only_added_to() -> None:
    assert only_added_to.run_compiled(2.0, 3.0) == 2.0


@kernel
def kinds_of_numbers(x: float) -> tuple[bool, bool, float, float, float]:
    """What is no number is none in compiled code either."""
    return math.isfinite(x), math.isnan(x), max(x, 1.0), max(1.0, x), np.sign(x)


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, -0.0, 2.5])
def test_no_numbers(x: float) -> None:
    (compiled, _), (plain, _) = both(kinds_of_numbers, x)
    assert repr([*map(float, compiled)]) == repr([*map(float, plain)])


@kernel
def walk(A: Floats, order: Ints, flags: Any) -> tuple[float, int]:
    """Loops upwards and downwards, breaks, slices, indices from the end, rows unpacked and exchanged."""
    total, turns = 0.0, 0
    for i in range(order.size - 1, -1, -1):
        if flags[i]:
            continue
        a, b, _ = A[order[i]]
        A[order[i], 0], A[-1, 2] = b, a
        total += a - 2.0 * b
        flags[i] = total > 0.0
        while turns < 100:
            turns += 1
            if turns % 3 == 0:
                break
    A[1, 1:] = total
    for x in A[0, :2]:
        total += x
    order[:] = turns
    return total, turns


def test_arrays_and_loops() -> None:
    A, order = np.arange(12.0).reshape(4, 3), np.array([2, -1, 0, 1])
    flags = np.array([False, True, False, False])
    compiled, plain = both(walk, A, order, flags)
    assert compiled == plain
    spread = np.arange(48.0).reshape(4, 12)[:, ::4]  # with gaps
    compiled, plain = both(walk, spread, order, flags)
    assert compiled == plain


@kernel
def with_arrays(n: int, x: Floats) -> tuple[Floats, Ints, int]:
    """Arrays that a kernel makes: some returned, some made by another."""
    order, found = np.arange(n), np.full((2, n), 1.5)
    for k in range(n):
        found[1, k] += squares(k + 1)[k] + x[k % x.size]
    return found, order[1:].copy(), np.zeros(n, np.bool_).size


@kernel
def squares(n: int) -> Floats:
    """0, 1, 4, … with room that is given back."""
    out, room = np.empty(n), np.zeros(n)
    for k in range(n):
        room[k] = k
        out[k] = room[k] * room[k]
    return out


def test_arrays_that_a_kernel_makes() -> None:
    (compiled, _), (plain, _) = both(with_arrays, 7, np.array([0.25, 0.5]))
    for one, other in zip(compiled, plain, strict=True):
        assert np.array_equal(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype


@kernel
def first(z: Any) -> Any:
    """An entry."""
    return z[0]


def test_complex_numbers_are_refused() -> None:
    """Python and NumPy round their quotients differently."""
    with pytest.raises(ReactioError, match="An array of complex128 cannot be passed"):
        first.run_compiled(np.array([1.0 + 2.0j]))


@kernel
def truths(x: float, y: float) -> Any:
    """Python adds truth values, and NumPy joins them."""
    return (x > 0.0) + (y > 0.0)


@kernel
def root_of_a_constant(x: float) -> Any:
    """Python works it out as a complex number before the kernel runs."""
    return x + (-2.0) ** 0.5


def test_fractional_powers_of_negative_constants_are_not_numbers() -> None:
    assert math.isnan(root_of_a_constant.run_plain(1.0))
    assert math.isnan(root_of_a_constant.run_compiled(1.0))


@kernel
def whole_quotient(i: int) -> float:
    """A quotient of whole numbers."""
    return i / 3


def test_quotients_of_whole_numbers_are_refused() -> None:
    """They are Python's floats, which raise where they are divided by zero."""
    with pytest.raises(ReactioError, match=r"a quotient of whole numbers; write float\(…\) of one of them"):
        whole_quotient.run_compiled(1)


def test_arithmetic_of_truth_values_is_refused() -> None:
    with pytest.raises(ReactioError, match=r"arithmetic of truth values.* write int\(…\) of them"):
        truths.run_compiled(1.0, 1.0)


@kernel
def named(k: int) -> tuple[float, int]:
    """A named tuple, and an entry that is chosen while it runs."""
    pair = Pair(0.5, (3, 4))
    return pair.size * k, pair.places[k % 2]


def test_named_tuples_made_by_kernels() -> None:
    for k in (0, 1, 5):
        compiled, plain = both(named, k)
        assert compiled == plain


def unknown_statement(x: Floats) -> float:
    """``with`` is not known."""
    with x:  # type: ignore[attr-defined]
        return 1.0


def unknown_function(x: Floats) -> float:
    """np.median is not known."""
    return float(np.median(x))


def two_kinds(x: Floats) -> float:
    """A name for a row and for a number."""
    y = x
    if x[0] > 0.0:
        y = 1.0  # type: ignore[assignment]
    return y[0]  # type: ignore[no-any-return]


def real_index(x: Floats) -> float:
    """An index that is no whole number."""
    return x[x[0]]  # type: ignore[no-any-return]


def makes_an_array(x: Floats) -> float:
    """An array of its own, against what it says of itself."""
    return np.zeros(3)[0] + x[0]  # type: ignore[no-any-return]


def hypot_of_three(x: Floats) -> float:
    """hypot of three numbers."""
    return math.hypot(x[0], x[1], x[0])


def log_to_a_base(x: Floats) -> float:
    """A logarithm to a base."""
    return math.log(x[0], 2.0)


def rounded_to_digits(x: Floats) -> float:
    """round to digits."""
    return round(x[0], 2)  # type: ignore[no-any-return]


def sign_of_math(x: Floats) -> float:
    """A function that only NumPy has."""
    return math.sign(x[0])  # type: ignore[attr-defined, no-any-return]


def value_of_or(x: Floats) -> float:
    """The operand that decides, where numbers are meant."""
    return x[0] - 1.0 or 5.0


def value_of_and(x: Floats) -> float:
    """The same of ``and``, in brackets of a comparison that is none."""
    y = (x[0] and 5.0) + 1.0
    return y


def off_its_end(x: Floats) -> float:  # type: ignore[return]
    """A number, or nothing."""
    if x[0] > 5.0:
        return 1.0


def off_its_loop(x: Floats) -> float:  # type: ignore[return]
    """A loop that may end without an answer."""
    for value in x:
        if value > 5.0:
            return value  # type: ignore[no-any-return]


def two_arguments(a: Floats, b: float = 2.0) -> float:
    """For those who call it wrongly."""
    return a[0] * b  # type: ignore[no-any-return]


two = kernel(two_arguments)


def wrong_name(x: Floats) -> float:
    """An argument of a name that there is not."""
    return two(x, c=2.0)  # type: ignore[call-arg]


def given_twice(x: Floats) -> float:
    """An argument by its place and by its name."""
    return two(x, 2.0, b=2.0)  # type: ignore[misc]


def left_out(x: Floats) -> float:
    """An argument without a default that is not given."""
    return two(b=2.0)  # type: ignore[call-arg]


def by_name_alone(x: Floats, *, b: float = 2.0) -> float:
    """An argument that can be given by name only."""
    return x[0] * b  # type: ignore[no-any-return]


def member_missing(x: Floats) -> float:
    """A named tuple without one of its members."""
    return Pair(size=x[0]).size  # type: ignore[call-arg]


def beyond_a_tuple(x: Floats) -> float:
    """An entry that a tuple has not."""
    return WEIGHTS[3] * x[0]  # type: ignore[misc, no-any-return]


def true_as_index(x: Floats) -> float:
    """True is no index of an array: NumPy takes it for a mask."""
    return x[x[0] > 0.0]  # type: ignore[no-any-return]


def real_index_of_a_target(x: Floats) -> float:
    """A place that is no whole number."""
    x[x[0]] = 1.0
    return 1.0


def range_from(x: Floats) -> float:
    """np.arange with a beginning."""
    return float(np.arange(2, 5)[0])


def guessed_shape(x: Floats) -> float:
    """A length that is to be guessed."""
    return x.reshape(1, -1)[0, 0]  # type: ignore[no-any-return]


def keyword_of_a_function(x: Floats) -> float:
    """A name that NumPy knows and the translator does not."""
    return np.sqrt(x[0], dtype=np.float64)  # type: ignore[no-any-return]


def another_module(x: Floats) -> float:
    """A function that is called like one of mathematics."""
    return cmath.sqrt(x[0]).real


def without_its_module(x: Floats) -> float:
    """A function of mathematics under a name of its own."""
    return sqrt(x[0])


def length_of_a_number(x: Floats) -> float:
    """A number has no length."""
    return len(x[0])


def row_as_number(x: Floats) -> float:
    """A row is no number."""
    return float(x)


def too_large(x: Floats) -> float:
    """A whole number beyond 64 bits."""
    return x[0] + 2**70  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (unknown_statement, "With is not known"),
        (unknown_function, "median is not known"),
        (two_kinds, "y is float[1] here and float there"),
        (real_index, "an index is a whole number"),
        (makes_an_array, "it was said to make no arrays"),
        (hypot_of_three, "hypot of 3 numbers is not known, only of 2"),
        (log_to_a_base, "log of 2 numbers is not known, only of 1"),
        (rounded_to_digits, "round(x[0], 2) is not known"),
        (sign_of_math, "sign is not known"),
        (value_of_or, "`and` and `or` of float have no value here"),
        (value_of_and, "`and` and `or` of float have no value here"),
        (off_its_end, "it may end without `return`, where Python returns None"),
        (off_its_loop, "it may end without `return`, where Python returns None"),
        (wrong_name, "there is no argument 'c'"),
        (given_twice, "the argument 'b' is given twice"),
        (left_out, "the argument 'a' is missing"),
        (by_name_alone, "arguments that are given by name alone are not known"),
        (member_missing, "Pair has 2 members, and 1 are given"),
        (beyond_a_tuple, "has no entry 3"),
        (true_as_index, "an index is a whole number, not bool"),
        (real_index_of_a_target, "an index is a whole number, not float"),
        (range_from, "an array of np.arange(2, 5)"),
        (guessed_shape, "the lengths of an array are whole numbers from zero on"),
        (keyword_of_a_function, "arguments of sqrt by their names are not known"),
        (another_module, "cmath.sqrt is not known"),
        (without_its_module, "sqrt is known as math.sqrt"),
        (length_of_a_number, "float has no length"),
        (row_as_number, "float[1] is not a float"),
        (too_large, "is not a constant"),
    ],
)
def test_what_is_not_known_is_refused_with_its_place(function: Callable[..., Any], said: str) -> None:
    with pytest.raises(ReactioError) as found:
        Kernel(function, NO_ARRAYS).run_compiled(np.ones(2))
    place = re.search(r"test_kernel_translation.py:(\d+): ", str(found.value))
    assert said in str(found.value)
    assert place is not None
    first = function.__code__.co_firstlineno
    assert first <= int(place[1]) < first + 7
    assert "REACTIO_KERNELS=plain" in str(found.value)


@kernel
def counted_from_the_end(A: Floats, places: Ints) -> tuple[float, float, float, float]:
    """Indices below zero from a tuple, from an array, from a range, and between loops that begin at zero."""
    tuples, rows, ranges, between = 0.0, 0.0, 0.0, 0.0
    for k in (-1, 0):
        tuples = 10.0 * tuples + A[k]
    for k in places:
        rows = 10.0 * rows + A[k]
    for k in range(-2, 2):
        ranges = 10.0 * ranges + A[k]
    for j in range(2):
        for _ in range(2):
            between = 10.0 * between + A[j]
            for j in range(-1, 0):  # noqa: B007 - looked up in the next turn
                between += 0.0
    return tuples, rows, ranges, between


def test_indices_below_zero_count_from_the_end() -> None:
    compiled, plain = both(counted_from_the_end, np.array([1.0, 2.0, 3.0]), np.array([-1, 0, -2]))
    assert compiled == plain
    assert compiled[0] == (31.0, 312.0, 2312.0, 1323.0)


@kernel
def mixed_up(a: float, b: float = 1.0, c: float = 3.0, d: float = 5.0) -> float:
    """Arguments that are told apart."""
    return a + 10.0 * b + 100.0 * c + 1000.0 * d


@kernel
def by_name(a: float) -> tuple[float, float, Pair]:
    """Defaults that are skipped, names out of order, members of a named tuple by name."""
    return mixed_up(a, c=2.0), mixed_up(d=7.0, a=a), Pair(places=(1, 2), size=a)


def test_arguments_by_name_keep_their_places() -> None:
    (compiled, _), (plain, _) = both(by_name, 4.0)
    assert compiled == plain == (5214.0, 7314.0, (4.0, (1, 2)))
    for call in (mixed_up.run_compiled, mixed_up.plain):
        assert call(4.0, c=2.0) == 5214.0
        assert call(4.0, d=7.0, b=2.0) == 7324.0
        with pytest.raises(TypeError):
            call(4.0, e=1.0)  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            call(b=1.0)  # type: ignore[call-arg]


@kernel
def conditions(a: float, k: int) -> tuple[int, int, bool, bool]:
    """``and`` and ``or`` of numbers where only their truth is asked, and of comparisons as values."""
    first = 1 if a and k else 2
    if (k or a > 1.0) and not (k and a):
        first += 10
    turns = 0
    while turns < 5 and (a or k):
        turns += 1
    return first, turns, a > 0.0 and k > 0, not (k or a)


@pytest.mark.parametrize("a", [0.0, 2.0])
@pytest.mark.parametrize("k", [0, 3])
def test_conditions(a: float, k: int) -> None:
    compiled, plain = both(conditions, a, k)
    assert compiled == plain


@kernel
def endless(x: Floats) -> int:
    """A loop that only a return leaves needs no answer behind it, one with a break does."""
    k = 0
    while True:
        k += 1
        if k > 3:
            break
    while True:
        if x[k % 2] > 0.0:
            return k
        k += 1


def test_loops_that_are_left_by_return() -> None:
    compiled, plain = both(endless, np.array([0.0, 1.0]))
    assert compiled == plain


@kernel
def add_to(x: Floats) -> float:
    """Changes what is added to."""
    x[0] = 100.0
    return 1.0


@kernel
def added(x: Floats) -> None:
    """The entry is looked up before what is added to it."""
    x[0] += add_to(x)


def test_what_is_added_to_is_looked_up_first() -> None:
    compiled, plain = both(added, np.array([5.0]))
    assert compiled == plain


@kernel
def quotients(A: Floats, k: Ints) -> tuple[float, float, int, int, int]:
    """Quotients by zero and by infinity as NumPy has them, and whole numbers of what is none."""
    return A[0] // A[1], A[0] % A[1], k[0] // k[1], k[0] % k[1], math.floor(A[0])


@pytest.mark.parametrize("a", [-1.0, 0.0, 2.5, math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("b", [-3.0, -0.0, 0.0, 2.0, math.inf, -math.inf, math.nan])
def test_quotients_at_the_edge(a: float, b: float) -> None:
    values = np.array([a, b]), np.array([7, int(b) if math.isfinite(b) else 0])
    with np.errstate(all="ignore"):
        compiled, plain = quotients.run_compiled(*values), quotients.uncompiled(*values)
    assert np.array_equal(compiled, plain, equal_nan=True)


def calls_another_unit(x: Floats) -> None:
    """A function that lies elsewhere in memory, and was made for contiguous arrays."""
    by_address(0, (x,))  # type: ignore[name-defined]  # noqa: F821 - known to compiled kernels


def test_arrays_with_gaps_are_not_passed_to_another_unit() -> None:
    with pytest.raises(ReactioError, match="an array with gaps between its numbers"):
        Kernel(calls_another_unit, NO_ARRAYS).run_compiled(np.ones(4)[::2])


def test_arguments_that_no_kernel_takes_are_named() -> None:
    with pytest.raises(ReactioError, match="An array of float16"):
        squares.run_compiled(np.ones(2, dtype=np.float16))  # type: ignore[arg-type]
