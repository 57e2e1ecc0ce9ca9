"""The implicit method in one compiled call: steps, and output inside them."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.dop853.step import GAUSS_NODES, accept_step, store_end
from reactio.integrate.dop853.work import inside_by_gauss, kinetic_energy, power_at
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import COLLAPSED, DONE, PAUSED, Task, store_turns
from reactio.integrate.projection.joint_friction import multipliers
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import FINE, NO_ROOM
from reactio.integrate.radau5 import step as radau
from reactio.integrate.radau5.collocation import Collocation, inside, integral_inside, slope_inside
from reactio.integrate.radau5.iteration import iterations, stage
from reactio.integrate.radau5.jacobian import add
from reactio.integrate.radau5.newton import in_tolerances
from reactio.integrate.radau5.step import JACOBIAN, NO_JACOBIAN, ImplicitWork
from reactio.integrate.radau5.step_size import JACOBIAN_TIME, STAGE_JACOBIANS_LEFT
from reactio.integrate.state import (
    EVALUATIONS,
    FILLED,
    NEXT,
    POWER,
    STEPS,
    TIME,
    WORK_DONE,
    IntegratorState,
    Output,
    store,
    store_clearance,
)
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.linear.row_basis import dot
from reactio.system.evaluate.kernels import evaluator
from reactio.system.types import System

# As in ``dop853.work``; the estimate here is that of a formula of order 3, far above the error of the one in use.
LARGEST_IMPLICIT_WORK_ERROR = 10.0


@kernel(**NO_ARRAYS)
def polynomial(collocation: Collocation, x: float, Z: Floats, out: Floats, slope: Floats) -> None:
    """The collocation polynomial of Z (3, 2, n) at the part x of a step, less its start, and its derivative by x."""
    out[:] = 0.0
    slope[:] = 0.0
    for part in range(2):
        for j in range(3):
            add(inside(collocation.dense, x, j), Z[j, part], out[part])
            add(slope_inside(collocation.dense, x, j), Z[j, part], slope[part])


def _state_inside_step(e: StepWorkspace, r: ImplicitWork, now: IntegratorState, task: Task, at: float, h: float) -> int:
    """The state at a time inside a step, in ``p``; the number of evaluations returns.

    It is that of the collocation polynomial where this satisfies the equations of motion, h |ẏ − f| within a tolerance.
    Elsewhere, as with stiff springs, which multiply the error of the polynomial, a separate step ends at that time.
    """
    s, t, x = r.s, now.scalars[TIME], (at - now.scalars[TIME]) / h
    polynomial(s.collocation, x, r.Z, s.Z[2], s.R[0])
    stage(s.Z[2], s.y)
    rhs(e.projection, at, now.q, s.y[1], s.F[0], 0.0, np.inf)
    for part in range(2):
        add(-h, s.F[0, part], s.R[0, part])
    if in_tolerances(s.R[0], s.y[0, 1], e.projection.metric.scale, task.tol) <= 1.0:
        return 1
    for i in range(3):
        polynomial(s.collocation, s.collocation.c[i] * x, r.Z, s.Z[i], s.R[0])
    common = r.memory.number[STAGE_JACOBIANS_LEFT] == 0.0 and r.flags[JACOBIAN] != NO_JACOBIAN
    reason, _, _, _, used = converge(e.projection, s, now, at - t, task, common, 1.0)
    if reason != FINE:
        polynomial(s.collocation, x, r.Z, s.Z[2], s.R[0])
    stage(s.Z[2], s.y)
    rhs(e.projection, at, now.q, s.y[1], s.F[0], 0.0, np.inf)
    return int(used) + 2


def _work_of_step(
    e: StepWorkspace, r: ImplicitWork, now: IntegratorState, task: Task, h: float, kinetic: float
) -> tuple[bool, int]:
    """The work of an accepted step in W[0]: whether by the nodes of Gauss, and the number of evaluations.

    By the formula of Radau, W = h Σ b_j P_j, with the power at the stages, which Newton's iteration changed after their
    last evaluation.  The estimate of its error is the difference to a formula without the end of the step; where that
    is too large, as ``dop853.work`` explains, the power at the nodes of Gauss decides.
    """
    s, t = r.s, now.scalars[TIME]
    r.P[0] = now.scalars[POWER]
    for i in range(2):
        stage(r.Z[i], s.y)
        rhs(e.projection, t + s.collocation.c[i] * h, now.q, s.y[1], s.F[i], 0.0, np.inf)
        r.P[1 + i] = power_at(e.projection)
    e.s.W[0] = h * integral_inside(s.collocation.integral, r.P, 1.0)
    error = h * abs(dot(s.collocation.estimate, r.P))
    if error <= LARGEST_IMPLICIT_WORK_ERROR * task.tol * max(kinetic, abs(e.s.W[0])):
        return False, 2
    used = 2
    for i in range(GAUSS_NODES):
        used += state_at(e, r, now, task, t + e.gauss.x[i] * h, h)
        e.s.G[0, i] = power_at(e.projection)
    e.s.W[0] = inside_by_gauss(e.s, e.gauss.integral, 1, 1.0, h)
    return True, used


def _between(
    e: StepWorkspace,
    r: ImplicitWork,
    now: IntegratorState,
    out: Output,
    times: Floats,
    task: Task,
    end: float,
    h: float,
    by_gauss: bool,
) -> None:
    """Output at the given times inside a step, projected like its ends."""
    p, nodes, cubic = e.projection.p, e.gauss.integral, r.s.collocation.integral
    while now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] < end:
        at, row = times[now.counts[NEXT]], now.counts[FILLED]
        now.counts[EVALUATIONS] += state_at(e, r, now, task, at, h)
        x = (at - now.scalars[TIME]) / h
        work = inside_by_gauss(e.s, nodes, 1, x, h) if by_gauss else h * integral_inside(cubic, r.P, x)
        store_turns(e.projection.plan, e.projection.work, p.q)
        multipliers(e.projection, out.lam[row])
        store(out, row, at, p.q, p.v, p.vdot, now.scalars[WORK_DONE] + work)
        now.counts[NEXT] += 1
        now.counts[FILLED] += 1


def _run(e: StepWorkspace, r: ImplicitWork, now: IntegratorState, out: Output, times: Floats, task: Task) -> int:
    """Step until the end, for a number of steps, or until the step size collapses."""
    begun, m = now.counts[STEPS], r.memory
    while now.scalars[TIME] < task.until:
        if now.counts[STEPS] - begun == task.steps:
            return PAUSED
        reason, h = step(e, r, now, task)
        if reason != FINE:
            return NO_ROOM if reason == NO_ROOM else COLLAPSED
        t = now.scalars[TIME]
        end = task.until if h == task.until - t else t + h
        store_end(e.s, e.projection.p)
        store_turns(e.projection.plan, e.projection.work, e.s.q)
        store_clearance(now, e.projection.m.gram)
        kinetic, by_gauss = 0.0, False
        if e.works:
            kinetic, r.P[3] = kinetic_energy(e.projection, e.s.v), power_at(e.projection)
        multipliers(e.projection, now.lam)
        if e.works:
            by_gauss, used = work_of_step(e, r, now, task, h, kinetic)
            now.counts[EVALUATIONS] += used
        between(e, r, now, out, times, task, end, h, by_gauss)
        accept_step(e.s, now, out, times, end, task.every, e.s.W[0], r.P[3])
        if r.flags[JACOBIAN] == NO_JACOBIAN:
            m.number[JACOBIAN_TIME] = end
            copy(now.q, m.q)
            copy(now.v, m.v)
        now.counts[STEPS] += 1
    return DONE


def implicit_runner(system: System) -> Kernel[..., int]:
    """run(workspace, implicit, now, out, times, task) of a system."""
    return _linked(evaluator(system))


@cache
def _linked(evaluate: Kernel[..., None]) -> Kernel[..., int]:
    links: dict[str, Kernel[..., Any]] = {
        **iterations(evaluate),
        "displacement_rates": evaluate.links["displacement_rates"],
    }
    parts: dict[str, Any] = {**radau.RADAU5_TEMPLATES, "state_at": _state_inside_step}
    parts |= {"work_of_step": _work_of_step, "between": _between}
    for name, part in parts.items():
        links[name] = Kernel(part, NO_ARRAYS, dict(links))
    return Kernel(_run, NO_ARRAYS, links)
