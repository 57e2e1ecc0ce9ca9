"""Stiffness of a mechanism along its freedoms at a pose of rest, and whether the pose is stable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.body_state import centre
from reactio.linear.least_norm import least_norm
from reactio.space.frames import origins
from reactio.statics.loads import size, standing
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

# Of differences [characteristic lengths, rad]: with Richardson's extrapolation truncation is of order STEP⁴ and
# rounding of order 1e-16/STEP, both beside the largest stiffness.
STEP = 3e-4
UNSURE_STIFFNESS = 3.0  # times what differences of two sizes disagree by
NO_STIFFNESS = 1e-8  # part of the loads: a stiffness below it is none
ROUNDED = 1e-12  # part of the largest stiffness, by which rounding may move the others
CURVED = 1e-6  # [characteristic lengths]: second-order terms above it contradict the constraints
SPINS = 1e-6  # [characteristic lengths] that an idle spin moves a centre of mass or a frame by, for a radian


@dataclass(frozen=True, eq=False)
class Along:
    """Freedoms of a pose and what it meets there; T is orthonormal in characteristic lengths and radians."""

    eqs: Equations
    T: Floats  # (n, d)
    g: Floats  # (d,) TᵀQ, minus the gradient of the potential [J]

    @property
    def loads(self) -> float:
        """Size of the loads [J]."""
        return size(self.eqs)


def along(eqs: Equations) -> Along:
    """T = null(C) and the loads along it."""
    scale = eqs.system.column_scale
    n = eqs.system.n
    T = np.linalg.qr(eqs.solvability.T / scale[:, None])[0] if eqs.system.m else np.eye(n)
    T = scale[:, None] * T
    return Along(eqs, T, T.T @ eqs.Q)


@dataclass(frozen=True, eq=False)
class Stiffness:
    """K (d, d) = −∂(TᵀQ − TᵀCᵀλ)/∂s along the freedoms, with what constraint forces do on curved ways."""

    K: Floats  # [J]
    error: Floats  # (d, d) by which differences may be off
    loads: float  # size of the loads [J]

    @property
    def symmetric(self) -> bool:
        """Has Q a potential here?  Loads that follow their body have none."""
        off = np.abs(self.K - self.K.T).max(initial=0.0)
        sure = UNSURE_STIFFNESS * np.abs(self.error).max(initial=0.0) + NO_STIFFNESS * self.loads
        return bool(off <= sure + np.sqrt(ROUNDED) * np.abs(self.K).max(initial=0.0))

    def principal(self) -> tuple[Floats, Floats, Floats]:
        """Values of the symmetric part, smallest first, their directions, and what each may be off by."""
        values, V = np.linalg.eigh((self.K + self.K.T) / 2)
        off = UNSURE_STIFFNESS * np.abs(np.einsum("ik,ij,jk->k", V, self.error, V))
        return values, V, off + NO_STIFFNESS * self.loads + ROUNDED * np.abs(values).max(initial=0.0)


def stiffness(at: Along) -> Stiffness:
    """K by central differences of two sizes on the poses around, of Q − Cᵀλ with the multipliers λ that hold this one.

    Displaced poses need not be closed: Q − Cᵀλ is the gradient of the Lagrange function, whose second derivatives along
    T are those of the potential on the constraints.
    """
    eqs, T = at.eqs, at.T
    lam = multipliers(at)
    whole = (differences(eqs, T, lam, STEP), differences(eqs, T, lam, 2 * STEP))
    K = (4 * whole[0] - whole[1]) / 3
    return Stiffness(K, K - whole[0], at.loads)


def multipliers(at: Along) -> Floats:
    """λ (m,) with Cᵀλ = Q but for what Q does along the freedoms."""
    eqs, scale = at.eqs, at.eqs.system.column_scale
    if not eqs.system.m:
        return np.zeros(0)
    held = scale * eqs.Q - (at.T / scale[:, None]) @ at.g
    A = (eqs.C.multiply(scale[None, :])).tocsr()
    rows = 1.0 / np.sqrt(np.maximum(np.asarray((A * A).sum(axis=1)).reshape(-1), 1e-300))
    return np.asarray(rows * least_norm(A.multiply(rows[:, None]).T.tocsr(), held))


def differences(eqs: Equations, T: Floats, lam: Floats, h: float) -> Floats:
    """−∂(TᵀQ − TᵀCᵀλ)/∂s for displacements s along T (n, d), to order h²."""
    K = np.zeros((T.shape[1], T.shape[1]))
    for k in range(T.shape[1]):
        ends = []
        for sign in (h, -h):
            there = standing(eqs.system, eqs.state.t, advance(eqs.system, eqs.state.q, sign * T[:, k]))
            ends.append(T.T @ (there.Q - there.C.T @ lam))
        K[:, k] = (ends[1] - ends[0]) / (2 * h)
    return K


class StabilityWord(StrEnum):
    """Whether a pose of rest is stable."""

    STABLE = "stable"  # every motion meets stiffness
    NEUTRAL = "neutral"  # some motion meets none
    UNSTABLE = "unstable"  # some motion gathers speed
    UNDECIDED = "undecided"  # terms of first order do not tell


@dataclass(frozen=True)
class Stability:
    """Whether a pose of rest is stable, and what moves freely beside."""

    word: StabilityWord
    why: str  # a sentence, or ""
    idle: tuple[str, ...]  # bodies that may spin without moving anything else


def stability(at: Along, found: Stiffness) -> Stability:
    """Stable where every motion meets stiffness, but for bodies that spin idly about their own axis."""
    if _singular(at):
        return Stability(
            StabilityWord.UNDECIDED,
            "The pose is singular: not all motions of first order exist, and forces along them may hold it or not.",
            (),
        )
    if not found.symmetric:
        return _circulatory(at, found)
    values, V, off = found.principal()
    if (values < -off).any():
        return Stability(StabilityWord.UNSTABLE, "", ())
    free = at.T @ V[:, values <= off]
    idle = _idle(at.eqs, free)
    if idle is None or (free.shape[1] and free.shape[1] == len(values)):
        moving = _moving(at.eqs, free)
        return Stability(StabilityWord.NEUTRAL, f"Motions of {', '.join(moving)} meet no stiffness.", ())
    return Stability(StabilityWord.STABLE, "", idle)


def _circulatory(at: Along, found: Stiffness) -> Stability:
    """Of loads without potential: by the eigenvalues σ of TᵀMT σ² + TᵀDT σ + K, D the damping."""
    eqs, T = at.eqs, at.T
    M = T.T @ (eqs.M @ T)
    if not len(M) or np.linalg.eigvalsh(M)[0] <= ROUNDED * np.abs(M).max():
        return Stability(StabilityWord.UNDECIDED, "Loads follow bodies that have no mass: they have no potential.", ())
    d = len(M)
    D = np.zeros((d, d))
    for k in range(d):
        ends = [equations(eqs.system, State(eqs.state.t, eqs.state.q, s * STEP * T[:, k])).Q for s in (1, -1)]
        D[:, k] = T.T @ (ends[1] - ends[0]) / (2 * STEP)
    A = np.block([[np.zeros((d, d)), np.eye(d)], [-np.linalg.solve(M, found.K), -np.linalg.solve(M, D)]])
    sigma = np.linalg.eigvals(A)
    size = np.abs(sigma).max()
    why = "Loads follow their bodies and have no potential: small motions decide."
    if (sigma.real > np.sqrt(NO_STIFFNESS) * size).any():
        grows = sigma[sigma.real.argmax()]
        kind = f"swings of {abs(grows.imag) / (2 * np.pi):.3g} Hz grow" if abs(grows.imag) > 1e-6 * size else "it tips"
        return Stability(StabilityWord.UNSTABLE, f"{why} {kind[0].upper()}{kind[1:]}.", ())
    still = (np.abs(sigma) <= np.sqrt(NO_STIFFNESS) * size).any()
    return Stability(StabilityWord.NEUTRAL if still else StabilityWord.STABLE, why, ())


def _singular(at: Along) -> bool:
    """Do constraints contradict motions along T at second order?  N of C: Nᵀ Φ″[x, x] must vanish for every x in T."""
    eqs = at.eqs
    if not eqs.system.m or not eqs.solvability.redundancy or not at.T.shape[1]:
        return False
    scale = _row_lengths(eqs)
    N = np.linalg.qr(eqs.solvability.N * scale[:, None])[0]
    rng = np.random.default_rng(1)
    d = at.T.shape[1]
    for x in (*np.eye(d), *rng.standard_normal((3, d))):
        ends = [
            equations(eqs.system, State(eqs.state.t, advance(eqs.system, eqs.state.q, s * STEP * at.T @ x), 0 * eqs.Q))
            for s in (1.0, -1.0)
        ]
        second = (ends[0].Phi + ends[1].Phi - 2 * eqs.Phi) / STEP**2
        if np.abs(N.T @ (second / scale)).max() > CURVED:
            return True
    return False


def _row_lengths(eqs: Equations) -> Floats:
    """(m,) what each row gains when the mechanism moves by a characteristic length or a radian."""
    A = eqs.C.multiply(eqs.system.column_scale[None, :]).tocsr()
    return np.asarray(np.sqrt(np.maximum(np.asarray((A * A).sum(axis=1)).reshape(-1), 1e-300)))


def _idle(eqs: Equations, free: Floats) -> tuple[str, ...] | None:
    """Bodies that spin in motions (n, k) which move no centre of mass and no frame; None where something moves."""
    system, q = eqs.system, eqs.state.q
    names: list[str] = []
    for x in free.T:
        ends = [equations(system, State(eqs.state.t, advance(system, q, s * STEP * x), 0 * x)) for s in (1.0, -1.0)]
        far = [np.abs(origins(ends[0].work.F) - origins(ends[1].work.F)).max(initial=0.0)]
        for b in range(len(system.model.bodies)):
            far.append(np.abs(centre(system, b, ends[0].state.q) - centre(system, b, ends[1].state.q)).max())
        if max(far) > SPINS * 2 * STEP * system.length:
            return None
        names += [name for name in _moving(eqs, x[:, None]) if name not in names]
    return tuple(names)


def _moving(eqs: Equations, free: Floats) -> list[str]:
    """Bodies with a part in motions (n, k)."""
    system = eqs.system
    moved = np.abs(free / system.column_scale[:, None]).max(axis=1, initial=0.0)
    own = (moved[system.body_v[b] : system.body_v[b + 1]] for b in range(len(system.model.bodies)))
    pairs = zip(system.model.bodies, own, strict=True)
    return [body.name for body, x in pairs if x.max(initial=0.0) > SPINS * moved.max(initial=0.0)]
