"""All splits of a load: smallest and largest possible reactions, where some rows can only push."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, Ints, distinct
from reactio.constraint_matrix import Rows
from reactio.constraint_matrix.blocks import group_blocks
from reactio.errors import ReactioError
from reactio.linear.convex.polyhedron import Infeasible, Polyhedron
from reactio.linear.least_norm import least_norm
from reactio.linear.precision import BALANCE
from reactio.linear.rank import Tolerances
from reactio.topology.components import connected_first
from reactio.uniqueness.engine import solvability
from reactio.uniqueness.evidence import NO_ROWS
from reactio.uniqueness.verdict import Solvability

NARROWEST_INTERVAL = 1e-7  # part of the largest multiplier: an interval narrower than that is one number


class Unbalanced(ReactioError):
    """A load that no split balances without pull on a unilateral row.

    ``direction`` (n,): the velocity along which it moves the bodies.
    """

    def __init__(self, message: str, direction: Floats) -> None:
        self.direction = direction
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Ends of p λ over all splits, ±inf where nothing limits it, and the rows whose push of zero holds each end."""

    low: float
    high: float
    held_below: Ints
    held_above: Ints
    others: bool = False  # do more rows hold them than are named?


class Balance(NamedTuple):
    """C̃ᵀ y = f̃, with λ = D_r y."""

    Ct: Any  # (n, m) CSC
    y: Floats  # (m,) some solution, which may pull


@dataclass(frozen=True, eq=False)
class Splits:
    """All λ (m,) with Cᵀλ = f, and λ ≥ 0 on the pushing rows; rows in the internal order of the matrix.

    f (n,) = Q − M v̇ [N, N m].
    """

    answer: Solvability
    f: Floats
    rounding: Floats  # (n,) by which f may be off

    @cached_property
    def pushing(self) -> NDArray[np.bool_]:
        """(m,) the rows that can only push."""
        order = self.answer.matrix.order
        rows = np.arange(self.answer.m) if order is None else order
        return np.isin(rows, np.array(self.answer.unilateral, dtype=np.int64))

    @cached_property
    def balance(self) -> Balance:
        """The balance of the load in scaled rows and columns."""
        from scipy.sparse import csc_array, csr_array

        scaled = self.answer.evidence.scaled
        Ct = csr_array(csr_array(scaled.C).T)
        f, rounding = scaled.load(self.f), float(np.linalg.norm(scaled.load_rounding(self.rounding)))
        if np.linalg.norm(f) <= rounding:  # loads that cancel
            return Balance(csc_array(Ct), np.zeros(Ct.shape[1]))
        y = least_norm(Ct, f)
        y = y + least_norm(Ct, f - Ct @ y)
        if np.linalg.norm(Ct @ y - f) > BALANCE * np.linalg.norm(f) + rounding:
            raise ReactioError("No reactions balance this load: f is not a combination of the rows of C.")
        return Balance(csc_array(Ct), y)

    @cached_property
    def _size(self) -> float:
        """Of f̃."""
        A, y = self.balance
        return float(np.abs(A @ y).max(initial=0.0)) or 1.0

    @cached_property
    def some(self) -> Floats:
        """One of them (m,), which may pull: right where a multiplier is unique."""
        return np.asarray(self.answer.evidence.scaled.Dr * self.balance.y)

    def check(self) -> None:
        """An error where no split pushes on all the pushing rows."""
        if self.pushing.any():
            A, y = self.balance
            low = np.where(self.pushing, 0.0, -np.inf)
            try:
                Polyhedron(A, A @ y, low, np.full(len(y), np.inf), self._size, self._body(slice(None))).refuse_empty()
            except Infeasible as error:
                raise Unbalanced(
                    "This load needs pull on a row that can only push: contact is lost.",
                    self.answer.evidence.scaled.right(error.direction[:, None])[:, 0],
                ) from None

    def _body(self, columns: Ints | slice) -> Ints | None:
        """The body of each of some columns of C, numbered from 0 without gaps; None where bodies are not known."""
        body = self.answer.matrix.columns.body
        return None if body is None else np.unique(body[columns], return_inverse=True)[1]

    @cached_property
    def open(self) -> NDArray[np.bool_]:
        """(m,) the rows of groups whose multipliers the rank does not settle."""
        return ~np.repeat(self.answer.verdicts.multipliers_unique, np.diff(self.answer.matrix.rows.ptr))

    @cached_property
    def _parts(self) -> _Parts:
        """Open rows that can share load: those of one block that have columns of C in common, directly or not."""
        A, y = self.balance
        rows = np.flatnonzero(self.open)
        B = A[:, rows].tocsc()
        matrix = self.answer.matrix
        block = np.repeat(group_blocks(matrix), np.diff(matrix.rows.ptr))[rows]
        row = np.repeat(np.arange(len(rows)), np.diff(B.indptr))
        # A column takes part in each block by itself: null(Cᵀ) is the direct sum of those of the blocks.
        column = np.unique(block[row] * A.shape[0] + B.indices, return_inverse=True)[1]
        nodes = len(rows) + int(column.max(initial=-1)) + 1
        label = connected_first(len(rows), nodes, row, len(rows) + column)
        return _Parts.of(
            B, y[rows], np.where(self.pushing[rows], 0.0, -np.inf), label, rows, len(y), self._size, self._body
        )

    def unlimited(self, rows: Ints) -> bool:
        """Is no row that shares load with these limited?  Then all that is not unique may grow without end."""
        part = self._parts.part[rows]
        return not self._parts.limited[part[part >= 0]].any()

    def interval(self, rows: Ints, p: Floats) -> Interval:
        """Both ends of p λ_rows over all splits; p (k,) on rows of one group."""
        counted = self.open[rows] & (p != 0.0)
        known = float(p[~counted] @ self.some[rows[~counted]])
        if not counted.any():
            return Interval(known, known, NO_ROWS, NO_ROWS)
        parts = self._parts
        Dr = self.answer.evidence.scaled.Dr
        low, high, below, above, others = known, known, [NO_ROWS], [NO_ROWS], False
        for k in distinct(parts.part[rows[counted]]):
            members = counted & (parts.part[rows] == k)
            ends = parts.sets[k].interval(parts.place[rows[members]], p[members] * Dr[rows[members]])
            low, high = low + ends[0].value, high + ends[1].value
            below.append(parts.rows[k][ends[0].held_by])
            above.append(parts.rows[k][ends[1].held_by])
            others = others or ends[0].others or ends[1].others
        if low - high > NARROWEST_INTERVAL * max(float(np.abs(self.some).max(initial=0.0)), abs(low), abs(high)):
            raise ReactioError(
                f"The ends of an interval contradict each other, {low:.6g} and {high:.6g}: none is given."
            )
        # Ends over a load that pushing misses by rounding cross each other by as much.
        low, high = min(low, high), max(low, high)
        return Interval(low, high, np.concatenate(below), np.concatenate(above), others)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Rows that can share load with each other only, each part with the polyhedron of its splits."""

    part: Ints  # (m,) of each row, −1 of rows that are unique
    place: Ints  # (m,) of each row inside its part
    rows: Sequence[Ints]
    sets: Sequence[Polyhedron]
    limited: NDArray[np.bool_]  # has a part rows that can only push?

    @classmethod
    def of(
        cls,
        B: Any,
        y: Floats,
        low: Floats,
        label: Ints,
        rows: Ints,
        m: int,
        size: float,
        body_of: Callable[[Ints], Ints | None],
    ) -> _Parts:
        """The parts of rows (k,) of C̃ᵀ, B (n, k) CSC, by their ``label`` (k,); B y is their part of the load.

        ``body_of`` says to which body each of some rows of B belongs, if that is known.
        """
        part, place, own_rows, sets = np.full(m, -1), np.full(m, -1), [], []
        order = np.argsort(label, kind="stable")
        for k, members in enumerate(
            np.split(order, np.searchsorted(label[order], np.arange(1, label.max(initial=0) + 1)))
        ):
            part[rows[members]], place[rows[members]] = k, np.arange(len(members))
            D = B[:, members]
            touched, at = np.unique(D.indices, return_inverse=True)
            D = type(B)((D.data, at, D.indptr), shape=(len(touched), len(members)))
            own_rows.append(rows[members])
            sets.append(
                Polyhedron(D, D @ y[members], low[members], np.full(len(members), np.inf), size, body_of(touched))
            )
        limited = np.zeros(len(sets), dtype=bool)
        limited[label[low == 0.0]] = True
        return cls(part, place, own_rows, sets, limited)


@dataclass(frozen=True, slots=True, eq=False)
class MultiplierBounds:
    """Interval [low, high] (m,) of every multiplier, ±inf where nothing limits it."""

    low: Floats
    high: Floats
    tol: float

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Where the interval has no width: determined by rank or by sign."""
        return np.asarray(self.high - self.low <= self.tol)


