"""What the kernels know of all matrices of a model, and the arrays they work in."""

from __future__ import annotations

from threading import Lock
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
    angular: Ints  # (n,) 1 on velocities in rad/s
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

    unit: Floats  # (n,) squared: 1 on velocities in m/s, 1/length² on those in rad/s
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


class SharedPattern(NamedTuple):
    """The tables of all models of one topology, and arrays for their matrices that nobody uses."""

    pattern: Pattern
    spare: list[Space]

    def space(self, length: float) -> Space:
        """Arrays for a matrix with this characteristic length [m]; who takes them puts them back into ``spare``."""
        # Of this thread alone from here on: taking out and adding back are one operation each.
        space = self.spare.pop() if self.spare else space_for(self.pattern)
        space.unit[:] = np.where(self.pattern.angular, 1.0 / (length * length), 1.0)
        return space


MOST_PATTERNS = 64  # that are kept: a sweep over a parameter has one, of some ten kilobytes
_patterns: dict[tuple[bytes, ...], SharedPattern] = {}
_keeping = Lock()


def pattern_of(C_pattern: tuple[Ints, Ints], rows: RowTable, columns: ColumnTable) -> SharedPattern:
    """The tables of a model with known bodies and units; those of models that differ in dimensions are the same."""
    assert columns.angular is not None
    assert columns.body_ptr is not None
    topology = (*C_pattern, rows.ptr, columns.angular, columns.body_ptr)
    key = tuple([part.tobytes() for part in topology])
    if (known := _patterns.get(key)) is None:
        known = SharedPattern(_pattern(C_pattern, rows, columns), [])
        with _keeping:
            _patterns[key] = known
            while len(_patterns) > MOST_PATTERNS:
                del _patterns[next(iter(_patterns))]
    return known


def _pattern(C_pattern: tuple[Ints, Ints], rows: RowTable, columns: ColumnTable) -> Pattern:
    indptr, indices = (np.asarray(part, dtype=np.int64) for part in C_pattern)
    angular, part, body = columns.angular, columns.body_part, columns.body
    assert angular is not None
    assert part is not None
    assert body is not None
    m, n, parts, groups = len(indptr) - 1, len(part), int(part.max()) + 1, len(rows.groups)
    row = np.repeat(np.arange(m), np.diff(indptr))
    key, is_pair = row * parts + part[indices], np.zeros(m * parts, dtype=np.int64)
    is_pair[key] = 1
    pairs, body_of_part = np.flatnonzero(is_pair), np.zeros(parts, dtype=np.int64)
    body_of_part[part] = body
    part_of_pair = pairs % parts
    acts = np.zeros((groups, n))
    acts[rows.spans.owner[row], indices] = 1.0
    shared = acts @ acts.T
    np.fill_diagonal(shared, 0.0)
    X, Y = np.nonzero(shared)
    return Pattern(
        indptr,
        indices,
        rows.ptr,
        angular.astype(np.int64),
        int(len(columns.twists) > 0),
        np.searchsorted(pairs, parts * np.arange(m + 1)),
        part_of_pair,
        body_of_part[part_of_pair],
        (np.cumsum(is_pair) - 1)[key],
        parts,
        np.stack([X, Y], axis=1),
        np.append(0, np.cumsum(shared[X, Y]).astype(np.int64)),
        np.nonzero(acts[X] * acts[Y])[1],
    )


def space_for(pattern: Pattern) -> Space:
    """Arrays for the matrices of a pattern; ``unit`` is that of the length 1."""
    m, n, g = len(pattern.indptr) - 1, len(pattern.angular), len(pattern.group_ptr) - 1
    k, pairs, parts, most = min(m, n), len(pattern.part), pattern.parts, int(np.diff(pattern.group_ptr).max())

    def integers(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int64)

    return Space(
        unit=np.ones(n), C=np.zeros(len(pattern.indices)), Dr=np.zeros(m), dr=np.zeros(m), dc=np.zeros(n),
        row=np.zeros(m), column=np.zeros(n), peak=np.zeros(pairs), weight=np.zeros(pairs),
        normal=np.zeros((parts, parts)), s=np.zeros(parts), s_before=np.zeros(parts), r=np.zeros(m),
        T=np.zeros((n, m)), A=np.zeros((n, m)), norm=np.zeros(n), order=integers(n), pivot=integers(k),
        active=integers(m), support=integers(k, m), support_size=integers(k), V=np.zeros((k, m)), beta=np.zeros(k),
        R=np.zeros((k, k)), x=np.zeros(m + n), N=np.zeros((m, m)),
        small=np.zeros((2 * most, max(m, MOST_COMMON_COLUMNS))), free=integers(g), bounds=np.zeros(3),
    )  # fmt: skip
