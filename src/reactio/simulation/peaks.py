"""The peak and the root mean square of every reaction component over a run, with verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints, distinct
from reactio.joint_reactions.component_history import component_history
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS, Reactions, elimination_of
from reactio.joint_reactions.springs import spring_tensions
from reactio.joint_reactions.sums import SUM_ROUNDING, evaluated
from reactio.joints import TENSION
from reactio.kernels import expected_work
from reactio.results.as_data import Result
from reactio.simulation.state_history import StateHistory
from reactio.system.memo import memoised

UNIQUE_AT_TIMES = "unique at times"  # the verdict over a run on what is unique at some of its instants
MOST_PEAK_ROWS = 80  # instants at which reactions are computed for peaks; half as many again around the peaks
OVERSAMPLING = 6  # rows of the integrator for each such instant, of which those with the largest multipliers are taken
MOST_REPEATED_WORK = 400_000  # steps times rows of C up to which a run is repeated for these rows: some 10 s
MOST_JUDGED_ROWS = 60_000  # rows of C in all whose verdicts are computed for peaks: some 20 s
MOST_GROUPS = 120  # joints, drives and couplings whose peaks are listed


@dataclass(frozen=True, slots=True)
class Peak:
    """One component of a reaction over a run, the magnitude |F|, |M| of all of them, or a sum."""

    name: str  # of the joint, drive, coupling or sum
    component: str  # "Fx", "|F|", or the expression of a sum
    unit: str
    # "unique", "unique at times", "not unique", "determined by stiffness", or the rule of the numbers: "by inertia"
    verdict: str
    peak: float | None  # the value of largest magnitude, with its sign
    t: float | None  # time of the peak [s]
    rms: float | None  # over the time for which it is known


@dataclass(frozen=True, slots=True)
class Peaks(Result):
    """The peaks of a run, and the number of instants at which they were sampled."""

    KEYS = "axes rows looked_at=looked in_doubt found"

    found: tuple[Peak, ...]
    looked: int  # instants at which reactions were computed, also between the rows of the run
    rows: int  # of the run
    groups_left_out: int
    axes: str = "joint"  # of the components
    has_sums: bool = False  # are there sums of components among them?
    in_doubt: tuple[float, ...] = ()  # times at which a verdict is ambiguous [s]

    @property
    def words(self) -> str:
        """The instants at which they were sampled, in words."""
        text = f"at all {self.rows:,} rows" if self.looked == self.rows else f"at {self.looked:,} instants of the run"
        rest = f"; {self.groups_left_out:,} joints are left out" if self.groups_left_out else ""
        return f"sampled {text}{rest}"


def peaks(run: StateHistory, sums: Mapping[str, str] | None = None, most: int = MOST_PEAK_ROWS) -> Peaks:
    """Peak, time of the peak and RMS of every component over a run, and of named ``sums`` of them.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1, output=11)
    >>> next(p for p in peaks(run).found if p.component == "|F|").verdict
    'unique'
    """
    system = run.system
    if not len(run.t):
        return Peaks((), 0, 0, 0)
    if not system.m:
        fine = run.denser(OVERSAMPLING * most)
        return Peaks(tuple(_springs(fine.t, fine.spring_tensions)), len(fine.t), len(run.t), 0, system.axes)
    if not sums and 2 * system.m > MOST_JUDGED_ROWS:
        return Peaks((), 0, len(run.t), len(system.reacting))
    t, every = instants_of_peaks(run) if most == MOST_PEAK_ROWS else judged_instants(run, most)
    return peaks_among(run, t, every, sums)


def peaks_among(
    run: StateHistory, t: Floats, every: Sequence[Reactions], sums: Mapping[str, str] | None = None
) -> Peaks:
    """The peaks of a run among its reactions at instants t (k,)."""
    system = run.system
    groups, zero = system.reacting[:MOST_GROUPS], noise(every)
    rows = [peak for group in groups for peak in _group(run, group.name, t, every, zero)]
    tensions = [spring_tensions(instant.eqs) for instant in every]
    rows += _springs(t, {name: np.array([row[name] for row in tensions]) for name in (tensions[0] if tensions else {})})
    for name, expression in (sums or {}).items():
        rows.append(_sum(run, name, expression, t, every))
    left_out = len(system.reacting) - len(groups)
    in_doubt = tuple(t[np.array([instant.answer.verdicts.ambiguous.any() for instant in every], dtype=bool)].tolist())
    return Peaks(tuple(rows), len(t), len(run.t), left_out, system.axes, bool(sums), in_doubt)


@memoised
def instants_of_peaks(run: StateHistory) -> tuple[Floats, list[Reactions]]:
    """The judged instants at which peaks of a run are sampled: tables and figures show the same ones."""
    return judged_instants(run)


def judged_instants(run: StateHistory, most: int = MOST_PEAK_ROWS) -> tuple[Floats, list[Reactions]]:
    """Reactions at instants (k,) spread over the run, at those with the largest multipliers, and then around the peaks.

    Steps of an integrator of high order may be long: rows between them are computed where that is cheap.  Reactions of
    a large model are computed at fewer instants.
    """
    system = run.system
    most = min(most, max(2, MOST_JUDGED_ROWS // (2 * system.m)))
    fine = run.denser(OVERSAMPLING * most) if run.steps * system.m <= MOST_REPEATED_WORK else run
    rows = distinct(np.append(_evenly_changing_rows(fine.t, fine.lam, most), _rows_of_largest(fine.lam, most // 4)))
    with expected_work(system.m, 2 * most, system.space):  # reactions and verdicts of every instant
        judged = dict(zip(rows.tolist(), fine.reactions_at_rows(rows.tolist()), strict=True))
        if len(rows) < len(fine.t):
            every = [judged[int(k)] for k in rows]
            first = [component_history(system, g.name, every) for g in system.reacting[:MOST_GROUPS]]
            around = _rows_around_peaks(rows, [table.with_magnitudes().values for table in first])
            further = around[:: -(-2 * len(around) // most) or 1].tolist()
            judged |= dict(zip(further, fine.reactions_at_rows(further), strict=True))
    order = sorted(judged)
    return fine.t[order], [judged[k] for k in order]


def _evenly_changing_rows(t: Floats, lam: Floats, most: int) -> Ints:
    """Rows spread evenly over the time and over the variation of the multipliers λ (k, m), at most ``most``.

    Even in s_k = t_k/T + mean_i V_ik/V_i, V_ik the total variation of λ_i up to row k: a short peak gets as many rows
    as a long one.
    """
    if len(t) <= most:
        return np.arange(len(t))
    change = np.abs(np.diff(np.nan_to_num(lam), axis=0))
    total = change.sum(axis=0)
    part = change[:, total > 0] / total[total > 0]
    step = np.diff(t) / max(float(t[-1] - t[0]), 1e-300) + (part.mean(axis=1) if part.size else 0.0)
    s = np.concatenate([[0.0], np.cumsum(step)])
    return distinct(np.searchsorted(s, np.linspace(0.0, s[-1], most)).clip(0, len(t) - 1))


def _rows_of_largest(lam: Floats, most: int) -> Ints:
    """Rows in which multipliers λ (k, m) are largest, at most ``most``: short peaks are found there."""
    if lam.size == 0:
        return np.zeros(0, dtype=int)
    return distinct(np.nan_to_num(np.abs(lam)).argmax(axis=0))[:most]


def _rows_around_peaks(rows: Ints, tables: Sequence[Floats]) -> Ints:
    """The rows between the largest values and their neighbours among ``rows``, which are left out so far."""
    wanted: set[int] = set()
    for values in tables:
        for column in values.T:
            if np.isfinite(column).any():
                k = int(np.nanargmax(np.abs(column)))
                wanted |= set(range(rows[max(0, k - 1)] + 1, rows[min(len(rows) - 1, k + 1)]))
    return np.array(sorted(wanted - set(rows.tolist())), dtype=int)


def _group(run: StateHistory, name: str, t: Floats, every: Sequence[Reactions], zero: float) -> list[Peak]:
    """The peaks of all components of a joint, drive or coupling; values below ``zero`` are rounding."""
    labels, units, values, known, stiff = component_history(run.system, name, every).with_magnitudes()
    values = np.where(np.abs(values) <= zero, 0.0, values)
    loaded = None if known.all() else ~np.array([instant[name].open for instant in every], dtype=bool)
    peaks = [
        _peak(run, name, label, unit, t, values[:, c], known[:, c], stiff[:, c], loaded)
        for c, (label, unit) in enumerate(zip(labels, units, strict=True))
    ]
    limits = [instant.linear_modes for instant in every]
    if any(limit is not None and name in limit.beyond for limit in limits):
        return [replace(peak, verdict=f"{peak.verdict}, beyond linear modes") for peak in peaks]
    return peaks


def _springs(t: Floats, tensions: Mapping[str, Floats]) -> list[Peak]:
    """The peaks of the tensions of springs, dampers and contacts that yield: loads, which are always known."""
    return [Peak(name, TENSION, "N", "unique", *peak_of(t, values)) for name, values in tensions.items()]


def noise(every: Sequence[Reactions]) -> float:
    """The size up to which reactions are rounding [N, N m]: a part of the largest, of loads, and of vᵀ M v/L."""
    sizes = [np.abs(part).max(initial=0.0) for instant in every for part in (instant.balanced, instant.eqs.Q)]
    sizes += [
        float(instant.eqs.state.v @ (instant.eqs.mass @ instant.eqs.state.v)) / instant.eqs.system.length
        for instant in every
    ]
    return SUM_ROUNDING * float(np.nanmax(sizes, initial=0.0))


def _sum(run: StateHistory, name: str, expression: str, t: Floats, every: Sequence[Reactions]) -> Peak:
    """The peak of a sum of components."""
    sums = [evaluated(instant, expression, name) for instant in every]
    values = np.array([np.nan if value.value is None else value.value for value in sums])
    unit = next((value.unit for value in sums if value.unit), "")
    known, stiff = (np.array([getattr(value, key) for value in sums], dtype=bool) for key in ("unique", "by_stiffness"))
    return _peak(run, name, expression, unit, t, values, known, stiff)


def _peak(
    run: StateHistory,
    name: str,
    label: str,
    unit: str,
    t: Floats,
    values: Floats,
    known: Bools,
    stiff: Bools,
    loaded: Bools | None = None,
) -> Peak:
    """The peak of a column (k,) with its verdict; known (k,): does the model determine it?  stiff (k,): stiffness?

    loaded (k,): not an open contact, whose zero says nothing about the load that it has to bear when it is closed.
    """
    if known.all():
        verdict = "unique"
    elif (known | stiff).all():
        verdict = DETERMINED_BY_STIFFNESS
    elif (rule := elimination_of(run.system) or run.rule) and not np.isnan(values).all():
        verdict = f"by {rule}"
    else:
        known = known if loaded is None else known & loaded
        values = np.where(known, values, np.nan)
        verdict = UNIQUE_AT_TIMES if known.any() else "not unique"
    return Peak(name, label, unit, verdict, *peak_of(t, values))


class PeakValue(NamedTuple):
    """The peak of a column; None where no value is known."""

    value: float | None  # of largest magnitude, with its sign
    t: float | None  # when [s]
    rms: float | None


def peak_of(t: Floats, values: Floats) -> PeakValue:
    """The value of largest magnitude of a column (k,) at times (k,), its time, and the RMS."""
    known = np.isfinite(values)
    if not known.any():
        return PeakValue(None, None, None)
    k = int(np.nanargmax(np.abs(values)))
    return PeakValue(float(values[k]), float(t[k]), _rms(t, values, known))


def _rms(t: Floats, values: Floats, known: Bools) -> float:
    """√(∫ x² dt / ∫ dt) over the intervals with values at both ends, x linear in between."""
    both = known[1:] & known[:-1] & (np.diff(t) > 0)
    if not both.any():
        return float(np.sqrt(np.mean(values[known] ** 2)))
    a, b, h = values[:-1][both], values[1:][both], np.diff(t)[both]
    return float(np.sqrt(((a * a + a * b + b * b) / 3 * h).sum() / h.sum()))
