"""The loop of a run with events: pieces are integrated, searched for events, and cut at the first that acts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventFunction, EventKind, Occurrence, RunWithEvents, sign
from reactio.events.impact import gap_motion, impact, stays_at_rest
from reactio.events.locate import Crossing, EventRun, EventSamples, closes, crossings, sample_events, signs_before
from reactio.integrate.checkpoint import Checkpoint, Chunk, chunk_of
from reactio.integrate.integrator import as_motion, checked_times, first_row, prepare_integrator, run_begin
from reactio.integrate.longest_step import longest_step
from reactio.integrate.loop import Task
from reactio.integrate.options import RunRequest, checked_options
from reactio.integrate.rows import rows_of
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.linear.precision import GEOMETRY, ROUNDOFF
from reactio.model.events import CrossingDirection
from reactio.system.types import State, System

FIRST_CHUNK_STEPS = 4  # of the first piece and of one after an impact, which often ends early; later ones are longer
# Distance by which a start may lie beyond a stop [characteristic lengths, rad]: poses are assembled to this.
START_TOLERANCE = GEOMETRY
IMPACT_ROUNDING = ROUNDOFF  # the same for states after an impact, which lie on the stop up to rounding
DIRECTIONS = {1: CrossingDirection.RISING, -1: CrossingDirection.FALLING}


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece of a run with its events, whose rows count from the first row of the piece."""

    chunk: Chunk
    events: tuple[Occurrence, ...] = ()
    restarted: bool = False  # does the integrator start anew at the checkpoint, after an impact?


def run_with_events(
    system: System, state: State | Checkpoint, functions: tuple[EventFunction, ...], request: RunRequest
) -> RunWithEvents:
    """The motion as ``integrate`` gives it, with events; each adds a row, an impact one before and one after it."""
    until, options, every, on_chunk = request.until, request.options, request.output is None, request.on_chunk
    times = checked_times(state, until, request.output)
    integrator, now = prepare_integrator(system, state, checked_options(options), until)
    longest = longest_step(system, run_begin(state), until)
    task = Task(float(until), options.tol, 0.0, 0, every, now.limit, now.extent, longest)
    run = EventRun(integrator, options, functions, task)
    pieces = [] if isinstance(state, Checkpoint) else [Piece(first_row(now, times, every))]
    pieces.append(first_piece(run, now, fresh=not isinstance(state, Checkpoint)))
    start, size = now, FIRST_CHUNK_STEPS
    while pieces[-1].chunk.status is Status.PAUSED:
        try:
            now = pieces[-1].chunk.checkpoint
            pieces.append(next_piece(run, now, min(size, request.chunk), times[times > now.t]))
            size = FIRST_CHUNK_STEPS if pieces[-1].restarted else 2 * size
            if on_chunk is not None and on_chunk(pieces[-1].chunk):
                break
        except KeyboardInterrupt:
            if on_chunk is None or pieces[-1].chunk.checkpoint.t == start.t:
                raise  # the caller could not notice that the motion is incomplete, or no step is done yet
            break
    last = pieces[-1].chunk
    motion = as_motion(system, [interval.chunk for interval in pieces], last.status, last.checkpoint, start, options)
    return RunWithEvents(motion, _numbered(pieces), (start, *(p.chunk.checkpoint for p in pieces if p.restarted)))


def _numbered(pieces: list[Piece]) -> tuple[Occurrence, ...]:
    """All events, with rows counted from the start of the run."""
    events, first = [], 0
    for interval in pieces:
        events += [replace(event, row=first + event.row) for event in interval.events]
        first += len(interval.chunk.t)
    return tuple(events)


def first_piece(run: EventRun, now: Checkpoint, *, fresh: bool) -> Piece:
    """The piece before the first step, in which the event functions get their signs.

    A coordinate beyond its stop is refused; one on its stop has an impact, or rests there, at once.  ``fresh``: the run
    is not resumed from a checkpoint.
    """
    state = run.event_state(now.t, now.q, now.v)
    values = [watch(state) for watch in run.functions]
    known = now.signs if len(now.signs) == len(run.functions) else (0,) * len(run.functions)
    signs = [
        (s or sign(value)) if watch.gap_rate is None else 1
        for watch, value, s in zip(run.functions, values, known, strict=True)
    ]
    begun = replace(now, signs=tuple(signs))
    no_rows = chunk_of(Status.PAUSED, [], begun)
    for w, watch in enumerate(run.functions):
        slack = (max(START_TOLERANCE, run.task.tol) if fresh else IMPACT_ROUNDING) * watch.scale
        if watch.kind is not EventKind.STOP or values[w] > slack:
            continue
        if fresh and values[w] < -slack:
            raise ReactioError(
                f"stop '{watch.name}': {watch.along} starts {-values[w]:.6g} beyond its limit; "
                "begin inside, or move the limit."
            )
        rate, acceleration = gap_motion(state, watch, now.vdot)
        if rate < 0.0 or stays_at_rest(rate, acceleration, run.task.tol * watch.scale):
            return _ending_with(run, Crossing(now.t, w, -1, begun), signs, no_rows, [], now.t)
    return Piece(no_rows)


