"""One accepted step of the implicit method: tries, step sizes, Jacobians.

The unknowns are those of reactio.dynamics.stepper: the displacement d from the pose at the step's start, and v.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.field import field
from reactio.dynamics.manifold import FINE, INACCURATE, NEAR, NOT_CLOSED, THROWN, gap, largest
from reactio.dynamics.motion import Checkpoint, landed
from reactio.dynamics.newton import MOST, PATIENT, Start, converge, converge_fully, estimate
from reactio.dynamics.stepper import AGAIN, AMPLIFIED, ELSEWHERE, ERRORS, SMALLEST, STRAY, TIMES, Engine, Task
from reactio.dynamics.tangent import Slopes, slopes
from reactio.system.equations import advance
from reactio.system.types import System

SHRINK, GROW, SAFETY = 8.0, 5.0, 0.9
KEEP = 1.2  # a step that would grow no more than this keeps its size, and its factors
FRESH = 1e-2  # rate of the Newton iteration from which on the next step gets a new Jacobian


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What the next step needs of those before; it is part of the checkpoint, so that a resumed run is the same run."""

    h: float  # of the last step [s], 0 before the first
    error: float  # of the last step, in tolerances
    t: float  # where the Jacobian in use was made
    q: Floats
    v: Floats

    def packed(self) -> Floats:
        """All of it in one array."""
        return np.concatenate([[self.h, self.error, self.t], self.q, self.v])


def remembered(c: Checkpoint) -> Memory:
    """What a checkpoint remembers; nothing yet when another method left it."""
    if not len(c.memory):
        return Memory(0.0, 1.0, c.t, c.q, c.v)
    h, error, t = (float(x) for x in c.memory[:3])
    q, v = np.split(np.asarray(c.memory[3:]), [len(c.q)])
    return Memory(h, error, t, q, v)


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """A step that was tried: why it is refused (or FINE), its end, and the size of the next one."""

    reason: int
    h: float  # of the next step or try [s]
    used: int  # evaluations
    end: Checkpoint | None = None
    Z: Floats | None = None  # (3, 2 n) the collocation polynomial
    error: float = 1.0
    rate: float = 0.0  # of the Newton iteration


@dataclass(frozen=True, slots=True, eq=False)
class Stepped:
    """An accepted step, or the last try of one that collapsed."""

    reason: int
    end: Checkpoint
    h: float  # size of the step [s]
    Z: Floats | None
    J: Slopes | None  # for the next step


def stepped(system: System, engine: Engine, task: Task, c: Checkpoint, J: Slopes | None) -> Stepped:
    """Try until a step is accepted or its size collapses."""
    memory, fixed = remembered(c), task.step > 0.0
    h, tries, used, makeshift = task.step if fixed else c.h, 0, 0, False
    while True:
        last = c.t + h * (1 + (1e-9 if fixed else 1e-2)) >= task.until
        h = task.until - c.t if last else h
        if J is None:
            found = slopes(system, engine.on, field(system), memory.t, memory.q, _at_rest(memory.v))
            if isinstance(found, int):  # in a singular pose: that of the end of the step serves for this once
                ahead = np.concatenate([h * c.v, c.v])
                found, makeshift = slopes(system, engine.on, field(system), c.t + h, c.q, ahead), True
            if isinstance(found, int):
                return Stepped(found, _counted(c, c, tries, used), h, None, None)
            J = found
            used += (1 + J.B.shape[1]) * (memory.t == c.t)  # one that a resumed run makes again was counted before
        tried = attempt(system, engine, task, c, h, J, memory, tries)
        used += tried.used
        if tried.reason == FINE and tried.end is not None:
            end = replace(
                _counted(tried.end, c, tries, used), t=task.until if last else c.t + h, h=tried.h, steps=c.steps + 1
            )
            old = tried.rate <= FRESH and not makeshift
            at = memory if old else replace(memory, t=end.t, q=end.q, v=end.v)
            return Stepped(
                FINE, replace(end, memory=replace(at, h=h, error=tried.error).packed()), h, tried.Z, J if old else None
            )
        if tried.rate == np.inf and memory.t != c.t:
            J, memory = None, replace(memory, t=c.t, q=c.q, v=c.v)
            continue
        tries, h = tries + 1, tried.h
        if fixed or h <= SMALLEST * max(abs(c.t), abs(task.until)):
            return Stepped(tried.reason, replace(_counted(c, c, tries, used), h=h), h, None, J)


def _counted(c: Checkpoint, before: Checkpoint, tries: int, used: int) -> Checkpoint:
    """A checkpoint with the tries and evaluations since an earlier one."""
    return replace(c, rejected=before.rejected + tries, evaluations=before.evaluations + used)


def attempt(
    system: System, engine: Engine, task: Task, c: Checkpoint, h: float, J: Slopes, memory: Memory, tries: int
) -> Try:
    """One step of size h."""
    on, fixed, noise = engine.on, task.step > 0.0, AMPLIFIED * task.extent
    start = Start(
        system, on, field(system), c.t, c.q, _at_rest(c.v), np.concatenate([c.v, c.vdot]), h, task.tol, task.limit,
        PATIENT if fixed else MOST,
    )  # fmt: skip
    found = converge(start, J)
    if found.reason != FINE and memory.t == c.t:
        found = converge_fully(start, found)
    used = found.used
    if found.reason != FINE or found.moved is None:
        return Try(found.reason, h * (0.5 if found.reason == INACCURATE else AGAIN), used, rate=np.inf)
    speed = float(largest(c.v, on.metric.scale) + h * largest(c.vdot, on.metric.scale))
    refused = (
        FINE if fixed else _astray(found.moved, found.weak, h, speed, c.weak[1] if tries < TIMES else len(c.lam), noise)
    )
    if refused != FINE:
        return Try(refused, h * (AGAIN if refused == THROWN else ELSEWHERE), used)
    error, more = (0.0, 0) if fixed else estimate(start, J, found.Z, memory.h == 0.0 or tries > 0)
    d, dv = found.Z[2].reshape(2, -1)
    reason, end = landed(system, engine, c, c.t + h, advance(system, c.q, d), c.v + dv)
    used += more + 1
    if reason == FINE and gap(on.metric, on.work.Phi) > task.limit:
        reason = NOT_CLOSED
    if reason != FINE:
        return Try(reason, AGAIN * h, used)
    moved = on.p.moved / (np.array([1.0, 1.0 + speed]) * (ERRORS * task.tol + noise))
    error = max(error, float(moved.max()))
    ratio = _ratio(error, h, found.iterations, memory)
    if not fixed and error > 1.0:
        return Try(INACCURATE, h * (ratio if memory.h > 0.0 else 0.1), used)
    if not fixed and tries < TIMES and end.weak[2] > c.weak[3]:
        return Try(NEAR, ELSEWHERE * h, used)
    ratio = min(ratio, 1.0) if tries else ratio
    return Try(FINE, h if 1.0 <= ratio <= KEEP else ratio * h, used, end, found.Z, error, found.rate)


def _at_rest(v: Floats) -> Floats:
    """y = (0, v)."""
    return np.concatenate([np.zeros_like(v), v])


def _astray(moved: Floats, weak: int, h: float, speed: float, most: int, noise: float) -> int:
    """THROWN where the projection moved a stage too far, NEAR where one is beside a singular pose, else FINE."""
    if (moved / (STRAY * speed * np.array([h, 1.0]) + noise)).max(initial=0.0) > 1.0:
        return THROWN
    return NEAR if weak > most else FINE


def _ratio(error: float, h: float, iterations: int, memory: Memory) -> float:
    """The next step size over h, from this error and the last one.  Hairer & Wanner 1996, Eq. IV.8.21, 8.25."""
    safety = SAFETY * min(1.0, 21 / (20 + iterations))
    error = max(error, 1e-10)
    ratio = safety * error**-0.25
    if memory.h > 0.0 and error <= 1.0:
        ratio = min(ratio, SAFETY * h / memory.h * (max(memory.error, 1e-2) / error**2) ** 0.25)
    return float(max(1 / SHRINK, min(GROW, ratio)))
