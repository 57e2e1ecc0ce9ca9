"""Branches on which C admits more velocities than finite motions have: second-order conditions exclude the rest.

A stretched loop has a hinge that is free at first order and cannot move: to displace it by ε takes forces of the size
of the loads divided by ε.  So a rigid model has no finite reactions in the joints that bear the self-stress of the
loop; the motion, and the reactions of all other joints, have limits as ε → 0.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import FORCE_ROUNDING, Accelerations
from reactio.joint_reactions.forces_of_motion import with_limit_forces
from reactio.joint_reactions.limit import limit_forces
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import LOCATED
from reactio.linear.quadric_roots import VANISHING_FORM
from reactio.linear.quadrics import common_zeros
from reactio.singular.second_order.null_spaces import at_rest, null_spaces, open_to_second_order, polished
from reactio.singular.second_order.quadratic_forms import forms
from reactio.singular.second_order.tangency import step
from reactio.system.equations import Equations
from reactio.system.types import State, System

MOST_HELD_DIRECTIONS = 12  # excluded by second-order conditions: beyond, finding their common zeros takes seconds
CHECKED_DISTANCE = 0.01  # [characteristic lengths] along a branch at which rank and conditions must be the same


def real_motions(system: System, state: State) -> Floats | None:
    """T (n, f) [metres] of the finite motions where a state moves on a branch with more than f admissible ones.

    None where it does not.  On such a branch the forms of the self-stresses vanish on T, T_iᵀA_k = 0, exclude every
    other direction, and do so at neighbouring poses too: where C has lost rank for an instant only, the equations of
    motion are those of any other pose.
    """
    at = open_to_second_order(system, state)
    if at is None:
        return None
    A = forms(at)
    held = _held_directions(A).shape[1]
    if not 0 < held <= min(MOST_HELD_DIRECTIONS, at.differential - 1):
        return None
    parts = common_zeros(A).parts
    if len(parts) != 1 or parts[0].basis.shape[1] != at.differential - held:
        return None
    T = at.V @ parts[0].basis
    x = state.v / system.column_scale
    if np.linalg.norm(x - T @ (T.T @ x)) > LOCATED * np.linalg.norm(x):
        return None
    ahead = T @ (T.T @ x) if x.any() else T[:, 0]
    pose = null_spaces(system, polished(system, at_rest(system, state)))
    reached = step(pose, ahead / np.linalg.norm(ahead), CHECKED_DISTANCE * system.length)
    return T if reached.closed and null_spaces(system, reached.state).differential == at.differential else None


def forces_on_held_branch(eqs: Equations, vdot: Floats) -> Accelerations:
    """v̇ (n,) on a branch of second-order rigidity, with the constraint forces less the self-stress that holds it."""
    system, f, at = eqs.system, eqs.Q - eqs.M @ vdot, null_spaces(eqs.system, eqs.state)
    held = _held_directions(forms(at))
    rounding = FORCE_ROUNDING * (np.abs(eqs.Q) + abs(eqs.M) @ np.abs(vdot))
    given = Accelerations(vdot, f, rounding, np.zeros((system.n, 0)), ())
    if not held.shape[1]:
        return given
    single = held.shape[1] == at.N.shape[1] == 1
    limit = limit_forces(eqs, f, at.velocities(at.V @ held[:, 0]), ZERO_PIVOT) if single else None
    if limit is None:
        raise ReactioError(
            f"Reactions of '{system.model.name}' at t = {eqs.state.t:g} s: second order holds {held.shape[1]} motions "
            f"by {at.N.shape[1]} self-stresses; they are computed only if one self-stress holds one motion."
        )
    return with_limit_forces(given, limit, eqs)


def _held_directions(A: Floats) -> Floats:
    """An orthonormal basis (δ, k) of the admissible motions that second order excludes: A (p, δ, δ) does not vanish."""
    _, s, Wt = np.linalg.svd(A.reshape(-1, A.shape[-1]), full_matrices=False)
    return np.asarray(Wt[: int((s > VANISHING_FORM).sum())].T)
