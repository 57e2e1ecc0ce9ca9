"""The projected right-hand side: positions and velocities are projected on the constraint manifold, then accelerated.

The equations of motion f are needed only where Φ = 0 and C v = ν.  Elsewhere, at the stages of a step, f∘P is used with
the projection P: it is smooth where f itself has poles because of redundant rows and nearby singular configurations,
and its solutions that start on the manifold stay there, so that a method keeps its order.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.projection.mass_projection import (
    MASS_REGULARISATION,
    MetricPlan,
    MetricWork,
    add_transposed,
    factor_rows,
    from_root,
    least_change,
    right_side,
    scale_row,
    to_root,
)
from reactio.integrate.projection.massless import constrained_accelerations
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY, Projection
from reactio.integrate.status import Refusal
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.precision import LOCATED, SOLUTION
from reactio.linear.sparse.gram import factorise, solve
from reactio.system.plan import Work

# Position steps: each squares the residual, so that three close anything an integration step opens.
MOST_POSITION_STEPS = 6
LARGEST_POSITION_DAMPING = 1e-4  # largest μ of a position step
# Residual, in characteristic lengths or radians, at which a pose counts as not closed.
LARGEST_POSITION_RESIDUAL = 10 * SOLUTION
# Largest residual of C v = ν and C v̇ = Γ, relative.  Rounding leaves 1e-12 on the manifold; within 3e-6 of a singular
# configuration, where the factors do not resolve all directions, it would be up to 1e-6, and the step is repeated.
LARGEST_UNSOLVED_PART = 10 * SOLUTION
STAGE_ACCURACY = SOLUTION / 10  # relative residual that is sufficient at a stage: well below the one that is refused
LARGEST_RULE_IMBALANCE = LOCATED  # part of an acceleration that the rows a sharing rule keeps may fail to balance

# Plain integers for the compiled kernels.
(
    FINE, NOT_FINITE, NOT_CLOSED, NOT_MOVING, NOT_ACCELERATING, JUMP_OR_BRANCH, INACCURATE, NEAR_SINGULAR,
    UNDETERMINED_MOTION, JAMMED, UNBALANCED, NO_ROOM,
) = (int(reason) for reason in Refusal)  # fmt: skip


@kernel(**NO_ARRAYS)
def position_residual(plan: MetricPlan, Phi: Floats) -> float:
    """The largest position residual [characteristic lengths, rad]; NaN where one of them is NaN."""
    largest = 0.0
    for i in range(Phi.shape[0]):
        size = abs(Phi[i]) / plan.row_scale[i]
        if not size <= largest:
            largest = size
    return largest


@kernel(**NO_ARRAYS)
def largest(a: Floats, scale: Floats) -> float:
    """The largest entry in magnitude [characteristic lengths, rad]; NaN where one of them is NaN."""
    size = 0.0
    for i in range(a.shape[0]):
        if not abs(a[i]) <= size * scale[i]:
            size = abs(a[i]) / scale[i]
    return size


@kernel(**NO_ARRAYS)
def position_correction(plan: MetricPlan, m: MetricWork, work: Work, size: float, change: Floats) -> None:
    """The least displacement that closes Φ to first order, damped by the square of the residual.

    (A Aᵀ + μ) y = −R Φ with μ ~ |Φ|²: quadratic convergence whatever the rank of C; redundant rows, which off
    the manifold are independent to the order of |Φ| only, have no effect.  Yamashita & Fukushima 2001, Computing Suppl.
    15, Thm 2.1.
    """
    factor_rows(plan, m, work.M, work.C)
    for i in range(m.b.shape[0]):
        if plan.holonomic[i] == 0.0:
            scale_row(plan, m, i, 0.0)
        m.b[i] = -m.R[i] * work.Phi[i]
    factorise(plan.gram, m.gram, m.A, m.square, MASS_REGULARISATION + min(LARGEST_POSITION_DAMPING, size * size))
    m.x[:] = 0.0
    solve(plan.gram, m.gram, m.b, m.z)
    add_transposed(plan, m, m.z)
    from_root(plan, m, change)


@kernel(**NO_ARRAYS)
def factor(projection: Projection, mu: float) -> None:
    """The rows of A and the factors of A Aᵀ + μ at the pose that was evaluated last."""
    metric, m = projection.metric, projection.m
    factor_rows(metric, m, projection.work.M, projection.work.C)
    factorise(metric.gram, m.gram, m.A, m.square, mu)


def _evaluate_as_given(projection: Projection, t: float) -> None:
    """Evaluate the state in ``p`` without a projection."""
    p = projection.p
    p.corrections[:] = 0.0
    advance(projection.plan, p.q0, p.d, p.q)
    evaluate(projection.plan, projection.work, t, p.q, p.v)


def _displace(projection: Projection) -> None:
    """Correct d by ``change``, whose size adds to the corrections of positions."""
    p = projection.p
    p.corrections[OF_POSITION] += largest(p.change, projection.metric.scale)
    displacement_rates(projection.plan, p.d, p.change, p.vdot)
    for k in range(p.d.shape[0]):
        p.d[k] += p.vdot[k]


def _take_velocities(projection: Projection, t: float) -> None:
    """Correct v to the velocities x of the least-squares problem, and evaluate them."""
    p = projection.p
    from_root(projection.metric, projection.m, p.vdot)
    for k in range(p.v.shape[0]):
        p.change[k] = p.vdot[k] - p.v[k]
        p.v[k] = p.vdot[k]
    p.corrections[OF_VELOCITY] = largest(p.change, projection.metric.scale)
    velocity_terms(projection.plan, projection.work, t, p.q, p.v)


def _close_positions(projection: Projection, t: float, close: float) -> float:
    """Correct d until Φ = 0 up to ``close`` or rounding; the remaining residual returns."""
    plan, work, metric, m, p = projection.plan, projection.work, projection.metric, projection.m, projection.p
    p.corrections[OF_POSITION] = 0.0
    before = np.inf
    for step in range(MOST_POSITION_STEPS + 1):
        advance(plan, p.q0, p.d, p.q)
        position_terms(plan, work, t, p.q)
        size = position_residual(metric, work.Phi)
        if step == MOST_POSITION_STEPS or not (close < size < 0.5 * before):
            break
        position_correction(metric, m, work, size, p.change)
        displace(projection)
        before = size
    return size


def _project(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project (d, v) on Φ = 0, C v = ν; the factors there stay in ``m``, the reason of a refusal (or FINE) returns."""
    size = close_positions(projection, t, close)
    if not np.isfinite(size):
        return NOT_FINITE
    if size > limit:
        return NOT_CLOSED
    work, metric, m, p = projection.work, projection.metric, projection.m, projection.p
    factor(projection, MASS_REGULARISATION)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    speed = 1.0 + largest(p.v, metric.scale)
    if least_change(metric, m, min(close, STAGE_ACCURACY)) > LARGEST_UNSOLVED_PART * speed:
        return NOT_MOVING
    take_velocities(projection, t)
    right_side(m, work.Gamma)
    return FINE


