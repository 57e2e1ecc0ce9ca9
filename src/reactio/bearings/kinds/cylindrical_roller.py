"""Cylindrical roller bearing."""

from __future__ import annotations

from reactio.bearings import LINE, BearingKind, register, steep_factors
from reactio.bearings.clearance import ROLLER_CLEARANCE

CYLINDRICAL_ROLLER = register(
    BearingKind(
        name="cylindrical-roller",
        doc="Cylindrical roller bearing: radial loads.",
        contact=LINE,
        life_exponent=10 / 3,
        static_factors=steep_factors,
        clearance=ROLLER_CLEARANCE,
    )
)
