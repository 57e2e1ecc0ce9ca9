"""The split by stiffness at many instants of a motion, side by side.

At every instant λ = λ₀ + X u, X = N R⁻¹ with Lᵀ N = Q R: ½|u|² is the energy that self-stresses add to the least, and
forces in the gaps are w = A λ.  Instants are stacked, so that one call serves them all.  What is special (preloads,
parts that act one way, undecided self-stresses, digits at risk) is left to ``compliance``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.linear.convex.gap_sets import NotBalanced, NotConverged
from reactio.linear.convex.gap_stacks import GapStack, times
from reactio.linear.precision import REFINED, SINGULAR
from reactio.sharing.compliance import LARGEST_GEOMETRY_ERROR, LEAST_DEFORMATION
from reactio.sharing.elasticity import Elasticity, ElasticPart
from reactio.sharing.gaps import ZERO_STIFFNESS, GapTable
from reactio.sharing.problem import Problem
from reactio.uniqueness.evidence import DenseEvidence

PASSES = 3  # of refinement: each regains the digits that rounding of the one before lost
# Squared length along a self-stress of the directions of a part, up to six of length one: more surely deforms it.
MOST_UNIT_DIRECTIONS = 6
SURELY_DEFORMED = MOST_UNIT_DIRECTIONS * LEAST_DEFORMATION
# Part of the terms of Cᵀλ = f that may be left: instants with more are solved alone.
BALANCED = SINGULAR


def splits_along(problems: Sequence[Problem], elastic: Elasticity) -> list[Floats | None]:
    """λ (m,) of every problem, rows in their internal order; None where it is not settled side by side.

    ``elastic``: that of all problems, its arrays with one more axis in front.
    """
    first, none = problems[0], [None] * len(problems)
    answers = [problem.answer for problem in problems]
    evidence = [answer.evidence for answer in answers if isinstance(answer.evidence, DenseEvidence)]
    alike = len(evidence) == len(answers) and all(answer.rank == first.answer.rank for answer in answers)
    if elastic.preloads or elastic.laws or first.matrix.rows.unilateral or not alike:
        return [*none]
    if first.answer.rank == elastic.m:
        return [*none]
    motion = ElasticMotion(problems, evidence, elastic)
    x, sure = motion.linear
    if elastic.gaps:
        gaps = motion.gaps(x)
        if gaps is None:
            return [*none]
        stack, unit = gaps
        try:
            u, _, solved = stack.solve()
        except (NotBalanced, NotConverged):
            return [*none]
        x, sure = x + times(motion.X, unit[:, None] * u), sure & solved
    Ct, f = motion.C.swapaxes(1, 2), motion.f
    left = np.abs(times(Ct, x) - f).max(axis=1)
    balanced = left <= BALANCED * (times(np.abs(Ct), np.abs(x)) + np.abs(f)).max(axis=1)
    return [lam if ok else None for lam, ok in zip(motion.Dr * x, sure & balanced, strict=True)]


class ElasticMotion:
    """The arrays of k instants: everything in equilibrated rows."""

    def __init__(self, problems: Sequence[Problem], evidence: Sequence[DenseEvidence], elastic: Elasticity) -> None:
        self.elastic, rank = elastic, problems[0].answer.rank
        self.C = np.stack([part.scaled.C for part in evidence])  # (k, m, n)
        self.Dr = np.stack([part.scaled.Dr for part in evidence])  # (k, m)
        self.f = np.stack([problem.equilibrium[1] for problem in problems])  # (k, n)
        self.N = np.stack([part.blocks()[0].N for part in evidence])  # (k, m, p)
        self.range = np.stack([part.factor.Q[:, :rank] for part in evidence])  # (k, m, r)
        self.sigma = np.stack([part.factor.sigma[:rank] for part in evidence])  # (k, r)

    @cached_property
    def L(self) -> Floats:
        """(k, m, q) roots of the compliances of all parts side by side."""
        L = np.zeros((*self.Dr.shape, sum(part.L.shape[-1] for part in self.elastic.parts)))
        at = 0
        for part in self.elastic.parts:
            L[:, part.rows, at : at + part.L.shape[-1]] = part.L
            at += part.L.shape[-1]
        return self.Dr[..., None] * L

    @cached_property
    def e(self) -> Floats:
        """(k, q) deformations of all parts by loads on themselves."""
        k = len(self.Dr)
        return np.concatenate([np.broadcast_to(part.e, (k, part.e.shape[-1])) for part in self.elastic.parts], axis=1)

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        """Q (k, q, p) and R (k, p, p) of LᵀN, its large rows first."""
        B = self.L.swapaxes(1, 2) @ self.N
        order = np.argsort(-np.abs(B).max(axis=2), axis=1, kind="stable")[..., None]
        Q, R = np.linalg.qr(np.take_along_axis(B, order, axis=1))
        back = np.zeros_like(Q)
        np.put_along_axis(back, np.broadcast_to(order, Q.shape), Q, axis=1)
        return back, R

    @cached_property
    def X(self) -> Floats:
        """(k, m, p) N R⁻¹."""
        return np.asarray(np.linalg.solve(self._factors[1].swapaxes(1, 2), self.N.swapaxes(1, 2)).swapaxes(1, 2))

    @property
    def linear(self) -> tuple[Floats, Bools]:
        """x = D_r⁻¹λ (k, m) of least energy with all gaps closed, and where that is settled to the last digits (k,)."""
        if not self._decided.all():
            return np.zeros_like(self.Dr), np.zeros(len(self.Dr), dtype=bool)
        x = np.zeros_like(self.Dr)
        for _ in range(2):  # C̃ = U σ Vᵀ: x = U σ⁻² Uᵀ C̃ f̃
            rest = self.f - times(self.C.swapaxes(1, 2), x)
            x = x + times(self.range, times(self.range.swapaxes(1, 2), times(self.C, rest)) / self.sigma**2)
        delta = self.Dr * self.elastic.delta
        size = np.abs(x).max(axis=1)
        for _ in range(PASSES):
            bent = self._bent(x)
            step = times(self.X, times(self._factors[0].swapaxes(1, 2), bent) + times(self.X.swapaxes(1, 2), delta))
            x, last = x - step, np.abs(step).max(axis=1)
        size = np.maximum(size, np.abs(x).max(axis=1))
        opened = np.linalg.norm(delta + times(self.L, self._bent(x)), axis=1) + self._widest
        stiffest = np.linalg.norm(self.X @ np.linalg.inv(self._factors[1]).swapaxes(1, 2), axis=2).max(axis=1)
        by_rounding = np.finfo(float).eps * opened * stiffest
        return x, (last <= REFINED * size) & (by_rounding <= LARGEST_GEOMETRY_ERROR * size)

    def _bent(self, x: Floats) -> Floats:
        """(k, q) Lᵀλ − e: deformations of all parts by multipliers x (k, m) and by loads on themselves."""
        return times(self.L.swapaxes(1, 2), x) - self.e

    @property
    def _decided(self) -> Bools:
        """(k,) does every self-stress surely deform some part?"""
        H = np.zeros((len(self.N), self.N.shape[2], self.N.shape[2]))
        for part in self.elastic.parts:
            B = self._unit_directions(part).swapaxes(1, 2) @ self.N[:, part.rows]
            H += B.swapaxes(1, 2) @ B
        return np.asarray(np.linalg.eigvalsh(H)[:, 0] > SURELY_DEFORMED)

    def _unit_directions(self, part: ElasticPart) -> Floats:
        """(k, rows, q) the directions of a part with squared lengths of MOST_UNIT_DIRECTIONS in sum, at most.

        Those of a span are comparable and have one scale: short ones may be rounding.
        """
        columns = self.Dr[:, part.rows, None] * (part.L if part.span is None else part.span)
        size = np.linalg.norm(columns, axis=1, keepdims=True)
        if part.span is not None:
            size = size.max(axis=2, keepdims=True, initial=0.0)
        parts = max(1.0, columns.shape[2] / MOST_UNIT_DIRECTIONS)
        return np.asarray(columns / (np.sqrt(parts) * np.where(size > 0.0, size, 1.0)))

    @property
    def _widest(self) -> Floats:
        """(k,) a bound of |Aᵀs| of all gaps."""
        sizes = [gap.size * np.abs(self.Dr[:, None, gap.rows] * gap.A).max(axis=(1, 2)) for gap in self.elastic.gaps]
        return np.asarray(np.sum(sizes, axis=0))

    def gaps(self, x: Floats) -> tuple[GapStack, Floats] | None:
        """The convex problems of the gaps that self-stresses load, and the units (k,) of their forces.

        None where these are not the same at all instants, or some are rigid.
        """
        table = GapTable(self.elastic.gaps, self.elastic.m)
        loaded = table.loaded(self.Dr, self.N)
        if (loaded != loaded[:1]).any() or not loaded.any():
            return None
        table = GapTable(tuple(gap for gap, on in zip(self.elastic.gaps, loaded[0], strict=True) if on), table.m)
        A = table.A * self.Dr[:, None]
        W, w0 = A @ self.X, times(A, x)
        stiff = np.maximum.reduceat((W**2).sum(axis=2), table.ptr[:-1], axis=1)
        if (stiff <= ZERO_STIFFNESS * stiff.max(axis=1, keepdims=True)).any():
            return None
        scale = np.sqrt(stiff)
        factor = scale[:, table.owner]
        unit = np.abs(w0 / factor).max(axis=1)
        unit = np.where(unit > 0.0, unit, 1.0)
        sets = table.sets(scale / unit[:, None])
        return GapStack(W / factor[..., None], w0 / factor / unit[:, None], factor / unit[:, None], sets), unit
