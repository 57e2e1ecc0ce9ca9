"""On the manifold: a pose and its velocities are projected first, then accelerated.

The equations of motion are needed only where Φ = 0 and C v = ν.  Off the manifold they are continued by projecting,
f∘P: an explicit method then never sees the poles that redundant rows and nearby singular poses put beside it, and
keeps its order, because f∘P is a smooth field whose solutions that start on the manifold stay there.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``posed``, ``moving``, ``advance``, ``flow``, ``rub`` … are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.integrate.projection.joint_friction import Rubbing, rub_each, rubbing
from reactio.integrate.projection.mass_projection import (
    REGULAR,
    MetricPlan,
    MetricWork,
    from_root,
    measure,
    metric_plan,
    metric_work,
    nearest,
    pull,
    right_side,
    scale_row,
    to_root,
)
from reactio.integrate.projection.massless import LentWork, lent_work, respond
from reactio.kernels import PLAIN, WITHIN, Kernel, kernel
from reactio.linear.gram import factorise, solve
from reactio.sharing import Weights
from reactio.system import loops
from reactio.system.equations import workspace
from reactio.system.kernels import mover, pusher
from reactio.system.plan import Plan, Work
from reactio.system.types import System

MOST = 6  # position steps: each squares the residual, so that three close anything an integration step opens
DAMPED = 1e-4  # largest μ of a position step
OPEN = 1e-8  # residual, in characteristic lengths or radians, at which a pose counts as not closed
# Part of a velocity or acceleration that may remain.  On the manifold rounding leaves 1e-12; within 3e-6 of a singular
# pose, where the factors do not resolve all directions, up to 1e-6 would, and the step is taken anew with another size.
UNSOLVED = 1e-8
SOLVED = 1e-10  # part of a velocity or acceleration that a stage may leave: well below what is refused
LEFT = 1e-6  # part of an acceleration that a sharing rule may leave without balance
# Without projection: μ of A Aᵀ + μ, and the part of an acceleration that may remain.  A velocity along a direction with
# the singular value σ that drifts by δ violates C v = ν by σδ only, and grows as 1/σ towards a singular pose: below
# √μ = 1e-3 such directions are left to inertia.
DRIFTING, LOOSE = 1e-6, 1e-3

# Each kernel is optimised with all that it calls: templates with one caller are made part of it instead.
INSIDE: dict[str, Any] = {**PLAIN, "inline": "always"}

FINE, NOT_FINITE, NOT_CLOSED, NOT_MOVING, NOT_ACCELERATING, THROWN, INACCURATE, NEAR = range(8)
UNHELD, JAMMED, UNBALANCED = range(8, 11)


class Point(NamedTuple):
    """A state under way, as a displacement d from the pose q0 where the step began."""

    q0: Floats  # (nq,)
    q: Floats  # (nq,) q0 moved by d
    d: Floats  # (n,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    change: Floats  # (n,) of d, or of v
    moved: Floats  # (2,) largest change of d [lengths, rad] and of v [lengths/s, rad/s] by the projection


class Projection(NamedTuple):
    """A system with everything that a projection works on."""

    plan: Plan
    work: Work
    metric: MetricPlan
    m: MetricWork
    p: Point
    lent: LentWork
    rub: Rubbing
    alpha: float  # [1/s] Baumgarte's, 0 for projections


def projection_workspace(system: System, weights: Weights | None = None, alpha: float = 0.0) -> Projection:
    """The symbolic phase and the arrays for a system; ``weights`` of the sharing rule when friction needs one."""
    metric = metric_plan(system)
    d, v, vdot, change = np.zeros((4, system.n))
    p = Point(np.zeros(system.nq), np.zeros(system.nq), d, v, vdot, change, np.zeros(2))
    work, m, lent = workspace(system), metric_work(metric), lent_work(system.n)
    return Projection(system.plan, work, metric, m, p, lent, rubbing(system, metric, weights), float(alpha))


@kernel(**WITHIN)
def gap(plan: MetricPlan, Phi: Floats) -> float:
    """The largest position residual [characteristic lengths, rad]; not a number where one of them is none."""
    largest = 0.0
    for i in range(Phi.shape[0]):
        size = abs(Phi[i]) / plan.row_scale[i]
        if not size <= largest:
            largest = size
    return largest


@kernel(**WITHIN)
def largest(a: Floats, scale: Floats) -> float:
    """The largest entry [characteristic lengths, rad]; not a number where one of them is none."""
    size = 0.0
    for i in range(a.shape[0]):
        if not abs(a[i]) <= size * scale[i]:
            size = abs(a[i]) / scale[i]
    return size


@kernel(**WITHIN)
def displacement(plan: MetricPlan, m: MetricWork, work: Work, size: float, change: Floats) -> None:
    """The least displacement that closes Φ to first order, damped by the square of the residual.

    (A Aᵀ + μ) y = −R Φ with μ ~ |Φ|²: quadratic convergence whatever the rank of C, and rows that are redundant on the
    manifold, independent by |Φ| beside it, have no say.  Yamashita & Fukushima 2001, Computing Suppl. 15, Thm 2.1.
    """
    measure(plan, m, work.M, work.C)
    for i in range(m.b.shape[0]):
        if plan.holonomic[i] == 0.0:
            scale_row(plan, m, i, 0.0)
        m.b[i] = -m.R[i] * work.Phi[i]
    factorise(plan.gram, m.gram, m.A, m.square, REGULAR + min(DAMPED, size * size))
    m.x[:] = 0.0
    solve(plan.gram, m.gram, m.b, m.z)
    pull(plan, m, m.z)
    from_root(plan, m, change)


def _close(projection: Projection, t: float, close: float) -> float:
    """Move d until Φ = 0 up to ``close`` or rounding; the residual that remains returns."""
    plan, work, metric, m, p = projection.plan, projection.work, projection.metric, projection.m, projection.p
    p.moved[0] = 0.0
    before = np.inf
    for step in range(MOST + 1):
        advance(plan.bodies, p.q0, p.d, p.q, 0)
        posed(plan, work, t, p.q)
        size = gap(metric, work.Phi)
        if step == MOST or not (close < size < 0.5 * before):
            break
        displacement(metric, m, work, size, p.change)
        p.moved[0] += largest(p.change, metric.scale)
        flow(plan.bodies, p.d, p.change, p.vdot, 0)
        for k in range(p.d.shape[0]):
            p.d[k] += p.vdot[k]
        before = size
    return size


def _project(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project (d, v) on Φ = 0, C v = ν; the factors there stay in ``m``."""
    size = bring(projection, t, close)
    if not np.isfinite(size):
        return NOT_FINITE
    if size > limit:
        return NOT_CLOSED
    work, metric, m, p = projection.work, projection.metric, projection.m, projection.p
    measure(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, REGULAR)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    speed = 1.0 + largest(p.v, metric.scale)
    if nearest(metric, m, min(close, SOLVED)) > UNSOLVED * speed:
        return NOT_MOVING
    from_root(metric, m, p.vdot)
    for k in range(p.v.shape[0]):
        p.change[k] = p.vdot[k] - p.v[k]
        p.v[k] = p.vdot[k]
    p.moved[1] = largest(p.change, metric.scale)
    moving(projection.plan, work, t, p.q, p.v)
    right_side(m, work.Gamma)
    return FINE


