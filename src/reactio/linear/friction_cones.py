"""Impulses of contacts with Coulomb friction: complementarity of cones by projected Gauss–Seidel iterations."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import PLAIN, foreseen, kernel

MOST = 20_000  # iterations; convergence is linear, and a step that needs more is refused
CLOSE = 1e-10  # residual that ends the iterations, part of the largest velocity in the problem
STALLED = 0.9  # part of the residual before, above which iterations only walk along a self-stress
CHECKED = 10  # iterations between looks at the residual
SETTLING = 200  # iterations after which the contacts that bear, stick and slip are taken for those of the solution
STEPS = 8  # of Newton's method: from the right contacts one is enough, from others it leads away


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
    ``start`` then.
    """
    P, U = np.array(start), W @ start + u
    sizes = len(u) // max(1, len(mu))
    done, residual = 0, math.inf
    with foreseen(len(u), float(len(u))):
        while done < MOST:
            last, before = residual, np.array(P)
            _sweep(W, U, P, mu, sizes, CHECKED)
            done += CHECKED
            U = W @ P + u
            residual = float(_residual(W, U, P, mu, sizes))
            if residual > CLOSE * speed and done % SETTLING == 0:
                P, residual = _newton(W, u, P, mu, sizes, residual)
                U = W @ P + u
            if residual <= CLOSE * speed:
                return ConeSolution(P, residual, done, True)
            if residual > STALLED * last:
                P = _unloaded(P, P - before, sizes)
                U = W @ P + u
    return ConeSolution(P, residual, done, False)


def _newton(W: Floats, u: Floats, P: Floats, mu: Floats, sizes: int, residual: float) -> tuple[Floats, float]:
    """The best P of a few steps of Newton's method from P, with its residual.

    Iterations find soon which contacts bear; where W is nearly singular, as under a chain, they find the impulses only
    after very many.
    """
    best, now = P, P
    for _ in range(STEPS):
        now = _newton_step(W, u, now, mu, sizes)
        left = float(_residual(W, W @ now + u, now, mu, sizes))
        if left < residual:
            best, residual = now, left
    return best, residual


def _newton_step(W: Floats, u: Floats, P: Floats, mu: Floats, sizes: int) -> Floats:
    """P that solves the equations of the contacts that bear, stick and slip as the projections say.

        U_n = 0 where P_n − U_n/w > 0, P = 0 elsewhere;  U_t = 0 where |P_t − U_t/w| < μ P_n, P_t = −μ P_n d elsewhere

    d: direction of the slip; of many solutions that nearest to P.
    """
    U, moves, rows, start = W @ P + u, list[Floats](), list[int](), np.zeros(len(P))
    for k in range(0, len(P), sizes):
        if W[k, k] <= 0.0 or P[k] - U[k] / W[k, k] <= 0.0:
            continue
        own = slice(k + 1, k + sizes)
        stiff = float(np.abs(W[own, own]).sum(axis=1).max(initial=0.0))
        trial = P[own] - U[own] / stiff if stiff else P[own]
        size, along = float(np.linalg.norm(trial)), np.eye(len(P))[k]
        rows.append(k)
        start[k] = P[k]
        if size >= mu[k // sizes] * P[k]:
            along[own] = mu[k // sizes] * trial / size if size else 0.0
            start[own] = along[own] * P[k]
            moves.append(along)
        else:
            start[own] = P[own]
            rows += range(k + 1, k + sizes)
            moves += [along, *(np.eye(len(P))[j] for j in range(k + 1, k + sizes))]
    if not rows:
        return start
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


@kernel(**PLAIN)
def _sweep(W: Floats, U: Floats, P: Floats, mu: Floats, sizes: int, times: int) -> None:
    """So many Gauss–Seidel iterations over all contacts; U is kept up to date with P."""
    for _ in range(times):
        for i in range(mu.shape[0]):
            _solve_one(W, U, P, mu[i], i * sizes, sizes)


@kernel(**PLAIN)
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


@kernel(**PLAIN)
def _change(W: Floats, U: Floats, P: Floats, k: int, new: float) -> None:
    """P_k ← new, and U with it."""
    step = new - P[k]
    if step != 0.0:
        P[k] = new
        for j in range(U.shape[0]):
            U[j] += W[j, k] * step


@kernel(**PLAIN)
def _residual(W: Floats, U: Floats, P: Floats, mu: Floats, sizes: int) -> float:
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
