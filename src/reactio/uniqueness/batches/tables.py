"""What the kernels know of all matrices of a model, and the arrays they work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import ColumnTable, RowTable
from reactio.uniqueness.near_misses import MOST_COMMON_COLUMNS


class Pattern(NamedTuple):
    """The pattern of C (m, n) in CSR form, with its groups of rows and parts of columns."""

    indptr: Ints  # (m + 1,)
    indices: Ints  # (entries,)
    group_ptr: Ints  # (g + 1,) rows of each group
    unit: Floats  # (n,) squared: 1 on velocities in m/s, 1/length² on those in rad/s
    angular: Ints  # (n,)
    shifts: int  # 1 where bodies are given by twists, whose reference points may be moved
    part_ptr: Ints  # (m + 1,) first pair (row, part of a body) of each row
    part: Ints  # (pairs,) the part: linear or angular velocities of one body
    part_body: Ints  # (pairs,) its body
    pair_of_entry: Ints  # (entries,)
    parts: int
    neighbours: Ints  # (l, 2) pairs of groups that act on common columns
    common_ptr: Ints  # (l + 1,)
    common: Ints  # the columns that the groups of each pair have in common


class Space(NamedTuple):
    """The arrays of one matrix."""

    C: Floats  # (entries,) C, then C̃
    Dr: Floats  # (m,) row scales
    dr: Floats  # (m,) squared scales of the sweeps, and those after
    dc: Floats  # (n,)
    row: Floats  # (m,) sums over rows
    column: Floats  # (n,) sums over columns
    peak: Floats  # (pairs,) logarithms of the largest entries, negative
    weight: Floats  # (pairs,)
    normal: Floats  # (parts, parts)
    s: Floats  # (parts,)
    s_before: Floats  # (parts,)
    r: Floats  # (m,)
    T: Floats  # (n, m) C̃ᵀ
    A: Floats  # (n, m) C̃ᵀ, then R
    norm: Floats  # (n,) squared lengths of what is left of each column
    order: Ints  # (n,) columns in the order of the pivots
    pivot: Ints  # (min(m, n),) the row of each pivot
    active: Ints  # (m,) rows without a pivot
    support: Ints  # (min(m, n), m) rows of each reflector
    support_size: Ints  # (min(m, n),)
    V: Floats  # (min(m, n), m) reflectors on their supports
    beta: Floats  # (min(m, n),)
    R: Floats  # (min(m, n), min(m, n)) columns of R as rows
    x: Floats  # (m + n,)
    N: Floats  # (m, m) the first p columns: null(C̃ᵀ)
    small: Floats  # (rows of the largest group, m + n) for orthogonalisations
    free: Ints  # (g,) u_X = rank B_X
    bounds: Floats  # (3,) σ_r from below, σ_{r+1} from above, the error of the entries


def pattern_of(C_pattern: tuple[Ints, Ints], rows: RowTable, columns: ColumnTable, length: float) -> Pattern:
    """The tables of a model with known bodies and units."""
    indptr, indices = (np.asarray(part, dtype=np.int64) for part in C_pattern)
    angular, part, body = columns.angular, columns.body_part, columns.body
    assert angular is not None
    assert part is not None
    assert body is not None
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    key = row * (int(part.max()) + 1) + part[indices]
    _, first, pair_of_entry = np.unique(key, return_index=True, return_inverse=True)
    part_ptr = np.searchsorted(row[first], np.arange(len(indptr)))
    acts = np.zeros((len(rows.groups), len(part)), dtype=bool)
    acts[rows.spans.owner[row], indices] = True
    shared = acts.astype(np.int64) @ acts.T.astype(np.int64)
    np.fill_diagonal(shared, 0)
    X, Y = np.nonzero(shared)
    return Pattern(
        indptr,
        indices,
        rows.ptr.astype(np.int64),
        np.where(angular, 1.0 / (length * length), 1.0),
        angular.astype(np.int64),
        int(len(columns.twists) > 0),
        part_ptr.astype(np.int64),
        part[indices[first]].astype(np.int64),
        body[indices[first]].astype(np.int64),
        pair_of_entry.astype(np.int64).ravel(),
        int(part.max()) + 1,
        np.stack([X, Y], axis=1),
        np.append(0, np.cumsum(shared[X, Y])),
        np.nonzero(acts[X] & acts[Y])[1],
    )


def space_for(pattern: Pattern) -> Space:
    """Arrays for the matrices of a pattern."""
    m, n, g = len(pattern.indptr) - 1, len(pattern.unit), len(pattern.group_ptr) - 1
    k, pairs, parts, most = min(m, n), len(pattern.part), pattern.parts, int(np.diff(pattern.group_ptr).max())

    def integers(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int64)

    return Space(
        C=np.zeros(len(pattern.indices)), Dr=np.zeros(m), dr=np.zeros(m), dc=np.zeros(n), row=np.zeros(m),
        column=np.zeros(n), peak=np.zeros(pairs), weight=np.zeros(pairs), normal=np.zeros((parts, parts)),
        s=np.zeros(parts), s_before=np.zeros(parts), r=np.zeros(m), T=np.zeros((n, m)), A=np.zeros((n, m)),
        norm=np.zeros(n), order=integers(n), pivot=integers(k), active=integers(m), support=integers(k, m),
        support_size=integers(k), V=np.zeros((k, m)), beta=np.zeros(k), R=np.zeros((k, k)), x=np.zeros(m + n),
        N=np.zeros((m, m)), small=np.zeros((2 * most, max(m, MOST_COMMON_COLUMNS))), free=integers(g),
        bounds=np.zeros(3),
    )  # fmt: skip
