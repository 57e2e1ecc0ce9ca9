"""Accelerations in a singular configuration: the limit of those at nearby poses along a motion.

Where C has lost rank, C v̇ = Γ leaves accelerations undetermined.  Those of a branch through the configuration are

    v̇(0) = lim ½ (v̇(ε) + v̇(−ε)),    ε → 0 by extrapolation in ε²
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError

# How far the poses lie from a singular one [characteristic lengths, rad]: rounding comes in as u/s³ and the
# extrapolation leaves s⁸, both some 1e-10 in accelerations.
LIMIT_DISTANCES = 0.05 * np.array([0.25, 0.5, 0.75, 1.0])


class SingularStart(ReactioError):
    """A start at rest in a singular configuration: the equations do not say on which branch it moves."""


def limit_between(of: Callable[[float], Floats]) -> Floats:
    """lim ½ (x(ε) + x(−ε)), ε → 0, by a polynomial in ε² at the ε of LIMIT_DISTANCES."""
    means = np.array([0.5 * (of(part) + of(-part)) for part in LIMIT_DISTANCES])
    squares = LIMIT_DISTANCES**2
    weights = [np.prod([b / (b - a) for b in squares if b != a]) for a in squares]  # Lagrange's at zero
    return np.asarray(weights @ means)
