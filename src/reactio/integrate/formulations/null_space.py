"""Null-space method: Maggi's equations in a basis of null(C), nothing else; positions and velocities drift."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.integrate.formulation import DRIFT_BOUND, Formulation, register
from reactio.integrate.projection.project import NEAR_SINGULAR
from reactio.integrate.projection.reduced import (
    factor_corrections,
    load_rows,
    nearly_dependent,
    orthogonal_directions,
    reduced_accelerations,
)
from reactio.integrate.projection.workspace import Projection

DRIFTED_UNSOLVED_PART = 1e-3  # largest relative residual of C v̇ = Γ in rows that have drifted apart


def in_null_space(projection: Projection, t: float, close: float, limit: float) -> int:
    """Leave (d, v) as they are; v̇ by Maggi's equations with Γ as it is there."""
    work, p = projection.work, projection.p
    evaluate_as_given(projection, t)
    load_rows(projection)
    orthogonal_directions(projection)
    if nearly_dependent(projection):
        return NEAR_SINGULAR
    factor_corrections(projection)
    unsolved = reduced_accelerations(projection, work.Q, work.Gamma, p.vdot)
    return int(finish(projection, unsolved, DRIFTED_UNSOLVED_PART))


NULL_SPACE = register(
    Formulation(
        name="null-space",
        doc="Maggi's equations in an orthonormal basis of null(C). Nothing holds positions and velocities: they drift.",
        undetermined="Reactions are eliminated; those found afterwards from Cᵀλ = Q − M v̇ stay undetermined.",
        cite="Maggi 1896; Kamman & Huston 1984, J. Appl. Mech. 51, 899–903",
        accelerate=in_null_space,
        agreement=1e-5,
        projects=False,
        drift=DRIFT_BOUND,
    )
)
