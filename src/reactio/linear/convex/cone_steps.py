"""Kernels of the proximal steps for contacts with friction (``friction_cones``): Newton's method on the velocities."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import solve_in_profile
from reactio.linear.precision import LAST_DIGIT, LOCATED

# Part of the residual that is wanted at which steps end, rounding; they also end where one makes the residual no
# smaller than LEAST_GAIN of it.
ROUNDED_PART, LEAST_GAIN = 1e-4, 0.5
# δ of the first proximal step, part of the largest change of a velocity with its impulse: shares are those of smallest
# norm to about this part.  Later steps take less, as long as velocities keep the digits that are wanted.
FIRST_WEIGHT, WEIGHT_RATIO, LIGHTEST_WEIGHT = 1e-7, 0.01, 1e-10
# Factor of δ after a step that was not solved, since a heavier δ makes it easier, and its factor from then on.
HEAVIER_WEIGHT, CAUTIOUS_RATIO = 100.0, 0.3
MOST_PROXIMAL_STEPS = 60  # three or four suffice; more where W is nearly singular, as under long chains
MOST_CONE_STEPS = 40  # of one proximal step: one where the contacts that bear, stick and slip are known
MOST_FROZEN_STEPS = 10  # with frozen discs of friction; after that a heavier δ helps
MOST_SEARCH_STEPS = 30  # halvings and doublings of a line search
PROXIMAL_PART = 1e-3  # of the residual that is wanted in the end, to which a proximal step is solved
VELOCITY_ROUNDING = LAST_DIGIT  # of velocities, which δ turns into impulses
SHORTEST_NEWTON_STEP = 1e-3  # part of a Newton step below which its direction is of no use
LEAST_DECREASE = 1e-4  # part of a Newton step by which the residual must decrease at least
AT_LIMIT = LOCATED  # part of the limit of friction within which a contact counts as slipping, where that is tried first


class Cones(NamedTuple):
    """Contacts with impulses P, whose velocities are U = u + A AᵀP."""

    blocks: Floats  # (c, 1 + s, k) of A: all that is not zero
    columns: Ints  # (c, k) their columns; a contact with fewer has zeros in one that occurs before
    lengths: Floats  # (c, 1 + s) of the rows of A
    size: Floats  # (c,) the largest change of a velocity of each contact with its impulse
    u: Floats  # (c, 1 + s)
    mu: Floats  # (c,)
    reach: Ints  # (n,) the last column that a contact joins to this one or to one before it


class ConeSpace(NamedTuple):
    """Arrays to work in, for the part with most contacts and columns."""

    P0: Floats  # (c, 1 + s) impulses before a proximal step
    U0: Floats  # (c, 1 + s) velocities with these
    P: Floats  # (c, 1 + s) impulses projected on the law of Coulomb
    direction: Floats  # (c, 1 + s) of the friction of contacts that slip, in the columns of its components
    known: Floats  # (c, 1 + s) impulses of steps that are made again
    bend: Floats  # (c,) |P_t| over its size before the projection
    bears: Bools  # (c,)
    slips: Bools  # (c,)
    radius: Floats  # (c,) of frozen discs of friction
    z: Floats  # (n,) Aᵀ(P − P₀) at which a method begins
    y: Floats  # (n,) the same in Newton's method
    trial: Floats  # (n,) the same further on
    step: Floats  # (n,) from one to the next
    F: Floats  # (n,) what is left, z − Aᵀ(P − P₀)
    J: Floats  # (n, n) its derivative


@kernel
def solve_parts(
    cones: Cones, parts: Ints, before: Floats, wanted: float, P: Floats, first: Floats
) -> tuple[float, int]:
    """Impulses P and those of the first steps of independent parts; the largest residual, most linear systems of one.

    parts (p + 1, 2): the first contact and the first column of each, in which columns of contacts are counted.
    """
    largest, most, c, n = 0.0, 0, 0, 0
    for k in range(parts.shape[0] - 1):
        c, n = max(c, parts[k + 1, 0] - parts[k, 0]), max(n, parts[k + 1, 1] - parts[k, 1])
    s = cones.u.shape[1]
    w = ConeSpace(
        np.empty((c, s)), np.empty((c, s)), np.empty((c, s)), np.empty((c, s)), np.empty((c, s)), np.empty(c),
        np.full(c, False), np.full(c, False), np.empty(c), np.empty(n), np.empty(n), np.empty(n),
        np.empty(n), np.empty(n), np.empty((n, n)),
    )  # fmt: skip
    for k in range(parts.shape[0] - 1):
        a, b, i, j = parts[k, 0], parts[k + 1, 0], parts[k, 1], parts[k + 1, 1]
        part = Cones(
            cones.blocks[a:b], cones.columns[a:b], cones.lengths[a:b], cones.size[a:b], cones.u[a:b], cones.mu[a:b],
            cones.reach[i:j],
        )  # fmt: skip
        residual, count = solve_part(part, before[a:b], wanted, w, P[a:b], first[a:b])
        largest, most = max(largest, residual), max(most, count)
    return largest, most


@kernel(**NO_ARRAYS)
def solve_part(
    cones: Cones, before: Floats, wanted: float, w: ConeSpace, P: Floats, first: Floats
) -> tuple[float, int]:
    """P of a residual ``wanted``, or the best that was reached; returns its residual, and linear systems solved."""
    least, count, heavier = proximal_steps(cones, before, wanted, w, P, first)
    if not heavier or least > wanted:
        return least, count
    # The contacts that bear and slip are known now, and the smallest shares follow.
    copy_rows(P, w.known, P.shape[0])
    again, more, heavier = proximal_steps(cones, w.known, wanted, w, P, first)
    if again > wanted:
        copy_rows(w.known, P, P.shape[0])
        again = least
    return again, count + more


@kernel(**NO_ARRAYS)
def copy_rows(source: Floats, target: Floats, count: int) -> None:
    """The leading rows of target = those of source."""
    for c in range(count):
        for i in range(source.shape[1]):
            target[c, i] = source[c, i]


@kernel(**NO_ARRAYS)
def proximal_steps(
    cones: Cones, before: Floats, wanted: float, w: ConeSpace, best: Floats, first: Floats
) -> tuple[float, int, bool]:
    """Proximal steps from zero, the first with the contacts that bear and slip with impulses ``before``.

    Returns the residual of the best impulses, how many linear systems were solved, and whether δ had to grow.
    """
    C, S, n = cones.u.shape[0], cones.u.shape[1], cones.reach.shape[0]
    largest, part, ratio, bearing = 0.0, FIRST_WEIGHT, WEIGHT_RATIO, False
    for c in range(C):
        largest = max(largest, cones.size[c])
        bearing = bearing or before[c, 0] != 0.0
        for i in range(S):
            best[c, i], w.P0[c, i], w.U0[c, i], first[c, i] = 0.0, 0.0, cones.u[c, i], before[c, i]
    least = cone_residual(cones, w.U0, w.P0)
    missed, last, count, heavier = least, math.inf, 0, False
    for k in range(MOST_PROXIMAL_STEPS):
        if least <= ROUNDED_PART * wanted or (least <= wanted and missed > LEAST_GAIN * last):
            break
        for j in range(n):
            w.z[j] = 0.0
        weight = part * largest
        if k == 0 and bearing:
            contacts_of(cones, before, weight, w)
            count += 1
        converged, solved = solve_step(cones, weight, PROXIMAL_PART * wanted / math.sqrt(largest), w)
        count += solved
        if not converged:
            part, heavier, ratio = part * HEAVIER_WEIGHT, True, CAUTIOUS_RATIO
            continue
        for c in range(C):
            for i in range(S):
                w.P0[c, i] = w.P[c, i]
                if k == 0:
                    first[c, i] = w.P[c, i]
        transposed(cones, w.P0, w.trial)
        times(cones, w.trial, w.U0)
        for c in range(C):
            for i in range(S):
                w.U0[c, i] += cones.u[c, i]
        last, missed = missed, cone_residual(cones, w.U0, w.P0)
        if missed < least:
            least = missed
            copy_rows(w.P0, best, C)
        part = max(LIGHTEST_WEIGHT, ratio * part)
    return least, count, heavier


@kernel(**NO_ARRAYS)
def times(cones: Cones, z: Floats, U: Floats) -> None:
    """U = A z."""
    for c in range(cones.u.shape[0]):
        for i in range(cones.u.shape[1]):
            total = 0.0
            for j in range(cones.columns.shape[1]):
                total += cones.blocks[c, i, j] * z[cones.columns[c, j]]
            U[c, i] = total


@kernel(**NO_ARRAYS)
def transposed(cones: Cones, P: Floats, z: Floats) -> None:
    """z = AᵀP."""
    for j in range(cones.reach.shape[0]):
        z[j] = 0.0
    for c in range(cones.u.shape[0]):
        for i in range(cones.u.shape[1]):
            if P[c, i] != 0.0:
                for j in range(cones.columns.shape[1]):
                    z[cones.columns[c, j]] += cones.blocks[c, i, j] * P[c, i]


@kernel(**NO_ARRAYS)
def cone_residual(cones: Cones, U: Floats, P: Floats) -> float:
    """The largest violation of the law as a velocity: P − proj(P − U/w) times w, with w the size of each contact."""
    largest = 0.0
    for c in range(cones.u.shape[0]):
        w = cones.size[c]
        normal = max(P[c, 0] - U[c, 0] / w, 0.0)
        largest = max(largest, abs(P[c, 0] - normal) * w)
        square = 0.0
        for i in range(1, cones.u.shape[1]):
            square += (P[c, i] - U[c, i] / w) ** 2
        length, limit = math.sqrt(square), cones.mu[c] * normal
        bend = limit / length if length > limit else 1.0
        for i in range(1, cones.u.shape[1]):
            largest = max(largest, abs(P[c, i] - bend * (P[c, i] - U[c, i] / w)) * w)
    return largest


@kernel(**NO_ARRAYS)
def project(cones: Cones, z: Floats, weight: float, frozen: bool, w: ConeSpace) -> float:
    """P = proj(P₀ − (U₀ + A z)/δ), on P_n ≥ 0, |P_t| ≤ μ P_n or frozen discs; |F| of F = z − Aᵀ(P − P₀)."""
    C, S = cones.u.shape[0], cones.u.shape[1]
    times(cones, z, w.P)
    for c in range(C):
        square = 0.0
        for i in range(S):
            w.P[c, i] = w.P0[c, i] - (w.U0[c, i] + w.P[c, i]) / weight
            square += w.P[c, i] ** 2 if i > 0 else 0.0
        w.bears[c] = w.P[c, 0] > 0.0
        w.P[c, 0] = max(w.P[c, 0], 0.0)
        limit, length = w.radius[c] if frozen else cones.mu[c] * w.P[c, 0], math.sqrt(square)
        w.slips[c] = length > limit
        w.bend[c] = limit / length if length > limit else 1.0
        for i in range(1, S):
            w.direction[c, i] = w.P[c, i] / length if length > limit else 0.0
            w.P[c, i] *= w.bend[c]
    for j in range(cones.reach.shape[0]):
        w.F[j] = z[j]
    for c in range(C):
        for i in range(S):
            change = w.P[c, i] - w.P0[c, i]
            if change != 0.0:
                for j in range(cones.columns.shape[1]):
                    w.F[cones.columns[c, j]] -= cones.blocks[c, i, j] * change
    return norm(w.F, cones.reach.shape[0])


@kernel(**NO_ARRAYS)
def norm(x: Floats, n: int) -> float:
    """The length of the first n entries."""
    square = 0.0
    for j in range(n):
        square += x[j] * x[j]
    return math.sqrt(square)


@kernel(**NO_ARRAYS)
def rounding(cones: Cones, z: Floats, weight: float, w: ConeSpace) -> float:
    """The size of F that rounding of the velocities leaves, in impulses of 1/δ of them where contacts hold."""
    length, square = norm(z, cones.reach.shape[0]), 0.0
    for c in range(cones.u.shape[0]):
        for i in range(cones.u.shape[1]):
            holds = w.bears[c] and not (i > 0 and w.slips[c])
            term = (abs(w.U0[c, i]) + cones.lengths[c, i] * length) / weight if holds else 0.0
            square += (cones.lengths[c, i] * (term + abs(w.P[c, i]))) ** 2
    return VELOCITY_ROUNDING * math.sqrt(square)


@kernel(**NO_ARRAYS)
def solve_step(cones: Cones, weight: float, wanted: float, w: ConeSpace) -> tuple[bool, int]:
    """One proximal step from z by Newton's method: z = Aᵀ(P − P₀); did it converge, and how many systems were solved?

    Where Newton's method gets no further, discs of friction are frozen, which makes the step the smallest value of a
    convex function, and are then made those of its solution (Tresca's law, by turns).
    """
    converged, count = newton(cones, weight, wanted, w)
    for c in range(cones.u.shape[0]):
        w.radius[c] = cones.mu[c] * max(w.P0[c, 0], 0.0)
    for _ in range(MOST_FROZEN_STEPS):
        if converged:
            break
        count += with_discs(cones, weight, wanted, w)
        converged, more = newton(cones, weight, wanted, w)
        count += more
        if not converged:
            project(cones, w.z, weight, True, w)
            for c in range(cones.u.shape[0]):
                w.radius[c] = cones.mu[c] * w.P[c, 0]
    return converged, count


@kernel(**NO_ARRAYS)
def newton(cones: Cones, weight: float, wanted: float, w: ConeSpace) -> tuple[bool, int]:
    """P by Newton's method from z, which stays; did it converge, and how many systems were solved?"""
    n = cones.reach.shape[0]
    for j in range(n):
        w.y[j] = w.z[j]
    size = project(cones, w.y, weight, False, w)
    for k in range(MOST_CONE_STEPS):
        if size <= max(wanted, rounding(cones, w.y, weight, w)):
            return True, k
        newton_step(cones, weight, True, w)
        t, length = 2.0, math.inf
        while not length <= (1.0 - LEAST_DECREASE * t) * size:
            t *= 0.5
            if t < SHORTEST_NEWTON_STEP:
                return False, k + 1
            for j in range(n):
                w.trial[j] = w.y[j] + t * w.step[j]
            length = project(cones, w.trial, weight, False, w)
        size = length
        for j in range(n):
            w.y[j] = w.trial[j]
    return False, MOST_CONE_STEPS


@kernel(**NO_ARRAYS)
def with_discs(cones: Cones, weight: float, wanted: float, w: ConeSpace) -> int:
    """z of the step with frozen discs of friction; returns how many systems were solved.

    F is the gradient of a convex function: a line search for where it has no part along a step always gets on.
    """
    n = cones.reach.shape[0]
    for k in range(MOST_CONE_STEPS):
        size = project(cones, w.z, weight, True, w)
        if size <= max(wanted, rounding(cones, w.z, weight, w)):
            return k
        newton_step(cones, weight, False, w)
        t = lowest(cones, weight, w)
        for j in range(n):
            w.z[j] += t * w.step[j]
    return MOST_CONE_STEPS


@kernel(**NO_ARRAYS)
def slope_along(F: Floats, step: Floats, n: int) -> float:
    """F · step, of n entries."""
    total = 0.0
    for j in range(n):
        total += F[j] * step[j]
    return total


@kernel(**NO_ARRAYS)
def lowest(cones: Cones, weight: float, w: ConeSpace) -> float:
    """Part of a step from z at which the slope of the convex function along it has nearly vanished."""
    n = cones.reach.shape[0]
    slope = slope_along(w.F, w.step, n)
    low, high, t = 0.0, 1.0, 1.0
    for _ in range(MOST_SEARCH_STEPS):
        for j in range(n):
            w.trial[j] = w.z[j] + t * w.step[j]
        project(cones, w.trial, weight, True, w)
        here = slope_along(w.F, w.step, n)
        if abs(here) <= 0.5 * abs(slope):
            break
        if here < 0.0 and t == high:
            low, high = t, 2.0 * t
            t = high
            continue
        if here < 0.0:
            low = t
        else:
            high = t
        t = 0.5 * (low + high)
    return t


@kernel(**NO_ARRAYS)
def newton_step(cones: Cones, weight: float, discs_grow: bool, w: ConeSpace) -> None:
    """step = −J⁻¹ F."""
    derivative(cones, weight, discs_grow, w)
    for j in range(cones.reach.shape[0]):
        w.step[j] = -w.F[j]
    solve_in_profile(w.J, cones.reach, w.step)


@kernel(**NO_ARRAYS)
def derivative(cones: Cones, weight: float, discs_grow: bool, w: ConeSpace) -> None:
    """J = I + AᵀD A/δ with D = ∂proj/∂w; ``discs_grow``: with the normal impulse, unless they are frozen."""
    n, S, K = cones.reach.shape[0], cones.u.shape[1], cones.columns.shape[1]
    for j in range(n):
        w.J[j, :n] = 0.0
        w.J[j, j] = 1.0
    for c in range(cones.u.shape[0]):
        if w.bears[c] or not discs_grow:
            growth = cones.mu[c] if discs_grow else 0.0
            for b in range(K):
                along = 0.0
                for i in range(1, S):
                    along += w.direction[c, i] * cones.blocks[c, i, b]
                for i in range(S):
                    entry = cones.blocks[c, i, b]
                    if i == 0:
                        entry = entry if w.bears[c] else 0.0
                    elif w.slips[c]:
                        d = w.direction[c, i]
                        entry = w.bend[c] * (entry - d * along) + growth * d * cones.blocks[c, 0, b]
                    if entry != 0.0:
                        entry /= weight
                        for a in range(K):
                            w.J[cones.columns[c, a], cones.columns[c, b]] += cones.blocks[c, i, a] * entry


@kernel(**NO_ARRAYS)
def contacts_of(cones: Cones, before: Floats, weight: float, w: ConeSpace) -> None:
    """z where the contacts bear, stick and slip as with impulses ``before``, U = −δ P."""
    C, S = cones.u.shape[0], cones.u.shape[1]
    for c in range(C):
        square = 0.0
        for i in range(1, S):
            square += before[c, i] ** 2
        size = math.sqrt(square)
        w.bears[c], w.bend[c] = before[c, 0] > 0.0, 0.0
        w.slips[c] = size > 0.0 and size >= cones.mu[c] * before[c, 0] * (1.0 - AT_LIMIT)
        w.P[c, 0] = -w.U0[c, 0] / weight if w.bears[c] else 0.0
        for i in range(1, S):
            d = before[c, i] / size if w.slips[c] else 0.0
            w.direction[c, i] = d
            push = cones.mu[c] * d * w.P[c, 0] if w.slips[c] else -w.U0[c, i] / weight
            w.P[c, i] = push if w.bears[c] else 0.0
    transposed(cones, w.P, w.z)
    derivative(cones, weight, True, w)
    solve_in_profile(w.J, cones.reach, w.z)
