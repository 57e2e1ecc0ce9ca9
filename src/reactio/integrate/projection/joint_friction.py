"""Friction in a motion: its efforts and the reactions they depend on, found together at every evaluation.

Accelerations and multipliers are affine in the efforts e of the frictions: one more solution of the equations of
motion for each of them, with the factors at hand, then ``slip``.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``pushes`` is linked in for each space; @kernel sees this file
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.forward_dynamics.coulomb import SlipWork, slip, slip_work
from reactio.integrate.projection.mass_projection import (
    SHARING,
    MetricPlan,
    MetricWork,
    copy,
    from_root,
    metric_work,
    nearest,
    pull,
    scale_row,
    share,
)
from reactio.integrate.projection.massless import respond
from reactio.kernels import PLAIN, kernel
from reactio.linear.gram import factorise, solve
from reactio.sharing import Weights
from reactio.system.normals import press
from reactio.system.types import System

if TYPE_CHECKING:
    from reactio.integrate.projection.project import Projection


class Sharing(NamedTuple):
    """A sharing rule that weighs rows: min Σ W_i λ_i², W_i = (c_i M⁻¹c_iᵀ)^power, λ_i = 0 for rows not kept."""

    asked: bool  # False: friction needs no rule, because the reactions it depends on are unique
    kept: Floats  # (m,) 1, or 0 for rows that carry nothing
    power: float
    m: MetricWork  # its rows scaled by S = R^(power − 1), so that λ = R S y with the smallest |y|


class Rubbing(NamedTuple):
    """Numbers of k frictions."""

    a: Floats  # (k,) efforts per newton
    unit: Floats  # (efforts,) one effort of size 1
    force: Floats  # (n,) its force on the bodies
    vdot: Floats  # (k, n) and the accelerations it makes
    y: Floats  # (k + 1, m) multipliers −R⁻¹λ of each, and last those without friction
    lam: Floats  # (m,) by the rule, when one is asked for
    N: Floats  # (components, k + 1)
    slip: SlipWork
    by: Sharing


def rubbing(system: System, metric: MetricPlan, weights: Weights | None) -> Rubbing:
    """Arrays for the frictions of a system."""
    plan, n, m = system.plan.friction, system.n, system.m
    k = len(plan.table)
    kept, power = (np.ones(m), 1.0) if weights is None else (weights.kept, weights.power)
    return Rubbing(
        a=np.zeros(k),
        unit=np.zeros(len(system.plan.pushes.effort)),
        force=np.zeros(n),
        vdot=np.zeros((k, n)),
        y=np.zeros((k + 1, m)),
        lam=np.zeros(m),
        N=np.zeros((len(plan.component), k + 1)),
        slip=slip_work(k),
        by=Sharing(weights is not None, np.array(kept), float(power), metric_work(metric)),
    )


@kernel(**PLAIN)
def weigh(plan: MetricPlan, m: MetricWork, by: Sharing) -> None:
    """The rows of A in the metric of the rule, and their factors."""
    copy(m.A, by.m.A)
    copy(m.square, by.m.square)
    largest = 0.0
    for i in range(m.R.shape[0]):
        by.m.R[i] = by.kept[i] * m.R[i] ** (by.power - 1.0) if m.R[i] > 0.0 else 0.0
        largest = max(largest, by.m.R[i])
    for i in range(m.R.shape[0]):
        scale_row(plan, by.m, i, by.m.R[i] / largest)
        by.m.R[i] *= m.R[i] / largest
    factorise(plan.gram, by.m.gram, by.m.A, by.m.square, SHARING)


@kernel(**PLAIN)
def share_by(plan: MetricPlan, m: MetricWork, by: Sharing, lam: Floats) -> None:
    """λ with the reactions Cᵀλ of y that the rule chooses; L⁻¹ of what its rows cannot balance stays in ``by.m.x``.

    Sweeps leave u/μ of y in null(Aᵀ).  μ²(A Aᵀ + μ)⁻² y is that part, and μ²/σ⁴ of the rest, which more sweeps put
    back.
    """
    w = by.m
    w.x[:] = 0.0
    for i in range(m.y.shape[0]):
        for k in range(plan.indptr[i], plan.indptr[i + 1]):
            w.x[plan.indices[k]] += m.A[k] * m.y[i]
    w.b[:] = 0.0
    nearest(plan, w, 0.0)
    copy(w.y, lam)
    solve(plan.gram, w.gram, w.y, w.z)
    copy(w.z, w.r)
    solve(plan.gram, w.gram, w.r, w.z)
    for i in range(lam.shape[0]):
        w.z[i] *= -SHARING * SHARING
        lam[i] += w.z[i]
    pull(plan, w, w.z)
    nearest(plan, w, 0.0)
    for i in range(lam.shape[0]):
        lam[i] = w.R[i] * (lam[i] + w.y[i])


@kernel(**PLAIN)
def multipliers(projection: Projection, lam: Floats) -> None:
    """λ of the accelerations just found: by the rule that friction asked for, else as ``share`` chooses."""
    if projection.rub.by.asked:
        copy(projection.rub.lam, lam)
    else:
        share(projection.metric, projection.m, lam)


@kernel(**PLAIN)
def normal_reactions(projection: Projection, column: int) -> None:
    """N of the multipliers −R y, or of what the rule makes of them; y is kept."""
    m, rub = projection.m, projection.rub
    copy(m.y, rub.y[column])
    if rub.by.asked:
        share_by(projection.metric, m, rub.by, rub.lam)
    else:
        for i in range(rub.lam.shape[0]):
            rub.lam[i] = -m.R[i] * m.y[i]
    press(projection.plan.friction, projection.work.P, rub.lam, rub.N, column)


@kernel(**PLAIN)
def combine_frictions(projection: Projection, vdot: Floats) -> None:
    """v̇ and y with the efforts e, which stay in ``work.effort``."""
    rub, table = projection.rub, projection.plan.friction.table
    k = table.shape[0]
    copy(rub.y[k], projection.m.y)
    for j in range(k):
        e = rub.slip.e[j]
        projection.work.effort[table[j, 0]] = e
        for i in range(vdot.shape[0]):
            vdot[i] += e * rub.vdot[j, i]
        for i in range(projection.m.y.shape[0]):
            projection.m.y[i] += e * rub.y[j, i]


def rub_each(projection: Projection, vdot: Floats) -> bool:
    """Add friction to v̇ and y; false when it has no solution or several.

    The accelerations that a rule cannot take out of the loads, because its rows do not suffice, stay in ``rub.force``.
    """
    rub, work, table = projection.rub, projection.work, projection.plan.friction.table
    k = table.shape[0]
    if rub.by.asked:
        weigh(projection.metric, projection.m, rub.by)
    normal_reactions(projection, k)
    for j in range(k):
        rub.a[j] = work.law[table[j, 0]]
        rub.unit[table[j, 0]] = 1.0
        rub.force[:] = 0.0
        plan = projection.plan
        pushes(
            plan.pushes, plan.frames, plan.bodies.p, projection.p.q, work.R, work.D, work.F, rub.unit, rub.force, 0
        )  # fmt: skip
        rub.unit[table[j, 0]] = 0.0
        projection.m.b[:] = 0.0
        respond(projection.metric, projection.m, projection.lent, work.M, rub.force, rub.vdot[j], 0.0)
        normal_reactions(projection, j)
    rub.force[:] = 0.0
    if not slip(projection.plan.friction.of, rub.N, rub.a, rub.slip):
        return False
    combine_frictions(projection, vdot)
    if rub.by.asked:
        share_by(projection.metric, projection.m, rub.by, rub.lam)
        copy(rub.by.m.x, projection.m.x)
        from_root(projection.metric, projection.m, rub.force)
    return True
