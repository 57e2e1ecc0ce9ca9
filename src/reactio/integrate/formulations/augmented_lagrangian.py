"""Augmented Lagrangian of index 1 with mass-orthogonal projections, by a given number of iterations."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.formulations import DRIFT_BOUND, Formulation, Setting, register
from reactio.integrate.projection.mass_projection import MASS_REGULARISATION, copy, factor_rows
from reactio.integrate.projection.project import FINE, NOT_CLOSED, NOT_FINITE, largest, position_residual
from reactio.integrate.projection.reduced import load_rows, times_scaled_mass
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY, Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import lu_factorise, lu_solve
from reactio.linear.row_basis import dot
from reactio.linear.sparse.gram import factorise

# Penalty in mean masses: an iteration leaves the part 1/(1 + α σ²) of a residual, and digits are lost as 1e-16 α.
PENALTY, ITERATIONS = 1e7, 3.0


@kernel(**NO_ARRAYS)
def factor_penalty(projection: Projection) -> float:
    """Factors of M + α CᵀC at the pose, in characteristic lengths; α [kg m²] returns."""
    f, metric, n = projection.formulation, projection.metric, projection.formulation.H.shape[0]
    load_rows(projection)
    f.H[:, :] = 0.0
    mean = 0.0
    for j in range(n):
        f.x[:] = 0.0
        f.x[j] = 1.0
        times_scaled_mass(projection, f.x, f.H[j])
        mean += f.H[j, j] / n
    alpha = f.settings[0] * mean
    for i in range(f.C.shape[0]):
        for s in range(metric.indptr[i], metric.indptr[i + 1]):
            j = metric.indices[s]
            for t in range(metric.indptr[i], metric.indptr[i + 1]):
                f.H[j, metric.indices[t]] += alpha * f.C[i, j] * f.C[i, metric.indices[t]]
    lu_factorise(f.H, f.pivot_H, n)
    return alpha


@kernel(**NO_ARRAYS)
def iterate(projection: Projection, alpha: float, force: Floats, b: Floats, x: Floats, factor: Floats) -> None:
    """x with M x + Cᵀ factor = force and C x ≈ b: (M + αCᵀC) x = force + Cᵀ(αb − factor), factor += α (C x − b)."""
    f, metric = projection.formulation, projection.metric
    factor[:] = 0.0
    for _ in range(int(f.settings[1])):
        copy(force, x)
        for i in range(f.C.shape[0]):
            push = alpha * b[i] - factor[i]
            for k in range(metric.indptr[i], metric.indptr[i + 1]):
                x[metric.indices[k]] += push * f.C[i, metric.indices[k]]
        lu_solve(f.H, f.pivot_H, x.shape[0], x)
        for i in range(f.C.shape[0]):
            factor[i] += alpha * (dot(f.C[i], x) - b[i])


def iterated(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project (d, v) and find v̇ and λ, each by the given number of iterations; what they leave open stays."""
    plan, work, metric, m, p, f = (
        projection.plan, projection.work, projection.metric, projection.m, projection.p, projection.formulation
    )  # fmt: skip
    p.corrections[:] = 0.0
    rounds = int(f.settings[1])
    for _ in range(rounds):
        advance(plan, p.q0, p.d, p.q)
        position_terms(plan, work, t, p.q)
        alpha = factor_penalty(projection)
        f.x[:] = 0.0
        for i in range(f.C.shape[0]):
            push = alpha * work.Phi[i] / metric.row_scale[i] * metric.holonomic[i]
            for k in range(metric.indptr[i], metric.indptr[i + 1]):
                f.x[metric.indices[k]] -= push * f.C[i, metric.indices[k]]
        lu_solve(f.H, f.pivot_H, f.x.shape[0], f.x)
        for k in range(p.d.shape[0]):
            p.change[k] = metric.scale[k] * f.x[k]
        p.corrections[OF_POSITION] += largest(p.change, metric.scale)
        displacement_rates(plan, p.d, p.change, p.vdot)
        for k in range(p.d.shape[0]):
            p.d[k] += p.vdot[k]
    advance(plan, p.q0, p.d, p.q)
    position_terms(plan, work, t, p.q)
    if not position_residual(metric, work.Phi) < np.inf:
        return NOT_FINITE
    alpha = factor_penalty(projection)
    for k in range(p.v.shape[0]):
        f.x[k] = p.v[k] / metric.scale[k]
    times_scaled_mass(projection, f.x, f.y)
    for i in range(f.z.shape[0]):
        f.z[i] = work.nu[i] / metric.row_scale[i]
    iterate(projection, alpha, f.y, f.z, f.x, f.lam)
    for k in range(p.v.shape[0]):
        p.change[k] = metric.scale[k] * f.x[k] - p.v[k]
        p.v[k] = metric.scale[k] * f.x[k]
    p.corrections[OF_VELOCITY] = largest(p.change, metric.scale)
    velocity_terms(plan, work, t, p.q, p.v)
    for k in range(p.v.shape[0]):
        f.y[k] = metric.scale[k] * work.Q[k]
    for i in range(f.z.shape[0]):
        f.z[i] = work.Gamma[i] / metric.row_scale[i]
    iterate(projection, alpha, f.y, f.z, f.x, f.lam)
    for k in range(p.v.shape[0]):
        p.vdot[k] = metric.scale[k] * f.x[k]
    factor_rows(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, MASS_REGULARISATION)
    for i in range(f.lam.shape[0]):
        f.lam[i] /= metric.row_scale[i]
        m.y[i] = -f.lam[i] / m.R[i] if m.R[i] > 0.0 else 0.0
    if not largest(p.vdot, metric.scale) < np.inf:
        return NOT_FINITE
    return FINE if position_residual(metric, work.Phi) <= max(limit, DRIFT_BOUND) else NOT_CLOSED


AUGMENTED_LAGRANGIAN = register(
    Formulation(
        name="augmented-lagrangian",
        doc="Multipliers by iterations with a penalty on C v̇ − Γ; positions and velocities by projections of the same "
        "kind. What a finite number of iterations leaves is the drift.",
        undetermined="The iterations end at the multipliers of smallest norm in characteristic lengths, because the "
        "penalty is the same for all rows: another penalty for one joint gives other reactions.",
        cite="Bayo & Ledesma 1996, Nonlinear Dyn. 9, 113–130; Wojtyra & Frączek 2013, Sect. 3.3",
        accelerate=iterated,
        settings=(
            Setting("penalty", PENALTY, "penalty factor, in mean masses of the bodies", "", 1e-3),
            Setting("iterations", ITERATIONS, "iterations at each level", "", 1.0, whole=True),
        ),
        agreement=1e-5,
        drift=DRIFT_BOUND,
        multipliers=True,
        friction=False,
    )
)
