"""Stiffness of a mechanism along its freedoms at a pose of rest, and whether the pose is stable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.kinematics.body_state import centre
from reactio.linear.least_norm import least_norm
from reactio.linear.precision import LOCATED, ROUNDOFF, SOLUTION
from reactio.space.frames import origins_of_frames
from reactio.statics.loads import equations_at_rest, largest_load
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

# Displacement of differences [characteristic lengths, rad]: with Richardson's extrapolation they have errors of the
# order STIFFNESS_STEP⁴ by truncation and 1e-16/STIFFNESS_STEP by rounding, as parts of the largest stiffness.
STIFFNESS_STEP = 3e-4
UNSURE_STIFFNESS = 3.0  # error of a stiffness, in units of the disagreement of differences of two sizes
NO_STIFFNESS = 10 * SOLUTION  # part of the loads: a stiffness below it counts as zero
LARGEST_CURVATURE = LOCATED  # [characteristic lengths]: larger second-order terms contradict the constraints
SWINGS = LOCATED  # part of a rate that is its frequency, below which a motion tips and does not swing
# Condition of an eigenvalue from which on it is about to merge with another: 1 for frequencies that merely coincide.
MERGING = 1e3


@dataclass(frozen=True, eq=False)
class Freedoms:
    """The admissible displacements of a pose, and the loads along them."""

    eqs: Equations
    T: Floats  # (n, d) basis of null(C), orthonormal in characteristic lengths and radians
    g: Floats  # (d,) TᵀQ, minus the gradient of the potential [J]

    @property
    def loads(self) -> float:
        """Size of the loads [J]."""
        return largest_load(self.eqs)


def freedoms_of(eqs: Equations) -> Freedoms:
    """T = null(C) and the loads along it."""
    scale = eqs.system.column_scale
    n = eqs.system.n
    T = np.linalg.qr(eqs.solvability.T / scale[:, None])[0] if eqs.system.m else np.eye(n)
    T = scale[:, None] * T
    return Freedoms(eqs, T, T.T @ eqs.Q)


class PrincipalStiffness(NamedTuple):
    """Eigenvalues of the symmetric part of a stiffness matrix, smallest first."""

    values: Floats  # (d,) [J]
    directions: Floats  # (d, d) its columns are eigenvectors
    error: Floats  # (d,) of the values [J]


@dataclass(frozen=True, eq=False)
class Stiffness:
    """The stiffness matrix along the freedoms, K = −∂(TᵀQ − TᵀCᵀλ)/∂s, geometric stiffness of constraints included."""

    K: Floats  # (d, d) [J]
    error: Floats  # (d, d) of its differences
    loads: float  # size of the loads [J]

    @property
    def symmetric(self) -> bool:
        """Has Q a potential here?  Loads that follow their body have none."""
        off = np.abs(self.K - self.K.T).max(initial=0.0)
        sure = UNSURE_STIFFNESS * np.abs(self.error).max(initial=0.0) + NO_STIFFNESS * self.loads
        return bool(off <= sure + np.sqrt(ROUNDOFF) * np.abs(self.K).max(initial=0.0))

    @property
    def uncertainty(self) -> Floats:
        """(d, d) bounds of the errors of K, by differences and by rounding [J]."""
        rounding = self.loads + np.abs(self.K).max(initial=0.0)
        return np.asarray(UNSURE_STIFFNESS * np.abs(self.error) + np.finfo(float).eps / STIFFNESS_STEP * rounding)

    def principal(self) -> PrincipalStiffness:
        """The eigenvalues and eigenvectors of the symmetric part."""
        values, V = np.linalg.eigh((self.K + self.K.T) / 2)
        off = UNSURE_STIFFNESS * np.abs(np.einsum("ik,ij,jk->k", V, self.error, V))
        error = off + NO_STIFFNESS * self.loads + ROUNDOFF * np.abs(values).max(initial=0.0)
        return PrincipalStiffness(values, V, error)


def stiffness(at: Freedoms) -> Stiffness:
    """K by central differences of two sizes of Q − Cᵀλ, with the multipliers λ that hold this pose.

    Displaced poses need not be closed: Q − Cᵀλ is the gradient of the Lagrange function, whose second derivatives along
    T are those of the potential on the constraints.
    """
    lam = multipliers(at)
    K, error = _extrapolated(lambda h: differences(at.eqs, at.T, lam, h))
    return Stiffness(K, error, at.loads)


def _extrapolated(differences: Callable[[float], Floats]) -> tuple[Floats, Floats]:
    """Differences of two sizes after Richardson's extrapolation, and its change: an estimate of their error."""
    fine, coarse = differences(STIFFNESS_STEP), differences(2 * STIFFNESS_STEP)
    limit = (4 * fine - coarse) / 3
    return limit, limit - fine


