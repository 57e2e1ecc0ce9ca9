"""Event functions sampled along a piece of a run, and their sign changes located between two samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventFunction, sign
from reactio.events.event_state import EventState, Reader
from reactio.events.root import root
from reactio.integrate.checkpoint import Checkpoint, Chunk
from reactio.integrate.integrator import Integrator
from reactio.integrate.loop import SMALLEST_STEP, Task
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.singular_passage.interpolate import MOST_STEPS_TO_SAMPLE, NO_TIMES
from reactio.integrate.status import Status
from reactio.linear.precision import ROUNDOFF
from reactio.system.plan import MEASURE_MEMORY
from reactio.system.types import System

# Samples inside each step besides its end.  Two zero crossings of one function between two samples are not detected,
# nor is a function that touches zero without changing sign.
SAMPLES_INSIDE_STEP = 3
TIME_ACCURACY = ROUNDOFF / 10  # of located crossings [s]; rounding of t where that is larger
# Depth beyond a limit [EventFunction.scale] that is rounding, as after an impact without rebound.
NEGLIGIBLE_DEPTH = ROUNDOFF
# Largest change in one step of an angle that is counted over full turns [rad]: beyond half a turn the count is lost.
LARGEST_TURN = 2.5
SHORTENED_TURN = 0.8  # part of it that a first step, which turned too far, is shortened to


@dataclass(frozen=True, slots=True, eq=False)
class EventRun:
    """The constant data of a run with events."""

    integrator: Integrator
    options: IntegrationOptions
    functions: tuple[EventFunction, ...]
    task: Task
    readers: dict[str, Reader] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The system in motion."""
        return self.integrator.system

    def event_state(self, t: float, q: Floats, v: Floats) -> EventState:
        """A state of this run as an argument of event functions."""
        return EventState(self.system, float(t), q, v, self.readers)

    def run_chunk(
        self, start: Checkpoint, steps: int, *, until: float | None = None, times: Floats = NO_TIMES
    ) -> Chunk:
        """Some steps from a checkpoint, with rows at the given times; without times, after every step."""
        every = not len(times)
        task = self.task._replace(steps=steps, every=every, until=self.task.until if until is None else until)
        return self.integrator.run_chunk(start, times, task)


@dataclass(frozen=True, slots=True, eq=False)
class EventSamples:
    """Rows of a piece at which the event functions were evaluated, in the order of time."""

    start: Checkpoint
    ends: Chunk  # the ends of the steps
    rows: Chunk  # all samples, times of output included
    values: Floats  # (k, functions)


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """A located sign change."""

    t: float  # [s]
    function: int  # its number among the functions of the run
    sign: int  # after it
    at: Checkpoint  # the state there, by a step of the integrator that ends there


def sample_events(run: EventRun, start: Checkpoint, steps: int, times: Floats) -> EventSamples:
    """Samples over a number of steps; the integrator repeats the steps with rows at the samples inside them."""
    start, ends = _with_counted_turns(run, start, run.run_chunk(start, steps))
    if not len(ends.t):
        return EventSamples(start, ends, ends, np.zeros((0, len(run.functions))))
    edges = np.concatenate([[start.t], ends.t])
    parts = np.arange(1, SAMPLES_INSIDE_STEP + 1) / (SAMPLES_INSIDE_STEP + 1)
    inside = (edges[:-1, None] + np.diff(edges)[:, None] * parts).ravel()
    asked = times[times <= ends.t[-1]]
    wanted = np.unique(np.concatenate([inside, asked, ends.t]))
    rows = run.run_chunk(start, len(ends.t), times=wanted[wanted > start.t])
    values = [[watch(now) for watch in run.functions] for now in map(run.event_state, rows.t, rows.q, rows.v)]
    return EventSamples(start, ends, rows, np.array(values).reshape(len(rows.t), len(run.functions)))


def _with_counted_turns(run: EventRun, start: Checkpoint, ends: Chunk) -> tuple[Checkpoint, Chunk]:
    """The steps before the first in which a counted angle turns too far; the first step itself is shortened instead."""
    counted = run.system.plan.measures.table[:, MEASURE_MEMORY] >= 0
    if not counted.any() or not len(ends.t):
        return start, ends
    rates = [np.abs(run.event_state(start.t, start.q, start.v).work.rate[counted]).max()]
    for k, (t, q, v) in enumerate(zip(ends.t, ends.q, ends.v, strict=True)):
        rates.append(np.abs(run.event_state(t, q, v).work.rate[counted]).max())
        before = start.t if k == 0 else ends.t[k - 1]
        if (t - before) * max(rates[-2:]) <= LARGEST_TURN:
            continue
        if k:
            return start, run.run_chunk(start, k)
        shorter = replace(start, h=min(0.5 * (t - before), SHORTENED_TURN * LARGEST_TURN / max(rates)))
        return _with_counted_turns(run, shorter, run.run_chunk(shorter, 1))
    return start, ends


