"""Masses and inertia tensors that a rigid body can have."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.importers.mechanism import Inertia

DIGITS = 1e-3  # part by which rounded moments may miss the triangle inequality


def checked_inertia(
    mass: float, center: Floats, J: Floats, what: str, fail: Callable[[str], ReactioError] = ReactioError
) -> Inertia:
    """Mass not negative, J positive, its largest moment no more than the sum of the others."""
    if not math.isfinite(mass) or not np.isfinite(J).all() or not np.isfinite(center).all():
        raise fail(f"{what}: its mass or inertia holds a number that is not finite.")
    if mass < 0:
        raise fail(f"{what}: mass is {mass:g} kg; it must be not negative.")
    a, b, c = (float(x) for x in np.linalg.eigvalsh(J))
    if a < -DIGITS * c:
        raise fail(f"{what}: a moment of inertia is {a:g} kg m²; it must be not negative.")
    if c > (a + b) * (1 + DIGITS):
        raise fail(
            f"{what}: principal moments of inertia {a:.4g}, {b:.4g}, {c:.4g} cannot be: the largest exceeds the sum of "
            "the others."
        )
    return Inertia(mass, center, J)
