"""Deep groove ball bearing."""

from __future__ import annotations

from reactio.bearings import POINT, BearingKind, register
from reactio.bearings.clearance import BALL_CLEARANCE

DEEP_GROOVE = register(
    BearingKind(
        name="deep-groove",
        doc="Deep groove ball bearing: radial loads, and axial ones if `angle` gives the contact angle.",
        contact=POINT,
        life_exponent=3.0,
        static_factors=lambda angle: (0.6, 0.5),  # ISO 76
        clearance=BALL_CLEARANCE,
    )
)