def multipliers(at: Freedoms) -> Floats:
    """λ (m,) with Cᵀλ = Q, less the part of Q along the freedoms, which is not held."""
    eqs, scale = at.eqs, at.eqs.system.column_scale
    if not eqs.system.m:
        return np.zeros(0)
    held = scale * eqs.Q - (at.T / scale[:, None]) @ at.g
    A, rows = eqs.C.multiply(scale[None, :]).tocsr(), 1.0 / _row_lengths(eqs)
    return np.asarray(rows * least_norm(A.multiply(rows[:, None]).T.tocsr(), held))


def differences(eqs: Equations, T: Floats, lam: Floats, h: float) -> Floats:
    """−∂(TᵀQ − TᵀCᵀλ)/∂s for displacements s along T (n, d), to order h²."""
    K = np.zeros((T.shape[1], T.shape[1]))
    for k in range(T.shape[1]):
        ends = []
        for sign in (h, -h):
            displaced = equations_at_rest(eqs.system, eqs.state.t, advance(eqs.system, eqs.state.q, sign * T[:, k]))
            ends.append(T.T @ (displaced.Q - displaced.C.T @ lam))
        K[:, k] = (ends[1] - ends[0]) / (2 * h)
    return K


class StabilityWord(StrEnum):
    """Whether a pose of rest is stable."""

    STABLE = "stable"  # every motion meets stiffness
    NEUTRAL = "neutral"  # some motion meets none
    UNSTABLE = "unstable"  # some motion grows
    UNDECIDED = "undecided"  # the stiffness does not decide it


@dataclass(frozen=True)
class Stability:
    """Whether a pose of rest is stable, and why."""

    word: StabilityWord
    why: str  # a sentence, or ""
    idle: tuple[str, ...]  # bodies that may spin about their own axis without moving anything else


def stability(at: Freedoms, tangent: Stiffness) -> Stability:
    """Stable where every motion meets stiffness, but for bodies that spin idly about their own axis."""
    if _singular(at):
        return Stability(
            StabilityWord.UNDECIDED,
            "The pose is singular: not all motions of first order exist, and forces along them may hold it or not.",
            (),
        )
    if not tangent.symmetric:
        return _circulatory(at, tangent)
    values, V, off = tangent.principal()
    if (values < -off).any():
        return Stability(StabilityWord.UNSTABLE, "", ())
    free = at.T @ V[:, values <= off]
    idle = _idle(at.eqs, free)
    if idle is None or (free.shape[1] and free.shape[1] == len(values)):
        moving = _moving_bodies(at.eqs, free)
        return Stability(
            StabilityWord.NEUTRAL,
            f"Motions of {', '.join(moving)} meet no stiffness: this is the pose of rest nearest to the start.",
            (),
        )
    return Stability(StabilityWord.STABLE, "", idle)


