"""States near singular configurations, interpolated from the motion on both sides.

At a distance s from a singular configuration rounding u grows to u/s² in the velocities and spoils the accelerations
altogether, although the motion through the configuration is smooth.  So no step ends there.  The motion is integrated
to sample times before and after the wanted time, where C is well conditioned; the Hermite polynomial through
positions, velocities and accelerations at the samples gives the wanted state, which is then projected along those
directions only that the constraints resolve well (``truncated_projection``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk, chunk_of
from reactio.integrate.drift_bounds import drift_bounds
from reactio.integrate.loop import Task
from reactio.integrate.nearness import is_near
from reactio.integrate.projection.clearance import CLEAR, CLOSE, NEARBY
from reactio.integrate.projection.drift import drift
from reactio.integrate.rows import joined_rows
from reactio.integrate.singular_passage.collocate import (
    LARGEST_PASSAGE_ERROR,
    collocate_across,
    difference,
    sampling_interval,
    truncated_state,
)
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.integrate.stepper import Stepper
from reactio.kernels import expected_work
from reactio.linear.interpolation import hermite
from reactio.linear.precision import SOLUTION
from reactio.system.evaluate.coordinates import advance, coordinate_rates, with_counted_turns

# Sample times around the wanted one, in sampling intervals.  The step from −1 to 1.2 crosses the configuration, which
# falls between its stages.  Samples on one side only are tried last, for motions that end or begin there.
SAMPLE_OFFSETS = ((-3.0, -2.0, -1.0, 1.2, 2.2, 3.2), (-5.0, -4.0, -3.0, -2.0, -1.0), (1.2, 2.2, 3.2, 4.2, 5.2))
SPACING_FACTORS = (1.0, 1.6, 0.6, 0.35)  # tried until no sample is near a singular configuration
# Sampling intervals within which the end counts as near: the samples on one side of it lie as far away.
SAMPLES_REACH = 5
# Step sizes within which the end counts as near: a last step is up to END_GAP longer than its size, and rounding.
LAST_STEP_REACH = 1.02
# Part of the distance between samples: a start that is nearer to the first sample is taken in its place.
START_AS_SAMPLE = 0.3
INTERVALS_BEFORE_END = 3  # sampling intervals from the end back to where steps are stopped: that of the first sample
# Difference of polynomials with and without the farthest sample by rounding alone.
INTERPOLATION_ROUNDING = SOLUTION / 10
MOST_STEPS_TO_SAMPLE = 10_000  # from one sample to the next: far more than any motion needs
FEWEST_SAMPLES = 3  # of a polynomial and one without its farthest sample, which is still of degree 1
STOPS_AT_SINGULARITY = (  # statuses with which a run may stop at a singular configuration
    Status.NEAR_SINGULAR,
    Status.INACCURATE,
    Status.JUMP_OR_BRANCH,
    Status.NOT_CLOSED,
    Status.NOT_MOVING,
    Status.NOT_ACCELERATING,
)
EXAMINED_STATES = 9  # extrapolated states at which C is examined between the last step and the end that was not reached
COLLAPSED_STEP = 0.01  # part of the mean step size below which the step size counts as collapsed
MOST_FAILED_ROWS = 3  # consecutive rows that could not be interpolated, after which the rest is not tried
NO_TIMES = np.zeros(0)


def advance_past_singularities(stepper: Stepper, start: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Advance by one chunk from a checkpoint; its end and its rows are valid also near singular configurations."""
    done = stepper.advance(start, times, task)
    passes = stepper.method.past_singular_poses or not stepper.workspace.projection.formulation.interpolates
    if passes or task.step > 0.0 or not task.pauses or not stepper.system.m:
        return done
    done = _past_approach(stepper, start, times, task, done)
    stopped = done.status in STOPS_AT_SINGULARITY or _steps_have_collapsed(stepper, start, done)
    # Evaluations: runs to states before the configuration and collocation; runs to several sets of samples of a row.
    with expected_work(stepper.system.m, 5000 * stopped + 1000 * int(done.marked.sum())):
        done = _with_end_state(stepper, start, times, task, done)
        if done.status in STOPS_AT_SINGULARITY or _steps_have_collapsed(stepper, start, done):
            done = _collocate_over(stepper, start, times, task, done)
        return _with_rows_near_singularities(stepper, start, done, task)


