"""Closing joints: poses that satisfy Φ = 0, by steps of which each solves C d = −Φ in the sense its caller needs.

Residuals are Φ / row_scale and displacements d / column_scale of the system: [characteristic lengths, rad].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.least_norm import damped, least_norm
from reactio.linear.precision import ROUNDOFF, SINGULAR, SOLUTION
from reactio.linear.scaling import apply
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

CLOSED_RESIDUAL = ROUNDOFF  # residuals below this part of the characteristic length, or of a radian, count as closed
# Where iterations end with a residual above CLOSED_RESIDUAL but below this, it is rounding and the pose is accepted.
ACCEPTED_RESIDUAL = SOLUTION
RESIDUAL_LEFT = 0.5  # part of a residual that a step of Newton's method may leave; where it leaves more, steps end
MOST_DESCENT_STEPS = 100
# Levenberg–Marquardt: steps are damped by μ where residuals are larger than UNDAMPED characteristic lengths.  μ starts
# at FIRST_DAMPING and falls or grows by DAMPING_FACTOR after a step that succeeds or fails.  Beyond LARGEST_DAMPING the
# iteration ends, as it does where a residual falls by less than NO_PROGRESS of itself after SLOW_STEPS.  Where an
# undamped step fails, a damped one with at least RENEWED_DAMPING takes its place.
UNDAMPED = 1e-2
FIRST_DAMPING, LEAST_DAMPING, LARGEST_DAMPING, DAMPING_FACTOR, RENEWED_DAMPING = 1e-4, 1e-12, 1e8, 10, 1e-6
NO_PROGRESS, SLOW_STEPS = 1e-3, 20


class PoseCoordinates(Protocol):
    """Coordinates in which poses are displaced: those of all bodies, or fewer."""

    def linearised(self, eqs: Equations) -> tuple[Any, Floats]:
        """J (m, k) and Φ (m,): the change of Φ with a displacement d (k,), both in [characteristic lengths, rad].

        Rows that are satisfied at every displacement may be left out.
        """
        ...

    def displaced(self, eqs: Equations, d: Floats) -> Equations:
        """The equations at a displacement d (k,) from a pose."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BodyCoordinates:
    """The coordinates of all bodies; ``free`` (n,) says by how much each velocity takes part, from 0 to 1."""

    free: Floats

    def linearised(self, eqs: Equations) -> tuple[Any, Floats]:
        """C of the rows that exist at position level, without units, and Φ."""
        return position_matrix(eqs, self.free), residual(eqs)

    def displaced(self, eqs: Equations, d: Floats) -> Equations:
        """The equations at a displacement d (n,) of the velocities that take part."""
        return displaced(eqs, self.free * d)


class ClosedPose(NamedTuple):
    """The pose that an iteration on Φ = 0 ended at."""

    eqs: Equations
    steps: int

    @property
    def residual(self) -> Floats:
        """Φ (m,) [characteristic lengths, rad]."""
        return residual(self.eqs)

    @property
    def is_closed(self) -> bool:
        """Is the rest of Φ rounding?"""
        return largest_residual(self.eqs) <= ACCEPTED_RESIDUAL


def residual(eqs: Equations) -> Floats:
    """Φ (m,) [characteristic lengths, rad]."""
    return np.asarray(eqs.Phi / eqs.system.row_scale)


def largest_residual(eqs: Equations) -> float:
    """The largest entry of Φ in magnitude [characteristic lengths, rad]."""
    return float(np.abs(residual(eqs)).max(initial=0.0))


def displaced(eqs: Equations, d: Floats) -> Equations:
    """The equations at rest at a displacement d (n,) [characteristic lengths, rad] from a pose, at the same time."""
    system, state = eqs.system, eqs.state
    q = advance(system, state.q, system.column_scale * d)
    return equations(system, State(state.t, q, np.zeros(system.n)))


