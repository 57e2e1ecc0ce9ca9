"""Truncated projection: near a singular configuration, only along directions with large singular values of C.

At a distance s from a singular configuration a full projection amplifies rounding u to u/s in positions and u/s² in
velocities, and the equations at one instant do not give the accelerations of the motion.  Interpolated states are
accurate there; they are corrected only along directions whose singular values are above a threshold.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache

from reactio.arrays import Floats
from reactio.integrate.projection.mass_projection import (
    MULTIPLIER_REGULARISATION,
    copy,
    force_to_root,
    from_root,
    least_change,
    right_side,
    to_root,
)
from reactio.integrate.projection.massless import times_mass
from reactio.integrate.projection.project import factor, position_correction
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, Kernel
from reactio.linear.sparse.gram import factorise
from reactio.system.evaluate.kernels import addresses_bound, evaluator
from reactio.system.types import System

# Singular values of rows of unit length below 1e-2 are truncated: the error along them is that of the interpolation,
# and dividing by them would amplify it by 1/σ.
TRUNCATION = 1e-2
TRUNCATED_NEWTON_STEPS = 4  # Newton steps of Φ = 0: each leaves the part (TRUNCATION/σ)² of a residual along σ


def _project_truncated(projection: Projection, t: float, lam: Floats) -> None:
    """Project d, v, v̇ on Φ = 0, C v = ν, C v̇ = Γ along well-resolved directions; λ (m,) balances Q − M v̇.

    With joint friction, which Q does not contain, λ is left as given.
    """
    plan, work, metric, m, p, moved = (
        projection.plan,
        projection.work,
        projection.metric,
        projection.m,
        projection.p,
        projection.massless.z,
    )
    for _ in range(TRUNCATED_NEWTON_STEPS):
        advance(plan, p.q0, p.d, p.q)
        evaluate(plan, work, t, p.q, p.v)
        position_correction(metric, m, work, TRUNCATION, p.change)
        displacement_rates(plan, p.d, p.change, moved)
        for k in range(p.d.shape[0]):
            p.d[k] += moved[k]
    advance(plan, p.q0, p.d, p.q)
    evaluate(plan, work, t, p.q, p.v)
    factor(projection, TRUNCATION * TRUNCATION)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    least_change(metric, m, 0.0)
    from_root(metric, m, p.v)
    evaluate(plan, work, t, p.q, p.v)
    to_root(metric, m, p.vdot)
    right_side(m, work.Gamma)
    least_change(metric, m, 0.0)
    from_root(metric, m, p.vdot)
    if projection.friction.a.shape[0] > 0:
        return
    times_mass(metric, work.M, p.vdot, moved)
    for k in range(moved.shape[0]):
        moved[k] -= work.Q[k]
    force_to_root(metric, m, moved)
    factorise(metric.gram, m.gram, m.A, m.square, MULTIPLIER_REGULARISATION)
    m.b[:] = 0.0
    least_change(metric, m, 0.0)
    for i in range(lam.shape[0]):
        lam[i] = m.R[i] * m.y[i]


@cache
def truncated_projector(evaluate: Kernel[..., None]) -> Kernel[..., None]:
    """project_truncated(projection, t, lam) with the functions of an evaluation."""
    links = {
        "evaluate": evaluate,
        "advance": evaluate.links["advance"],
        "displacement_rates": evaluate.links["displacement_rates"],
    }
    return Kernel(_project_truncated, NO_ARRAYS, links)


def project_truncated(
    system: System, projection: Projection, t: float, state: tuple[Floats, Floats, Floats], lam: Floats
) -> None:
    """Truncated projection of q, v, v̇ of a state at a time t, with λ; all arrays are changed in place."""
    q, v, vdot = state
    copy(q, projection.p.q0)
    copy(q, projection.p.q)
    projection.p.d[:] = 0.0
    copy(v, projection.p.v)
    copy(vdot, projection.p.vdot)
    with addresses_bound(system):
        truncated_projector(evaluator(system))(projection, t, lam)
    for projected, target in ((projection.p.q, q), (projection.p.v, v), (projection.p.vdot, vdot)):
        target[:] = projected
