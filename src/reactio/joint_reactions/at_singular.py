"""Reactions at a single state, also in a singular configuration: by limits from nearby poses, or none.

Where C has lost rank, C v̇ = Γ does not determine accelerations that the motion has.  Where the state moves, they are
the limit from both sides along its motion (``integrate.singular_passage.start_limit``).  A state at rest may leave
along several branches; only in equilibrium does it stay, and its reactions are those of statics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import restricted
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations, determined_accelerations
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.singular_passage.start_limit import LIMIT_DISTANCES, SingularStart, limit_between
from reactio.joint_reactions.in_run import LARGEST_MATRIX, JudgedState, forces_of_motion, without_reactions
from reactio.kernels import foreseen
from reactio.kinematics.assemble import assemble, displaced_pose
from reactio.linear.least_norm import DENSE
from reactio.linear.rank import EPS
from reactio.system.compile.build import build
from reactio.system.evaluate.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Solvability
from reactio.uniqueness.engine import rank_decision

LIMIT_TOLERANCE = 1e-10  # accuracy of accelerations that are limits from nearby poses
NEGLIGIBLE_FORCE = 1e-9  # part of the loads below which the force left to inertia is rounding
EVALUATIONS_PER_POSE = 4  # to close a nearby pose and to decide its rank
MOST_BASIS_MOTIONS = 4  # freedoms up to which a basis of motions is tried besides a random one; each takes two poses


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
    groups = [np.arange(group.start, group.stop) for group in eqs.system.groups if not any(group.pushes)]
    held = np.concatenate([*groups, np.zeros(0, dtype=np.int64)])
    if not len(held) or rank_decision(restricted(eqs.constraints, held)).rank == len(held):
        return True
    system, state = eqs.system, eqs.state
    joints = tuple(one for one in system.model.joints if not any(system.group(one.name).pushes))
    alone = equations(build(replace(system.model, joints=joints)), state)
    rank = alone.solvability
    generic = rank_nearby(alone, rank) if rank.redundancy and rank.mobility else rank.decision
    return generic is not None and generic.rank <= rank.rank


def at_rest(eqs: Equations) -> bool:
    """Are the velocities zero, or so small that they are rounding?

        ½ vᵀ M v ≤ ε |Q| L,   L the characteristic length for forces and 1 for moments

    Terms of such velocities in the balance of forces lie below rounding of the loads, and their direction means
    nothing.  Where no body has mass, or no load acts, every velocity that is not zero counts.
    """
    v = eqs.state.v
    kinetic = 0.5 * float(v @ (eqs.mass @ v))
    load = float(np.abs(eqs.Q * eqs.system.column_scale).max(initial=0.0))
    return not v.any() or 0.0 < kinetic <= EPS * load


def in_equilibrium(eqs: Equations, rule: str | None = None) -> bool:
    """Is the mechanism in equilibrium: v = 0 and M v̇ = 0, so that Cᵀλ = Q?"""
    if not at_rest(eqs):
        return False
    inertial = np.abs(eqs.mass @ np.nan_to_num(accelerations(eqs, np.inf, rule).vdot)).max(initial=0.0)
    return bool(inertial <= NEGLIGIBLE_FORCE * np.abs(eqs.Q).max(initial=0.0))


def rank_nearby(eqs: Equations, answer: Solvability) -> RankDecision | None:
    """The largest rank of C at poses near a state, along its admissible motions; None where it cannot move."""
    displacements = [sign * LIMIT_DISTANCES[-1] * e for e in _directions(eqs, answer) for sign in (1.0, -1.0)]
    with foreseen(eqs.system.m, EVALUATIONS_PER_POSE * len(displacements), eqs.system.space):
        found = [displaced_pose(eqs.system, eqs.state, d) for d in displacements]
        if not at_rest(eqs):
            found = [state for state in found if state is not None] or [None]
        if None in found:
            return None
        ranks = [rank_decision(equations(eqs.system, state).constraints) for state in found if state is not None]
    return max(ranks, key=lambda one: (one.rank, one.margin))


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


def _directions(eqs: Equations, answer: Solvability) -> list[Floats]:
    """Displacements of size one [characteristic lengths, rad] along the velocity, or along motions that may start."""
    scale = eqs.system.column_scale
    directions = [*_starting_velocities(answer)] if at_rest(eqs) else [eqs.state.v]
    return [e / np.abs(e / scale).max() for e in directions]


def _starting_velocities(answer: Solvability) -> Iterator[Floats]:
    """Admissible velocities (n,) at rest: a basis where there are few, and a random combination of all."""
    random = np.random.default_rng(7)
    if answer.n > DENSE:
        count = answer.mobility + 1 if answer.mobility <= MOST_BASIS_MOTIONS else 1
        yield from answer.admissible(random.standard_normal((answer.n, count))).T
        return
    T = answer.T
    yield from T.T if T.shape[1] <= MOST_BASIS_MOTIONS else ()
    yield T @ random.standard_normal(T.shape[1])


def _accelerations_nearby(eqs: Equations, part: float) -> Floats:
    """v̇ (n,) at a distance along the motion [characteristic lengths, rad]."""
    pose = displaced_pose(
        eqs.system, eqs.state, part * eqs.state.v / np.abs(eqs.state.v / eqs.system.column_scale).max()
    )
    if pose is None:
        raise ReactioError("The pose beside it does not close.")
    return determined_accelerations(equations(eqs.system, assemble(eqs.system, pose)))