def newton(
    eqs: Equations, corrected: Callable[[Equations], Equations], *, closed: float = CLOSED_RESIDUAL, most: int
) -> ClosedPose:
    """Newton's method from a pose near a closed one: corrections, at most so many, as long as each halves the residual.

    ``corrected`` takes one step, and decides by its linear solution which directions it leaves alone; ``closed`` is the
    residual [characteristic lengths, rad] at which steps end.
    """
    before, steps = np.inf, 0
    while steps < most and closed < (size := largest_residual(eqs)) < RESIDUAL_LEFT * before:
        eqs, before, steps = corrected(eqs), size, steps + 1
    return ClosedPose(eqs, steps)


def least_norm_step(eqs: Equations, cut: float = SINGULAR, free: Floats | None = None) -> Floats:
    """The smallest d (n,) with C d = −Φ, singular values below ``cut`` times the largest taken as zero.

    ``free`` (n,) says by how much each velocity may take part, from 0 to 1.
    """
    free = np.ones(eqs.system.n) if free is None else free
    return np.asarray(free * least_norm(position_matrix(eqs, free), -residual(eqs), cut))


def descend(
    eqs: Equations,
    coordinates: PoseCoordinates | None = None,
    cut: float = SINGULAR,
    damping: float = FIRST_DAMPING,
) -> ClosedPose:
    """The pose that Levenberg–Marquardt's method ends at, from any pose and with J of any rank.

    J is the matrix of the coordinates, of all bodies where none are given.  Near a closed pose steps of smallest size
    converge quadratically; far from it steps are damped, the first by ``damping``: the more, the shorter they are.
    """
    within = coordinates or BodyCoordinates(np.ones(eqs.system.n))
    mu, step = damping, 0
    while step < MOST_DESCENT_STEPS and largest_residual(eqs) > CLOSED_RESIDUAL:
        step += 1
        size = _size(eqs)
        near = size < UNDAMPED
        try:
            trial = _nearest(within, eqs, cut) if near else _damped(within, eqs, mu)
        except ReactioError:
            mu *= DAMPING_FACTOR
            continue
        if _size(trial) < size:
            eqs, mu = trial, max(mu / DAMPING_FACTOR, LEAST_DAMPING)
            if _size(trial) > (1 - NO_PROGRESS) * size and step > SLOW_STEPS:
                break
            continue
        if largest_residual(eqs) <= ACCEPTED_RESIDUAL:
            break
        if near:
            mu = max(mu, RENEWED_DAMPING) * DAMPING_FACTOR
            trial = _damped(within, eqs, mu)
            if _size(trial) < size:
                eqs = trial
                continue
        mu *= DAMPING_FACTOR
        if mu > LARGEST_DAMPING:
            break
    return ClosedPose(eqs, step)


def _nearest(within: PoseCoordinates, eqs: Equations, cut: float) -> Equations:
    """The pose after the smallest step with J d = −Φ."""
    J, Phi = within.linearised(eqs)
    return within.displaced(eqs, least_norm(J, -Phi, cut))


def _damped(within: PoseCoordinates, eqs: Equations, mu: float) -> Equations:
    """The pose after the step that minimises |J d + Φ|² + μ |d|²."""
    J, Phi = within.linearised(eqs)
    return within.displaced(eqs, damped(J, -Phi, mu))


def position_matrix(eqs: Equations, free: Floats) -> Any:
    """C of the rows that exist at position level, without units, on velocities of which some take less part.

    Nonholonomic rows are zero: they restrict velocities, not poses.  With Φ = 0 they would contradict residuals of the
    rows on which they depend, and steps would grow beyond bounds near poses at which they do.
    """
    return apply(eqs.matrix, eqs.system.plan.rows.holonomic / eqs.system.row_scale, eqs.system.column_scale * free)


def _size(eqs: Equations) -> float:
    """|Φ| [characteristic lengths, rad]."""
    return float(np.linalg.norm(residual(eqs)))
