"""Exudyn with EigenDense and singular Jacobians ignored: LU with complete pivoting, free unknowns set to zero."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.programs import Program, register
from reactio.system.equations import Equations

PIVOT_ROUNDING = float(np.finfo(np.float64).eps)  # times size and largest pivot: smaller ones are zero, as in Eigen


def split(eqs: Equations) -> Floats:
    """λ of M v̇ + Cᵀλ = Q, C v̇ = Γ by complete pivoting: unknowns without a pivot are zero."""
    n, m = eqs.system.n, eqs.system.m
    C = eqs.C.toarray()
    K = np.block([[eqs.M.toarray(), C.T], [C, np.zeros((m, m))]])
    return complete_pivoting(K, np.concatenate([eqs.Q, eqs.Gamma]))[n:]


def complete_pivoting(A: Floats, b: Floats) -> Floats:
    """x with A x = b by elimination with the largest remaining entry as next pivot; unknowns without a pivot are 0."""
    A, b, N = A.copy(), b.copy(), len(A)
    order, rank, largest = np.arange(N), N, 0.0
    for k in range(N):
        i, j = np.unravel_index(int(np.argmax(np.abs(A[k:, k:]))), (N - k, N - k))
        row, column = int(i) + k, int(j) + k
        pivot = abs(A[row, column])
        largest = max(largest, pivot)
        if pivot <= N * PIVOT_ROUNDING * largest:
            rank = k
            break
        A[[k, row]], b[[k, row]] = A[[row, k]], b[[row, k]]
        A[:, [k, column]], order[[k, column]] = A[:, [column, k]], order[[column, k]]
        factor = A[k + 1 :, k] / A[k, k]
        A[k + 1 :] -= factor[:, None] * A[k]
        b[k + 1 :] -= factor * b[k]
    x = np.zeros(N)
    x[order[:rank]] = np.linalg.solve(np.triu(A[:rank, :rank]), b[:rank])
    return x


EXUDYN = register(
    Program(
        name="exudyn",
        title="Exudyn",
        rule="elimination by complete pivoting",
        explanation="Exudyn with its solver EigenDense, ignoring singular Jacobians, solves the equations of motion "
        "by elimination with complete pivoting and sets the unknowns that are left without a pivot to zero: whole "
        "joints may be without load; another unit gives other numbers, and among equal pivots rounding decides.",
        split=split,
    )
)
