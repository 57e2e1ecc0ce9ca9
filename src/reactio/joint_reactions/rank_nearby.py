"""The rank of C at poses near a state: is the state a singular configuration?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import restricted
from reactio.kernels import expected_work
from reactio.kinematics.assemble import displaced_pose
from reactio.linear.least_norm import DENSE_COLUMNS
from reactio.linear.rank import EPS
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.uniqueness import RankDecision, Solvability
from reactio.uniqueness.engine import rank_decision

EACH_POSE = 4  # evaluations that close a pose nearby and judge its rank
MOST_BASIS_MOTIONS = 4  # freedoms up to which as many motions, and one more, are tried


def rank_nearby(eqs: Equations, answer: Solvability) -> RankDecision | None:
    """The largest rank of C at poses near a state, along its admissible motions; None where it cannot move."""
    from reactio.forward_dynamics.branch_limit import LIMIT_DISTANCES  # only of poses that may be singular

    displacements = [sign * LIMIT_DISTANCES[-1] * e for e in _directions(eqs, answer) for sign in (1.0, -1.0)]
    with expected_work(eqs.system.m, EACH_POSE * len(displacements), eqs.system.space):
        poses = [displaced_pose(eqs.system, eqs.state, d) for d in displacements]
        if not at_rest(eqs):
            poses = [state for state in poses if state is not None] or [None]
        if None in poses:
            return None
        ranks = [rank_decision(equations(eqs.system, state).constraints) for state in poses if state is not None]
    return max(ranks, key=lambda decision: (decision.rank, decision.margin))


def by_contacts_alone(eqs: Equations, answer: Solvability) -> bool:
    """Are there contacts, and is the pose not singular without them?

    Contacts never make a pose singular: they open where a nearby pose does not keep them closed, and complementarity
    determines the accelerations at this instant alone.
    """
    if not answer.unilateral:
        return False
    contacts = {group.name for group in eqs.constraints.rows.unilateral_groups}
    groups = [np.arange(group.start, group.stop) for group in eqs.system.groups if group.name not in contacts]
    held = np.concatenate([*groups, np.zeros(0, dtype=np.int64)])
    if not len(held) or rank_decision(restricted(eqs.constraints, held)).rank == len(held):
        return True
    system, state = eqs.system, eqs.state
    joints = tuple(joint for joint in system.model.joints if joint.name not in contacts)
    alone = equations(build(replace(system.model, joints=joints)), state)
    rank = alone.solvability
    generic = rank_nearby(alone, rank) if rank.redundancy and rank.mobility else rank.decision
    return generic is not None and generic.rank <= rank.rank


def at_rest(eqs: Equations) -> bool:
    """Is there no motion, but for what rounding makes of it?

        ½ vᵀ M v ≤ ε |Q| L,   L the characteristic length of forces and 1 of moments

    What velocities add to the balance of forces then lies below rounding of the loads, and their direction says
    nothing.  Where nothing has mass, or no load acts, there is no such measure and every velocity counts.
    """
    v = eqs.state.v
    kinetic = 0.5 * float(v @ (eqs.mass @ v))
    load = float(np.abs(eqs.Q * eqs.system.column_scale).max(initial=0.0))
    return not v.any() or 0.0 < kinetic <= EPS * load


def _directions(eqs: Equations, answer: Solvability) -> list[Floats]:
    """Displacements of size one [characteristic lengths, rad]: the motion, or what may begin at rest."""
    scale = eqs.system.column_scale
    directions = [*_starting_velocities(answer)] if at_rest(eqs) else [eqs.state.v]
    return [e / np.abs(e / scale).max() for e in directions]


def _starting_velocities(answer: Solvability) -> Iterator[Floats]:
    """Admissible velocities (n,) at rest: a basis where there are few, and one that combines several."""
    random, f = np.random.default_rng(7), answer.mobility
    in_basis = f if f <= MOST_BASIS_MOTIONS else 0
    combined = 1 if f > 1 else 0  # the only motion of a mechanism of mobility 1 is in the basis
    if answer.n > DENSE_COLUMNS:
        yield from answer.admissible(random.standard_normal((answer.n, in_basis + combined))).T
        return
    yield from answer.T.T[:in_basis]
    yield from (answer.T @ random.standard_normal((f, combined))).T
