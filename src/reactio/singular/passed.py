"""Singular poses that a run has passed: found on its own steps, quickly, to some 1e-6 s.

``reactio.singularities`` locates them to rounding and studies them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.motion import Checkpoint, integrate
from reactio.dynamics.trajectory import Trajectory
from reactio.linear.pivoted import CUT
from reactio.singular.locate import Sweep, Window, lowest, zeros
from reactio.singular.metres import WIDEST, weights
from reactio.singular.spaces import polished, spaces
from reactio.system.equations import evaluations
from reactio.system.types import System

PIECES = 4  # looks at C in every step, in short runs
LOOKS = 10_000  # at C in all
WORK = 2e10  # looks × m n min(m, n): some seconds
ROWS = 4  # on each side of a passage that polynomials go through: two steps of the integrator
THERE = 1e-5  # part of the largest singular value: what is less at a time known to 1e-6 s vanishes nearby
SETTLED = 1e-6  # of the time between looks
SAME = 1e-4  # of it: one passage found from two sides, or two motions that open together


@dataclass(frozen=True, slots=True)
class Passage:
    """A singular pose on the way."""

    t: float  # [s]
    motions: int  # that are admissible there besides those beside it


@dataclass(frozen=True, slots=True)
class Passed:
    """The singular poses of a run, in the order of time; a note instead where they were not looked for."""

    found: tuple[Passage, ...]
    note: str = ""


def passed(run: Trajectory) -> Passed:
    """The singular poses that a run has passed, or why they were not looked for.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("modified-double-four-bar"), until=1.0)
    >>> [(round(one.t, 4), one.motions) for one in passed(run).found]
    [(0.7144, 1)]
    """
    system, steps = run.system, max(1, run.steps)
    each = system.m * system.n * min(system.m, system.n)
    pieces = int(min(PIECES, LOOKS // steps, WORK / (each * steps) if each else PIECES))
    if not system.m or system.model.share_points or len(run.t) < 2:
        return Passed(())
    if pieces < 1 or system.n > WIDEST:
        size = f"{steps:,} steps and {system.m:,} × {system.n:,} numbers in C"
        return Passed((), f"Singular poses were not looked for: {size} would take too long. Use `reactio singular`.")
    pieces_of = [one for one in _sweeps(run, pieces) if len(one.t) > 2]
    rank = max((one.rank for one in pieces_of), default=0)
    return Passed(tuple(p for one in pieces_of for p in _passages(replace(one, rank=rank))))


def _sweeps(run: Trajectory, pieces: int) -> Iterator[Sweep]:
    """Each smooth piece of a run with the singular values of C, several times in every step."""
    ends = [*(one.t for one in run.segments[1:]), run.checkpoint.t]
    for begin, end in zip(run.segments, ends, strict=True):
        if end > begin.t:
            yield _sweep(run, begin, end, pieces)


def _sweep(run: Trajectory, begin: Checkpoint, end: float, pieces: int) -> Sweep:
    system, way = run.system, asdict(run.way)
    steps = run.t[(run.t >= begin.t) & (run.t <= end)]
    if len(run.t) < run.steps:  # rows were asked for: the steps are others
        steps = integrate(system, begin, end, **way).t
    edges = np.unique(np.concatenate([[begin.t], steps, [end]]))
    times = (edges[:-1, None] + np.arange(pieces) / pieces * np.diff(edges)[:, None]).ravel()
    rows = integrate(system, begin, end, output=np.append(times[1:], end), **way)
    q, v = np.vstack([begin.q, rows.q]), np.vstack([begin.v, rows.v])
    t, C = np.append(begin.t, rows.t), _matrices(system)
    sigma = np.array([np.linalg.svd(C(*row), compute_uv=False) for row in zip(t.tolist(), q, strict=True)])
    rank = int((sigma > CUT * sigma[:, :1]).sum(axis=1).max())
    return Sweep(system, t, q, v, sigma, rank, rows.status, run.tol)


def _matrices(system: System) -> Callable[[float, Floats], Floats]:
    """C (m, n) dense in metres at a time and pose, quickly."""
    indptr, indices = system.C_pattern
    of_row = np.repeat(np.arange(system.m), np.diff(indptr))
    (rows, columns), again, still = weights(system), evaluations(system), np.zeros(system.n)

    def C(t: float, q: Floats) -> Floats:
        dense = np.zeros((system.m, system.n))
        np.add.at(dense, (of_row, indices), again(t, q, still).C)
        return np.asarray(rows[:, None] * dense * columns)

    return C


def _passages(found: Sweep) -> list[Passage]:
    """The poses of one piece at which the smallest generic singular value vanishes, its start among them."""
    s, out = found.sigma[:, found.rank - 1], list[Passage]()
    if not found.rank:
        return out
    if s[0] <= CUT * found.sigma[0, 0]:
        out.append(Passage(float(found.t[0]), found.rank - spaces(found.system, found.state(0)).rank))
    for k in range(1, len(s) - 1):
        middle = lowest(found.t[k - 1 : k + 2], s[k - 1 : k + 2], edge=k in (1, len(s) - 2))
        if middle is None:
            continue
        window = _window(found, k, middle)
        for t, _ in zeros(window, found.rank, SETTLED):
            opened = found.rank - spaces(found.system, polished(found.system, window.state(t)), THERE).rank
            new = all(abs(t - other.t) > SAME * window.half for other in out)
            if opened > 0 and new and found.t[0] < t <= found.t[-1]:
                out.append(Passage(t, opened))
    return sorted(out, key=lambda one: one.t)


def _window(found: Sweep, k: int, middle: float) -> Window:
    """Polynomials through the rows around a passage, as they are."""
    from scipy.interpolate import BarycentricInterpolator

    rows = slice(max(0, k - ROWS), k + ROWS + 1)
    t = found.t[rows]
    half = float(max(middle - found.t[k - 1], found.t[k + 1] - middle))
    q, v = BarycentricInterpolator(t, found.q[rows]), BarycentricInterpolator(t, found.v[rows])
    return Window(found.system, middle, half, q, v)
