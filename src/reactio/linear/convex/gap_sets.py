"""Forces that press against gaps: min ½|u|² + gᵀy + Σ_j h_j(w_j), w = w₀ + B (u, y), h_j the support function of K_j.

A gap set K is the convex set of displacements that a part allows freely, an interval or a ball around zero.  Its part
bears where the displacement s is on the boundary, and is idle where s lies inside: the optimality conditions are

    u + B_uᵀ s = 0,   g + B_yᵀ s = 0,   s_j ∈ K_j,   w_j ∈ N_K(s_j)        (N_K: outward normals of K at s_j)

Solved by the augmented Lagrangian, s ← P_K(s + ρ w), whose inner problems are smooth and take a few Newton steps; the
parts that bear are then known, and one Newton iteration on the equations of those parts gives all digits.
Rockafellar 1976, Math. Oper. Res. 1, 97, for the method; Hintermüller, Ito & Kunisch 2002 for its Newton steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.errors import ReactioError
from reactio.linear.precision import NEAR_ZERO, REFINED, ROUNDOFF, SOLUTION

MOST_GAP_UPDATES = 60  # of s: a dozen settle which parts bear, unless no forces balance the load
MOST_NEWTON_STEPS = 60  # of one inner problem: a handful suffice
MOST_LAST_STEPS = 8  # of the last equations: they converge quadratically, or other parts bear
FIRST_PENALTY, PENALTY_GROWTH, LARGEST_PENALTY = 1.0, 4.0, 1e5  # ρ, in units in which stiffnesses are 1
PROXIMAL = 1e-3  # curvature that keeps y where it was in an inner problem: y alone has none
LEAST_DESCENT = 1e-4  # part of the slope that a step must gain (Armijo)
LEAST_STEP = 2.0**-40  # of the line search
# Part of the terms of the gradient at which an inner problem is solved: roughly at first, to decide which
# parts bear, and to some digits where that is hard to decide.
FIRST_GRADIENT, GRADIENT_DECREASE, LEAST_GRADIENT = 1e-3, 0.1, 1e-14
ZERO_CURVATURE = 1e-13  # eigenvalues below this part of the largest are rounding of zero
SOLVED = 1e-11  # part of a right-hand side that elimination may leave; more is a singular matrix
# Part of the largest force or gap by which a condition of optimality may be violated: some digits above rounding.
VIOLATION = 1e-10
BARELY = 1e-8  # part of its radius or of the largest force by which a part is on the verge of bearing, or of letting go
FEW_COMPONENTS = 100  # up to which elimination is quicker than iterations
ROUGH_STEP = 1e-2  # part of the slope that a step by iterations may leave: Newton's method then gains two digits a step
MOST_GRADIENTS = 40  # products with B that take as long as one elimination of some hundred components


class NotBalanced(ReactioError):
    """No forces that the gaps allow balance the load."""


class NotConverged(ReactioError):
    """Forces that the gaps allow balance the load, and those of least energy were not found; with the residuals."""


@dataclass(frozen=True, eq=False)
class GapSets:
    """Gap sets of K components: lower ≤ s ≤ upper of each, or |s| ≤ radius of those that share a ball."""

    lower: Floats  # (K,) −inf where nothing stops it
    upper: Floats  # (K,)
    ball: Ints  # (K,) the ball that a component belongs to, −1 for an interval
    radius: Floats  # (balls,)

    @cached_property
    def _round(self) -> Ints:
        return np.flatnonzero(self.ball >= 0)

    def sizes(self, x: Floats) -> Floats:
        """|x_j| of every ball."""
        inside = self._round
        return np.sqrt(np.bincount(self.ball[inside], x[inside] ** 2, minlength=len(self.radius)))

    def lengths(self, x: Floats) -> Floats:
        """(K,) |x_j| of every component, of those that share a ball that of all of them."""
        out = np.abs(x)
        out[self._round] = self.sizes(x)[self.ball[self._round]]
        return out

    def project(self, x: Floats) -> Floats:
        """P_K(x): the nearest point of K."""
        s = np.clip(x, self.lower, self.upper)
        if len(self.radius):
            size = self.sizes(x)
            shrink = np.divide(self.radius, size, out=np.ones_like(size), where=size > self.radius)
            s[self._round] = shrink[self.ball[self._round]] * x[self._round]
        return np.asarray(s)

    def reach(self, s: Floats, ds: Floats) -> float:
        """The largest t with s + t ds in K, from an s in K."""
        ahead = np.where(ds > 0.0, self.upper - s, s - self.lower)
        t = np.divide(ahead, np.abs(ds), out=np.full(len(s), np.inf), where=(ds != 0.0) & (self.ball < 0))
        if len(self.radius):
            inside = self._round
            a, c = self.sizes(ds) ** 2, self.radius**2 - self.sizes(s) ** 2
            b = np.bincount(self.ball[inside], (s * ds)[inside], minlength=len(a))
            root = np.sqrt(np.maximum(b * b + a * c, 0.0))
            t = np.append(t, np.where(a > 0.0, (root - b) / np.where(a > 0.0, a, 1.0), np.inf))
        return float(t.min(initial=np.inf))

    def beyond(self, x: Floats) -> Bools:
        """(K,) which components lie on or beyond the boundary of their set."""
        out = (x >= self.upper) | (x <= self.lower)
        if len(self.radius):
            out[self._round] = (self.sizes(x) > self.radius)[self.ball[self._round]]
        return np.asarray(out)

    def slope(self, x: Floats, beyond: Bools) -> GapSlope:
        """∂(boundary point)/∂x where ``beyond``, 1 elsewhere: r/|x| (I − x̂x̂ᵀ) of a ball, 0 of an interval."""
        along = np.where(beyond, 0.0, 1.0)
        out = np.flatnonzero(beyond & (self.ball >= 0))
        size = np.maximum(self.sizes(x), NEAR_ZERO)
        first = np.flatnonzero(np.diff(self.ball[out], prepend=-1))
        bend = self.radius / size
        along[out] = bend[self.ball[out]]
        return GapSlope(along, out, x[out] / size[self.ball[out]], first, bend[self.ball[out[first]]])

    def on_boundary(self, w: Floats, s: Floats, beyond: Bools) -> Floats:
        """The boundary points that forces w press against where ``beyond``: r ŵ of a ball; s of an interval."""
        out = np.array(s)
        inside = np.flatnonzero(beyond & (self.ball >= 0))
        if len(inside):
            size = np.maximum(self.sizes(w), NEAR_ZERO)
            out[inside] = (self.radius / size)[self.ball[inside]] * w[inside]
        return out


class GapSlope(NamedTuple):
    """diag(along) − Xᵀ diag(bend) X (K, K), the rows of X unit vectors in disjoint columns, one for each ball."""

    along: Floats  # (K,)
    out: Ints  # (o,) components of balls, those of one ball side by side
    unit: Floats  # (o,) entries of X
    first: Ints  # (balls,) where the components of each begin in ``out``
    bend: Floats  # (balls,)

    def _across(self, x: Floats, bend: Floats) -> Floats:
        """Xᵀ diag(bend) X x in the rows ``out``."""
        unit = self.unit.reshape(-1, *[1] * (x.ndim - 1))
        along = (bend * np.add.reduceat(unit * x[self.out], self.first).T).T
        return np.asarray(unit * np.repeat(along, np.diff(self.first, append=len(self.out)), axis=0))

    def form(self, B: Floats) -> Floats:
        """Bᵀ · slope · B = MᵀM, M = √slope B: projections are their own roots."""
        M = np.sqrt(self.along)[:, None] * B
        if len(self.out):
            M[self.out] -= self._across(B, np.sqrt(self.bend))
        return np.asarray(M.T @ M)

    def times(self, x: Floats) -> Floats:
        """slope · x (K, …)."""
        product = (self.along * x.T).T
        if len(self.out):
            product[self.out] -= self._across(x, self.bend)
        return np.asarray(product)


class GapStart(NamedTuple):
    """Where to begin: gaps s (K,) in the units of the problem, and which components bear (K,)."""

    s: Floats
    bears: Bools


@dataclass(frozen=True, eq=False)
class GapForces:
    """The solution: forces w, gaps s, and which components bear."""

    v: Floats  # (r + k,) u and y
    w: Floats  # (K,)
    s: Floats  # (K,)
    bears: Bools  # (K,)
    barely: Bools  # (K,) on the verge of bearing or of letting go: derivatives differ to both sides
    residual: float  # largest violation of a condition, as a part of the largest force or gap


@dataclass(frozen=True, eq=False)
class GapProblem:
    """min ½|u|² + gᵀy + Σ h_j(w_j), w = w₀ + B (u, y): B (K, r + k), w₀ (K,), g (k,), all of about size one."""

    B: Floats
    w0: Floats
    g: Floats
    sets: GapSets

    @property
    def springs(self) -> int:
        """r, the number of u."""
        return int(self.B.shape[1]) - len(self.g)

    def solve(self, near: Sequence[GapStart] = ()) -> GapForces:
        """The forces; ``near``: gaps of similar problems, whose bearing components may be those of this one."""
        for start in near:
            if (polished := self._near(start)) is not None:
                return polished
        s = self.sets.project(np.zeros(len(self.w0)))
        v = self._springs_at(s)
        penalty, accuracy = FIRST_PENALTY, FIRST_GRADIENT
        tried: set[bytes] = set()
        last = b""
        for _ in range(MOST_GAP_UPDATES):
            v, x = self._inner(v, s, penalty, accuracy)
            before, s = s, self.sets.project(x)
            beyond = self.sets.beyond(x)
            key = beyond.tobytes()
            likely = len(self.w0) <= FEW_COMPONENTS or key == last  # a trial of many parts costs as much as an update
            last = key
            if (likely and key not in tried) or penalty == LARGEST_PENALTY:
                tried.add(key)
                loaded = beyond & self._loaded(v)  # a part that touches without a force is idle in the equations
                for bears in (beyond, loaded)[: 1 + bool((loaded != beyond).any())]:
                    if (polished := self._polished(v, s, bears)) is not None:
                        return polished
            if penalty == LARGEST_PENALTY:
                if (settled := self._settled(v, before, s, beyond)) is not None:
                    return settled
                further = self._further(s, s - before)
                s, v = s + further, v + self._springs_at(further)
            penalty = min(PENALTY_GROWTH * penalty, LARGEST_PENALTY)
            accuracy = max(GRADIENT_DECREASE * accuracy, LEAST_GRADIENT)
        if self._is_balanced():
            raise NotConverged(f"after {MOST_GAP_UPDATES} steps {self._violations(v, s)}")
        raise NotBalanced("No forces that these gaps and signs allow balance the load.")

    def _violations(self, v: Floats, s: Floats) -> str:
        """By how much v and s violate both conditions of optimality, in words."""
        terms = (np.abs(self._slope(v)) + np.abs(self.B).T @ np.abs(s)).max(initial=NEAR_ZERO)
        reach = max(np.abs(s).max(initial=NEAR_ZERO), self.sets.radius.max(initial=0.0))
        open_by = np.abs(self._slope(v) + self.B.T @ s).max(initial=0.0) / terms
        moved = np.abs(s - self.sets.project(s + self.w0 + self.B @ v)).max(initial=0.0) / reach
        return (
            f"compatibility is violated by {open_by:.1g} and the condition that forces press against closed gaps by "
            f"{moved:.1g} of the largest gap ({VIOLATION:g} are allowed)"
        )

    def _loaded(self, v: Floats) -> Bools:
        """(K,) which components have a force that is not rounding."""
        w = self.w0 + self.B @ v
        return self.sets.lengths(w) > BARELY * float(np.abs(w).max(initial=0.0))

    def _springs_at(self, s: Floats) -> Floats:
        """v (r + k,) with u = −B_uᵀs and y = 0."""
        v = np.zeros(self.B.shape[1])
        v[: self.springs] = -(self.B[:, : self.springs].T @ s)
        return v

    def _further(self, s: Floats, ds: Floats) -> Floats:
        """The best further step (K,) along ds, of all that stay in K: an update moves light parts by ρ w at most.

        The dual problem, max w₀ᵀs − ½|B_uᵀs|² over s ∈ K with B_yᵀs = −g, is quadratic along ds; without a maximum
        where no forces balance the load.
        """
        B = self.B[:, : self.springs]
        bend, rise = float(np.linalg.norm(B.T @ ds)), float(ds @ (self.w0 - B @ (B.T @ s)))
        far = self.sets.reach(s, ds)
        if rise <= 0.0:
            return np.zeros_like(ds)
        if bend <= ROUNDOFF * float(np.linalg.norm(ds)):
            return far * ds if np.isfinite(far) else np.zeros_like(ds)
        return min(rise / bend**2, far) * ds

    def _near(self, start: GapStart) -> GapForces | None:
        """The solution in which the same components bear, on the same sides, where its conditions all hold.

        None also where idle gaps are not unique: a similar problem may have left them anywhere.
        """
        if len(self.g) or len(start.s) != len(self.w0):
            return None
        idle = self.B[~start.bears]
        T = idle @ idle.T
        try:
            np.linalg.cholesky(T - SOLUTION * np.diagonal(T).max(initial=0.0) * np.eye(len(T)))
        except np.linalg.LinAlgError:
            return None
        s = np.array(start.s)
        line = start.bears & (self.sets.ball < 0)
        above = self.sets.upper - s <= s - self.sets.lower
        s[line] = np.where(above, self.sets.upper, self.sets.lower)[line]
        if not np.isfinite(s).all():
            return None
        return self._polished(self._springs_at(s), s, start.bears)

    def _is_balanced(self) -> bool:
        """Are there v with forces w₀ + B v that every gap can bear: w ≥ 0 where nothing stops s below, w ≤ 0 above?"""
        from scipy.optimize import linprog

        below, above = np.isneginf(self.sets.lower), np.isposinf(self.sets.upper)
        below, above = (flags & (self.sets.ball < 0) for flags in (below, above))
        A = np.concatenate([-self.B[below], self.B[above]])
        b = np.concatenate([self.w0[below], -self.w0[above]])
        room = SOLUTION * float(np.abs(self.w0).max(initial=0.0))
        if not A.size:
            return bool((b + room >= 0.0).all())
        return bool(linprog(np.zeros(A.shape[1]), A, b + room, bounds=(None, None)).status == 0)

    def _curvature(self, y: float) -> Floats:
        return np.concatenate([np.ones(self.springs), np.full(len(self.g), y)])

    def _slope(self, v: Floats) -> Floats:
        return np.concatenate([v[: self.springs], self.g])

    def _inner(self, v: Floats, s: Floats, penalty: float, accuracy: float) -> tuple[Floats, Floats]:
        """v of the least augmented Lagrangian at s, and x = s + ρ w there; its gradient to an ``accuracy``."""
        start, curvature = v, self._curvature(PROXIMAL)
        hold = np.where(np.arange(len(v)) < self.springs, 0.0, PROXIMAL)

        def value(v: Floats) -> tuple[float, Floats, Floats, Floats]:
            x = s + penalty * (self.w0 + self.B @ v)
            near = self.sets.project(x)
            energy = 0.5 * float(v[: self.springs] @ v[: self.springs]) + float(self.g @ v[self.springs :])
            energy += 0.5 * float(hold @ (v - start) ** 2)
            level = energy + (float(near @ (x - s)) - 0.5 * float((near - s) @ (near - s))) / penalty
            slope = self._slope(v) + hold * (v - start) + self.B.T @ near
            return level, slope, x, near

        level, slope, x, near = value(v)
        for _ in range(MOST_NEWTON_STEPS):
            terms = np.abs(self._slope(v)) + np.abs(self.B).T @ np.abs(near)
            if np.abs(slope).max(initial=0.0) <= accuracy * terms.max(initial=0.0):
                break
            step = -self._newton_step(self.sets.slope(x, self.sets.beyond(x)), penalty, curvature, slope)
            down, part, steep = float(slope @ step), 1.0, float(np.linalg.norm(slope))
            while part > LEAST_STEP:
                after = value(v + part * step)
                if after[0] <= level + LEAST_DESCENT * part * down:
                    break
                if after[0] <= level + REFINED * abs(level) and np.linalg.norm(after[1]) <= 0.5 * steep:
                    break  # rounding hides the decrease of the value, and the gradient shows it
                part *= 0.5
            else:
                break
            v = v + part * step
            level, slope, x, near = after
        return v, x

    def _newton_step(self, bend: GapSlope, penalty: float, curvature: Floats, right: Floats) -> Floats:
        """(c + ρ Bᵀ·bend·B)⁻¹ right: by conjugate gradients to some digits in large problems, else by elimination.

        A rough step is nevertheless a step down, and the few eigenvalues above 1 + ρ settle in as many iterations.
        """
        if len(self.w0) > FEW_COMPONENTS:

            def times(x: Floats) -> Floats:
                return np.asarray(curvature * x + penalty * (self.B.T @ bend.times(self.B @ x)))

            if (x := _conjugate_gradients(times, right)) is not None:
                return x
        K = penalty * bend.form(self.B)
        K.flat[:: len(K) + 1] += curvature
        return _solved_definite(K, right)

    def _settled(self, v: Floats, before: Floats, s: Floats, bears: Bools) -> GapForces | None:
        """The solution without polish, where a part is so near to bearing that either is right; or None."""
        size = float(max(np.abs(s).max(initial=0.0), NEAR_ZERO))
        residual = self._slope(v) + self.B.T @ s
        terms = float(max((np.abs(self.B).T @ np.abs(s)).max(initial=0.0), NEAR_ZERO))
        wrong = max(float(np.abs(s - before).max(initial=0.0)) / size, float(np.abs(residual).max(initial=0.0)) / terms)
        w = self.w0 + self.B @ v
        return self._checked(v, np.where(bears, w, 0.0), s, bears, wrong)

    def _polished(self, v: Floats, s: Floats, bears: Bools) -> GapForces | None:
        """The solution in which just these components bear; None where its forces or gaps contradict that."""
        idle = np.flatnonzero(~bears)
        w = self.w0 + self.B @ v
        if (self.sets.sizes(w) <= 0.0)[self.sets.ball[bears & (self.sets.ball >= 0)]].any():
            return None
        before = np.inf
        for _ in range(MOST_LAST_STEPS):
            s = self.sets.on_boundary(w, s, bears)
            right = np.concatenate([self._slope(v) + self.B.T @ s, w[idle]])
            size = float(max((np.abs(self.B).T @ np.abs(s)).max(initial=0.0), np.abs(w).max(initial=0.0), NEAR_ZERO))
            wrong = float(np.abs(right).max(initial=0.0))
            # Forces far smaller than closed gaps would give need more digits of the gaps than these have left over.
            if wrong <= REFINED * np.abs(w).max(initial=0.0) or (wrong <= VIOLATION * size and wrong >= 0.5 * before):
                break
            if not wrong <= before:
                return None
            before = wrong
            step = -self._respond(w, bears, right)
            v = v + step[: len(v)]
            s[idle] += step[len(v) :]
            # By its change: w₀ + B v has the rounding of w₀, which misfits may make far larger than the forces are.
            w = w + self.B @ step[: len(v)]
        else:
            return None
        w[idle] = 0.0
        return self._checked(v, w, s, bears, wrong / size)

    def _respond(self, w: Floats, bears: Bools, right: Floats) -> Floats:
        """(v, s_idle) of the linear equations at a set of bearing components, for a right-hand side."""
        if not right.size:
            return right  # every part bears, and nothing gives way
        idle, n = np.flatnonzero(~bears), self.B.shape[1]
        slope = self.sets.slope(w, bears)
        curvature = slope._replace(along=np.where(bears, slope.along, 0.0)).form(self.B)
        if not len(self.g) and (x := _eliminated(curvature, self.B[idle], right)) is not None:
            return x
        K = np.zeros((n + len(idle), n + len(idle)))
        K[:n, :n] = np.diag(self._curvature(0.0)) + curvature
        K[:n, n:] = self.B[idle].T
        K[n:, :n] = self.B[idle]
        return _solved(K, right)

    def _checked(self, v: Floats, w: Floats, s: Floats, bears: Bools, residual: float) -> GapForces | None:
        """The solution, where every condition of optimality holds."""
        sets, at_upper = self.sets, s >= self.sets.upper
        force = float(max(np.abs(w).max(initial=0.0), np.abs(self.w0).max(initial=0.0))) or 1.0
        reach = np.concatenate([np.abs(s), sets.radius, [NEAR_ZERO]])
        gap = float(reach.max())
        outside = np.abs(s - sets.project(s)) / gap
        line = bears & (sets.ball < 0)
        pull = np.where(line, np.where(at_upper, -w, w), 0.0) / force
        worst = float(max(outside.max(initial=0.0), pull.max(initial=0.0), residual))
        if not worst <= VIOLATION:
            return None
        barely = np.where(line, np.abs(w) <= BARELY * force, False)
        near = np.minimum(np.abs(sets.upper - s), np.abs(s - sets.lower))
        barely |= ~bears & (sets.ball < 0) & (near <= BARELY * gap)
        if len(sets.radius):
            edge = np.abs(sets.sizes(s) - sets.radius) <= BARELY * sets.radius
            inside = sets.ball >= 0
            barely[inside] |= ~bears[inside] & edge[sets.ball[inside]]
            light = sets.sizes(w) <= BARELY * force
            barely[inside] |= bears[inside] & light[sets.ball[inside]]
        return GapForces(v, w, s, bears, barely, worst)

    def response(self, solution: GapForces, dw0: Floats) -> Floats:
        """ds (K, …): how the gaps change with w₀, as long as the same components bear."""
        idle, n = np.flatnonzero(~solution.bears), self.B.shape[1]
        slope = self.sets.slope(solution.w, solution.bears)
        bearing = slope._replace(along=np.where(solution.bears, slope.along, 0.0))
        right = np.concatenate([self.B.T @ bearing.times(dw0), dw0[idle]])
        step = -self._respond(solution.w, solution.bears, right)
        ds = bearing.times(dw0 + self.B @ step[:n])
        ds[idle] += step[n:]
        return np.asarray(ds)


def _conjugate_gradients(times: Callable[[Floats], Floats], right: Floats) -> Floats | None:
    """x with K x ≈ right for a positive definite K, ``times`` it; None where that takes as long as elimination."""
    x, r = np.zeros_like(right), np.array(right)
    p, size = r, float(r @ r)
    enough = ROUGH_STEP**2 * size
    for _ in range(MOST_GRADIENTS):
        Kp = times(p)
        part = size / float(p @ Kp)
        x += part * p
        r = r - part * Kp
        before, size = size, float(r @ r)
        if size <= enough:
            return x
        p = r + (size / before) * p
    return None


def _solved_definite(K: Floats, right: Floats) -> Floats:
    """K x = right for a symmetric K that is positive definite but for rounding."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    try:
        return np.asarray(cho_solve(cho_factor(K, check_finite=False), right, check_finite=False))
    except LinAlgError:
        return np.asarray(np.linalg.solve(K, right))


