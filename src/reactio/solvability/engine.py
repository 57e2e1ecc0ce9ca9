"""From a constraint matrix to an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import (
    ColumnTable,
    ConstraintMatrix,
    Rows,
    RowTable,
    check,
    from_array,
)
from reactio.errors import ReactioError, did_you_mean
from reactio.linear.nullspace import by_svd
from reactio.linear.rank import Tolerances, decide_rank
from reactio.linear.scaling import Scaled, apply, equilibrate, equilibrate_fully
from reactio.linear.spans import Spans
from reactio.solvability.deciders import DECIDERS, outside_ranks
from reactio.solvability.evidence import DenseEvidence
from reactio.solvability.scores import Verdicts, either
from reactio.solvability.verdict import Solvability

WHOLE = 150  # largest side that is judged in one piece; above it the rows are split into blocks first
USUAL = Tolerances()
ANY_METHOD = 2000  # largest side for the published dense tests


def solvability(
    C: Any,
    groups: Mapping[str, Rows] | None = None,
    *,
    rows: Sequence[str] | RowTable | None = None,
    columns: Sequence[str] | ColumnTable | None = None,
    unilateral: Iterable[int | str] | None = None,
    tolerances: Tolerances | None = None,
    method: str = "nullspace",
    exact: bool = False,
) -> Solvability:
    """Which reactions does a rigid model with constraint matrix C (m, n) determine?

    C: ConstraintMatrix, array or scipy.sparse; groups: name → rows; unilateral: rows or groups that only push.
    method: "nullspace", or a published test "qr", "svd", "rank" (Wojtyra & Frączek 2013, Sect. 3).
    exact: a second opinion in rational arithmetic.

    >>> solvability([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], {"A": [0], "B": [1], "C": [2]})["C"].verdict.value
    'unique'
    """
    matrix = _labelled(C, groups, rows, columns)
    tol = tolerances or matrix.tolerances or USUAL
    if method not in DECIDERS:
        raise ReactioError(f"There is no method '{method}'." + did_you_mean(method, DECIDERS))
    answer = _judge(matrix, tol, method)
    pushing = _pushing(matrix, unilateral)
    if pushing:
        note = (
            f"{len(pushing)} rows can only push: this verdict is by rank; with loads, bounds() may settle "
            "more, since a reaction that must not be negative can be fixed by the others."
        )
        answer = replace(answer, unilateral=pushing, notes=(*answer.notes, note))
    if exact:
        from reactio.solvability.exact import second_opinion

        return second_opinion(answer, C)
    return answer


def scaled(matrix: ConstraintMatrix) -> Scaled:
    """The equilibrated matrix: rows of unit length, but a row in which terms cancel is as small as what they leave."""
    scale = equilibrate(matrix.C, matrix.columns.angular, matrix.length, matrix.columns.twists)
    left = matrix.cancelled
    if left is None or (left == 1.0).all():
        return scale
    return replace(
        scale, C=apply(scale.C, left, np.ones(matrix.shape[1])), Dr=scale.Dr * np.where(left > 0.0, left, 1.0)
    )


def _labelled(C: Any, groups: Any, rows: Any, columns: Any) -> ConstraintMatrix:
    if not isinstance(C, ConstraintMatrix):
        return from_array(C, groups, rows=rows, columns=columns)
    if groups is not None or rows is not None or columns is not None:
        raise ReactioError("A ConstraintMatrix has its own labels; leave out groups=, rows= and columns=.")
    matrix = replace(C, C=C.C.toarray()) if max(C.shape) <= WHOLE and not isinstance(C.C, np.ndarray) else C
    check(matrix)
    return matrix


def _judge(matrix: ConstraintMatrix, tol: Tolerances, method: str) -> Solvability:
    """One answer; where column scales were held back, also one with full scales: what differs is ambiguous.

    Columns of known bodies are twists, or points and unit vectors: what is small there is small.
    """
    scale = scaled(matrix)
    answer = _judge_scaled(matrix, scale, tol, method)
    if not scale.held or matrix.columns.body_ptr is not None:
        return answer
    return _either(answer, _judge_scaled(matrix, equilibrate_fully(matrix.C), tol, method))


def _either(a: Solvability, b: Solvability) -> Solvability:
    """The first answer, ambiguous wherever the second gives another rank or verdict."""
    ranks = {a.rank, *a.decision.alternatives, b.rank, *b.decision.alternatives}
    decision = replace(a.decision, confident=len(ranks) == 1, alternatives=tuple(sorted(ranks - {a.rank})))
    v = either(a.verdicts, b.verdicts)
    note = "Entries differ so much in size that the units of the columns decide what counts as zero."
    doubt = not decision.confident or bool(v.ambiguous.any())
    notes = (*a.notes, note) if doubt else a.notes
    return replace(a, decision=decision, verdicts=v, notes=notes, other=b.evidence)


def _judge_scaled(matrix: ConstraintMatrix, scale: Scaled, tol: Tolerances, method: str) -> Solvability:
    side = max(matrix.shape)
    if side <= WHOLE or (method != "nullspace" and side <= ANY_METHOD):
        return _dense(matrix, scale, tol, method)
    if method != "nullspace":
        raise ReactioError(f"Method '{method}' is dense; {side} rows or columns are too many. Use method='nullspace'.")
    from reactio.solvability.large import judge_blocks

    return judge_blocks(matrix, scale, tol)


def _dense(matrix: ConstraintMatrix, scale: Scaled, tol: Tolerances, method: str) -> Solvability:
    if not isinstance(matrix.C, np.ndarray):
        matrix, scale = replace(matrix, C=matrix.C.toarray()), replace(scale, C=scale.C.toarray())
    spans = matrix.rows.spans
    factor = by_svd(scale.C)
    decision = decide_rank(factor.sigma, tol)
    verdicts = DECIDERS[method](scale.C, spans, tol, factor)
    verdicts, notes = _agreement(scale.C, spans, decision.rank, verdicts, tol)
    return Solvability(matrix, decision, verdicts, DenseEvidence(scale, factor, tol), tol, method, notes)


def _agreement(
    C: NDArray[np.float64], spans: Spans, rank: int, v: Verdicts, tol: Tolerances
) -> tuple[Verdicts, tuple[str, ...]]:
    """Compare with the second criterion, rank(B_X) = r_X + r_Y − r; where they differ, a group is ambiguous."""
    second = rank - outside_ranks(C, spans, tol)
    wrong = np.flatnonzero(second != v.determined)
    if not wrong.size:
        return v, ()
    low, high = v.low.copy(), v.high.copy()
    low[wrong] = np.minimum(low[wrong], np.maximum(second[wrong], 0))
    high[wrong] = np.maximum(high[wrong], second[wrong])
    note = f"Rank test and null-space test disagree on {wrong.size} groups; these are called ambiguous."
    return replace(v, low=low, high=high), (note,)


def _pushing(matrix: ConstraintMatrix, unilateral: Iterable[int | str] | None) -> tuple[int, ...]:
    """Rows (the caller's numbers) that can only push, from row numbers and group names."""
    if unilateral is None:
        return ()
    if not isinstance(unilateral, Iterable):
        raise ReactioError(f"unilateral= lists rows and groups, for example [0, 'A']; got {unilateral!r}.")
    m = matrix.shape[0]
    order = np.arange(m) if matrix.order is None else matrix.order
    table = {g.name: g for g in matrix.rows.groups}
    found: list[int] = []
    for item in unilateral:
        if isinstance(item, str):
            if item not in table:
                raise ReactioError(f"unilateral= names group '{item}'." + did_you_mean(item, table))
            found += [int(order[i]) for i in range(table[item].start, table[item].stop)]
        elif isinstance(item, int | np.integer) and not isinstance(item, bool) and 0 <= item < m:
            found.append(int(item))
        else:
            raise ReactioError(f"unilateral= names row {item!r}; the matrix has rows 0 to {m - 1}.")
    return tuple(sorted(set(found)))
