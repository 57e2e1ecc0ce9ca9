"""Near misses of a special geometry: numbers so small that their products hide below rounding.

A joint that stands off its special place by δ changes entries of C by δ, and shares of self-stresses and singular
values by δ, δ², δ³ …: which order it is depends on the geometry.  Where nothing is near a special geometry, a number
below rounding is zero.  Where δ itself is seen and δ² would not be, it may be δ².

An entry shows δ only next to a zero, in axes that happen to be aligned with the geometry.  In any axes it shows between
two groups that act on the same velocities: a row of one misses the span of the other by δ (points that nearly coincide,
axes that are nearly parallel).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import distinct
from reactio.linear.least_norm import least_norm
from reactio.linear.nullspace import Factor, left
from reactio.linear.rank import EPS, RankDecision, Tolerances, relative
from reactio.linear.scaling import FAR_REFERENCE
from reactio.linear.spans import Spans
from reactio.uniqueness.blocks import MOST_STACKED_ENTRIES

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
# Entries of an equilibrated matrix, or shares of its rows in self-stresses, that may be offsets.  Smaller ones are the
# rounding of geometry that is written to 11 digits.  Larger ones than 1 mm on a machine of 1 m have five orders above
# rounding, and no product of so many was seen to decide anything.
SMALLEST_OFFSET, LARGEST_OFFSET = 5e-11, 1e-3
SURELY_MEANT = Tolerances().sure  # above it a number is geometry; far reference points leave entries of 1e-6
# Part of an equilibrated row that rounding makes of it where reference points are near their joints.  Moving a point
# that is far, by some lengths, to its joints leaves numbers of first and second order in 1/far that are not offsets;
# those of third order and less are.
ERROR_OF_NEAR_REFERENCES = 16 * EPS
ERROR_OF_FAR_REFERENCES = (1.0 + FAR_REFERENCE) * ERROR_OF_NEAR_REFERENCES  # above it single entries say nothing
# Factor by which numbers of one order in the offset differ: lengths and directions of a mechanism do by as much.
SPREAD_OF_AN_ORDER = 30.0
# Velocities that two joints have in common: those of two bodies in space.  Rows of bare matrices may have more; the
# last digits of these are asked for themselves.
MOST_COMMON_COLUMNS = 12
# Random vectors that show the shares of the rows of a large block: a share looks ten times smaller once in 10¹⁰ rows.
BLOCK_PROBES, BLOCK_PROBE_SEED = 8, 20240229
# Groups on one column that are compared with each other: a million pairs take 2 s.  Reactions that are
# unique on a body with more joints, in a block with a self-stress, are in doubt.
MOST_ON_A_COLUMN = 1000
MOTION_PROBES = 2  # random velocities that show which rows move: one that does looks 100 times smaller once in 10⁴ rows


class Doubt(IntEnum):
    """What near misses leave of the verdict on a group."""

    NONE = 0
    ZEROS = 1  # a share that counts as zero may be a product of offsets
    RANK = 2  # so may a singular value: what counts as not unique may be unique


def in_doubt(unique: bool | None, doubt: int) -> bool | None:
    """A yes or no, or None where it is in doubt: a yes by zeros, both by the rank."""
    return None if doubt == Doubt.RANK or (unique and doubt == Doubt.ZEROS) else unique


def doubted(decision: RankDecision, doubt: NDArray[np.int8], most: int) -> RankDecision:
    """The decision on a rank, not confident where near misses cast doubt on it: then up to ``most`` is plausible."""
    if not decision.confident or not (doubt == Doubt.RANK).any():
        return decision
    return replace(decision, confident=False, alternatives=tuple(range(decision.rank + 1, most + 1)))


def near_misses(
    C: Array, factor: Factor, rank: Ints, spans: Spans, zero: Array, error: float | Array, bare: bool
) -> NDArray[np.int8]:
    """The doubt (…, g) that near misses cast on each group of the rows of C (…, m, n), equilibrated.

    ``zero`` (…, g): the share of each group below which rounding hides it; ``error`` of the entries, (…, 1) of a stack;
    ``bare``: a matrix without a model, whose errors are only assumed.
    """
    doubt = np.zeros((*C.shape[:-2], spans.sizes.size), dtype=np.int8)
    N = left(factor.Q, rank)
    if not N.shape[-1]:
        return doubt
    floor = np.maximum.reduce(zero, axis=-1)
    shares = np.sqrt(np.add.reduce(N * N, axis=-1))
    distances, row = distances_from_spans(C, spans)
    distances = np.where(distances > SMALLEST_OFFSET, distances, 0.0)  # smaller ones are errors of the spans, by 1/σ
    far = np.asarray(error) > ERROR_OF_FAR_REFERENCES
    entries = np.where(far, 1.0, np.abs(C).reshape(*C.shape[:-2], -1))
    distances = np.where(distances < largest_unexplained(np.asarray(error)), distances, 1.0)
    sizes = np.concatenate([entries, distances], axis=-1)
    row = np.concatenate([np.repeat(np.arange(C.shape[-2]), C.shape[-1]), row])
    least = np.maximum(floor, SMALLEST_OFFSET)[..., None]
    near = _any_offset(sizes, least) | _any_offset(shares, least)
    sigma = relative(factor.sigma)
    for k in map(tuple, np.argwhere(near)):
        of_one = Factor(factor.Q[k], factor.sigma[k])
        gains = None if bare else partial(amplified, C[k], of_one, int(rank[k]))
        seen = Seen(sizes[k], row, shares[k], sigma[k], float(floor[k]), gains)
        small = seen.small
        rows = small | carriers(N[k], small, seen.floor)
        rows |= moving(C[k], of_one, int(rank[k]), rows)
        touched = np.bincount(spans.owner[rows], minlength=spans.sizes.size) > 0
        doubt[k] = np.where(touched, Doubt.RANK if rank[k] < min(C.shape[-2:]) else Doubt.ZEROS, Doubt.NONE)
    return doubt


def largest_unexplained(error: Any) -> Any:
    """The size below which far reference points, seen by the ``error`` of entries, explain no small number."""
    return (ERROR_OF_NEAR_REFERENCES / error) ** 3


def near_misses_of_block(
    C: Any,
    sigma: Array,
    deficient: bool,
    spans: Spans,
    zero: Array,
    error: float,
    bare: bool,
    project: Callable[[Array], Array],
) -> NDArray[np.int8]:
    """The same doubt (g,) on a large block C (CSR), by random vectors projected on its null space.

    ``sigma``: numbers that count for its rank; ``deficient``: whether more could; ``zero`` (g,), ``error`` and
    ``bare`` as above.
    """
    m, floor = C.shape[0], float(zero.max())
    random = np.random.default_rng(BLOCK_PROBE_SEED)
    W = random.standard_normal((m, BLOCK_PROBES)) / np.sqrt(BLOCK_PROBES)
    distances, at = distances_from_spans(C, spans)
    row = np.concatenate([np.repeat(np.arange(m), np.diff(C.indptr)), at])
    distances = np.where(distances > SMALLEST_OFFSET, distances, 0.0)
    distances = np.where(distances < largest_unexplained(error), distances, 1.0)
    sizes = np.concatenate([np.abs(C.data) if error <= ERROR_OF_FAR_REFERENCES else np.ones_like(C.data), distances])
    gains = None if bare else np.ones_like  # at least; no pseudoinverse is at hand, and more is in doubt
    seen = Seen(sizes, row, np.linalg.norm(project(W), axis=1), sigma, floor, gains)
    least = np.array([max(floor, SMALLEST_OFFSET)])
    columns = columns_of_groups(C, spans)
    crowded = columns @ (_groups_on(columns) > MOST_ON_A_COLUMN)
    not_compared = np.where(crowded, np.int8(Doubt.ZEROS), np.int8(Doubt.NONE))
    if not (_any_offset(seen.sizes, least) | _any_offset(seen.shares, least)):
        return not_compared

    small = seen.small
    rows = small | (np.linalg.norm(project(np.where(small[:, None], W, 0.0)), axis=1) > floor)
    rows |= moving_in_block(C, rows, random)
    touched = np.bincount(spans.owner[rows], minlength=spans.sizes.size) > 0
    return np.where(touched, np.int8(Doubt.RANK if deficient else Doubt.ZEROS), not_compared)


def moving_in_block(C: Any, rows: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.bool_]:
    """``moving`` of a large block C (CSR), by C⁺ᵀx, the smallest λ with Cᵀλ = x.

    For random velocities x of what the rows act on, and of all.
    """
    if not rows.any():
        return rows
    acted = _acted_on(C, rows)
    X, Ct = random.standard_normal((MOTION_PROBES, C.shape[1])), C.T.tocsr()
    some, every = (np.linalg.norm([least_norm(Ct, x) for x in Y], axis=0) for Y in (np.where(acted, X, 0.0), X))
    return np.asarray(some > SMALLEST_OFFSET * np.maximum(every, 1.0))


def amplified(C: Array, factor: Factor, rank: int, rows: NDArray[np.bool_]) -> Array:
    """(m,) what errors of the entries of C (m, n) are multiplied by in each share, where ``rows`` carry self-stresses.

    −(C⁺e_i)ᵀ δCᵀ N: the velocities C⁺e_i of what those rows act on, with σ_1.
    """
    return np.asarray(factor.sigma[0] * np.linalg.norm(_motions(C, factor, rank)[_acted_on(C, rows)], axis=0))


def carriers(N: Array, rows: NDArray[np.bool_], floor: float) -> NDArray[np.bool_]:
    """Rows (m,) that carry load of the given rows in a self-stress, by a basis N (m, p)."""
    return np.asarray((np.abs(N @ N[rows].T) > floor).any(axis=1))


def moving(C: Array, factor: Factor, rank: int, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows (m,) of C (m, n) whose violation moves velocities that the given rows act on.

    Errors δC add −(C⁺e_i)ᵀ δCᵀ N to the share of row i: nothing where the motion C⁺e_i = V Σ⁻¹ Uᵀe_i of its violation
    leaves alone what the rows in error act on.
    """
    motion = np.abs(_motions(C, factor, rank))
    return np.asarray(
        motion[_acted_on(C, rows)].max(axis=0, initial=0.0) > SMALLEST_OFFSET * motion.max(axis=0, initial=1.0)
    )


def _motions(C: Array, factor: Factor, rank: int) -> Array:
    """C⁺ (n, m) = V Σ⁻¹ Uᵀ: the motion of each violated row."""
    U, sigma = factor.Q[:, :rank], factor.sigma[:rank]
    return np.asarray(C.T @ (U / sigma**2) @ U.T)


def _acted_on(C: Any, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The columns (n,) that the given rows of C, dense or CSR, act on."""
    acted = np.zeros(C.shape[1], dtype=bool)
    acted[C[np.flatnonzero(rows)].nonzero()[1]] = True
    return acted


def distances_from_spans(C: Any, spans: Spans) -> tuple[Array, Ints]:
    """How far rows of C (…, m, n), dense or one in CSR, miss the span of another group on the columns of both.

    Returns the distances (…, l) of rows (l,), for each pair of groups with columns in common, both ways.
    """
    inside = np.arange(int(spans.sizes.max()))
    real = inside < spans.sizes[:, None]
    row = np.where(real, spans.ptr[:-1, None] + inside, 0)
    entries = _entries(C)
    distances, rows = [np.zeros((*C.shape[:-2], 0))], [np.zeros(0, dtype=np.int64)]
    for X, Y, at in _neighbours(C, spans, inside.size):
        spanned, span = np.unique(np.column_stack([X, at]), axis=0, return_inverse=True)
        A, B = (
            np.where(real[G, :, None], entries(row[G, :, None], columns[:, None, :]), 0.0)
            for G, columns in ((spanned[:, 0], spanned[:, 1:]), (Y, at))
        )
        distances.append(_distances(A, B, span.ravel())[..., real[Y]])
        rows.append(row[Y][real[Y]])
    return np.concatenate(distances, axis=-1), np.concatenate(rows)


def _neighbours(C: Any, spans: Spans, size: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Groups X and Y (k,) that have columns (k, w) in common, equally many, in pieces that fit a stack."""
    columns = columns_of_groups(C, spans)
    compared = np.flatnonzero(_groups_on(columns) <= MOST_ON_A_COLUMN)
    columns = columns[:, compared]
    common = columns.astype(np.int64) @ columns.T.astype(np.int64)
    if isinstance(common, np.ndarray):
        X, Y = np.nonzero(common)
        width = common[X, Y]
    else:
        common = common.tocoo()
        X, Y, width = common.row.astype(np.int64), common.col.astype(np.int64), common.data
    pairs = (X != Y) & (width <= MOST_COMMON_COLUMNS)
    for w in distinct(width[pairs]).tolist():
        at = np.flatnonzero(pairs & (width == w))
        step = max(1, MOST_STACKED_ENTRIES // (w * size * max(int(np.prod(C.shape[:-2])), 1)))
        for k in range(0, len(at), step):
            x, y = X[at[k : k + step]], Y[at[k : k + step]]
            yield x, y, compared[(columns[x] * columns[y]).nonzero()[1]].reshape(-1, w)


def _groups_on(columns: Any) -> Ints:
    """How many groups act on each column (n,), by ``columns_of_groups``."""
    return np.asarray(columns.sum(axis=0, dtype=np.int64)).ravel()


def columns_of_groups(C: Any, spans: Spans) -> Any:
    """Does a group act on a column (g, n), of any matrix of a stack?  CSR for a matrix in CSR."""
    if isinstance(C, np.ndarray):
        acts = np.logical_or.reduce(C != 0.0, axis=tuple(range(C.ndim - 2)))
        return np.logical_or.reduceat(acts, spans.ptr[:-1], axis=0)
    from scipy.sparse import csr_array

    row, column = C.nonzero()
    return csr_array((np.ones(row.size, dtype=bool), (spans.owner[row], column)), (spans.sizes.size, C.shape[1]))


def _entries(C: Any) -> Callable[[Ints, Ints], Array]:
    """Row and column numbers → entries of C (…, m, n), dense or one in CSR."""
    if isinstance(C, np.ndarray):
        return lambda row, column: np.asarray(C[..., row, column])
    C = C.sorted_indices()
    places = np.repeat(np.arange(C.shape[0]), np.diff(C.indptr)) * C.shape[1] + C.indices

    def entries(row: Ints, column: Ints) -> Array:
        wanted = row * C.shape[1] + column
        at = np.minimum(np.searchsorted(places, wanted), places.size - 1)
        return np.where(places[at] == wanted, C.data[at], 0.0)

    return entries


def _distances(A: Array, B: Array, span: Ints) -> Array:
    """Distances (…, k) of the rows of B (…, l, k, n) from spans A (…, s, a, n), near-dependent rows of them left out.

    ``span`` (l,): which of them.
    """
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    V = np.where((s > LARGEST_OFFSET)[..., None], Vt, 0.0)[..., span, :, :]
    R = B - (B @ V.swapaxes(-1, -2)) @ V
    return np.asarray(np.sqrt(np.add.reduce(R * R, axis=-1)))


def _any_offset(size: Array, least: Array) -> NDArray[np.bool_]:
    """Are there numbers of each matrix of a stack, along the last axis, that may be offsets?"""
    return np.asarray(np.logical_or.reduce((size > least) & (size < LARGEST_OFFSET), axis=-1))


class Seen(NamedTuple):
    """The numbers in which offsets show.

    ``sizes`` (l,) of entries of C and of distances from spans, with their rows (l,); shares of the rows (m,); σ (k,);
    the floor of rounding; ``gains``: the rows that carry self-stresses → what errors of entries are multiplied by in
    each share (m,), None where these errors are only assumed.
    """

    sizes: Array
    row: Ints
    shares: Array
    sigma: Array
    floor: float
    gains: Callable[[NDArray[np.bool_]], Array] | None

    @property
    def small(self) -> NDArray[np.bool_]:
        """Rows (m,) with numbers that may be offsets, or products of these that rounding hides; none if none hides.

        The smallest number v above the floor is an offset, or of second order in an offset δ ≈ √v that stands in C.
        The next order, v δ or v², hides where it may be below the floor.
        """
        every = (self.sizes, self.shares, self.sigma)
        v = min(float(np.min(A, where=np.greater(A, self.floor), initial=1.0)) for A in every)
        most = min(SPREAD_OF_AN_ORDER * np.sqrt(v), LARGEST_OFFSET)
        first = self.sizes[(self.sizes >= v) & (self.sizes <= most)]
        offset = float(first.max(initial=v))
        if v > SPREAD_OF_AN_ORDER * SURELY_MEANT:
            return np.zeros(len(self.shares), dtype=bool)
        if v > SURELY_MEANT or v * offset >= SPREAD_OF_AN_ORDER * self.floor:
            # The next order is seen, or one after it may lie below the floor.  The floor follows from the largest
            # coordinate, of which a share of directions alone knows nothing: what rounding makes of these is less.
            hidden = (self.shares > ERROR_OF_NEAR_REFERENCES) & (self.shares <= self.floor)
            if self.gains is None or not hidden.any():
                return np.zeros_like(hidden)
            return np.asarray(hidden & (self.shares > ERROR_OF_NEAR_REFERENCES * self.gains(self.shares > self.floor)))
        limit = SPREAD_OF_AN_ORDER * offset
        small = (self.shares > self.floor) & (self.shares <= limit)
        small[self.row[(self.sizes > self.floor) & (self.sizes <= limit)]] = True
        return small
