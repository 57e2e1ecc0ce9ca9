"""``math`` for kernels that run as plain Python, with the numbers of compiled code.

Compiled kernels follow IEEE 754: √−1 is not a number, 1/0 is infinite, exp(1000) is infinite.  Python's ``math`` raises
there, and so does dividing its floats by zero.  These functions return NumPy's numbers, which do not raise.  Their
values are those of the C library, which compiled kernels call too; NumPy rounds some of them otherwise, by versions of
its own.  Functions that compiled kernels do not have are Python's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

inf, nan = np.float64(math.inf), np.float64(math.nan)
pi, tau, e = np.float64(math.pi), np.float64(math.tau), np.float64(math.e)
isfinite, isnan = math.isfinite, math.isnan

LARGEST_INT, SMALLEST_INT = 2**63 - 1, -(2**63)  # of the integers of compiled code


def __getattr__(name: str) -> Any:
    return getattr(math, name)


def sqrt(x: float) -> np.float64:
    """√x; not a number below zero."""
    return np.float64(math.sqrt(x)) if x >= 0.0 else nan


def sin(x: float) -> np.float64:
    """The sine; not a number where x is infinite."""
    return np.float64(math.sin(x)) if math.isfinite(x) else nan


def cos(x: float) -> np.float64:
    """The cosine; not a number where x is infinite."""
    return np.float64(math.cos(x)) if math.isfinite(x) else nan


def tan(x: float) -> np.float64:
    """The tangent; not a number where x is infinite."""
    return np.float64(math.tan(x)) if math.isfinite(x) else nan


def asin(x: float) -> np.float64:
    """The angle of a sine; not a number outside −1 … 1."""
    return np.float64(math.asin(x)) if -1.0 <= x <= 1.0 else nan


def acos(x: float) -> np.float64:
    """The angle of a cosine; not a number outside −1 … 1."""
    return np.float64(math.acos(x)) if -1.0 <= x <= 1.0 else nan


def atan(x: float) -> np.float64:
    """The angle of a tangent."""
    return np.float64(math.atan(x))


def atan2(y: float, x: float) -> np.float64:
    """The angle of (x, y)."""
    return np.float64(math.atan2(y, x))


def exp(x: float) -> np.float64:
    """eˣ, infinite where it is larger than any double."""
    try:
        return np.float64(math.exp(x))
    except OverflowError:
        return inf


def log(x: float, *base: float) -> np.float64:
    """The natural logarithm: −∞ for zero, not a number below; with a base it is Python's own."""
    if base:
        return np.float64(math.log(x, *base))
    return np.float64(math.log(x)) if x > 0.0 else -inf if x == 0.0 else nan


def sinh(x: float) -> np.float64:
    """The hyperbolic sine, infinite where it is larger than any double."""
    try:
        return np.float64(math.sinh(x))
    except OverflowError:
        return np.float64(math.copysign(math.inf, x))


def cosh(x: float) -> np.float64:
    """The hyperbolic cosine, infinite where it is larger than any double."""
    try:
        return np.float64(math.cosh(x))
    except OverflowError:
        return inf


def tanh(x: float) -> np.float64:
    """The hyperbolic tangent."""
    return np.float64(math.tanh(x))


def hypot(*x: float) -> np.float64:
    """√(x² + y²) as the C library computes it; of more numbers it is Python's own."""
    return np.float64(np.hypot(*x) if len(x) == 2 else math.hypot(*x))


def fabs(x: float) -> np.float64:
    """|x|."""
    return np.float64(math.fabs(x))


def floor(x: float) -> int:
    """⌊x⌋ within the integers of 64 bits: their largest or smallest where x is beyond them, 0 for not a number."""
    return _within(math.floor, x)


def whole(x: float) -> int:
    """``int``: x without its fraction, within the integers of 64 bits as ``floor``."""
    return _within(int, x)


def nearest(x: float) -> int:
    """``round``: the nearest whole number, the even one of two, within the integers of 64 bits as ``floor``."""
    return _within(round, x)


def _within(rounded: Callable[[float], int], x: float) -> int:
    try:
        return max(SMALLEST_INT, min(LARGEST_INT, rounded(x)))
    except ValueError:  # not a number
        return 0
    except OverflowError:  # infinite
        return LARGEST_INT if x > 0.0 else SMALLEST_INT
