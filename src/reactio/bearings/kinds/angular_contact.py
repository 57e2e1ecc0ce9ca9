"""Angular contact ball bearing."""

from __future__ import annotations

from reactio.bearings import POINT, BearingKind, register, steep_factors

ANGULAR_CONTACT = register(
    BearingKind(
        name="angular-contact",
        doc="Angular contact ball bearing, balls in contact under an angle: radial and axial loads.",
        contact=POINT,
        life_exponent=3.0,
        static_factors=steep_factors,
        needs_angle=True,
    )
)
