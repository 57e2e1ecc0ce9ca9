"""Impulses of contacts with Coulomb friction: proximal steps, each by Newton's method on the velocities.

Of the impulses that satisfy the law those of smallest norm are wanted.  A proximal step from P₀

    P = proj(P₀ − U/δ),   U = u + A (y + z),   y = AᵀP₀,   z = Aᵀ(P − P₀)

projects on the half lines of the normal impulses, then on the discs of friction that these span.  It has one unknown
for each velocity, z (n,), however many contacts share the load, and its matrix I + AᵀD A/δ is never singular.  From
P₀ = 0 a small δ gives the solution of smallest norm (Tikhonov); further steps from there remove what δ leaves in U.
Rockafellar 1976, SIAM J. Control Optim. 14, for proximal steps; Alart & Curnier 1991, Comput. Methods Appl. Mech. Eng.
92, for Newton's method on the projections.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.linear.precision import LOCATED
from reactio.topology.components import connected

CONVERGED_RESIDUAL = 1e-10  # residual that is accepted, part of the largest velocity in the problem
# Part of it at which steps end, rounding; they also end where one makes the residual no smaller than this part of it.
ROUNDED_PART, LEAST_GAIN = 1e-4, 0.5
# δ of the first proximal step, part of the largest change of a velocity with its impulse: shares are those of smallest
# norm to about this part.  Later steps take less, as long as velocities keep the digits of CONVERGED_RESIDUAL.
FIRST_WEIGHT, WEIGHT_RATIO, LIGHTEST_WEIGHT = 1e-7, 0.01, 1e-10
# Factor of δ after a step that was not solved, since a heavier δ makes it easier, and its factor from then on.
HEAVIER_WEIGHT, CAUTIOUS_RATIO = 100.0, 0.3
MOST_PROXIMAL_STEPS = 60  # three or four suffice; more where W is nearly singular, as under long chains
MOST_CONE_STEPS = 40  # of one proximal step: one where the contacts that bear, stick and slip are known
MOST_FROZEN_STEPS = 10  # with frozen discs of friction; after that a heavier δ helps
PROXIMAL_PART = 1e-3  # of the residual that is accepted in the end, to which a proximal step is solved
VELOCITY_ROUNDING = 1e-15  # of velocities, which δ turns into impulses
SHORTEST_NEWTON_STEP = 1e-3  # part of a Newton step below which its direction is of no use
LEAST_DECREASE = 1e-4  # part of a Newton step by which the residual must decrease at least
AT_LIMIT = LOCATED  # part of the limit of friction within which a contact counts as slipping, where that is tried first
COLUMNS_AT_ONCE = 150  # velocities of unconnected problems that are solved together: fewer calls, small matrices


class ConeSolution(NamedTuple):
    """Impulses of all contacts."""

    P: Floats  # (c, 1 + s) normal and s tangential impulses of each contact [N s]
    residual: float  # of the conditions [m/s]
    iterations: int  # linear systems that were solved
    converged: bool
    first: Floats  # (c, 1 + s) impulses of the first proximal step, from which a similar problem may start


def solve_cones(A: Floats, u: Floats, mu: Floats, before: Floats, speed: float) -> ConeSolution:
    """P with 0 ≤ P_n ⊥ U_n ≥ 0, |P_t| ≤ μ P_n, and P_t = −μ P_n U_t/|U_t| where U_t ≠ 0;  U = u + A AᵀP.

    A (c, 1 + s, n): changes of velocities with impulses, both in the metric of the masses; u (c, 1 + s) [m/s]:
    velocities without impulses, restitution added to the normal ones; mu (c,); before (c, 1 + s): impulses of a similar
    problem, whose contacts are tried first; ``speed`` [m/s]: what the residual is measured by.  P is the solution of
    smallest norm where many have the same velocities.  A contact whose normal row is zero has no impulse.
    """
    P, first, residual, iterations = np.zeros(u.shape), np.zeros(u.shape), 0.0, 0
    for contacts, columns in _independent(A):
        part = _CoulombProblem.of(A[contacts][:, :, columns], u[contacts], mu[contacts])
        steps = _solved(part, before[contacts], CONVERGED_RESIDUAL * speed)
        P[contacts], first[contacts] = steps.P, steps.first
        residual, iterations = max(residual, steps.residual), max(iterations, steps.iterations)
    return ConeSolution(P, residual, iterations, residual <= CONVERGED_RESIDUAL * speed, first)


def _independent(A: Floats) -> list[tuple[Ints, Ints]]:
    """Contacts and columns of problems that share none, small ones joined up to COLUMNS_AT_ONCE columns."""
    moves = np.asarray(A.any(axis=1))
    bearing = np.flatnonzero(A[:, 0].any(axis=1))
    if not len(bearing):
        return []
    if A.shape[2] <= COLUMNS_AT_ONCE:
        return [(bearing, np.flatnonzero(moves[bearing].any(axis=0)))]
    row, column = np.nonzero(moves[bearing])
    label = connected(len(bearing) + A.shape[2], row, len(bearing) + column)
    batches: list[tuple[list[Ints], list[Ints]]] = []
    room = 0
    for k in dict.fromkeys(label[: len(bearing)].tolist()):
        columns = np.flatnonzero(label[len(bearing) :] == k)
        if not batches or room < len(columns):
            batches.append(([], []))
            room = COLUMNS_AT_ONCE
        room -= len(columns)
        batches[-1][0].append(bearing[label[: len(bearing)] == k])
        batches[-1][1].append(columns)
    return [(np.concatenate(contacts), np.concatenate(columns)) for contacts, columns in batches]


class _Projected(NamedTuple):
    """Impulses projected on the law of Coulomb."""

    P: Floats  # (c, 1 + s)
    bears: Bools  # (c,)
    slips: Bools  # (c,) of those that bear
    direction: Floats  # (c, s) of the friction of those that slip
    bend: Floats  # (c,) |P_t| over its size before the projection


class _CoulombProblem(NamedTuple):
    """Contacts with impulses P, whose velocities are U = u + A AᵀP; k columns of A hold all that is not zero."""

    blocks: Floats  # (c, 1 + s, k) of A
    columns: Ints  # (c, k) their columns; a contact with fewer has zeros in others
    n: int
    u: Floats  # (c, 1 + s)
    mu: Floats  # (c,)

    @classmethod
    def of(cls, A: Floats, u: Floats, mu: Floats) -> _CoulombProblem:
        """The problem of a dense A (c, 1 + s, n)."""
        moves = A.any(axis=1)
        k = int(moves.sum(axis=1).max())
        columns = np.argsort(~moves, axis=1, kind="stable")[:, :k]
        return cls(np.take_along_axis(A, columns[:, None, :], axis=2), columns, A.shape[2], u, mu)

    @property
    def size(self) -> Floats:
        """(c,) the largest change of a velocity of each contact with its impulse."""
        return np.asarray(np.square(self.blocks).sum(axis=2).max(axis=1))

    def times(self, z: Floats) -> Floats:
        """A z (c, 1 + s)."""
        return np.asarray((self.blocks @ z[self.columns][:, :, None])[:, :, 0])

    def transposed(self, P: Floats) -> Floats:
        """AᵀP (n,)."""
        return np.asarray(np.bincount(self.columns.ravel(), (P[:, None, :] @ self.blocks).ravel(), self.n), dtype=float)

    def gram(self, at: Bools, D: Floats) -> Floats:
        """AᵀD (n, n) of some contacts (c,), D in the columns of their blocks."""
        columns, blocks = self.columns[at], self.blocks[at]
        places = (columns[:, :, None] * self.n + columns[:, None, :]).ravel()
        entries = np.bincount(places, (blocks.transpose(0, 2, 1) @ D).ravel(), self.n**2)
        return np.asarray(entries, dtype=float).reshape(self.n, self.n)

    def velocities(self, P: Floats) -> Floats:
        """U (c, 1 + s) with impulses P."""
        return np.asarray(self.u + self.times(self.transposed(P)))

    def projected(self, w: Floats, radius: Floats | None) -> _Projected:
        """Impulses w (c, 1 + s) with P_n ≥ 0 and |P_t| ≤ μ P_n, or ``radius`` (c,) where discs are frozen."""
        normal = np.maximum(w[:, 0], 0.0)
        limit = self.mu * normal if radius is None else radius
        size = np.sqrt(np.square(w[:, 1:]).sum(axis=1))
        slips = size > limit
        bend = np.divide(limit, size, out=np.ones(len(size)), where=slips)
        direction = np.divide(w[:, 1:], size[:, None], out=np.zeros_like(w[:, 1:]), where=slips[:, None])
        return _Projected(np.column_stack([normal, bend[:, None] * w[:, 1:]]), w[:, 0] > 0.0, slips, direction, bend)

    def residual(self, U: Floats, P: Floats) -> float:
        """The largest violation of the law as a velocity: P − proj(P − U/w) times w."""
        w = self.size[:, None]
        return float(np.abs((P - self.projected(P - U / w, None).P) * w).max(initial=0.0))


class _ProximalSteps(NamedTuple):
    """What proximal steps from zero came to."""

    P: Floats  # the best
    residual: float
    iterations: int  # linear systems that were solved
    heavier: bool  # had δ to grow?
    first: Floats  # P of the first step


def _solved(problem: _CoulombProblem, before: Floats, wanted: float) -> _ProximalSteps:
    """P of a residual ``wanted``, or the best that was reached."""
    steps = _proximal_steps(problem, before, wanted)
    if not steps.heavier or steps.residual > wanted:
        return steps
    # The contacts that bear and slip are known now, and the smallest shares follow.
    again = _proximal_steps(problem, steps.P, wanted)
    return (again if again.residual <= wanted else steps)._replace(iterations=steps.iterations + again.iterations)


def _proximal_steps(problem: _CoulombProblem, before: Floats, wanted: float) -> _ProximalSteps:
    """Proximal steps from zero, the first with the contacts that bear and slip with impulses ``before``."""
    largest, part, ratio = float(problem.size.max()), FIRST_WEIGHT, WEIGHT_RATIO
    P, U, z, first = np.zeros(problem.u.shape), problem.u, np.zeros(problem.n), before
    best, least = P, problem.residual(U, P)
    missed, last, count, heavier = least, np.inf, 0, False
    for k in range(MOST_PROXIMAL_STEPS):
        if least <= ROUNDED_PART * wanted or (least <= wanted and missed > LEAST_GAIN * last):
            break
        step = _ProximalStep(problem, P, U, part * largest, PROXIMAL_PART * wanted / np.sqrt(largest))
        if not k and before[:, 0].any():
            z, count = step.with_contacts_of(before), count + 1
        now, converged, solved = step.solution(z)
        z, count = np.zeros(problem.n), count + solved
        if not converged:
            part, heavier, ratio = part * HEAVIER_WEIGHT, True, CAUTIOUS_RATIO
            continue
        P, U, first = now, problem.velocities(now), first if k else now
        last, missed = missed, problem.residual(U, P)
        if missed < least:
            best, least = P, missed
        part = max(LIGHTEST_WEIGHT, ratio * part)
    return _ProximalSteps(best, least, count, heavier, first)


class _ProximalStep(NamedTuple):
    """One proximal step: z (n,) with z = Aᵀ(P − P₀), P = proj(P₀ − (U₀ + A z)/δ)."""

    problem: _CoulombProblem
    P0: Floats  # (c, 1 + s)
    U0: Floats  # (c, 1 + s) velocities with P₀
    weight: float  # δ
    wanted: float  # size of F that ends Newton's method

    def rounding(self, z: Floats, now: _Projected) -> float:
        """The size of F that rounding of the velocities leaves, in impulses of 1/δ of them where contacts hold."""
        lengths = np.sqrt(np.square(self.problem.blocks).sum(axis=2))
        terms = (np.abs(self.U0) + lengths * float(np.linalg.norm(z))) / self.weight
        terms[:, 1:][now.slips] = 0.0
        terms[~now.bears] = 0.0
        return VELOCITY_ROUNDING * float(np.linalg.norm(lengths * (terms + np.abs(now.P))))

    def at(self, z: Floats, radius: Floats | None = None) -> tuple[_Projected, Floats]:
        """The projection at z, and the residual F (n,) = z − Aᵀ(P − P₀)."""
        w = self.P0 - (self.U0 + self.problem.times(z)) / self.weight
        now = self.problem.projected(w, radius)
        return now, z - self.problem.transposed(now.P - self.P0)

    def solution(self, z: Floats) -> tuple[Floats, bool, int]:
        """P by Newton's method from z, whether it converged, and how many systems were solved.

        Where Newton's method gets no further, discs of friction are frozen, which makes the step the smallest value of
        a convex function, and are then made those of its solution (Tresca's law, by turns).
        """
        now, count, converged = self._newton(z)
        radius = self.problem.mu * np.maximum(self.P0[:, 0], 0.0)
        for _ in range(MOST_FROZEN_STEPS):
            if converged:
                break
            z, solved = self._with_discs(radius, z)
            count += solved
            now, more, converged = self._newton(z)
            count += more
            if not converged:
                radius = self.problem.mu * self.at(z, radius)[0].P[:, 0]
        return now.P, converged, count

    def _newton(self, z: Floats) -> tuple[_Projected, int, bool]:
        """The projection that Newton's method ends at, how many systems were solved, and whether it converged."""
        now, F = self.at(z)
        size = float(np.linalg.norm(F))
        for k in range(MOST_CONE_STEPS):
            if size <= max(self.wanted, self.rounding(z, now)):
                return now, k, True
            dz, t = np.linalg.solve(self._matrix(now, True), -F), 1.0
            while True:
                trial, residual = self.at(z + t * dz)
                length = float(np.linalg.norm(residual))
                if length <= (1.0 - LEAST_DECREASE * t) * size:
                    break
                t *= 0.5
                if t < SHORTEST_NEWTON_STEP:
                    return now, k + 1, False
            z, now, F, size = z + t * dz, trial, residual, length
        return now, MOST_CONE_STEPS, False

    def _with_discs(self, radius: Floats, z: Floats) -> tuple[Floats, int]:
        """z of the step with frozen discs of friction, and how many systems were solved.

        F is the gradient of a convex function: a line search for where it has no part along dz always gets on.
        """
        for k in range(MOST_CONE_STEPS):
            now, F = self.at(z, radius)
            size = float(np.linalg.norm(F))
            if size <= max(self.wanted, self.rounding(z, now)):
                return z, k
            dz = np.asarray(np.linalg.solve(self._matrix(now, False), -F), dtype=float)
            z = z + self._lowest(z, dz, radius, float(F @ dz)) * dz
        return z, MOST_CONE_STEPS

    def _lowest(self, z: Floats, dz: Floats, radius: Floats, slope: float) -> float:
        """Part of dz at which the slope of the convex function along it has nearly vanished."""
        low, high, t = 0.0, 1.0, 1.0
        for _ in range(30):
            slope_at = float(self.at(z + t * dz, radius)[1] @ dz)
            if abs(slope_at) <= 0.5 * abs(slope):
                break
            if slope_at < 0.0 and t == high:
                low, high = t, 2.0 * t
                t = high
                continue
            low, high = (t, high) if slope_at < 0.0 else (low, t)
            t = 0.5 * (low + high)
        return t

    def _matrix(self, now: _Projected, discs_grow: bool) -> Floats:
        """I + AᵀD A/δ (n, n) with D = ∂proj/∂w; ``discs_grow``: with the normal impulse, unless they are frozen."""
        problem, at = self.problem, now.bears if discs_grow else np.ones(len(now.bears), dtype=bool)
        D = np.array(problem.blocks[at])
        slips = now.slips[at]
        d, tangential = now.direction[at][slips][:, :, None], D[slips, 1:]
        D[slips, 1:] = now.bend[at][slips][:, None, None] * (
            tangential - d * (d * tangential).sum(axis=1, keepdims=True)
        )
        if discs_grow:
            D[slips, 1:] += problem.mu[at][slips][:, None, None] * d * D[slips, :1]
        else:
            D[~now.bears, 0] = 0.0
        J = problem.gram(at, D) / self.weight
        J.flat[:: problem.n + 1] += 1.0
        return J

    def with_contacts_of(self, before: Floats) -> Floats:
        """z (n,) where the contacts bear, stick and slip as with impulses ``before`` (c, 1 + s), U = −δ P."""
        problem, normal = self.problem, before[:, 0]
        size = np.sqrt(np.square(before[:, 1:]).sum(axis=1))
        slips = (size >= problem.mu * normal * (1.0 - AT_LIMIT)) & (size > 0.0)
        d = np.divide(before[:, 1:], size[:, None], out=np.zeros_like(before[:, 1:]), where=slips[:, None])
        J = self._matrix(_Projected(before, normal > 0.0, slips, d, np.zeros(len(normal))), True)
        push = -self.U0 / self.weight
        push[slips, 1:] = problem.mu[slips, None] * d[slips] * push[slips, :1]
        push[normal <= 0.0] = 0.0
        return np.asarray(np.linalg.solve(J, problem.transposed(push)))
