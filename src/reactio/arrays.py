"""Names of the array types used everywhere."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Sparse: TypeAlias = Any  # scipy.sparse.csr_array: SciPy is imported only where it is used


# Rows and columns up to which arithmetic with a dense array takes less time than with a sparse one, and is stored.
DENSE_SIZE = 150


def from_rows(data: Floats, pattern: tuple[Ints, Ints], n: int) -> Any:
    """A matrix (m, n) from its entries row by row and their pattern (indptr, indices): dense if small, else CSR."""
    indptr, indices = pattern
    m = len(indptr) - 1
    if max(m, n) <= DENSE_SIZE:
        out = np.zeros((m, n))
        out[np.repeat(np.arange(m), np.diff(indptr)), indices] = data
        return out
    from scipy.sparse import csr_array

    return csr_array((data, indices, indptr), shape=(m, n))


def diagonal(d: Floats, matrix: Any) -> Any:
    """The diagonal matrix of d (n,), dense or CSR as another matrix is."""
    if isinstance(matrix, np.ndarray):
        return np.diag(d)
    from scipy.sparse import diags_array

    return diags_array(d).tocsr()


def distinct(values: NDArray[T]) -> NDArray[T]:
    """The different numbers of an array, ascending: ``np.unique``, which without an index imports ``numpy.ma``."""
    unique: NDArray[T] = np.unique(values, return_index=True)[0]
    return unique


def dense(A: Any) -> Floats:
    """A matrix as an array."""
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())


def like(A: Any, template: Any) -> Any:
    """A matrix, dense or CSR as another one is."""
    if isinstance(template, np.ndarray):
        return dense(A)
    from scipy.sparse import csr_array

    return csr_array(A)


def frozen(array: Any, dtype: Any = np.float64) -> Any:
    """A C-contiguous read-only copy."""
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy
