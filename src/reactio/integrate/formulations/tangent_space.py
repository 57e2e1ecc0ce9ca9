"""Tangent-space coordinates: a chart of the manifold at the start of a step, closed along its normal space."""

from __future__ import annotations

from reactio.integrate.formulation import Formulation, register
from reactio.integrate.projection.reduced import orthogonal_directions, reduced

TANGENT_SPACE = register(
    Formulation(
        name="tangent-space",
        doc="Coordinates in the tangent space at the start of a step; positions and velocities return to the manifold "
        "along its normal space there.",
        undetermined="Reactions are eliminated; those found afterwards from Cᵀλ = Q − M v̇ stay undetermined.",
        cite="Haug 2021, J. Comput. Nonlinear Dyn. 16, 041003; Potra & Rheinboldt 1991, Mech. Struct. Mach. 19, 1–18",
        accelerate=reduced,
        links={"choose_basis": orthogonal_directions},
        fixed_basis=True,
    )
)
