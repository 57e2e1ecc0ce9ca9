"""Singular poses that a run has passed: the scan of ``reactio.singularities``, on the steps of the run itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Motion
from reactio.integrate.integrator import integrate
from reactio.kernels import expected_work
from reactio.kinematics.scaled_matrix import MOST_DENSE_VELOCITIES
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.simulation.state_history import StateHistory
from reactio.singular.passages.locate import SingularValueHistory, decomposed, passages, sample_times
from reactio.singular.second_order.null_spaces import null_spaces

MOST_SAMPLES = 50_000  # evaluations of C in all: some seconds, and memory for the states
MOST_WORK = 2e10  # samples × m n min(m, n), which decompositions cost: some seconds
# Part of the largest below which a singular value counts as zero: a located pose is known to the tolerance of a run.
VANISHING_SINGULAR_VALUE = 1e-5


@dataclass(frozen=True, slots=True)
class Passage:
    """A singular pose that a run passes."""

    t: float  # [s]
    motions: int  # admissible there in addition to those at neighbouring poses


@dataclass(frozen=True, slots=True)
class PassedSingularities:
    """The singular poses of a run, in the order of time; or a note on why they were not located."""

    found: tuple[Passage, ...]
    note: str = ""


def passed_singularities(run: StateHistory) -> PassedSingularities:
    """The singular poses that a run has passed, or why they were not located.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("modified-double-four-bar"), until=1.0)
    >>> [(round(one.t, 4), one.motions) for one in run.singular_passages.found]
    [(0.7144, 1)]
    """
    system = run.system
    if run.contacts_change:
        return PassedSingularities((), "Singular poses are not located where contacts close and open.")
    if not system.m or len(run.t) < 2:
        return PassedSingularities(())
    if system.n > MOST_DENSE_VELOCITIES or run.steps > MOST_SAMPLES:
        return PassedSingularities((), _too_long(run, run.steps))
    with expected_work(system.m, 2 * run.checkpoint.evaluations):  # for its steps, and for states between them
        parts = [(begin, _sample_times(run, begin, end)) for begin, end in _segments(run)]
        samples = sum(len(times) for _, times in parts)
        if samples > MOST_SAMPLES or samples * system.m * system.n * min(system.m, system.n) > MOST_WORK:
            return PassedSingularities((), _too_long(run, samples))
        histories = [_singular_values_along(run, begin, times) for begin, times in parts]
        rank = max((history.rank for history in histories), default=0)
        return PassedSingularities(tuple(p for history in histories for p in _passages(replace(history, rank=rank))))


def _too_long(run: StateHistory, samples: int) -> str:
    """A sentence in place of the singular poses of a run for which C would have to be evaluated too often."""
    size = f"{samples:,} evaluation{'s' * (samples != 1)} of {run.system.m:,} × {run.system.n:,} numbers in C"
    return f"Singular poses were not located: {size} would take too long. Use `reactio singular`."


def _segments(run: StateHistory) -> list[tuple[Checkpoint, float]]:
    """The smooth segments of a run: where the integrator was started, and when each ends [s]."""
    ends = [*(segment.t for segment in run.segments[1:]), run.checkpoint.t]
    return [(begin, end) for begin, end in zip(run.segments, ends, strict=True) if end > begin.t]


def _sample_times(run: StateHistory, begin: Checkpoint, end: float) -> Floats:
    """The times after the start of a segment at which C is evaluated: the rows of the run where it kept every step."""
    rows: StateHistory | Motion = run
    if len(run.t) <= run.steps or len(run.segments) > 1:
        rows = integrate(run.system, begin, end, **asdict(run.options))
    inside = (rows.t > begin.t) & (rows.t <= end)
    times = sample_times(run.system, np.append(begin.t, rows.t[inside]), np.vstack([begin.v, rows.v[inside]]))
    return times[times > begin.t]


def _singular_values_along(run: StateHistory, begin: Checkpoint, times: Floats) -> SingularValueHistory:
    """The singular values of C along a segment, with the options by which it is integrated again around passages.

    Those have projection in place of Baumgarte's method, whose drift would displace the zeros.
    """
    rows = run.rows_between(begin, times)
    t, q, v = np.append(begin.t, rows.t), np.vstack([begin.q, rows.q]), np.vstack([begin.v, rows.v])
    return decomposed(run.system, t, q, v, run.status, replace(run.options, stabilise="projection"))


def _passages(history: SingularValueHistory) -> list[Passage]:
    """The poses of one segment at which the smallest generic singular value vanishes, its start among them."""
    out = list[Passage]()
    if history.rank and history.sigma[0, history.rank - 1] <= ZERO_PIVOT * history.sigma[0, 0]:
        out.append(Passage(float(history.t[0]), history.rank - null_spaces(history.system, history.state(0)).rank))
    for t, window in passages(history):
        opened = history.rank - null_spaces(history.system, window.state(t), VANISHING_SINGULAR_VALUE).rank
        if opened > 0:
            out.append(Passage(t, opened))
    return out
