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
from reactio.errors import ReactioError, listed
from reactio.linear.rank import EPS
from reactio.optional_libraries import optional_library
from reactio.uniqueness.evidence import DenseEvidence
from reactio.uniqueness.last_digits import is_plain
from reactio.uniqueness.near_misses import Doubt
from reactio.uniqueness.verdict import ExactOpinion, ExactRanks, Solvability
from reactio.uniqueness.words import NEAR_SPECIAL, SCALES_DECIDE

LARGEST_DENOMINATOR = 10**6  # of fractions that entries are recognised as: decimals with six digits, 1/3, 22/7
FRACTION_ROUNDING = 8 * EPS  # relative error of an entry that is a fraction but for some sums and products
MOST_EXACT_ENTRIES = 10**6  # of a matrix whose ranks are computed in integers, one for each group: more take too long
MOST_GROUPS_NAMED = 8  # in one sentence: a longer one is not read


class FractionReading(NamedTuple):
    """The entries of a matrix as fractions; ``rounded`` of them differ from the numbers given, by up to ``error``."""

    entries: list[list[Fraction]]
    plain: bool  # do no entries show that they were rounded before?
    rounded: int = 0
    error: float = 0.0  # as a part of the entry

    @property
    def denominator(self) -> int:
        """The largest one."""
        return max((x.denominator for row in self.entries for x in row), default=1)


def second_opinion(answer: Solvability, C: Any, words: str = "", near: int = 0) -> Solvability:
    """The answer with ``exact`` filled in; ``words`` name what was certified where that is more than the matrix.

    Numbers that are plainly exact decide: rank, counts and verdicts become the exact ones, and a note says where
    floating point was wrong.  Numbers that were rounded before (1/3, √2, 0.1) are read twice, as the fractions that
    doubles are and as small fractions nearby.  Neither overrides a clear answer of floating point, whose tolerances
    allow for their rounding, and the small fractions settle no doubt.  ``near``: how many rounded numbers were read as
    fractions nearby to make C.
    """
    matrix = answer.matrix
    source = C.C if isinstance(C, ConstraintMatrix) else C
    given, nearby = readings(source)
    order = None if isinstance(C, ConstraintMatrix) else matrix.order
    doubles = _ranks(_in_order(given, order), matrix.rows.ptr)
    fractions = None if nearby is None else _ranks(_in_order(nearby, order), matrix.rows.ptr)
    statement = words or _statement(given, nearby, doubles, fractions)
    if given.plain and not near:
        return settled(answer, _opinion(answer, doubles, statement))
    return weighed(answer, doubles, fractions, statement)


def _in_order(reading: FractionReading, order: NDArray[np.int64] | None) -> list[list[Fraction]]:
    """The rows by groups."""
    return reading.entries if order is None else [reading.entries[i] for i in order]


def _statement(
    given: FractionReading, nearby: FractionReading | None, doubles: ExactRanks, fractions: ExactRanks | None
) -> str:
    """How the numbers were read."""
    if nearby is None or fractions is None:
        return "Exact ranks of the numbers as given."
    count = f"{nearby.rounded:,} " + ("entries" if nearby.rounded > 1 else "entry")
    words = (
        f"Exact ranks of the matrix with {count} read as fractions with denominators up to {nearby.denominator:,}, "
        f"rounded by up to {nearby.error:.1e} of the entry."
    )
    if fractions.rank == doubles.rank:
        return words + " The doubles as given have the same rank."
    return words + f" The doubles as given, to the last digit, have rank {doubles.rank}."


def _opinion(answer: Solvability, exact: ExactRanks, statement: str) -> ExactOpinion:
    """Exact ranks, and whether floating point agrees with them."""
    v = answer.verdicts
    wrong = ~v.ambiguous & ((exact.determined != v.determined) | (exact.own != v.own))
    agrees = not wrong.any() and (exact.rank == answer.rank or not answer.decision.confident)
    return ExactOpinion(exact, bool(agrees), statement)


def weighed(answer: Solvability, doubles: ExactRanks, fractions: ExactRanks | None, statement: str) -> Solvability:
    """The answer on numbers that were rounded before: what floating point and exact readings have in common.

    What both exact readings say stands: it does not rest on the last digits.  A clear verdict stands if one of them
    confirms it.  A doubt is settled by the doubles where the plausible verdicts include theirs, unless the fractions
    say otherwise.  All else is ambiguous between the readings.
    """
    every = (doubles,) if fractions is None else (fractions, doubles)
    v, d = answer.verdicts, answer.decision
    clear = ~v.ambiguous
    confirmed = np.logical_or.reduce([(e.determined == v.determined) & (e.own == v.own) for e in every])
    same = np.logical_and.reduce([(e.determined == doubles.determined) & (e.own == doubles.own) for e in every])
    plausible_count = ~clear & (v.low <= doubles.determined) & (doubles.determined <= v.high)
    settles = same & (plausible_count if fractions is None else True)
    open_ = ~settles & ~(clear & confirmed)
    counts = np.array([v.low, v.high, *(e.determined for e in every)])
    widest = np.maximum.reduce([v.own, *(e.own for e in every)])
    determined = np.where(settles, doubles.determined, v.determined)
    verdicts = replace(
        v,
        own=np.where(settles, doubles.own, np.where(open_, widest, v.own)),
        determined=determined,
        low=np.where(open_, counts.min(axis=0), determined),
        high=np.where(open_, counts.max(axis=0), determined),
        multipliers_unique=np.where(settles, doubles.multipliers_unique, v.multipliers_unique & ~open_),
        doubt=np.where(open_, np.int8(Doubt.RANK), np.where(settles, np.int8(Doubt.NONE), v.doubt)),
    )
    plausible = {d.rank, *d.alternatives}
    ranks = {e.rank for e in every}
    opinion = replace(_opinion(answer, every[0], statement), agrees=bool(confirmed[clear].all()))
    if d.confident and d.rank in ranks:
        decided = replace(answer, verdicts=verdicts)
    elif len(ranks) == 1 and (ranks <= plausible or fractions is not None) and not open_.any():
        decided = _settle_rank(replace(answer, verdicts=verdicts), doubles.rank)
    else:
        others = tuple(sorted((plausible | ranks) - {d.rank}))
        decided = replace(answer, verdicts=verdicts, decision=replace(d, confident=False, alternatives=others))
    notes: tuple[str, ...] = ()
    if not opinion.agrees and not open_.any():
        notes = ("Exact arithmetic contradicts floating point: the exact answer stands.",)
    elif open_.any() or not decided.decision.confident:
        notes = ("The numbers were rounded before: where the last digits decide, the answer stays ambiguous.",)
    return replace(decided, exact=opinion, notes=(*decided.notes, statement, *notes))


