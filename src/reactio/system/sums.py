"""Rows that are sums of several measures: where the terms cancel, what is left is rounding and no constraint.

A gear of ratio 1 between two coaxial joints of the same bodies, C = z·ω − z·ω, leaves entries of 1e-17.  They are
compared with the terms that they are the sum of, never with each other: beside itself no row is small.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import WITHIN, kernel
from reactio.space.frames import PLANAR_ARM, SPATIAL_ARM
from reactio.system.plan import MeasurePlan, RowPlan, SumPlan

# Part of its terms below which a row is rounding.  Rounding itself leaves 1e-15; bodies of a motion stand at their
# joints to about 1e-12 of their size, and the axes of two joints that agree by design differ as much.
CANCELLED = 1e-11


def sum_plan(space: str, rows: RowPlan, pattern: tuple[Ints, Ints], units: tuple[str, ...], length: float) -> SumPlan:
    """The rows with several terms, and what makes their entries comparable."""
    indptr, indices = pattern
    several = np.flatnonzero(np.diff(rows.of) > 1)
    turning = np.array([unit == "rad/s" for unit in units], dtype=bool)
    return SumPlan(
        row=several.astype(np.int64),
        first=np.asarray(indptr[several], dtype=np.int64),
        last=np.asarray(indptr[several + 1], dtype=np.int64),
        weight=np.where(turning[np.asarray(indices, dtype=np.int64)], 1.0 / length, 1.0),
        length=length,
        linear=2 if space == "planar" else 3,
        arm=PLANAR_ARM if space == "planar" else SPATIAL_ARM,
    )


@kernel(**WITHIN)
def cancel(plan: SumPlan, rows: RowPlan, measures: MeasurePlan, D: Floats, F: Floats, C: Floats, terms: Floats) -> None:
    """Rows of C whose terms cancel become zero; ``terms`` (m,): the size of the terms of each row with several.

    terms = Σ |k| (|D_v| (1 + arm/L) + |D_ω|/L)          [as an entry on a velocity in m/s]
    """
    for s in range(plan.row.shape[0]):
        i = plan.row[s]
        size = 0.0
        for j in range(rows.of[i], rows.of[i + 1]):
            size += abs(rows.factor[j]) * term_size(plan, measures, rows.measure[j], D, F)
        terms[i] = size
        largest = 0.0
        for k in range(plan.first[s], plan.last[s]):
            largest = max(largest, abs(C[k]) * plan.weight[k])
        if largest <= CANCELLED * size:
            for k in range(plan.first[s], plan.last[s]):
                C[k] = 0.0


@kernel(**WITHIN)
def term_size(plan: SumPlan, measures: MeasurePlan, i: int, D: Floats, F: Floats) -> float:
    """How large the entries of one measure are before they are added to others."""
    size = 0.0
    half = D.shape[1] // 2
    for side in range(2):
        f = measures.table[i, side]
        reach = 0.0
        for k in range(plan.linear):
            reach += abs(F[f, plan.arm + k])
        for k in range(half):
            part = abs(D[i, side * half + k])
            size += part * (1.0 + reach / plan.length) if k < plan.linear else part / plan.length
    return size
