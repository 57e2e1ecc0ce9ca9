"""The one predicate: a linear functional P λ of the multipliers is unique iff P N = 0."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import distinct
from reactio.constraint_matrix import ConstraintMatrix, Group, components, unknown_group
from reactio.errors import ReactioError, did_you_mean
from reactio.linear.precision import ROUNDOFF
from reactio.linear.rank import EPS, Tolerances
from reactio.uniqueness.evidence import Evidence
from reactio.uniqueness.scores import decades, singular_values
from reactio.uniqueness.words import Verdict, word

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
_FACTOR = re.compile(r"\s*([+-]?)\s*(?:([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*\*)?\s*")
MOST_PARSED_SUMS = 64  # sums whose terms are kept: those of a report are asked for at every instant of a run
COMPARABLE_SCALES = 1e-3  # of the rows in a sum: a term on a smaller one, times a small share, may hide below rounding
ROUNDING_OF_FACTORS = 16 * EPS  # of the largest of a group: turning its axes makes so much of zeros
_COMPONENT = re.compile(r"(?:\.([^+\-]+))?\s*")


class SomeMultipliers(NamedTuple):
    """Some λ (m,) with Cᵀλ = f."""

    lam: Array
    exist: NDArray[np.bool_]  # (m,) False for rows of joints whose reactions grow beyond all bounds: λ is without them


@dataclass(frozen=True, slots=True)
class FunctionalVerdict:
    """Is P λ unique?  ``determined`` of its ``size`` independent rows are; margin [decades].

    ``unit`` of P λ; empty where its terms have different ones, or where a bare matrix has none.
    ``note``: what the last digits of a bare matrix say, where that is something else.
    """

    verdict: Verdict
    size: int
    determined: int
    margin: float
    unit: str = ""
    note: str = ""
    terms: tuple[Ints, Array] | None = field(default=None, repr=False, compare=False)
    multipliers: Callable[[], SomeMultipliers] | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> float | None:
        """The number P λ in ``unit``; None where it is not unique, has several rows, or where no loads are known."""
        if self.verdict is not Verdict.UNIQUE or self.terms is None or self.multipliers is None:
            return None
        rows, P = self.terms
        lam, exist = self.multipliers()
        if len(P) != 1 or not exist[rows].all():
            return None
        value = float((P @ lam[rows])[0])
        return value if abs(value) > ROUNDOFF * np.abs(lam[exist]).max(initial=0.0) else 0.0

    @property
    def unique(self) -> bool | None:
        """True, False, or None when it cannot be decided."""
        return None if self.verdict is Verdict.AMBIGUOUS else self.verdict is Verdict.UNIQUE


def judge_functional(
    evidences: Sequence[Evidence], rows: Ints, P: Array, tol: Tolerances, owner: Ints
) -> FunctionalVerdict:
    """Judge P (k, len(rows)) acting on the multipliers of ``rows``, which belong to the groups ``owner``.

    The score of a direction p is |p D_r Ñ| / |p D_r| ∈ [0, 1]: free of units and of row scales.
    """
    terms = [undetermined_terms(P, e, rows) for e in evidences]
    if not P.any():
        raise ReactioError("The functional is zero: it has no coefficient on any multiplier.")
    bases = [_directions(p, tol) for p, _ in terms]
    pairs = [(singular_values(V @ N), e) for V, e in zip(bases, evidences, strict=True) for N in e.null_rows(rows)]
    scores = [s for s, _ in pairs]
    sizes = [len(_directions(directions(P, e, rows), tol)) for e in evidences]
    size, free = sizes[0], int((scores[0] > tol.decide).sum())
    low = min(int((s >= e.sure(rows)).sum()) for s, e in pairs)
    high = max(int((s > e.zero(rows)).sum()) for s, e in pairs)
    coarse = any(cancels_coarsely(p, e, rows, tol, owner) for (p, _), e in zip(terms, evidences, strict=True))
    flagged = any(flag.any() or hides(P, p, e, rows, owner) for (p, flag), e in zip(terms, evidences, strict=True))
    hidden = (coarse or flagged) and low < size
    clear = low == high and not hidden and set(sizes) == {size}
    verdict = word(size - free, size) if clear else Verdict.AMBIGUOUS
    return FunctionalVerdict(verdict, size, size - free, min(float(decades(s, tol)) for s in scores))


def directions(P: Array, evidence: Evidence, rows: Ints) -> Array:
    """The rows p D_r of P (k, len(rows)) as unit vectors; a zero row stays zero."""
    Dr = evidence.scaled.Dr[rows]
    p = P * (Dr / Dr.max(initial=0.0)) if Dr.size else P
    p = p / _or_one(np.abs(p).max(axis=1, keepdims=True, initial=0.0))
    return np.asarray(p / _or_one(np.linalg.norm(p, axis=1, keepdims=True)))


def undetermined_terms(P: Array, evidence: Evidence, rows: Ints) -> tuple[Array, NDArray[np.bool_]]:
    """The directions of P (k, len(rows)) without determined terms in far larger units; and does a term hide (k,)?

    A determined multiplier adds nothing to what is undetermined in a sum, however large it is in its units: the rest is
    a unit vector, times the ratio of its factors to those left out.  A term whose share is below the rounding of a
    larger one hides: whether the sum vanishes is not seen then.
    """
    p, Dr = directions(P, evidence, rows), evidence.scaled.Dr[rows]
    if Dr.size < 2 or Dr.max() * COMPARABLE_SCALES <= Dr.min():
        return p, np.zeros(len(p), dtype=bool)
    limit = evidence.zero(rows)
    shares = np.sqrt(np.add.reduce(np.square(evidence.null_rows(rows)[0]), axis=1))
    factors = np.abs(P) / _or_one(np.abs(P).max(axis=1, keepdims=True))
    matters = (shares > limit) & (factors > limit)
    rest = directions(np.where(matters, P, 0.0), evidence, rows)
    rest = rest * np.where(matters, factors, 0.0).max(axis=1, keepdims=True)
    return rest, np.asarray((matters & (np.abs(rest) * shares <= limit)).any(axis=1))


def hides(P: Array, p: Array, evidence: Evidence, rows: Ints, owner: Ints) -> bool:
    """Is a factor of an undetermined term so small that the directions p (k, len(rows)) of P do not show the term?

    A factor is a number as it is given; one far below another of its group is what turning axes makes of zero.
    """
    shares = np.sqrt(np.add.reduce(np.square(evidence.null_rows(rows)[0]), axis=1))
    limit, groups = evidence.zero(rows), owner == owner[:, None]
    of_group = (np.abs(P)[:, None, :] * groups).max(axis=2, initial=0.0)
    given = (shares > limit) & (np.abs(P) > ROUNDING_OF_FACTORS * of_group)
    return bool((given & (np.abs(p) * shares <= limit)).any())


def cancels_coarsely(p: Array, evidence: Evidence, rows: Ints, tol: Tolerances, owner: Ints) -> bool:
    """Is rounding no small part of what each group adds to a sum p Ñ, so that its vanishing is not seen?

    What a group adds, |p_X Ñ_X|, depends on no choice of axes.
    """
    groups = distinct(owner)
    if len(groups) < 2:
        return False
    N = evidence.null_rows(rows)[0]
    added = np.array([np.linalg.norm(p[:, owner == X] @ N[owner == X], axis=1) for X in groups]).max(axis=0)
    return bool(((added > evidence.zero(rows)) & (evidence.rounding(rows) > tol.decide * added)).any())


def _or_one(x: Array) -> Array:
    """x, and 1 in place of zeros: divisors that leave zeros alone."""
    return np.where(x > 0.0, x, 1.0)


def _directions(p: Array, tol: Tolerances) -> Array:
    """Orthonormal rows with the span of p (k, len(rows)), whose rows are unit vectors or zero."""
    if len(p) == 1 or not p.any():
        return p[:1]
    _, s, Vt = np.linalg.svd(p, full_matrices=False)
    return np.asarray(Vt[: int((s > tol.decide * s[0]).sum())])


def is_unique(evidences: Sequence[Evidence], rows: Ints, P: Array, tol: Tolerances) -> list[bool | None]:
    """The same predicate for every row of P on its own; None also where estimated scores are too near a threshold."""
    terms = [(e, *undetermined_terms(P, e, rows)) for e in evidences]
    pairs = [(score, e.zero(rows)) for e, p, _ in terms for score in e.scores(rows, p)]
    spread, sure = max(e.spread for e in evidences), max(e.sure(rows) for e in evidences)
    clear = flags([score for score, _ in pairs], [zero / spread for _, zero in pairs], sure * spread)
    hidden = reduce(np.logical_or, (flag for _, _, flag in terms))
    return [None if flag and hides else flag for flag, hides in zip(clear, hidden.tolist(), strict=True)]


def flags(scores: Sequence[Array], zero: Sequence[float], sure: float) -> list[bool | None]:
    """True where every reading has a score up to its ``zero``, False where all have at least ``sure``, else None."""
    none = reduce(np.logical_and, (score <= limit for score, limit in zip(scores, zero, strict=True)))
    some = reduce(np.minimum, scores) >= sure
    return [True if n else (False if s else None) for n, s in zip(none.tolist(), some.tolist(), strict=True)]


def resolve(matrix: ConstraintMatrix, groups: Mapping[str, Group], what: Any) -> tuple[Ints, Array]:
    """Rows and P from text ("B.Fx + 2*C.Fx"), a mapping {("B", "Fx"): 1.0}, or an array (m,) or (k, m)."""
    if isinstance(what, str):
        what = parse(what, groups)
    if isinstance(what, Mapping):
        return _from_terms(matrix, groups, what)
    try:
        P = np.atleast_2d(np.asarray(what, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ReactioError(f"A functional is text, a mapping or an array of numbers; got {what!r}.") from error
    m = matrix.shape[0]
    if P.ndim != 2 or P.shape[1] != m or not np.isfinite(P).all():
        raise ReactioError(f"A functional P must be a finite array with {m} columns, one per row of C; got {P.shape}.")
    P = P if matrix.order is None else P[:, matrix.order]
    rows = np.flatnonzero(P.any(axis=0))
    return rows, P[:, rows]


def unit_of(matrix: ConstraintMatrix, rows: Ints, P: Array, what: Any) -> str:
    """The unit that all terms of a functional have in common; empty where they differ, or where there are none."""
    if isinstance(what, str):
        what = parse(what, [group.name for group in matrix.rows.groups])
    if not isinstance(what, Mapping):
        units = {matrix.rows.units[k] for k in rows[P.any(axis=0)]} if matrix.rows.units else set()
        return units.pop() if len(units) == 1 else ""
    units = set()
    for name, label in what:
        known = components(matrix, next(group for group in matrix.rows.groups if group.name == name))
        units.add(known.units[known.labels.index(label) if label else 0])
    return units.pop() if len(units) == 1 else ""


def parse(text: str, groups: Iterable[str]) -> dict[tuple[str, str], float]:
    """Read "B.Fx + 2*C.Fx - D" into {("B", "Fx"): 1, ("C", "Fx"): 2, ("D", ""): −1}; names may hold hyphens.

    >>> parse("B.Fx-2*leg-1.Fx", ["B", "leg-1"])
    {('B', 'Fx'): 1.0, ('leg-1', 'Fx'): -2.0}
    """
    return dict(_parsed(text, tuple(groups)))


@lru_cache(MOST_PARSED_SUMS)
def _parsed(text: str, groups: tuple[str, ...]) -> Mapping[tuple[str, str], float]:
    """The terms of a sum by group and component."""
    names = sorted(groups, key=len, reverse=True)
    terms: dict[tuple[str, str], float] = {}
    at = 0
    while at < len(text.rstrip()):
        match = _FACTOR.match(text, at)
        if match is None or (at > 0 and not match.group(1)):
            raise ReactioError(f"Cannot read '{text[at:]}' in '{text}'; write for example 'B.Fx + 2*C.Fx'.")
        sign, factor = match.groups()
        at = match.end()
        if not text[at:].strip():
            raise ReactioError(f"'{text.strip()}' ends without a component; write for example 'B.Fx + 2*C.Fx'.")
        group = _group_at(text, at, names)
        at += len(group)
        component = _COMPONENT.match(text, at)
        assert component is not None
        at = component.end()
        key = (group, (component.group(1) or "").strip())
        terms[key] = terms.get(key, 0.0) + _factor(sign, factor or "1", text)
    if not terms:
        raise ReactioError("The functional is empty; write for example 'B.Fx + 2*C.Fx'.")
    return terms


def _factor(sign: str, digits: str, text: str) -> float:
    """The number in front of a term."""
    no_number = ReactioError(f"The factor '{digits}' in '{text}' is not a finite number.")
    try:
        factor = float(sign + digits)
    except ValueError:
        raise no_number from None
    if not np.isfinite(factor):
        raise no_number
    return factor


def _group_at(text: str, at: int, names: list[str]) -> str:
    """The longest group name that stands at a place and ends there."""
    for name in names:
        end = at + len(name)
        if text.startswith(name, at) and (end == len(text) or text[end] in ".+- "):
            return name
    wrong = re.split(r"[.+\- ]", text[at:], maxsplit=1)[0]
    raise unknown_group(wrong, names)


def _from_terms(
    matrix: ConstraintMatrix, groups: Mapping[str, Group], terms: Mapping[tuple[str, str], float]
) -> tuple[Ints, Array]:
    """The rows and P (1, rows) of a sum {(group, component): factor}."""
    rows: list[Ints] = []
    P: list[Array] = []
    if not terms:
        raise ReactioError("The functional is empty; write for example {('B', 'Fx'): 1.0}.")
    for (name, component), factor in terms.items():
        if not np.isfinite(float(factor)):
            raise ReactioError(f"The factor of {name}.{component} is {factor}; factors are finite numbers.")
        if name not in groups:
            raise unknown_group(name, groups)
        group = groups[name]
        rows.append(np.arange(group.start, group.stop))
        P.append(float(factor) * _component(matrix, group, component))
    at, place = np.unique(np.concatenate(rows), return_inverse=True)
    total = np.zeros((1, at.size))
    np.add.at(total[0], place, np.concatenate(P))
    return at, total


def _component(matrix: ConstraintMatrix, group: Group, name: str) -> Array:
    """The row of P of one component of a group; a group of one component needs no name."""
    known = components(matrix, group)
    if not name and len(known.labels) == 1:
        return np.asarray(known.P[0])
    if not name:
        names = ", ".join(f"{group.name}.{label}" for label in known.labels)
        raise ReactioError(f"'{group.name}' has {len(known.labels)} components; name one of {names}.")
    if name not in known.labels:
        raise ReactioError(f"'{group.name}' has no component '{name}'." + did_you_mean(name, known.labels))
    return np.asarray(known.P[known.labels.index(name)])
