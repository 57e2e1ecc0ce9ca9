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
from reactio.linear.nullspace import Factor, by_svd
from reactio.linear.precision import ROUNDOFF
from reactio.linear.rank import EPS, RankDecision, Tolerances, decide_rank
from reactio.linear.scaling import (
    DENSE_SCALING_SIZE,
    ScaledMatrix,
    apply,
    equilibrate,
    equilibrate_fully,
    without_rounding,
    without_small_parts,
)
from reactio.linear.spans import Spans
from reactio.topology.components import connected
from reactio.uniqueness.deciders import DECIDERS, outside_ranks
from reactio.uniqueness.evidence import DenseEvidence
from reactio.uniqueness.last_digits import is_plain, spans_decades
from reactio.uniqueness.near_misses import Doubt, doubted
from reactio.uniqueness.scores import Verdicts, either, judge
from reactio.uniqueness.verdict import Solvability
from reactio.uniqueness.words import LAST_DIGITS_DECIDE, NEAR_SPECIAL, SCALES_DECIDE

LARGEST_UNDIVIDED_SIDE = 150  # largest side that is judged in one piece; above it the rows are split into blocks first
DEFAULT_TOLERANCES = Tolerances()  # where neither the caller nor the matrix says otherwise
GRADED_DECADES = 3.0  # between the row scales of two scalings, from which on both are judged: shares differ as much
# Error of entries that are right but for some sums and products.  Shares that should be zero in the library, in CAD
# files and in 1,200 random mechanisms are up to 1.5 ε σ_1 ‖C̃⁺_X‖ (``share_rounding``); a reserve of ten.
ROUNDING_OF_ENTRIES = 16 * EPS
# The same of a bare matrix: of what program its entries are, and after how many operations, is not known.
BARE_ROUNDING = 64 * EPS
MOST_SCALING_ENTRIES = 4_000_000  # of the matrices (m + n, m + n) that scale a stack: some 30 MB
LARGEST_PUBLISHED_SIDE = 2000  # largest side for the published tests, which decompose dense matrices


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
    rounding: float | None = None,
) -> Solvability:
    """Which reactions does a rigid model with constraint matrix C (m, n) determine?

    C: ConstraintMatrix, array or scipy.sparse; groups: name → rows; unilateral: rows or groups that only push.
    method: "nullspace", or a published test "qr", "svd", "rank" (Wojtyra & Frączek 2013, Sect. 3).
    exact: rank and verdicts in rational arithmetic.
    rounding: entries of a bare matrix below this part of their row and column are rounding and left out; 0 keeps all.
    None: those below 1e-12 are, and reactions that are unique only without them are ambiguous.

    >>> solvability([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], {"A": [0], "B": [1], "C": [2]})["C"].verdict.value
    'unique'
    """
    matrix = _labelled(C, groups, rows, columns)
    given, bare = matrix.C, not (exact or isinstance(C, ConstraintMatrix))
    matrix, left_out = _cleaned(matrix, bare, rounding)
    tol = tolerances or matrix.tolerances or _tolerances(matrix)
    if method not in DECIDERS:
        raise ReactioError(f"There is no method '{method}'." + did_you_mean(method, DECIDERS))
    answer = _judge(matrix, tol, method)
    if left_out:
        answer = replace(answer, notes=(*left_out, *answer.notes), given=given if rounding is None else None)
    if not exact and answer.counts_rounding:
        answer = _held_against_doubles(answer)
    pushing = _pushing(matrix, unilateral)
    if pushing:
        undecided = (note_on_signs(len(pushing)),) if answer.redundancy else ()
        answer = replace(answer, unilateral=pushing, notes=(*answer.notes, *undecided))
    if exact:
        from reactio.uniqueness.exact import second_opinion

        return second_opinion(answer, C)
    return answer


def note_on_signs(count: int) -> str:
    """A note on verdicts that know nothing of loads, where so many rows can only push."""
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return f"{rows} can only push, and these verdicts are by rank alone: with the loads, `bounds` may determine more."


