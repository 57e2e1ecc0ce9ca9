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
from reactio.integrate.singular_passage.collocate import chunk_of, collocate_across, truncated_state
from reactio.integrate.singular_passage.nearness import is_near
from reactio.integrate.status import Status
from reactio.system.equations import advance, coordinate_rates, remembered

if TYPE_CHECKING:
    from reactio.integrate.dop853.run import Task
    from reactio.integrate.integrator import Checkpoint, Chunk, Integrator

# Where the motion is looked at, in the time it takes to move by APART [characteristic lengths, rad].  The step across
# the pose, from −1 to 1.2, has it between its stages; one side alone serves where there is no other.
SAMPLE_OFFSETS = ((-3.0, -2.0, -1.0, 1.2, 2.2, 3.2), (-5.0, -4.0, -3.0, -2.0, -1.0), (1.2, 2.2, 3.2, 4.2, 5.2))
SAMPLE_SPACING = 0.1
SPACING_FACTORS = (1.0, 1.6, 0.6, 2.5, 0.35)  # that are tried, until all of these times are clear of singular poses
AGREEMENT = 30.0  # tolerances by which polynomials through all of them and through the inner ones may differ
INTERPOLATION_ROUNDING = 1e-10  # by which they differ anyhow
MOST_STEPS = 10_000  # steps from one to the next
FEWEST_SAMPLES = 3  # times that a polynomial needs
STOPS_AT_SINGULARITY = (  # what a run may stop with at a singular pose
    Status.NEAR,
    Status.INACCURATE,
    Status.THROWN,
    Status.NOT_CLOSED,
    Status.NOT_MOVING,
    Status.NOT_ACCELERATING,
)
PROBES = 9  # on the way to where a run stopped short of
COLLAPSED_STEP = 0.01  # part of the mean step below which a step size has collapsed
# Times that the way to an end which a last step was refused to reach is halved: the refused step was a long one,
# and from an eighth of it the motion tells well enough whether a singular pose is at its end.
HALVINGS = 3
SHORTEST_INTERVAL = 1e-12  # [s]
MOST_FAILED_ROWS = 3  # rows in a row that are not found from both sides, after which no more are tried
KEYS = ("t", "q", "v", "vdot", "lam")
NO_TIMES = np.zeros(0)


def advance_past_singularities(
    integrator: Integrator, start: Checkpoint, times: Floats, task: Task, halvings: int = HALVINGS
) -> Chunk:
    """A piece on from a checkpoint; its end, and rows inside it, also beside singular poses."""
    done = integrator.advance(start, times, task)
    own = integrator.method.claims is not None  # it needs no help with singular poses
    if own or task.step > 0.0 or not task.land or integrator.engine.projection.alpha > 0.0 or not integrator.system.m:
        return done
    done = _with_end_state(integrator, start, times, task, done, halvings)
    if done.status in STOPS_AT_SINGULARITY or _steps_have_collapsed(integrator, start, done):
        done = _collocate_over(integrator, start, times, task, done)
    return _with_rows_near_singularities(integrator, start, done, task)


