"""Ends of linear functions over splits within cones, |P λ − middle| ≤ most + lift λ, by the solver Clarabel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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
UNSEEN = 1e-9  # part of a self-stress of unit length that a limit does not see, or a component has no part in
GROWS = 1e-6  # growth of a component along a self-stress of size one from which on it has no end
MOST_ROWS = (
    2_000  # of C up to which self-stresses that no limit sees are found, as dense matrices; beyond, by the solver
)
TINY = 1e-300  # for rows that are zero
AT_ITS_LIMIT = 1e-6  # part of a capacity within which a joint counts as at its limit


def _clarabel() -> Any:
    try:
        import clarabel
    except ImportError:
        raise ReactioError(
            f"Capacities are cones, and their bounds need the solver Clarabel: {how_to_install('contact')}."
        ) from None
    return clarabel


class Programme(NamedTuple):
    """Conditions A x + slack = b with parts of the slack in cones, in the order of Clarabel."""

    A: tuple[Any, ...]  # sparse rows
    b: tuple[Floats, ...]
    cones: tuple[tuple[str, int], ...]  # kind and size of each

    def with_rows(self, A: Any, b: Floats, kind: str) -> Programme:
        """These and one more cone."""
        return Programme((*self.A, A), (*self.b, b), (*self.cones, (kind, len(b))))

    def with_all(self, more: Iterable[tuple[Any, Floats, str]]) -> Programme:
        """These and more cones."""
        A, b, kinds = list(self.A), list(self.b), list(self.cones)
        for rows, right, kind in more:
            A, b, kinds = [*A, rows], [*b, right], [*kinds, (kind, len(right))]
        return Programme(tuple(A), tuple(b), tuple(kinds))

    def for_clarabel(self) -> tuple[Any, Floats, list[Any]]:
        """A, b and cones as Clarabel takes them."""
        from scipy.sparse import vstack

        clarabel = _clarabel()
        return vstack(self.A).tocsc(), np.concatenate(self.b), [getattr(clarabel, kind)(n) for kind, n in self.cones]


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """Where a linear function is largest: its value there, and the limits that hold it."""

    value: float  # inf where nothing holds it
    held_by: tuple[ComponentLimit, ...]
    pushing: Ints  # rows that can only push and do not


WITHOUT_END = Vertex(np.inf, (), np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Within:
    """All splits of s f, s ≥ 0, within the limits: C̃ᵀ y = s f̃, y ≥ 0 on pushing rows, λ = D_r y in every cone.

    Unknowns (y, s, e): e ≥ 0 widens all capacities to (1 + e) times what they are.
    """

    splits: Splits
    limits: Sequence[ComponentLimit]

    @cached_property
    def _form(self) -> Programme:
        """The conditions, without s and e settled.

        Of all splits that differ by what no limit sees, Lᵀ y = 0 chooses one, so that the set has no directions in
        which a solver could run off.
        """
        from scipy.sparse import csr_array, hstack

        L = self._unseen
        chosen = hstack([csr_array(L.T), csr_array((L.shape[1], 2))])
        return self._balance.with_rows(chosen, np.zeros(L.shape[1]), "ZeroConeT").with_all(self._cones())

    @cached_property
    def _recession(self) -> Programme:
        """What can be added to a split without end: Cᵀd = s f, no pull, |P d| ≤ lift d; of size one, |d| ≤ 1, s ≤ 1."""
        from scipy.sparse import csr_array, eye_array, vstack

        m = self.splits.answer.m
        unit = csr_array(eye_array(m + 2))
        form = self._balance.with_all(self._cones(along=True))
        return form.with_rows(vstack([unit, -unit]), np.ones(2 * m + 4), "NonnegativeConeT")

    @cached_property
    def _balance(self) -> Programme:
        """C̃ᵀ y = s f̃, and y ≥ 0 on pushing rows."""
        from scipy.sparse import csr_array, hstack

        Ct, y = self.splits.balance
        m, f = Ct.shape[1], Ct @ y
        push = np.flatnonzero(self.splits.pushing)
        sign = csr_array((-np.ones(len(push)), (np.arange(len(push)), push)), shape=(len(push), m + 2))
        balanced = hstack([Ct, csr_array(-f[:, None] / self._size), csr_array((len(f), 1))])
        form = Programme((), (), ()).with_rows(balanced, np.zeros(len(f)), "ZeroConeT")
        return form.with_rows(sign, np.zeros(len(push)), "NonnegativeConeT")

    def _cones(self, *, along: bool = False) -> Iterator[tuple[Any, Floats, str]]:
        """Rows, right-hand sides and kinds of the cones of all limits, or of those ``along`` which they never end."""
        from scipy.sparse import csr_array

        m, Dr = self.splits.answer.m, self.splits.answer.evidence.scaled.Dr
        for one in self.limits:
            # A cone is handed over with entries of size one, also where friction is very large.
            steep = 1.0 if one.lift is None else max(1.0, float(np.abs(one.lift).max()))
            k, size = len(one.P), (one.most or self._largest) * steep
            D, offset = np.zeros((k + 1, m + 2)), np.full(k + 1, -one.middle / size)
            D[1:, one.rows] = -one.P * Dr[one.rows] * self._size / size
            if one.lift is not None:
                D[0, one.rows] = -one.lift * Dr[one.rows] * self._size / size
            D[0, m + 1] = -1.0 if one.scales else 0.0
            offset[0] = one.most / size if one.lift is None else WIDER
            offset = np.zeros(k + 1) if along else offset
            if one.lift is None and (along or one.most == 0.0):  # a cone without inside: an equation
                yield csr_array(D[1:]), offset[1:], "ZeroConeT"
            else:
                yield csr_array(D), offset, "SecondOrderConeT"

    @cached_property
    def _unseen(self) -> Floats:
        """L (m, k): self-stresses in y, of unit length at right angles, that change no limit and no push."""
        answer = self.splits.answer
        m, Dr = answer.m, answer.evidence.scaled.Dr
        if m > MOST_ROWS:
            return np.zeros((m, 0))
        seen = [np.eye(m)[self.splits.pushing]]
        for one in self.limits:
            rows = one.P if one.lift is None else np.vstack([one.P, one.lift])
            seen.append(np.zeros((len(rows), m)))
            seen[-1][:, one.rows] = rows * Dr[one.rows]
        E = np.vstack(seen)
        E /= np.maximum(np.linalg.norm(E, axis=1, keepdims=True), TINY)
        found = [np.zeros((m, 0))]
        for block in answer.evidence.blocks():
            _, s, Vt = np.linalg.svd(E[:, block.rows] @ block.N)
            rank = int((s > UNSEEN).sum())
            found.append(np.zeros((m, len(Vt) - rank)))
            found[-1][block.rows] = block.N @ Vt[rank:].T
        return np.hstack(found)

    def _without_end(self, c: Floats, factor: bool) -> bool:
        """Does cᵀ(y, s, −e) grow along something that can be added to a split without end?"""
        y = c[:-2]
        if np.linalg.norm(y @ self._unseen) > UNSEEN * np.linalg.norm(y):
            return True
        rough = any(one.lift is not None for one in self.limits)
        if len(y) <= MOST_ROWS and not factor and not rough and not self.splits.pushing.any():
            return False  # only what nothing sees grows without end then
        return -float(self._solved(self._recession, -c, (factor, False), s=0.0).obj_val) > GROWS

    @cached_property
    def _size(self) -> float:
        return float(np.abs(self.splits.balance.y).max(initial=0.0)) or 1.0

    @cached_property
    def _largest(self) -> float:
        """Of the multipliers of some split [N, N m]."""
        return float(np.abs(self.splits.some).max(initial=0.0)) or 1.0

    def end(self, cost: Floats, *, factor: bool = False, widened: bool = False, ends: bool = False) -> Vertex | None:
        """The largest costᵀ(λ, s, −e): s = 1 and e = 0 unless they are free; None where nothing is within.

        ``ends``: it is known to have an end, with fewer limits already.
        """
        m, Dr = self.splits.answer.m, self.splits.answer.evidence.scaled.Dr
        c = np.concatenate([cost[:m] * Dr * self._size, cost[m:]])
        scale = float(np.abs(c).max(initial=0.0)) or 1.0
        if not ends and not widened and self._without_end(c / scale, factor):
            return WITHOUT_END
        found = self._solved(self._form, -c / scale, (factor, widened))
        status = str(found.status)
        if "PrimalInfeasible" in status:
            return None
        if "DualInfeasible" in status:
            return WITHOUT_END
        x = np.array(found.x)
        lam = x[:m] * Dr * self._size
        reached = tuple(one for one in self.limits if one.reached(lam, AT_ITS_LIMIT))
        idle = np.flatnonzero(self.splits.pushing & (x[:m] < AT_ITS_LIMIT))
        # Either is right but for rounding; the outer of both is never inside the interval.
        value = max(-float(found.obj_val), -float(found.obj_val_dual)) * scale
        return Vertex(value, reached, idle)

    def lost(self) -> Floats | None:
        """None where some split of the load is within; else the motion (n,) that no limit holds (Farkas)."""
        found = self._solved(self._form, np.zeros(self.splits.answer.m + 2), (False, False))
        if "PrimalInfeasible" not in str(found.status):
            return None
        n = self.splits.balance.Ct.shape[0]
        motion = self.splits.answer.evidence.scaled.right(np.array(found.z)[:n, None])[:, 0]
        return np.asarray(motion if motion @ self.splits.f > 0.0 else -motion)

    def _solved(self, form: Programme, cost: Floats, free: tuple[bool, bool], s: float = 1.0) -> Any:
        """Clarabel's answer to the smallest costᵀx, with s and e free or settled; not converged is an error."""
        from scipy.sparse import csc_array, csr_array

        clarabel = _clarabel()
        m = len(cost) - 2
        held = [m + k for k, loose in enumerate(free) if not loose]
        fix = csr_array((np.ones(len(held)), (np.arange(len(held)), held)), shape=(len(held), m + 2))
        least = csr_array((-np.ones(2), ([0, 1], [m, m + 1])), shape=(2, m + 2))
        whole = form.with_rows(fix, np.array([s if at == m else 0.0 for at in held]), "ZeroConeT")
        whole = whole.with_rows(least, np.zeros(2), "NonnegativeConeT")
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURATE
        A, b, cones = whole.for_clarabel()
        found = clarabel.DefaultSolver(csc_array((m + 2, m + 2)), cost, A, b, cones, settings).solve()
        left = max(found.r_prim, found.r_dual, abs(found.obj_val - found.obj_val_dual))
        near = str(found.status) == "AlmostSolved" and left < CONVERGED
        if not near and str(found.status) not in ("Solved", "PrimalInfeasible", "DualInfeasible"):
            raise ReactioError(
                f"A programme over cones was not solved: Clarabel ended with {found.status} ({left:.1e} left). Limits "
                "that differ by many orders of magnitude may be the cause: check capacities, friction and known ranges."
            )
        return found