def settled(answer: Solvability, opinion: ExactOpinion) -> Solvability:
    """The answer with the rank and the verdicts of an exact opinion."""
    v, (_, own, determined, multipliers_unique) = answer.verdicts, opinion.ranks
    changed = np.flatnonzero(~v.ambiguous & ((own != v.own) | (determined != v.determined)))
    sure = replace(v, own=own, determined=determined, low=determined, high=determined)
    verdicts = replace(sure, multipliers_unique=multipliers_unique, doubt=np.zeros_like(v.doubt))
    notes: tuple[str, ...] = ()
    if not opinion.agrees:
        where = listed([answer.matrix.rows.groups[k].name for k in changed], MOST_GROUPS_NAMED) or "the rank"
        notes = (f"Exact arithmetic contradicts floating point on {where}: the exact answer stands.",)
    answer = _settle_rank(answer, opinion.rank)
    kept = (note for note in answer.notes if note not in (SCALES_DECIDE, NEAR_SPECIAL))
    return replace(answer, verdicts=verdicts, exact=opinion, notes=(*kept, opinion.statement, *notes))


def exact_rank(C: Any) -> int:
    """The rank of a matrix of fractions."""
    given, nearby = readings(C)
    return _rank([_cleared(row) for row in (nearby or given).entries])


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


def readings(C: Any) -> tuple[FractionReading, FractionReading | None]:
    """The numbers as given, each double the fraction that it is; and as small fractions nearby, where these differ."""
    A = C.toarray() if hasattr(C, "toarray") else np.asarray(C)
    if A.size > MOST_EXACT_ENTRIES:
        raise ReactioError(f"exact=True is for small matrices; {A.shape[0]} × {A.shape[1]} is too large.")
    entries = [[_given(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(A)]
    floats = (x for row in A for x in row if isinstance(x, float | np.floating))
    given = FractionReading(entries, all(_is_short(float(x)) for x in floats))
    if given.plain:
        return given, None
    nearby = [[_recognised(x) for x in row] for row in entries]
    if any(x is None for row in nearby for x in row):
        return given, None
    known = [[x for x in row if x is not None] for row in nearby]
    errors = [
        abs(float((near - x) / x))
        for row, given_row in zip(known, given.entries, strict=True)
        for near, x in zip(row, given_row, strict=True)
        if near != x
    ]
    return given, FractionReading(known, False, len(errors), max(errors)) if errors else None


def _given(x: Any, i: int, j: int) -> Fraction:
    """The entry x in row i and column j as the fraction that it is."""
    if isinstance(x, Rational | np.integer):
        return Fraction(int(x)) if isinstance(x, np.integer) else Fraction(x)
    if isinstance(x, float | np.floating):
        return Fraction(float(x))
    raise ReactioError(f"exact=True: entry ({i}, {j}) = {x!r} is not a rational number.")


def _recognised(x: Fraction) -> Fraction | None:
    """The fraction with a denominator up to 10⁶ that x is, up to a few roundings of x itself; x if it has few bits.

    Two such fractions are at least 10⁻¹² apart, so no more than one can be meant.
    """
    if _is_short(float(x)):
        return x
    near = x.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - x) <= FRACTION_ROUNDING * abs(x) else None


def _is_short(x: float) -> bool:
    """Has a double so few bits that it was not rounded?"""
    return is_plain(np.array([x]))


def _ranks(entries: list[list[Fraction]], ptr: NDArray[np.int64]) -> ExactRanks:
    """The ranks of a matrix whose groups of rows have the offsets ptr."""
    rows = [_cleared(row) for row in entries]
    r = _rank(rows)
    spans = list(itertools.pairwise(ptr))
    rank_of_rows = np.array([_rank(rows[a:b]) for a, b in spans], dtype=np.int64)
    outside = np.array([_rank(rows[:a] + rows[b:]) for a, b in spans], dtype=np.int64)
    return ExactRanks(r, rank_of_rows, r - outside, r - outside == np.diff(ptr))


def _cleared(row: list[Fraction]) -> list[int]:
    """A multiple of the row in integers: the same span."""
    scale = int(np.lcm.reduce(np.array([x.denominator for x in row], dtype=object)))
    return [int(x * scale) for x in row]


def _rank(rows: list[list[int]]) -> int:
    """The rank of a matrix of integers."""
    flint = optional_library("flint", "Exact arithmetic needs python-flint", "exact")
    return int(flint.fmpz_mat(rows).rank()) if rows else 0
