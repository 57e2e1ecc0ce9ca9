"""Extremes of linear functions of λ over all splits within cones, |P λ − middle| ≤ most + lift λ, by Clarabel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.linear.precision import NEAR_ZERO, SOLUTION
from reactio.optional_libraries import optional_library
from reactio.reaction_bounds.limits import ComponentLimit
from reactio.uniqueness.bounds import Splits

# Duality gap and residuals at which Clarabel ends; and those that are accepted where it stagnates, in sets with hardly
# any interior: the digits that are printed.
SOLVER_TOLERANCE, ACCEPTED_TOLERANCE = 1e-10, 1e-6
# Part of the largest force by which cones of friction are wider, so that a load at the limit of friction is held
# whether its numbers are rounded up or down.
FRICTION_CONE_MARGIN = SOLUTION
LEAST_GROWTH = 1e-6  # of a component along a self-stress of size one that counts as growth: ACCEPTED_TOLERANCE
MOST_DENSE_ROWS = 2_000  # of C, for unlimited self-stresses by dense matrices, 30 MB each; beyond, by the solver
ZERO_ROW_NORM = NEAR_ZERO  # by which rows that are zero are divided
AT_ITS_LIMIT = 1e-6  # part of a capacity within which a joint counts as at its limit


def _clarabel() -> Any:
    return optional_library(
        "clarabel", "Bounds within capacities, friction or known ranges need the solver Clarabel", "contact"
    )


class ConeKind(StrEnum):
    """What slacks satisfy, by the names of the classes of Clarabel."""

    ZERO = "ZeroConeT"  # s = 0: an equation
    NONNEGATIVE = "NonnegativeConeT"  # s ≥ 0
    SECOND_ORDER = "SecondOrderConeT"  # |(s_2, …, s_k)| ≤ s_1


class Condition(NamedTuple):
    """A x + s = b with slacks s (k,) in one cone."""

    A: Any  # (k, unknowns) sparse
    b: Floats  # (k,)
    cone: ConeKind


class Programme(NamedTuple):
    """Conditions on the unknowns x, as Clarabel states them."""

    conditions: tuple[Condition, ...]

    def with_rows(self, A: Any, b: Floats, cone: ConeKind) -> Programme:
        """These conditions and one more."""
        return self.with_all([Condition(A, b, cone)])

    def with_all(self, more: Iterable[Condition]) -> Programme:
        """These conditions and more."""
        return Programme((*self.conditions, *more))

    def for_clarabel(self) -> tuple[Any, Floats, list[Any]]:
        """A, b and the cones as arguments of Clarabel."""
        from scipy.sparse import vstack

        clarabel, every = _clarabel(), self.conditions
        cones = [getattr(clarabel, cone.cone)(len(cone.b)) for cone in every]
        return vstack([cone.A for cone in every]).tocsc(), np.concatenate([cone.b for cone in every]), cones


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """A point where a linear function is largest: its value, and what limits it."""

    value: float  # inf where nothing limits it
    held_by: tuple[ComponentLimit, ...]  # limits that are reached there
    idle: Ints  # unilateral rows with λ = 0 there


UNLIMITED_VERTEX = Vertex(np.inf, (), np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class SplitsWithinLimits:
    """All splits of s f, s ≥ 0, within the limits: C̃ᵀ y = s f̃, y ≥ 0 on pushing rows, λ = D_r y in every cone.

    Unknowns (y, s, e): s is the load factor; e ≥ 0 widens all capacities to 1 + e times their values.
    """

    splits: Splits
    limits: Sequence[ComponentLimit]

    @cached_property
    def _programme(self) -> Programme:
        """The conditions, with s and e still free.

        Splits may differ by self-stresses L that no limit depends on; Lᵀ y = 0 chooses one of them, so that the set is
        not unbounded along L.
        """
        from scipy.sparse import csr_array, hstack

        L = self._unlimited_self_stresses
        chosen = hstack([csr_array(L.T), csr_array((L.shape[1], 2))])
        return self._balance.with_rows(chosen, np.zeros(L.shape[1]), ConeKind.ZERO).with_all(self._cones())

    @cached_property
    def _recession(self) -> Programme:
        """The recession cone: Cᵀd = s f, d ≥ 0 on pushing rows, |P d| ≤ lift d; cut off at |d| ≤ 1, s ≤ 1.

        Any multiple of such a d can be added to a split.
        """
        from scipy.sparse import csr_array, eye_array, vstack

        m = self.splits.answer.m
        unit = csr_array(eye_array(m + 2))
        form = self._balance.with_all(self._cones(along=True))
        return form.with_rows(vstack([unit, -unit]), np.ones(2 * m + 4), ConeKind.NONNEGATIVE)

    @cached_property
    def _balance(self) -> Programme:
        """C̃ᵀ y = s f̃, and y ≥ 0 on pushing rows."""
        from scipy.sparse import csr_array, hstack

        Ct, y = self.splits.balance
        m, f = Ct.shape[1], Ct @ y
        push = np.flatnonzero(self.splits.pushing)
        sign = csr_array((-np.ones(len(push)), (np.arange(len(push)), push)), shape=(len(push), m + 2))
        balanced = hstack([Ct, csr_array(-f[:, None] / self._size), csr_array((len(f), 1))])
        form = Programme(()).with_rows(balanced, np.zeros(len(f)), ConeKind.ZERO)
        return form.with_rows(sign, np.zeros(len(push)), ConeKind.NONNEGATIVE)

    def _cones(self, *, along: bool = False) -> Iterator[Condition]:
        """The conditions of all limits; with ``along`` those on directions of the recession cone."""
        from scipy.sparse import csr_array

        m, Dr = self.splits.answer.m, self.splits.answer.evidence.scaled.Dr
        for limit in self.limits:
            # The entries of a cone are scaled to size one, also where friction is very large.
            steep = 1.0 if limit.lift is None else max(1.0, float(np.abs(limit.lift).max()))
            k, size = len(limit.P), (limit.most or self._largest) * steep
            D, offset = np.zeros((k + 1, m + 2)), np.full(k + 1, -limit.middle / size)
            D[1:, limit.rows] = -limit.P * Dr[limit.rows] * self._size / size
            if limit.lift is not None:
                D[0, limit.rows] = -limit.lift * Dr[limit.rows] * self._size / size
            D[0, m + 1] = -1.0 if limit.scales else 0.0
            offset[0] = limit.most / size if limit.lift is None else FRICTION_CONE_MARGIN
            offset = np.zeros(k + 1) if along else offset
            if limit.lift is None and (along or limit.most == 0.0):  # a cone without interior: an equation
                yield Condition(csr_array(D[1:]), offset[1:], ConeKind.ZERO)
            else:
                yield Condition(csr_array(D), offset, ConeKind.SECOND_ORDER)

    @cached_property
    def _unlimited_self_stresses(self) -> Floats:
        """L (m, k): an orthonormal basis, in y, of the self-stresses that no limit and no pushing row depends on."""
        answer = self.splits.answer
        m, Dr = answer.m, answer.evidence.scaled.Dr
        if m > MOST_DENSE_ROWS:
            return np.zeros((m, 0))
        seen = [np.eye(m)[self.splits.pushing]]
        for limit in self.limits:
            rows = limit.P if limit.lift is None else np.vstack([limit.P, limit.lift])
            seen.append(np.zeros((len(rows), m)))
            seen[-1][:, limit.rows] = rows * Dr[limit.rows]
        E = np.vstack(seen)
        E /= np.maximum(np.linalg.norm(E, axis=1, keepdims=True), ZERO_ROW_NORM)
        directions = [np.zeros((m, 0))]
        for block in answer.evidence.blocks():
            _, s, Vt = np.linalg.svd(E[:, block.rows] @ block.N)
            rank = int((s > SOLUTION).sum())
            directions.append(np.zeros((m, len(Vt) - rank)))
            directions[-1][block.rows] = block.N @ Vt[rank:].T
        return np.hstack(directions)

    def _is_unbounded(self, c: Floats, factor: bool) -> bool:
        """Does cᵀ(y, s, e) grow along an unlimited self-stress or a direction of the recession cone?"""
        y = c[:-2]
        if np.linalg.norm(y @ self._unlimited_self_stresses) > SOLUTION * np.linalg.norm(y):
            return True
        rough = any(limit.lift is not None for limit in self.limits)
        if len(y) <= MOST_DENSE_ROWS and not factor and not rough and not self.splits.pushing.any():
            return False  # the recession cone holds nothing but unlimited self-stresses then
        solution = self._solved(self._recession, -c, load_factor=None if factor else 0.0, widening=0.0)
        return -float(solution.obj_val) > LEAST_GROWTH

    @cached_property
    def _size(self) -> float:
        """The largest entry of the given y, by which y is scaled."""
        return float(np.abs(self.splits.balance.y).max(initial=0.0)) or 1.0

    @cached_property
    def _largest(self) -> float:
        """The largest multiplier of one split [N, N m]."""
        return float(np.abs(self.splits.some).max(initial=0.0)) or 1.0

    def largest(self, rows: Ints, p: Floats, *, bounded: bool) -> Vertex | None:
        """The largest p λ_rows; None where no split is within the limits.  ``bounded``: it is known to be finite."""
        cost = self._cost()
        cost[rows] = p
        return self._maximum(cost, bounded=bounded)

    def largest_load_factor(self) -> Vertex | None:
        """The largest s of which some split of s f is within the limits; None where there is none."""
        return self._maximum(self._cost(load_factor=1.0), factor=True)

    def least_widening(self) -> float:
        """The least e of which some split is within capacities of 1 + e times their values; 0 where there is none."""
        widest = self._maximum(self._cost(widening=-1.0), widened=True)
        return 0.0 if widest is None else -widest.value

    def _cost(self, load_factor: float = 0.0, widening: float = 0.0) -> Floats:
        """Coefficients (m + 2,) of λ, s and e in a linear function; those of λ are zero."""
        return np.concatenate([np.zeros(self.splits.answer.m), [load_factor, widening]])

    def _maximum(
        self, cost: Floats, *, factor: bool = False, widened: bool = False, bounded: bool = False
    ) -> Vertex | None:
        """The maximum of costᵀ(λ, s, e); None where no split is within the limits.

        s = 1 unless ``factor`` and e = 0 unless ``widened``.  ``bounded``: the maximum is known to be finite.
        """
        m, Dr = self.splits.answer.m, self.splits.answer.evidence.scaled.Dr
        c = np.concatenate([cost[:m] * Dr * self._size, cost[m:]])
        scale = float(np.abs(c).max(initial=0.0)) or 1.0
        if not bounded and not widened and self._is_unbounded(c / scale, factor):
            return UNLIMITED_VERTEX
        given = {"load_factor": None if factor else 1.0, "widening": None if widened else 0.0}
        solution = self._solved(self._programme, -c / scale, **given)
        status = str(solution.status)
        if "PrimalInfeasible" in status:
            return None
        if "DualInfeasible" in status:
            return UNLIMITED_VERTEX
        x = np.array(solution.x)
        lam = x[:m] * Dr * self._size
        reached = tuple(limit for limit in self.limits if limit.reached(lam, AT_ITS_LIMIT))
        idle = np.flatnonzero(self.splits.pushing & (x[:m] < AT_ITS_LIMIT))
        # Both are the maximum but for rounding; the larger one never makes the interval too small.
        value = max(-float(solution.obj_val), -float(solution.obj_val_dual)) * scale
        return Vertex(value, reached, idle)

    def unsupported_motion(self) -> Floats | None:
        """None where some split of the load is within the limits; else a motion (n,) that none prevents (Farkas)."""
        solution = self._solved(self._programme, self._cost(), load_factor=1.0, widening=0.0)
        if "PrimalInfeasible" not in str(solution.status):
            return None
        n = self.splits.balance.Ct.shape[0]
        motion = self.splits.answer.evidence.scaled.right(np.array(solution.z)[:n, None])[:, 0]
        return np.asarray(motion if motion @ self.splits.f > 0.0 else -motion)

    def _solved(self, form: Programme, cost: Floats, *, load_factor: float | None, widening: float | None) -> Any:
        """Clarabel's solution with the smallest costᵀ(y, s, e), s and e given, or free where None.

        No convergence is an error.
        """
        from scipy.sparse import csc_array, csr_array

        clarabel = _clarabel()
        m = len(cost) - 2
        given = {m: load_factor, m + 1: widening}  # columns of s and e
        fixed = {column: value for column, value in given.items() if value is not None}
        equal = csr_array((np.ones(len(fixed)), (np.arange(len(fixed)), list(fixed))), shape=(len(fixed), m + 2))
        positive = csr_array((-np.ones(2), ([0, 1], list(given))), shape=(2, m + 2))
        with_capacity = form.with_rows(equal, np.array(list(fixed.values())), ConeKind.ZERO)
        with_capacity = with_capacity.with_rows(positive, np.zeros(2), ConeKind.NONNEGATIVE)
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = SOLVER_TOLERANCE
        A, b, cones = with_capacity.for_clarabel()
        solution = clarabel.DefaultSolver(csc_array((m + 2, m + 2)), cost, A, b, cones, settings).solve()
        residual = max(solution.r_prim, solution.r_dual, abs(solution.obj_val - solution.obj_val_dual))
        accepted = str(solution.status) == "AlmostSolved" and residual < ACCEPTED_TOLERANCE
        if not accepted and str(solution.status) not in ("Solved", "PrimalInfeasible", "DualInfeasible"):
            raise ReactioError(
                f"A cone program was not solved: Clarabel ended with {solution.status} ({residual:.1e} left). "
                "Limits that differ by many orders of magnitude may be the cause: check capacities, friction and known "
                "ranges."
            )
        return solution
