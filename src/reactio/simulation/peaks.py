"""The peak and the root mean square of every reaction component over a run, with what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, Ints
from reactio.joint_reactions.at_state import Reactions
from reactio.joint_reactions.sums import evaluated
from reactio.simulation.trajectory import Trajectory
from reactio.system.constraints import LABELS, UNITS
from reactio.system.types import System

MOST_ROWS = 120  # at which reactions are judged for peaks, each afresh; as many again beside the peaks
WORK = 60_000  # rows of C in all that are judged for peaks: some 20 s
MOST_GROUPS = 120  # joints, drives and couplings
SIZES = {"N": "|F|", "N m": "|M|"}  # magnitudes of force and moment, of the components with these units


@dataclass(frozen=True, slots=True)
class Peak:
    """One component of a reaction over a run, the magnitude |F|, |M| of all of them, or a sum."""

    name: str  # of the joint, drive, coupling or sum
    component: str  # "Fx", "|F|", or the expression of a sum
    unit: str
    verdict: str  # unique; unique at times; not unique; or the rule that the numbers are by: "by inertia"
    peak: float | None  # the value of largest size, with its sign
    t: float | None  # when [s]
    rms: float | None  # over the time for which it is known


@dataclass(frozen=True, slots=True)
class Peaks:
    """The peaks of a run, and at how many of its rows they were looked for."""

    found: tuple[Peak, ...]
    looked: int
    rows: int
    groups_left_out: int
    axes: str = "joint"  # of the components

    @property
    def words(self) -> str:
        """Where they were looked for."""
        text = f"at all {self.rows:,} rows" if self.looked == self.rows else f"at {self.looked:,} of {self.rows:,} rows"
        rest = f"; {self.groups_left_out:,} joints are left out" if self.groups_left_out else ""
        return f"looked for {text}{rest}"


def peaks(run: Trajectory, sums: Mapping[str, str] | None = None, most: int = MOST_ROWS) -> Peaks:
    """Peak, time of the peak and RMS of every component over the rows of a run, and of named ``sums`` of them.

    Of a long run evenly spaced rows are judged first, then the rows beside the peaks; fewer of a large model, and none
    where two would take too long, unless sums are asked for.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1, output=11)
    >>> next(p for p in peaks(run).found if p.component == "|F|").verdict
    'unique'
    """
    system = run.system
    if not system.m or not len(run.t):
        return Peaks((), 0, len(run.t), 0)
    most = min(most, max(2, WORK // (2 * system.m)))
    if not sums and 2 * system.m > WORK:
        return Peaks((), 0, len(run.t), len(system.reacting))
    groups = system.reacting[:MOST_GROUPS]
    rows = thinned(run.t, most)
    judged = {int(k): run.reactions_at(int(k)) for k in rows}
    if len(rows) < len(run.t):
        first = [_table(system, g.name, [judged[int(k)] for k in rows]) for g in groups]
        beside = _beside(rows, [values for _, _, values, _ in first])
        judged |= {int(k): run.reactions_at(int(k)) for k in beside[:: -(-len(beside) // most) or 1]}
    order = sorted(judged)
    t, every = run.t[order], [judged[k] for k in order]
    found = [peak for group in groups for peak in _group(run, group.name, t, every)]
    for name, expression in (sums or {}).items():
        found.append(_sum(run, name, expression, t, every))
    return Peaks(tuple(found), len(order), len(run.t), len(system.reacting) - len(groups), system.axes)


def thinned(t: Floats, most: int) -> Ints:
    """Rows nearest to evenly spaced times, each once."""
    if len(t) <= most:
        return np.arange(len(t))
    wanted = np.linspace(t[0], t[-1], most)
    return np.unique(np.abs(np.searchsorted(t, wanted)).clip(0, len(t) - 1))


def _beside(rows: Ints, tables: Sequence[Floats]) -> Ints:
    """The rows left out so far on both sides of the largest values."""
    wanted: set[int] = set()
    for values in tables:
        for column in values.T:
            if np.isfinite(column).any():
                k = int(np.nanargmax(np.abs(column)))
                wanted |= set(range(rows[max(0, k - 1)] + 1, rows[min(len(rows) - 1, k + 1)]))
    return np.array(sorted(wanted - set(rows.tolist())), dtype=int)


Table = tuple[tuple[str, ...], tuple[str, ...], Floats, Floats]


def _table(system: System, name: str, every: Sequence[Reactions]) -> Table:
    """Labels, units, values (k, c) and 1 where the model determines them (k, c), the magnitudes last."""
    rows = [found[name] for found in every]
    labels, units = LABELS[system.space], UNITS[system.space]
    parts = [row.in_axes(system.axes) for row in rows]
    values = np.array([np.concatenate([force, moment]) for force, moment, _ in parts])
    known = np.array([determined for _, _, determined in parts], dtype=float)
    if system.group(name).frames is None:
        labels, units = (("F",), ("N",)) if rows[0].force.size else (("M",), ("N m",))
        return labels, units, values, known
    for unit, size in SIZES.items():
        of = [k for k, other in enumerate(units[: len(LABELS[system.space])]) if other == unit]
        if len(of) > 1:
            labels, units = (*labels, size), (*units, unit)
            values = np.column_stack([values, np.linalg.norm(values[:, of], axis=1)])
            known = np.column_stack([known, known[:, of].min(axis=1)])
    return labels, units, values, known


def _group(run: Trajectory, name: str, t: Floats, every: Sequence[Reactions]) -> list[Peak]:
    labels, units, values, known = _table(run.system, name, every)
    noise = 1e-12 * max((np.abs(one.balanced).max(initial=0.0) for one in every), default=0.0)
    values = np.where(np.abs(values) <= noise, 0.0, values)
    return [
        _peak(run, name, label, unit, t, values[:, c], known[:, c])
        for c, (label, unit) in enumerate(zip(labels, units, strict=True))
    ]


def _sum(run: Trajectory, name: str, expression: str, t: Floats, every: Sequence[Reactions]) -> Peak:
    found = [evaluated(one, expression, name) for one in every]
    values = np.array([np.nan if one.value is None else one.value for one in found])
    return _peak(run, name, expression, found[0].unit, t, values, np.array([float(one.unique) for one in found]))


def _peak(run: Trajectory, name: str, label: str, unit: str, t: Floats, values: Floats, known: Floats) -> Peak:
    if known.all():
        verdict = "unique"
    elif run.rule is not None:
        verdict = f"by {run.rule}"
    else:
        verdict = "unique at times" if known.any() else "not unique"
    return Peak(name, label, unit, verdict, *peak_of(t, values))


def peak_of(t: Floats, values: Floats) -> tuple[float | None, float | None, float | None]:
    """The value of largest size of a column (k,), when it is there, and the RMS; None where it has no value at all."""
    there = np.isfinite(values)
    if not there.any():
        return None, None, None
    k = int(np.nanargmax(np.abs(values)))
    return float(values[k]), float(t[k]), _rms(t, values, there)


def _rms(t: Floats, values: Floats, there: NDArray[np.bool_]) -> float:
    """√(∫ x² dt / ∫ dt) over the intervals with values at both ends, x linear in between."""
    both = there[1:] & there[:-1] & (np.diff(t) > 0)
    if not both.any():
        return float(np.sqrt(np.mean(values[there] ** 2)))
    a, b, h = values[:-1][both], values[1:][both], np.diff(t)[both]
    return float(np.sqrt(((a * a + a * b + b * b) / 3 * h).sum() / h.sum()))
