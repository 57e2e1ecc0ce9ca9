"""A dense matrix = P L U with row pivoting, in place: for kernels that may not allocate.

Complex matrices and vectors have a last axis of two numbers, real and imaginary part: compiled kernels have no complex
numbers, whose quotients Python and NumPy round differently.
"""

from __future__ import annotations

from reactio.arrays import Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel


@kernel(**NO_ARRAYS)
def lu_factorise(A: Floats, pivot: Ints, size: int) -> None:
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
def lu_solve(A: Floats, pivot: Ints, size: int, b: Floats) -> None:
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


@kernel(**NO_ARRAYS)
def solve_in_profile(A: Floats, reach: Ints, b: Floats) -> None:
    """b ← A⁻¹ b with row pivoting, for the leading len(reach) rows and columns of A, which elimination changes.

    reach (n,), not decreasing: entries left of the diagonal and above it end in this row and in this column.  Rows that
    change places move a column's entries to the reach of its reach and no further.
    """
    n = reach.shape[0]
    for i in range(n):
        last = reach[i]
        far = reach[last]
        best = i
        for l in range(i + 1, last + 1):
            if abs(A[l, i]) > abs(A[best, i]):
                best = l
        if best != i:
            b[i], b[best] = b[best], b[i]
            for j in range(i, far + 1):
                A[i, j], A[best, j] = A[best, j], A[i, j]
        for l in range(i + 1, last + 1):
            if A[l, i] != 0.0:
                factor = A[l, i] / A[i, i]
                b[l] -= factor * b[i]
                for j in range(i + 1, far + 1):
                    A[l, j] -= factor * A[i, j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, reach[reach[i]] + 1):
            b[i] -= A[i, j] * b[j]
        b[i] /= A[i, i]


@kernel(**NO_ARRAYS)
def quotient(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """(a + i b)/(c + i d) without overflow of c² + d² (Smith 1962, Comm. ACM 5, 435)."""
    if abs(c) >= abs(d):
        r = d / c
        scale = c + d * r
        return (a + b * r) / scale, (b - a * r) / scale
    r = c / d
    scale = d + c * r
    return (a * r + b) / scale, (b * r - a) / scale


@kernel(**NO_ARRAYS)
def subtract_product(x: Floats, a: Floats, b: Floats) -> None:
    """x ← x − a b of complex numbers (2,)."""
    x[0] -= a[0] * b[0] - a[1] * b[1]
    x[1] -= a[0] * b[1] + a[1] * b[0]


@kernel(**NO_ARRAYS)
def swap(a: Floats, b: Floats) -> None:
    """Exchange two complex numbers (2,)."""
    a[0], b[0] = b[0], a[0]
    a[1], b[1] = b[1], a[1]


@kernel(**NO_ARRAYS)
def lu_factorise_complex(A: Floats, pivot: Ints, size: int) -> None:
    """``lu_factorise`` of a complex matrix (n, n, 2); pivots are the largest by the sum of the sizes of their parts."""
    for i in range(size):
        best = i
        for l in range(i + 1, size):
            if abs(A[l, i, 0]) + abs(A[l, i, 1]) > abs(A[best, i, 0]) + abs(A[best, i, 1]):
                best = l
        pivot[i] = best
        if best != i:
            for j in range(size):
                swap(A[i, j], A[best, j])
        for l in range(i + 1, size):
            A[l, i, 0], A[l, i, 1] = quotient(A[l, i, 0], A[l, i, 1], A[i, i, 0], A[i, i, 1])
            if A[l, i, 0] != 0.0 or A[l, i, 1] != 0.0:
                for j in range(i + 1, size):
                    subtract_product(A[l, j], A[l, i], A[i, j])


@kernel(**NO_ARRAYS)
def lu_solve_complex(A: Floats, pivot: Ints, size: int, b: Floats) -> None:
    """b (n, 2) ← A⁻¹ b with the factors of ``lu_factorise_complex``."""
    for i in range(size):
        swap(b[i], b[pivot[i]])
    for i in range(size):
        for j in range(i):
            subtract_product(b[i], A[i, j], b[j])
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            subtract_product(b[i], A[i, j], b[j])
        b[i, 0], b[i, 1] = quotient(b[i, 0], b[i, 1], A[i, i, 0], A[i, i, 1])
