"""Components of very many groups at once, from a handful of projected vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import components
from reactio.solvability.functional import directions, flags
from reactio.solvability.verdict import Component, GroupVerdict, Solvability
from reactio.solvability.words import Verdict

Array = NDArray[np.float64]
PROBES = 8
# |pᵀλ| over the probes is the score times a χ of 8 degrees: below 0.1 with probability 3e-11, above 10 with 1e-17.
SPREAD = 10.0


def all_components(answer: Solvability) -> list[tuple[Component, ...]]:
    """The components of every group, in the order of ``answer.groups``.

    With w normal and λ = Ñ Ñᵀ w the functional p is unique iff pᵀλ = 0 for almost every w: a few vectors λ serve all
    groups, under every plausible rank.  Where all multipliers of a group are unique, or nothing of it is, no test
    is needed.  Near a threshold, where single groups could still be settled by ``components``, the flag is None.
    """
    W = np.random.default_rng(19031905).standard_normal((answer.m, PROBES))
    probes = [evidence.projections(W) for evidence in answer.evidences]
    found = []
    for group in answer.groups:
        table = components(answer.matrix, answer.matrix.rows.groups[group.index])
        unique = _flags(answer, group, table.P, probes)
        found.append(tuple(Component(*c) for c in zip(table.labels, table.units, unique, strict=True)))
    return found


def _flags(answer: Solvability, group: GroupVerdict, P: Array, probes: list[list[Array]]) -> list[bool | None]:
    if group.verdict is Verdict.UNIQUE and group.multipliers_unique:
        return [True] * len(P)
    if group.verdict is Verdict.NOT:
        return [False] * len(P)
    rows, tol = answer.rows_of(group.index), answer.tolerances
    units = [(directions(P, e, rows), Z) for e, Z in zip(answer.evidences, probes, strict=True)]
    scores = [np.linalg.norm(p @ Z_i[rows], axis=1) for p, Z in units for Z_i in Z]
    return flags(scores, tol.zero / SPREAD, tol.sure * SPREAD)
