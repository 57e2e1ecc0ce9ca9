"""Accelerations under a force for systems with massless bodies, by projected conjugate gradients.

The factors belong to M' = M + diag(added inertia), in which massless bodies have some; the equations of motion
contain M.  Conjugate gradients on the admissible accelerations, preconditioned by M', remove the difference.  M'⁻¹M
differs from the identity only in the directions with added inertia, so that a few iterations suffice.
Gould, Hribar & Nocedal 2001, SIAM J. Sci. Comput. 23(4), Alg. 2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.projection.mass_projection import (
    BLOCK_M,
    BLOCK_V,
    BLOCK_WIDTH,
    MetricPlan,
    MetricWork,
    copy,
    force_to_root,
    from_root,
    least_change,
)
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.precision import LAST_DIGIT, ROUNDOFF
from reactio.linear.row_basis import dot

MOST_GRADIENT_ITERATIONS = 60  # exact arithmetic needs one for each direction with added inertia, and a first one
GRADIENT_ROUNDING = LAST_DIGIT  # residual, relative to the force, at which the iteration has reached rounding
STAGNATION = ROUNDOFF  # relative residual below which an iteration without progress is the last
# Inertia of a direction, as part of the added one, below which nothing determines its acceleration.
NO_INERTIA = ROUNDOFF


class MasslessWork(NamedTuple):
    """Vectors of the iteration, (n,) each."""

    r: Floats  # F − M v̇
    z: Floats  # v̇ that M' gives to r
    p: Floats  # direction
    Mp: Floats


def massless_work(n: int) -> MasslessWork:
    """Arrays for n velocities."""
    return MasslessWork(*np.zeros((4, n)))


@kernel(**NO_ARRAYS)
def times_mass(plan: MetricPlan, M: Floats, v: Floats, out: Floats) -> None:
    """M v, block by block."""
    for b in range(plan.block.shape[0]):
        first, at, width = plan.block[b, BLOCK_V], plan.block[b, BLOCK_M], plan.block[b, BLOCK_WIDTH]
        for i in range(width):
            s = 0.0
            for k in range(width):
                s += M[at + width * i + k] * v[first + k]
            out[first + i] = s


@kernel(**NO_ARRAYS)
def admissible(plan: MetricPlan, m: MetricWork, w: MasslessWork) -> float:
    """z = accelerations that M' and the constraints allow under the force r, and rᵀz; reactions by y balance the rest.

    rᵀz is computed as zᵀM'z: r contains the reactions, whose rounding the product rᵀz would keep.
    """
    force_to_root(plan, m, w.r)
    m.b[:] = 0.0
    least_change(plan, m, 0.0)
    from_root(plan, m, w.z)
    return dot(m.x, m.x)


@kernel(**NO_ARRAYS)
def constrained_accelerations(
    plan: MetricPlan, m: MetricWork, w: MasslessWork, M: Floats, force: Floats, vdot: Floats, enough: float
) -> tuple[bool, float]:
    """v̇ of M v̇ + Cᵀλ = force, C v̇ = b with b in ``m``; y of λ = −R y stays there.

    ``enough`` as for ``least_change``.  False where nothing determines the motion of a massless body, and the residual
    of C v̇ − b, return.
    """
    force_to_root(plan, m, force)
    scale = dot(m.x, m.x)
    unsolved = least_change(plan, m, 0.0 if plan.adds_inertia else enough)
    from_root(plan, m, vdot)
    if not plan.adds_inertia:
        return True, unsolved
    return remove_added_inertia(plan, m, w, M, force, vdot, scale + dot(m.x, m.x)), unsolved


@kernel(**NO_ARRAYS)
def remove_added_inertia(
    plan: MetricPlan, m: MetricWork, w: MasslessWork, M: Floats, force: Floats, vdot: Floats, scale: float
) -> bool:
    """Correct v̇ of M' to that of M; false where nothing determines the motion of a massless body."""
    times_mass(plan, M, vdot, w.Mp)
    for k in range(vdot.shape[0]):
        w.r[k] = force[k] - w.Mp[k]
    size = admissible(plan, m, w)
    copy(w.z, w.p)
    for _ in range(MOST_GRADIENT_ITERATIONS):
        if not size > GRADIENT_ROUNDING * GRADIENT_ROUNDING * scale:
            break
        times_mass(plan, M, w.p, w.Mp)
        inertia, added = dot(w.p, w.Mp), 0.0
        for k in range(vdot.shape[0]):
            added += plan.added_inertia[k] * w.p[k] * w.p[k]
        if not inertia > NO_INERTIA * added:
            return False
        a = size / inertia
        for k in range(vdot.shape[0]):
            vdot[k] += a * w.p[k]
            w.r[k] -= a * w.Mp[k]
        new = admissible(plan, m, w)
        if new >= 0.25 * size and new <= STAGNATION * STAGNATION * scale:
            break
        for k in range(vdot.shape[0]):
            w.p[k] = w.z[k] + new / size * w.p[k]
        size = new
    return True
