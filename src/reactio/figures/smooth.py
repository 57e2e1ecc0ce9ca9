"""Rows between the rows of a run, so that curves are drawn round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio.integrate.integrator import Checkpoint
from reactio.simulation.dense_rows import rows_between
from reactio.simulation.trajectory import Trajectory

ROWS = 400  # of a curve on paper
KEYS = ("t", "q", "v", "vdot", "lam")


def smooth(run: Trajectory, rows: int = ROWS) -> Trajectory:
    """The run with about so many evenly spaced rows, which the integrator is asked for segment by segment.

    Each segment keeps its first and last row, so that jumps at impacts stay jumps.  A run with more rows is left as is.
    """
    if len(run.t) >= rows or len(run.t) < 2 or not run.segments:
        return run
    last = float(run.t[-1])
    whole = last - run.segments[0].t
    ends = [*(one.t for one in run.segments[1:]), last]
    parts: list[dict[str, Any]] = []
    behind = {}  # time of an impact → row before it
    for start, end in zip(run.segments, ends, strict=True):
        if parts:
            behind[start.t] = sum(len(part["t"]) for part in parts) - 1
        parts.append(_segment(run, start, end, max(2, round(rows * (end - start.t) / whole))))
    joined: dict[str, Any] = {key: np.concatenate([part[key] for part in parts]) for key in KEYS}
    places = [behind.get(event.t, int(np.searchsorted(joined["t"], event.t))) for event in run.events]
    events = tuple(replace(event, row=place) for event, place in zip(run.events, places, strict=True))
    return replace(run, **joined, events=events)


def _segment(run: Trajectory, start: Checkpoint, end: float, rows: int) -> dict[str, Any]:
    """Rows of one segment, its start among them."""
    head = {key: np.array([getattr(start, key)]) for key in KEYS}
    if end <= start.t:
        return head
    times = np.linspace(start.t, end, rows)[1:]
    rest = rows_between(run, start, times)
    return {key: np.concatenate([head[key], getattr(rest, key)]) for key in KEYS}
