"""Accelerations of a constrained system: C of any rank, bodies with or without mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, dense, like
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.contact import NO_ACCELERATION, refuse_opening
from reactio.forward_dynamics.friction import with_friction
from reactio.kinematics.components import connected_parts, negligible_residuals
from reactio.linear.block_root import inverse_root, massless
from reactio.linear.least_norm import refined_least_norm
from reactio.linear.precision import LOCATED, ROUNDOFF, SOLUTION
from reactio.system.equations import Equations
from reactio.system.geometry.accuracy import known_accuracy

# Residuals of C v̇ = Γ above this part of its terms contradict each other: poses and velocities count as assembled at
# 1e-9, and numbers from files may be rounded to fewer digits.
CONTRADICTION = LOCATED
UNSURE_ACCELERATION = 50.0  # the same in units of the accuracy of a geometry
FORCE_ROUNDING = ROUNDOFF / 100  # of Q and M v̇, after a solution in a few operations for each number


class InconsistentConstraints(ReactioError):
    """Constraints that no acceleration satisfies; ``residuals`` holds (group, size, unit), largest first."""

    def __init__(self, message: str, residuals: tuple[tuple[str, float, str], ...]) -> None:
        self.residuals = residuals
        super().__init__(message)


class UndeterminedMotion(ReactioError):
    """Bodies without mass whose acceleration nothing determines."""


class RootedMass(NamedTuple):
    """The mass matrix of a system, some inertia added where it is singular, and the loads that belong to it."""

    half: Any  # L⁻ᵀ (n, n) of M = L Lᵀ
    Q: Floats  # (n,)
    free: Floats  # (n, k) basis of null(M) ∩ null(C)


@dataclass(frozen=True, slots=True, eq=False)
class Accelerations:
    """Accelerations v̇, and the constraint forces that follow from them.

    v̇ is unique iff null(M) ∩ null(C) = {0}; f is unique in any case, because M v̇ is.
    """

    solution: Floats  # (n,) one v̇ of all that satisfy the equations, which differ by motions ``free`` [m/s², rad/s²]
    f: Floats  # (n,) f = Q − M v̇ = Cᵀλ [N, N m], friction included in Q
    rounding: Floats  # (n,) by which f may be off, as the difference of larger numbers [N, N m]
    free: Floats  # (n, k) basis of null(M) ∩ null(C)
    undetermined: tuple[str, ...]  # bodies whose motion is not determined
    absent: tuple[str, ...] = ()  # joints whose reactions grow beyond all bounds towards this pose: f is without them

    @property
    def determined(self) -> Bools:
        """(n,) which accelerations the model determines."""
        return np.asarray(np.abs(self.free).max(axis=1, initial=0.0) <= SOLUTION)

    @property
    def vdot(self) -> Floats:
        """(n,) v̇ [m/s², rad/s²]; NaN where it is not determined."""
        return self.solution if self.unique else np.where(self.determined, self.solution, np.nan)

    @property
    def unique(self) -> bool:
        """Does the model determine every acceleration?"""
        return not self.undetermined


def accelerations(eqs: Equations, contradiction: float = CONTRADICTION, rule: str | None = None) -> Accelerations:
    """v̇ of M v̇ + Cᵀλ = Q, C v̇ = Γ, whatever the rank of C.

    v̇ minimises (v̇ − a)ᵀ M (v̇ − a) with a = M⁻¹ Q among all that satisfy C v̇ = Γ (Gauss).  With M = L Lᵀ and
    x = Lᵀ v̇ that is the least-norm solution of (C L⁻ᵀ)(x − L⁻¹Q) = Γ − C a.  Wojtyra & Frączek 2013, Eqs 11–13.
    Where bodies have no mass, some is added along the constraints, which does not change v̇: M + CᵀWC, Q + CᵀWΓ.
    Residuals of C v̇ = Γ above ``contradiction`` times its terms are an error.  Friction is found together with the
    reactions it depends on; where these are not unique, neither is v̇, and only a sharing ``rule`` makes one.

    >>> import reactio
    >>> found = accelerations(reactio.equations(reactio.build(reactio.load("pendulum-twice"))))
    >>> found.unique, found.vdot.round(3).tolist()
    (True, [-4.905, -4.905])
    """
    half, Q, free = _rooted(eqs)
    vdot = _constrained(eqs, half, Q, eqs.Gamma)
    if (known := known_accuracy(eqs.system)) is not None:  # rows aligned but for their digits contradict by these
        contradiction = max(contradiction, UNSURE_ACCELERATION * known.relative)
    if contradiction < np.inf:
        check_consistent(eqs, vdot, half @ (half.T @ Q), contradiction)
    vdot, Q = with_friction(eqs, vdot, lambda force: _constrained(eqs, half, force, 0.0 * eqs.Gamma), rule)
    f = Q - eqs.mass @ vdot
    weight = np.where(eqs.system.angular, 0.0, np.linalg.norm(eqs.system.model.gravity))  # other loads may lift it
    rounding = FORCE_ROUNDING * (np.abs(Q) + abs(eqs.mass) @ (np.abs(vdot) + weight))
    return Accelerations(vdot, f, rounding, free, _moving_bodies(eqs, free) if free.shape[1] else ())


def determined_accelerations(eqs: Equations, contradiction: float = CONTRADICTION, rule: str | None = None) -> Floats:
    """v̇ (n,) where the model determines all of it; else an error that names the bodies."""
    solution = accelerations(eqs, contradiction, rule)
    if not solution.unique:
        raise _undetermined(solution.undetermined, solution.free.shape[1])
    return solution.vdot


class ForceResponse(NamedTuple):
    """The effect of a force F alone."""

    x: Floats  # (n,) accelerations of the mechanism
    of_free_bodies: float  # Fᵀ M⁻¹ F: its power on the accelerations of unconstrained bodies


def response(eqs: Equations, force: Floats) -> ForceResponse:
    """x (n,) of M x + Cᵀμ = F, C x = 0, and Fᵀ M⁻¹ F: the effect of a force alone on the mechanism, and on free bodies.

    F (n,) may be an impulse, and x is then the jump of the velocities.  Neither other loads nor friction have a part in
    it.  Where bodies have no mass, M contains the inertia added along the constraints.
    """
    alone = replace(eqs, work=eqs.work._replace(Q=force, Gamma=np.zeros(eqs.system.m)))
    half, F, free = _rooted(alone)
    if free.shape[1]:
        raise _undetermined(_moving_bodies(alone, free), free.shape[1])
    return ForceResponse(_constrained(alone, half, F, alone.Gamma), float(np.sum((half.T @ force) ** 2)))


def _undetermined(names: tuple[str, ...], count: int) -> UndeterminedMotion:
    """The error about bodies whose motion is not determined in a number of directions."""
    bodies = listed([f"'{name}'" for name in names], most=5)
    return UndeterminedMotion(
        f"The motion of {bodies} is not determined: no mass and no constraint in {count} "
        f"direction{'s' if count > 1 else ''}. Give mass and inertia, or hold them."
    )


def _constrained(eqs: Equations, half: Any, Q: Floats, Gamma: Floats) -> Floats:
    """v̇ (n,) by Gauss' principle with M⁻¹ = L⁻ᵀ L⁻¹, ``half`` = L⁻ᵀ."""
    x = half.T @ Q  # L⁻¹ Q
    rank = None if known_accuracy(eqs.system) is None else eqs.solvability.rank
    if eqs.system.m:
        A = eqs.matrix @ half
        x = x + refined_least_norm(A, Gamma - A @ x, rank)
    return np.asarray(half @ x)


