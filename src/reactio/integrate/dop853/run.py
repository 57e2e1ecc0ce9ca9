"""The integration loop in one compiled call: steps, step sizes, projection, output.

The unknowns of a step are the displacement d from the pose at its start and the velocities v; rotations are exp(d).
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.dop853.step import (
    ALL_STAGES,
    STAGES,
    accept_step,
    combine,
    error,
    h_lambda,
    interpolant,
    interpolate,
    store_end,
)
from reactio.integrate.dop853.work import (
    WORK_TEMPLATES,
    by_stages,
    inside_by_gauss,
    inside_by_stages,
    kinetic_energy,
    power_at,
    work_error,
)
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import (
    AMPLIFIED_ROUNDING,
    CLOSED_STAGE,
    COLLAPSED,
    DONE,
    END_GAP,
    ENDS_AT_SINGULARITY,
    FIXED_END_GAP,
    LARGEST_CORRECTION,
    LARGEST_END_CORRECTION,
    MOST_RETRIES,
    NEAR_SINGULARITY_STEP,
    PAUSED,
    REFUSED_STEP,
    SMALLEST_STEP,
    Task,
    store_turns,
)
from reactio.integrate.projection.clearance import CLEAR, CLOSE, NEARBY, clearance, enters
from reactio.integrate.projection.formulated import project_and_accelerate_kernel
from reactio.integrate.projection.joint_friction import multipliers
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import (
    FINE,
    INACCURATE,
    JUMP_OR_BRANCH,
    LARGEST_UNSOLVED_PART,
    NEAR_SINGULAR,
    NOT_ACCELERATING,
    NOT_CLOSED,
    NOT_MOVING,
    largest,
)
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY, StageState
from reactio.integrate.state import (
    CLEARANCE,
    EVALUATIONS,
    FILLED,
    NEXT,
    POWER,
    REASON,
    REDUNDANT,
    REJECTED,
    STEP_SIZE,
    STEPS,
    STIFF,
    TIME,
    WORK_DONE,
    IntegratorState,
    Output,
    store,
    store_clearance,
)
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.linear.precision import LAST_DIGIT
from reactio.system.evaluate.kernels import evaluator
from reactio.system.types import System

ORDER = 8  # of the error of a step, by which its size is chosen
# The next step size over this one is at most LARGEST_GROWTH and at least LEAST_RATIO; SAFETY is the factor by which it
# is taken smaller than the error estimate allows.  Estimates dip where their sign changes: a step that grew more there
# would be refused next.
LARGEST_GROWTH, LEAST_RATIO, SAFETY = 2.0, 0.2, 0.85
LEAST_ERROR = 1e-12  # in tolerances, so that an estimate of zero has a root: LARGEST_GROWTH is reached long before
# Position residual to which a stage is closed, in tolerances: so small that the error of a step is that of the method.
STAGE_CLOSURE = 1e-2
# The same of redundant rows: off the manifold they contradict each other by as much, relative to velocities and
# accelerations, and a stage at which they do by LARGEST_UNSOLVED_PART is refused however small the step is.
CONSISTENT_STAGE = 0.1 * LARGEST_UNSOLVED_PART
# Position residual that rounding leaves at the end of a step [characteristic lengths, rad], at extent 1.
CLOSED_TO_ROUNDING = LAST_DIGIT
STABILITY_LIMIT = 6.0  # largest h |λ| of stable steps, about
# Detection of stiffness: h |λ| stays below 2 where accuracy limits the step, and near STABILITY_LIMIT where stability
# does.  A step above STIFF_STEP adds two to a counter, one below subtracts one; STIFF_COUNT means stiff.
STIFF_STEP, STIFF_COUNT = 3.0, 50


@kernel(**NO_ARRAYS)
def correction_ratio(p: StageState, h: float, speed: float, noise: float) -> float:
    """The correction by the projection, as part of the allowed one: of positions or velocities, the larger."""
    of_position = p.corrections[OF_POSITION] / (LARGEST_CORRECTION * h * speed + noise)
    return float(max(of_position, p.corrections[OF_VELOCITY] / (LARGEST_CORRECTION * speed + noise)))


@kernel(**NO_ARRAYS)
def stage_closure(tol: float, redundant: int) -> float:
    """The position residual to which a stage is closed [characteristic lengths, rad]."""
    enough = min(STAGE_CLOSURE * tol, CONSISTENT_STAGE) if redundant > 0 else STAGE_CLOSURE * tol
    return max(CLOSED_STAGE, enough)


@kernel(**NO_ARRAYS)
def load_state(p: StageState, now: IntegratorState) -> None:
    """The state of a run as the one to be projected."""
    copy(now.q, p.q0)
    copy(now.q, p.q)
    p.d[:] = 0.0
    copy(now.v, p.v)


@kernel(**NO_ARRAYS)
def clearance_now(e: StepWorkspace, now: IntegratorState) -> float:
    """The clearance of the state that was projected last, by its factors."""
    return clearance(e.projection.m.gram, now.counts[REDUNDANT])


@kernel(**NO_ARRAYS)
def comes_too_near(distance: float, at_start: float, i: int) -> bool:
    """Has stage i, or the end of a step, lost the clearance that the step had ``at_start``?"""
    return enters(distance, at_start, CLOSE) or (i == STAGES and enters(distance, at_start, NEARBY))


def _attempt(
    e: StepWorkspace, now: IntegratorState, h: float, task: Task, avoids: bool
) -> tuple[int, float, int, bool]:
    """One step from the state in ``p`` and ``s``, whose end stays in ``p``.

    Four values return: the reason of its refusal (or FINE), its error in tolerances, its evaluations, and whether a
    stage was less than CLEAR from a singular configuration.  ``avoids``: a step that comes nearer to a singular
    configuration than its start is refused.
    """
    s, p, scale, noise = e.s, e.projection.p, e.projection.metric.scale, AMPLIFIED_ROUNDING * task.extent
    near_singularity = False
    speed, size, t = largest(s.v0, scale) + h * largest(s.V[0], scale), 0.0, now.scalars[TIME]
    for i in range(1, STAGES + 1):
        combine(s, p, e.tableau.A[i], h, i)
        close = CLOSED_TO_ROUNDING * task.extent if i == STAGES else stage_closure(task.tol, now.counts[REDUNDANT])
        reason = project_and_accelerate(e.projection, t + e.tableau.c[i] * h, close, task.limit)
        correction, distance = correction_ratio(p, h, speed, noise), clearance_now(e, now)
        near_singularity = near_singularity or distance < CLEAR
        if reason == FINE and task.step == 0.0 and correction > 1.0:
            reason = JUMP_OR_BRANCH
        elif reason == FINE and task.step == 0.0 and avoids and comes_too_near(distance, now.scalars[CLEARANCE], i):
            reason = NEAR_SINGULAR
        if reason != FINE:
            return int(reason), 0.0, i, near_singularity
        displacement_rates(e.projection.plan, p.d, p.v, s.D[i])
        copy(p.vdot, s.V[i])
        s.P[i] = power_at(e.projection) if e.works else 0.0
        # Large corrections by the projection, which grow with h, limit the next step size as an error does.
        size = max(size, correction**ORDER)
        if i == STAGES - 1:
            size = max(
                size,
                error(
                    s, p, e.projection.metric, e.projection.m, e.tableau, h, task.tol, e.projection.formulation.projects
                ),
            )
            if task.step == 0.0 and not size <= 1.0:
                return INACCURATE, size, i, near_singularity
    most = LARGEST_END_CORRECTION * task.tol + noise + e.projection.formulation.drift
    size = max(size, p.corrections[OF_POSITION] / most, p.corrections[OF_VELOCITY] / (most * (1 + speed)))
    return (FINE if task.step > 0.0 or size <= 1.0 else INACCURATE), size, STAGES, near_singularity


@kernel(**NO_ARRAYS)
def refused_near_singularity(reason: int, near_singularity: bool) -> bool:
    """Was a step refused because its end or one of its stages is near a singular configuration?

    A large error estimate alone may be truncation error; it counts where a stage was near such a configuration.
    """
    of_constraints = reason in (NOT_CLOSED, NOT_MOVING, NOT_ACCELERATING, JUMP_OR_BRANCH)
    return of_constraints or reason == NEAR_SINGULAR or (reason == INACCURATE and near_singularity)


@kernel(**NO_ARRAYS)
def refused_step_factor(reason: int, size: float) -> float:
    """The factor on the size of a refused step with which it is repeated."""
    if reason != INACCURATE:
        return NEAR_SINGULARITY_STEP if reason == NEAR_SINGULAR else REFUSED_STEP
    return max(LEAST_RATIO, SAFETY * size ** (-1 / ORDER)) if size < np.inf else LEAST_RATIO


@kernel(**NO_ARRAYS)
def stiffness_count(count: int, product: float) -> int:
    """The counter of steps limited by stability after a step with the product h |λ|; once stiff, always stiff."""
    if product > STIFF_STEP:
        return min(count + 2, STIFF_COUNT)
    return count if count == STIFF_COUNT else max(count - 1, 0)


def _dense_output(e: StepWorkspace, now: IntegratorState, h: float) -> bool:
    """The further stages of an accepted step, and its dense output; is one of them near a singular configuration?"""
    s, p, t, near = e.s, e.projection.p, now.scalars[TIME], False
    for i in range(STAGES + 1, ALL_STAGES):
        combine(s, p, e.tableau.A[i], h, i)
        reason = project_and_accelerate(e.projection, t + e.tableau.c[i] * h, CLOSED_STAGE, np.inf)
        near = near or reason != FINE or clearance_now(e, now) < CLOSE
        displacement_rates(e.projection.plan, p.d, p.v, s.D[i])
        copy(p.vdot, s.V[i])
        s.P[i] = power_at(e.projection) if e.works else 0.0
    interpolant(s, e.tableau, h)
    return near


def _inside(
    e: StepWorkspace, now: IntegratorState, out: Output, times: Floats, h: float, end: float, task: Task, kinetic: float
) -> int:
    """The work of an accepted step, and output rows inside it; the number of evaluations returns.

    ``kinetic`` [J] is the kinetic energy at its end, by which the error of the work counts.
    """
    s = e.s
    by_stages(s, e.tableau, h, False)
    rows = now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] < end
    precise = not e.works or work_error(s, e.tableau, h) <= task.tol * max(kinetic, abs(s.W[0]))
    if precise and not rows:
        return 0
    near, used = dense_output(e, now, h), ALL_STAGES - STAGES - 1
    by_stages(s, e.tableau, h, True)
    panels = 0
    if not precise and not near:
        panels, more = work_by_gauss(e, now.scalars[TIME], h, task.tol, kinetic)
        used += more
    return int(used + between(e, now, out, times, h, task, near, panels)) if rows else used


def _between(
    e: StepWorkspace, now: IntegratorState, out: Output, times: Floats, h: float, task: Task, near: bool, panels: int
) -> int:
    """Output rows at given times inside a step by dense output, projected; the number of evaluations returns.

    Rows near a singular configuration, or computed from stages ``near`` one, are marked in ``out.near_singular``.
    Their work comes from the nodes of Gauss in a number of ``panels``, or from the stages where that is zero.
    """
    s, p, t, used = e.s, e.projection.p, now.scalars[TIME], 0
    while now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] < t + h:
        at, row = times[now.counts[NEXT]], now.counts[FILLED]
        x = (at - t) / h
        done = inside_by_gauss(s, e.gauss.integral, panels, x, h) if panels > 0 else inside_by_stages(s, x)
        interpolate(s, p, x)
        reason = project_and_accelerate(e.projection, at, 0.0, np.inf)
        # Down to CLOSE, s = 1e-3, a projection changes velocities by u/s² = 1e-10, no more than interpolation errs.
        unreliable = near or reason != FINE or clearance_now(e, now) < CLOSE
        store_turns(e.projection.plan, e.projection.work, p.q)
        multipliers(e.projection, out.lam[row])
        store(out, row, at, p.q, p.v, p.vdot, now.scalars[WORK_DONE] + done)
        if unreliable and task.pauses and e.projection.formulation.interpolates:
            out.near_singular[row] = True
        copy(p.q0, p.q)
        now.counts[NEXT] += 1
        now.counts[FILLED] += 1
        used += 1
    return used


def _project_given(e: StepWorkspace, now: IntegratorState) -> int:
    """Project the given state and compute v̇ and λ; the reason of a refusal (or FINE) returns."""
    p = e.projection.p
    load_state(p, now)
    reason = project_and_accelerate(e.projection, now.scalars[TIME], 0.0, np.inf)
    if e.works and reason == FINE:
        now.scalars[POWER] = power_at(e.projection)
    if reason == FINE:
        store_clearance(now, e.projection.m.gram)  # before the multipliers below overwrite the factors
    else:
        now.scalars[CLEARANCE] = clearance_now(e, now)
    store_turns(e.projection.plan, e.projection.work, p.q)
    multipliers(e.projection, now.lam)
    copy(p.q, now.q)
    copy(p.v, now.v)
    copy(p.vdot, now.vdot)
    now.counts[EVALUATIONS] += 1
    return int(reason)


def _halt(e: StepWorkspace, now: IntegratorState, code: int) -> int:
    """Stop the run at its last accepted state, with the multipliers there, if a singular pose leaves any."""
    p = e.projection.p
    load_state(p, now)
    now.lam[:] = np.nan
    if project_and_accelerate(e.projection, now.scalars[TIME], 0.0, np.inf) == FINE:
        multipliers(e.projection, now.lam)
    return code


def _begin_step(e: StepWorkspace, now: IntegratorState) -> None:
    """The state of the run as the start of a step: its pose, and the slopes of the first stage."""
    s, p = e.s, e.projection.p
    copy(now.q, p.q0)
    copy(now.q, p.q)
    copy(now.v, s.v0)
    copy(now.v, s.D[0])
    copy(now.vdot, s.V[0])
    s.P[0] = now.scalars[POWER]


def _finish_step(
    e: StepWorkspace, now: IntegratorState, out: Output, times: Floats, h: float, end: float, task: Task, pauses: bool
) -> None:
    """Accept a step of the size h that ends at a time [s]: its work, its output rows, and the state at its end.

    ``pauses``: the loop returns after it, so that the multipliers at its end are needed.
    """
    s = e.s
    store_end(s, e.projection.p)
    store_turns(e.projection.plan, e.projection.work, s.q)
    store_clearance(now, e.projection.m.gram)
    now.counts[STIFF] = stiffness_count(now.counts[STIFF], h_lambda(s, e.projection.metric, e.tableau, h))
    kinetic = kinetic_energy(e.projection, s.v) if e.works else 0.0
    due = now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] <= end
    if task.every or due or pauses:
        multipliers(e.projection, now.lam)
    now.counts[EVALUATIONS] += inside(e, now, out, times, h, end, task, kinetic)
    accept_step(s, now, out, times, end, task.every, s.W[0], s.P[STAGES])
    now.counts[STEPS] += 1


def _run(e: StepWorkspace, now: IntegratorState, out: Output, times: Floats, task: Task) -> int:
    """Step until the end, for a number of steps, or until the step size collapses.

    Where the end lies near a singular configuration, the loop returns before it.
    """
    fixed, begun, retries = task.step > 0.0, now.counts[STEPS], 0
    while now.scalars[TIME] < task.until:
        if now.counts[STEPS] - begun == task.steps:
            return PAUSED
        t, h = now.scalars[TIME], task.step if fixed else min(now.scalars[STEP_SIZE], task.longest)
        last = t + h * (1 + (FIXED_END_GAP if fixed else END_GAP)) >= task.until
        h = task.until - t if last else h
        if h <= SMALLEST_STEP * max(abs(t), abs(task.until)) or (fixed and retries > 0):
            return int(halt(e, now, COLLAPSED))
        begin_step(e, now)
        reason, size, used, near_singularity = attempt(e, now, h, task, retries < MOST_RETRIES)
        now.counts[EVALUATIONS] += used
        if last and task.pauses and not fixed and e.projection.formulation.interpolates:
            ends_near = reason == FINE and clearance_now(e, now) < NEARBY
            # Before the first accepted step the step size is a guess, so that a refusal says nothing about the end.
            refused = reason != FINE and now.counts[STEPS] > 0 and refused_near_singularity(reason, near_singularity)
            if ends_near or refused:
                return int(halt(e, now, ENDS_AT_SINGULARITY))
        if reason != FINE:
            now.counts[REJECTED] += 1
            now.counts[REASON] = reason
            now.scalars[STEP_SIZE] = h * refused_step_factor(reason, size)
            retries += 1
            continue
        pauses = last or now.counts[STEPS] - begun + 1 == task.steps
        finish_step(e, now, out, times, h, task.until if last else t + h, task, pauses)
        most = 1.0 if retries > 0 else LARGEST_GROWTH
        ratio = SAFETY * max(size, LEAST_ERROR) ** (-1 / ORDER)
        now.scalars[STEP_SIZE] = h * max(LEAST_RATIO, min(most, ratio))
        retries = 0
    return DONE


# Templates, each after those that it calls.
DOP853_TEMPLATES: dict[str, Any] = {
    "attempt": _attempt,
    "dense_output": _dense_output,
    **WORK_TEMPLATES,
    "between": _between,
    "inside": _inside,
    "begin_step": _begin_step,
    "finish_step": _finish_step,
    "halt": _halt,
}


@cache
def state_projector(evaluate: Kernel[..., None]) -> Kernel[..., int]:
    """project(workspace, now) with the functions of an evaluation: a state as the start of a run."""
    return Kernel(_project_given, NO_ARRAYS, {"project_and_accelerate": project_and_accelerate_kernel(evaluate)})


@cache
def runner(evaluate: Kernel[..., None]) -> Kernel[..., int]:
    """run(workspace, now, out, times, task) with the functions of an evaluation."""
    links: dict[str, Kernel[..., Any]] = {
        "project_and_accelerate": project_and_accelerate_kernel(evaluate),
        "displacement_rates": evaluate.links["displacement_rates"],
    }
    for name, part in DOP853_TEMPLATES.items():
        links[name] = Kernel(part, NO_ARRAYS, dict(links))
    return Kernel(_run, NO_ARRAYS, links)


def explicit_runner(system: System) -> Kernel[..., int]:
    """run(workspace, now, out, times, task) of a system."""
    return runner(evaluator(system))
