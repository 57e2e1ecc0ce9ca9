"""Newton's iteration for the stages of an implicit step, and the error of the step.

Hairer & Wanner 1996, Sect. IV.8.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.loop import CLOSED_STAGE, Task
from reactio.integrate.projection.clearance import clearance
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import FINE, INACCURATE
from reactio.integrate.projection.rhs import rhs_kernel
from reactio.integrate.projection.workspace import Projection
from reactio.integrate.radau5.jacobian import add, jacobian_at
from reactio.integrate.radau5.newton import (
    COMMON_JACOBIAN,
    NewtonWork,
    apply_W_transposed,
    factorise_coupled,
    factorise_shifted,
    in_tolerances,
    newton_step,
)
from reactio.integrate.state import REDUNDANT, TIME, IntegratorState
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.linear.lu import lu_solve
from reactio.linear.precision import ROUNDOFF

# Newton iterations of a step; more where its size is fixed and it cannot be repeated with a smaller one.
MOST_NEWTON_ITERATIONS, MOST_FIXED_ITERATIONS = 10, 50
SLOW_RATE = 0.1  # θ above which new Jacobians at the stages are worth their evaluations
LARGEST_NEWTON_ERROR = 0.03  # that the iteration leaves, in tolerances; √tol where that is less: errors accumulate
# Error that it may always leave [lengths, rad; velocities relative]: some roundings of lengths and the projection.
NEWTON_ROUNDING = ROUNDOFF / 100
# Position residual to which stages are closed, in tolerances: well below LARGEST_NEWTON_ERROR.
IMPLICIT_STAGE_CLOSURE = 1e-4


@kernel(**NO_ARRAYS)
def stage(Z: Floats, y: Floats) -> None:
    """y_1 = y_0 + Z of one stage (2, n)."""
    for part in range(2):
        copy(y[0, part], y[1, part])
        add(1.0, Z[part], y[1, part])


def _evaluate_stages(projection: Projection, s: NewtonWork, now: IntegratorState, h: float, task: Task) -> int:
    """F at all stages; the reason of a failure (or FINE) returns."""
    close, t = max(CLOSED_STAGE, IMPLICIT_STAGE_CLOSURE * task.tol), now.scalars[TIME]
    for i in range(3):
        stage(s.Z[i], s.y)
        reason = rhs(projection, t + s.collocation.c[i] * h, now.q, s.y[1], s.F[i], close, task.limit)
        if reason != FINE:
            return int(reason)
        copy(projection.p.corrections, s.corrections[i])
        s.clearance[i] = clearance(projection.m.gram, now.counts[REDUNDANT])
    return FINE


def _stage_jacobians(projection: Projection, s: NewtonWork, now: IntegratorState, h: float) -> tuple[int, int]:
    """F and the Jacobians at all stages, and their factors; the reason of a failure (or FINE), and evaluations."""
    used, J, t = 0, s.J, now.scalars[TIME]
    for i in range(3):
        stage(s.Z[i], s.y)
        reason = jacobian(projection, J, i, t + s.collocation.c[i] * h, now.q, s.y[1], now.counts[REDUNDANT])
        used += 1 + 2 * J.free[i]
        if reason != FINE:
            return int(reason), used
        copy(J.F[i, 0], s.F[i, 0])
        copy(J.F[i, 1], s.F[i, 1])
        copy(J.corrections[i], s.corrections[i])
        s.clearance[i] = J.clearance[i]
    factorise_coupled(s.collocation.A, h, J.free, J.W, J.B, s.full, s.pivot[2])
    return FINE, used


def _converge(
    projection: Projection, s: NewtonWork, now: IntegratorState, h: float, task: Task, common: bool, eta: float
) -> tuple[int, int, float, float, int]:
    """Z_i = h Σ a_ij F(y_0 + Z_j) from a first guess in Z, with one Jacobian for all stages or one for each.

    It stops when η |ΔZ| is small, η = θ/(1 − θ) with the rate θ, or when that is out of reach; ``eta`` is the η of the
    last step.  The reason of a failure (or FINE), iterations, θ (0 after one), |ΔZ| and evaluations return.
    """
    most = MOST_FIXED_ITERATIONS if task.step > 0.0 else MOST_NEWTON_ITERATIONS
    enough = max(min(LARGEST_NEWTON_ERROR, task.tol**0.5), NEWTON_ROUNDING / task.tol)
    used, rate, before, size, k = 0, 0.0, np.inf, np.inf, 0
    for k in range(1, most + 1):
        if not common and (k == 1 or rate > SLOW_RATE):
            reason, more = stage_jacobians(projection, s, now, h)
        else:
            reason, more = evaluate_stages(projection, s, now, h, task), 3
        used += more
        if reason != FINE:
            return reason, k, rate, size, used
        size = newton_step(s, h, common, projection.metric.scale, task.tol)
        if not np.isfinite(size):
            return INACCURATE, k, rate, size, used
        rate = size / before
        remaining = eta * size if k == 1 else size * rate / (1.0 - rate) if rate < 1.0 else np.inf
        if remaining <= enough:
            return FINE, k, rate, size, used
        hopeless = not remaining * rate ** (most - k) <= enough if common else k > 3 and rate > 1.0
        if k > 1 and hopeless:
            break
        before = size
    return INACCURATE, k, rate, size, used


def _estimate(
    projection: Projection,
    s: NewtonWork,
    field: Floats,
    now: IntegratorState,
    h: float,
    task: Task,
    common: bool,
    again: bool,
) -> tuple[float, int]:
    """The error along the manifold in tolerances, and evaluations; ``field`` (2, n) is f(y_0).

    (μ/h − J) e = f(y_0) + Σ E_i Z_i / h, of which T Wᵀ e = T (μ/h − G)⁻¹ Wᵀ(…) points along the manifold; where that
    is too large in a first or repeated step, f(y_0 + e) takes the place of f(y_0), which damps the error of stiff
    components (Hairer & Wanner 1996, Sect. IV.8).
    """
    J, at, v0, y, e = s.J, COMMON_JACOBIAN if common else 0, s.y[0, 1], s.y[1], s.R[0]
    f, g = J.free[at], s.u[0]
    if not common or s.factored_step[0] != h:
        factorise_shifted(s.collocation.mu[0] / h, J.G[at], 2 * f, s.real, s.pivot[0])
        s.factored_step[0] = 0.0
    error, used, f0 = 0.0, 0, field
    for attempt in range(2):
        for part in range(2):
            copy(f0[part], y[part])
            for i in range(3):
                add(s.collocation.E[i] / h, s.Z[i, part], y[part])
        apply_W_transposed(f, J.W[at], y, g)
        lu_solve(s.real, s.pivot[0], 2 * f, g)
        e[:] = 0.0
        for k in range(f):
            add(g[k], J.T[at, 0, k], e[0])
            add(g[f + k], J.T[at, 1, k], e[1])
        error = in_tolerances(e, v0, projection.metric.scale, task.tol)
        if attempt == 1 or error <= 1.0 or not again:
            break
        stage(e, s.y)
        used += 1
        if rhs(projection, now.scalars[TIME], now.q, y, s.F[0], CLOSED_STAGE, task.limit) != FINE:
            break
        f0 = s.F[0]
    return error, used


@cache
def iterations(evaluate: Kernel[..., None]) -> dict[str, Kernel[..., Any]]:
    """rhs, slopes, converge and estimate with the functions of an evaluation."""
    links: dict[str, Kernel[..., Any]] = {"rhs": rhs_kernel(evaluate)}
    for name, part in (
        ("jacobian", jacobian_at),
        ("evaluate_stages", _evaluate_stages),
        ("stage_jacobians", _stage_jacobians),
        ("converge", _converge),
        ("estimate", _estimate),
    ):
        links[name] = Kernel(part, NO_ARRAYS, dict(links))
    return links
