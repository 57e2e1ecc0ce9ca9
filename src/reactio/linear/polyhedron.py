"""Ends of linear functions over { y : A y = b, low ≤ y ≤ high }: linear programmes by HiGHS, warm from one to the next.

Only columns that take part are handed to the solver (column generation): with u the multipliers of A y = b a column
outside may stay there while its reduced cost c_j − a_jᵀu is not negative.  One product Aᵀu tells that of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError

FEASIBLE = 1e-9  # to which HiGHS meets equations and reduced costs, of columns of unit length: the least it takes
HELD = 1e-8  # part of a load of size 1 that may be left unbalanced: two digits above what HiGHS meets
FEW = 300  # columns from which on they are generated one after the other
TOGETHER = 10  # columns that enter at once
ASKED = 100  # columns that were only asked for and are kept, before the solver begins anew without them


class Infeasible(ReactioError):
    """No y meets A y = b within its limits.

    ``direction`` w (n,): Aᵀw ≤ 0 on columns that may grow, 0 on free ones, while bᵀw > 0 (Farkas).
    """

    def __init__(self, message: str, direction: Floats) -> None:
        self.direction = direction
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """An end of an interval: its value, ±inf where nothing holds it, and the columns whose limits hold it."""

    value: float
    held_by: Ints


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """{ y (m,) : A y = b, low ≤ y ≤ high }; A (n, m) CSC with columns of about unit length."""

    A: Any
    b: Floats
    low: Floats
    high: Floats
    size: float  # of the load that b is part of: equations are handed over divided by it

    @cached_property
    def start(self) -> Floats:
        """Some y (m,) of the set, with few nonzeros; an error with its certificate where there is none.

        min Σ (s⁺ + s⁻) subject to A y + s⁺ − s⁻ = b: the multipliers at its end are the direction of the certificate.
        """
        from scipy.sparse import eye_array, hstack

        n, m = self.A.shape
        both = hstack([self.A, eye_array(n), -eye_array(n)]).tocsc()
        low = np.concatenate([self.low, np.zeros(2 * n)]) / self.size
        high = np.concatenate([self.high, np.full(2 * n, np.inf)]) / self.size
        cost = np.concatenate([np.zeros(m), np.ones(2 * n)])
        solver = _solver(both, self.b / self.size, low, high, cost)
        _run(solver)
        solution = solver.getSolution()
        left = float(solver.getInfo().objective_function_value)
        if left > HELD:
            raise Infeasible(f"{left * self.size:.4g} are left unbalanced.", np.array(solution.row_dual))
        return np.array(solution.col_value[:m]) * self.size

    @cached_property
    def _work(self) -> _Work:
        return _Work(self)

    def interval(self, columns: Ints, factors: Floats) -> tuple[End, End]:
        """The least and the largest Σ factors_k y_columns_k over the set."""
        return self._work.end(columns, factors, 1.0), self._work.end(columns, factors, -1.0)


class _Work:
    """A HiGHS model of some of the columns, and what the vertices seen so far have shown."""

    def __init__(self, of: Polyhedron) -> None:
        self.of, m = of, of.A.shape[1]
        start = of.start
        kept = np.arange(m)
        if m > FEW:
            limited = (of.low == 0.0) & (of.high == np.inf)
            kept = np.flatnonzero(~limited | (start > FEASIBLE * of.size))
        self.at_low = start <= of.low  # limits that some vertex reaches
        self.core = kept  # columns that take part whatever is asked
        self._begin()

    def _begin(self) -> None:
        """The solver with the columns of the core alone."""
        of, m = self.of, self.of.A.shape[1]
        self.columns = self.core  # (k,) the columns of the solver
        self.inside = np.zeros(m, dtype=bool)
        self.inside[self.core] = True
        self.place = np.full(m, -1)
        self.place[self.core] = np.arange(len(self.core))
        low, high = of.low[self.core] / of.size, of.high[self.core] / of.size
        self.solver = _solver(of.A[:, self.core].tocsc(), of.b / of.size, low, high, np.zeros(len(self.core)))

    def end(self, columns: Ints, factors: Floats, sign: float) -> End:
        """min of sign·Σ factors y, times sign."""
        of = self.of
        if len(columns) == 1 and sign * factors[0] > 0.0 and self.at_low[columns[0]]:
            return End(float(factors[0] * of.low[columns[0]]), columns)
        if len(self.columns) > len(self.core) + ASKED:
            self._begin()
        self._enter(columns[~self.inside[columns]])
        cost = np.zeros(of.A.shape[1])
        cost[columns] = sign * factors
        for at, value in zip(self.place[columns], sign * factors, strict=True):
            self.solver.changeColCost(int(at), float(value))
        try:
            return self._settled(cost, sign)
        finally:
            for at in self.place[columns]:
                self.solver.changeColCost(int(at), 0.0)

    def _settled(self, cost: Floats, sign: float) -> End:
        of = self.of
        while True:
            if not _run(self.solver):
                return End(-sign * np.inf, np.zeros(0, dtype=np.int64))
            solution = self.solver.getSolution()
            u = np.array(solution.row_dual)
            reduced = cost - of.A.T @ u
            reduced[self.inside] = 0.0
            entering = np.flatnonzero(reduced < -FEASIBLE * max(1.0, float(np.abs(cost).max())))
            if not len(entering):
                break
            entering = entering[np.argsort(reduced[entering])[:TOGETHER]]
            self._enter(entering)
            self.core = np.concatenate([self.core, entering])
        y = np.array(solution.col_value)
        self.at_low[~self.inside] = True  # limited columns outside rest at 0
        self.at_low[self.columns[y <= of.low[self.columns] / of.size]] = True
        dual = np.array(solution.col_dual)
        held = self.columns[np.abs(dual) > 1e-7 * max(1.0, float(np.abs(cost).max()))]
        outside = np.flatnonzero(reduced > 1e-7) if not self.inside.all() else held[:0]
        value = float(cost[self.columns] @ y)
        bounded = np.where(dual > 0.0, of.low[self.columns], of.high[self.columns]) / of.size
        bound = float(of.b @ u) / of.size + float((dual * np.where(np.isfinite(bounded), bounded, 0.0)).sum())
        # Either is right but for rounding; the outer of both is never inside the interval.
        return End(sign * of.size * min(value, bound), np.concatenate([held, outside]))

    def _enter(self, columns: Ints) -> None:
        """More columns for the solver."""
        of = self.of
        for j in columns:
            part = slice(of.A.indptr[j], of.A.indptr[j + 1])
            index, value = of.A.indices[part].astype(np.int32), of.A.data[part]
            self.solver.addCol(0.0, of.low[j] / of.size, of.high[j] / of.size, len(index), index, value)
        self.place[columns] = len(self.columns) + np.arange(len(columns))
        self.columns = np.concatenate([self.columns, columns])
        self.inside[columns] = True


def _solver(A: Any, b: Floats, low: Floats, high: Floats, cost: Floats) -> Any:
    """HiGHS with min costᵀy subject to A y = b, low ≤ y ≤ high."""
    import highspy

    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = A.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, low, high
    lp.row_lower_ = lp.row_upper_ = b
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = A.indptr, A.indices, A.data
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, FEASIBLE)
    for option, value in {"presolve": "off", "parallel": "off", "threads": 1, "simplex_strategy": 4}.items():
        solver.setOptionValue(option, value)  # 4: primal simplex, as the last vertex stays one when only costs change
    solver.passModel(lp)
    return solver


def _run(solver: Any) -> bool:
    """Solve; False where the minimum is −∞, an error where HiGHS did not come to an end."""
    import highspy

    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kUnknown:  # the last basis is no good start for this one
        solver.clearSolver()
        solver.run()
    status = solver.getModelStatus()
    if status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return False
    if status != highspy.HighsModelStatus.kOptimal:
        raise ReactioError(f"A linear programme was not solved: {solver.modelStatusToString(status)}.")
    return True
