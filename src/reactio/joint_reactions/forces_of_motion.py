"""Constraint forces Cᵀλ = Q − M v̇ of a motion, also near and in singular poses, where they are limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.forward_dynamics.accelerate import FORCE_ROUNDING, Accelerations, accelerations
from reactio.joint_reactions.limit import LimitForces, limit_forces
from reactio.kinematics.scaled_matrix import scaled_matrix
from reactio.system.equations import Equations
from reactio.uniqueness import RankDecision

LIMIT_ROUNDING = 1e-8  # relative error of limits from finite differences of C
# Entries of C up to which limits in singular poses are sought: C is decomposed whole, in some ten seconds.
LARGEST_MATRIX = 4e6


def forces_of_motion(
    eqs: Equations, vdot: Floats, sure: float, generic: RankDecision, rule: str | None, drifts: bool = False
) -> Accelerations | None:
    """The given v̇ with the constraint forces f = Q − M v̇; all reactions absent where their limit is not known.

    ``generic``: the rank of C away from singular poses; ``drifts``: does the motion leave the constraints?  A large C
    near a singular pose is not decomposed: its reactions count as not known.
    """
    if eqs.system.m * eqs.system.n > LARGEST_MATRIX:
        return without_reactions(eqs, rule)
    # Q is without friction, and v̇ of a run that drifts contains Baumgarte's correction: such runs use one instant.
    complete = bool(np.isfinite(vdot).all()) and not len(eqs.system.plan.friction.table) and not drifts
    f = eqs.Q - eqs.mass @ vdot
    rounding = FORCE_ROUNDING * (np.abs(eqs.Q) + abs(eqs.mass) @ np.abs(vdot))
    given = Accelerations(vdot, f, rounding, np.zeros((eqs.system.n, 0)), ())
    sigma = np.linalg.svd(scaled_matrix(eqs), compute_uv=False)
    if (sigma > sure * sigma[0]).sum() >= generic.rank:
        return given if complete else None
    limit = limit_forces(eqs, f, eqs.state.v, sure) if complete and eqs.state.v.any() else None
    return with_limit_forces(given, limit, eqs) if limit else without_reactions(eqs, rule)


def without_reactions(eqs: Equations, rule: str | None) -> Accelerations:
    """Accelerations at one instant, with all reactions marked as absent."""
    return replace(accelerations(eqs, np.inf, rule), absent=tuple(group.name for group in eqs.system.reacting))


def with_limit_forces(given: Accelerations, limit: LimitForces, eqs: Equations) -> Accelerations:
    """Accelerations with the forces of a limit, which are as accurate as differences of C."""
    rounding = given.rounding + LIMIT_ROUNDING * np.abs(given.f).max()
    return replace(given, f=limit.f, rounding=rounding, absent=limit.absent(eqs.system))
