"""A second opinion in rational arithmetic, where tolerances do not exist."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from numbers import Rational
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError, how_to_install, listed
from reactio.linear.rank import EPS
from reactio.uniqueness.evidence import DenseEvidence
from reactio.uniqueness.verdict import ExactOpinion, Solvability
from reactio.uniqueness.words import SCALES_DECIDE

LARGEST_DENOMINATOR = 10**6  # of fractions that entries are recognised as: decimals with six digits, 1/3, 22/7
FRACTION_ROUNDING = 8 * EPS  # relative error of an entry that is a fraction but for some sums and products
MOST_EXACT_ENTRIES = 10**6  # of a matrix whose ranks are computed in integers, one for each group: more take too long
MOST_GROUPS_NAMED = 8  # in one sentence: a longer one is not read


def second_opinion(answer: Solvability, C: Any, words: str = "") -> Solvability:
    """The answer with ``exact`` filled in; ``words`` say what was certified when that is more than the matrix.

    Rank, counts and verdicts become the exact ones, and a note says where floating point was wrong.
    """
    matrix = answer.matrix
    source = C.C if isinstance(C, ConstraintMatrix) else C
    entries, statement = rationals(source)
    statement = words or statement
    if not isinstance(C, ConstraintMatrix) and matrix.order is not None:
        entries = [entries[i] for i in matrix.order]
    exact = _ranks(entries, matrix.rows.ptr)
    v = answer.verdicts
    wrong = ~v.ambiguous & ((exact.determined != v.determined) | (exact.own != v.own))
    opinion = ExactOpinion(
        rank=exact.rank,
        own=tuple(exact.own.tolist()),
        determined=tuple(exact.determined.tolist()),
        multipliers_unique=tuple(exact.multipliers_unique.tolist()),
        agrees=bool(not wrong.any() and (exact.rank == answer.rank or not answer.decision.confident)),
        statement=statement,
    )
    return settled(answer, opinion, np.arange(len(exact.own)))


def settled(answer: Solvability, opinion: ExactOpinion, groups: NDArray[np.int64]) -> Solvability:
    """The answer with the rank of an exact opinion and its verdicts on some of its ``groups``, in their order."""
    v = answer.verdicts
    own, determined, multipliers = v.own.copy(), v.determined.copy(), v.multipliers_unique.copy()
    own[groups], determined[groups], multipliers[groups] = opinion.own, opinion.determined, opinion.multipliers_unique
    changed = np.flatnonzero(~v.ambiguous & ((own != v.own) | (determined != v.determined)))
    verdicts = replace(
        v, own=own, determined=determined, low=determined, high=determined, multipliers_unique=multipliers
    )
    notes: tuple[str, ...] = ()
    if not opinion.agrees:
        where = listed([answer.matrix.rows.groups[k].name for k in changed], MOST_GROUPS_NAMED) or "the rank"
        notes = (f"Exact arithmetic contradicts floating point on {where}: the exact answer stands.",)
    answer = _settle_rank(answer, opinion.rank)
    kept = (note for note in answer.notes if note != SCALES_DECIDE)
    return replace(answer, verdicts=verdicts, exact=opinion, notes=(*kept, opinion.statement, *notes))


def exact_rank(C: Any) -> int:
    """The rank of a matrix of fractions."""
    return _rank([_cleared(row) for row in rationals(C)[0]])


def _settle_rank(answer: Solvability, r: int) -> Solvability:
    """The exact rank, and the null space read with it."""
    evidence, decision = answer.evidences[-1], answer.decision
    if isinstance(evidence, DenseEvidence):
        evidence = replace(evidence, rank=r)
    sigma = decision.sigma
    if sigma.size:
        kept, dropped = np.append(np.inf, sigma)[r], np.append(sigma, 0.0)[r]
        decision = replace(decision, sigma_last_kept=float(kept) if r else 0.0, sigma_first_dropped=float(dropped))
    decision = replace(decision, rank=r, confident=True, alternatives=())
    return replace(answer, decision=decision, evidence=evidence, other=None)


def rationals(C: Any) -> tuple[list[list[Fraction]], str]:
    """The entries as fractions and how they were read; refuses numbers that are no small fractions."""
    A = C.toarray() if hasattr(C, "toarray") else np.asarray(C)
    if A.size > MOST_EXACT_ENTRIES:
        raise ReactioError(f"exact=True is for small matrices; {A.shape[0]} × {A.shape[1]} is too large.")
    if A.dtype == object or np.issubdtype(A.dtype, np.integer):
        return [[_given(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(A)], (
            "Exact ranks of the matrix as given in rational numbers."
        )
    entries = [[_recognised(float(x), i, j) for j, x in enumerate(row)] for i, row in enumerate(A)]
    largest = max((x.denominator for row in entries for x in row), default=1)
    return entries, f"Exact ranks of the matrix read as fractions with denominators up to {largest}."


def _given(x: Any, i: int, j: int) -> Fraction:
    """The entry x in row i and column j of a matrix that is given in rational numbers."""
    if isinstance(x, Rational | np.integer):
        return Fraction(int(x)) if isinstance(x, np.integer) else Fraction(x)
    if isinstance(x, float | np.floating):
        return _recognised(float(x), i, j)
    raise ReactioError(f"exact=True: entry ({i}, {j}) = {x!r} is no rational number.")


def _recognised(x: float, i: int, j: int) -> Fraction:
    """The fraction with a denominator up to 10⁶ that x is, up to the rounding of a few sums and products.

    Two such fractions are at least 10⁻¹² apart, so no more than one can be meant.
    """
    near = Fraction(x).limit_denominator(LARGEST_DENOMINATOR)
    if abs(float(near) - x) > FRACTION_ROUNDING * max(1.0, abs(x)):
        raise ReactioError(
            f"exact=True: entry ({i}, {j}) = {x!r} is no fraction with a denominator up to 10⁶; "
            "the rank of rounded irrational numbers means nothing. Pass fractions or rational dimensions."
        )
    return near


class ExactRanks(NamedTuple):
    """The rank of a rational matrix, and for every group X of its rows (g,) …"""

    rank: int
    own: NDArray[np.int64]  # r_X, the rank of its own rows
    determined: NDArray[np.int64]  # r − r_Y, r_Y the rank of the rows outside it
    multipliers_unique: NDArray[np.bool_]  # r = size + r_Y


def _ranks(entries: list[list[Fraction]], ptr: NDArray[np.int64]) -> ExactRanks:
    """The ranks of a matrix whose groups of rows have the offsets ptr."""
    rows = [_cleared(row) for row in entries]
    r = _rank(rows)
    spans = list(itertools.pairwise(ptr))
    own = np.array([_rank(rows[a:b]) for a, b in spans], dtype=np.int64)
    outside = np.array([_rank(rows[:a] + rows[b:]) for a, b in spans], dtype=np.int64)
    return ExactRanks(r, own, r - outside, r - outside == np.diff(ptr))


def _cleared(row: list[Fraction]) -> list[int]:
    """A multiple of the row in integers: the same span."""
    scale = int(np.lcm.reduce(np.array([x.denominator for x in row], dtype=object)))
    return [int(x * scale) for x in row]


def _rank(rows: list[list[int]]) -> int:
    """The rank of a matrix of integers."""
    try:
        from flint import fmpz_mat
    except ImportError as error:
        raise ReactioError(f"Exact arithmetic needs python-flint: {how_to_install('exact')}.") from error
    return int(fmpz_mat(rows).rank()) if rows else 0