def _drift(projection: Projection, t: float) -> None:
    """Leave (d, v) as they are, with Γ − 2α(C v − ν) − α²Φ to pull them back.  Baumgarte 1972, Eq. 13.

    Redundant rows that have drifted apart ask for what no acceleration does: of the pull only the part in range(C)
    counts, its least-squares solution A A⁺ b.
    """
    work, metric, m, p = projection.work, projection.metric, projection.m, projection.p
    p.moved[:] = 0.0
    advance(projection.plan.bodies, p.q0, p.d, p.q, 0)
    evaluate(projection.plan, work, t, p.q, p.v)
    measure(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, DRIFTING)
    for i in range(m.b.shape[0]):
        speed = -work.nu[i]
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            speed += work.C[k] * p.v[metric.indices[k]]
        m.b[i] = -m.R[i] * projection.alpha * (2.0 * speed + projection.alpha * work.Phi[i])
    m.x[:] = 0.0
    nearest(metric, m, SOLVED)
    for i in range(m.b.shape[0]):
        m.b[i] += m.R[i] * work.Gamma[i] - m.r[i]


def _settle(projection: Projection, t: float, close: float, limit: float) -> int:
    """A state where v̇ is wanted, projected or pulled back, and v̇ there; y of λ = −R y stays in ``m``."""
    work, metric, p, remains = projection.work, projection.metric, projection.p, UNSOLVED
    if projection.alpha > 0.0:
        drift(projection, t)
        remains = LOOSE
    else:
        reason = project(projection, t, close, limit)
        if reason != FINE:
            return int(reason)
    speed = 1.0 + largest(p.v, metric.scale)
    enough, unsolved = min(close, SOLVED), np.inf
    for _ in range(2):
        unsolved = respond(metric, projection.m, projection.lent, work.M, work.Q, p.vdot, enough)
        if not unsolved > remains * (speed * speed + largest(p.vdot, metric.scale)):
            break
        enough = 0.0  # forces may be so much larger than what they accelerate that a part of them is not enough
    if not np.isfinite(unsolved):
        return NOT_FINITE if not np.isfinite(largest(work.Q, metric.scale)) else UNHELD
    if projection.rub.a.shape[0] > 0 and not rub(projection, p.vdot):
        return JAMMED
    size = speed * speed + largest(p.vdot, metric.scale)
    if not np.isfinite(size):
        return NOT_FINITE
    if not largest(projection.rub.force, metric.scale) <= LEFT * size:
        return UNBALANCED
    return FINE if unsolved <= remains * size else NOT_ACCELERATING


@cache
def settler(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., int]:
    """settle(on, t, close, limit) for the registered primitives and body kinds."""
    advance, tag = mover(space, kind_names, "advance"), evaluate.tag
    links = {"posed": evaluate.links["posed"], "advance": advance, "flow": flows(space, kind_names)}
    bring = Kernel(_close, INSIDE, links, tag)
    parts: dict[str, Kernel[..., Any]] = {
        "project": Kernel(_project, INSIDE, {"bring": bring, "moving": evaluate.links["moving"]}, tag),
        "drift": Kernel(_drift, PLAIN, {"evaluate": evaluate, "advance": advance}, evaluate.tag),
        "rub": Kernel(rub_each, PLAIN, {"pushes": pusher(space, kind_names)}, evaluate.tag),
    }
    return Kernel(_settle, PLAIN, parts, tag)


@cache
def flows(space: str, kind_names: tuple[str, ...]) -> Kernel[..., None]:
    """ḋ from d and v for all bodies."""
    rest: Kernel[..., None] = loops.done
    for name in reversed(kind_names):
        links = {"move": BODIES.get(name).ports[space].flow, "rest": rest}
        rest = Kernel(loops.rates, WITHIN, links, tag=f"flow_{space}_{name}_{rest.tag}")
    return rest