def _circulatory(at: Freedoms, tangent: Stiffness) -> Stability:
    """Stability under loads without a potential, by the eigenvalues σ of TᵀMT σ² + TᵀDT σ + K, D the damping.

    Without damping σ² are the eigenvalues of −M⁻¹K: swings stay bounded where all of them are real and negative.
    """
    eqs, T = at.eqs, at.T
    M = T.T @ (eqs.M @ T)
    if not len(M) or np.linalg.eigvalsh(M)[0] <= ROUNDOFF * np.abs(M).max():
        return Stability(StabilityWord.UNDECIDED, "Loads follow bodies that have no mass: they have no potential.", ())
    half = np.linalg.inv(np.linalg.cholesky(M))  # masses of one: the frequencies of all motions compare then
    K, unsure = half @ tangent.K @ half.T, np.abs(half) @ tangent.uncertainty @ np.abs(half.T)
    D, damping_error = damping(at)
    undamped = not (np.abs(D) > damping_error).any()
    if undamped:
        squares = _eigenvalues(-K, unsure)
        word, rate = _undamped(squares)
    else:
        d, zero = len(M), np.zeros_like(M)
        A = np.block([[zero, np.eye(d)], [-K, -half @ D @ half.T]])
        loose = np.block([[zero, zero], [unsure, np.abs(half) @ damping_error @ np.abs(half.T)]])
        word, rate = _damped(_eigenvalues(A, loose), _eigenvalues(-K, unsure))
    why = "Loads follow their bodies and have no potential: small motions decide."
    if word is StabilityWord.UNDECIDED:
        why += " Whether they grow is within the error of their rates."
    if word is StabilityWord.UNSTABLE:
        swings = abs(rate.imag) > abs(rate) * SWINGS
        why += f" Swings of {abs(rate.imag) / (2 * np.pi):.3g} Hz grow." if swings else " It tips."
    return Stability(word, why, ())


class _Eigenvalues(NamedTuple):
    """Eigenvalues of a matrix that is known within bounds of its entries."""

    values: npt.NDArray[np.complex128]  # (d,)
    error: Floats  # (d,) |y|ᵀ E |x| / |yᴴx| to first order, x and y right and left eigenvectors, E the bounds
    condition: Floats  # (d,) |y| |x| / |yᴴx|: large where eigenvalues merge


def _eigenvalues(A: Floats, bounds: Floats) -> _Eigenvalues:
    from scipy.linalg import eig

    values, Y, X = eig(A, left=True, right=True)  # type: ignore[misc]
    product = np.abs((Y.conj() * X).sum(axis=0))
    product = np.maximum(product, np.finfo(float).tiny)
    size = np.linalg.norm(Y, axis=0) * np.linalg.norm(X, axis=0)
    rounding = np.finfo(float).eps * np.linalg.norm(A, 2) * size
    error = (np.einsum("ik,ij,jk->k", np.abs(Y), bounds, np.abs(X)) + len(A) * rounding) / product
    return _Eigenvalues(values, error, size / product)


def _undamped(squares: _Eigenvalues) -> tuple[StabilityWord, complex]:
    """The word for σ² (d,), and the σ that grows most."""
    mu, error = squares.values, squares.error
    rates = np.sqrt(mu.astype(complex))  # the root with a real part that is not negative
    grows = (np.abs(mu.imag) > error) | (mu.real > error)
    if grows.any():
        return StabilityWord.UNSTABLE, complex(rates[grows][rates[grows].real.argmax()])
    apart = np.abs(mu[:, None] - mu[None]) + np.where(np.eye(len(mu), dtype=bool), np.inf, 0.0)
    if ((squares.condition > MERGING) & (apart.min(axis=1, initial=np.inf) <= 2 * error)).any():
        return StabilityWord.UNDECIDED, 0j  # two frequencies merge, as where flutter begins
    return (StabilityWord.NEUTRAL if (mu.real >= -error).any() else StabilityWord.STABLE), 0j


def _damped(rates: _Eigenvalues, squares: _Eigenvalues) -> tuple[StabilityWord, complex]:
    """The word for σ (2d,); ``squares``: of −M⁻¹K, zero where motions meet no stiffness."""
    sigma, error = rates.values, rates.error
    grows = sigma.real > error
    if grows.any():
        return StabilityWord.UNSTABLE, complex(sigma[grows][sigma[grows].real.argmax()])
    free = int((np.abs(squares.values) <= squares.error).sum())
    unsure = int((sigma.real >= -error).sum())
    if unsure > free:
        return StabilityWord.UNDECIDED, 0j
    return (StabilityWord.NEUTRAL if free else StabilityWord.STABLE), 0j


