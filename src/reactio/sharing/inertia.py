"""The joint-wise inertia metric: the smallest wrenches, measured by the masses they act on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import CHANGES, Problem, Rule, register
from reactio.sharing.problem import jointwise_root, least


def _share(problem: Problem, _argument: str) -> Floats:
    """min Σ_X f_Xᵀ M⁻¹ f_X with f_X = C_Xᵀλ_X: the wrench of joint X, not the rows it is written with.

    W = blockdiag(C_X M⁻¹ C_Xᵀ).
    """
    return least(problem, jointwise_root(problem, _blocks(problem)))


def _blocks(problem: Problem) -> Iterator[Floats]:
    """A_X = C_X L⁻ᵀ of each joint, for M = L Lᵀ; of sparse ones without the columns that the joint does not touch."""
    A = problem.C @ problem.inverse_mass_root
    if isinstance(A, np.ndarray):
        for group in problem.matrix.rows.groups:
            yield A[group.start : group.stop]
        return
    A = A.tocsr()
    A.sum_duplicates()
    for group in problem.matrix.rows.groups:
        ends = A.indptr[group.start : group.stop + 1]
        columns, at = np.unique(A.indices[ends[0] : ends[-1]], return_inverse=True)
        block = np.zeros((group.stop - group.start, len(columns)))
        block[np.repeat(np.arange(len(block)), np.diff(ends)), at] = A.data[ends[0] : ends[-1]]
        yield block


INERTIA = register(
    Rule(
        name="inertia",
        doc="The joint-wise inertia metric: smallest wrenches, measured by the accelerations they would give to the "
        "bodies they act on, joint by joint. The result depends on the mechanism alone, not on units, scales and "
        "combinations of rows, axes or reference points. It is not the load of a real machine, which compliance "
        "determines.",
        W="W = blockdiag(C_X M⁻¹ C_Xᵀ), min Σ_X f_Xᵀ M⁻¹ f_X",
        cite="Gauss 1829, Über ein neues allgemeines Grundgesetz der Mechanik, for the metric",
        share=_share,
        invariant=frozenset(CHANGES),
    )
)