def _rooted(eqs: Equations) -> RootedMass:
    """The mass matrix M = L Lᵀ as L⁻ᵀ, with the loads Q; where M is singular, with inertia added."""
    half = inverse_root(eqs.mass, eqs.system.body_v)
    if half is None:
        return _with_added_inertia(eqs)
    return RootedMass(half, eqs.Q, np.zeros((eqs.system.n, 0)))


def _with_added_inertia(eqs: Equations) -> RootedMass:
    """L⁻ᵀ, Q and the free directions F where M is singular: inertia is added along the constraints.

    M' = M + μ CᵀW C + μ FFᵀ, Q' = Q + μ CᵀW Γ: the same v̇, because C v̇ = Γ; no acceleration along F.
    """
    system, C, M = eqs.system, dense(eqs.matrix), dense(eqs.mass)
    unit = system.column_scale / system.length
    rows = _inverse(np.linalg.norm(C * unit, axis=1))
    F = _free(rows[:, None] * C * unit, massless(eqs.mass, system.body_v) / unit[:, None])
    _check_unloaded(eqs, unit, F)
    diagonal = unit**2 * np.diagonal(M)
    mu = float(diagonal[diagonal > 0].mean()) if (diagonal > 0).any() else 1.0
    weighted = mu * rows[:, None] ** 2 * C
    push = F / unit[:, None]
    half = inverse_root(M + C.T @ weighted + mu * push @ push.T, np.array([0, len(M)]))
    assert half is not None, "masses and the added inertia leave no direction without inertia"
    half = like(half, eqs.mass)
    return RootedMass(half, eqs.Q + weighted.T @ eqs.Gamma, unit[:, None] * F)


