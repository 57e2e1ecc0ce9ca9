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
from reactio.integrate.projection.drift import Drift, drift
from reactio.integrate.projection.project import largest
from reactio.integrate.promise import promise
from reactio.integrate.singular_passage.collocate import across, chunk_of, softly
from reactio.integrate.singular_passage.nearness import is_near
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
HALVINGS = 3  # of the way to an end that a last step was refused to reach: the last eighth is gone as steps go
SHORTEST = 1e-12  # [s]
HOPELESS = 3  # rows in a row that are not found from both sides, after which no more are tried
KEYS = ("t", "q", "v", "vdot", "lam")
NO_TIMES = np.zeros(0)


def on(course: Course, start: Checkpoint, times: Floats, task: Task, halvings: int = HALVINGS) -> Chunk:
    """A piece on from a checkpoint; its end, and rows inside it, also beside singular poses."""
    done = course.advance(start, times, task)
    own = course.method.claims is not None  # it needs no help with singular poses
    if own or task.step > 0.0 or not task.land or course.engine.on.alpha > 0.0 or not course.system.m:
        return done
    done = _with_end(course, start, times, task, done, halvings)
    if done.status in SINGULAR or _creeps(course, start, done):
        done = _over(course, start, times, task, done)
    return _with_rows(course, start, done, task)


def _with_end(course: Course, start: Checkpoint, times: Floats, task: Task, done: Chunk, halvings: int) -> Chunk:
    """A piece with its end as the motion around it says, where no step can end there."""
    c = done.checkpoint
    reached = done.status is Status.DONE and c.t > start.t
    near = task.until - c.t <= max(1.02 * c.h, 5 * _time_apart(course, c, task.until))
    failed = near and done.status in SINGULAR
    creeping = done.status is Status.PAUSED and near and c.t > start.t and len(c.memory) > 0
    if not ((reached or creeping) and _beside(course, c)) and not failed:
        return done
    plain, base = done, None
    if failed and not len(c.memory):
        plain, base = _joined(done, _half_way(course, c, _left(times, done), task, halvings)), done
        if not (_leads_beside(course, c, task.until) or _stopped_beside(course, plain)):
            return plain
    elif not failed or _leads_beside(course, c, task.until) or _stopped_beside(course, plain):
        base = _before(course, start, times, task)
    end = None if base is None else landed_at(course, base.checkpoint, task.until, task)
    if base is None or end is None:
        return plain
    rest = _left(times, base) if not task.every else np.array([task.until])
    rows = [end if t == task.until else _row(course, base.checkpoint, float(t), task) for t in rest]
    return _joined(base, chunk_of(Status.DONE, [row for row in rows if row is not None], end))


def _half_way(course: Course, c: Checkpoint, times: Floats, task: Task, halvings: int) -> Chunk:
    """A piece on from where a last step was refused: half of the way as steps go, the rest with a look at its end."""
    if halvings == 0:
        return course.advance(c, times, _as_is(task))
    half = c.t + 0.5 * (task.until - c.t)
    first = course.advance(c, times[times <= half], _as_is(task)._replace(until=half))
    if first.status is not Status.DONE:
        return first
    left = task._replace(steps=max(1, task.steps - (first.checkpoint.steps - c.steps)))
    return _joined(first, on(course, first.checkpoint, _left(times, first), left, halvings - 1))


def _leads_beside(course: Course, c: Checkpoint, until: float) -> bool:
    """Is there a singular pose on the way from a checkpoint to a time nearby, as far as its motion tells?"""
    for dt in np.linspace(until - c.t, 0.0, LOOKS):
        ahead = advance(course.system, c.q, dt * c.v + 0.5 * dt**2 * c.vdot)
        if _in_reach(course, course.look(c, c.t + dt, ahead, c.v + dt * c.vdot)):
            return True
    return False


def _stopped_beside(course: Course, done: Chunk) -> bool:
    """Has a piece come to its end at a singular pose?"""
    return done.status in SINGULAR and _in_reach(course, done.checkpoint)


def _creeps(course: Course, start: Checkpoint, done: Chunk) -> bool:
    """Has a piece come so close to a singular pose that its steps are much shorter than they were?"""
    c = done.checkpoint
    steps, took = c.steps - start.steps, c.t - start.t
    return done.status is Status.PAUSED and steps * c.h < CREEPING * took and _in_reach(course, c)


def _over(course: Course, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """A piece that stopped at a singular pose taken over it, where that can be done."""
    c = done.checkpoint
    if not _in_reach(course, c):
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
        t = task.until - 3 * scale * _time_apart(course, start, task.until)
        if t <= start.t:
            return chunk_of(Status.PAUSED, [], start)
        done = course.advance(start, times[times <= t], _as_is(task)._replace(until=t, steps=MOST))
        if done.status is Status.DONE and not _beside(course, done.checkpoint):
            return done
    return None


def _with_rows(course: Course, start: Checkpoint, done: Chunk, task: Task) -> Chunk:
    """A piece with its rows beside singular poses as the motion around them says: those without v̇ of their own."""
    wanted = np.isnan(done.vdot[:, 0])
    if len(done.checkpoint.memory) and not task.every:
        rows = zip(done.t, done.q, done.v, strict=True)
        wanted = np.array([_beside(course, course.look(done.checkpoint, *row)) for row in rows], dtype=bool)
    # Where a motion stays beside a pose there is no other side to look from.
    hopeless = HOPELESS if _beside(course, start) and _beside(course, done.checkpoint) else 0
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
    """The state at a time beside a singular pose, on from a checkpoint; nothing where the motion there is not clear.

    Two polynomials agree about it, in positions and in velocities, and it closes the joints as far as a run promises.
    """
    apart = _time_apart(course, start, t)
    for offsets in AROUND:
        for scale in SCALES:
            around = _around(course, start, t + scale * apart * np.array(offsets), task)
            if len(around) >= ENOUGH:
                found, rough = (_between(course, states, t) for states in (around, _inner(around, t)))
                close = _differ(course, found, rough) <= AGREE * task.tol + ROUNDING
                if close and promise(task.tol, 0.0, found.limit).holds(_off(course, found)):
                    return replace(found, h=max(start.h, found.h))
    return None


def _differ(course: Course, one: Checkpoint, other: Checkpoint) -> float:
    """How far two states at one time are apart: positions [characteristic lengths, rad], velocities as parts."""
    unit = course.engine.on.metric.scale
    dt = 1.0 / (1.0 + largest(one.v, unit))
    moved = float(np.abs(one.q - other.q).max(initial=0.0)) / min(1.0, course.system.length)
    return max(moved, dt * float(largest(one.v - other.v, unit)))


def _off(course: Course, c: Checkpoint) -> Drift:
    return drift(course.system, np.array([c.t]), c.q[None], c.v[None])


def _beside(course: Course, c: Checkpoint) -> bool:
    """Is a state so near to a singular pose that no step should end there?"""
    return is_near(course.system, c, 2)


def _in_reach(course: Course, c: Checkpoint) -> bool:
    """Is a state so near to a singular pose that steps from it meet it?"""
    return is_near(course.system, c, 3)


def _time_apart(course: Course, c: Checkpoint, t: float) -> float:
    """The time in which a state moves by APART [s]; where it rests or creeps, no longer than it is to a time t."""
    scale = course.engine.on.metric.scale
    rate = float(max(largest(c.v, scale), np.sqrt(largest(c.vdot, scale))))
    return APART / max(rate, APART / max(t - c.t, SHORTEST))


def _around(course: Course, start: Checkpoint, times: Floats, task: Task) -> list[Checkpoint]:
    """States at some times, and the start where it lies among them; none where one is not clear of singular poses."""
    first = start.t > times[0] or (len(times) and times[0] - start.t < 0.3 * (times[1] - times[0]))
    found, now = [start] if first else [], start
    for t in times[times > start.t + (0.3 * (times[1] - times[0]) if first else 0.0)]:
        done = course.advance(now, NO_TIMES, _as_is(task)._replace(until=float(t), every=False, steps=MOST))
        now = done.checkpoint
        if done.status is not Status.DONE or _beside(course, now):
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
