"""The integration loop in one compiled call: steps, step sizes, projection, output.

The unknowns of a step are the displacement d from the pose at its start and the velocities v; rotations are exp(d).
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - templates; ``settle`` and ``flow`` are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.dop853.step import (
    STAGES,
    Stages,
    combine,
    error,
    fastness,
    interpolant,
    interpolate,
    keep,
    stages,
)
from reactio.integrate.dop853.tableau import Tableau, dop853
from reactio.integrate.projection.joint_friction import multipliers
from reactio.integrate.projection.mass_projection import copy, copy_counts
from reactio.integrate.projection.project import (
    FINE,
    INACCURATE,
    INSIDE,
    NEAR,
    THROWN,
    Point,
    Projection,
    flows,
    largest,
    projection_workspace,
    settler,
)
from reactio.integrate.singular_passage.truncated_projection import ends_near_singularity, refused_near_singularity
from reactio.integrate.state import (
    EVALUATIONS,
    FILLED,
    NEXT,
    REASON,
    REJECTED,
    STEPS,
    STIFF,
    Now,
    Output,
    arrive,
    store,
)
from reactio.kernels import PLAIN, Kernel, kernel
from reactio.sharing import Weights
from reactio.system.plan import Plan, Work
from reactio.system.types import System

ORDER = 8
GROW, SHRINK, SAFETY = 2.0, 0.2, 0.85  # estimates dip where their sign changes: growing by more is refused next
# Step size after one that the projection refused, or that had a stage beside a singular pose and must fall elsewhere.
AGAIN, ELSEWHERE = 0.7, 0.9
# A projection may move a stage by this part of what the step moves, and the end of a step by this many tolerances.
STRAY, ERRORS = 0.1, 10.0
# Beside a singular pose, at a distance s, rounding u becomes u/s in positions, u/s² in velocities and u/s³ in
# accelerations, and weak pivots are ~ s².  A step with a stage at s < 3e-3, or with its end at s < 2e-2, is taken anew
# with another size, this many times.  What was nearly as weak at its start does not count.
TIMES = 8
AMPLIFIED = (
    1e-8  # rounding of positions, divided by the smallest singular values a step may meet beside a singular pose
)
CLOSED = 1e-15  # residual that rounding leaves at the end of a step [characteristic lengths, rad], times the extent
SMALLEST = 1e-14  # step size, as part of the time that is reached


PAUSED, DONE, COLLAPSED, BESIDE = range(4)
# h |λ| of steps that accuracy chooses stays below 2; stability ends near 6 and lets it swing about that.  A step above
# STABLE counts twice, one below takes one off, and with so many the motion is stiff.
STABLE, MANY = 3.0, 50


class Task(NamedTuple):
    """What to do."""

    until: float  # [s]
    tol: float
    step: float  # fixed step size [s], 0 for one chosen by the error
    steps: int  # at most, in this call
    every: bool  # a row of output after every step, otherwise at the given times
    limit: float  # position residual from which on a pose is refused [characteristic lengths, rad]
    extent: float  # size of the mechanism [characteristic lengths], by which rounding of positions grows
    land: bool = True  # pause before an end beside a singular pose, which singular_passage.interpolate then finds


class Engine(NamedTuple):
    """Everything a step works on."""

    projection: Projection
    tableau: Tableau
    s: Stages


def engine(system: System, weights: Weights | None = None, alpha: float = 0.0) -> Engine:
    """The symbolic phase and the arrays for a system; see ``projection_workspace``."""
    return Engine(projection_workspace(system, weights, alpha), dop853(), stages(system.nq, system.n))


@kernel(**PLAIN)
def astray(p: Point, h: float, speed: float, noise: float) -> float:
    """How far the projection moved a state, as part of what it may."""
    return float(max(p.moved[0] / (STRAY * h * speed + noise), p.moved[1] / (STRAY * speed + noise)))


@kernel(**PLAIN)
def nearby(weak: Ints, before: Ints, i: int) -> bool:
    """Are more pivots weak than at the start of the step?"""
    return weak[0] > before[1] or (i == STAGES and weak[2] > before[3])


def _attempt(e: Engine, t: float, h: float, task: Task, weak: Ints) -> tuple[int, float, int, bool]:
    """One step: why it is refused (or FINE), its error in tolerances, evaluations, and whether it met a singular pose.

    Its end stays in ``p``.  It met a singular pose if more pivots were weak at one of its stages than away from any.
    """
    s, p, scale, noise, met = e.s, e.projection.p, e.projection.metric.scale, AMPLIFIED * task.extent, False
    speed, size = largest(s.v0, scale) + h * largest(s.V[0], scale), 0.0
    for i in range(1, STAGES + 1):
        combine(s, p, e.tableau.A[i], h, i)
        close = CLOSED * task.extent if i == STAGES else max(1e-13, 1e-2 * task.tol)
        reason = settle(e.projection, t + e.tableau.c[i] * h, close, task.limit)
        stray, met = astray(p, h, speed, noise), met or e.projection.m.gram.weak[3] > weak[4]
        if reason != FINE or (task.step == 0.0 and (stray > 1.0 or nearby(e.projection.m.gram.weak, weak, i))):
            return (reason if reason != FINE else THROWN if stray > 1.0 else NEAR), 0.0, i, met
        flow(e.projection.plan.bodies, p.d, p.v, s.D[i], 0)
        copy(p.vdot, s.V[i])
        # So that the next step does not grow until it strays, which by O(h) some stages do.
        size = max(size, stray**ORDER)
        if i == STAGES - 1:
            size = max(
                size,
                error(s, p, e.projection.metric, e.projection.m, e.tableau, h, task.tol, e.projection.alpha == 0.0),
            )
            if task.step == 0.0 and not size <= 1.0:
                return INACCURATE, size, i, met
    most = ERRORS * task.tol + noise
    size = max(size, p.moved[0] / most, p.moved[1] / (most * (1 + speed)))
    return (FINE if task.step > 0.0 or size <= 1.0 else INACCURATE), size, STAGES, met


@kernel(**PLAIN)
def remember(plan: Plan, work: Work, q: Floats) -> None:
    """Angles that count turns are set to what the bodies say."""
    table = plan.measures.table
    for i in range(table.shape[0]):
        if table[i, 4] >= 0:
            q[table[i, 4]] = work.value[i]


@kernel(**PLAIN)
def shorter(reason: int, size: float) -> float:
    """How much shorter a refused step is taken again."""
    if reason != INACCURATE:
        return ELSEWHERE if reason == NEAR else AGAIN
    return max(SHRINK, SAFETY * size ** (-1 / ORDER)) if size < np.inf else SHRINK


@kernel(**PLAIN)
def stiffer(count: int, fast: float) -> int:
    """Steps that stability kept short, less the others, from the fastness h |λ| of one more; many stay many."""
    if fast > STABLE:
        return min(count + 2, MANY)
    return count if count == MANY else max(count - 1, 0)


def _between(e: Engine, now: Now, out: Output, times: Floats, h: float, task: Task) -> int:
    """Output at the given times inside a step, projected like its ends; evaluations return.

    Rows beside a singular pose, or from stages beside one, are marked: they have no v̇.
    """
    s, p, t, used, usual, bad = e.s, e.projection.p, now.clock[0], 3, now.weak[4], False
    for i in range(STAGES + 1, 16):
        combine(s, p, e.tableau.A[i], h, i)
        reason = settle(e.projection, t + e.tableau.c[i] * h, 1e-13, np.inf)
        bad = bad or reason != FINE or e.projection.m.gram.weak[0] > usual
        flow(e.projection.plan.bodies, p.d, p.v, s.D[i], 0)
        copy(p.vdot, s.V[i])
    interpolant(s, e.tableau, h)
    while now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] < t + h:
        at, row = times[now.counts[NEXT]], now.counts[FILLED]
        interpolate(s, p, (at - t) / h)
        reason = settle(e.projection, at, 0.0, np.inf)
        # Down to s = 3e-3 a projection loses 2e-11 of velocities, less than what is found from both sides of the pose.
        beside = bad or reason != FINE or e.projection.m.gram.weak[0] > usual
        remember(e.projection.plan, e.projection.work, p.q)
        multipliers(e.projection, out.lam[row])
        store(out, row, at, p.q, p.v, p.vdot)
        if beside and task.land and e.projection.alpha == 0.0:
            out.vdot[row, 0] = np.nan
        copy(p.q0, p.q)
        now.counts[NEXT] += 1
        now.counts[FILLED] += 1
        used += 1
    return used


def _begin(e: Engine, now: Now) -> int:
    """Project the given state and find v̇ and λ; why that fails (or FINE) returns."""
    p = e.projection.p
    copy(now.q, p.q0)
    copy(now.q, p.q)
    p.d[:] = 0.0
    copy(now.v, p.v)
    reason = settle(e.projection, now.clock[0], 0.0, np.inf)
    copy_counts(e.projection.m.gram.weak, now.weak)  # before the multipliers, which have factors of their own
    remember(e.projection.plan, e.projection.work, p.q)
    multipliers(e.projection, now.lam)
    copy(p.q, now.q)
    copy(p.v, now.v)
    copy(p.vdot, now.vdot)
    now.counts[EVALUATIONS] += 1
    return int(reason)


def _halt(e: Engine, now: Now, code: int) -> int:
    """The end of a run at a state that it keeps, with λ there, not a number where there is none."""
    p = e.projection.p
    copy(now.q, p.q0)
    copy(now.q, p.q)
    p.d[:] = 0.0
    copy(now.v, p.v)
    now.lam[:] = np.nan
    if settle(e.projection, now.clock[0], 0.0, np.inf) == FINE:
        multipliers(e.projection, now.lam)
    return code


def _run(e: Engine, now: Now, out: Output, times: Floats, task: Task) -> int:
    """Step on until the end, a number of steps, or a collapse of the step size; without one, only begin.

    Where the end lies beside a singular pose, the run pauses before it.
    """
    fixed, begun, again = task.step > 0.0, now.counts[STEPS], 0
    s, p = e.s, e.projection.p
    if task.steps == 0:
        return int(begin(e, now))
    while now.clock[0] < task.until:
        if now.counts[STEPS] - begun == task.steps:
            return PAUSED
        t, h = now.clock[0], task.step if fixed else now.clock[1]
        last = t + h * (1 + (1e-9 if fixed else 1e-2)) >= task.until
        h = task.until - t if last else h
        if h <= SMALLEST * max(abs(t), abs(task.until)) or (fixed and again > 0):
            return int(halt(e, now, COLLAPSED))
        copy(now.q, p.q0)
        copy(now.q, p.q)
        copy(now.v, s.v0)
        copy(now.v, s.D[0])
        copy(now.vdot, s.V[0])
        if again == TIMES:
            now.weak[:4] = now.lam.shape[0]
        reason, size, used, met = attempt(e, t, h, task, now.weak)
        now.counts[EVALUATIONS] += used
        if last and task.land and not fixed and e.projection.alpha == 0.0:
            beside = ends_near_singularity(e.projection.m.gram.weak, now.weak[4]) if reason == FINE else False
            # Before any step was accepted, its size is a guess, and that it would reach the end says nothing about it.
            if beside or (reason != FINE and now.counts[STEPS] > 0 and refused_near_singularity(reason, met)):
                return int(halt(e, now, BESIDE))
        if reason != FINE:
            now.counts[REJECTED] += 1
            now.counts[REASON] = reason
            now.clock[1] = h * shorter(reason, size)
            again += 1
            continue
        keep(s, p)
        remember(e.projection.plan, e.projection.work, s.q)
        copy_counts(e.projection.m.gram.weak, now.weak)
        now.weak[4] = min(now.weak[4], now.weak[3])
        now.counts[STIFF] = stiffer(now.counts[STIFF], fastness(s, e.projection.metric, e.tableau, h))
        end = task.until if last else t + h
        due = now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] <= end
        if task.every or due or last or now.counts[STEPS] - begun + 1 == task.steps:
            multipliers(e.projection, now.lam)
        if now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] < end:
            now.counts[EVALUATIONS] += between(e, now, out, times, h, task)
        arrive(s, now, out, times, end, task.every)
        now.counts[STEPS] += 1
        now.clock[1] = h * max(SHRINK, min(1.0 if again > 0 else GROW, SAFETY * max(size, 1e-12) ** (-1 / ORDER)))
        again = 0
    return DONE


@cache
def runner(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., int]:
    """run(engine, now, out, times, task) for the registered primitives and body kinds."""
    settle = settler(evaluate, space, kind_names)
    links: dict[str, Kernel[..., Any]] = {"settle": settle, "flow": flows(space, kind_names)}
    # In the plane, passing all arrays to a call takes 7 % of a stage; in space stages and compiling take longer.
    stage = {**links, "settle": settle.within if space == "planar" else settle}
    parts: dict[str, Any] = {"attempt": _attempt, "between": _between, "begin": _begin, "halt": _halt}
    for name, part in parts.items():
        links[name] = Kernel(part, INSIDE, stage if name == "attempt" else links, evaluate.tag)
    return Kernel(_run, PLAIN, links, evaluate.tag)