def _inverse(x: Floats) -> Floats:
    """1/x, and 0 for a row that vanishes."""
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0.0)


def _free(C: Floats, Z: Floats) -> Floats:
    """Orthonormal F (n, k) that spans the directions in span(Z) with C x = 0, C with rows of unit length."""
    Z = np.linalg.qr(Z)[0]
    _, s, Vt = np.linalg.svd(C @ Z)
    return np.asarray(Z @ Vt[(s > SOLUTION).sum() :].T)


def _check_unloaded(eqs: Equations, unit: Floats, F: Floats) -> None:
    """A free direction without mass must carry no load: nothing could balance it."""
    load = F @ (F.T @ (unit * eqs.Q))
    if np.abs(load).max(initial=0.0) > SOLUTION * np.abs(unit * eqs.Q).max():
        worst = int(np.argmax(np.abs(load)))
        name = eqs.system.bodies_of(np.array([worst]))[0]
        effort = "N m" if eqs.system.angular[worst] else "N"
        raise UndeterminedMotion(
            f"Body '{name}' has no mass where nothing holds it, yet {abs(load[worst] / unit[worst]):.4g} {effort} act "
            "there: no acceleration balances that. Give it mass and inertia, or hold it."
        )


def _moving_bodies(eqs: Equations, free: Floats) -> tuple[str, ...]:
    """The bodies that free directions (n, k) move."""
    return eqs.system.bodies_of(np.flatnonzero(np.abs(free).max(axis=1) > SOLUTION))


def check_consistent(eqs: Equations, vdot: Floats, a: Floats, contradiction: float) -> None:
    """Is C v̇ = Γ met?  The least-squares residual lies in null(Cᵀ): it points at the groups that contradict.

    It is compared with the terms that may cancel in it: C v̇, Γ, C a of the free motion, and products of velocities;
    the largest ones in the part of the mechanism that a row belongs to.  Where all of them have died away, as in a
    mechanism that comes to rest, the rest is noise (NO_ACCELERATION).
    """
    system, part = eqs.system, connected_parts(eqs)
    wrong = np.abs(eqs.Gamma - eqs.matrix @ vdot)
    rate = part.in_columns(np.abs(eqs.state.v / system.column_scale))
    terms = np.abs(vdot) + np.abs(a) + rate * np.abs(eqs.state.v)
    still = NO_ACCELERATION * system.row_scale
    sizes = part.in_rows(abs(eqs.matrix) @ terms + np.abs(eqs.Gamma)) + still
    limit = negligible_residuals(sizes, contradiction)
    if (wrong <= limit).all():
        return
    if eqs.constraints.rows.unilateral:
        refuse_opening(eqs)
    violated = []
    for group in system.groups:
        residuals = wrong[group.start : group.stop]
        if (residuals > limit[group.start : group.stop]).any():
            violated.append((group, float(residuals.max()), f"{group.units[int(residuals.argmax())]}/s²"))
    violated.sort(key=lambda item: -item[1])
    missed = listed(
        [f"{g.kind} '{g.name}' by {quantity(size, unit)}" for g, size, unit in violated], most=8, between="; "
    )
    raise InconsistentConstraints(
        f"No acceleration of '{system.model.name}' satisfies all constraints at t = {eqs.state.t:g} s: at the best "
        f"compromise these are missed: {missed}. They demand different motions: correct or drop one of them, "
        "assemble the state if its velocities are not admissible, or take other velocities if the pose is singular.",
        tuple((g.name, size, unit) for g, size, unit in violated),
    )
