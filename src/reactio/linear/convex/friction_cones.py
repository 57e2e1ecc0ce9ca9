"""Impulses of contacts with Coulomb friction: complementarity of cones by projected Gauss–Seidel iterations.

Where these converge slowly, as under chains, convex programmes find which contacts bear, stick and slip.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, foreseen, kernel
from reactio.linear.convex.cone_programmes import ConeProgrammes

MOST_CONE_ITERATIONS = 20_000  # iterations; convergence is linear, and a step that needs more is refused
CONVERGED_RESIDUAL = 1e-10  # residual that ends the iterations, part of the largest velocity in the problem
# The same, where contacts that stick contradict each other: corners of a box that overlap by different depths cannot
# all be at rest while one of them parts.  Iterations then converge slowly to where one slips, at a speed of this size.
CONTRADICTING_RESIDUAL = 1e-5
STALLED_RATIO = 0.9  # of a residual to the one before, above which iterations only move along a self-stress
SWEEPS_BETWEEN_CHECKS = 10  # of the residual, which costs about as much as one sweep
# Sweeps after which the contacts that bear, stick and slip are taken for those of the solution, by Newton's method.
SWEEPS_BEFORE_NEWTON = 200
SWEEPS_BEFORE_PROGRAMMES = 1_000  # a convex programme costs as much as very many sweeps
MOST_PROGRAMMES = 50  # a handful is enough, except where friction and normal forces increase each other
MOST_CONE_NEWTON_STEPS = 8  # of Newton's method: from the right contacts one is enough, from others it leads away


class ConeSolution(NamedTuple):
    """Impulses of all contacts."""

    P: Floats  # (c (1 + s),) normal and s tangential impulses of each contact [N s]
    residual: float  # of the conditions [m/s]
    iterations: int
    converged: bool


def solve_cones(W: Floats, u: Floats, mu: Floats, start: Floats, speed: float) -> ConeSolution:
    """P with 0 ≤ P_n ⊥ U_n ≥ 0, |P_t| ≤ μ P_n, and P_t = −μ P_n U_t/|U_t| where U_t ≠ 0;  U = W P + u.

    W (m, m): change of the velocities of all contacts with their impulses; u (m,) [m/s]: velocities without impulses,
    restitution added to the normal ones; mu (c,); start (m,): impulses to begin with; ``speed`` [m/s]: what the
    residual is measured by.  Each contact is solved in turn for its normal, then its tangential impulse (Jourdan,
    Alart & Jean 1998, Comput. Methods Appl. Mech. Eng. 155).  P is one of many where W is singular; it is near to
    ``start`` then, unless it took convex programmes to find it.
    """
    P, U = np.array(start), W @ start + u
    sizes = len(u) // max(1, len(mu))
    done, residual = 0, math.inf
    with foreseen(len(u), float(len(u))):
        while done < MOST_CONE_ITERATIONS:
            last, before = residual, np.array(P)
            sweep_contacts(W, U, P, mu, sizes, SWEEPS_BETWEEN_CHECKS)
            done += SWEEPS_BETWEEN_CHECKS
            U = W @ P + u
            residual = float(cone_residual(W, U, P, mu, sizes))
            if residual > CONVERGED_RESIDUAL * speed and done % SWEEPS_BEFORE_NEWTON == 0:
                P, residual = _newton(W, u, P, mu, sizes, residual, CONVERGED_RESIDUAL * speed)
                U = W @ P + u
            if residual > CONVERGED_RESIDUAL * speed and done == SWEEPS_BEFORE_PROGRAMMES:
                for origin in (start, P):  # iterations may have walked far along a self-stress
                    P, residual = _by_programmes(W, u, P, mu, residual, CONVERGED_RESIDUAL * speed, origin)
                U = W @ P + u
            if residual <= CONVERGED_RESIDUAL * speed:
                return ConeSolution(P, residual, done, True)
            if residual > STALLED_RATIO * last:
                P = _unloaded(P, P - before, sizes)
                U = W @ P + u
        Q = np.array(start)
        project_on_cones(W, u, Q, mu, sizes, MOST_CONE_ITERATIONS, float(np.linalg.eigvalsh(W)[-1]))
        left = float(cone_residual(W, W @ Q + u, Q, mu, sizes))
    if left < residual:
        P, residual = Q, left
    return ConeSolution(P, residual, done + MOST_CONE_ITERATIONS, residual <= CONTRADICTING_RESIDUAL * speed)


def _by_programmes(
    W: Floats, u: Floats, P: Floats, mu: Floats, residual: float, wanted: float, origin: Floats
) -> tuple[Floats, float]:
    """The best of P and of a sequence of convex programmes from an origin, each followed by Newton's method."""
    best, sizes = P, len(u) // len(mu)
    programmes, last, before = ConeProgrammes(W, u, mu), math.inf, origin
    for _ in range(MOST_PROGRAMMES):
        now = None if residual <= wanted else programmes.solution(W @ before + u)
        if now is None:
            break
        left = float(cone_residual(W, W @ now + u, now, mu, sizes))
        found, newton = _newton(W, u, now, mu, sizes, left, wanted)
        if newton < residual:
            best, residual = found, newton
        stalled = left > STALLED_RATIO * last
        last, before = left, _unloaded(now, now - before, sizes) if stalled else now
    return best, residual


