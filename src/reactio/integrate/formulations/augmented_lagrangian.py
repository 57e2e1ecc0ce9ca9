"""Augmented Lagrangian with mass-orthogonal projections, by a given number of iterations.

With M = L Lᵀ, x = Lᵀ v and A = R C L⁻ᵀ, rows of length one, a penalty p on A x − b and k iterations from μ = 0:

    (1 + p AᵀA) x = x₀ + Aᵀ (p b − μ),    μ ← μ + p (A x − b)

Each leaves the part 1/(1 + p σ²) of a residual along the singular value σ.  By (1 + p AᵀA)⁻¹ Aᵀ = Aᵀ (1 + p A Aᵀ)⁻¹
that is iterative refinement with the factors of A Aᵀ + 1/p; in newtons the penalty of row i is p m_i, with its mass
m_i = 1/(c_i M⁻¹c_iᵀ).
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import numpy as np

from reactio.integrate.formulation import DRIFT_BOUND, Formulation, Setting, register
from reactio.integrate.projection.mass_projection import (
    MetricPlan,
    MetricWork,
    add_transposed,
    factor_rows,
    force_to_root,
    from_root,
    residual,
    right_side,
    scale_row,
    to_root,
)
from reactio.integrate.projection.project import (
    FINE,
    JAMMED,
    NOT_CLOSED,
    NOT_FINITE,
    factor,
    largest,
    position_residual,
)
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.sparse.gram import factorise, solve

PENALTY, ITERATIONS = 1e7, 3.0  # Bayo & Ledesma recommend 1e7 and find two or three iterations enough


@kernel(**NO_ARRAYS)
def iterate(plan: MetricPlan, m: MetricWork, count: int) -> None:
    """So many iterations from the x given; μ = −y, λ = −R y."""
    m.y[:] = 0.0
    for _ in range(count):
        residual(plan, m)
        solve(plan.gram, m.gram, m.r, m.z)
        for i in range(m.z.shape[0]):
            m.y[i] += m.z[i]
        add_transposed(plan, m, m.z)


def _project_iteratively(projection: Projection, t: float, count: int, mu: float) -> None:
    """(d, v) nearer to the constraints by so many iterations each, evaluated there; factors stay in ``m``."""
    plan, work, metric, m, p = projection.plan, projection.work, projection.metric, projection.m, projection.p
    p.corrections[:] = 0.0
    for _ in range(count):
        advance(plan, p.q0, p.d, p.q)
        position_terms(plan, work, t, p.q)
        factor_rows(metric, m, work.M, work.C)
        for i in range(m.b.shape[0]):
            if metric.holonomic[i] == 0.0:
                scale_row(metric, m, i, 0.0)
            m.b[i] = -m.R[i] * work.Phi[i] * metric.holonomic[i]
        factorise(metric.gram, m.gram, m.A, m.square, mu)
        m.x[:] = 0.0
        iterate(metric, m, 1)
        from_root(metric, m, p.change)
        displace(projection)
    advance(plan, p.q0, p.d, p.q)
    position_terms(plan, work, t, p.q)
    factor(projection, mu)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    iterate(metric, m, count)
    take_velocities(projection, t)


def iterated(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project (d, v) and find v̇ and λ, each by the given number of iterations; their residual remains."""
    work, metric, m, p, f = projection.work, projection.metric, projection.m, projection.p, projection.formulation
    count = int(f.settings[1])
    project_iteratively(projection, t, count, 1.0 / f.settings[0])
    size = position_residual(metric, work.Phi)
    right_side(m, work.Gamma)
    force_to_root(metric, m, work.Q)
    iterate(metric, m, count)
    from_root(metric, m, p.vdot)
    if projection.friction.a.shape[0] > 0 and not apply_friction(projection, p.vdot):
        return JAMMED
    for i in range(f.lam.shape[0]):
        f.lam[i] = projection.friction.lam[i] if projection.friction.rule.needed else -m.R[i] * m.y[i]
    if not (size < np.inf and largest(p.vdot, metric.scale) < np.inf):
        return NOT_FINITE
    return FINE if size <= max(limit, DRIFT_BOUND) else NOT_CLOSED


AUGMENTED_LAGRANGIAN = register(
    Formulation(
        name="augmented-lagrangian",
        doc="Multipliers by iterations with a penalty on C v̇ − Γ; positions and velocities by projections of the same "
        "kind. The residual after a finite number of iterations is the drift.",
        undetermined="The iterations end at the multipliers of smallest norm Σ λ²/α, where the penalty α of a row is "
        "proportional to the mass it acts on: another penalty for one joint gives other reactions.",
        cite="Bayo & Ledesma 1996, Nonlinear Dyn. 9, 113–130; Wojtyra & Frączek 2013, Sect. 3.3",
        accelerate=iterated,
        templates={"project_iteratively": _project_iteratively},
        settings=(
            Setting("penalty", PENALTY, "penalty of a row, in masses that it acts on", "", 1.0),
            Setting("iterations", ITERATIONS, "iterations at each level", "", 1.0, whole=True),
        ),
        drift=DRIFT_BOUND,
        multipliers=True,
        dense=False,
        massless=False,
    )
)
