"""The bracketing solver: zeros to rounding, few evaluations, no bracket that it cannot close."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from reactio.events.root import root

CASES: list[tuple[Callable[[float], float], float, float, float]] = [
    (lambda t: t - 1 / 3, 0.0, 1.0, 1 / 3),
    (lambda t: math.cos(t) - t, 0.0, 2.0, 0.7390851332151607),  # the fixed point of the cosine
    (lambda t: math.exp(20 * t) - 2, -1.0, 1.0, math.log(2) / 20),
    (lambda t: (t - 0.7) ** 9, 0.0, 1.0, 0.7),
    (lambda t: math.copysign(1.0, t - 0.123), 0.0, 1.0, 0.123),  # a jump
    (lambda t: math.atan(1e6 * (t - 1e3)), 999.0, 1003.0, 1e3),
]


@pytest.mark.parametrize(("function", "a", "b", "exact"), CASES)
def test_zeros_are_found_in_few_calls(function: Callable[[float], float], a: float, b: float, exact: float) -> None:
    calls: list[float] = []

    def counted(t: float) -> float:
        calls.append(t)
        return function(t)

    found = root(counted, a, b, (function(a), function(b)), 1e-13)
    # A zero of order nine is known to rounding of the function only: (1e-16)^(1/9) would be 0.02; it is located better
    # because the function is exact near it.
    assert found == pytest.approx(exact, abs=1e-12)
    assert len(calls) <= 60  # never more than halving needs, which takes 43 to 45
    assert all(a <= t <= b for t in calls)
