"""One step of a Runge–Kutta method: its slopes, its error along the manifold, its dense output."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.dop853.tableau import Tableau
from reactio.integrate.projection.mass_projection import MetricPlan, MetricWork, copy, from_root, least_change, to_root
from reactio.integrate.projection.workspace import StageState
from reactio.integrate.state import FILLED, NEXT, POWER, TIME, WORK_DONE, IntegratorState, Output, store
from reactio.kernels import NO_ARRAYS, kernel

STAGES = 12  # of the method; the slopes at the end of the step are those of one more
ALL_STAGES = 16  # with that at the end, and three for dense output
DENSE_COEFFICIENTS = 7  # of dense output: a polynomial of degree 7 that is zero at the start of the step
# Nodes of Gauss–Legendre quadrature in a panel, of an order above that of the steps; and equal panels in a step.
GAUSS_NODES, MOST_WORK_PANELS = 8, 32
ESTIMATE_ACCURACY = 1e-4  # accuracy of an estimate of the error, as part of it


class Stages(NamedTuple):
    """Slopes of one step, dense output, and the state at the end of the step."""

    D: Floats  # (ALL_STAGES, n) ḋ
    V: Floats  # (ALL_STAGES, n) v̇
    F: Floats  # (DENSE_COEFFICIENTS, 2, n) dense output of d and v
    v0: Floats  # (n,) v at the start
    q: Floats  # (nq,)
    d: Floats  # (n,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    P: Floats  # (ALL_STAGES,) power of drives and of loads without a potential at the stages [W]
    W: Floats  # (DENSE_COEFFICIENTS,) dense output of their work; the first number is that of the whole step [J]
    G: Floats  # (MOST_WORK_PANELS, GAUSS_NODES) their power at the nodes of Gauss [W]


def stages(nq: int, n: int) -> Stages:
    """Arrays for one step."""
    v0, d, v, vdot = np.zeros((4, n))
    return Stages(
        D=np.zeros((ALL_STAGES, n)),
        V=np.zeros((ALL_STAGES, n)),
        F=np.zeros((DENSE_COEFFICIENTS, 2, n)),
        v0=v0,
        q=np.zeros(nq),
        d=d,
        v=v,
        vdot=vdot,
        P=np.zeros(ALL_STAGES),
        W=np.zeros(DENSE_COEFFICIENTS),
        G=np.zeros((MOST_WORK_PANELS, GAUSS_NODES)),
    )


@kernel(**NO_ARRAYS)
def combine(s: Stages, p: StageState, row: Floats, h: float, count: int) -> None:
    """d = h Σ a_j ḋ_j,  v = v_0 + h Σ a_j v̇_j."""
    p.d[:] = 0.0
    copy(s.v0, p.v)
    for j in range(count):
        a = h * row[j]
        if a != 0.0:
            for k in range(p.d.shape[0]):
                p.d[k] += a * s.D[j, k]
                p.v[k] += a * s.V[j, k]


@kernel(**NO_ARRAYS)
def tangent_error(
    s: Stages, p: StageState, metric: MetricPlan, m: MetricWork, E: Floats, h: float, tol: float, projected: bool
) -> float:
    """The largest error h Σ E_j k_j along the manifold, in tolerances.

    The part across the manifold is projected out at the end of the step and does not count, unless nothing is
    ``projected``; the factors are those of the last stage.  A tolerance is tol characteristic lengths or radians; for
    velocities per second, and relative.
    """
    size = 0.0
    for part in range(2):
        K = s.D if part == 0 else s.V
        p.change[:] = 0.0
        for j in range(STAGES):
            if E[j] != 0.0:
                for k in range(p.change.shape[0]):
                    p.change[k] += h * E[j] * K[j, k]
        if projected:
            to_root(metric, m, p.change)
            m.b[:] = 0.0
            least_change(metric, m, ESTIMATE_ACCURACY)
            from_root(metric, m, p.change)
        for k in range(p.change.shape[0]):
            scale = metric.scale[k] + part * abs(s.v0[k])
            if not abs(p.change[k]) <= size * scale:
                size = abs(p.change[k]) / scale
    return float(size / tol)


@kernel(**NO_ARRAYS)
def error(
    s: Stages, p: StageState, metric: MetricPlan, m: MetricWork, tableau: Tableau, h: float, tol: float, projected: bool
) -> float:  # fmt: skip
    """The estimated error of a step in tolerances: e₅² / √(e₅² + 0.01 e₃²).

    Hairer, Nørsett & Wanner 1993, Sect. II.10.
    """
    e5 = tangent_error(s, p, metric, m, tableau.E5, h, tol, projected)
    e3 = tangent_error(s, p, metric, m, tableau.E3, h, tol, projected)
    return e5 * e5 / math.sqrt(e5 * e5 + 0.01 * e3 * e3) if e5 != 0.0 else 0.0


@kernel(**NO_ARRAYS)
def h_lambda(s: Stages, metric: MetricPlan, tableau: Tableau, h: float) -> float:
    """h |λ|, λ the largest eigenvalue of the linearised motion, from the two stages at the end of a step.

    |λ| = min(|Δv̇|/|Δv|, √(|Δv̇|/|Δd|)): the first for dampers, the second for springs, and each at least |λ| for the
    other.  For systems of order two, after Hairer & Wanner 1996, Sect. IV.2 (stiffness detection).
    """
    difference_d = difference_v = difference_vdot = 0.0
    for k in range(s.v0.shape[0]):
        d = v = 0.0
        vdot = s.V[STAGES, k] - s.V[STAGES - 1, k]
        for j in range(STAGES):
            a = h * (tableau.A[STAGES, j] - tableau.A[STAGES - 1, j])
            d += a * s.D[j, k]
            v += a * s.V[j, k]
        weight = 1.0 / (metric.scale[k] * metric.scale[k])
        difference_d += weight * d * d
        difference_v += weight * v * v
        difference_vdot += weight * vdot * vdot
    if difference_vdot == 0.0 or difference_d == 0.0 or difference_v == 0.0:
        return 0.0
    return float(h * min(math.sqrt(difference_vdot / difference_v), (difference_vdot / difference_d) ** 0.25))


@kernel(**NO_ARRAYS)
def store_end(s: Stages, p: StageState) -> None:
    """Keep the projected state at the end of a step."""
    copy(p.q, s.q)
    copy(p.d, s.d)
    copy(p.v, s.v)
    copy(p.vdot, s.vdot)


@kernel(**NO_ARRAYS)
def accept_step(
    s: Stages, now: IntegratorState, out: Output, times: Floats, t: float, every: bool, work: float, power: float
) -> None:
    """Accept a step that did some work [J]: its end becomes the state of the run, with an output row where one is due.

    ``power`` [W] is that at its end.
    """
    now.scalars[TIME] = t
    now.scalars[WORK_DONE] += work
    now.scalars[POWER] = power
    copy(s.q, now.q)
    copy(s.v, now.v)
    copy(s.vdot, now.vdot)
    due = now.counts[NEXT] < times.shape[0] and times[now.counts[NEXT]] <= t
    if every or due:
        row = now.counts[FILLED]
        store(out, row, t, now.q, now.v, now.vdot, now.scalars[WORK_DONE])
        copy(now.lam, out.lam[row])
        now.counts[FILLED] += 1
        now.counts[NEXT] += due


@kernel(**NO_ARRAYS)
def interpolant(s: Stages, tableau: Tableau, h: float) -> None:
    """Coefficients of the dense output of order 7.  Hairer, Nørsett & Wanner 1993, Sect. II.6."""
    for k in range(s.d.shape[0]):
        for part in range(2):
            K = s.D if part == 0 else s.V
            change = s.d[k] if part == 0 else s.v[k] - s.v0[k]
            s.F[0, part, k] = change
            s.F[1, part, k] = h * K[0, k] - change
            s.F[2, part, k] = 2 * change - h * (K[STAGES, k] + K[0, k])
            for i in range(4):
                f = 0.0
                for j in range(ALL_STAGES):
                    f += tableau.D[i, j] * K[j, k]
                s.F[3 + i, part, k] = h * f


@kernel(**NO_ARRAYS)
def interpolate(s: Stages, p: StageState, x: float) -> None:
    """d and v at the part x of a step."""
    for k in range(s.d.shape[0]):
        d = v = 0.0
        for i in range(DENSE_COEFFICIENTS - 1, -1, -1):
            factor = x if i % 2 == 0 else 1.0 - x
            d = (d + s.F[i, 0, k]) * factor
            v = (v + s.F[i, 1, k]) * factor
        p.d[k] = d
        p.v[k] = s.v0[k] + v
