"""Ends and rows beside singular poses: found from the motion on both sides.

A step that ends at a distance s from a singular pose loses u/s² of its velocities and all of its accelerations to
rounding, but the motion through the pose is smooth.  It is followed past the time that is wanted, to some times around
it that are clear of the pose; the polynomial through positions, velocities and accelerations there is the state in
between (Hermite), projected by what is firm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.projection.project import largest
from reactio.integrate.singular_passage.collocate import across, chunk_of, softly
from reactio.integrate.status import Status
from reactio.system.equations import advance, coordinate_rates, remembered

if TYPE_CHECKING:
    from reactio.integrate.dop853.run import Task
    from reactio.integrate.integrator import Checkpoint, Chunk, Course

# Where the motion is looked at, in the time it takes to move by APART [characteristic lengths, rad].  The step across
# the pose, from −1 to 1.2, has it between its stages; one side alone serves where there is no other.
AROUND = ((-3.0, -2.0, -1.0, 1.2, 2.2, 3.2), (-5.0, -4.0, -3.0, -2.0, -1.0), (1.2, 2.2, 3.2, 4.2, 5.2))
APART = 0.1
SCALES = (1.0, 1.6, 0.6, 2.5, 0.35)  # that are tried, until all of these times are clear of singular poses
AGREE = 30.0  # tolerances by which polynomials through all of them and through the inner ones may differ
ROUNDING = 1e-10  # by which they differ anyhow
MOST = 10_000  # steps from one to the next
ENOUGH = 3  # times that a polynomial needs
SINGULAR = (  # what a run may stop with at a singular pose
    Status.NEAR,
    Status.INACCURATE,
    Status.THROWN,
    Status.NOT_CLOSED,
    Status.NOT_MOVING,
    Status.NOT_ACCELERATING,
)
LOOKS = 9  # on the way to where a run stopped short of
CREEPING = 0.01  # part of the mean step below which a step size has collapsed
HOPELESS = 3  # rows in a row that are not found from both sides, after which no more are tried
KEYS = ("t", "q", "v", "vdot", "lam")
NO_TIMES = np.zeros(0)


def on(course: Course, start: Checkpoint, times: Floats, task: Task) -> Chunk:
    """A piece on from a checkpoint; its end, and rows inside it, also beside singular poses."""
    done = course.advance(start, times, task)
    own = course.method.claims is not None  # it needs no help with singular poses
    if own or task.step > 0.0 or not task.land or course.engine.on.alpha > 0.0 or not course.system.m:
        return done
    done = _with_end(course, start, times, task, done)
    if done.status in SINGULAR or _creeps(start, done):
        done = _over(course, start, times, task, done)
    return _with_rows(course, start, done, task)


def is_beside(c: Checkpoint) -> bool:
    """Are more pivots weak at a checkpoint than away from singular poses?"""
    return c.weak[2] > c.weak[4]


def _with_end(course: Course, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """A piece with its end as the motion around it says, where no step can end there."""
    c = done.checkpoint
    reached = done.status is Status.DONE and c.t > start.t
    near = task.until - c.t <= max(1.02 * c.h, 5 * APART / _rate(course, c))
    failed = near and done.status in SINGULAR
    creeping = done.status is Status.PAUSED and near and c.t > start.t and len(c.memory) > 0
    if not ((reached or creeping) and is_beside(c)) and not failed:
        return done
    implicit, base = len(c.memory) > 0, None
    plain = _joined(done, course.advance(c, _left(times, done), _as_is(task))) if failed and not implicit else done
    if not failed or _leads_beside(course, c, task.until) or _stopped_beside(plain):
        base = done if not implicit and failed else _before(course, start, times, task)
    end = None if base is None else landed_at(course, base.checkpoint, task.until, task)
    if base is None or end is None:
        return plain
    rest = _left(times, base) if not task.every else np.array([task.until])
    rows = [end if t == task.until else _row(course, base.checkpoint, float(t), task) for t in rest]
    return _joined(base, chunk_of(Status.DONE, [row for row in rows if row is not None], end))


def _leads_beside(course: Course, c: Checkpoint, until: float) -> bool:
    """Is there a singular pose on the way from a checkpoint to a time nearby, as far as its motion tells?"""
    for dt in np.linspace(until - c.t, 0.0, LOOKS):
        ahead = advance(course.system, c.q, dt * c.v + 0.5 * dt**2 * c.vdot)
        if course.look(c, c.t + dt, ahead, c.v + dt * c.vdot).weak[3] > c.weak[4]:
            return True
    return False


def _stopped_beside(done: Chunk) -> bool:
    """Has a piece come to its end at a singular pose?"""
    c = done.checkpoint
    return done.status in SINGULAR and c.weak[3] > c.weak[4]


def _creeps(start: Checkpoint, done: Chunk) -> bool:
    """Has a piece come so close to a singular pose that its steps are much shorter than they were?"""
    c = done.checkpoint
    steps, took = c.steps - start.steps, c.t - start.t
    return done.status is Status.PAUSED and c.weak[3] > c.weak[4] and steps * c.h < CREEPING * took


def _over(course: Course, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """A piece that stopped at a singular pose taken over it, where that can be done."""
    c = done.checkpoint
    if not c.weak[3] > c.weak[4]:
        return done
    found = across(course, start, times, task, c.steps - start.steps)
    if found is None:
        return done
    before, hop = found
    end = hop.at(min(hop.until, task.until))
    rest = np.array([end.t]) if task.every else _left(times, before)
    rows = [hop.at(float(t)) for t in rest[rest <= end.t]]
    return _joined(before, chunk_of(Status.DONE if end.t == task.until else Status.PAUSED, rows, end))


def _as_is(task: Task) -> Task:
    return task._replace(land=False)


def _left(times: Floats, done: Chunk) -> Floats:
    """The times of output that are left behind a piece."""
    return times[len(done.t) :]


def _before(course: Course, start: Checkpoint, times: Floats, task: Task) -> Chunk | None:
    """The piece up to a time before the end from which the motion can be followed past it."""
    for scale in SCALES:
        t = task.until - 3 * scale * APART / _rate(course, start)
        if t <= start.t:
            return chunk_of(Status.PAUSED, [], start)
        done = course.advance(start, times[times <= t], _as_is(task)._replace(until=t, steps=MOST))
        if done.status is Status.DONE and not is_beside(done.checkpoint):
            return done
    return None


def _with_rows(course: Course, start: Checkpoint, done: Chunk, task: Task) -> Chunk:
    """A piece with its rows beside singular poses as the motion around them says: those without v̇ of their own."""
    wanted = np.isnan(done.vdot[:, 0])
    if len(done.checkpoint.memory) and not task.every:
        rows = zip(done.t, done.q, done.v, strict=True)
        wanted = np.array([is_beside(course.look(done.checkpoint, *row)) for row in rows], dtype=bool)
    # Where a motion stays beside a pose there is no other side to look from.
    hopeless = HOPELESS if is_beside(start) and is_beside(done.checkpoint) else 0
    for k in np.flatnonzero(wanted):
        row = _row(course, start, float(done.t[k]), task) if hopeless < HOPELESS else None
        hopeless = hopeless + 1 if row is None else 0
        found = row if row is not None else course.look(done.checkpoint, done.t[k], done.q[k], done.v[k])
        for key in KEYS[1:]:
            getattr(done, key)[k] = getattr(found, key)
    return done


def _row(course: Course, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time behind a checkpoint, by steps that end there or by the motion around it."""
    if t <= start.t:
        return start
    done = course.advance(start, NO_TIMES, _as_is(task)._replace(until=t, every=False, steps=MOST))
    if done.status is Status.DONE and done.checkpoint.weak[0] <= done.checkpoint.weak[4]:  # s > 3e-3: better than below
        return done.checkpoint
    clear = done.status is Status.NEAR and not len(done.checkpoint.memory)  # implicit steps creep on to the pose
    return landed_at(course, done.checkpoint if clear else start, t, task)


