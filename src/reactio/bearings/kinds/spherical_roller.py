"""Spherical roller bearing."""

from __future__ import annotations

from reactio.bearings import POINT_AND_LINE, BearingKind, register, steep_factors


def both_rows(angle: float) -> tuple[float, float]:
    """X₀ = 1, Y₀ = 0.44 cot α: two rows of rollers have twice the factors of one (ISO 76)."""
    X0, Y0 = steep_factors(angle)
    return min(1.0, 2 * X0), 2 * Y0


SPHERICAL_ROLLER = register(
    BearingKind(
        name="spherical-roller",
        doc="Spherical roller bearing, barrels in two rows that tilt freely: radial and axial loads.",
        contact=POINT_AND_LINE,
        life_exponent=10 / 3,
        static_factors=both_rows,
        needs_angle=True,
    )
)
