"""Ends of linear functions over splits within cones, |P λ| ≤ most, by the interior-point solver Clarabel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError, how_to_install
from reactio.reaction_bounds.capacity import Limit
from reactio.uniqueness.bounds import Splits

ACCURATE = 1e-10  # gap and residuals at which Clarabel ends
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
    held_by: tuple[Limit, ...]
    pushing: Ints  # rows that can only push and do not


@dataclass(frozen=True, eq=False)
class Within:
    """All splits of s f, s ≥ 0, within the limits: C̃ᵀ y = s f̃, y ≥ 0 on pushing rows, |P D_r y| ≤ most.

    Unknowns (y, s, e): e ≥ 0 widens all limits to (1 + e) times what they are.
    """

    splits: Splits
    limits: Sequence[Limit]

    @cached_property
    def _form(self) -> tuple[Any, Floats, list[Any]]:
        """A, b and cones of Clarabel's form A x + slack = b, slack in the cones; without s and e settled."""
        from scipy.sparse import csr_array, hstack, vstack

        clarabel = _clarabel()
        Ct, y = self.splits._balance
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
            k = len(one.P)
            D = np.zeros((k + 1, m + 2))
            D[1:, one.rows] = -one.P * Dr[one.rows] * self._size / one.most
            D[0, m + 1] = -1.0
            rows.append(csr_array(D))
            b.append(np.eye(k + 1)[0])
            cones.append(clarabel.SecondOrderConeT(k + 1))
        return vstack(rows).tocsc(), np.concatenate(b), cones

    @cached_property
    def _size(self) -> float:
        return float(np.abs(self.splits._balance[1]).max(initial=0.0)) or 1.0

    def end(self, cost: Floats, *, factor: bool = False, widened: bool = False) -> Vertex | None:
        """The largest costᵀ(λ, s, −e): s = 1 and e = 0 unless they are free; None where nothing is within."""
        from scipy.sparse import csc_array, csr_array, vstack

        clarabel = _clarabel()
        A, b, cones = self._form
        m = A.shape[1] - 2
        held = [m + k for k, free in enumerate((factor, widened)) if not free]
        fix = csr_array((np.ones(len(held)), (np.arange(len(held)), held)), shape=(len(held), m + 2))
        least = csr_array((-np.ones(2), ([0, 1], [m, m + 1])), shape=(2, m + 2))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURATE
        Dr = self.splits.answer.evidence.scaled.Dr
        c = np.concatenate([cost[:m] * Dr * self._size, cost[m:]])
        scale = float(np.abs(c).max(initial=0.0)) or 1.0
        solver = clarabel.DefaultSolver(
            csc_array((m + 2, m + 2)),
            -c / scale,
            vstack([A, fix, least]).tocsc(),
            np.concatenate([b, [1.0 if at == m else 0.0 for at in held], np.zeros(2)]),
            [*cones, clarabel.ZeroConeT(len(held)), clarabel.NonnegativeConeT(2)],
            settings,
        )
        found = solver.solve()
        status = str(found.status)
        if "PrimalInfeasible" in status:
            return None
        if "DualInfeasible" in status:
            return Vertex(np.inf, np.full(m, np.nan), (), np.zeros(0, dtype=np.int64))
        if "Solved" not in status:
            raise ReactioError(f"A programme over cones was not solved: Clarabel ended with {status}.")
        x = np.array(found.x)
        lam = x[:m] * Dr * self._size
        reached = tuple(
            one for one in self.limits if np.linalg.norm(one.P @ lam[one.rows]) > (1.0 - AT_ITS_LIMIT) * one.most
        )
        idle = np.flatnonzero(self.splits.pushing & (x[:m] < AT_ITS_LIMIT))
        return Vertex(-float(found.obj_val) * scale, lam, reached, idle)
