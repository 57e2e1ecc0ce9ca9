"""Beside a singular pose: states taken from the motion around it, projected by what is strong there.

At a distance s from a singular pose a projection turns rounding u into u/s of a position and u/s² of a velocity, and
accelerations are not those of the motion at s = 0.  The motion itself is smooth: a state inside a step that goes past
the pose is as good there as anywhere, and so is its derivative.  Only directions that rows hold firmly are corrected.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``evaluate``, ``advance`` and ``flow`` are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache

from reactio.arrays import Floats, Ints
from reactio.integrate.projection.mass_projection import (
    SHARING,
    copy,
    force_to_root,
    from_root,
    measure,
    nearest,
    right_side,
    to_root,
)
from reactio.integrate.projection.massless import times_mass
from reactio.integrate.projection.project import INACCURATE, NEAR, NOT_FINITE, Projection, displacement, flows
from reactio.kernels import PLAIN, Kernel, kernel
from reactio.linear.gram import factorise
from reactio.system.kernels import evaluator, mover
from reactio.system.types import System

# Singular values of rows of length one below 1e-2 are left alone: what is wrong along them is the error of the step,
# and dividing by them would make it 1/σ times as large.
TRUNCATION = 1e-2
SWEEPS = 4  # of closing Φ: each leaves (FIRM/σ)² of what rows at σ see


@kernel(**PLAIN)
def ends_near_singularity(weak: Ints, usual: int) -> bool:
    """Are more pivots weak at a pose than away from singular ones?"""
    return bool(weak[2] > usual)


@kernel(**PLAIN)
def refused_near_singularity(reason: int, met: bool) -> bool:
    """Was a step refused because it ends, or has a stage, beside a singular pose?

    An error may be one of truncation, unless a stage met such a pose: the size of the step tells nothing, since that
    of a motion from rest is a guess, and that of a smooth one says nothing about a function that bends ahead.
    """
    return NOT_FINITE < reason < INACCURATE or reason == NEAR or (reason == INACCURATE and met)


def _project_truncated(projection: Projection, t: float, lam: Floats) -> None:
    """Project d, v and v̇ of the point on Φ = 0, C v = ν, C v̇ = Γ along firm directions; λ (m,) balances Q − M v̇.

    Where there is friction, which Q does not hold, λ stays as it is given.
    """
    plan, work, metric, m, p, moved = (
        projection.plan,
        projection.work,
        projection.metric,
        projection.m,
        projection.p,
        projection.lent.z,
    )
    for _ in range(SWEEPS):
        advance(plan.bodies, p.q0, p.d, p.q, 0)
        evaluate(plan, work, t, p.q, p.v)
        displacement(metric, m, work, TRUNCATION, p.change)
        flow(plan.bodies, p.d, p.change, moved, 0)
        for k in range(p.d.shape[0]):
            p.d[k] += moved[k]
    advance(plan.bodies, p.q0, p.d, p.q, 0)
    evaluate(plan, work, t, p.q, p.v)
    measure(metric, m, work.M, work.C)
    factorise(metric.gram, m.gram, m.A, m.square, TRUNCATION * TRUNCATION)
    to_root(metric, m, p.v)
    right_side(m, work.nu)
    nearest(metric, m, 0.0)
    from_root(metric, m, p.v)
    evaluate(plan, work, t, p.q, p.v)
    to_root(metric, m, p.vdot)
    right_side(m, work.Gamma)
    nearest(metric, m, 0.0)
    from_root(metric, m, p.vdot)
    if projection.rub.a.shape[0] > 0:
        return
    times_mass(metric, work.M, p.vdot, moved)
    for k in range(moved.shape[0]):
        moved[k] -= work.Q[k]
    force_to_root(metric, m, moved)
    factorise(metric.gram, m.gram, m.A, m.square, SHARING)
    m.b[:] = 0.0
    nearest(metric, m, 0.0)
    for i in range(lam.shape[0]):
        lam[i] = m.R[i] * m.y[i]


@cache
def truncated_projector(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., None]:
    """soften(manifold, t, lam) for the registered primitives and body kinds."""
    links = {"evaluate": evaluate, "advance": mover(space, kind_names, "advance"), "flow": flows(space, kind_names)}
    return Kernel(_project_truncated, PLAIN, links, evaluate.tag)


def project_truncated(
    system: System, projection: Projection, t: float, state: tuple[Floats, Floats, Floats], lam: Floats
) -> None:
    """Project q, v, v̇ of a state at a time t by what is firm there, and find λ; all arrays are changed."""
    q, v, vdot = state
    copy(q, projection.p.q0)
    copy(q, projection.p.q)
    projection.p.d[:] = 0.0
    copy(v, projection.p.v)
    copy(vdot, projection.p.vdot)
    evaluate = evaluator(system.space, system.primitive_names, system.kind_names)
    truncated_projector(evaluate, system.space, system.kind_names)(projection, t, lam)
    for found, place in ((projection.p.q, q), (projection.p.v, v), (projection.p.vdot, vdot)):
        place[:] = found
