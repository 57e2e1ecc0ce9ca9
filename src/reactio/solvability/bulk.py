"""Components of very many groups at once, from a handful of projected vectors."""

from __future__ import annotations

import numpy as np

from reactio.constraint_matrix import components
from reactio.solvability.verdict import Component, Solvability
from reactio.solvability.words import Verdict

PROBES = 8  # a functional that is not unique hides from all of them with probability below 1e-40 at the threshold
PLAIN: dict[Verdict, bool] = {Verdict.UNIQUE: True, Verdict.NOT: False}


def all_components(answer: Solvability) -> list[tuple[Component, ...]]:
    """The components of every group, in the order of ``answer.groups``.

    With w normal and λ = Ñ Ñᵀ w the functional p is unique iff pᵀλ = 0 for almost every w: a few vectors λ serve all
    groups.  Where the whole group is unique, or nothing of it is, no test is needed.
    """
    matrix, tol = answer.matrix, answer.tolerances
    Dr = answer.evidence.scaled.Dr
    W = np.random.default_rng(19031905).standard_normal((answer.m, PROBES))
    Z = answer.evidence.project(W)
    found = []
    for group in answer.groups:
        table = components(matrix, matrix.rows.groups[group.index])
        if group.verdict in PLAIN:
            flags: list[bool | None] = [PLAIN[group.verdict]] * len(table.labels)
        else:
            rows = answer.rows_of(group.index)
            p = table.P * Dr[rows]
            scores = np.linalg.norm(p @ Z[rows], axis=1) / np.linalg.norm(p, axis=1)
            flags = [True if s <= tol.decide else (False if s >= tol.sure else None) for s in scores]
        found.append(tuple(Component(*c) for c in zip(table.labels, table.units, flags, strict=True)))
    return found
