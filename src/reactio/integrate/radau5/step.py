"""One accepted step of the implicit method: attempts, step sizes, Jacobians.

The unknowns are those of reactio.integrate.dop853.run: the displacement d from the pose at the step's start, and v.
Hairer & Wanner 1996, Sect. IV.8.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import (
    AMPLIFIED_ROUNDING,
    END_GAP,
    FIXED_END_GAP,
    LARGEST_END_CORRECTION,
    MOST_RETRIES,
    NEAR_SINGULARITY_STEP,
    REFUSED_STEP,
    SMALLEST_STEP,
    Task,
)
from reactio.integrate.projection.clearance import CLOSE, NEARBY, clearance, enters
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import FINE, INACCURATE, JUMP_OR_BRANCH, NEAR_SINGULAR, NO_ROOM, largest
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY
from reactio.integrate.radau5.collocation import inside
from reactio.integrate.radau5.iteration import stage
from reactio.integrate.radau5.jacobian import add
from reactio.integrate.radau5.newton import COMMON_JACOBIAN, NewtonWork, newton_work
from reactio.integrate.radau5.step_size import (
    JACOBIAN_TIME,
    LARGEST_IMPLICIT_GROWTH,
    LAST_ERROR,
    LAST_ETA,
    LAST_SIZE,
    STAGE_JACOBIANS_LEFT,
    STEP_EVALUATIONS,
    StepNumber,
    least_of,
    next_ratio,
    overcorrected,
    refused_step_factor,
)
from reactio.integrate.state import (
    CLEARANCE,
    EVALUATIONS,
    REASON,
    REDUNDANT,
    REJECTED,
    STEP_SIZE,
    TIME,
    IntegratorState,
)
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.types import System

KEPT_GROWTH = 1.2  # a step whose size would grow by no more than this keeps it, and with it the factors of μ/h − J
FRESH_JACOBIAN = 0.05  # rate θ of Newton's iteration above which the next step computes a new Jacobian
# The last correction |ΔZ|, in tolerances, with which an iteration that does not converge further is accepted.  With a
# stage less than NEARBY from a singular configuration rounding of its accelerations limits the convergence, wherever
# the step began: a whole tolerance is accepted.
STALLED_CORRECTION, STALLED_NEARBY = 0.1, 1.0
REFUSED_FIRST_STEP = 0.1  # factor on the size of a first step, a guess, that was refused for its error, as in RADAU5
# The next step begins with η of this one, raised to a power below 1 as in RADAU5: it may converge a little worse.  The
# bound keeps η from becoming zero, with which any first correction would be accepted.
ETA_EXPONENT, LEAST_ETA = 0.8, 1e-16
STAGE_JACOBIAN_STEPS = 10  # steps with a Jacobian at every stage, after which one for all stages is tried again


class CommonJacobian(IntEnum):
    """Where the common Jacobian of all stages comes from."""

    NONE = 0  # it is not computed
    OLD = 1  # an earlier step
    FRESH = 2  # the start of this step


NO_JACOBIAN, OLD, FRESH = (int(origin) for origin in CommonJacobian)  # plain integers for the compiled kernels
JACOBIAN, AT_END = range(2)  # places in ``flags``
RADAU5_NAME = "radau5"  # of the method, by which its memory in a checkpoint is recognised


class Memory(NamedTuple):
    """The state that a step passes on to the next; part of the checkpoint, so that resumed runs are identical."""

    number: Floats  # (6,) by StepNumber
    q: Floats  # (nq,) at which the common Jacobian was computed
    v: Floats  # (n,)
    V: Floats  # (3, n) v at the stages of the last step, less that at its start


def packed(memory: Memory) -> Floats:
    """The memory as one array."""
    return np.concatenate([part.ravel() for part in memory])


def step_memory(c: Checkpoint) -> Memory:
    """The memory in a checkpoint; that of a first step where it is of another method."""
    q, v = c.q, c.v
    if c.memory_of != RADAU5_NAME:
        number = np.zeros(len(StepNumber))
        number[[LAST_ERROR, JACOBIAN_TIME, LAST_ETA]] = 1.0, c.t, 1.0
        return Memory(number, np.array(q), np.array(v), np.zeros((3, len(v))))
    sizes = [len(StepNumber), len(q), len(v), 3 * len(v)]
    if len(c.memory) != sum(sizes):
        raise c.memory_error(str(sum(sizes)))
    number, q, v, V = np.split(np.array(c.memory), np.cumsum(sizes[:-1]))
    return Memory(number, q, v, V.reshape(3, -1))


class ImplicitWork(NamedTuple):
    """The arrays on which an implicit step works, besides the workspace."""

    s: NewtonWork
    memory: Memory
    before: Memory  # the memory before the step
    flags: Ints  # (2,) JACOBIAN: a CommonJacobian; AT_END: 1 where it was computed at the end of the step, for once
    f: Floats  # (2, n) the right-hand side at the start of the step
    Z: Floats  # (3, 2, n) the collocation polynomial of an accepted step
    P: Floats  # (4,) power of drives and of loads without a potential at its start and stages [W]


def implicit_work(system: System, memory: Memory, w: int) -> ImplicitWork:
    """Arrays for a system with room for w free directions."""
    flags, f, Z = np.zeros(2, dtype=np.int64), np.zeros((2, system.n)), np.zeros((3, 2, system.n))
    return ImplicitWork(
        newton_work(system, w), memory, Memory(*(part.copy() for part in memory)), flags, f, Z, np.zeros(4)
    )


def _predict(e: StepWorkspace, r: ImplicitWork, h: float) -> None:
    """Predict the stages: v by extrapolation of the last step's polynomial, and d = h A ḋ; zero in a first step."""
    s, old = r.s, r.memory.number[LAST_SIZE]
    s.Z[:] = 0.0
    if old == 0.0:
        return
    for i in range(3):
        x = 1.0 + s.collocation.c[i] * h / old
        for j in range(3):
            add(inside(s.collocation.dense, x, j) - (1.0 if j == 2 else 0.0), r.memory.V[j], s.Z[i, 1])
    for turning in range(2):
        for i in range(3):
            stage(s.Z[i], s.y)
            copy(s.y[1, 1], s.F[i, 0])
            if turning:
                displacement_rates(e.projection.plan, s.Z[i, 0], s.y[1, 1], s.F[i, 0])
        for i in range(3):
            s.Z[i, 0, :] = 0.0
            for j in range(3):
                add(h * s.collocation.A[i, j], s.F[j, 0], s.Z[i, 0])


