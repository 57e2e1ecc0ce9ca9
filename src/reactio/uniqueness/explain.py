"""Why a reaction is not unique: who shares load, in which self-stress, and which rows could go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import distinct
from reactio.constraint_matrix import ConstraintMatrix, GroupKind
from reactio.errors import ReactioError
from reactio.linear.precision import LOCATED, SUBSPACE
from reactio.linear.rank import Tolerances
from reactio.uniqueness.evidence import NO_ROWS, Block, Evidence, dense_rows, group_weights

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
ELIMINATIONS_AT_ONCE = 4096  # sets of rows that are examined in one call of LAPACK, so that memory stays small
MOST_LISTED_ELIMINATIONS = 200_000  # sets of rows that are examined for a list: a longer one is not read
SMALLEST_CIRCUIT_PIVOT = 1e-4  # part of the mean size of a column: smaller pivots multiply the rounding of N by more


@dataclass(frozen=True, slots=True, eq=False)
class SelfStress:
    """A minimal state of multipliers without load: Cᵀ λ = 0, λ (m,) in the caller's rows, largest entry 1.

    ``rows`` is a minimal dependent set: without any one of them the others are independent.
    """

    groups: tuple[str, ...]
    rows: tuple[int, ...]
    lam: Array


def shares_with(
    matrix: ConstraintMatrix, evidence: Evidence, index: int, projectors: Sequence[Array]
) -> tuple[str, ...]:
    """Groups Y that carry load together with X in a minimal self-stress; ``projectors`` are ``wrench_projectors``.

    The cross block of the projector on the null space, with a random weight for each group, is nonzero.  Intrinsic
    rows, which are independent of each other, follow from the rest and are left aside.
    """
    groups, ptr = matrix.rows.groups, matrix.rows.ptr
    X = np.arange(ptr[index], ptr[index + 1])
    rows, A = evidence.cross(X, group_weights(ptr), intrinsic(matrix))
    A = A @ projectors[index]
    touched = rows[np.linalg.norm(A, axis=1) > SUBSPACE]
    names = []
    for k in distinct(np.searchsorted(ptr, touched, side="right") - 1):
        if k == index or groups[k].kind == GroupKind.INTRINSIC:
            continue
        first = int(np.searchsorted(rows, ptr[k]))
        part = projectors[k] @ A[first : first + len(projectors[k])]
        if np.linalg.norm(part) > SUBSPACE:
            names.append(groups[k].name)
    return tuple(names)


def wrench_projectors(matrix: ConstraintMatrix, evidence: Evidence, tol: Tolerances) -> tuple[Array, ...]:
    """Of every group the projector (k, k) on multipliers that make a wrench; the identity for independent rows."""
    projectors = []
    for start, stop in pairwise(matrix.rows.ptr.tolist()):
        U, s, _ = np.linalg.svd(dense_rows(evidence.scaled.C, start, stop), full_matrices=False)
        U = U[:, s > tol.decide * s[0]]
        projectors.append(np.asarray(U @ U.T))
    return tuple(projectors)


def self_stress(matrix: ConstraintMatrix, evidence: Evidence) -> tuple[SelfStress, ...]:
    """A localised basis of null(Cᵀ): few groups in each vector, each a minimal dependent set of rows."""
    ptr = matrix.rows.ptr
    stresses: list[SelfStress] = []
    for block in evidence.blocks():
        group_of = np.searchsorted(ptr, block.rows, side="right") - 1
        for z in localised(block.N, group_of).T:
            stresses.append(_in_callers_rows(matrix, evidence, block, group_of, z))
    return tuple(stresses)


def localised(N: Array, group_of: Ints) -> Array:
    """A basis Z (m, p) of the columns of N in which each vector is a circuit and touches few groups.

    Each sweep through the rows in another order gives p fundamental circuits; the sparsest are kept.
    """
    m = len(N)
    sweeps = (np.arange(m), np.arange(m)[::-1], np.argsort(-(N * N).sum(1), kind="stable"))
    Z = np.hstack([circuits(N, order) for order in sweeps])
    sparsity = [(len(set(group_of[z != 0.0])), np.count_nonzero(z)) for z in Z.T]
    chosen: list[int] = []
    basis = np.zeros((m, 0))
    for j in sorted(range(Z.shape[1]), key=lambda j: sparsity[j]):
        z = Z[:, j] / np.linalg.norm(Z[:, j])
        rest = z - basis @ (basis.T @ z)
        size = np.linalg.norm(rest)
        if size > LOCATED:
            chosen.append(j)
            basis = np.column_stack([basis, rest / size])
        if len(chosen) == N.shape[1]:
            break
    return Z[:, chosen]


def circuits(N: Array, order: Ints) -> Array:
    """Fundamental circuits (m, p): N reduced to an identity on p pivot rows, met first in ``order``."""
    Z = N.copy()
    p, done = Z.shape[1], 0
    for i in order:
        if done == p:
            break
        j = done + int(np.argmax(np.abs(Z[i, done:])))
        if abs(Z[i, j]) <= SMALLEST_CIRCUIT_PIVOT * np.linalg.norm(Z[:, j]) / np.sqrt(len(Z)):
            continue
        Z[:, [done, j]] = Z[:, [j, done]]
        Z[:, done] /= Z[i, done]
        Z -= np.outer(Z[:, done], np.where(np.arange(p) == done, 0.0, Z[i]))
        done += 1
    return np.where(np.abs(Z) > SUBSPACE * np.abs(Z).max(axis=0), Z, 0.0)


def _in_callers_rows(
    matrix: ConstraintMatrix, evidence: Evidence, block: Block, group_of: Ints, z: Array
) -> SelfStress:
    """A null vector z of one block in equilibrated rows, as a self-stress in the rows and units of the caller."""
    inside = block.rows[z != 0.0]
    order = np.arange(matrix.shape[0]) if matrix.order is None else matrix.order
    lam = np.zeros(matrix.shape[0])
    lam[order[inside]] = evidence.scaled.Dr[inside] * z[z != 0.0]
    lam /= lam[np.argmax(np.abs(lam))]
    names = (matrix.rows.groups[k] for k in distinct(group_of[z != 0.0]))
    return SelfStress(
        groups=tuple(g.name for g in names if g.kind != GroupKind.INTRINSIC),
        rows=tuple(sorted(int(i) for i in order[inside])),
        lam=lam,
    )


def intrinsic(matrix: ConstraintMatrix) -> Ints:
    """Rows that belong to a body by itself."""
    return np.concatenate(
        [NO_ROWS, *(np.arange(g.start, g.stop) for g in matrix.rows.groups if g.kind == GroupKind.INTRINSIC)]
    )


def droppable(matrix: ConstraintMatrix, N: Array) -> Ints:
    """The caller's rows that take part in a self-stress and belong to no body by itself."""
    order = np.arange(matrix.shape[0]) if matrix.order is None else np.asarray(matrix.order)
    return np.setdiff1d(np.flatnonzero(np.linalg.norm(N, axis=1) > SUBSPACE), order[intrinsic(matrix)])