def solvabilities(matrices: Sequence[ConstraintMatrix]) -> list[Solvability]:
    """The answers of ``solvability`` on matrices with the same rows and columns, as at the instants of a motion.

    Small matrices are scaled, decomposed and scored side by side, as one stack: one by one, most of the time would go
    into calls of NumPy.  Each has its own rank and verdicts; its numbers are those of ``solvability`` up to rounding.
    """
    if len(matrices) < 2 or not _alike(matrices):
        return [solvability(matrix) for matrix in matrices]
    most = max(1, MOST_SCALING_ENTRIES // sum(matrices[0].shape) ** 2)
    return [answer for k in range(0, len(matrices), most) for answer in _judge_stack(matrices[k : k + most])]


def _judge_stack(matrices: Sequence[ConstraintMatrix]) -> list[Solvability]:
    """The answers on a stack of matrices that are alike; those that two scalings may judge otherwise one by one."""
    first, C = _labelled(matrices[0], None, None, None), np.array([matrix.C for matrix in matrices])
    scale = scaled(first, C, np.array([matrix.cancelled for matrix in matrices]))
    factor = by_svd(scale.C)
    rounding = np.array([[matrix.rounding] for matrix in matrices])
    verdicts = judge(scale.C, factor, first.rows.spans, DEFAULT_TOLERANCES, rounding)
    graded = _graded(scale, fully_scaled(first, scale, max(ROUNDOFF, DEFAULT_TOLERANCES.zero)))
    answers = []
    for k, matrix in enumerate(matrices):
        tol, part = replace(DEFAULT_TOLERANCES, rounding=matrix.rounding), Factor(factor.Q[k], factor.sigma[k])
        answer = _answer(matrix, scale[k], part, verdicts[k], tol, "nullspace")
        answers.append(solvability(matrix) if graded[k] else answer)
    return answers


def _alike(matrices: Sequence[ConstraintMatrix]) -> bool:
    """Are these small matrices of one model with finite entries, and without tolerances or rows that only push?"""
    first = matrices[0]
    return (
        sum(first.shape) <= DENSE_SCALING_SIZE
        and first.columns.body_ptr is not None
        and not first.rows.unilateral
        and all(
            isinstance(matrix.C, np.ndarray)
            and matrix.columns is first.columns
            and matrix.rows.spans is first.rows.spans
            and matrix.length == first.length
            and matrix.tolerances is None
            and matrix.cancelled is not None
            and matrix.rounding is not None
            for matrix in matrices
        )
        and all(np.isfinite(matrix.C).all() for matrix in matrices)
    )


def rank_decision(matrix: ConstraintMatrix) -> RankDecision:
    """The rank of C alone, as ``solvability`` decides it; shares are not compared with those of a second scaling.

    >>> from reactio.constraint_matrix import from_array
    >>> rank_decision(from_array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], {"A": [0], "B": [1, 2]})).rank
    2
    """
    matrix = _labelled(matrix, None, None, None)
    scale, tol = scaled(matrix), matrix.tolerances or DEFAULT_TOLERANCES
    if isinstance(scale.C, np.ndarray) and max(matrix.shape) <= LARGEST_UNDIVIDED_SIDE and tol.rounding is None:
        return decide_rank(np.linalg.svd(scale.C, compute_uv=False), tol)  # shares in self-stresses have no part in it
    return _judge_scaled(matrix, scale, tol, "nullspace").decision


def scaled(matrix: ConstraintMatrix, C: Any = None, cancelled: Any = None) -> ScaledMatrix:
    """The equilibrated matrix: rows of unit length, but a row in which terms cancel is as small as what they leave.

    With C (k, m, n) and cancelled (k, m): a stack of matrices whose rows and columns are those of ``matrix``.
    """
    C, left = (matrix.C, matrix.cancelled) if C is None else (C, cancelled)
    scale = equilibrate(C, matrix.columns.angular, matrix.length, matrix.columns.twists)
    if left is None or (left == 1.0).all():
        return scale
    return replace(
        scale, C=apply(scale.C, left, np.ones(matrix.shape[1])), Dr=scale.Dr * np.where(left > 0.0, left, 1.0)
    )


def _labelled(C: Any, groups: Any, rows: Any, columns: Any) -> ConstraintMatrix:
    """C with labels, checked; dense where it is small."""
    bare = not isinstance(C, ConstraintMatrix)
    if not bare and (groups is not None or rows is not None or columns is not None):
        raise ReactioError("A ConstraintMatrix has its own labels; leave out groups=, rows= and columns=.")
    matrix = from_array(C, groups, rows=rows, columns=columns) if bare else C
    if max(matrix.shape) <= LARGEST_UNDIVIDED_SIDE and not isinstance(matrix.C, np.ndarray):
        matrix = replace(matrix, C=matrix.C.toarray())
    if not bare:
        check(matrix)
    return matrix


def _cleaned(matrix: ConstraintMatrix, bare: bool, rounding: float | None) -> tuple[ConstraintMatrix, tuple[str, ...]]:
    """A bare matrix without its rounding, and a sentence that says so; a model knows its own rounding."""
    limit = (ROUNDOFF if bare else 0.0) if rounding is None else rounding
    if not 0.0 <= limit < 1e-3:
        raise ReactioError(f"rounding= is a small part of the entries, from 0 to 1e-3; got {limit!r}.")
    if rounding is not None or matrix.rounding is None:
        matrix = replace(matrix, rounding=max(rounding or 0.0, ROUNDING_OF_ENTRIES if rounding else BARE_ROUNDING))
    if not limit:
        return matrix, ()
    angular = matrix.columns.angular
    unit = None if angular is None else np.where(angular, 1.0 / matrix.length, 1.0)
    C, count = without_rounding(matrix.C, limit, unit)
    if not count:
        return matrix, ()
    entries = "1 entry is" if count == 1 else f"{count:,} entries are"
    words = f"{entries} below {limit:g} of the others in row and column, taken for rounding and left out"
    settles = f"; rounding={limit:g} says that such entries are rounding" if rounding is None else ""
    return replace(matrix, C=C), (f"{words} (rounding=0 keeps everything{settles}).",)


def _tolerances(matrix: ConstraintMatrix) -> Tolerances:
    """The default ones with the rounding of a matrix; of a bare one also singular values are held against it."""
    bare = matrix.columns.body_ptr is None
    return replace(DEFAULT_TOLERANCES, rounding=matrix.rounding, rank_rounding=matrix.rounding if bare else None)


def _judge(matrix: ConstraintMatrix, tol: Tolerances, method: str) -> Solvability:
    """One answer; where other scales bring its entries much nearer to each other, also one with these.

    A share of 1e-14 in a self-stress is rounding in one scale and plain in another (gears in a ring, x_i = 2 x_{i+1}
    around a long loop).  Nothing but scales tells one from the other: what differs is ambiguous.
    """
    scale = scaled(matrix)
    answer = _judge_scaled(matrix, scale, tol, method)
    full = fully_scaled(matrix, scale, max(ROUNDOFF, tol.zero))
    if not _graded(scale, full) and (not scale.held or matrix.columns.body_ptr is not None):
        return answer
    # Other scales enlarge entries that were left out as small: shares below the tolerance for zero may consist of them.
    return _either(answer, _judge_scaled(matrix, full, replace(tol, rounding=None), method))


def _held_against_doubles(answer: Solvability) -> Solvability:
    """The answer on a bare matrix, ambiguous where exact arithmetic on its doubles contradicts it.

    What counts as determined by shares within rounding, and is not to the last digit, is ambiguous.  Numbers that were
    not rounded and lie far apart, as 1 and 2⁵¹, decide shares below rounding: there every contradiction counts, also
    on the rank.
    """
    C, v = answer.numbers, answer.verdicts
    if v.multipliers_unique.all() and answer.confident:
        return answer
    if (exact := answer.doubles) is None:
        return answer if answer.given is None else _without_what_small_entries_touch(answer)
    rank_of_rows, determined = exact.determined(answer.matrix.rows.spans)
    decisive = is_plain(C) and spans_decades(C)
    too_much = (determined < v.determined) | ((v.determined >= v.own) & (determined < rank_of_rows))
    wrong = ~v.ambiguous & (((rank_of_rows != v.own) | (determined != v.determined)) if decisive else too_much)
    plausible = {answer.rank, *answer.decision.alternatives}
    ranks = plausible | ({exact.rank} if decisive else set())
    if not wrong.any() and ranks == plausible:
        return answer
    decision = replace(answer.decision, confident=len(ranks) == 1, alternatives=tuple(sorted(ranks - {answer.rank})))
    to_the_last_digit = replace(
        v,
        own=np.where(wrong, rank_of_rows, v.own),
        low=np.where(wrong, determined, v.low),
        high=np.where(wrong, determined, v.high),
        multipliers_unique=v.multipliers_unique & ~wrong,
        doubt=np.where(wrong, np.int8(Doubt.RANK if decisive else Doubt.ZEROS), v.doubt),
    )
    note = SCALES_DECIDE if decisive else LAST_DIGITS_DECIDE
    return replace(answer, verdicts=either(v, to_the_last_digit), decision=decision, notes=(*answer.notes, note))


def _without_what_small_entries_touch(answer: Solvability) -> Solvability:
    """The answer on a bare matrix too large for exact arithmetic, some of whose entries were taken for rounding.

    With such an entry a self-stress of the rows that hang together has other shares: what counts as unique among them
    is ambiguous.  Independent rows stay independent.
    """
    from scipy.sparse import coo_array

    v, owner = answer.verdicts, answer.matrix.rows.spans.owner
    entries = coo_array(answer.numbers)
    dropped = coo_array(answer.numbers - answer.matrix.C)
    dropped.eliminate_zeros()
    part = connected(answer.m + answer.n, entries.row.astype(np.int64), answer.m + entries.col.astype(np.int64))[
        : answer.m
    ]
    touched = np.isin(part, part[dropped.row]) & np.isin(part, part[~v.multipliers_unique[owner]])
    doubt = np.zeros_like(v.doubt)
    doubt[owner[touched]] = Doubt.ZEROS
    if not doubt.any():
        return answer
    verdicts = v.doubting(doubt, np.array(answer.redundancy))
    return replace(answer, verdicts=verdicts, notes=(*answer.notes, LAST_DIGITS_DECIDE))


def _graded(scale: ScaledMatrix, full: ScaledMatrix) -> Any:
    """Do two scalings differ so much that both must be judged?  (k,) of a stack."""
    return np.ptp(np.log10(full.Dr / scale.Dr), axis=-1) > GRADED_DECADES


def fully_scaled(matrix: ConstraintMatrix, scale: ScaledMatrix, small: float) -> ScaledMatrix:
    """C with entries as near to each other as scales can bring them.

    The linear and the angular velocities of a known body each keep one scale, and what is below ``small`` next to the
    rest of a row on the same body is left out: what is small there is small.
    """
    body, part = matrix.columns.body, matrix.columns.body_part
    C = scale.C if body is None else without_small_parts(scale.C, body, small)
    full = equilibrate_fully(C, part)
    return ScaledMatrix(full.C, scale.Dr * full.Dr, scale.Dc * full.Dc, scale.S)


def _either(a: Solvability, b: Solvability) -> Solvability:
    """The first answer, ambiguous wherever the second gives another rank or verdict."""
    ranks = {a.rank, *a.decision.alternatives, b.rank, *b.decision.alternatives}
    decision = replace(a.decision, confident=len(ranks) == 1, alternatives=tuple(sorted(ranks - {a.rank})))
    v = either(a.verdicts, b.verdicts)
    doubt = not decision.confident or bool(v.ambiguous.any())
    notes = (*a.notes, SCALES_DECIDE) if doubt else a.notes
    return replace(a, decision=decision, verdicts=v, notes=notes, other=b.evidence)


def _judge_scaled(matrix: ConstraintMatrix, scale: ScaledMatrix, tol: Tolerances, method: str) -> Solvability:
    """The answer with one scaling, in one piece or block by block."""
    side = max(matrix.shape)
    if side <= LARGEST_UNDIVIDED_SIDE or (method != "nullspace" and side <= LARGEST_PUBLISHED_SIDE):
        return _dense(matrix, scale, tol, method)
    if method != "nullspace":
        raise ReactioError(f"Method '{method}' is dense; {side} rows or columns are too many. Use method='nullspace'.")
    from reactio.uniqueness.large import judge_blocks

    return judge_blocks(matrix, scale, tol)


def _dense(matrix: ConstraintMatrix, scale: ScaledMatrix, tol: Tolerances, method: str) -> Solvability:
    """The answer from one dense factorisation."""
    if not isinstance(matrix.C, np.ndarray):
        matrix, scale = replace(matrix, C=matrix.C.toarray()), replace(scale, C=scale.C.toarray())
    factor = by_svd(scale.C)
    verdicts = DECIDERS[method](scale.C, matrix.rows.spans, tol, factor)
    return _answer(matrix, scale, factor, verdicts, tol, method)


def _answer(
    matrix: ConstraintMatrix, scale: ScaledMatrix, factor: Factor, verdicts: Verdicts, tol: Tolerances, method: str
) -> Solvability:
    """Rank and verdicts with their evidence, compared with the second criterion."""
    decision = doubted(decide_rank(factor.sigma, tol), verdicts.doubt, min(matrix.shape))
    verdicts, notes = _agreement(scale.C, matrix.rows.spans, decision.rank, verdicts, tol)
    if verdicts.doubt.any():
        notes = (*notes, NEAR_SPECIAL)
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
    """Rows (the caller's numbers) that can only push: those the matrix knows, and those given by number or group."""
    if unilateral is None and not matrix.rows.unilateral:
        return ()
    unilateral = () if unilateral is None else unilateral
    if not isinstance(unilateral, Iterable):
        raise ReactioError(f"unilateral= lists rows and groups, for example [0, 'A']; got {unilateral!r}.")
    m = matrix.shape[0]
    order = np.arange(m) if matrix.order is None else matrix.order
    table = {g.name: g for g in matrix.rows.groups}
    pushing = [int(order[i]) for i in matrix.rows.unilateral]
    for item in unilateral:
        if isinstance(item, str):
            if item not in table:
                raise ReactioError(f"unilateral= names group '{item}'." + did_you_mean(item, table))
            pushing += [int(order[i]) for i in range(table[item].start, table[item].stop)]
        elif isinstance(item, int | np.integer) and not isinstance(item, bool) and 0 <= item < m:
            pushing.append(int(item))
        else:
            raise ReactioError(f"unilateral= names row {item!r}; the matrix has rows 0 to {m - 1}.")
    return tuple(sorted(set(pushing)))