def _common_jacobian(e: StepWorkspace, r: ImplicitWork, now: IntegratorState, h: float) -> tuple[int, int]:
    """Compute the common Jacobian of all stages, if there is none; the reason of a failure (or FINE), and evaluations.

    Where it cannot be computed at the start, in a singular configuration, the one at the end of the step is used once.
    """
    s, m, t = r.s, r.memory, now.scalars[TIME]
    if r.flags[JACOBIAN] != NO_JACOBIAN:
        return FINE, 0
    y, reason = s.y[1], FINE
    for at_end in range(2):
        r.flags[AT_END] = at_end
        y[0, :] = 0.0
        add(at_end * h, now.v, y[0])
        copy(now.v if at_end else m.v, y[1])
        at, q = (t + h, now.q) if at_end else (m.number[JACOBIAN_TIME], m.q)
        reason = jacobian(e.projection, s.J, COMMON_JACOBIAN, at, q, y, now.counts[REDUNDANT])
        if reason in (FINE, NO_ROOM):
            break
    if reason == FINE:
        r.flags[JACOBIAN] = OLD if m.number[JACOBIAN_TIME] < t else FRESH
    s.factored_step[0] = 0.0
    # A resumed run computes the old Jacobian again; its evaluations were counted before.
    return reason, 1 + 2 * s.J.free[COMMON_JACOBIAN] if m.number[JACOBIAN_TIME] == t else 0