def eliminations(matrix: ConstraintMatrix, N: Array) -> Iterator[tuple[int, ...]]:
    """All sets E of p rows whose removal leaves independent rows: N_E (p, p) regular, in the caller's rows.

    Intrinsic rows stay: they say what a body is, not what holds it.
    """
    p = N.shape[1]
    if not p:
        return
    rows = droppable(matrix, N)
    unit = N[rows] / np.linalg.norm(N[rows], axis=1, keepdims=True)
    sets = combinations(range(rows.size), p)
    while chunk := list(islice(sets, ELIMINATIONS_AT_ONCE)):
        smallest = np.linalg.svd(unit[np.array(chunk)], compute_uv=False)[:, -1]
        for E in np.array(chunk)[smallest > SUBSPACE]:
            yield tuple(int(i) for i in rows[E])


def all_eliminations(matrix: ConstraintMatrix, N: Array) -> tuple[tuple[int, ...], ...]:
    """The full list, refused where it would not be read."""
    p, candidates = N.shape[1], len(droppable(matrix, N))
    if comb(candidates, p) > MOST_LISTED_ELIMINATIONS:
        raise ReactioError(
            f"Choosing {p} of {candidates} rows gives {comb(candidates, p):,} candidate sets; "
            "iterate over eliminations() instead of listing them."
        )
    return tuple(eliminations(matrix, N))
