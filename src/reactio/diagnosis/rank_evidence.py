"""Evidence of solvability as the papers print it: r_X, r_Y, rank(B_X) and the matrices B_X of every joint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import ColumnTable, restricted
from reactio.errors import ReactioError
from reactio.uniqueness import Solvability
from reactio.uniqueness.engine import rank_decision

MOST_EVIDENCE_ROWS = 600  # rows or columns of C up to which every joint's ranks are decided anew: some seconds
PRINTED_ZERO = 5e-4  # entries of B_X below this print as 0: three digits, as in the papers


@dataclass(frozen=True, slots=True, eq=False)
class JointEvidence:
    """Ranks of the rows X of one joint and of all others, Y, each decided on its own.

    The reaction is unique iff r_X + r_Y = r, and iff B_X = C_Xᵀ N_X = 0; rank(B_X) = r_X + r_Y − r counts the
    undetermined components.
    """

    name: str
    r_X: int
    r_Y: int
    rank_B: int
    B: Floats  # (n, p) in the given units; its entries depend on the basis of null(Cᵀ), its norm does not

    @property
    def norm(self) -> float:
        """|B_X|, the Frobenius norm."""
        return float(np.linalg.norm(self.B))

    def agrees(self, r: int) -> bool:
        """Do the two tests agree: rank(B_X) = r_X + r_Y − r?"""
        return self.rank_B == self.r_X + self.r_Y - r

    def printed(self, columns: tuple[str, ...]) -> tuple[tuple[str, ...], Floats]:
        """The columns of C in which B_X has entries that print, and B_Xᵀ (p, k) of these."""
        shown = np.flatnonzero(np.abs(self.B).max(axis=1, initial=0.0) > PRINTED_ZERO)
        return tuple(columns[i] for i in shown), self.B[shown].T


def rank_evidence(answer: Solvability) -> Iterator[JointEvidence]:
    """The evidence of every group, in the order of the answer.  [Wojtyra & Frączek 2013, Eqs 27 and 38]

    >>> import reactio
    >>> [(one.name, one.r_X, one.r_Y, one.rank_B) for one in rank_evidence(reactio.check(reactio.load("table")))][:2]
    [('leg1', 1, 3, 1), ('leg2', 1, 3, 1)]
    """
    if max(answer.m, answer.n) > MOST_EVIDENCE_ROWS:
        raise ReactioError(
            f"C is {answer.m:,} × {answer.n:,}; the ranks of every joint are decided anew up to "
            f"{MOST_EVIDENCE_ROWS} rows and columns. `check` judges models of any size."
        )
    matrix, everything = answer.matrix, np.arange(answer.m)
    given = {group.name: answer.B(group.name) for group in answer.groups}
    V = _with_zeros(np.vstack([*given.values(), np.zeros((0, answer.redundancy))]))
    scaled = answer.evidence.scaled
    for group in answer.groups:
        rows = answer.rows_of(group.index)
        rest = np.setdiff1d(everything, rows)
        r_X = rank_decision(restricted(matrix, rows)).rank
        r_Y = rank_decision(restricted(matrix, rest)).rank if len(rest) else 0
        B = np.asarray(scaled.C[rows].T @ answer.evidence.null_rows(rows)[0])
        s = np.linalg.svd(B, compute_uv=False) if B.size else np.zeros(0)
        yield JointEvidence(group.name, r_X, r_Y, int((s > answer.tolerances.decide).sum()), given[group.name] @ V)


def _with_zeros(B: Floats) -> Floats:
    """An orthogonal V (p, p) such that B V has zeros to the right of the first rows that are independent, as Eq. 38."""
    basis = list[Floats]()
    for row in B:
        for unit in basis:
            row = row - (unit @ row) * unit
        if np.linalg.norm(row) > PRINTED_ZERO and len(basis) < B.shape[1]:
            basis.append(row / np.linalg.norm(row))
    return np.array(basis).T if len(basis) == B.shape[1] else np.eye(B.shape[1])


def column_names(columns: ColumnTable, n: int) -> tuple[str, ...]:
    """Names of the columns of C: ``robot.x``, ``robot.φ``; numbers from one where bodies are not known.

    Elements of a natural body count from one, ``crank.2x``; elastic columns are ``boom.e1``.
    """
    if columns.body is None or not columns.bodies or columns.angular is None:
        return tuple(str(k + 1) for k in range(n))
    turning = [columns.angular[columns.body == b].tolist() for b in range(len(columns.bodies))]
    elements = columns.element_size or (0,) * len(columns.bodies)
    return tuple(
        f"{body}.{name}"
        for body, of_body, size in zip(columns.bodies, turning, elements, strict=True)
        for name in (_of_elements(len(of_body), size) if size else _of_frame(of_body))
    )


def _of_elements(count: int, size: int) -> list[str]:
    """Names of the columns of a natural body: components of its elements, in the order of its coordinates."""
    return [f"{1 + k // size}{'xyz'[k % size]}" for k in range(count)]


def _of_frame(turning: list[bool]) -> list[str]:
    """Names of the columns of a body that moves with a frame: is each of them a rate of turning?"""
    angular = turning.count(True)
    size = turning.index(True) if angular else len(turning)
    names = [*"xyz"[:size], *(["φ"] if angular == 1 else [f"φ{axis}" for axis in "xyz"[:angular]])]
    return names + [f"e{k + 1}" for k in range(len(turning) - len(names))]
