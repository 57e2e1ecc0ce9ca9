"""A second opinion in rational arithmetic, where tolerances do not exist."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.linear.rank import EPS, Tolerances, decide_rank
from reactio.solvability.evidence import DenseEvidence
from reactio.solvability.scores import Verdicts

if TYPE_CHECKING:
    from reactio.solvability.verdict import Solvability

MAX_DENOMINATOR = 10**6
MAX_ENTRIES = 10**6
ROUNDING = 8 * EPS


@dataclass(frozen=True, slots=True)
class ExactOpinion:
    """Rank and determined components per group of the rational matrix; what was certified, in words."""

    rank: int
    own: tuple[int, ...]
    determined: tuple[int, ...]
    multipliers_unique: tuple[bool, ...]
    agrees: bool
    statement: str


def second_opinion(answer: Solvability, C: Any, words: str = "") -> Solvability:
    """The answer with ``exact`` filled in; ``words`` say what was certified when that is more than the matrix.

    It settles what was ambiguous; where it contradicts a confident verdict, the group becomes ambiguous.
    """
    matrix = answer.matrix
    source = C.C if isinstance(C, ConstraintMatrix) else C
    entries, statement = rationals(source)
    statement = words or statement
    if not isinstance(C, ConstraintMatrix) and matrix.order is not None:
        entries = [entries[i] for i in matrix.order]
    r, own, determined, multipliers = _ranks(entries, matrix.rows.ptr)
    v = answer.verdicts
    sure = ~v.ambiguous
    wrong = sure & ((determined != v.determined) | (own != v.own))
    agrees = bool(not wrong.any() and (r == answer.rank or not answer.decision.confident))
    opinion = ExactOpinion(
        r,
        tuple(own.tolist()),
        tuple(determined.tolist()),
        tuple(multipliers.tolist()),
        agrees,
        statement,
    )
    settled = Verdicts(
        own=own,
        determined=determined,
        low=np.where(wrong, np.minimum(determined, v.determined), determined),
        high=np.where(wrong, np.maximum(determined, v.determined), determined),
        margin=v.margin,
        multipliers_unique=multipliers,
    )
    answer = _settle_rank(answer, r)
    notes = () if agrees else ("Exact arithmetic contradicts floating point; those groups are called ambiguous.",)
    return replace(answer, verdicts=settled, exact=opinion, notes=(*answer.notes, statement, *notes))


def exact_rank(C: Any) -> int:
    """The rank of a matrix of fractions."""
    return _rank([_cleared(row) for row in rationals(C)[0]])


def _settle_rank(answer: Solvability, r: int) -> Solvability:
    """Read the null space with the exact rank where floating point could not choose."""
    evidence, decision = answer.evidence, answer.decision
    if decision.confident or r not in (answer.rank, *decision.alternatives) or not isinstance(evidence, DenseEvidence):
        return answer
    s = np.append(decision.sigma, 0.0) / decision.scale
    cut = float(np.sqrt(s[r - 1] * max(s[r], EPS**2)))
    tol = Tolerances(cut, cut, cut)
    return replace(
        answer,
        decision=decide_rank(decision.sigma, tol),
        evidence=replace(evidence, tol=tol),
    )


def rationals(C: Any) -> tuple[list[list[Fraction]], str]:
    """The entries as fractions and how they were read; refuses numbers that are no small fractions."""
    A = C.toarray() if hasattr(C, "toarray") else np.asarray(C)
    if A.size > MAX_ENTRIES:
        raise ReactioError(f"exact=True is for small matrices; {A.shape[0]} × {A.shape[1]} is too large.")
    if A.dtype == object or np.issubdtype(A.dtype, np.integer):
        return [[_given(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(A)], (
            "Exact ranks of the matrix as given in rational numbers."
        )
    entries = [[_recognised(float(x), i, j) for j, x in enumerate(row)] for i, row in enumerate(A)]
    largest = max((x.denominator for row in entries for x in row), default=1)
    return entries, f"Exact ranks of the matrix read as fractions with denominators up to {largest}."


def _given(x: Any, i: int, j: int) -> Fraction:
    if isinstance(x, Rational | np.integer):
        return Fraction(int(x)) if isinstance(x, np.integer) else Fraction(x)
    if isinstance(x, float | np.floating):
        return _recognised(float(x), i, j)
    raise ReactioError(f"exact=True: entry ({i}, {j}) = {x!r} is no rational number.")


def _recognised(x: float, i: int, j: int) -> Fraction:
    """The fraction with a denominator up to 10⁶ that x is, up to the rounding of a few sums and products.

    Two such fractions are at least 10⁻¹² apart, so no more than one can be meant.
    """
    near = Fraction(x).limit_denominator(MAX_DENOMINATOR)
    if abs(float(near) - x) > ROUNDING * max(1.0, abs(x)):
        raise ReactioError(
            f"exact=True: entry ({i}, {j}) = {x!r} is no fraction with a denominator up to 10⁶; "
            "the rank of rounded irrational numbers means nothing. Pass fractions or rational dimensions."
        )
    return near


def _ranks(entries: list[list[Fraction]], ptr: Any) -> tuple[int, Any, Any, Any]:
    """r, r_X, r − r_Y and whether all multipliers of X are unique (r = size + r_Y)."""
    rows = [_cleared(row) for row in entries]
    r = _rank(rows)
    spans = list(itertools.pairwise(ptr))
    own = np.array([_rank(rows[a:b]) for a, b in spans], dtype=np.int64)
    outside = np.array([_rank(rows[:a] + rows[b:]) for a, b in spans], dtype=np.int64)
    return r, own, r - outside, r - outside == np.diff(ptr)


def _cleared(row: list[Fraction]) -> list[int]:
    """A multiple of the row in integers: the same span."""
    scale = int(np.lcm.reduce(np.array([x.denominator for x in row], dtype=object)))
    return [int(x * scale) for x in row]


def _rank(rows: list[list[int]]) -> int:
    try:
        from flint import fmpz_mat
    except ImportError as error:
        raise ReactioError("exact=True needs python-flint: pip install 'reactio[exact]'.") from error
    return int(fmpz_mat(rows).rank()) if rows else 0