def next_piece(run: EventRun, now: Checkpoint, steps: int, times: Floats) -> Piece:
    """A number of steps, or those up to the first event that ends or changes the motion."""
    samples = sample_events(run, now, steps, times)
    signs, recorded = list(now.signs), []
    for crossing in crossings(run, samples, signs):
        watch = run.functions[crossing.function]
        if watch.action is EventAction.RECORD:
            recorded.append(crossing)
        elif closes(run, crossing):
            before = signs_before(run, samples, signs, crossing.t)
            for earlier in recorded:
                before[earlier.function] = earlier.sign
            return _ending_with(run, crossing, before, _rows(run, samples, times, crossing.t), recorded, now.t)
    checkpoint = replace(samples.ends.checkpoint, signs=tuple(signs_before(run, samples, signs, np.inf)))
    rows = replace(_rows(run, samples, times, np.inf), status=samples.ends.status, checkpoint=checkpoint)
    return _with_events(run, rows, recorded, now.t)


def _rows(run: EventRun, samples: EventSamples, times: Floats, before: float) -> Chunk:
    """The rows of output of a piece before a time."""
    wanted = samples.ends.t if run.task.every else times
    rows = samples.rows
    keep = np.isin(rows.t, wanted) & (rows.t < before)
    return replace(rows, **rows_of(rows, keep))


def _with_row(rows: Chunk, at: Checkpoint, place: int) -> Chunk:
    """The rows with one more at a place."""
    parts = {key: np.insert(getattr(rows, key), place, getattr(at, key), axis=0) for key in ROW_FIELDS}
    return replace(rows, **parts)


def _with_events(run: EventRun, rows: Chunk, recorded: list[Crossing], start: float) -> Piece:
    """The rows with those of recorded events; a row that exists at the same time, or before the piece, is used."""
    events = []
    for crossing in recorded:
        place = int(np.searchsorted(rows.t, crossing.t))
        if crossing.t > start and not (place < len(rows.t) and rows.t[place] == crossing.t):
            rows = _with_row(rows, crossing.at, place)
        events.append(_occurrence(run, crossing, place if crossing.t > start else -1))
    return Piece(rows, tuple(events))


def _occurrence(run: EventRun, crossing: Crossing, row: int) -> Occurrence:
    """A crossing as an event, in a row of its piece; −1 is the row before the piece."""
    watch, at = run.functions[crossing.function], crossing.at
    direction = DIRECTIONS[crossing.sign * watch.side]  # of the coordinate; the gap to a stop always closes
    return Occurrence(watch.name, watch.kind, crossing.t, direction, watch.action, row, at.q, at.v, at.v)


def _ending_with(
    run: EventRun, last: Crossing, signs: list[int], rows: Chunk, recorded: list[Crossing], start: float
) -> Piece:
    """A piece that ends with an event: the run stops there, or continues after an impact."""
    watch = run.functions[last.function]
    before = _with_events(run, rows, recorded, start)
    event = _occurrence(run, last, len(before.chunk.t))
    full = _with_row(before.chunk, last.at, len(before.chunk.t))
    if watch.action is not EventAction.IMPACT:
        signs[last.function] = last.sign
        checkpoint = replace(last.at, signs=tuple(signs))
        return Piece(replace(full, status=Status.EVENT, checkpoint=checkpoint), (*before.events, event))
    return _after_impact(run, last, signs, Piece(full, (*before.events, event)))


def _after_impact(run: EventRun, last: Crossing, signs: list[int], before: Piece) -> Piece:
    """The continuation after an impact, unless the coordinate rests on its stop."""
    watch, at = run.functions[last.function], last.at
    jump = impact(run.event_state(at.t, at.q, at.v), watch)
    _, new = prepare_integrator(run.system, State(at.t, at.q, jump.v), run.options, at.t)
    rate, acceleration = gap_motion(run.event_state(new.t, new.q, new.v), watch, new.vdot)
    rests = stays_at_rest(rate, acceleration, run.task.tol * watch.scale)
    # The first step ends at the top of a low rebound at the latest, so that samples lie within it.
    h = min(new.h, rate / -acceleration) if acceleration < 0.0 and not rests else new.h
    checkpoint = replace(
        new,
        h=h,
        work=at.work,
        limit=at.limit,
        steps=at.steps,
        rejected=at.rejected,
        evaluations=at.evaluations + 1,
        stiff=at.stiff,
        signs=tuple(signs),
    )
    action = EventAction.REST if rests else EventAction.IMPACT
    event = replace(before.events[-1], action=action, v_after=new.v, work=jump.work)
    rows = _with_row(before.chunk, checkpoint, len(before.chunk.t))
    status = Status.RESTING if rests else Status.PAUSED
    return Piece(replace(rows, status=status, checkpoint=checkpoint), (*before.events[:-1], event), not rests)