def _with_friction(projection: Projection, unsolved: float, allowed: float) -> int:
    """Add friction to the accelerations in ``p``; the reason of a refusal (or FINE) returns.

    ``unsolved``: the residual of C v̇ = Γ; ``allowed``: the largest one, relative to velocities and accelerations.
    """
    metric, p = projection.metric, projection.p
    if projection.friction.a.shape[0] > 0 and not apply_friction(projection, p.vdot):
        return JAMMED
    speed = 1.0 + largest(p.v, metric.scale)
    size = speed * speed + largest(p.vdot, metric.scale)
    if not (np.isfinite(size) and np.isfinite(unsolved)):
        return NOT_FINITE
    if not largest(projection.friction.force, metric.scale) <= LARGEST_RULE_IMBALANCE * size:
        return UNBALANCED
    return FINE if unsolved <= allowed * size else NOT_ACCELERATING


def _accelerate(projection: Projection, allowed: float, close: float) -> int:
    """v̇ at the state in ``p``, which was evaluated, with factors and b = R Γ in ``m``; y of λ = −R y stays there.

    ``allowed``: the largest relative residual of C v̇ = Γ.  The reason of a refusal (or FINE) returns.
    """
    work, metric, p = projection.work, projection.metric, projection.p
    speed = 1.0 + largest(p.v, metric.scale)
    enough, unsolved, determined = min(close, STAGE_ACCURACY), np.inf, False
    for _ in range(2):
        determined, unsolved = constrained_accelerations(
            metric, projection.m, projection.massless, work.M, work.Q, p.vdot, enough
        )
        if not determined or not unsolved > allowed * (speed * speed + largest(p.vdot, metric.scale)):
            break
        enough = 0.0  # forces may be so large that a residual relative to them is large relative to v̇
    if not np.isfinite(unsolved):
        return NOT_FINITE
    if not determined:
        return UNDETERMINED_MOTION if np.isfinite(largest(work.Q, metric.scale)) else NOT_FINITE
    return int(with_friction(projection, unsolved, allowed))


# Templates that formulations call, each after those that it calls itself.
PROJECTION_TEMPLATES: dict[str, Any] = {
    "evaluate_as_given": _evaluate_as_given,
    "displace": _displace,
    "take_velocities": _take_velocities,
    "close_positions": _close_positions,
    "project": _project,
    "with_friction": _with_friction,
    "accelerate": _accelerate,
}