def multiplier_bounds(
    C: Any,
    f: Floats,
    unilateral: Iterable[int | str] = (),
    groups: Mapping[str, Rows] | None = None,
    *,
    tolerances: Tolerances | None = None,
) -> MultiplierBounds:
    """Intervals of each λ_i over all λ with Cᵀλ = f and λ ≥ 0 on the unilateral rows, given here or known to C.

    C (m, n); f = Q − M v̇ (n,); two linear programmes for each row that the rank leaves open.

    >>> C = np.array([[1.0], [1.0]])
    >>> multiplier_bounds(C, np.array([3.0]), unilateral=[0, 1]).high.round(6).tolist()
    [3.0, 3.0]
    """
    answer = solvability(C, groups, unilateral=unilateral, tolerances=tolerances)
    load = np.asarray(f, dtype=np.float64)
    if load.shape != (answer.n,) or not np.isfinite(load).all():
        raise ReactioError(f"The load f must be {answer.n} finite numbers, one per column of C.")
    splits = Splits(answer, load, np.zeros(answer.n))
    splits.check()
    intervals = [splits.interval(np.array([i]), np.ones(1)) for i in range(answer.m)]
    low, high = (np.array([getattr(interval, end) for interval in intervals]) for end in ("low", "high"))
    tol = NARROWEST_INTERVAL * float(np.abs(splits.some).max(initial=1e-300))
    return MultiplierBounds(answer.in_given_order(low), answer.in_given_order(high), tol)
