"""A dense matrix = P L U with row pivoting, in place: for kernels that may not allocate; real or complex."""

from __future__ import annotations

from typing import Any

from reactio.arrays import Ints
from reactio.kernels import NO_ARRAYS, kernel


@kernel(**NO_ARRAYS)
def lu_factorise(A: Any, pivot: Ints, size: int) -> None:
    """Factors of the leading ``size`` rows and columns of A take its place; ``pivot`` keeps the rows exchanged.

    A singular matrix leaves infinities, which no solution hides.
    """
    for i in range(size):
        best = i
        for l in range(i + 1, size):
            if abs(A[l, i]) > abs(A[best, i]):
                best = l
        pivot[i] = best
        if best != i:
            for j in range(size):
                A[i, j], A[best, j] = A[best, j], A[i, j]
        for l in range(i + 1, size):
            factor = A[l, i] / A[i, i]
            A[l, i] = factor
            if factor != 0.0:
                for j in range(i + 1, size):
                    A[l, j] -= factor * A[i, j]


@kernel(**NO_ARRAYS)
def lu_solve(A: Any, pivot: Ints, size: int, b: Any) -> None:
    """b ← A⁻¹ b with the factors of ``lu_factorise``."""
    for i in range(size):
        b[i], b[pivot[i]] = b[pivot[i]], b[i]
    for i in range(size):
        for j in range(i):
            b[i] -= A[i, j] * b[j]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            b[i] -= A[i, j] * b[j]
        b[i] /= A[i, i]
