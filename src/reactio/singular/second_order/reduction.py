"""The constraints near a singular pose, reduced to the few equations that decide about motions (Lyapunov and Schmidt).

Of a displacement d = S a + Y b the slow part a is given; well-conditioned equations, as many as b has entries, are
solved for b.  The rest of the equations, g(a) = 0, is all that is left: finite motions from the pose are the real zeros
of g, and every one of them meets all small spheres |a| = r.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.precision import ROUNDOFF
from reactio.linear.quadrics import complement
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import FOLLOWED_SINGULAR_VALUE, NullSpaces, at_rest, minimum_norm
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import SURELY_OUTSIDE, known_accuracy
from reactio.system.types import State

# [characteristic lengths] Values of g below this are rounding: poses are closed to 1e-13, sums of positions less well.
REDUCED_VALUE_ROUNDING = 3e-13
# A located pose is off the singular one, so that g has terms a of the size of the singular values that count as zero;
# a few such terms add up.
LINEAR_TERMS = 10.0
MOST_SOLVING_STEPS = 40  # of Newton's method; in space steps are exact to first order of the rotation only
SOLVED_CHANGE = ROUNDOFF / 100  # [characteristic lengths] of a step of Newton's method that ends it
# Steps as small as this that no longer shrink, each by this part, are rounding [characteristic lengths].
RESTLESS_CHANGE, RESTLESS_PART = 1e-10, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class ReducedPoint:
    """A displacement with the well-conditioned equations solved, and the residual of the others."""

    d: Floats  # (n,) or (n + 1,) [m]
    g: Floats  # (p,) [m]
    residual: float  # |Φ| [m] of all rows
    state: State
    s: float  # arc length of the drives [m]


@dataclass(frozen=True, eq=False)
class Reduction:
    """The reduced equations of a pose in the slow directions S, which span a part of null(C), or all of it."""

    at: NullSpaces
    S: Floats  # (n, k) orthonormal [metres]
    Y: Floats  # (n, j) the other directions
    E: Floats  # (m, j) combinations of rows that are solved for b
    N: Floats  # (m, p) the others

    @cached_property
    def _floor(self) -> tuple[float, float]:
        """Values of g that are rounding: a constant [m], and a part of |a|."""
        system, known = self.at.system, known_accuracy(self.at.system)
        zero = self.at.sigma[self.at.rank :]
        accuracy = 0.0 if known is None else SURELY_OUTSIDE * known.relative
        return system.length * max(REDUCED_VALUE_ROUNDING, accuracy), LINEAR_TERMS * float(zero.max(initial=0.0))

    def rounding(self, r: float) -> float:
        """The size of g [m] at a distance r [m] up to which it may be zero."""
        constant, slope = self._floor
        return constant + slope * r

    def solved(self, a: Floats, b: Floats | None = None) -> ReducedPoint | None:
        """The point of slow coordinates a (k,) [m]; None where the well-conditioned equations have no solution near."""
        at, system, n = self.at, self.at.system, self.at.system.n
        columns, pose = system.column_scale / system.length, at_rest(at.system, at.state)
        ahead, b = self.S @ a, np.zeros(self.Y.shape[1]) if b is None else b
        size, before = float(np.linalg.norm(a)), np.inf
        for _ in range(MOST_SOLVING_STEPS):
            d = ahead + self.Y @ b
            now, s = replace(pose, q=advance(system, pose.q, columns * d[:n])), float(d[n:].sum())
            try:
                C, residual = along_path(equations(system, now), at.path, s)
            except ReactioError:
                return None
            change = minimum_norm(self.E.T @ C @ self.Y, -self.E.T @ residual, FOLLOWED_SINGULAR_VALUE)
            moved = float(np.linalg.norm(change)) / system.length
            if moved <= SOLVED_CHANGE or moved >= RESTLESS_PART * before <= RESTLESS_PART * RESTLESS_CHANGE:
                return ReducedPoint(d, self.N.T @ residual, float(np.linalg.norm(residual)), now, s)
            b, before = b + change, moved
            if not np.linalg.norm(b) <= size:  # farther away the solution need not begin at the pose
                return None
        return None


def reduction(at: NullSpaces, S: Floats | None = None, A: Floats | None = None, x: Floats | None = None) -> Reduction:
    """The reduction of a pose to null(C), or to the part of it that S (n, k) spans.

    The directions Z of null(C) outside S are solved for too, by the equations that second order gives them at the
    direction x (δ,) of null(C) with the forms A (p, δ, δ):   A(x, Z) z = …
    """
    U, W = _ranges(at)
    if S is None:
        return Reduction(at, at.V, W, U, at.N)
    inside = at.V.T @ S
    Z = np.linalg.svd(inside, full_matrices=True)[0][:, S.shape[1] :]
    assert A is not None
    assert x is not None
    combinations = np.linalg.svd(np.einsum("i,kij,jz->kz", x, A, Z), full_matrices=True)[0]
    z = Z.shape[1]
    return Reduction(
        at, S, np.hstack([W, at.V @ Z]), np.hstack([U, at.N @ combinations[:, :z]]), at.N @ combinations[:, z:]
    )


def _ranges(at: NullSpaces) -> tuple[Floats, Floats]:
    """Orthonormal bases of the range of C (m, r) and of its rows (n, r), at right angles to the null spaces."""
    return complement(at.N), complement(at.V)
