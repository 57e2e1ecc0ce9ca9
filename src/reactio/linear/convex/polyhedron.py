"""Ends of linear functions over { y : A y = b, low ≤ y ≤ high }: linear programmes by HiGHS, warm from one to the next.

Only columns that take part are handed to the solver (column generation): with u the multipliers of A y = b a column
outside may stay there while its reduced cost c_j − a_jᵀu is not negative.  One product Aᵀu gives that of all of them.
Where the equations are few, the multipliers of one upper end settle those of many columns (``facets``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.linear.convex.facets import Facet
from reactio.linear.convex.supports import Subsystem, Supports
from reactio.linear.precision import BALANCE
from reactio.optional_libraries import optional_library

FEASIBILITY = 1e-9  # to which HiGHS satisfies equations and reduced costs, of unit columns: the least that it accepts
FEW_EQUATIONS = 12  # up to which one facet settles other columns too: those of two bodies in space
# Columns are generated one after the other where there are more than FEW_COLUMNS and more than this many times as many
# as equations: of fewer, most take part in the end.
FEW_COLUMNS, MANY_COLUMNS_RATIO = 300, 3
COLUMNS_ENTERING = 10  # at once
MOST_EXTRA_COLUMNS = 100  # that were only asked for and are kept, before the solver starts again without them
MOST_HOLDING_COLUMNS = 12  # columns that are named as holding an end: of a plate on many feet nearly all do
# Part of the slope of the column that was asked, down to which a facet settles others: reduced costs that are off by
# 1e-9 move their ends by 1e-7 then, which an interval of no width may have.
LEAST_SLOPE = 1e-2
BINDING_COST = 1e-7  # reduced cost from which on the limit of a column holds an end: two digits above FEASIBILITY


class Infeasible(ReactioError):
    """No y meets A y = b within its limits.

    ``direction`` w (n,): Aᵀw ≤ 0 on columns that may grow, 0 on free ones, while bᵀw > 0 (Farkas).
    """

    def __init__(self, message: str, direction: Floats) -> None:
        self.direction = direction
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class IntervalEnd:
    """An end of an interval: its value, ±inf where nothing holds it, and the columns whose limits hold it.

    Of many columns those are named that hold it most: it would move farthest if their limits gave way.
    """

    value: float
    held_by: Ints
    others: bool = False  # are there more of them?


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """{ y (m,) : A y = b, low ≤ y ≤ high }; A (n, m) CSC with columns of about unit length."""

    A: Any
    b: Floats
    low: Floats
    high: Floats
    size: float  # of the load that b is part of: equations are handed over divided by it
    body: Ints | None = None  # (n,) to which each equation belongs, numbered from 0 without gaps; None: not known

    @property
    def start(self) -> Floats:
        """Some y (m,) of the set, with few nonzeros; an error with its certificate where there is none."""
        return self._started[1]

    @cached_property
    def _started(self) -> tuple[Any, Floats]:
        """A solver at some y of the set, and that y.

        min Σ (s⁺ + s⁻) subject to A y + s⁺ − s⁻ = b: the multipliers at its end are the direction of the certificate.
        """
        n, m = self.A.shape
        A, slack = self.A, np.arange(1, 2 * n + 1)
        both = Columns(
            n,
            np.concatenate([A.indptr, A.indptr[-1] + slack]),
            np.concatenate([A.indices, np.arange(n), np.arange(n)]),
            np.concatenate([A.data, np.ones(n), -np.ones(n)]),
        )
        low = np.concatenate([self.low, np.zeros(2 * n)]) / self.size
        high = np.concatenate([self.high, np.full(2 * n, np.inf)]) / self.size
        cost = np.concatenate([np.zeros(m), np.ones(2 * n)])
        solver = _solver(both, self.b / self.size, low, high, cost)
        _run(solver)
        solution = solver.getSolution()
        unbalanced = float(solver.getInfo().objective_function_value)
        if unbalanced > BALANCE:
            raise Infeasible(f"{unbalanced * self.size:.4g} are left unbalanced.", np.array(solution.row_dual))
        return solver, np.array(solution.col_value[:m]) * self.size

    @cached_property
    def _work(self) -> _VertexSearch:
        return _VertexSearch(self)

    @cached_property
    def _parts(self) -> _Subsystems | None:
        """The parts on which ends depend; None of a small set, and where bodies are not known or columns may pull."""
        limited = bool((self.low == 0.0).all() and (self.high == np.inf).all())
        if self.body is None or not limited or self.A.shape[1] <= FEW_COLUMNS:
            return None
        return _Subsystems(self, self.body)

    def refuse_empty(self) -> None:
        """An error with its certificate where no y is in the set."""
        if self._parts is None:
            _ = self.start
        else:
            self._parts.refuse_empty()

    def interval(self, columns: Ints, factors: Floats) -> tuple[IntervalEnd, IntervalEnd]:
        """The least and the largest Σ factors_k y_columns_k over the set."""
        if self._parts is not None and (ends := self._parts.interval(columns, factors)) is not None:
            return ends
        scale = float(np.abs(factors).max())  # HiGHS meets reduced costs absolutely, so it is handed costs of size one
        return self._end(columns, factors / scale, 1.0, scale), self._end(columns, factors / scale, -1.0, scale)

    def _end(self, columns: Ints, cost: Floats, sign: float, scale: float) -> IntervalEnd:
        end = self._work.end(columns, cost, sign)
        return replace(end, value=scale * end.value)


class _Subsystems:
    """The part of a polyhedron that was asked for last: ends over it are those over all."""

    def __init__(self, of: Polyhedron, body: Ints) -> None:
        self.of, self.supports = of, Supports(of.A, of.b, body)
        self.part: Subsystem | None = None
        self.set = of

    def interval(self, columns: Ints, factors: Floats) -> tuple[IntervalEnd, IntervalEnd] | None:
        """Both ends of Σ factors y over the part on which they depend; None where that is nearly all."""
        part = self.supports.part(columns.tolist(), self.part)
        if part is None:
            return None
        if part is not self.part:
            self.part, self.set = part, self._over(part)
        low, high = self.set.interval(np.searchsorted(part.columns, columns), factors)
        return replace(low, held_by=part.columns[low.held_by]), replace(high, held_by=part.columns[high.held_by])

    def refuse_empty(self) -> None:
        """An error where no y is in the set: bodies that are not supported decide that."""
        rest = self.supports.rest
        if rest is None:
            return
        try:
            _ = self._over(rest).start
        except Infeasible as error:
            direction = np.zeros(self.of.A.shape[0])
            direction[rest.rows] = error.direction
            raise Infeasible(str(error), direction) from None

    def _over(self, part: Subsystem) -> Polyhedron:
        of, own = self.of, part.columns
        A = of.A[:, own][part.rows].tocsc()
        return Polyhedron(A, of.b[part.rows], of.low[own], of.high[own], of.size)


class Columns(NamedTuple):
    """A matrix by columns: the entries of column j are those from indptr[j] to indptr[j + 1]."""

    rows: int
    indptr: Ints
    indices: Ints
    data: Floats


class _VertexSearch:
    """A HiGHS model of some of the columns, and the facts that the vertices seen so far have shown."""

    def __init__(self, of: Polyhedron) -> None:
        self.of, m = of, of.A.shape[1]
        self.solver, start = of._started
        self.at_low = start <= of.low  # limits that some vertex reaches
        self.highest: dict[int, IntervalEnd] = {}  # upper ends that are known already, of y / size
        self.inside = np.ones(m, dtype=bool)
        self.columns = self.core = self.place = np.arange(m)
        if m <= FEW_COLUMNS:
            self._close_slack()
            return
        if m > MANY_COLUMNS_RATIO * of.A.shape[0]:
            limited = (of.low == 0.0) & (of.high == np.inf)
            self.core = np.flatnonzero(~limited | (start > FEASIBILITY * of.size))  # take part whatever is asked
        self._begin()

    def _close_slack(self) -> None:
        """The solver at the start goes on from there, with s⁺ = s⁻ = 0."""
        n, m = self.of.A.shape
        for k in range(m, m + 2 * n):
            self.solver.changeColBounds(k, 0.0, 0.0)
            self.solver.changeColCost(k, 0.0)

    def _begin(self) -> None:
        """A solver with the columns of the core alone."""
        of, m = self.of, self.of.A.shape[1]
        self.columns = self.core  # (k,) the columns of the solver
        self.inside = np.zeros(m, dtype=bool)
        self.inside[self.core] = True
        self.place = np.full(m, -1)
        self.place[self.core] = np.arange(len(self.core))
        low, high = of.low[self.core] / of.size, of.high[self.core] / of.size
        A = of.A[:, self.core].tocsc()
        columns = Columns(A.shape[0], A.indptr, A.indices, A.data)
        self.solver = _solver(columns, of.b / of.size, low, high, np.zeros(len(self.core)))

    def end(self, columns: Ints, factors: Floats, sign: float) -> IntervalEnd:
        """min of sign·Σ factors y, times sign; the largest factor is 1."""
        of = self.of
        if len(columns) == 1 and sign * factors[0] > 0.0 and self.at_low[columns[0]]:
            return IntervalEnd(float(factors[0] * of.low[columns[0]]), columns)
        if len(columns) == 1 and sign * factors[0] < 0.0 and columns[0] in self.highest:
            known = self.highest[int(columns[0])]
            return IntervalEnd(float(factors[0]) * of.size * known.value, known.held_by, known.others)
        if len(self.columns) > len(self.core) + MOST_EXTRA_COLUMNS:
            self._begin()
        self._enter(columns[~self.inside[columns]])
        for at, value in zip(self.place[columns], sign * factors, strict=True):
            self.solver.changeColCost(int(at), float(value))
        try:
            return self._settled(columns, sign * factors, sign)
        finally:
            for at in self.place[columns]:
                self.solver.changeColCost(int(at), 0.0)

    def _settled(self, columns: Ints, cost: Floats, sign: float) -> IntervalEnd:
        of = self.of
        while True:
            if not _run(self.solver):
                return IntervalEnd(-sign * np.inf, np.zeros(0, dtype=np.int64))
            solution = self.solver.getSolution()
            u = np.array(solution.row_dual)
            reduced = self._reduced(u)
            entering = np.flatnonzero(reduced < -FEASIBILITY)
            if not len(entering):
                break
            entering = entering[np.argsort(reduced[entering])[:COLUMNS_ENTERING]]
            self._enter(entering)
            self.core = np.concatenate([self.core, entering])
        k = len(self.columns)
        y, dual = np.array(solution.col_value[:k]), np.array(solution.col_dual[:k])
        self.at_low[~self.inside] = True  # limited columns outside rest at 0
        self.at_low[self.columns[y <= of.low[self.columns] / of.size]] = True
        bounded = np.where(dual > 0.0, of.low[self.columns], of.high[self.columns]) / of.size
        bound = float(of.b @ u) / of.size + float((dual * np.where(np.isfinite(bounded), bounded, 0.0)).sum())
        reduced[self.columns] = dual
        if len(columns) == 1 and cost[0] < 0.0 and len(u) <= FEW_EQUATIONS < len(self.inside):
            self._pass_on(columns, reduced / -cost[0], float(of.b @ u) / (of.size * cost[0]))
        # Either is right but for rounding; the outer of both is never inside the interval.
        value = sign * of.size * min(float(cost @ y[self.place[columns]]), bound)
        return IntervalEnd(value, *_foremost(np.abs(reduced), BINDING_COST))

    def _pass_on(self, column: Ints, slope: Floats, load: float) -> None:
        """Upper ends of the other columns over a facet, whose normal w has a_jᵀw = 1 with the column that was asked."""
        of = self.of
        free = of.low < 0.0
        if (of.low[~free] != 0.0).any() or (of.high != np.inf).any():
            return
        slope[column] = 1.0
        facet = Facet(slope, load, np.setdiff1d(self._basic(), column))
        reached = facet.reached(self._dense, of.b / of.size, free, LEAST_SLOPE, FEASIBILITY)
        holding, others = _foremost(slope, BINDING_COST, MOST_HOLDING_COLUMNS + 1)
        for j in np.flatnonzero(reached):
            end = IntervalEnd(load / float(slope[j]), holding[holding != j][:MOST_HOLDING_COLUMNS], others)
            self.highest.setdefault(int(j), end)

    def _basic(self) -> Ints:
        """The columns of the basis."""
        highspy = _highs()
        status = self.solver.getBasis().col_status[: len(self.columns)]
        return self.columns[
            [k for k, column_status in enumerate(status) if column_status == highspy.HighsBasisStatus.kBasic]
        ]

    @cached_property
    def _dense(self) -> Floats:
        return np.asarray(self.of.A.toarray())

    def _reduced(self, u: Floats) -> Floats:
        """c − Aᵀu (m,) of the columns outside, which have no cost; 0 of those inside."""
        if len(self.columns) == len(self.inside):
            return np.zeros(len(self.inside))
        reduced = -(self._transposed @ u)
        reduced[self.columns] = 0.0
        return np.asarray(reduced)

    @cached_property
    def _transposed(self) -> Any:
        return self.of.A.T.tocsr()

    def _enter(self, columns: Ints) -> None:
        """More columns for the solver."""
        of = self.of
        for j in columns:
            part = slice(of.A.indptr[j], of.A.indptr[j + 1])
            index, value = of.A.indices[part].astype(np.int32), of.A.data[part]
            self.solver.addCol(0.0, of.low[j] / of.size, of.high[j] / of.size, len(index), index, value)
        if len(columns):
            self.place[columns] = len(self.columns) + np.arange(len(columns))
            self.columns = np.concatenate([self.columns, columns])
            self.inside[columns] = True


def _foremost(weight: Floats, least: float, most: int = MOST_HOLDING_COLUMNS) -> tuple[Ints, bool]:
    """The columns of largest weight, those above the least, in their order; and whether there are more of them."""
    above = np.flatnonzero(weight > least)
    if len(above) <= most:
        return above, False
    return np.sort(above[np.argpartition(-weight[above], most)[:most]]), True


def _highs() -> Any:
    return optional_library("highspy", "Reactions that only push or only pull are bounded by the solver HiGHS")


def _solver(A: Columns, b: Floats, low: Floats, high: Floats, cost: Floats) -> Any:
    """HiGHS with min costᵀy subject to A y = b, low ≤ y ≤ high."""
    highspy = _highs()
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = A.rows, len(cost)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, low, high
    lp.row_lower_ = lp.row_upper_ = b
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = A.indptr, A.indices, A.data
    solver: Any = highspy.Highs()
    solver.silent()
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, FEASIBILITY)
    for option, value in {"presolve": "off", "parallel": "off", "threads": 1, "simplex_strategy": 4}.items():
        solver.setOptionValue(option, value)  # 4: primal simplex, as the last vertex stays one when only costs change
    solver.passModel(lp)
    return solver


def _run(solver: Any) -> bool:
    """Solve; False where the minimum is −∞, an error where HiGHS did not come to an end."""
    highspy = _highs()
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kUnknown:  # the last basis is not a good start for this one
        solver.clearSolver()
        solver.run()
    status = solver.getModelStatus()
    if status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return False
    if status != highspy.HighsModelStatus.kOptimal:
        raise ReactioError(f"A linear program was not solved: {solver.modelStatusToString(status)}.")
    return True
