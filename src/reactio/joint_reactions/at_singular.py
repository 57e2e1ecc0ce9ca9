"""A single state in a singular configuration: accelerations by limits from nearby poses, and states of equilibrium.

Where C has lost rank, C v̇ = Γ does not determine accelerations that the motion has.  Where the state moves, they are
the limit from both sides along its motion (``forward_dynamics.branch_limit``).  A state at rest may leave
along several branches; only in equilibrium does it stay, and its reactions are those of statics.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations, accelerations, determined_accelerations
from reactio.forward_dynamics.branch_limit import SingularStart, limit_between
from reactio.joint_reactions.forces_of_motion import LARGEST_MATRIX, forces_of_motion, without_reactions
from reactio.joint_reactions.rank_nearby import at_rest, rank_nearby
from reactio.kinematics.assemble import assemble, displaced_pose
from reactio.linear.precision import SOLUTION
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision


def motion_at_singular(eqs: Equations, generic: RankDecision | None, rule: str | None) -> Accelerations | None:
    """Accelerations at a state whose C has lost rank; None in equilibrium, where this instant alone gives them.

    ``generic``: the rank at poses nearby, None where the mechanism cannot move to any.
    """
    if in_equilibrium(eqs, rule):
        return None
    if generic is None or at_rest(eqs) or eqs.system.m * eqs.system.n > LARGEST_MATRIX:
        return without_reactions(eqs, rule)
    try:
        vdot = limit_between(lambda part: _accelerations_nearby(eqs, part))
    except ReactioError:
        return without_reactions(eqs, rule)
    return forces_of_motion(eqs, vdot, eqs.solvability.tolerances.sure, generic, rule)


def in_equilibrium(eqs: Equations, rule: str | None = None) -> bool:
    """Is the mechanism in equilibrium: v = 0 and M v̇ = 0, so that Cᵀλ = Q?"""
    if not at_rest(eqs):
        return False
    inertial = np.abs(eqs.mass @ accelerations(eqs, np.inf, rule).solution).max(initial=0.0)
    return bool(inertial <= SOLUTION * np.abs(eqs.Q).max(initial=0.0))


def refuse_locked(system: System, state: State, rule: str | None = None) -> None:
    """An error where forces push a mechanism at rest along motions that are infinitesimal only."""
    eqs = equations(system, state)
    if not at_rest(eqs) or not system.m:
        return
    answer = eqs.solvability
    if not answer.redundancy or not answer.mobility or in_equilibrium(eqs, rule):
        return
    if rank_nearby(eqs, answer) is None:
        raise SingularStart(
            f"The motion starts at t = {state.t:g} s at rest in a singular pose, loaded along motions that are only "
            "infinitesimal: finite reactions of rigid bodies cannot balance such loads. Start next to the pose, "
            "give a velocity, or change dimensions; `reactio mobility` gives details."
        )


def _accelerations_nearby(eqs: Equations, part: float) -> Floats:
    """v̇ (n,) at a distance along the motion [characteristic lengths, rad]."""
    pose = displaced_pose(
        eqs.system, eqs.state, part * eqs.state.v / np.abs(eqs.state.v / eqs.system.column_scale).max()
    )
    if pose is None:
        raise ReactioError("The nearby pose does not close.")
    return determined_accelerations(equations(eqs.system, assemble(eqs.system, pose)))
