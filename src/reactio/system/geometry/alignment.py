"""How far a geometry is from one of lower rank: the smallest shifts and tilts of joints that get it there.

Singular values are not distances.  With u, v left and right singular vectors of small σ, the rank falls at first order
where the joints are misplaced so that uᵀ δC v = −σ.  A joint j that is shifted by δ and tilted by θ about its point
carries its rows along; its wrench (f, m) = Σ u_i D_iᵀ and the relative twist (Δv, Δω) that v gives it make

    uᵀ δC v = Σ_j δ_j · (f_j × Δω_j) + θ_j · (f_j × Δv_j + m_j × Δω_j)

which is linear in (δ_j, θ_j): a least-norm problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.linear.precision import GEOMETRY, NEAR_ZERO, SOLUTION
from reactio.linear.scaling import ScaledMatrix
from reactio.primitives import PRIMITIVES_BY_SPACE
from reactio.space.frames import origins_of_frames, twists_of_frames
from reactio.system.evaluate.evaluation import Evaluation, evaluate

MISSED_PART = 0.1  # of the small singular values, which terms of second order, or far smaller ones, may leave
MOST_PAIRS = 400  # of left and right vectors; of more, those of the small singular values alone are taken
REWEIGHTING_SWEEPS = 8  # of reweighting towards few joints; weights square in each
FIRST_UNEVENNESS = 0.1  # by which the first weights differ, so that of equal joints one is chosen


@dataclass(frozen=True, eq=False)
class SingularBlock:
    """The singular values of a block of C̃ and its singular vectors as reactions and velocities in given units.

    sigma (s,): descending; left (m, l) and right (n, r) of the whole system, in the order of sigma, null vectors last.
    """

    sigma: Floats
    left: Floats
    right: Floats

    @property
    def relative(self) -> Floats:
        """σ / σ_1."""
        return self.sigma / self.sigma[0] if self.sigma.size and self.sigma[0] > 0 else self.sigma


def singular_block(scaled: ScaledMatrix, C: Floats, rows: Ints, columns: Ints) -> SingularBlock:
    """The singular value decomposition of the block C (rows, columns) of the equilibrated matrix."""
    U, sigma, Vt = np.linalg.svd(C, full_matrices=True)
    left_vectors, right = np.zeros((scaled.Dr.size, len(U))), np.zeros((scaled.Dc.size, len(Vt)))
    left_vectors[rows], right[columns] = scaled.Dr[rows, None] * U, Vt.T
    return SingularBlock(sigma, left_vectors, scaled.right(right))


@dataclass(frozen=True, slots=True, eq=False)
class Misplaced:
    """Shifts [m] and tilts [rad] of every joint, (j, 3) each."""

    names: tuple[str, ...]
    shift: Floats  # of the joint; of a rod the larger one of its ends
    tilt: Floats

    @property
    def farthest(self) -> tuple[float, float, tuple[str, ...]]:
        """The largest shift [m], the largest tilt [rad], and the joints that take part, the farthest first."""
        far = np.linalg.norm(self.shift, axis=1), np.linalg.norm(self.tilt, axis=1)
        size = np.maximum(*(f / f.max() if f.max() > 0 else f for f in far))
        order = [k for k in np.argsort(-size, kind="stable") if size[k] > FIRST_UNEVENNESS and self.names[k]]
        return float(far[0].max(initial=0.0)), float(far[1].max(initial=0.0)), tuple(self.names[k] for k in order)


@dataclass(frozen=True)
class Alignment:
    """The joints of a system at a state, and the change of C when they are displaced."""

    eqs: Evaluation

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Frames (j, 2) of every joint, and the joint (measures,) of every measure."""
        frames, owner = np.unique(self.eqs.system.plan.measures.table[:, :2], axis=0, return_inverse=True)
        return frames, owner.ravel()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the joints, in the order of ``pairs``; empty where a pair of frames belongs to none."""
        known = {group.frames: group.name for group in self.eqs.system.groups if group.frames is not None}
        return tuple(known.get((int(a), int(b)), "") for a, b in self.pairs[0])

    @cached_property
    def rods(self) -> Floats:
        """(j,) distance [m] between the two points of a joint whose axes follow from them, 0 for joints with axes."""
        system, (pairs, owner) = self.eqs.system, self.pairs
        turning = np.zeros(len(pairs), bool)
        registry, of = PRIMITIVES_BY_SPACE[system.space], system.plan.measures.start
        for name, first, last in zip(system.primitive_names, of[:-1], of[1:], strict=True):
            if registry.get(name).turns:
                turning[owner[first:last]] = True
        r = self._places(self.eqs.work.F)
        length = np.linalg.norm(r[pairs[:, 1]] - r[pairs[:, 0]], axis=1)
        # Points that meet are not a rod, though rows along world axes turn with no body.
        return np.where(turning | (length <= GEOMETRY * system.length), 0.0, length)

    def _places(self, F: Floats) -> Floats:
        r = origins_of_frames(F)
        return r if r.shape[1] == 3 else np.pad(r, ((0, 0), (0, 1)))

    def wrenches(self, left_vectors: Floats) -> tuple[Floats, Floats]:
        """Forces and moments (l, j, 3) of every joint at its point on body b, for multipliers left (m, l)."""
        rows, D = self.eqs.system.plan.rows, self.eqs.work.D
        half = D.shape[1] // 2
        row = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
        W = np.zeros((len(self.pairs[0]), left_vectors.shape[1], half))
        parts = (rows.factor * left_vectors[row].T).T[:, :, None] * D[rows.measure, None, half:]
        np.add.at(W, self.pairs[1][rows.measure], parts)
        W = np.swapaxes(W, 0, 1)
        if half == 6:
            return W[..., :3], W[..., 3:]
        return np.pad(W[..., :2], ((0, 0), (0, 0), (0, 1))), np.pad(W[..., 2:], ((0, 0), (0, 0), (2, 0)))

    def twists(self, right: Floats) -> tuple[Floats, Floats]:
        """Relative linear and angular velocities (r, j, 3) of every joint at its point on body b, for right (n, r)."""
        a, b = self.pairs[0].T
        twists = []
        for v in right.T:
            F = evaluate(self.eqs.system, self.eqs.state.t, self.eqs.state.q, v).F
            speed, turn = twists_of_frames(F)
            if self.eqs.system.space == "planar":
                speed, turn = np.pad(speed, ((0, 0), (0, 1))), np.pad(turn, ((0, 0), (2, 0)))
            r = self._places(F)
            twists.append((speed[b] - speed[a] - np.cross(turn[a], r[b] - r[a]), turn[b] - turn[a]))
        return np.array([f[0] for f in twists]), np.array([f[1] for f in twists])

    def effect(self, left_vectors: Floats, right: Floats) -> Floats:
        """∂(uᵀ C v)/∂(shift, tilt) of every joint (l, r, j, 6) [per m, per rad]."""
        f, m = (x[:, None] for x in self.wrenches(left_vectors))
        v, w = (x[None] for x in self.twists(right))
        G = np.concatenate([np.cross(f, w), np.cross(f, v) + np.cross(m, w)], axis=-1)
        if self.eqs.system.space == "planar":
            G[..., 2:5] = 0.0
        return G

    def rank_equations(self, part: SingularBlock, rank: int, lower: int) -> tuple[Floats, Floats]:
        """A (e, j, 6) and b (e,): misplacements x with A x = b bring a block from ``rank`` down to ``lower``."""
        left_vectors, right = part.left[:, lower:], part.right[:, lower:]
        if left_vectors.shape[1] * right.shape[1] > MOST_PAIRS:
            left_vectors, right = left_vectors[:, : rank - lower], right[:, : rank - lower]
        goal = np.zeros((left_vectors.shape[1], right.shape[1]))
        small = range(min(rank - lower, *goal.shape))
        goal[small, small] = -part.sigma[lower : lower + len(small)]
        A = self.effect(left_vectors, right)
        return A.reshape(-1, *A.shape[2:]), goal.ravel()

    def relative_misplacement(
        self, A: Floats, b: Floats, length: float, angle: float, misses: float = MISSED_PART
    ) -> float:
        """Misplacement of the joint that moves most in the least-norm solution, in units of an accuracy [m, rad].

        The solution leaves up to ``misses`` of b; infinity where none does.
        """
        scale = np.empty((A.shape[1], 6))
        scale[:, :3] = length
        scale[:, 3:] = np.where(self.rods > 0, length / np.maximum(self.rods, NEAR_ZERO), angle)[:, None]
        x = least_misplacement(A, b, scale, misses)
        return np.inf if x is None else float(np.linalg.norm(x / scale, axis=1).max())

    def sparsest(self, A: Floats, b: Floats, size: float, misses: float) -> tuple[Misplaced | None, ...]:
        """Few joints moved: by shifts alone, by tilts alone, by both (on ``size`` [m]); None where it cannot be."""
        rod = self.rods > 0
        arms = np.where(rod, 1.0 / np.maximum(self.rods, NEAR_ZERO), 0.0)[:, None] * np.ones(3)
        shift, none = np.ones((A.shape[1], 3)), np.zeros((A.shape[1], 3))
        tilt = np.where(rod, 0.0, 1.0 / size)[:, None] * np.ones(3)
        scales = (np.hstack([shift, arms]), np.hstack([none, tilt]), np.hstack([shift, arms + tilt]))
        return tuple(self._of_few_joints(A, b, scale, misses) for scale in scales)

    def _of_few_joints(self, A: Floats, b: Floats, scale: Floats, misses: float) -> Misplaced | None:
        """The least-norm solution with weights that follow it, so that joints which contribute little do not move."""
        best, weights = None, 1.0 + FIRST_UNEVENNESS * np.arange(len(scale)) / len(scale)
        for _ in range(REWEIGHTING_SWEEPS):
            x = least_misplacement(A, b, scale * weights[:, None], misses)
            if x is None:
                break
            best = x
            unit = np.where(scale > 0, scale, 1.0)
            weights = np.linalg.norm(x / unit, axis=1)
            weights = weights / weights.max() if weights.max() > 0 else weights + 1.0
        if best is None:
            return None
        rod = (self.rods > 0)[:, None]
        ends = np.where(rod, self.rods[:, None] * best[:, 3:], 0.0)
        larger = np.linalg.norm(ends, axis=1) > np.linalg.norm(best[:, :3], axis=1)
        return Misplaced(self.names, np.where(larger[:, None], ends, best[:, :3]), np.where(rod, 0.0, best[:, 3:]))


def least_misplacement(A: Floats, b: Floats, scale: Floats, misses: float) -> Floats | None:
    """The smallest x / scale (j, 6) with A x = b up to a part ``misses`` of b, None where there is none.

    Directions of weak effect are taken in only as far as b needs them: their effect is of second order.
    """
    scaled = (A * scale).reshape(len(A), -1)
    U, s, Vt = np.linalg.svd(scaled, full_matrices=False)
    strong = s > SOLUTION * s[0] if s.size and s[0] > 0 else np.zeros(s.size, bool)
    c = (U.T @ b)[strong]
    rest = np.sqrt(np.maximum(b @ b - np.cumsum(c * c), 0.0))
    enough = np.flatnonzero(rest <= misses * np.linalg.norm(b))
    if not enough.size:
        return None
    t = int(enough[0]) + 1
    return np.asarray((Vt[:t].T @ (c[:t] / s[:t])).reshape(scale.shape) * scale)
