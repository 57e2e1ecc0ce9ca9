"""Tapered roller bearing."""

from __future__ import annotations

from reactio.bearings import LINE, BearingKind, register, steep_factors

TAPERED_ROLLER = register(
    BearingKind(
        name="tapered-roller",
        doc="Tapered roller bearing, rollers under an angle: radial and axial loads.",
        contact=LINE,
        life_exponent=10 / 3,
        static_factors=steep_factors,
        needs_angle=True,
    )
)