def _eliminated(curvature: Floats, B: Floats, right: Floats) -> Floats | None:
    """(x, t) of (I + curvature) x + Bᵀt = r₁, B x = r₂ by Cholesky factors; None where they lose too many digits."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    n = len(curvature)
    if not n:
        return None  # the oldest SciPy refuses factors of nothing, here and where no part is idle
    K, r = curvature + np.eye(n), right.reshape(len(right), -1)
    try:
        factor = cho_factor(K, check_finite=False)
        both = cho_solve(factor, np.hstack([B.T, r[:n]]), check_finite=False)
        X, x = both[:, : len(B)], both[:, len(B) :]
        t = np.zeros((0, x.shape[1]))
        if len(B):
            t = cho_solve(cho_factor(B @ X, check_finite=False), B @ x - r[n:], check_finite=False)
    except LinAlgError:
        return None
    solution = np.concatenate([x - X @ t, t])
    residual = np.concatenate([K @ solution[:n] + B.T @ t - r[:n], B @ solution[:n] - r[n:]])
    if not np.abs(residual).max(initial=0.0) <= SOLVED * np.abs(r).max(initial=0.0):
        return None
    return np.asarray(solution.reshape(right.shape))


def _solved(K: Floats, right: Floats) -> Floats:
    """K x = right for a symmetric K; the smallest x where K is singular, as with gaps that several parts share."""
    try:
        x = np.linalg.solve(K, right)
        if np.abs(K @ x - right).max(initial=0.0) <= SOLVED * np.abs(right).max(initial=0.0):
            return np.asarray(x)
    except np.linalg.LinAlgError:
        pass
    values, V = np.linalg.eigh(K)
    kept = np.abs(values) > ZERO_CURVATURE * np.abs(values).max(initial=1.0)
    return np.asarray(V[:, kept] @ ((V[:, kept].T @ right).T / values[kept]).T)
