"""The space that the columns of a matrix span."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import ROUNDOFF, SUBSPACE


def column_space(A: Floats) -> Floats:
    """Orthonormal columns Q (k, r) that span those of A (k, q), which are of comparable sizes: Aᵀx = 0 where Qᵀx = 0.

    >>> column_space(np.array([[3.0, 0.0, 3.0], [0.0, 0.0, 1e-12]])).tolist()
    [[1.0], [0.0]]
    """
    size = np.linalg.norm(A, axis=0)
    least = SUBSPACE * float(size.max(initial=0.0))
    order = np.argsort(-size, kind="stable")[: int((size > least).sum())]
    unit = A[:, order] / size[order]
    products = unit.T @ unit
    if np.abs(products - np.diag(np.diagonal(products))).max(initial=0.0) <= ROUNDOFF:
        return np.asarray(unit)
    Q = np.zeros((len(A), 0))
    for column in A[:, order].T:
        rest = column - Q @ (Q.T @ column)
        rest = rest - Q @ (Q.T @ rest)  # a second time, for the digits that rounding took
        outside = float(np.linalg.norm(rest))
        if outside > least:
            Q = np.column_stack([Q, rest / outside])
    return Q
