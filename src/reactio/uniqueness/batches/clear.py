"""Is a matrix clear: does every number that the full analysis compares with a threshold lie far from it?"""

from __future__ import annotations

import math

from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.rank import Tolerances
from reactio.uniqueness.batches.factor import factorise, null_vectors
from reactio.uniqueness.batches.scale import equilibrate_entries, may_be_graded
from reactio.uniqueness.batches.tables import Pattern, Space
from reactio.uniqueness.near_misses import (
    ERROR_OF_FAR_REFERENCES,
    ERROR_OF_NEAR_REFERENCES,
    LARGEST_OFFSET,
    MOST_COMMON_COLUMNS,
    SMALLEST_OFFSET,
    SURELY_MEANT,
)

ZERO_LEVEL = Tolerances().zero
# Least σ_r/σ_1, and least pivot of the shares of a group: a hundred times above what is sure.  Pivots of up to six rows
# are at most 21 times the singular value they stand for, and the second criterion, whose basis of rows has a condition
# up to the inverse of this, then finds the same ranks.
CLEAR_MARGIN = 100.0 * Tolerances().sure
RESERVE = 4.0  # between bounds here and thresholds there: their own rounding is some tenth of the thresholds
# Least determinant of the Gram matrix of the unit rows of a group, λ_min ≥ det/e: σ_min of the rows is 6e-5 or more.
CLEAR_DETERMINANT = 1e-8
# Pivot from which on the rows of a group on some of their columns span a direction: at most 21 times a singular value,
# which must be above ``LARGEST_OFFSET``.  What is left after the last must be rounding.
CLEAR_SPAN, ROUNDED_SPAN = 25.0 * LARGEST_OFFSET, 1e-13
DOUBTFUL = -1  # in place of a rank or count


@kernel(**NO_ARRAYS)
def clear_rank(p: Pattern, w: Space, error: float) -> int:
    """The rank of the C in ``w.C`` and u_X in ``w.free``, or DOUBTFUL; ``error`` of its entries as a part of them."""
    m = w.Dr.shape[0]
    for e in range(w.C.shape[0]):
        if not math.isfinite(w.C[e]):
            return DOUBTFUL
    if not equilibrate_entries(p, w) or may_be_graded(p, w):
        return DOUBTFUL
    rank = factorise(p, w)
    w.bounds[0] /= math.sqrt(float(m))
    w.bounds[2] = error
    if w.bounds[0] < CLEAR_MARGIN or w.bounds[1] * RESERVE > ZERO_LEVEL:
        return DOUBTFUL
    if error * math.sqrt(float(m)) * RESERVE > SURELY_MEANT * w.bounds[0]:
        return DOUBTFUL  # errors of the entries, divided by σ_r, make shares that would count as geometry
    for X in range(w.free.shape[0]):
        w.free[X] = 0
    if rank == m:
        return rank
    null_vectors(w, rank)
    for X in range(w.free.shape[0]):
        first, last = p.group_ptr[X], p.group_ptr[X + 1]
        if not has_independent_rows(p, w, first, last):
            return DOUBTFUL
        w.free[X] = free_components(w, first, last, m - rank)
        if w.free[X] < 0:
            return DOUBTFUL
    return DOUBTFUL if may_miss_a_special_geometry(p, w, m - rank) else rank


@kernel(**NO_ARRAYS)
def has_independent_rows(p: Pattern, w: Space, first: int, last: int) -> bool:
    """Are the unit rows of C̃ from ``first`` to ``last`` − 1 clearly independent?  det of their Gram matrix, L Lᵀ."""
    determinant = 1.0
    for i in range(last - first):
        for k in range(i + 1):
            total = product_of_rows(p, w, first + i, first + k)
            for h in range(k):
                total -= w.small[i, h] * w.small[k, h]
            if k < i:
                w.small[i, k] = total / w.small[k, k]
            else:
                determinant *= total
                if not determinant > CLEAR_DETERMINANT:
                    return False
                w.small[i, i] = math.sqrt(total)
    return True


@kernel(**NO_ARRAYS)
def product_of_rows(p: Pattern, w: Space, i: int, k: int) -> float:
    """The product of two rows of C̃."""
    total = 0.0
    for e in range(p.indptr[i], p.indptr[i + 1]):
        total += w.C[e] * w.T[p.indices[e], k]
    return total


@kernel(**NO_ARRAYS)
def zero_share(w: Space) -> float:
    """A lower bound of what rounding can make of the share of a group that the rank determines in part.

    ε σ_1 ‖C̃⁺_X‖ ≥ ε ‖U_X‖ ≥ ε, U_X its rows of the left singular vectors of C̃ with σ > 0.
    """
    return min(ZERO_LEVEL, float(w.bounds[2]))


@kernel(**NO_ARRAYS)
def free_components(w: Space, first: int, last: int, p: int) -> int:
    """u_X = rank N_X of the rows ``first`` to ``last`` − 1 of N (m, p), or DOUBTFUL, by pivoted orthogonalisation."""
    size = last - first
    for i in range(size):
        for c in range(p):
            w.small[i, c] = w.N[first + i, c]
    count, left = orthogonalise(w, size, p, CLEAR_MARGIN)
    return count if count == min(size, p) or left * RESERVE <= zero_share(w) else DOUBTFUL


