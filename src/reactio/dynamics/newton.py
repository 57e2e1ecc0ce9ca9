"""The stages of an implicit step by Newton's method, and the error of the step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.collocation import RADAU, from_modes, to_modes
from reactio.dynamics.field import points
from reactio.dynamics.manifold import FINE, INACCURATE, Manifold
from reactio.dynamics.tangent import Slopes, along, factors, product, slopes, solved, tangent
from reactio.kernels import Kernel
from reactio.system.types import System

MOST, PATIENT = 10, 50  # iterations, also of steps whose size is fixed
SLOW = 1e-2  # rate from which on new Jacobians are worth their evaluations
ENOUGH = 1e-2  # what the iteration leaves, in tolerances: well below the error of the step
# What it may always leave [lengths, rad; velocities relative]: some roundings of lengths and of the projection.
ROUNDING = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where a step begins, and how its errors are measured."""

    system: System
    on: Manifold
    field: Kernel[..., int]
    t: float  # [s]
    q: Floats  # (nq,)
    y: Floats  # (2 n,) d = 0 and v
    f: Floats  # (2 n,) ḋ = v and v̇ there
    h: float  # [s]
    tol: float
    limit: float  # position residual from which on a pose is refused
    most: int  # iterations

    @property
    def times(self) -> Floats:
        """(3,) of the stages [s]."""
        return np.asarray(self.t + RADAU.c * self.h)

    def size(self, change: Floats) -> float:
        """The largest change in tolerances: lengths and radians; velocities per second, and relative."""
        unit, v = self.on.metric.scale, np.split(self.y, 2)[1]
        scale = np.concatenate([unit, unit + np.abs(v)])
        return float((np.abs(change) / scale).max(initial=0.0)) / self.tol

    @property
    def enough(self) -> float:
        """What an iteration may leave, in tolerances."""
        return max(ENOUGH, ROUNDING / self.tol)


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """What an iteration found: why it is of no use (or FINE)."""

    reason: int
    Z: Floats  # (3, 2 n) stages less the start
    first: Floats  # (3, 2 n) the first iterate: the solution of the linearised equations
    used: int = 0  # evaluations
    iterations: int = 0
    rate: float = np.inf  # by which the iteration converged; infinite where it did not
    moved: Floats | None = None  # (3, 2) by the projection of the stages
    weak: int = 0  # largest number of weak pivots at a stage


def converge(start: Start, J: Slopes) -> Stages:
    """Z_i = h Σ a_ij F(y_0 + Z_j) from Z = 0 by simplified Newton iteration.

    It stops when η |ΔZ| is small, η = θ/(1 − θ), or will not be in time.  Hairer & Wanner 1996, Eq. IV.8.11.
    """
    real, pair = (factors(J, mu / start.h) for mu in (RADAU.mu[0].real, RADAU.mu[1]))
    w, z = np.zeros(len(start.y)), np.zeros(len(start.y), dtype=complex)
    Z, first, before = np.zeros((3, len(start.y))), np.zeros((3, len(start.y))), np.inf
    for k in range(1, start.most + 1):
        asked = points(start.q, start.times, (start.y + Z).reshape(3, 2, -1))
        reason = start.field(start.on, asked, max(1e-13, 1e-4 * start.tol), start.limit)
        if reason != FINE:
            return Stages(reason, Z, first, 3 * k)
        F, F_pair = to_modes(asked.F.reshape(3, -1))
        dw, dz = solved(J, real, F - real.a.real * w), solved(J, pair, F_pair - pair.a * z)
        w, z = w + dw, z + dz
        Z, size = from_modes(w, z), start.size(from_modes(dw, dz))
        first = Z if k == 1 else first
        rate, left = _rate(size, before)
        if left <= start.enough:
            return Stages(FINE, Z, first, 3 * k, k, rate, asked.moved, int(asked.weak.max()))
        if k > 1 and not (rate < 1 and left * rate ** (start.most - k) <= start.enough):
            return Stages(INACCURATE, Z, first, 3 * k)
        before = size
    return Stages(INACCURATE, Z, first, 3 * start.most)


def _rate(size: float, before: float) -> tuple[float, float]:
    """How fast an iteration converges, and what it leaves."""
    if before == np.inf:
        return 0.0, size
    rate = size / before
    return rate, size * rate / (1 - rate) if rate < 1 else np.inf


def converge_fully(start: Start, found: Stages) -> Stages:
    """The same with a Jacobian at every stage, for steps in which stiff directions turn; new ones while that is slow.

    ΔZ = h A (R + B u),    (1 − Wᵀ h A B) u = Wᵀ h A R,    R = F − A⁻¹ Z/h, with B and W of all stages side by side.
    """
    Z, before, rate, used, Js = found.first, np.inf, 1.0, found.used, list[Slopes]()
    for k in range(1, start.most + 1):
        if k <= 2 or rate > SLOW:
            Js = []
            for t, z in zip(start.times, Z, strict=True):
                J = slopes(start.system, start.on, start.field, float(t), start.q, start.y + z)
                if isinstance(J, int):
                    return Stages(J, Z, found.first, used)
                Js.append(J)
                used += 1 + J.B.shape[1]
        asked = points(start.q, start.times, (start.y + Z).reshape(3, 2, -1))
        reason = start.field(start.on, asked, max(1e-13, 1e-4 * start.tol), start.limit)
        used += 3
        if reason != FINE:
            return Stages(reason, Z, found.first, used)
        change = _newton_step(Js, start.h * RADAU.A, asked.F.reshape(3, -1), Z)
        Z, size = Z + change, start.size(change)
        rate, left = _rate(size, before)
        if left <= start.enough:
            # Rate 1: the simplified iteration did not converge, and the next step wants a Jacobian of its own.
            return Stages(FINE, Z, found.first, used, k, 1.0, asked.moved, int(asked.weak.max()))
        if k > 2 and rate > 1:
            break
        before = size
    return Stages(INACCURATE, Z, found.first, used)


def _newton_step(Js: list[Slopes], hA: Floats, F: Floats, Z: Floats) -> Floats:
    """ΔZ of Newton's method."""
    right = hA @ F - Z
    small = np.block([[hA[i, j] * product(one, two.B) for j, two in enumerate(Js)] for i, one in enumerate(Js)])
    given = np.concatenate([along(J, r) for J, r in zip(Js, right, strict=True)])
    u = np.linalg.solve(np.eye(len(small)) - small, given)
    ends = np.cumsum([J.B.shape[1] for J in Js])[:-1]
    return np.asarray(right + hA @ np.stack([J.B @ part for J, part in zip(Js, np.split(u, ends), strict=True)]))


def estimate(start: Start, J: Slopes, Z: Floats, again: bool) -> tuple[float, int]:
    """The error along the manifold in tolerances, and evaluations.

    (μ/h − J) e = f(y_0) + Σ E_i Z_i / h; where that is too large in a first or repeated step, f(y_0 + e) takes the
    place of f(y_0), so that what is stiff and off there does not count.  Hairer & Wanner 1996, Eq. IV.8.19, 8.20.
    """
    tail, filtering = RADAU.E @ Z / start.h, factors(J, RADAU.mu[0].real / start.h)
    e = tangent(J, solved(J, filtering, start.f + tail))
    if start.size(e) <= 1.0 or not again:
        return start.size(e), 0
    asked = points(start.q, np.array([start.t]), (start.y + e).reshape(1, 2, -1))
    if start.field(start.on, asked, 1e-13, start.limit) != FINE:
        return start.size(e), 1
    return start.size(tangent(J, solved(J, filtering, asked.F.ravel() + tail))), 1
