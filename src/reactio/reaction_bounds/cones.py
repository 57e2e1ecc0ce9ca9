"""Ends of linear functions over splits within cones, |P λ − middle| ≤ most + lift λ, by the solver Clarabel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError, how_to_install
from reactio.reaction_bounds.limits import ComponentLimit
from reactio.uniqueness.bounds import Splits

ACCURATE = 1e-10  # gap and residuals at which Clarabel ends
CONVERGED = 1e-6  # the same where it comes no further, in sets that hardly have an inside: the digits that are printed
# Part of the largest force by which cones of friction are wider, so that a load at the very limit of friction is held
# whichever way its numbers are rounded.
WIDER = 1e-9
AT_ITS_LIMIT = 1e-6  # part of a capacity within which a joint counts as at its limit


def _clarabel() -> Any:
    try:
        import clarabel
    except ImportError:
        raise ReactioError(
            f"Capacities are cones, and their bounds need the solver Clarabel: {how_to_install('contact')}."
        ) from None
    return clarabel


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """Where a linear function is largest: its value, λ (m,) there, and the limits that hold it."""

    value: float  # inf where nothing holds it
    lam: Floats
    held_by: tuple[ComponentLimit, ...]
    pushing: Ints  # rows that can only push and do not


@dataclass(frozen=True, eq=False)
class Within:
    """All splits of s f, s ≥ 0, within the limits: C̃ᵀ y = s f̃, y ≥ 0 on pushing rows, λ = D_r y in every cone.

    Unknowns (y, s, e): e ≥ 0 widens all capacities to (1 + e) times what they are.
    """

    splits: Splits
    limits: Sequence[ComponentLimit]

    @cached_property
    def _form(self) -> tuple[Any, Floats, list[Any]]:
        """A, b and cones of Clarabel's form A x + slack = b, slack in the cones; without s and e settled."""
        from scipy.sparse import csr_array, hstack, vstack

        clarabel = _clarabel()
        Ct, y = self.splits.balance
        m, Dr = Ct.shape[1], self.splits.answer.evidence.scaled.Dr
        f = Ct @ y
        rows = [hstack([Ct, csr_array(-f[:, None] / self._size), csr_array((len(f), 1))])]
        cones = [clarabel.ZeroConeT(len(f))]
        push = np.flatnonzero(self.splits.pushing)
        sign = csr_array((-np.ones(len(push)), (np.arange(len(push)), push)), shape=(len(push), m + 2))
        rows.append(sign)
        cones.append(clarabel.NonnegativeConeT(len(push)))
        b = [np.zeros(len(f) + len(push))]
        for one in self.limits:
            k, size = len(one.P), one.most or self._largest
            D, offset = np.zeros((k + 1, m + 2)), np.full(k + 1, -one.middle / size)
            D[1:, one.rows] = -one.P * Dr[one.rows] * self._size / size
            if one.lift is not None:
                D[0, one.rows] = -one.lift * Dr[one.rows] * self._size / size
            D[0, m + 1] = -1.0 if one.scales else 0.0
            offset[0] = one.most / size if one.lift is None else WIDER
            exact = one.most == 0.0 and one.lift is None  # a cone without inside: an equation
            rows.append(csr_array(D[1:] if exact else D))
            b.append(offset[1:] if exact else offset)
            cones.append(clarabel.ZeroConeT(k) if exact else clarabel.SecondOrderConeT(k + 1))
        return vstack(rows).tocsc(), np.concatenate(b), cones

    @cached_property
    def _size(self) -> float:
        return float(np.abs(self.splits.balance.y).max(initial=0.0)) or 1.0

    @cached_property
    def _largest(self) -> float:
        """Of the multipliers of some split [N, N m]."""
        return float(np.abs(self.splits.some).max(initial=0.0)) or 1.0

    def end(self, cost: Floats, *, factor: bool = False, widened: bool = False) -> Vertex | None:
        """The largest costᵀ(λ, s, −e): s = 1 and e = 0 unless they are free; None where nothing is within."""
        m, Dr = self.splits.answer.m, self.splits.answer.evidence.scaled.Dr
        c = np.concatenate([cost[:m] * Dr * self._size, cost[m:]])
        scale = float(np.abs(c).max(initial=0.0)) or 1.0
        found = self._solved(-c / scale, (factor, widened))
        status = str(found.status)
        if "PrimalInfeasible" in status:
            return None
        if "DualInfeasible" in status:
            return Vertex(np.inf, np.full(m, np.nan), (), np.zeros(0, dtype=np.int64))
        x = np.array(found.x)
        lam = x[:m] * Dr * self._size
        reached = tuple(one for one in self.limits if one.reached(lam, AT_ITS_LIMIT))
        idle = np.flatnonzero(self.splits.pushing & (x[:m] < AT_ITS_LIMIT))
        # Either is right but for rounding; the outer of both is never inside the interval.
        value = max(-float(found.obj_val), -float(found.obj_val_dual)) * scale
        return Vertex(value, lam, reached, idle)

    def lost(self) -> Floats | None:
        """None where some split of the load is within; else the motion (n,) that no limit holds (Farkas)."""
        found = self._solved(np.zeros(self.splits.answer.m + 2), (False, False))
        if "PrimalInfeasible" not in str(found.status):
            return None
        n = self.splits.balance.Ct.shape[0]
        motion = self.splits.answer.evidence.scaled.right(np.array(found.z)[:n, None])[:, 0]
        return np.asarray(motion if motion @ self.splits.f > 0.0 else -motion)

    def _solved(self, cost: Floats, free: tuple[bool, bool]) -> Any:
        """Clarabel's answer to the smallest costᵀx, with s and e free or settled; not converged is an error."""
        from scipy.sparse import csc_array, csr_array, vstack

        clarabel = _clarabel()
        A, b, cones = self._form
        m = A.shape[1] - 2
        held = [m + k for k, loose in enumerate(free) if not loose]
        fix = csr_array((np.ones(len(held)), (np.arange(len(held)), held)), shape=(len(held), m + 2))
        least = csr_array((-np.ones(2), ([0, 1], [m, m + 1])), shape=(2, m + 2))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURATE
        solver = clarabel.DefaultSolver(
            csc_array((m + 2, m + 2)),
            cost,
            vstack([A, fix, least]).tocsc(),
            np.concatenate([b, [1.0 if at == m else 0.0 for at in held], np.zeros(2)]),
            [*cones, clarabel.ZeroConeT(len(held)), clarabel.NonnegativeConeT(2)],
            settings,
        )
        found = solver.solve()
        left = max(found.r_prim, found.r_dual, abs(found.obj_val - found.obj_val_dual))
        near = str(found.status) == "AlmostSolved" and left < CONVERGED
        if not near and str(found.status) not in ("Solved", "PrimalInfeasible", "DualInfeasible"):
            raise ReactioError(
                f"A programme over cones was not solved: Clarabel ended with {found.status} ({left:.1e} left)."
            )
        return found
