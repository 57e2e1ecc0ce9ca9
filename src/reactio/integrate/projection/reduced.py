"""Reduced equations of motion: corrections along chosen directions B, accelerations in the null space that they leave.

With r independent rows C_r of C, directions B (n, r) and coordinates along S (n, n − r), all in characteristic lengths:

    x + B (C_r B)⁻¹ (b − C_r x)                     the x that satisfies C x = b, corrected along B only
    T = S − B (C_r B)⁻¹ C_r S,    C T = 0           v = T u + …,  v̇ = T u̇ + β,  β = B (C_r B)⁻¹ Γ_r
    Tᵀ M T u̇ = Tᵀ (Q − M β)                         (Maggi 1896, Kane 1961)

Formulations of this family differ in B and S alone: ``choose_basis`` finds them, at the pose or at the start of a step.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.projection.clearance import CLOSE
from reactio.integrate.projection.mass_projection import (
    MASS_REGULARISATION,
    copy,
    force_to_root,
    least_change,
)
from reactio.integrate.projection.massless import times_mass
from reactio.integrate.projection.project import (
    LARGEST_UNSOLVED_PART,
    MOST_POSITION_STEPS,
    NOT_CLOSED,
    NOT_FINITE,
    NOT_MOVING,
    factor,
    largest,
    position_residual,
)
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY, Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import lu_factorise, lu_solve
from reactio.linear.row_basis import complete, dot, row_basis


@kernel(**NO_ARRAYS)
def load_rows(projection: Projection) -> None:
    """C of the pose evaluated last as a dense matrix in characteristic lengths."""
    f, metric = projection.formulation, projection.metric
    for i in range(f.C.shape[0]):
        f.C[i, :] = 0.0
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            j = metric.indices[k]
            f.C[i, j] = projection.work.C[k] * metric.scale[j] / metric.row_scale[i]


@kernel(**NO_ARRAYS)
def orthonormal_basis(projection: Projection) -> None:
    """Q: a basis of the rows of C, in the order of their pivots, and of null(C), both of constant size.

    At a singular pose the directions that C admits besides are not integrated; off the manifold, redundant rows that
    look independent do not count.
    """
    f = projection.formulation
    row_basis(f.C, f.Q, f.rows, f.remainder, f.pivots, f.rank[0])
    complete(f.Q, f.rank[0], f.remainder)


@kernel(**NO_ARRAYS)
def nearly_dependent(projection: Projection) -> bool:
    """Is the last independent row less than CLOSE from the others?  Rows that drift have poles near such a pose."""
    f = projection.formulation
    r = f.rank[0]
    return bool(r > 0 and not f.pivots[r - 1] > CLOSE * f.pivots[0])


@kernel(**NO_ARRAYS)
def orthogonal_directions(projection: Projection) -> None:
    """B = Q₁ and S = Q₂: corrections at right angles to the manifold."""
    f = projection.formulation
    orthonormal_basis(projection)
    r = f.rank[0]
    for j in range(f.Q.shape[0]):
        copy(f.Q[j], f.B[j] if j < r else f.S[j - r])


@kernel(**NO_ARRAYS)
def factor_corrections(projection: Projection) -> None:
    """Factors of C_r B at the pose."""
    f = projection.formulation
    r = f.rank[0]
    for i in range(r):
        for j in range(r):
            f.G[i, j] = dot(f.C[f.rows[i]], f.B[j])
    lu_factorise(f.G, f.pivot_G, r)


@kernel(**NO_ARRAYS)
def correct(projection: Projection, b: Floats, x: Floats) -> None:
    """x ← x + B (C_r B)⁻¹ (b − C_r x); b (m,) and x (n,) in characteristic lengths."""
    f = projection.formulation
    r = f.rank[0]
    for i in range(r):
        f.y[i] = b[f.rows[i]] - dot(f.C[f.rows[i]], x)
    lu_solve(f.G, f.pivot_G, r, f.y)
    for j in range(r):
        for k in range(x.shape[0]):
            x[k] += f.B[j, k] * f.y[j]


@kernel(**NO_ARRAYS)
def unsatisfied(projection: Projection, b: Floats, x: Floats) -> float:
    """The largest |C x − b| over all rows; NaN where one of them is NaN."""
    f, size = projection.formulation, 0.0
    for i in range(f.C.shape[0]):
        wrong = abs(dot(f.C[i], x) - b[i])
        if not wrong <= size:
            size = wrong
    return size


@kernel(**NO_ARRAYS)
def scaled_rows(projection: Projection, b: Floats, factor: float) -> None:
    """z = factor b in characteristic lengths, b (m,) a right-hand side of C."""
    f, metric = projection.formulation, projection.metric
    for i in range(f.z.shape[0]):
        f.z[i] = factor * b[i] / metric.row_scale[i]


def _close_reduced(projection: Projection, t: float, close: float) -> float:
    """Correct d along B until Φ = 0 up to ``close`` or rounding; the remaining residual returns.

    Rows without a position level restrict the correction to directions they allow, and ask for nothing.
    """
    plan, work, metric, p, f = projection.plan, projection.work, projection.metric, projection.p, projection.formulation
    p.corrections[OF_POSITION] = 0.0
    before = np.inf
    for step in range(MOST_POSITION_STEPS + 1):
        advance(plan, p.q0, p.d, p.q)
        position_terms(plan, work, t, p.q)
        load_rows(projection)
        if not f.fixed_basis:
            choose_basis(projection)
        factor_corrections(projection)
        size = position_residual(metric, work.Phi)
        if step == MOST_POSITION_STEPS or not (close < size < 0.5 * before):
            break
        scaled_rows(projection, work.Phi, -1.0)
        for i in range(f.z.shape[0]):
            f.z[i] *= metric.holonomic[i]
        f.x[:] = 0.0
        correct(projection, f.z, f.x)
        for k in range(p.d.shape[0]):
            p.change[k] = metric.scale[k] * f.x[k]
        displace(projection)
        before = size
    return size


@kernel(**NO_ARRAYS)
def correct_velocities(projection: Projection) -> float:
    """v corrected along B until C v = ν; the residual of all rows returns [characteristic lengths/s, rad/s]."""
    f, metric, p = projection.formulation, projection.metric, projection.p
    scaled_rows(projection, projection.work.nu, 1.0)
    for k in range(p.v.shape[0]):
        f.x[k] = p.v[k] / metric.scale[k]
    correct(projection, f.z, f.x)
    for k in range(p.v.shape[0]):
        p.change[k] = metric.scale[k] * f.x[k] - p.v[k]
        p.v[k] = metric.scale[k] * f.x[k]
    p.corrections[OF_VELOCITY] = largest(p.change, metric.scale)
    return unsatisfied(projection, f.z, f.x)


@kernel(**NO_ARRAYS)
def times_scaled_mass(projection: Projection, x: Floats, out: Floats) -> None:
    """S M S x, S the scales of velocities."""
    scale, z = projection.metric.scale, projection.massless.z
    for k in range(x.shape[0]):
        projection.massless.p[k] = scale[k] * x[k]
    times_mass(projection.metric, projection.work.M, projection.massless.p, z)
    for k in range(x.shape[0]):
        out[k] = scale[k] * z[k]


@kernel(**NO_ARRAYS)
def null_space_basis(projection: Projection) -> None:
    """T = S − B (C_r B)⁻¹ C_r S, by rows, and M T."""
    f = projection.formulation
    r = f.rank[0]
    f.z[:] = 0.0
    for j in range(f.T.shape[0] - r):
        copy(f.S[j], f.T[j])
        correct(projection, f.z, f.T[j])
        times_scaled_mass(projection, f.T[j], f.MT[j])


@kernel(**NO_ARRAYS)
def reduced_accelerations(projection: Projection, Q: Floats, Gamma: Floats, vdot: Floats) -> float:
    """v̇ = T u̇ + β with Tᵀ M T u̇ = Tᵀ (Q − M β); the residual of C v̇ = Γ over all rows returns."""
    f, metric = projection.formulation, projection.metric
    n, dof = f.T.shape[0], f.T.shape[0] - f.rank[0]
    null_space_basis(projection)
    scaled_rows(projection, Gamma, 1.0)
    f.x[:] = 0.0
    correct(projection, f.z, f.x)
    times_scaled_mass(projection, f.x, vdot)
    for k in range(n):
        vdot[k] = metric.scale[k] * Q[k] - vdot[k]
    for i in range(dof):
        f.y[i] = dot(f.T[i], vdot)
        for j in range(dof):
            f.H[i, j] = dot(f.T[i], f.MT[j])
    lu_factorise(f.H, f.pivot_H, dof)
    lu_solve(f.H, f.pivot_H, dof, f.y)
    for j in range(dof):
        for k in range(n):
            f.x[k] += f.y[j] * f.T[j, k]
    for k in range(n):
        vdot[k] = metric.scale[k] * f.x[k]
    return unsatisfied(projection, f.z, f.x)


@kernel(**NO_ARRAYS)
def multipliers_of_motion(projection: Projection) -> None:
    """y of λ = −R y with Cᵀλ = Q − M v̇, and the factors at the pose, by which clearance and errors are measured."""
    metric, m, work, w = projection.metric, projection.m, projection.work, projection.massless
    factor(projection, MASS_REGULARISATION)
    times_mass(metric, work.M, projection.p.vdot, w.z)
    for k in range(w.z.shape[0]):
        w.z[k] = work.Q[k] - w.z[k]
    force_to_root(metric, m, w.z)
    m.b[:] = 0.0
    least_change(metric, m, 0.0)


def _finish(projection: Projection, unsolved: float, allowed: float) -> int:
    """Multipliers and friction of the accelerations in ``p``; the reason of a refusal (or FINE) returns."""
    multipliers_of_motion(projection)
    return int(with_friction(projection, unsolved, allowed))


def reduced(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project a state along B and accelerate it in T; see ``_project_and_accelerate`` for the arguments."""
    f, work, p = projection.formulation, projection.work, projection.p
    if f.fixed_basis and moved(f.base, p.q0):
        position_terms(projection.plan, work, t, p.q0)
        load_rows(projection)
        choose_basis(projection)
        copy(p.q0, f.base)
    size = close_reduced(projection, t, close)
    if not np.isfinite(size):
        return NOT_FINITE
    if size > limit:
        return NOT_CLOSED
    speed = 1.0 + largest(p.v, projection.metric.scale)
    if not correct_velocities(projection) <= LARGEST_UNSOLVED_PART * speed:
        return NOT_MOVING
    velocity_terms(projection.plan, work, t, p.q, p.v)
    unsolved = reduced_accelerations(projection, work.Q, work.Gamma, p.vdot)
    return int(finish(projection, unsolved, LARGEST_UNSOLVED_PART))


@kernel(**NO_ARRAYS)
def moved(a: Floats, b: Floats) -> bool:
    """Do two poses differ?  NaN does from any."""
    differ = False
    for k in range(a.shape[0]):
        differ = differ or a[k] != b[k]
    return differ


# Templates that formulations call, each after those that it calls itself.
REDUCED_TEMPLATES: dict[str, Any] = {"close_reduced": _close_reduced, "finish": _finish}
