"""Reactions at a single state, also in a singular configuration: by limits from nearby poses, or none.

Where C has lost rank, C v̇ = Γ does not determine accelerations that the motion has.  Where the state moves, they are
the limit from both sides along its motion (``integrate.singular_passage.start_limit``).  A state at rest may leave
along several branches; only in equilibrium does it stay, and its reactions are those of statics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import restricted
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations, determined_accelerations
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.singular_passage.start_limit import SingularStart, limit_between
from reactio.joint_reactions.forces_of_motion import LARGEST_MATRIX, forces_of_motion, without_reactions
from reactio.joint_reactions.judged_state import JudgedState
from reactio.joint_reactions.rank_nearby import at_rest, rank_nearby
from reactio.kinematics.assemble import assemble, displaced_pose
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Solvability
from reactio.uniqueness.engine import rank_decision

LIMIT_TOLERANCE = 1e-10  # accuracy of accelerations that are limits from nearby poses
NEGLIGIBLE_FORCE = 1e-9  # part of the loads below which the force left to inertia is rounding


@dataclass(frozen=True, slots=True, eq=False)
class IsolatedState:
    """A single state, treated as a motion of no duration."""

    system: System
    generic_rank: RankDecision  # at neighbouring poses
    options: IntegrationOptions


def judge_state(eqs: Equations, rule: str | None = None) -> JudgedState:
    """The equations, verdicts and accelerations from which reactions at a single state follow."""
    answer = eqs.solvability
    if not answer.redundancy or not answer.mobility or by_contacts_alone(eqs, answer):
        return JudgedState(eqs, answer)  # the rank cannot be higher at nearby poses
    generic = rank_nearby(eqs, answer)
    if (generic is not None and generic.rank <= answer.rank) or in_equilibrium(eqs, rule):
        return JudgedState(eqs, answer)
    if generic is None or at_rest(eqs) or eqs.system.m * eqs.system.n > LARGEST_MATRIX:
        return JudgedState(eqs, answer, without_reactions(eqs, rule))
    try:
        vdot = limit_between(lambda part: _accelerations_nearby(eqs, part))
    except ReactioError:
        return JudgedState(eqs, answer, without_reactions(eqs, rule))
    alone = IsolatedState(eqs.system, generic, IntegrationOptions(LIMIT_TOLERANCE, rule=rule))
    return JudgedState(eqs, answer, forces_of_motion(eqs, vdot, answer.tolerances.sure, alone))


def by_contacts_alone(eqs: Equations, answer: Solvability) -> bool:
    """Are there contacts, and is the pose not singular without them?

    Contacts never make a pose singular: they open where a nearby pose does not keep them closed, and complementarity
    determines the accelerations at this instant alone.
    """
    if not answer.unilateral:
        return False
    groups = [np.arange(group.start, group.stop) for group in eqs.system.groups if not any(group.unilateral)]
    held = np.concatenate([*groups, np.zeros(0, dtype=np.int64)])
    if not len(held) or rank_decision(restricted(eqs.constraints, held)).rank == len(held):
        return True
    system, state = eqs.system, eqs.state
    joints = tuple(one for one in system.model.joints if not any(system.group(one.name).unilateral))
    alone = equations(build(replace(system.model, joints=joints)), state)
    rank = alone.solvability
    generic = rank_nearby(alone, rank) if rank.redundancy and rank.mobility else rank.decision
    return generic is not None and generic.rank <= rank.rank


def in_equilibrium(eqs: Equations, rule: str | None = None) -> bool:
    """Is the mechanism in equilibrium: v = 0 and M v̇ = 0, so that Cᵀλ = Q?"""
    if not at_rest(eqs):
        return False
    inertial = np.abs(eqs.mass @ accelerations(eqs, np.inf, rule).solution).max(initial=0.0)
    return bool(inertial <= NEGLIGIBLE_FORCE * np.abs(eqs.Q).max(initial=0.0))


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
            f"The motion starts at t = {state.t:g} s at rest in a singular pose, pushed along motions that are "
            "infinitesimal only: rigid bodies hold nothing there with finite reactions. Start beside the pose, give a "
            "velocity, or change dimensions; `reactio mobility` tells more."
        )


def _accelerations_nearby(eqs: Equations, part: float) -> Floats:
    """v̇ (n,) at a distance along the motion [characteristic lengths, rad]."""
    pose = displaced_pose(
        eqs.system, eqs.state, part * eqs.state.v / np.abs(eqs.state.v / eqs.system.column_scale).max()
    )
    if pose is None:
        raise ReactioError("The nearby pose does not close.")
    return determined_accelerations(equations(eqs.system, assemble(eqs.system, pose)))