def crossings(run: EventRun, samples: EventSamples, signs: Sequence[int]) -> list[Crossing]:
    """All sign changes of a piece in the order of time; ``signs`` are those of the functions before it.

    Sign changes after the first event that ends the piece are left out where that is known without locating them.
    """
    located: list[Crossing] = []
    ends: Crossing | None = None
    for w, watch in enumerate(run.functions):
        before, last = signs[w], -1
        for k in np.flatnonzero(samples.values[:, w]):
            now = sign(samples.values[k, w])
            if before and now != before and watch.direction in (0, now):
                if ends is not None and _is_after(run, samples, w, now, last, int(k), ends):
                    break
                located.append(_located(run, samples, w, now, last, int(k)))
                if watch.action is not EventAction.RECORD and closes(run, located[-1]):
                    ends = located[-1] if ends is None or located[-1].t < ends.t else ends
            before, last = now, int(k)
        if watch.gap_rate is not None:
            located += _brief_closings(run, samples, w)
    return sorted(located, key=lambda crossing: crossing.t)


def closes(run: EventRun, crossing: Crossing) -> bool:
    """Does a gap close?  It may also be negative by rounding while it grows; functions without a rate always count."""
    rate = run.functions[crossing.function].gap_rate
    return rate is None or rate(_event_state_at(run, crossing.at)) < 0.0


def _is_after(run: EventRun, samples: EventSamples, w: int, sign_after: int, last: int, k: int, ends: Crossing) -> bool:
    """Does function w change sign between the samples ``last`` and k after the event that ends the piece?"""
    a = samples.start.t if last < 0 else float(samples.rows.t[last])
    if not a < ends.t:
        return True
    return ends.t < samples.rows.t[k] and sign(run.functions[w](_event_state_at(run, ends.at))) == -sign_after


def _brief_closings(run: EventRun, samples: EventSamples, w: int) -> list[Crossing]:
    """Closings of a gap that opens again before the next sample: the gap has a negative minimum between two samples."""
    watch, start, rows, closings = run.functions[w], samples.start, samples.rows, []
    growing = watch.gap_rate
    assert growing is not None, "a gap has a rate"
    begin = _event_state_at(run, start)
    times, gaps = [start.t, *rows.t.tolist()], [watch(begin), *samples.values[:, w].tolist()]
    rates = [growing(begin), *(growing(run.event_state(*row)) for row in zip(rows.t, rows.q, rows.v, strict=True))]
    for k in range(1, len(rates)):
        a, b = times[k - 1 : k + 1]
        if not (min(gaps[k - 1 : k + 1]) > 0.0 and rates[k - 1] < 0.0 < rates[k]):
            continue
        base = _step_end_before(run, samples, a)

        def rate(t: float, base: Checkpoint = base) -> float:
            return growing(_event_state_at(run, state_at(run, base, t)))

        def gap(t: float, base: Checkpoint = base) -> float:
            return watch(_event_state_at(run, state_at(run, base, t)))

        lowest = root(rate, a, b, (rate(a), rate(b)), TIME_ACCURACY)
        ends = gap(a), gap(lowest)
        if ends[1] < -NEGLIGIBLE_DEPTH * watch.scale and ends[0] > 0.0:
            t = root(gap, a, lowest, ends, TIME_ACCURACY)
            closings.append(Crossing(t, w, -1, state_at(run, base, t)))
    return closings


def _step_end_before(run: EventRun, samples: EventSamples, t: float) -> Checkpoint:
    """The end of the last step before a time."""
    steps = int(np.searchsorted(samples.ends.t, t, side="right"))
    return run.run_chunk(samples.start, steps).checkpoint if steps else samples.start


def signs_before(run: EventRun, samples: EventSamples, signs: Sequence[int], t: float) -> list[int]:
    """The last nonzero sign of each function before a time.

    A gap counts as positive: rounding may leave it negative while it grows.
    """
    sampled: Ints = np.sign(samples.values[samples.rows.t < t]).astype(int)
    last = [int(column[column != 0][-1]) if column.any() else s for s, column in zip(signs, sampled.T, strict=True)]
    return [s if watch.gap_rate is None else 1 for watch, s in zip(run.functions, last, strict=True)]


def _located(run: EventRun, samples: EventSamples, w: int, after: int, last: int, k: int) -> Crossing:
    """The zero of function w between the samples ``last`` (−1: the start) and k, by bracketing on integrator steps."""
    a = samples.start.t if last < 0 else float(samples.rows.t[last])
    b = float(samples.rows.t[k])
    base = _step_end_before(run, samples, a)

    def value(t: float) -> float:
        return run.functions[w](_event_state_at(run, state_at(run, base, t)))

    # Samples inside a step are interpolated: by their error the zero may lie outside the two samples.  A function that
    # jumps with the velocities at an impact changes sign there.
    ends = value(a), value(b)
    if sign(ends[0]) in (0, after):
        t = a
    elif sign(ends[1]) != after:
        t = b
    else:
        t = root(value, a, b, ends, TIME_ACCURACY)
    return Crossing(t, w, after, state_at(run, base, t))


def _event_state_at(run: EventRun, at: Checkpoint) -> EventState:
    """The state of a checkpoint as an argument of event functions."""
    return run.event_state(at.t, at.q, at.v)


def state_at(run: EventRun, base: Checkpoint, t: float) -> Checkpoint:
    """The state at a time shortly after a checkpoint, by a step of the integrator that ends there."""
    if t - base.t <= SMALLEST_STEP * max(abs(base.t), abs(t)):
        return base
    reached = run.run_chunk(base, MOST_STEPS_TO_SAMPLE, until=t)
    if reached.status is not Status.DONE:
        raise ReactioError(f"The motion cannot be followed to t = {t:.6g} s. {reached.status.value}")
    return reached.checkpoint