def _stages(
    e: StepWorkspace, r: ImplicitWork, now: IntegratorState, task: Task, h: float, tries: int
) -> tuple[int, int, float, bool, int]:
    """Solve for the stages of a step: with the old Jacobian, else with a new one, else with one for each stage.

    The reason of a failure (or FINE), iterations, their rate, whether one Jacobian was enough, and evaluations return.
    """
    m, before, used = r.memory, now.scalars[CLEARANCE], 0
    common = m.number[STAGE_JACOBIANS_LEFT] == 0.0
    while True:
        predict(e, r, h)
        if common:
            reason, more = jacobian(e, r, now, h)
            used += more
            if reason != FINE:
                return reason, 0, 0.0, common, used
        reason, k, rate, size, more = converge(e.projection, r.s, now, h, task, common, m.number[LAST_ETA])
        used += more
        least = least_of(r.s.clearance)
        if reason == INACCURATE and size <= (STALLED_NEARBY if least < NEARBY else STALLED_CORRECTION):
            reason = FINE
        if reason == INACCURATE and (enters(least, before, CLOSE) or enters(least, before, NEARBY)):
            reason = NEAR_SINGULAR  # another size moves the stages away from the singular configuration
        if reason in (FINE, NO_ROOM) or (reason == NEAR_SINGULAR and tries < MOST_RETRIES) or not common:
            return reason, k, rate, common, used
        if r.flags[JACOBIAN] == OLD:
            m.number[JACOBIAN_TIME] = now.scalars[TIME]
            copy(now.q, m.q)
            copy(now.v, m.v)
            r.flags[JACOBIAN] = NO_JACOBIAN
        else:
            common = False


def _attempt(
    e: StepWorkspace, r: ImplicitWork, now: IntegratorState, task: Task, h: float, tries: int
) -> tuple[int, float, float, int]:
    """Attempt a step of size h: why it is refused (or FINE), next size over h, error in tolerances, evaluations.

    Its end stays in ``p``; an accepted step updates the memory.
    """
    projection, s, m, t, fixed, noise = (
        e.projection,
        r.s,
        r.memory,
        now.scalars[TIME],
        task.step > 0.0,
        AMPLIFIED_ROUNDING * task.extent,
    )
    reason, k, rate, common, used = stages(e, r, now, task, h, tries)
    if reason != FINE:
        return reason, refused_step_factor(reason, tries), 0.0, used
    speed = largest(now.v, projection.metric.scale) + h * largest(now.vdot, projection.metric.scale)
    error = 0.0
    if not fixed:
        if overcorrected(s.corrections, h, speed, noise):
            return JUMP_OR_BRANCH, REFUSED_STEP, 0.0, used
        if tries < MOST_RETRIES and enters(least_of(s.clearance), now.scalars[CLEARANCE], CLOSE):
            return NEAR_SINGULAR, NEAR_SINGULARITY_STEP, 0.0, used
        error, more = estimate(projection, s, r.f, now, h, task, common, m.number[LAST_SIZE] == 0.0 or tries > 0)
        used += more
    stage(s.Z[2], s.y)
    reason = rhs(projection, t + h, now.q, s.y[1], s.F[2], 0.0, task.limit)
    used += 1
    if reason != FINE:
        return reason, REFUSED_STEP, 0.0, used
    most = LARGEST_END_CORRECTION * task.tol + noise
    error = max(
        error,
        projection.p.corrections[OF_POSITION] / most,
        projection.p.corrections[OF_VELOCITY] / (most * (1.0 + speed)),
    )
    ratio = next_ratio(error, h, k, m.number)
    if not fixed and not error <= 1.0:
        return INACCURATE, (ratio if m.number[LAST_SIZE] > 0.0 else REFUSED_FIRST_STEP), error, used
    near = clearance(projection.m.gram, now.counts[REDUNDANT])
    if not fixed and tries < MOST_RETRIES and enters(near, now.scalars[CLEARANCE], NEARBY):
        return NEAR_SINGULAR, NEAR_SINGULARITY_STEP, error, used
    remember_step(r, common, k, rate)
    return FINE, (1.0 if 1.0 <= ratio <= KEPT_GROWTH else ratio), error, used


