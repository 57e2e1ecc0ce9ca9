"""Angular contact ball bearing."""

from __future__ import annotations

import math

import numpy as np

from reactio.bearings import POINT, BearingKind, register

# Y₀ of one row of balls by the contact angle [°] (ISO 76).
AXIAL_FACTORS = {
    5.0: 0.52,
    10.0: 0.50,
    15.0: 0.46,
    20.0: 0.42,
    25.0: 0.38,
    30.0: 0.33,
    35.0: 0.29,
    40.0: 0.26,
    45.0: 0.22,
}


def ball_factors(angle: float) -> tuple[float, float]:
    """X₀ = 0.5 and Y₀ of a contact angle α [rad], between those of the standard."""
    return 0.5, float(np.interp(math.degrees(angle), list(AXIAL_FACTORS), list(AXIAL_FACTORS.values())))


ANGULAR_CONTACT = register(
    BearingKind(
        name="angular-contact",
        doc="Angular contact ball bearing, balls in contact under an angle: radial and axial loads.",
        contact=POINT,
        life_exponent=3.0,
        static_factors=ball_factors,
        needs_angle=True,
    )
)
