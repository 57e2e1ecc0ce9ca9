"""Minimal coordinates: a basis of null(C) by QR with pivoting, corrections at right angles to it."""

from __future__ import annotations

from reactio.integrate.formulation import Formulation, register
from reactio.integrate.projection.reduced import orthogonal_directions, reduced

MINIMAL_COORDINATES = register(
    Formulation(
        name="minimal-coordinates",
        doc="Equations of motion in a basis T = Q₂ of null(C) by QR with pivoting, of constant size through singular "
        "poses; closed along Q₁.",
        undetermined="Reactions are eliminated; those found afterwards from Cᵀλ = Q − M v̇ stay undetermined.",
        cite="Masarati, Quro & Zanoni 2023, Eqs 4–13 and 24–28",
        accelerate=reduced,
        links={"choose_basis": orthogonal_directions},
    )
)