@kernel(**NO_ARRAYS)
def remember_step(r: ImplicitWork, common: bool, k: int, rate: float) -> None:
    """Store the polynomial of an accepted step, its rate of convergence, and whether its Jacobian is kept."""
    m, s = r.memory, r.s
    for i in range(3):
        copy(s.Z[i, 1], m.V[i])
        for part in range(2):
            copy(s.Z[i, part], r.Z[i, part])
    eta = m.number[LAST_ETA] if k == 1 else rate / (1.0 - rate) if rate < 1.0 else 1.0
    m.number[LAST_ETA] = min(1.0, max(eta, LEAST_ETA) ** ETA_EXPONENT)
    if common:
        m.number[STAGE_JACOBIANS_LEFT] = 0.0
    else:
        m.number[STAGE_JACOBIANS_LEFT] = (
            STAGE_JACOBIAN_STEPS if m.number[STAGE_JACOBIANS_LEFT] == 0.0 else m.number[STAGE_JACOBIANS_LEFT] - 1.0
        )
    kept = common and (k == 1 or rate <= FRESH_JACOBIAN) and r.flags[AT_END] == 0
    r.flags[JACOBIAN] = OLD if kept else NO_JACOBIAN


@kernel(**NO_ARRAYS)
def copy_memory(source: Memory, target: Memory) -> None:
    """target = source."""
    copy(source.number, target.number)
    copy(source.q, target.q)
    copy(source.v, target.v)


def _step(e: StepWorkspace, r: ImplicitWork, now: IntegratorState, task: Task) -> tuple[int, float]:
    """Attempt steps until one is accepted or the size collapses: why the last was refused (or FINE), and its size.

    Where arrays are too small for all free directions (NO_ROOM) nothing changes: the step is repeated with larger ones.
    """
    s, t, fixed, tries, used, most = r.s, now.scalars[TIME], task.step > 0.0, 0, 0, LARGEST_IMPLICIT_GROWTH
    h, reason, ratio, error = task.step if fixed else min(now.scalars[STEP_SIZE], task.longest), INACCURATE, 1.0, 0.0
    copy(now.v, s.y[0, 1])
    copy(now.v, r.f[0])
    copy(now.vdot, r.f[1])
    copy_memory(r.memory, r.before)
    while True:
        if t + h * (1 + (FIXED_END_GAP if fixed else END_GAP)) >= task.until:
            h = task.until - t
        if h <= SMALLEST_STEP * max(abs(t), abs(task.until)):
            break
        reason, ratio, error, more = attempt(e, r, now, task, h, tries)
        used += more
        if reason == NO_ROOM:
            copy_memory(r.before, r.memory)
            return reason, h
        if reason == FINE or fixed:
            break
        tries, h = tries + 1, ratio * h
        most = most if reason == NEAR_SINGULAR else 1.0  # refused near a singular configuration, not for its error
    now.counts[REJECTED] += tries
    now.counts[EVALUATIONS] += used
    now.counts[REASON] = reason
    r.memory.number[STEP_EVALUATIONS] += used
    now.scalars[STEP_SIZE] = h
    if reason == FINE:
        now.scalars[STEP_SIZE] = min(ratio, most) * h
        r.memory.number[LAST_SIZE], r.memory.number[LAST_ERROR] = h, error
    return reason, h


# Templates, each after those that it calls.
RADAU5_TEMPLATES = {
    "predict": _predict,
    "jacobian": _common_jacobian,
    "stages": _stages,
    "attempt": _attempt,
    "step": _step,
}