def _with_end_state(
    integrator: Integrator, start: Checkpoint, times: Floats, task: Task, done: Chunk, halvings: int
) -> Chunk:
    """A piece with its end as the motion around it says, where no step can end there."""
    c = done.checkpoint
    reached = done.status is Status.DONE and c.t > start.t
    near = task.until - c.t <= max(1.02 * c.h, 5 * _sampling_interval(integrator, c, task.until))
    failed = near and done.status in STOPS_AT_SINGULARITY
    creeping = done.status is Status.PAUSED and near and c.t > start.t and integrator.method.implicit(c)
    if not ((reached or creeping) and _too_near_to_end_step(integrator, c)) and not failed:
        return done
    leads = failed and _leads_to_singularity(integrator, c, task.until)
    if failed and not integrator.method.implicit(c):
        found = _with_interpolated_end(integrator, done, times, task) if leads else None
        if found is not None:
            return found
        # As steps go it is a long way beside a singular pose, and a short one where there is none.
        plain = _joined(done, _bisect_to_end(integrator, c, _remaining(times, done), task, halvings))
        if plain.status is Status.DONE:  # the last steps were short for the sake of the end, not of the motion
            plain = replace(plain, checkpoint=replace(plain.checkpoint, h=max(start.h, plain.checkpoint.h)))
        if leads or not _stopped_at_singularity(integrator, plain):
            return plain
        return _with_interpolated_end(integrator, done, times, task) or plain
    if failed and not leads and not _stopped_at_singularity(integrator, done):
        return done
    base = _chunk_before_end(integrator, start, times, task)
    return (None if base is None else _with_interpolated_end(integrator, base, times, task)) or done


def _with_interpolated_end(integrator: Integrator, base: Chunk, times: Floats, task: Task) -> Chunk | None:
    """A piece that stands before its end, with the end and the rows up to it from the motion around them."""
    end = interpolated_state(integrator, base.checkpoint, task.until, task)
    if end is None:
        return None
    rest = _remaining(times, base) if not task.every else np.array([task.until])
    rows = [end if t == task.until else _state_at(integrator, base.checkpoint, float(t), task) for t in rest]
    return _joined(base, chunk_of(Status.DONE, [row for row in rows if row is not None], end))


def _bisect_to_end(integrator: Integrator, c: Checkpoint, times: Floats, task: Task, halvings: int) -> Chunk:
    """A piece on from where a last step was refused: half of the way as steps go, the rest with a look at its end."""
    if halvings == 0:
        return integrator.advance(c, times, _without_passage(task))
    half = c.t + 0.5 * (task.until - c.t)
    first = integrator.advance(c, times[times <= half], _without_passage(task)._replace(until=half))
    if first.status is not Status.DONE:
        return first
    left = task._replace(steps=max(1, task.steps - (first.checkpoint.steps - c.steps)))
    return _joined(
        first, advance_past_singularities(integrator, first.checkpoint, _remaining(times, first), left, halvings - 1)
    )


def _leads_to_singularity(integrator: Integrator, c: Checkpoint, until: float) -> bool:
    """Is there a singular pose on the way from a checkpoint to a time nearby, as far as its motion tells?"""
    for dt in np.linspace(until - c.t, 0.0, PROBES):
        ahead = advance(integrator.system, c.q, dt * c.v + 0.5 * dt**2 * c.vdot)
        if _singularity_within_step(integrator, integrator.project_state(c, c.t + dt, ahead, c.v + dt * c.vdot)):
            return True
    return False


def _stopped_at_singularity(integrator: Integrator, done: Chunk) -> bool:
    """Has a piece come to its end at a singular pose?"""
    return done.status in STOPS_AT_SINGULARITY and _singularity_within_step(integrator, done.checkpoint)


def _steps_have_collapsed(integrator: Integrator, start: Checkpoint, done: Chunk) -> bool:
    """Has a piece come so close to a singular pose that its steps are much shorter than they were?"""
    c = done.checkpoint
    steps, took = c.steps - start.steps, c.t - start.t
    return (
        done.status is Status.PAUSED and steps * c.h < COLLAPSED_STEP * took and _singularity_within_step(integrator, c)
    )


