"""The motion in minimal coordinates: T of constant size, continued through singular poses and along any branch.

It is a reference in Python for the compiled integrator, and the only method along a branch on which more velocities are
admissible than finite motions have: the others are reported and not integrated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.dop853.tableau import dop853
from reactio.integrate.rows import StateRows
from reactio.kinematics.close import newton, residual
from reactio.linear.pivoted import Pivoted
from reactio.linear.precision import LAST_DIGIT
from reactio.singular.minimal.equations import factor, reduced, refuse_friction, velocity
from reactio.singular.second_order.branches import tangent
from reactio.singular.second_order.null_spaces import NullSpaces, null_spaces, polished
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.kernels import addresses_bound, evaluation_kernels
from reactio.system.evaluate.power import power_of_loads
from reactio.system.types import State, System

CLOSING_ROUNDING = LAST_DIGIT  # [characteristic lengths] of closed joints: errors are 1/σ times it, σ small here
MOST_CLOSING_HALVINGS = 50  # each halves the residual: from one characteristic length to rounding
# [characteristic lengths] Distance between poses whose T are differenced: an error of its fourth power, 8e-11, and
# rounding of located poses divided by it.
BASIS_DIFFERENCE_STEP = 3e-3
# Places, in steps, and weights of the central difference of order 4.
FIVE_POINT_DIFFERENCE = ((1, 8 / 12), (-1, -8 / 12), (2, -1 / 12), (-2, 1 / 12))


@dataclass(frozen=True, slots=True, eq=False)
class MinimalRun(StateRows):
    """A motion with its basis of admissible motions."""

    system: System
    T: Floats  # (k, n, f) orthonormal in metres
    u: Floats  # (k, f) generalised velocities Tᵀ v [m/s]


class StageSlope(NamedTuple):
    """A stage of a Runge–Kutta step, projected on the constraints, with its derivatives."""

    d: Floats  # (n,) displacement since the start of the step
    d_dot: Floats  # (n,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    T: Floats  # (n, f) orthonormal in metres
    sigma: Floats  # singular values of C in metres, descending, as parts of the largest
    power: float  # of drives and of loads without a potential [W]


def run_in_minimal_coordinates(
    system: System, state: State, until: float, step: float, size: int | None = None
) -> MinimalRun:
    """The motion from a state until a time with steps of ``step`` [s], order 8, in ``size`` minimal coordinates.

    ``size`` is n − rank at the start when left out; on a branch of fewer freedoms give its dimension.  Models
    with friction in joints are refused.

    >>> import reactio
    >>> system = reactio.build(reactio.load("modified-double-four-bar"))
    >>> run_in_minimal_coordinates(system, reactio.assemble(system), 0.1, 0.05).u.shape
    (3, 1)
    """
    refuse_friction(system)
    scale = system.column_scale
    at = null_spaces(system, state)
    size = at.differential if size is None else size
    T = tangent(at, _basis_at_start(at, state.v / scale, size))
    now = State(state.t, state.q, scale * (T @ (T.T @ (state.v / scale))))
    rows, bases = [now], [T]
    count = max(1, round((until - state.t) / step))
    for _ in range(count):
        h = (until - state.t) / count
        end = stages(system, now, T, h)[STAGES]
        now, T = State(now.t + h, advance(system, now.q, end.d), end.v), end.T
        rows.append(now)
        bases.append(T)
    t, q, v = (np.array([getattr(row, key) for row in rows]) for key in ("t", "q", "v"))
    B = np.array(bases)
    return MinimalRun(t, q, v, system, B, system.length * np.einsum("kif,ki->kf", B, v / scale))


def _basis_at_start(at: NullSpaces, v: Floats, size: int) -> Floats:
    """The basis (n, size) to start with: all admissible motions, or the direction of the velocity."""
    if size == at.differential:
        return at.V
    if size != 1 or not np.any(v):
        raise ReactioError(
            f"{at.differential} motions are admissible here and {size} wanted: give a velocity along the branch."
        )
    return np.asarray(v[:, None] / np.linalg.norm(v))


def stages(
    system: System, now: State, T: Floats, h: float, count: int = STAGES + 1, known: Sequence[StageSlope] = ()
) -> list[StageSlope]:
    """The first ``count`` stages of a step of h [s], of which some are known; stage number STAGES is its end.

    d_i = h Σ a_ij ḋ_j and v_i = v + h Σ a_ij v̇_j over the stages j before, projected on the manifold.
    """
    table, slopes = dop853(), list(known)
    for i in range(len(slopes), count):
        d, v = np.zeros(system.n), np.array(now.v)
        for weight, slope in zip((h * table.A[i]).tolist(), slopes, strict=False):
            d += weight * slope.d_dot
            v += weight * slope.vdot
        slopes.append(stage(system, State(now.t + table.c[i] * h, now.q, v), d, T))
    return slopes


def stage(system: System, begin: State, d: Floats, T: Floats) -> StageSlope:
    """Close the joints, find T at the pose, project the velocity, and accelerate in T."""
    d, state, factors = closed(system, begin, d)
    at = null_spaces(system, state)
    T = tangent(at, T)
    eqs = equations(system, state)
    v = velocity(eqs, T, factors, state.v)
    state = State(state.t, state.q, v)
    curving = _curvature_outside(at, state, T) if at.differential > T.shape[1] else 0.0
    eqs = equations(system, state)
    vdot = reduced(eqs, T, factors, curving).vdot
    sigma = at.sigma / at.sigma[0] if at.sigma.size else at.sigma
    return StageSlope(d, displacement_rates(system, d, v), v, vdot, T, sigma, _power(eqs, vdot))


def _power(eqs: Equations, vdot: Floats) -> float:
    """P [W] of drives, vᵀ(M v̇ − Q) = −λᵀν, and of loads without a potential."""
    drives = float(eqs.state.v @ (eqs.M @ vdot - eqs.Q)) if eqs.nu.any() else 0.0
    return drives + power_of_loads(eqs.system.plan.efforts, eqs.work)


def closed(system: System, begin: State, d: Floats) -> tuple[Floats, State, Pivoted]:
    """The displacement d corrected along Q₁ until Φ = 0, which leaves the minimal coordinates alone.  [Eqs 12–13]

    C Q₁ p = −Φ,   d ← d + Q₁ p,   repeated; with it the pose there and the factorisation of C
    """

    def at_displacement() -> Equations:
        return equations(system, State(begin.t, advance(system, begin.q, d), begin.v))

    def corrected(eqs: Equations) -> Equations:
        nonlocal d
        d = d + displacement_rates(system, d, system.column_scale * factor(eqs).normal(-residual(eqs)))
        return at_displacement()

    eqs = newton(at_displacement(), corrected, closed=CLOSING_ROUNDING, most=MOST_CLOSING_HALVINGS).eqs
    return d, eqs.state, factor(eqs)


def displacement_rates(system: System, d: Floats, v: Floats) -> Floats:
    """ḋ (n,) of a displacement d whose bodies move at v: rotations do not add."""
    out = np.zeros(system.n)
    with addresses_bound(system):
        evaluation_kernels(system)["displacement_rates"](system.plan, d, v, out)
    return out


def _curvature_outside(at: NullSpaces, state: State, T: Floats) -> Floats:
    """The part of Ṫ u along admissible motions that T leaves out, by a central difference of order 4 along the motion.

    It is in characteristic lengths and radians.
    C v̇ = Γ does not determine it; third derivatives of Φ do, which differences of T contain.
    """
    system = at.system
    u = T.T @ (state.v / system.column_scale)
    size = float(np.linalg.norm(u))
    if size == 0.0:
        return np.zeros(system.n)
    eta = BASIS_DIFFERENCE_STEP / size

    def basis(place: int) -> Floats:
        moved = State(state.t, advance(system, state.q, place * eta * state.v), state.v)
        return tangent(null_spaces(system, polished(system, moved)), T)

    change = sum((weight * basis(place) for place, weight in FIVE_POINT_DIFFERENCE), np.zeros_like(T)) @ u
    outside = at.V - T @ (T.T @ at.V)  # admissible motions that T leaves out
    return np.asarray(outside @ (outside.T @ change)) / eta
