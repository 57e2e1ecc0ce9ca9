"""Spherical roller bearing."""

from __future__ import annotations

from reactio.bearings import POINT_AND_LINE, BearingKind, register, steep_factors

SPHERICAL_ROLLER = register(
    BearingKind(
        name="spherical-roller",
        doc="Spherical roller bearing, barrels in two rows that tilt freely: radial and axial loads.",
        contact=POINT_AND_LINE,
        life_exponent=10 / 3,
        static_factors=steep_factors,
        needs_angle=True,
    )
)
