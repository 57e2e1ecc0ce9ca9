"""The space that the columns of a matrix span, whatever their sizes."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats

ORTHOGONAL = 1e-12  # largest product of unit columns that are orthogonal as they are
# Part of a column outside the space of larger ones from which on it counts as a direction: columns are right to
# rounding of their own size, so that the direction is known to 1e-16 over this.
NEW_DIRECTION = 1e-7


def column_space(L: Floats) -> Floats:
    """Orthonormal columns Q (k, r) that span those of L (k, q): Lᵀx = 0 exactly where Qᵀx = 0.

    Columns may differ by any factor, as compliances do: each is compared with its own size, the largest come first.
    """
    size = np.linalg.norm(L, axis=0)
    order = np.argsort(-size, kind="stable")[: int((size > 0).sum())]
    unit = L[:, order] / size[order]
    products = unit.T @ unit
    if np.abs(products - np.diag(np.diagonal(products))).max(initial=0.0) <= ORTHOGONAL:
        return np.asarray(unit)
    Q = np.zeros((len(L), 0))
    for column in unit.T:
        rest = column - Q @ (Q.T @ column)
        rest = rest - Q @ (Q.T @ rest)  # a second time, for the digits that rounding took
        outside = float(np.linalg.norm(rest))
        if outside > NEW_DIRECTION:
            Q = np.column_stack([Q, rest / outside])
    return Q