def landed_at(course: Course, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time beside a singular pose, on from a checkpoint; nothing where the motion there is not clear."""
    for offsets in AROUND:
        for scale in SCALES:
            around = _around(course, start, t + scale * APART / _rate(course, start) * np.array(offsets), task)
            if len(around) >= ENOUGH:
                found, rough = (_between(course, states, t) for states in (around, _inner(around, t)))
                unit = course.engine.on.metric.scale
                off = largest(found.v - rough.v, unit) / (1 + largest(found.v, unit))
                if off <= AGREE * task.tol + ROUNDING:
                    return replace(found, h=max(start.h, found.h))
    return None


def _rate(course: Course, c: Checkpoint) -> float:
    """How fast a state moves [characteristic lengths, rad per s]."""
    scale = course.engine.on.metric.scale
    return float(max(largest(c.v, scale), np.sqrt(largest(c.vdot, scale)), 1e-3))


def _around(course: Course, start: Checkpoint, times: Floats, task: Task) -> list[Checkpoint]:
    """States at some times, and the start where it lies among them; none where one is not clear of singular poses."""
    first = start.t > times[0] or (len(times) and times[0] - start.t < 0.3 * (times[1] - times[0]))
    found, now = [start] if first else [], start
    for t in times[times > start.t + (0.3 * (times[1] - times[0]) if first else 0.0)]:
        done = course.advance(now, NO_TIMES, _as_is(task)._replace(until=float(t), every=False, steps=MOST))
        now = done.checkpoint
        if done.status is not Status.DONE or is_beside(now):
            return []
        found.append(now)
    return found


def _inner(around: list[Checkpoint], t: float) -> list[Checkpoint]:
    """All but the farthest state."""
    farthest = max(range(len(around)), key=lambda k: abs(around[k].t - t))
    return [c for k, c in enumerate(around) if k != farthest]


def _between(course: Course, around: list[Checkpoint], t: float) -> Checkpoint:
    """The state at a time between others: polynomials through q, q̇ and v, v̇, projected by what is firm."""
    system, last = course.system, around[-1]
    q = _hermite(t, around, lambda c: (c.q, coordinate_rates(system, c.q, c.v)))[0]
    v, vdot = _hermite(t, around, lambda c: (c.v, c.vdot))
    q = remembered(system, t, q)
    weak = course.look(last, t, q, v).weak
    return replace(softly(course, last, t, q, v, vdot), weak=weak)


def _hermite(t: float, around: list[Checkpoint], of: Callable[[Checkpoint], tuple[Floats, Floats]]) -> list[Floats]:
    """The polynomial through values and derivatives, and its derivative, at a time."""
    from scipy.interpolate import KroghInterpolator

    places = np.repeat([c.t - t for c in around], 2)
    poly = KroghInterpolator(places, np.concatenate([np.stack(of(c)) for c in around]))
    return [np.array(poly.derivative(0.0, k)) for k in range(2)]


def _joined(first: Chunk, second: Chunk) -> Chunk:
    rows: dict[str, Any] = {key: np.concatenate([getattr(first, key), getattr(second, key)]) for key in KEYS}
    return replace(second, **rows)
