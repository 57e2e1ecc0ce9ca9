"""Singular poses that a run has passed: found on its own steps, quickly, to some 1e-6 s.

``reactio.singularities`` locates them to rounding and studies them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.integrator import Checkpoint, Motion, integrate
from reactio.linear.pivoted import CUT
from reactio.simulation.trajectory import Trajectory
from reactio.singular.passages.locate import Sweep, Window, lowest, zeros
from reactio.singular.scaled_matrix import WIDEST, weights
from reactio.singular.second_order.null_spaces import polished, spaces
from reactio.system.equations import advance, evaluations
from reactio.system.types import State, System

PIECES = 8  # looks at C in every step, in short runs
LOOKS = 10_000  # at C in all
WORK = 2e10  # looks × m n min(m, n): some seconds
TOGETHER = 200  # matrices at a time
TINY = 1e-4  # of a step: differences of q along v and v̇
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
    parts = [_Part(*_steps(run, begin, end)) for begin, end in _segments(run)]
    swept = [(part, _sweep(run, part, pieces)) for part in parts if len(part.t) > 2]
    rank = max((sweep.rank for _, sweep in swept), default=0)
    return Passed(tuple(p for part, sweep in swept for p in _passages(part, replace(sweep, rank=rank))))


class _Part(NamedTuple):
    """A smooth piece of a run: its steps."""

    t: Floats  # (k,) [s]
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n)


def _segments(run: Trajectory) -> list[tuple[Checkpoint, float]]:
    ends = [*(one.t for one in run.segments[1:]), run.checkpoint.t]
    return [(begin, end) for begin, end in zip(run.segments, ends, strict=True) if end > begin.t]


def _steps(run: Trajectory, begin: Checkpoint, end: float) -> tuple[Floats, ...]:
    """t, q, v, v̇ at the ends of the steps of a segment: the rows of the run, unless others were asked for."""
    rows: Trajectory | Motion = run
    if len(run.t) <= run.steps or len(run.segments) > 1:
        rows = integrate(run.system, begin, end, **asdict(run.way))
    first = int(rows.t[0] <= begin.t)
    head = [np.array([getattr(begin, key)]) for key in _Part._fields]
    return tuple(np.concatenate([h, getattr(rows, key)[first:]]) for h, key in zip(head, _Part._fields, strict=True))


def _curve(system: System, part: _Part) -> Callable[[Floats | float], Floats]:
    """q(t) between the steps: polynomials of degree 5 with q, q̇ and q̈ of both ends.

    v̇ of the first row may not be that of the motion, where one instant does not tell it: degree 4 there, without it.
    """
    steps = np.diff(part.t)
    rates = np.empty((len(part.t), 3, system.nq))
    for k, (q, v, vdot) in enumerate(zip(part.q, part.v, part.vdot, strict=True)):
        eta = TINY * float(steps[min(k, len(steps) - 1)])
        ahead, behind = (advance(system, q, s * eta * v + 0.5 * eta * eta * vdot) for s in (1, -1))
        rates[k] = q, (ahead - behind) / (2 * eta), (ahead - 2 * q + behind) / (eta * eta)
    h = steps[:, None]
    (a, b, c), (d, e, f) = ((x[:, 0], h * x[:, 1], 0.5 * h * h * x[:, 2]) for x in (rates[:-1], rates[1:]))
    c[0] = 6 * (d - a - b)[0] - 3 * (e - b)[0] + f[0]
    d, e, f = d - a - b - c, e - b - 2 * c, f - c
    terms = np.array([a, b, c, 10 * d - 4 * e + f, -15 * d + 7 * e - 2 * f, 6 * d - 3 * e + f])

    def curve(t: Floats | float) -> Floats:
        k = np.clip(np.searchsorted(part.t, t, side="right") - 1, 0, len(steps) - 1)
        x = np.asarray((t - part.t[k]) / steps[k])[..., None]
        return np.asarray(sum(term[k] * x**power for power, term in enumerate(terms)))

    return curve


def _sweep(run: Trajectory, part: _Part, pieces: int) -> Sweep:
    """The singular values of C, several times in every step."""
    t = np.append((part.t[:-1, None] + np.arange(pieces) / pieces * np.diff(part.t)[:, None]).ravel(), part.t[-1])
    q, C = _curve(run.system, part)(t), _matrices(run.system)
    sigma = np.concatenate([
        np.linalg.svd(np.array([C(*row) for row in zip(t[at].tolist(), q[at], strict=True)]), compute_uv=False)
        for at in np.array_split(np.arange(len(t)), 1 + len(t) // TOGETHER)
    ])  # fmt: skip
    rank = int((sigma[::pieces] > CUT * sigma[::pieces, :1]).sum(axis=1).max())
    return Sweep(run.system, t, q, np.zeros((len(t), run.system.n)), sigma, rank, run.status, run.tol)


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


def _passages(part: _Part, found: Sweep) -> list[Passage]:
    """The poses of one piece at which the smallest generic singular value vanishes, its start among them."""
    s, out, curve = found.sigma[:, found.rank - 1], list[Passage](), _curve(found.system, part)
    if not found.rank:
        return out
    if s[0] <= CUT * found.sigma[0, 0]:
        out.append(Passage(float(found.t[0]), found.rank - spaces(found.system, found.state(0)).rank))
    for k in range(1, len(s) - 1):
        middle = lowest(found.t[k - 1 : k + 2], s[k - 1 : k + 2], edge=k in (1, len(s) - 2))
        if middle is None:
            continue
        window = _window(found, k, middle, curve)
        for t, _ in zeros(window, found.rank, SETTLED):
            opened = found.rank - spaces(found.system, window.state(t), THERE).rank
            new = all(abs(t - other.t) > SAME * window.half for other in out)
            if opened > 0 and new and found.t[0] < t <= found.t[-1]:
                out.append(Passage(t, opened))
    return sorted(out, key=lambda one: one.t)


def _window(found: Sweep, k: int, middle: float, curve: Callable[[Floats | float], Floats]) -> Window:
    """The motion around a passage, its poses closed."""
    still = np.zeros(found.system.n)
    half = float(max(middle - found.t[k - 1], found.t[k + 1] - middle))

    def closed(t: float) -> Floats:
        return polished(found.system, State(t, curve(t), still)).q

    return Window(found.system, middle, half, closed, lambda _: still)
