"""Forces that press against the same gaps in many similar problems, as at the instants of a motion.

The problems of ``gap_sets`` with the same parts bearing are Newton's equations of one shape: a stack of them is solved
in one call.  A solution counts where every condition of optimality holds; the others are left to ``gap_sets``,
whose bearing parts are then tried for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.linear.convex.gap_sets import (
    MOST_LAST_STEPS,
    VIOLATION,
    ZERO_CURVATURE,
    GapProblem,
    GapSets,
    GapStart,
)
from reactio.linear.precision import NEAR_ZERO, REFINED

# Problems next to a solved one whose parts are tried: neighbours in time press in similar directions, and a trial costs
# as much as a few steps of each.
MOST_NEIGHBOURS = 256


@dataclass(frozen=True, eq=False)
class GapStack:
    """min ½|u|² + Σ h_j(w_j), w = w₀ + B u, of k problems: B (k, K, p), w₀ (k, K), all of about size one."""

    B: Floats
    w0: Floats
    scale: Floats  # (k, K) of s over displacements, which change little from one problem to the next
    sets: GapSets  # lower, upper (k, K) and radius (k, balls); the components of one ball side by side

    def problem(self, k: int) -> GapProblem:
        """Problem k alone."""
        sets = self.sets
        gaps = GapSets(sets.lower[k], sets.upper[k], sets.ball, sets.radius[k])
        return GapProblem(self.B[k], self.w0[k], np.zeros(0), gaps)

    @cached_property
    def _round(self) -> Ints:
        return np.flatnonzero(self.sets.ball >= 0)

    @cached_property
    def _first(self) -> Ints:
        """Where the components of each ball begin among the round ones."""
        return np.flatnonzero(np.diff(self.sets.ball[self._round], prepend=-1))

    def solve(self) -> tuple[Floats, Floats, Bools]:
        """u (k, p), the largest violation of a condition (k,), and which problems were solved (k,)."""
        count = len(self.w0)
        u, wrong, todo = np.zeros((count, self.B.shape[2])), np.full(count, np.inf), np.ones(count, dtype=bool)
        start: list[GapStart] = []
        while todo.any():
            k = int(np.flatnonzero(todo)[0])
            forces = self.problem(k).solve([GapStart(self.scale[k] * state.s, state.bears) for state in start])
            u[k], wrong[k], todo[k] = forces.v, forces.residual, False
            start = [GapStart(forces.s / self.scale[k], forces.bears)]
            near = np.flatnonzero(todo)[:MOST_NEIGHBOURS]
            if not len(near):
                break
            solved, violation = self._neighbours(near, start[0], forces.w > 0.0)
            good = violation <= VIOLATION
            u[near[good]], wrong[near[good]], todo[near[good]] = solved[good], violation[good], False
        return u, wrong, wrong <= VIOLATION

    def _neighbours(self, at: Ints, known: GapStart, above: Bools) -> tuple[Floats, Floats]:
        """u (k, p) and the largest violation (k,) of problems ``at`` in which the same components bear as in one.

        above (K,): whether components in intervals bear at the upper end.
        """
        bears, idle = known.bears, np.flatnonzero(~known.bears)
        B, w0, radius = self.B[at], self.w0[at], self.sets.radius[at]
        line = bears & (self.sets.ball < 0)
        s = self.scale[at] * known.s
        s[:, line] = np.where(above, self.sets.upper[at], self.sets.lower[at])[:, line]
        u = -times(B.swapaxes(1, 2), s)
        active = bears[self._round]
        w, wrong = w0 + times(B, u), np.full(len(at), np.inf)
        with np.errstate(all="ignore"):  # what does not converge is not a number, and violates its conditions
            for step in range(MOST_LAST_STEPS):
                before = wrong
                unit, size = self._directions(w)
                s[:, self._round] = np.where(active, radius[:, self.sets.ball[self._round]] * unit, s[:, self._round])
                slope, force = u + times(B.swapaxes(1, 2), s), w[:, idle]
                largest = np.abs(w).max(axis=1)
                terms = np.maximum(times(np.abs(B).swapaxes(1, 2), np.abs(s)).max(axis=1), largest)
                both = np.concatenate([slope, force], axis=1)
                wrong = np.abs(both).max(axis=1, initial=0.0) / np.maximum(terms, NEAR_ZERO)
                precise = wrong * terms <= REFINED * largest
                if step == MOST_LAST_STEPS - 1 or (precise | ((wrong <= VIOLATION) & (wrong >= 0.5 * before))).all():
                    break
                bend = np.where(active[self._first], radius / size, 0.0)
                try:
                    du, ds = self._step(B, unit, bend, idle, slope, force)
                except np.linalg.LinAlgError:  # one that diverges spoils the stack: all are left to be solved alone
                    return u, np.full(len(at), np.inf)
                u, w, s[:, idle] = u - du, w - times(B, du), s[:, idle] - ds
        return u, self._violation(at, w, s, bears, wrong)

    def _directions(self, w: Floats) -> tuple[Floats, Floats]:
        """ŵ (k, round components) and |w| (k, balls)."""
        along_round = w[:, self._round]
        size = (
            np.sqrt(np.add.reduceat(along_round**2, self._first, axis=1))
            if along_round.shape[1]
            else np.zeros((len(w), 0))
        )
        return along_round / np.where(size > 0.0, size, 1.0)[:, self.sets.ball[self._round]], size

    def _step(
        self, B: Floats, unit: Floats, bend: Floats, idle: Ints, slope: Floats, force: Floats
    ) -> tuple[Floats, Floats]:
        """Newton's step (du, ds) of (I + Σ bend Bᵀ(I − ŵŵᵀ)B) du + B_Iᵀ ds = slope, B_I du = force."""
        M = B[:, self._round]
        if M.shape[1]:
            across = np.add.reduceat(unit[..., None] * M, self._first, axis=1)[:, self.sets.ball[self._round]]
            M = np.sqrt(bend)[:, self.sets.ball[self._round], None] * (M - unit[..., None] * across)
        K = np.eye(B.shape[2]) + M.swapaxes(1, 2) @ M
        both = np.linalg.solve(K, np.concatenate([B[:, idle].swapaxes(1, 2), slope[..., None]], axis=2))
        X, x = both[..., :-1], both[..., -1]
        if not len(idle):
            return x, force
        S = np.nan_to_num(B[:, idle] @ X)
        inverse: Floats = np.asarray(np.linalg.pinv(S, rcond=ZERO_CURVATURE, hermitian=True), dtype=float)
        ds = times(inverse, times(B[:, idle], x) - force)
        return x - times(X, ds), ds

    def _violation(self, at: Ints, w: Floats, s: Floats, bears: Bools, wrong: Floats) -> Floats:
        """(k,) as ``GapProblem`` measures it: displacements outside their sets, parts that pull, and the residual."""
        force = np.maximum(np.abs(w).max(axis=1), np.abs(self.w0[at]).max(axis=1))
        gap = np.maximum(np.abs(s).max(axis=1), np.maximum(self.sets.radius[at].max(axis=1, initial=0.0), NEAR_ZERO))
        beyond = np.where(self.sets.ball < 0, np.maximum(s - self.sets.upper[at], self.sets.lower[at] - s), 0.0)
        _, size = self._directions(s)
        beyond[:, self._round] = (size - self.sets.radius[at])[:, self.sets.ball[self._round]]
        pull = np.where(bears & (self.sets.ball < 0), np.where(s >= self.sets.upper[at], -w, w), 0.0)
        worst = np.maximum(beyond.max(axis=1) / gap, pull.max(axis=1) / np.where(force > 0.0, force, 1.0))
        return np.asarray(np.nan_to_num(np.maximum(worst, wrong), nan=np.inf))


def times(A: Floats, x: Floats) -> Floats:
    """A x of stacks: A (k, a, b), x (k, b)."""
    return np.asarray((A @ x[..., None])[..., 0])
