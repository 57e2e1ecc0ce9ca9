"""Rows that are sums of several measures: where terms cancel on a body, the entries that remain are rounding.

A gear of ratio 1 between two coaxial joints of the same bodies, C = z·ω − z·ω, leaves entries of 1e-17.  An entry is
compared with the terms that it is the sum of, not with the other entries of its row, which may all be rounding.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.frames import PLANAR_ARM, SPATIAL_ARM
from reactio.system.plan import ENTRY_C, ENTRY_FRAME, ENTRY_MEASURE, ENTRY_SIDE, EntryPlan, RowPlan, SumPlan

# Part of its terms below which a sum is rounding.  Rounding alone leaves 1e-15; during a motion joints are closed to
# about 1e-12 of the size of the bodies, and the axes of two joints that coincide by design differ as much.
CANCELLED = 1e-11


def sum_plan(
    space: str,
    rows: RowPlan,
    entries: EntryPlan,
    pattern: tuple[Ints, Ints],
    body_v: Ints,
    units: tuple[str, ...],
    length: float,
) -> SumPlan:
    """The entries of rows with several terms, one sum for each body they act on, and what makes them comparable."""
    indptr, indices = pattern
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    body = np.searchsorted(body_v, indices, side="right") - 1
    first = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(body, prepend=-1))
    last = np.append(first[1:], len(indices))
    chosen = np.diff(rows.start)[row[first]] > 1
    first, last = first[chosen], last[chosen]
    slot = entries.table[:, ENTRY_C]
    of = np.searchsorted(first, slot, side="right") - 1
    inside = np.flatnonzero((of >= 0) & (slot < last[np.maximum(of, 0)])) if len(first) else np.zeros(0, dtype=np.int64)
    term = inside[np.argsort(of[inside], kind="stable")]
    turning = np.array([unit == "rad/s" for unit in units], dtype=bool)
    return SumPlan(
        row=row[first].astype(np.int64),
        first=first.astype(np.int64),
        last=last.astype(np.int64),
        start=np.searchsorted(of[term], np.arange(len(first) + 1)).astype(np.int64),
        term=term.astype(np.int64),
        weight=np.where(turning[np.asarray(indices, dtype=np.int64)], 1.0 / length, 1.0),
        length=length,
        linear=2 if space == "planar" else 3,
        arm=PLANAR_ARM if space == "planar" else SPATIAL_ARM,
    )


@kernel(**NO_ARRAYS)
def cancel(plan: SumPlan, entries: EntryPlan, D: Floats, F: Floats, C: Floats, uncancelled: Floats) -> None:
    """Sums whose terms cancel become zero; ``uncancelled`` (m,): the largest sum of each row over its terms.

    terms = Σ |k| (|D_v| (1 + arm/L) + |D_ω|/L)          [as an entry on a velocity in m/s]
    """
    for s in range(plan.row.shape[0]):
        uncancelled[plan.row[s]] = 0.0
    for s in range(plan.row.shape[0]):
        size, largest = 0.0, 0.0
        for j in range(plan.start[s], plan.start[s + 1]):
            size += term_size(plan, entries, plan.term[j], D, F)
        for k in range(plan.first[s], plan.last[s]):
            largest = max(largest, abs(C[k]) * plan.weight[k])
        if largest <= CANCELLED * size:
            for k in range(plan.first[s], plan.last[s]):
                C[k] = 0.0
        else:
            uncancelled[plan.row[s]] = max(uncancelled[plan.row[s]], largest / size)


@kernel(**NO_ARRAYS)
def term_size(plan: SumPlan, entries: EntryPlan, e: int, D: Floats, F: Floats) -> float:
    """How large the entries of one term on one body are before they are added to others."""
    i, f, half = entries.table[e, ENTRY_MEASURE], entries.table[e, ENTRY_FRAME], D.shape[1] // 2
    first = half * entries.table[e, ENTRY_SIDE]
    arm, size = 0.0, 0.0
    for k in range(plan.linear):
        arm += abs(F[f, plan.arm + k])
    for k in range(half):
        part = abs(D[i, first + k])
        size += part * (1.0 + arm / plan.length) if k < plan.linear else part / plan.length
    return size * abs(entries.factor[e])  # type: ignore[no-any-return]