def damping(at: Freedoms) -> tuple[Floats, Floats]:
    """D = −∂(TᵀQ)/∂ṡ (d, d) at rest by differences of two sizes, and bounds of its error."""
    D, error = _extrapolated(lambda h: _damping_differences(at.eqs, at.T, h))
    rounding = np.finfo(float).eps * at.loads / STIFFNESS_STEP
    return D, UNSURE_STIFFNESS * np.abs(error) + rounding


def _damping_differences(eqs: Equations, T: Floats, h: float) -> Floats:
    D = np.zeros((T.shape[1], T.shape[1]))
    for k in range(T.shape[1]):
        ends = [equations(eqs.system, State(eqs.state.t, eqs.state.q, s * h * T[:, k])).Q for s in (1, -1)]
        D[:, k] = T.T @ (ends[1] - ends[0]) / (2 * h)
    return D


def _both_sides(eqs: Equations, x: Floats) -> tuple[Equations, Equations]:
    """The equations at rest in the poses at ±STIFFNESS_STEP along a displacement x (n,)."""
    system, state = eqs.system, eqs.state
    ahead, behind = (
        equations(system, State(state.t, advance(system, state.q, sign * STIFFNESS_STEP * x), np.zeros(system.n)))
        for sign in (1.0, -1.0)
    )
    return ahead, behind


def _singular(at: Freedoms) -> bool:
    """Do constraints contradict motions along T at second order?  Nᵀ Φ″[x, x] with N = null(Cᵀ) is then not zero."""
    eqs = at.eqs
    if not eqs.system.m or not eqs.solvability.redundancy or not at.T.shape[1]:
        return False
    scale = _row_lengths(eqs)
    N = np.linalg.qr(eqs.solvability.N * scale[:, None])[0]
    rng = np.random.default_rng(1)
    d = at.T.shape[1]
    for x in (*np.eye(d), *rng.standard_normal((3, d))):
        ahead, behind = _both_sides(eqs, at.T @ x)
        second = (ahead.Phi + behind.Phi - 2 * eqs.Phi) / STIFFNESS_STEP**2
        if np.abs(N.T @ (second / scale)).max() > LARGEST_CURVATURE:
            return True
    return False


def _row_lengths(eqs: Equations) -> Floats:
    """(m,) lengths of the rows of C on displacements in characteristic lengths and radians."""
    A = eqs.C.multiply(eqs.system.column_scale[None, :]).tocsr()
    return np.asarray(np.sqrt(np.maximum(np.asarray((A * A).sum(axis=1)).reshape(-1), 1e-300)))


def _idle(eqs: Equations, free: Floats) -> tuple[str, ...] | None:
    """Bodies that spin in motions (n, k) which move no centre of mass and no frame; None where one of these moves."""
    system = eqs.system
    names: list[str] = []
    for x in free.T:
        ahead, behind = _both_sides(eqs, x)
        far = [np.abs(origins_of_frames(ahead.work.F) - origins_of_frames(behind.work.F)).max(initial=0.0)]
        for b in range(len(system.model.bodies)):
            far.append(np.abs(centre(system, b, ahead.state.q) - centre(system, b, behind.state.q)).max())
        if max(far) > LOCATED * 2 * STIFFNESS_STEP * system.length:
            return None
        names += [name for name in _moving_bodies(eqs, x[:, None]) if name not in names]
    return tuple(names)


def _moving_bodies(eqs: Equations, free: Floats) -> list[str]:
    """Bodies that take part in motions (n, k)."""
    system = eqs.system
    moved = np.abs(free / system.column_scale[:, None]).max(axis=1, initial=0.0)
    parts = (moved[system.body_v[b] : system.body_v[b + 1]] for b in range(len(system.model.bodies)))
    pairs = zip(system.model.bodies, parts, strict=True)
    return [body.name for body, x in pairs if x.max(initial=0.0) > LOCATED * moved.max(initial=0.0)]