def _newton(
    W: Floats, u: Floats, P: Floats, mu: Floats, sizes: int, residual: float, wanted: float
) -> tuple[Floats, float]:
    """The best P of a few steps of Newton's method from P, with its residual.

    Iterations find soon which contacts bear; where W is nearly singular, as under a chain, they find the impulses only
    after very many.
    """
    best, now = P, P
    for _ in range(MOST_CONE_NEWTON_STEPS):
        now = _newton_step(W, u, now, mu, sizes, wanted)
        left = float(cone_residual(W, W @ now + u, now, mu, sizes))
        if left < residual:
            best, residual = now, left
        if residual <= wanted:
            break
    return best, residual


def _newton_step(W: Floats, u: Floats, P: Floats, mu: Floats, sizes: int, wanted: float) -> Floats:
    """P that solves the equations of the contacts that bear, stick and slip as the projections say.

        U_n = 0 where P_n − U_n/w > 0, P = 0 elsewhere;  U_t = 0 where |P_t − U_t/w| < μ P_n, P_t = −μ P_n d elsewhere

    d: direction of the slip; of many solutions that nearest to P.  Where more contacts bear than can have U_n = 0
    together, the one that is left opening fastest opens; where more stick than can, the one that slips fastest slips.
    """
    slip = _slipping(W, W @ P + u, P, mu, sizes)
    while slip:
        now = _of_equations(W, u, P, sizes, slip)
        U, bearing = W @ now + u, list(slip)
        sticks = [k for k in bearing if slip[k] is None]
        rises, slides = U[bearing], np.array([np.linalg.norm(U[k + 1 : k + sizes]) for k in sticks])
        if float(rises.max()) > wanted:
            del slip[bearing[int(np.argmax(rises))]]
        elif float(slides.max(initial=0.0)) > wanted:
            k = sticks[int(np.argmax(slides))]
            slip[k] = -mu[k // sizes] / slides.max() * U[k + 1 : k + sizes]
        else:
            return now
    return np.zeros(len(P))


def _slipping(W: Floats, U: Floats, P: Floats, mu: Floats, sizes: int) -> dict[int, Floats | None]:
    """Of the contacts that bear, by their normal rows: P_t/P_n (s,) of those that slip, None of those that stick."""
    found: dict[int, Floats | None] = {}
    for k in range(0, len(P), sizes):
        if W[k, k] > 0.0 and P[k] - U[k] / W[k, k] > 0.0:
            own = slice(k + 1, k + sizes)
            stiff = float(np.abs(W[own, own]).sum(axis=1).max(initial=0.0))
            trial = P[own] - U[own] / stiff if stiff else P[own]
            size = float(np.linalg.norm(trial))
            slips = size >= mu[k // sizes] * P[k]
            found[k] = (mu[k // sizes] / size * trial if size else np.zeros(sizes - 1)) if slips else None
    return found


def _of_equations(W: Floats, u: Floats, P: Floats, sizes: int, slip: dict[int, Floats | None]) -> Floats:
    """The solution nearest to P of U_n = 0 of all contacts that bear, U_t = 0 of those that stick; by least squares."""
    moves, rows, start = list[Floats](), list[int](), np.zeros(len(P))
    for k, ratio in slip.items():
        along = np.eye(len(P))[k]
        if ratio is None:
            rows += range(k, k + sizes)
            moves += [np.eye(len(P))[j] for j in range(k, k + sizes)]
            start[k : k + sizes] = P[k : k + sizes]
        else:
            rows.append(k)
            along[k + 1 : k + sizes] = ratio
            moves.append(along)
            start += P[k] * along
    S = np.stack(moves, axis=1)
    step = np.linalg.lstsq(W[rows] @ S, -(W @ start + u)[rows], rcond=None)[0]
    return np.asarray(start + S @ step)


def _unloaded(P: Floats, drift: Floats, sizes: int) -> Floats:
    """P moved on along its drift to where the first contact bears nothing.

    Where W is singular and the velocities of all loaded contacts cannot vanish together, iterations walk along a
    self-stress, in steps as small as these velocities, until one of the contacts opens.
    """
    n, d = P[::sizes], drift[::sizes]
    falls = (d < 0.0) & (n > 0.0)
    return P + float((n[falls] / -d[falls]).min()) * drift if falls.any() else P


@kernel(**NO_ARRAYS)
def sweep_contacts(W: Floats, U: Floats, P: Floats, mu: Floats, sizes: int, times: int) -> None:
    """So many Gauss–Seidel iterations over all contacts; U is kept up to date with P."""
    for _ in range(times):
        for i in range(mu.shape[0]):
            _solve_one(W, U, P, mu[i], i * sizes, sizes)


@kernel(**NO_ARRAYS)
def _solve_one(W: Floats, U: Floats, P: Floats, mu: float, k: int, sizes: int) -> None:
    """The normal impulse, row k, and the tangential ones of a contact, all others given."""
    if W[k, k] <= 0.0:
        return
    new = max(0.0, P[k] - U[k] / W[k, k])
    _change(W, U, P, k, new)
    limit = mu * P[k]
    if sizes == 2:
        if W[k + 1, k + 1] > 0.0:
            trial = P[k + 1] - U[k + 1] / W[k + 1, k + 1]
            _change(W, U, P, k + 1, min(limit, max(-limit, trial)))
    elif sizes == 3:
        stiff = max(W[k + 1, k + 1], W[k + 2, k + 2]) + abs(W[k + 1, k + 2])
        if stiff > 0.0:
            a, b = P[k + 1] - U[k + 1] / stiff, P[k + 2] - U[k + 2] / stiff
            size = math.sqrt(a * a + b * b)
            part = limit / size if size > limit else 1.0
            _change(W, U, P, k + 1, part * a)
            _change(W, U, P, k + 2, part * b)


@kernel(**NO_ARRAYS)
def project_on_cones(W: Floats, u: Floats, P: Floats, mu: Floats, sizes: int, times: int, stiff: float) -> None:
    """So many iterations P ← proj(P − (U + μ |U_t| n)/w) onto all cones at once; w: the largest eigenvalue of W.

    Slower than sweeps and steadier: a fixed point is Coulomb's law in the form of De Saxcé & Feng 1998.
    """
    for _ in range(times):
        for i in range(mu.shape[0]):
            _shift(W, u, P, mu[i], i * sizes, sizes, stiff)


@kernel(**NO_ARRAYS)
def _shift(W: Floats, u: Floats, P: Floats, mu: float, k: int, sizes: int, stiff: float) -> None:
    """The impulses of the contact whose normal row is k moved against its velocities, and projected on its cone."""
    n, a, b = u[k], 0.0, 0.0
    for j in range(P.shape[0]):
        n += W[k, j] * P[j]
    if sizes > 1:
        a = u[k + 1]
        for j in range(P.shape[0]):
            a += W[k + 1, j] * P[j]
    if sizes > 2:
        b = u[k + 2]
        for j in range(P.shape[0]):
            b += W[k + 2, j] * P[j]
    n = P[k] - (n + mu * math.sqrt(a * a + b * b)) / stiff
    if sizes > 1:
        a = P[k + 1] - a / stiff
    if sizes > 2:
        b = P[k + 2] - b / stiff
    size = math.sqrt(a * a + b * b)
    part = 1.0
    if mu * size <= -n:
        n, part = 0.0, 0.0
    elif size > mu * n:
        n = (n + mu * size) / (1.0 + mu * mu)
        part = mu * n / size
    P[k] = n
    if sizes > 1:
        P[k + 1] = part * a
    if sizes > 2:
        P[k + 2] = part * b


@kernel(**NO_ARRAYS)
def _change(W: Floats, U: Floats, P: Floats, k: int, new: float) -> None:
    """P_k ← new, and U with it."""
    step = new - P[k]
    if step != 0.0:
        P[k] = new
        for j in range(U.shape[0]):
            U[j] += W[j, k] * step


@kernel(**NO_ARRAYS)
def cone_residual(W: Floats, U: Floats, P: Floats, mu: Floats, sizes: int) -> float:
    """The largest violation of the conditions, as a velocity: P − proj(P − U/w) times w."""
    worst = 0.0
    for i in range(mu.shape[0]):
        k = i * sizes
        w = W[k, k]
        if w > 0.0:
            worst = max(worst, abs(P[k] - max(0.0, P[k] - U[k] / w)) * w)
        limit = mu[i] * P[k]
        if sizes == 2 and W[k + 1, k + 1] > 0.0:
            w = W[k + 1, k + 1]
            worst = max(worst, abs(P[k + 1] - min(limit, max(-limit, P[k + 1] - U[k + 1] / w))) * w)
        elif sizes == 3:
            w = max(W[k + 1, k + 1], W[k + 2, k + 2]) + abs(W[k + 1, k + 2])
            if w > 0.0:
                a, b = P[k + 1] - U[k + 1] / w, P[k + 2] - U[k + 2] / w
                size = math.sqrt(a * a + b * b)
                part = limit / size if size > limit else 1.0
                a, b = P[k + 1] - part * a, P[k + 2] - part * b
                worst = max(worst, math.sqrt(a * a + b * b) * w)
    return worst
