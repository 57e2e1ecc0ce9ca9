"""The machine without load, whose preloaded joints are tightened until they carry their preloads.

    min_λ  ½ λᵀFλ + λᵀδ + Σ_X h_X(A_X λ)   subject to  Cᵀλ = 0,  Gᵀλ = −p

G s are misfits by displacements s along the preloaded components; s are the multipliers of Gᵀλ = −p.  With all gaps
closed they follow from Gᵀ N H⁻¹ Nᵀ (δ + G s) = p; gaps that open by r move them by −(GᵀN H⁻¹NᵀG)⁻¹ Gᵀ N H⁻¹Nᵀ r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, listed
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.sharing.elasticity import Elasticity, Preload
from reactio.sharing.gaps import MOST_PARTS, GapScaling, GapSolution, SelfStresses, StressBlock, solve_gaps
from reactio.sharing.problem import Problem

# Squared part of a preload that a self-stress carries, and of a gap that springs hold: below it none does.
LEAST_BRACING = SOLUTION


class LoadedMachine(SelfStresses, Protocol):
    """Self-stresses of the machine under load, to which any misfits may be given."""

    def relaxed_by(self, lam: Floats, misfits: Floats) -> Floats:
        """(m,) the λ + N y of least energy with misfits (m,)."""


@dataclass(frozen=True, eq=False)
class Tightening:
    """Self-stresses (``gaps.SelfStresses``) of a machine without load, in which preloads do not change."""

    whole: LoadedMachine

    @property
    def problem(self) -> Problem:
        """The rows; its loads have no part in it."""
        return self.whole.problem

    @property
    def elastic(self) -> Elasticity:
        """Compliances, gaps and preloads."""
        return self.whole.elastic

    @property
    def purpose(self) -> str:
        """What its forces hold, in words."""
        names = listed([preload.name for preload in self.elastic.preloads], MOST_PARTS)
        return f"the preload {names} when nothing is loaded" if names else "misfits when nothing is loaded"

    @property
    def pieces(self) -> Sequence[StressBlock]:
        """Blocks of the null space."""
        return self.whole.pieces

    @cached_property
    def undecided(self) -> Floats:
        """(m, k) self-stresses that deform no part and carry no preload."""
        U = self.whole.undecided
        if not self.elastic.preloads or not U.shape[1]:
            return U
        _, s, Vt = np.linalg.svd(self.elastic.G.T @ U)
        return np.asarray(U @ Vt[int((s > SOLUTION * s.max(initial=0.0)).sum()) :].T)

    @cached_property
    def _bracing(self) -> Floats:
        """Gᵀ N H⁻¹ Nᵀ G (q, q): forces along the preloaded components by displacements along them."""
        A = self.elastic.G.T @ self.whole.relax(self.elastic.G)
        _check_preloads(A, self.elastic.preloads)
        return np.asarray(A)

    @cached_property
    def preload_misfits(self) -> Floats:
        """(m,) the misfits G s of the preloads, all gaps closed."""
        elastic = self.elastic
        if not elastic.preloads:
            return np.zeros(elastic.m)
        wanted = np.array([preload.value for preload in elastic.preloads])
        return np.asarray(
            elastic.G @ np.linalg.solve(self._bracing, wanted - elastic.G.T @ self.whole.relax(elastic.delta))
        )

    def kept(self, r: Floats) -> Floats:
        """(m, …) changes of G s that keep the preloads where gaps open by r (m, …)."""
        if not self.elastic.preloads:
            return np.zeros_like(r)
        G = self.elastic.G
        return np.asarray(-G @ np.linalg.solve(self._bracing, G.T @ self.whole.relax(r)))

    def relax(self, r: Floats) -> Floats:
        """The self-stress that closes gaps r and carries no preload; zero where it is rounding of its two parts."""
        alone = self.whole.relax(r)
        if not self.elastic.preloads:
            return alone
        forces = alone + self.whole.relax(self.kept(r))
        return np.where(np.abs(forces) > ROUNDOFF * np.abs(alone).max(axis=0, initial=0.0), forces, 0.0)

    def relaxed(self, lam: Floats, shift: Floats | float = 0.0) -> Floats:
        """λ of least energy with gaps opened by ``shift``, preloads tightened again."""
        opened = np.zeros(self.elastic.m) + shift
        return self.whole.relaxed_by(lam, self.elastic.delta + self.preload_misfits + opened + self.kept(opened))

    @cached_property
    def linear(self) -> Floats:
        """(m,) the multipliers with all gaps closed."""
        return -self.whole.relax(self.elastic.delta + self.preload_misfits)

    @cached_property
    def solution(self) -> GapSolution | None:
        """The multipliers with all gaps; None where there are none.  An error where gaps leave s open."""
        solution = solve_gaps(self, self.linear)
        if solution is not None and self.elastic.preloads:
            _check_tightening_follows(self, solution)
        return solution

    @property
    def lam(self) -> Floats:
        """(m,) the multipliers without load."""
        return self.solution.lam if self.solution else self.linear


def _check_preloads(A: Floats, preloads: Sequence[Preload]) -> None:
    """Refuse preloads that no self-stress carries or that follow from others; A (q, q) = Gᵀ N H⁻¹ Nᵀ G."""
    size = np.sqrt(np.abs(np.diagonal(A)))
    for k, preload in enumerate(preloads):
        if size[k] ** 2 <= LEAST_BRACING * np.abs(A).max():
            raise ReactioError(
                f"The preload {preload.name} cannot exist: nothing else braces against that component, so it carries "
                "no self-stress. Take another component, or apply a force."
            )
    values = np.linalg.eigvalsh(A / np.outer(size, size))
    if values[0] < LEAST_BRACING:
        names = ", ".join(preload.name for preload in preloads)
        raise ReactioError(
            f"The preloads {names} are not independent, some follow from the others: leave out "
            f"{int((values < LEAST_BRACING).sum())} of them."
        )


def _check_tightening_follows(tight: Tightening, solution: GapSolution) -> None:
    """Refuse preloads that hold at every position of an idle gap: how far the joint is tightened does not follow then.

    T̂ = A N H⁻¹NᵀAᵀ without what tightening makes up for; where a direction of idle gaps has no stiffness in T̂ and some
    in T, a displacement along it only turns the screw.
    """
    scaled: GapScaling = solution.scaled
    idle = np.flatnonzero(~solution.numbers.forces.bears)
    A = scaled.table.A[idle]
    stiff = A @ tight.whole.relax(A.T)
    size = np.sqrt(np.diagonal(stiff))
    held = size > 0.0
    if not held.any():
        return
    T = (A @ scaled.relaxed[:, idle])[np.ix_(held, held)] / np.outer(size[held], size[held])
    values, V = np.linalg.eigh(0.5 * (T + T.T))
    if values[0] >= LEAST_BRACING:
        return
    full = stiff[np.ix_(held, held)] / np.outer(size[held], size[held])
    loose = V[:, values < LEAST_BRACING]
    if np.linalg.eigvalsh(loose.T @ full @ loose)[-1] < LEAST_BRACING:
        return
    owners = scaled.table.owner[idle[held]][np.abs(loose).max(axis=1) > LEAST_BRACING]
    names = listed(list(dict.fromkeys(scaled.table.gaps[k].name for k in owners)), MOST_PARTS)
    preloads = listed([preload.name for preload in tight.elastic.preloads], MOST_PARTS)
    raise ReactioError(
        f"The preload {preloads} is the same wherever {names} lies in its play without load, so it does not "
        f"determine how far the joint is tightened. Give its `misfit` instead, or a preload that presses {names} "
        f"against an end of its play."
    )
