"""The projected right-hand side: positions and velocities are projected on the constraint manifold, then accelerated.

The equations of motion f are needed only where Φ = 0 and C v = ν.  Elsewhere, at the stages of a step, f∘P is used with
the projection P: it is smooth where f itself has poles because of redundant rows and nearby singular configurations,
and its solutions that start on the manifold stay there, so that a method keeps its order.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# ``by_address`` and ``by_address_int`` are known to compiled kernels alone: they call what lies at an address.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.projection.joint_friction import add_friction
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
from reactio.kernels import NO_ARRAYS, AddressedKernel, Kernel, compiling, kernel
from reactio.linear.sparse.gram import factorise, solve
from reactio.system.evaluate.calls import PROJECT
from reactio.system.evaluate.kernels import bind_addresses, evaluator
from reactio.system.plan import Work
from reactio.system.types import System

# Position steps: each squares the residual, so that three close anything an integration step opens.
MOST_POSITION_STEPS = 6
LARGEST_POSITION_DAMPING = 1e-4  # largest μ of a position step
LARGEST_POSITION_RESIDUAL = 1e-8  # residual, in characteristic lengths or radians, at which a pose counts as not closed
# Largest residual of C v = ν and C v̇ = Γ, relative.  Rounding leaves 1e-12 on the manifold; within 3e-6 of a singular
# configuration, where the factors do not resolve all directions, it would be up to 1e-6, and the step is repeated.
LARGEST_UNSOLVED_PART = 1e-8
STAGE_ACCURACY = 1e-10  # relative residual that is sufficient at a stage: well below the one that is refused
LARGEST_RULE_IMBALANCE = 1e-6  # part of an acceleration that the rows a sharing rule keeps may fail to balance
# With Baumgarte's method: μ of A Aᵀ + μ, and the largest relative residual.  A velocity error δ along a direction with
# the singular value σ violates C v = ν by σδ only, and grows as 1/σ towards a singular configuration; directions with
# σ below √μ = 1e-3 are therefore not corrected.
BAUMGARTE_REGULARISATION, BAUMGARTE_UNSOLVED_PART = 1e-6, 1e-3

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
        p.corrections[OF_POSITION] += largest(p.change, metric.scale)
        displacement_rates(plan, p.d, p.change, p.vdot)
        for k in range(p.d.shape[0]):
            p.d[k] += p.vdot[k]
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
    factor_rows(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, MASS_REGULARISATION)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    speed = 1.0 + largest(p.v, metric.scale)
    if least_change(metric, m, min(close, STAGE_ACCURACY)) > LARGEST_UNSOLVED_PART * speed:
        return NOT_MOVING
    from_root(metric, m, p.vdot)
    for k in range(p.v.shape[0]):
        p.change[k] = p.vdot[k] - p.v[k]
        p.v[k] = p.vdot[k]
    p.corrections[OF_VELOCITY] = largest(p.change, metric.scale)
    velocity_terms(projection.plan, work, t, p.q, p.v)
    right_side(m, work.Gamma)
    return FINE


def _baumgarte(projection: Projection, t: float) -> None:
    """Leave (d, v) as they are, with Γ − 2α(C v − ν) − α²Φ to pull them back.  Baumgarte 1972, Eq. 13.

    Redundant rows that have drifted differently contradict each other; only the part A A⁺ b of the correction b in the
    range of C is used.
    """
    work, metric, m, p = projection.work, projection.metric, projection.m, projection.p
    p.corrections[:] = 0.0
    advance(projection.plan, p.q0, p.d, p.q)
    evaluate(projection.plan, work, t, p.q, p.v)
    factor_rows(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, BAUMGARTE_REGULARISATION)
    for i in range(m.b.shape[0]):
        speed = -work.nu[i]
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            speed += work.C[k] * p.v[metric.indices[k]]
        m.b[i] = -m.R[i] * projection.alpha * (2.0 * speed + projection.alpha * work.Phi[i])
    m.x[:] = 0.0
    least_change(metric, m, STAGE_ACCURACY)
    for i in range(m.b.shape[0]):
        m.b[i] += m.R[i] * work.Gamma[i] - m.r[i]


def _project_and_accelerate(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project a state, or stabilise it by Baumgarte's method, and compute v̇; y of λ = −R y stays in ``m``.

    ``close``, ``limit``: the position residual at which iterations end, and the one beyond which a pose is refused
    [characteristic lengths, rad].  The reason of a refusal (or FINE) returns.
    """
    work, metric, p, allowed = projection.work, projection.metric, projection.p, LARGEST_UNSOLVED_PART
    if projection.alpha > 0.0:
        baumgarte(projection, t)
        allowed = BAUMGARTE_UNSOLVED_PART
    else:
        reason = project(projection, t, close, limit)
        if reason != FINE:
            return int(reason)
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
    if projection.friction.a.shape[0] > 0 and not apply_friction(projection, p.vdot):
        return JAMMED
    size = speed * speed + largest(p.vdot, metric.scale)
    if not np.isfinite(size):
        return NOT_FINITE
    if not largest(projection.friction.force, metric.scale) <= LARGEST_RULE_IMBALANCE * size:
        return UNBALANCED
    return FINE if unsolved <= allowed * size else NOT_ACCELERATING


def project_and_accelerate(projection: Projection, t: float, close: float, limit: float) -> int:
    """``_project_and_accelerate`` of the evaluation of a system, called by its address."""
    return by_address_int(projection.plan.calls[PROJECT], (projection, t, close, limit))  # type: ignore[no-any-return]


@cache
def project_and_accelerate_kernel(evaluate: Kernel[..., None]) -> AddressedKernel[..., int]:
    """project_and_accelerate(projection, t, close, limit) with the functions of an evaluation."""
    own = evaluate.links
    close_positions = Kernel(
        _close_positions, NO_ARRAYS, {name: own[name] for name in ("position_terms", "advance", "displacement_rates")}
    )
    parts: dict[str, Kernel[..., Any]] = {
        "project": Kernel(
            _project, NO_ARRAYS, {"close_positions": close_positions, "velocity_terms": own["velocity_terms"]}
        ),
        "baumgarte": Kernel(_baumgarte, NO_ARRAYS, {"evaluate": evaluate, "advance": own["advance"]}),
        "apply_friction": Kernel(add_friction, NO_ARRAYS, {"effort_loads": own["effort_loads"]}),
    }
    return AddressedKernel(project_and_accelerate, Kernel(_project_and_accelerate, NO_ARRAYS, parts))


def bind_projection_addresses(system: System, projection: Projection) -> None:
    """Where kernels run compiled, write into the plan of a system where its functions and its projection lie."""
    bind_addresses(system)
    if compiling() and system.plan.calls[PROJECT] == 0:
        project = project_and_accelerate_kernel(evaluator(system)).kernel
        system.plan.calls[PROJECT] = project.address(projection, 0.0, 0.0, 0.0)
