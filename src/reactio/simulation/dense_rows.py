"""States between the rows of a run, from a repetition of its steps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats, distinct
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion
from reactio.integrate.integrator import as_motion, prepare_integrator
from reactio.integrate.longest_step import longest_step
from reactio.integrate.loop import Task
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.kernels import compiling, foreseen

if TYPE_CHECKING:
    from reactio.simulation.trajectory import Trajectory

STEPS_PER_PIECE = 200  # between two looks at the status of the integrator
EVALUATIONS_PER_ROW = 2  # that a row between steps takes: its projection, and its multipliers


def rows_between(run: Trajectory, start: Checkpoint, times: Floats) -> Motion:
    """Rows at increasing times (k,) after the start of one of the segments of a run, by the options of that run.

    Ctrl-C discards them: unlike the rows of a run, some of them alone are of no use.
    """
    evaluations = run.checkpoint.evaluations + EVALUATIONS_PER_ROW * len(times)  # of its steps again, and of the rows
    with foreseen(run.system.m, evaluations):
        start = replace(start, compiled=start.compiled or compiling())
    integrator, now = prepare_integrator(run.system, start, run.options, float(times[-1]))
    longest = longest_step(run.system, run.segments[0].t if run.segments else start.t, run.until)
    task = Task(float(times[-1]), run.tol, 0.0, STEPS_PER_PIECE, False, start.limit, start.extent, longest)
    pieces: list[Chunk] = []
    while not pieces or pieces[-1].status is Status.PAUSED:
        pieces.append(integrator.run_chunk(now, times, task))
        now, times = pieces[-1].checkpoint, times[len(pieces[-1].t) :]
    return as_motion(run.system, pieces, pieces[-1].status, now, start, run.options)


def with_rows_between(run: Trajectory, rows: int) -> Trajectory:
    """The run with about so many evenly spaced rows in addition to its own, by repeating its steps.

    Each segment keeps its first and last row, so that jumps at impacts stay jumps.  A run with more rows is unchanged.
    """
    if len(run.t) >= rows or len(run.t) < 2 or not run.segments:
        return run
    last = float(run.t[-1])
    whole = last - run.segments[0].t
    ends = [*(one.t for one in run.segments[1:]), last]
    parts: list[dict[str, Any]] = []
    row_before = {}  # time of an impact → row before it
    for start, end in zip(run.segments, ends, strict=True):
        if parts:
            row_before[start.t] = sum(len(part["t"]) for part in parts) - 1
        parts.append(_segment(run, start, end, max(2, round(rows * (end - start.t) / whole))))
    joined: dict[str, Any] = {key: np.concatenate([part[key] for part in parts]) for key in ROW_FIELDS}
    places = [row_before.get(event.t, int(np.searchsorted(joined["t"], event.t))) for event in run.events]
    events = tuple(replace(event, row=place) for event, place in zip(run.events, places, strict=True))
    return replace(run, **joined, events=events)


def _segment(run: Trajectory, start: Checkpoint, end: float, rows: int) -> dict[str, Any]:
    """Rows of one segment, its start among them."""
    head = {key: np.array([getattr(start, key)]) for key in ROW_FIELDS}
    if end <= start.t:
        return head
    own = run.t[(run.t > start.t) & (run.t < end)]
    times = distinct(np.concatenate([np.linspace(start.t, end, rows)[1:], own]))
    rest = rows_between(run, start, times)
    return {key: np.concatenate([head[key], getattr(rest, key)]) for key in ROW_FIELDS}
