"""The smallest reactions in the metric of the masses they act on, joint by joint."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, register
from reactio.sharing.problem import least

DEPENDENT = 1e-9  # rows of one joint are dependent below this part of the largest: as in the rank decisions


def _share(problem: Problem, _argument: str) -> Floats:
    """min Σ_X f_Xᵀ M⁻¹ f_X with f_X = C_Xᵀλ_X: the wrench of joint X, not the rows it is written with.

    W = blockdiag(C_X M⁻¹ C_Xᵀ); R with R Rᵀ = W⁻¹ (its pseudoinverse where rows of one joint repeat each other).
    """
    return least(problem, _roots(problem))


def _roots(problem: Problem) -> Any:
    """R (m, k) CSR, block diagonal: for A_X = C_X L⁻ᵀ = U diag(s) Vᵀ its block is U diag(1/s), so that A_Xᵀ R = V."""
    from scipy.sparse import coo_array

    A = (problem.C @ problem.half).tocsr()
    rows, columns, values = [], [], []
    k = 0
    for group in problem.matrix.rows.groups:
        part = A[group.start : group.stop]
        touched = np.unique(part.indices)
        dense = part[:, touched].toarray()
        # Rows of unit length first: a joint may hold newtons beside newton-metres.
        size = np.linalg.norm(dense, axis=1)
        size = np.where(size > 0.0, size, 1.0)  # a row whose terms cancel: no wrench, no effort
        U, s, _ = np.linalg.svd(dense / size[:, None], full_matrices=False)
        kept = s > DEPENDENT * s.max(initial=0.0)
        root = U[:, kept] / s[kept] / size[:, None]
        i, j = np.indices(root.shape)
        rows.append(group.start + i.ravel())
        columns.append(k + j.ravel())
        values.append(root.ravel())
        k += root.shape[1]
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(entries, shape=(A.shape[0], k)).tocsr()


INERTIA = register(
    Rule(
        name="inertia",
        doc="Smallest wrenches, measured by the accelerations they would give to the bodies they act on. Nothing but "
        "the mechanism matters: not units, scales and combinations of rows, axes or reference points. Unique is not "
        "real: compliance decides in a real machine.",
        W="W = blockdiag(C_X M⁻¹ C_Xᵀ), min Σ_X f_Xᵀ M⁻¹ f_X",
        cite="Gauss 1829, Über ein neues allgemeines Grundgesetz der Mechanik, for the metric",
        share=_share,
    )
)