def _collocate_over(integrator: Integrator, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """A piece that stopped at a singular pose taken over it, where that can be done."""
    c = done.checkpoint
    if not _singularity_within_step(integrator, c):
        return done
    found = collocate_across(integrator, start, times, task, c.steps - start.steps)
    if found is None:
        return done
    before, hop = found
    end = hop.at(min(hop.until, task.until))
    rest = np.array([end.t]) if task.every else _remaining(times, before)
    rows = [hop.at(float(t)) for t in rest[rest <= end.t]]
    return _joined(before, chunk_of(Status.DONE if end.t == task.until else Status.PAUSED, rows, end))


def _without_passage(task: Task) -> Task:
    return task._replace(land=False)


def _remaining(times: Floats, done: Chunk) -> Floats:
    """The times of output that are left behind a piece."""
    return times[len(done.t) :]


def _chunk_before_end(integrator: Integrator, start: Checkpoint, times: Floats, task: Task) -> Chunk | None:
    """The piece up to a time before the end from which the motion can be followed past it."""
    for scale in SPACING_FACTORS:
        t = task.until - 3 * scale * _sampling_interval(integrator, start, task.until)
        if t <= start.t:
            return chunk_of(Status.PAUSED, [], start)
        done = integrator.advance(start, times[times <= t], _without_passage(task)._replace(until=t, steps=MOST_STEPS))
        if done.status is Status.DONE and not _too_near_to_end_step(integrator, done.checkpoint):
            return done
    return None


def _with_rows_near_singularities(integrator: Integrator, start: Checkpoint, done: Chunk, task: Task) -> Chunk:
    """A piece with its rows beside singular poses as the motion around them says: those without v̇ of their own."""
    wanted = np.isnan(done.vdot[:, 0])
    if len(done.checkpoint.memory) and not task.every:
        rows = zip(done.t, done.q, done.v, strict=True)
        wanted = np.array(
            [_too_near_to_end_step(integrator, integrator.project_state(done.checkpoint, *row)) for row in rows],
            dtype=bool,
        )
    # Where a motion stays beside a pose there is no other side to look from.
    hopeless = (
        MOST_FAILED_ROWS
        if _too_near_to_end_step(integrator, start) and _too_near_to_end_step(integrator, done.checkpoint)
        else 0
    )
    for k in np.flatnonzero(wanted):
        row = _state_at(integrator, start, float(done.t[k]), task) if hopeless < MOST_FAILED_ROWS else None
        hopeless = hopeless + 1 if row is None else 0
        found = row if row is not None else integrator.project_state(done.checkpoint, done.t[k], done.q[k], done.v[k])
        for key in KEYS[1:]:
            getattr(done, key)[k] = getattr(found, key)
    return done


def _state_at(integrator: Integrator, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time behind a checkpoint, by steps that end there or by the motion around it."""
    if t <= start.t:
        return start
    done = integrator.advance(start, NO_TIMES, _without_passage(task)._replace(until=t, every=False, steps=MOST_STEPS))
    if done.status is Status.DONE and done.checkpoint.weak[0] <= done.checkpoint.weak[4]:  # s > 3e-3: better than below
        return done.checkpoint
    # Implicit steps creep on to the pose, and so do explicit ones that collapse there.
    clear = done.status is Status.NEAR and not integrator.method.implicit(done.checkpoint)
    clear = clear and not _too_near_to_end_step(integrator, done.checkpoint)
    return interpolated_state(integrator, done.checkpoint if clear else start, t, task)


def interpolated_state(integrator: Integrator, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time beside a singular pose, on from a checkpoint; nothing where the motion there is not clear.

    Two polynomials agree about it, in positions and in velocities, and it closes the joints as far as a run promises.
    """
    apart = _sampling_interval(integrator, start, t)
    for offsets in SAMPLE_OFFSETS:
        for scale in SPACING_FACTORS:
            around = _sampled_states(integrator, start, t + scale * apart * np.array(offsets), task)
            if len(around) >= FEWEST_SAMPLES:
                found, rough = (
                    _hermite_state(integrator, states, t) for states in (around, _without_farthest(around, t))
                )
                close = _difference(integrator, found, rough) <= AGREEMENT * task.tol + INTERPOLATION_ROUNDING
                if close and promise(task.tol, 0.0, found.limit).holds(_drift_of(integrator, found)):
                    return replace(found, h=max(start.h, found.h))
    return None


def _difference(integrator: Integrator, one: Checkpoint, other: Checkpoint) -> float:
    """How far two states at one time are apart: positions [characteristic lengths, rad], velocities as parts."""
    unit = integrator.engine.projection.metric.scale
    dt = 1.0 / (1.0 + largest(one.v, unit))
    moved = float(np.abs(one.q - other.q).max(initial=0.0)) / min(1.0, integrator.system.length)
    return max(moved, dt * float(largest(one.v - other.v, unit)))


def _drift_of(integrator: Integrator, c: Checkpoint) -> Drift:
    return drift(integrator.system, np.array([c.t]), c.q[None], c.v[None])


def _too_near_to_end_step(integrator: Integrator, c: Checkpoint) -> bool:
    """Is a state so near to a singular pose that no step should end there?"""
    return is_near(integrator.system, c, 2)


def _singularity_within_step(integrator: Integrator, c: Checkpoint) -> bool:
    """Is a state so near to a singular pose that steps from it meet it?"""
    return is_near(integrator.system, c, 3)


def _sampling_interval(integrator: Integrator, c: Checkpoint, t: float) -> float:
    """The time in which a state moves by APART [s]; where it rests or creeps, no longer than it is to a time t."""
    scale = integrator.engine.projection.metric.scale
    rate = float(max(largest(c.v, scale), np.sqrt(largest(c.vdot, scale))))
    return SAMPLE_SPACING / max(rate, SAMPLE_SPACING / max(t - c.t, SHORTEST_INTERVAL))


def _sampled_states(integrator: Integrator, start: Checkpoint, times: Floats, task: Task) -> list[Checkpoint]:
    """States at some times, and the start where it lies among them; none where one is not clear of singular poses."""
    first = start.t > times[0] or (len(times) and times[0] - start.t < 0.3 * (times[1] - times[0]))
    found, now = [start] if first else [], start
    for t in times[times > start.t + (0.3 * (times[1] - times[0]) if first else 0.0)]:
        done = integrator.advance(
            now, NO_TIMES, _without_passage(task)._replace(until=float(t), every=False, steps=MOST_STEPS)
        )
        now = done.checkpoint
        if done.status is not Status.DONE or _too_near_to_end_step(integrator, now):
            return []
        found.append(now)
    return found


def _without_farthest(around: list[Checkpoint], t: float) -> list[Checkpoint]:
    """All but the farthest state."""
    farthest = max(range(len(around)), key=lambda k: abs(around[k].t - t))
    return [c for k, c in enumerate(around) if k != farthest]


def _hermite_state(integrator: Integrator, around: list[Checkpoint], t: float) -> Checkpoint:
    """The state at a time between others: polynomials through q, q̇ and v, v̇, projected by what is firm."""
    system, last = integrator.system, around[-1]
    q = _hermite(t, around, lambda c: (c.q, coordinate_rates(system, c.q, c.v)))[0]
    v, vdot = _hermite(t, around, lambda c: (c.v, c.vdot))
    q = remembered(system, t, q)
    weak = integrator.project_state(last, t, q, v).weak
    return replace(truncated_state(integrator, last, t, q, v, vdot), weak=weak)


def _hermite(t: float, around: list[Checkpoint], of: Callable[[Checkpoint], tuple[Floats, Floats]]) -> list[Floats]:
    """The polynomial through values and derivatives, and its derivative, at a time."""
    from scipy.interpolate import KroghInterpolator

    places = np.repeat([c.t - t for c in around], 2)
    poly = KroghInterpolator(places, np.concatenate([np.stack(of(c)) for c in around]))
    return [np.array(poly.derivative(0.0, k)) for k in range(2)]


def _joined(first: Chunk, second: Chunk) -> Chunk:
    rows: dict[str, Any] = {key: np.concatenate([getattr(first, key), getattr(second, key)]) for key in KEYS}
    return replace(second, **rows)