def _past_approach(stepper: Stepper, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """The chunk, continued where it paused near a singular configuration until steps leave it, fail or collapse.

    So no chunk begins there, however long chunks are: the state from which the configuration is crossed is sought in
    the same chunk, and steps may become ever shorter on approach.
    """
    begun = done.checkpoint.steps
    while (
        done.status is Status.PAUSED
        and done.checkpoint.steps - begun < MOST_STEPS_TO_SAMPLE
        and _singularity_within_step(stepper, done.checkpoint)
        and not _steps_have_collapsed(stepper, start, done)
    ):
        done = _joined(done, stepper.advance(done.checkpoint, _remaining(times, done), task))
    return done


def _with_end_state(stepper: Stepper, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """The chunk with its end state interpolated, where no step can end because a singular configuration is near.

    Either steps stopped shortly before the end, or they came to it (implicit ones, which become ever shorter, nearly),
    and it lies too near to the configuration.
    """
    c = done.checkpoint
    if done.status in STOPS_AT_SINGULARITY and _end_is_near(stepper, c, task):
        return _past_refused_end(stepper, start, times, task, done)
    creeping = done.status is Status.PAUSED and stepper.method.implicit(c) and _end_is_near(stepper, c, task)
    arrived = c.t > start.t and (done.status is Status.DONE or creeping)
    if arrived and _too_near_to_end_step(stepper, c):
        return _from_before_end(stepper, start, times, task) or done
    return done


def _end_is_near(stepper: Stepper, c: Checkpoint, task: Task) -> bool:
    """Does the next step, or the samples around the end, reach from a checkpoint to the end?"""
    interval = sampling_interval(stepper, c, task.until)
    return task.until - c.t <= max(LAST_STEP_REACH * c.h, SAMPLES_REACH * interval)


def _past_refused_end(stepper: Stepper, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """The chunk, whose last steps were refused, completed up to the end, where that is because of a singular pose.

    Implicit steps have become short by then: samples start from an earlier state.  Explicit ones stop in time.
    """

    def interpolated() -> Chunk | None:
        if stepper.method.implicit(done.checkpoint):
            return _from_before_end(stepper, start, times, task)
        return _with_interpolated_end(stepper, done, times, task)

    leads = _leads_to_singularity(stepper, done.checkpoint, task.until)
    completed = interpolated() if leads else None
    if completed is not None:
        return completed
    # Steps get very short near a singular pose; where there is none, plain steps reach the end quickly.
    rest = stepper.advance(done.checkpoint, _remaining(times, done), _without_passage(task))
    if rest.status is Status.DONE:  # its last steps were short
        rest = replace(rest, checkpoint=replace(rest.checkpoint, h=max(start.h, rest.checkpoint.h)))
    plain = _joined(done, rest)
    return plain if leads or not _stopped_at_singularity(stepper, plain) else interpolated() or plain


def _from_before_end(stepper: Stepper, start: Checkpoint, times: Floats, task: Task) -> Chunk | None:
    """The chunk from its start to the end, which is interpolated; None where that does not succeed."""
    base = _chunk_before_end(stepper, start, times, task)
    return None if base is None else _with_interpolated_end(stepper, base, times, task)


def _with_interpolated_end(stepper: Stepper, base: Chunk, times: Floats, task: Task) -> Chunk | None:
    """A chunk that stops before the end, completed by the end and the rows up to it, interpolated."""
    end = interpolated_state(stepper, base.checkpoint, task.until, task)
    if end is None:
        return None
    rest = _remaining(times, base) if not task.every else np.array([task.until])
    rows = [end if t == task.until else _state_at(stepper, base.checkpoint, float(t), task) for t in rest]
    return _joined(base, chunk_of(Status.DONE, [row for row in rows if row is not None], end))


def _leads_to_singularity(stepper: Stepper, c: Checkpoint, until: float) -> bool:
    """Does the motion, extrapolated from a checkpoint to a time nearby, meet a singular configuration?"""
    for dt in np.linspace(until - c.t, 0.0, EXAMINED_STATES):
        ahead = advance(stepper.system, c.q, dt * c.v + 0.5 * dt**2 * c.vdot)
        if _singularity_within_step(stepper, stepper.project_state(c, c.t + dt, ahead, c.v + dt * c.vdot)):
            return True
    return False


def _stopped_at_singularity(stepper: Stepper, done: Chunk) -> bool:
    """Did a chunk stop at a singular configuration?"""
    return done.status in STOPS_AT_SINGULARITY and _singularity_within_step(stepper, done.checkpoint)


def _steps_have_collapsed(stepper: Stepper, start: Checkpoint, done: Chunk) -> bool:
    """Has the step size collapsed near a singular configuration?"""
    c = done.checkpoint
    steps, took = c.steps - start.steps, c.t - start.t
    return done.status is Status.PAUSED and steps * c.h < COLLAPSED_STEP * took and _singularity_within_step(stepper, c)


def _collocate_over(stepper: Stepper, start: Checkpoint, times: Floats, task: Task, done: Chunk) -> Chunk:
    """Carry a chunk that stopped at a singular configuration across it by collocation, where that succeeds."""
    c = done.checkpoint
    if not _singularity_within_step(stepper, c):
        return done
    crossing = collocate_across(stepper, start, times, task, c)
    if crossing is None:
        return done
    before, step = crossing
    end = step.at(min(step.until, task.until))
    rest = np.array([end.t]) if task.every else _remaining(times, before)
    rows = [step.at(float(t)) for t in rest[rest <= end.t]]
    return _joined(before, chunk_of(Status.DONE if end.t == task.until else Status.PAUSED, rows, end))


def _without_passage(task: Task) -> Task:
    return task._replace(pauses=False)


def _remaining(times: Floats, done: Chunk) -> Floats:
    """The output times that remain after a chunk."""
    return times[len(done.t) :]


def _chunk_before_end(stepper: Stepper, start: Checkpoint, times: Floats, task: Task) -> Chunk | None:
    """The chunk up to a time before the end, from which the integration can go on past the end."""
    for scale in SPACING_FACTORS:
        t = task.until - INTERVALS_BEFORE_END * scale * sampling_interval(stepper, start, task.until)
        if t <= start.t:
            return chunk_of(Status.PAUSED, [], start)
        done = stepper.advance(
            start, times[times <= t], _without_passage(task)._replace(until=t, steps=MOST_STEPS_TO_SAMPLE)
        )
        if done.status is Status.DONE and not _too_near_to_end_step(stepper, done.checkpoint):
            return done
    return None


def _with_rows_near_singularities(stepper: Stepper, start: Checkpoint, done: Chunk, task: Task) -> Chunk:
    """The chunk with its marked rows, those near singular configurations, interpolated from the motion around them."""
    wanted = done.marked
    if done.checkpoint.memory_of and not task.every:  # implicit steps do not mark rows
        rows = zip(done.t, done.q, done.v, strict=True)
        wanted = np.array(
            [_too_near_to_end_step(stepper, stepper.project_state(done.checkpoint, *row)) for row in rows],
            dtype=bool,
        )
    # A motion that stays near the configuration has no samples on its other side.
    hopeless = (
        MOST_FAILED_ROWS
        if _too_near_to_end_step(stepper, start) and _too_near_to_end_step(stepper, done.checkpoint)
        else 0
    )
    for k in np.flatnonzero(wanted):
        row = _state_at(stepper, start, float(done.t[k]), task) if hopeless < MOST_FAILED_ROWS else None
        hopeless = hopeless + 1 if row is None else 0
        if row is None:
            plain = stepper.project_state(done.checkpoint, done.t[k], done.q[k], done.v[k])
            row = replace(plain, work=float(done.work[k]))
        for key in ROW_FIELDS[1:]:
            getattr(done, key)[k] = getattr(row, key)
    return replace(done, near_singular=None)


def _state_at(stepper: Stepper, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time after a checkpoint: by steps that end there, or interpolated where none can."""
    if t <= start.t:
        return start
    done = stepper.advance(
        start, NO_TIMES, _without_passage(task)._replace(until=t, every=False, steps=MOST_STEPS_TO_SAMPLE)
    )
    # At a distance of 1e-3 (CLOSE) and more from the configuration a step is more accurate than interpolation.
    if done.status is Status.DONE and done.checkpoint.clearance >= CLOSE:
        return done.checkpoint
    # Implicit steps go on into the configuration, and so do explicit ones whose step size collapses there.
    clear = done.status is Status.NEAR_SINGULAR and not stepper.method.implicit(done.checkpoint)
    clear = clear and not _too_near_to_end_step(stepper, done.checkpoint)
    return interpolated_state(stepper, done.checkpoint if clear else start, t, task)


def interpolated_state(stepper: Stepper, start: Checkpoint, t: float, task: Task) -> Checkpoint | None:
    """The state at a time near a singular configuration, interpolated; None where no set of samples is good enough.

    It is accepted where the polynomials with and without the farthest sample agree in positions and velocities, and
    where it satisfies the constraints within the bounds of the run.
    """
    apart = sampling_interval(stepper, start, t)
    for offsets in SAMPLE_OFFSETS:
        for scale in SPACING_FACTORS:
            around = _sampled_states(stepper, start, t + scale * apart * np.array(offsets), task)
            if len(around) >= FEWEST_SAMPLES:
                state, rough = (_hermite_state(stepper, states, t) for states in (around, _without_farthest(around, t)))
                close = difference(stepper, state, rough) <= LARGEST_PASSAGE_ERROR * task.tol + INTERPOLATION_ROUNDING
                off = drift(stepper.system, np.array([t]), state.q[None], state.v[None])
                if close and drift_bounds(task.tol, 0.0, state.limit).holds(off):
                    return replace(state, h=max(start.h, state.h))
    return None


def _too_near_to_end_step(stepper: Stepper, c: Checkpoint) -> bool:
    """Is a state so near to a singular configuration that no step should end there?"""
    return is_near(stepper.system, c, NEARBY)


def _singularity_within_step(stepper: Stepper, c: Checkpoint) -> bool:
    """Is a state so near to a singular configuration that a step from it meets it?"""
    return is_near(stepper.system, c, CLEAR)


def _sampled_states(stepper: Stepper, start: Checkpoint, times: Floats, task: Task) -> list[Checkpoint]:
    """The states at the sample times, with the start if it lies among them; empty where one is near a singularity."""
    first = start.t > times[0] or (len(times) and times[0] - start.t < START_AS_SAMPLE * (times[1] - times[0]))
    samples, now = [start] if first else [], start
    for t in times[times > start.t + (START_AS_SAMPLE * (times[1] - times[0]) if first else 0.0)]:
        done = stepper.advance(
            now, NO_TIMES, _without_passage(task)._replace(until=float(t), every=False, steps=MOST_STEPS_TO_SAMPLE)
        )
        now = done.checkpoint
        if done.status is not Status.DONE or _too_near_to_end_step(stepper, now):
            return []
        samples.append(now)
    return samples


def _without_farthest(around: list[Checkpoint], t: float) -> list[Checkpoint]:
    """All samples but the one farthest from a time."""
    farthest = max(range(len(around)), key=lambda k: abs(around[k].t - t))
    return [c for k, c in enumerate(around) if k != farthest]


def _hermite_state(stepper: Stepper, around: list[Checkpoint], t: float) -> Checkpoint:
    """The state at a time from Hermite polynomials through q, q̇ and v, v̇ of the samples, by truncated projection."""
    system, last = stepper.system, around[-1]
    q = _hermite(t, around, lambda c: (c.q, coordinate_rates(system, c.q, c.v)))[0]
    v, vdot = _hermite(t, around, lambda c: (c.v, c.vdot))
    q = with_counted_turns(system, t, q)
    clearance = stepper.project_state(last, t, q, v).clearance
    (work,), (power,) = _hermite(t, around, lambda c: (np.array([c.work]), np.array([c.power])))
    state = truncated_state(stepper, last, t, q, v, vdot)
    return replace(state, clearance=clearance, work=float(work), power=float(power))


def _hermite(t: float, around: list[Checkpoint], of: Callable[[Checkpoint], tuple[Floats, Floats]]) -> list[Floats]:
    """Value and derivative at a time of the Hermite polynomial through values and derivatives at the samples."""
    values, slopes = (np.array(part) for part in zip(*(of(c) for c in around), strict=True))
    return list(hermite(np.array([c.t - t for c in around]), values, slopes))


def _joined(first: Chunk, second: Chunk) -> Chunk:
    return replace(second, **joined_rows(first, second), near_singular=np.concatenate([first.marked, second.marked]))
