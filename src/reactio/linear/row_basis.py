"""Orthonormal bases of the rows of a dense matrix and of its null space, in place: for kernels that may not allocate.

Gram–Schmidt with pivoting: the row with the largest part across those before comes next, orthogonalised twice, which
makes its error that of rounding (Giraud, Langou & Rozložník 2005, Comput. Math. Appl. 50, 1069–1075).
"""

from __future__ import annotations

import math

from reactio.arrays import Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel


@kernel(**NO_ARRAYS)
def dot(a: Floats, b: Floats) -> float:
    """aᵀ b."""
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@kernel(**NO_ARRAYS)
def remaining(Q: Floats, count: int, x: Floats) -> float:
    """x without its parts along the first rows of Q, in place; its length returns."""
    for _ in range(2):
        for j in range(count):
            part = dot(Q[j], x)
            for k in range(x.shape[0]):
                x[k] -= part * Q[j, k]
    return math.sqrt(dot(x, x))


@kernel(**NO_ARRAYS)
def largest_of(rest: Floats, order: Ints, first: int, count: int) -> int:
    """The place in ``order``, from ``first`` on, of the largest entry of ``rest``."""
    best = first
    for i in range(first, count):
        if rest[order[i]] > rest[order[best]]:
            best = i
    return best


@kernel(**NO_ARRAYS)
def row_basis(C: Floats, Q: Floats, order: Ints, rest: Floats, pivots: Floats, rank: int) -> None:
    """The first ``rank`` rows of Q (n, n) span the rows of C (m, n), which has that rank, and are orthonormal.

    ``order`` (m,) begins with the rows they come from; ``pivots`` (min(m, n),) are the lengths that were left of these,
    |R_ii| of Cᵀ P = Q R.
    """
    m, n = C.shape[0], C.shape[1]
    for i in range(m):
        order[i] = i
        rest[i] = dot(C[i], C[i])
    for count in range(rank):
        best = largest_of(rest, order, count, m)
        order[count], order[best] = order[best], order[count]
        q = Q[count]
        for k in range(n):
            q[k] = C[order[count], k]
        size = remaining(Q, count, q)
        pivots[count] = size
        for k in range(n):
            q[k] /= size
        for i in range(count + 1, m):
            part = dot(C[order[i]], q)
            rest[order[i]] -= part * part


@kernel(**NO_ARRAYS)
def complete(Q: Floats, rank: int, rest: Floats) -> None:
    """Complete the first ``rank`` orthonormal rows of Q (n, n) to a basis, from the unit vectors with most left."""
    n = Q.shape[0]
    for k in range(n):
        rest[k] = 1.0
        for j in range(rank):
            rest[k] -= Q[j, k] * Q[j, k]
    for count in range(rank, n):
        best = 0
        for k in range(n):
            if rest[k] > rest[best]:
                best = k
        q = Q[count]
        q[:] = 0.0
        q[best] = 1.0
        size = remaining(Q, count, q)
        for k in range(n):
            q[k] /= size
            rest[k] -= q[k] * q[k]
