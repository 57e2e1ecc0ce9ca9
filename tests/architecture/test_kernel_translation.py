"""Kernels in LLVM's language have the values of the same functions in Python; what is not known is refused by name."""

from __future__ import annotations

import math
from collections.abc import Callable
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
    assert compiled == pytest.approx(plain, rel=1e-14, abs=1e-13)


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
def complex_numbers(z: Any, a: float) -> tuple[float, float, bool]:
    """Quotients of complex numbers."""
    w = complex(a, 2.0) * z[0] / z[1] - a
    z[1] = w
    return w.real, abs(w), w == z[0]


def test_complex_numbers() -> None:
    for second in (0.5 + 3.0j, -4.0 + 0.25j):
        (compiled, one), (plain, other) = both(complex_numbers, np.array([1.0 + 2.0j, second]), 1.5)
        assert compiled == pytest.approx(plain, rel=1e-14)
        assert one[0] == pytest.approx(other[0], rel=1e-14)


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


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (unknown_statement, "With is not known"),
        (unknown_function, "median is not known"),
        (two_kinds, "y is float[1] here and float there"),
        (real_index, "an index is a whole number"),
        (makes_an_array, "it was said to make no arrays"),
    ],
)
def test_what_is_not_known_is_refused_with_its_place(function: Callable[..., Any], said: str) -> None:
    with pytest.raises(ReactioError) as found:
        Kernel(function, NO_ARRAYS).run_compiled(np.ones(2))
    assert said in str(found.value)
    assert "test_kernel_translation.py:" in str(found.value)
    assert "REACTIO_KERNELS=plain" in str(found.value)


def calls_another_unit(x: Floats) -> None:
    """A function that lies elsewhere in memory, and was made for contiguous arrays."""
    by_address(0, (x,))  # type: ignore[name-defined]  # noqa: F821 - known to compiled kernels


def test_arrays_with_gaps_are_not_passed_to_another_unit() -> None:
    with pytest.raises(ReactioError, match="an array with gaps between its numbers"):
        Kernel(calls_another_unit, NO_ARRAYS).run_compiled(np.ones(4)[::2])


def test_arguments_that_no_kernel_takes_are_named() -> None:
    with pytest.raises(TypeError, match="float16"):
        squares.run_compiled(np.ones(2, dtype=np.float16))  # type: ignore[arg-type]
