"""``math`` for kernels that run as plain Python, with the answers of compiled code where Python raises.

Compiled kernels follow IEEE 754: √−1 is not a number, 1/0 is infinite, exp(1000) is infinite.  Python's ``math`` raises
there, and dividing its plain floats by zero does too.  These functions give NumPy's numbers, which do not.
"""

from __future__ import annotations

import math

import numpy as np

inf, nan, pi, tau = np.float64(math.inf), np.float64(math.nan), math.pi, math.tau


def sqrt(x: float) -> np.float64:
    """√x, not a number below zero."""
    return np.float64(math.sqrt(x)) if x >= 0.0 else nan


def sin(x: float) -> np.float64:
    """The sine, not a number of infinity."""
    return np.float64(math.sin(x)) if math.isfinite(x) else nan


def cos(x: float) -> np.float64:
    """The cosine, not a number of infinity."""
    return np.float64(math.cos(x)) if math.isfinite(x) else nan


def tan(x: float) -> np.float64:
    """The tangent, not a number of infinity."""
    return np.float64(math.tan(x)) if math.isfinite(x) else nan


def atan2(y: float, x: float) -> np.float64:
    """The angle of (x, y)."""
    return np.float64(math.atan2(y, x))


def exp(x: float) -> np.float64:
    """eˣ, infinite where it is beyond doubles."""
    return np.float64(np.exp(x))
