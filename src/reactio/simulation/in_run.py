"""Reactions at a state of a run, also in and near singular configurations, where one instant does not suffice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.forward_dynamics.multipliers import multipliers_along
from reactio.integrate.methods import METHODS
from reactio.integrate.options import IntegrationOptions
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.forces_of_motion import forces_of_motion, without_reactions
from reactio.joint_reactions.judge import JudgedState, refuse_unconstrained
from reactio.joint_reactions.rank_nearby import rank_nearby
from reactio.joint_reactions.solve import solve_reactions
from reactio.kernels import expected_work
from reactio.kinematics.assemble import assembly_record
from reactio.system.equations import Equations, equations, solvabilities_at
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Tolerances, solvability

NEAR_SINGULAR_MARGIN = 0.02  # part of the generic margin of the rank below which a pose counts as nearly singular
# Singular values below so many tolerances: the run knows neither their sign nor their size.
UNKNOWN_IN_TOLERANCES = 100.0
SURELY_NONZERO = 0.1  # part of the largest above which a singular value is not zero, whatever the tolerance of the run
# Poses on a branch that second-order conditions restrict are known to 1e-10: singular values of that size are zero.
HELD_TOLERANCES = Tolerances(zero=1e-7, decide=3e-7, sure=1e-6)
LARGEST_CLOSING = 0.1  # displacement by which a state that drifted is closed again [characteristic lengths, rad]
RANK_SAMPLES = 5  # instants at which the generic rank of a motion is sought: few of them are singular


class MotionRecord(Protocol):
    """A motion: its system, its integration options, and the generic rank of C, away from singular configurations."""

    @property
    def system(self) -> System: ...

    @property
    def options(self) -> IntegrationOptions: ...

    @property
    def generic_rank(self) -> RankDecision: ...


def reactions_in(run: MotionRecord, states: Sequence[State], vdot: Sequence[Floats]) -> list[Reactions]:
    """The reactions in states of a run with their accelerations v̇ (n,).

    In a singular pose C v̇ = Γ does not determine all accelerations: those of the run are taken.  At a distance s from
    one reactions grow as 1/s, and are as accurate as s.  Where a run drifts, redundant rows contradict each other: its
    reactions are those in the nearest state that satisfies the constraints.
    """
    refuse_unconstrained(run.system)
    return _side_by_side(judge_in_run(run, states, vdot), run.options.rule)


def _side_by_side(judged: Sequence[JudgedState], rule: str | None) -> list[Reactions]:
    """The reactions at judged states of a motion, solved side by side where that is possible, and else alone."""
    motions = [row.motion or accelerations(row.eqs, rule=rule) for row in judged]
    multipliers = multipliers_along([row.eqs for row in judged], motions, [row.answer for row in judged], rule)
    return [
        solve_reactions(row.eqs, row.answer, motion, rule)
        if lam is None
        else Reactions(row.eqs, motion, row.answer, rule, lam, np.zeros((len(lam), 0)))
        for row, motion, lam in zip(judged, motions, multipliers, strict=True)
    ]


def judge_in_run(run: MotionRecord, states: Sequence[State], vdot: Sequence[Floats]) -> list[JudgedState]:
    """The equations, verdicts and accelerations from which reactions at states of a run follow."""
    with expected_work(run.system.m, len(states), run.system.space):
        closed = [closed_state(run, state) for state in states]
        every = [equations(run.system, near or state) for near, state in zip(closed, states, strict=True)]
    forces = METHODS.get(run.options.method).forces
    if forces is not None:
        return [
            JudgedState(eqs, solvability(eqs.constraints, tolerances=HELD_TOLERANCES), forces(eqs, a))
            for eqs, a in zip(every, vdot, strict=True)
        ]
    solvabilities_at(every)
    return [_judged(run, *row) for row in zip(states, closed, every, vdot, strict=True)]


def _judged(run: MotionRecord, state: State, closed: State | None, eqs: Equations, vdot: Floats) -> JudgedState:
    """A state of a run, or the nearest one that satisfies the constraints, with its equations."""
    answer = eqs.solvability
    if closed is None:
        return JudgedState(eqs, answer, without_reactions(eqs, run.options.rule))
    if not _is_near_singular(answer.decision, run.generic_rank):
        return JudgedState(eqs, answer)
    off = float(np.abs(equations(run.system, state).Phi).max(initial=0.0)) if run.options.drifts else 0.0
    sure = min(SURELY_NONZERO, max(Tolerances().sure, UNKNOWN_IN_TOLERANCES * max(run.options.tol, off)))
    answer = solvability(eqs.constraints, tolerances=replace(Tolerances(), sure=sure))
    return JudgedState(
        eqs, answer, forces_of_motion(eqs, vdot, sure, run.generic_rank, run.options.rule, run.options.drifts)
    )


def closed_state(run: MotionRecord, state: State) -> State | None:
    """The state itself; where a run drifts the nearest one that satisfies the constraints, if there is one."""
    if not run.options.drifts:
        return state
    try:
        record = assembly_record(run.system, state)
    except ReactioError:
        return None
    far = record.moved > LARGEST_CLOSING * run.system.length or record.turned > LARGEST_CLOSING
    return None if far else record.state


def generic_rank(run: MotionRecord, states: Iterable[State]) -> RankDecision:
    """The rank of C away from singular poses: the largest of some states, with its clearest margin."""
    closed = [equations(run.system, closed_state(run, state) or state) for state in states]
    solvabilities_at(closed)
    ranks = [eqs.solvability.decision for eqs in closed]
    if len(closed) == 1:
        ranks += [decision for decision in [rank_nearby(closed[0], closed[0].solvability)] if decision]
    return max(ranks, key=lambda decision: (decision.rank, decision.margin))


def _is_near_singular(decision: RankDecision, generic: RankDecision) -> bool:
    """Is the rank lower than the generic one, or its margin much smaller?"""
    return decision.rank < generic.rank or decision.margin < NEAR_SINGULAR_MARGIN * generic.margin