@kernel(**NO_ARRAYS)
def orthogonalise(w: Space, rows: int, columns: int, least: float) -> tuple[int, float]:
    """Orthonormal rows in place of those in ``w.small``, the longest first while it is ``least`` or longer.

    Returns their number and the length of all that is left.  Each is orthogonalised twice against those before it.
    """
    for count in range(rows):
        best, longest, total = count, -1.0, 0.0
        for i in range(count, rows):
            square = 0.0
            for c in range(columns):
                square += w.small[i, c] * w.small[i, c]
            total += square
            if square > longest:
                best, longest = i, square
        if longest < least * least:
            return count, math.sqrt(total)
        length = math.sqrt(longest)
        for c in range(columns):
            w.small[count, c], w.small[best, c] = w.small[best, c], w.small[count, c]
            w.small[count, c] /= length
        for i in range(count + 1, rows):
            remove_part(w, i, count, columns)
            remove_part(w, i, count, columns)
    return rows, 0.0


@kernel(**NO_ARRAYS)
def remove_part(w: Space, i: int, k: int, columns: int) -> None:
    """Row i of ``w.small`` without its part along the unit vector in row k."""
    product = 0.0
    for c in range(columns):
        product += w.small[i, c] * w.small[k, c]
    for c in range(columns):
        w.small[i, c] -= product * w.small[k, c]


@kernel(**NO_ARRAYS)
def may_miss_a_special_geometry(p: Pattern, w: Space, redundancy: int) -> bool:
    """May ``near_misses`` cast doubt: a number that may be an offset, and one between rounding and what is meant?

    Numbers are entries of C̃, distances of rows from spans of other groups, shares of rows in N, and singular values.
    """
    offset, small = False, w.bounds[1] * RESERVE > zero_share(w)
    unexplained = (ERROR_OF_NEAR_REFERENCES / w.bounds[2]) ** 3 * RESERVE
    for i in range(w.Dr.shape[0]):
        square = 0.0
        for c in range(redundancy):
            square += w.N[i, c] * w.N[i, c]
        offset, small = seen(math.sqrt(square), ERROR_OF_NEAR_REFERENCES, offset, small)
    if w.bounds[2] <= ERROR_OF_FAR_REFERENCES * RESERVE:
        for e in range(w.C.shape[0]):
            offset, small = seen(abs(w.C[e]), zero_share(w), offset, small)
    for k in range(p.neighbours.shape[0]):
        clear, offset, small = see_distances(p, w, k, unexplained, offset, small)
        if not clear:
            return True
    return offset and small


@kernel(**NO_ARRAYS)
def seen(size: float, rounding: float, offset: bool, small: bool) -> tuple[bool, bool]:
    """Is there a number that may be an offset, and one above rounding that is not surely meant, now with this one?"""
    may_be_offset = size * RESERVE > SMALLEST_OFFSET and size < LARGEST_OFFSET * RESERVE
    may_be_small = size * RESERVE > rounding and size < SURELY_MEANT * RESERVE
    return offset or may_be_offset, small or may_be_small


@kernel(**NO_ARRAYS)
def see_distances(
    p: Pattern, w: Space, pair: int, unexplained: float, offset: bool, small: bool
) -> tuple[bool, bool, bool]:
    """The distances of the rows of group Y from the span of those of X, on the columns that both act on.

    Those are seen that are below ``unexplained``.  The first answer is False where that span has a direction that is
    neither clear nor rounding.
    """
    X, Y = p.neighbours[pair, 0], p.neighbours[pair, 1]
    x, y = p.group_ptr[X], p.group_ptr[Y]
    rows, others, width = p.group_ptr[X + 1] - x, p.group_ptr[Y + 1] - y, 0
    for k in range(p.common_ptr[pair], p.common_ptr[pair + 1]):
        j = p.common[k]
        if acts(w, x, x + rows, j) and acts(w, y, y + others, j):
            if width == MOST_COMMON_COLUMNS:
                return True, offset, small
            for i in range(rows):
                w.small[i, width] = w.T[j, x + i]
            for i in range(others):
                w.small[rows + i, width] = w.T[j, y + i]
            width += 1
    count, left = orthogonalise(w, rows, width, CLEAR_SPAN)
    if left > ROUNDED_SPAN:
        return False, offset, small
    if count == width:
        return True, offset, small  # they span all of it: what is left is rounding
    for i in range(others):
        for k in range(count):
            remove_part(w, rows + i, k, width)
        square = 0.0
        for c in range(width):
            square += w.small[rows + i, c] * w.small[rows + i, c]
        if square < unexplained * unexplained:
            offset, small = seen(math.sqrt(square), zero_share(w), offset, small)
    return True, offset, small


@kernel(**NO_ARRAYS)
def acts(w: Space, first: int, last: int, j: int) -> bool:
    """Has one of the rows ``first`` to ``last`` − 1 of C̃ an entry in column j?"""
    largest = 0.0
    for i in range(first, last):
        largest = max(largest, abs(w.T[j, i]))
    return largest > 0.0
