"""Reactions at a state of a run, also in and near singular configurations, where one instant does not suffice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.accelerate import FORCE_ROUNDING, Accelerations, accelerations
from reactio.integrate.methods import METHODS
from reactio.integrate.options import IntegrationOptions
from reactio.joint_reactions.at_state import Reactions, reactions, refuse_unconstrained
from reactio.joint_reactions.limit import LimitForces, limit_forces
from reactio.kinematics.assemble import assembly_record
from reactio.kinematics.unit_scaling import in_metres
from reactio.system.evaluate.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Solvability, Tolerances, solvability

NEAR_SINGULAR_MARGIN = 0.02  # part of the generic margin of the rank below which a pose counts as nearly singular
# Singular values below so many tolerances: the run does not know on which side of zero they are, or how large.
UNKNOWN_IN_TOLERANCES = 100.0
SURELY_NONZERO = 0.1  # part of the largest above which a singular value is not zero, whatever the tolerance of the run
# Poses on a branch that second-order conditions restrict are known to 1e-10: singular values of that size are zero.
HELD_TOLERANCES = Tolerances(zero=1e-7, decide=3e-7, sure=1e-6)
LIMIT_ROUNDING = 1e-8  # relative error of limits from finite differences of C
# Entries of C up to which limits in singular poses are sought: C is decomposed whole, in some ten seconds.
LARGEST_MATRIX = 4e6
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


@dataclass(frozen=True, slots=True, eq=False)
class JudgedState:
    """A state with its equations and verdicts, and v̇ where the instant alone does not determine it."""

    eqs: Equations
    answer: Solvability
    motion: Accelerations | None = None

    def reactions(self, rule: str | None) -> Reactions:
        """The reactions; a rule splits those that are not unique."""
        return reactions(self.eqs, rule, answer=self.answer, motion=self.motion)

    @property
    def absent(self) -> tuple[str, ...]:
        """Joints without reactions there."""
        return self.motion.absent if self.motion else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on joints without finite reactions there."""
        if not self.absent:
            return ()
        return (
            f"Reactions of {listed(self.absent, most=8)} have no value at t = {self.eqs.state.t:.9g} s, whatever C "
            "says there: in a singular pose they grow beyond all bounds, or one instant does not say what they are.",
        )


def reactions_in(run: MotionRecord, state: State, vdot: Floats) -> Reactions:
    """The reactions in a state of a run with its accelerations v̇ (n,).

    In a singular pose C v̇ = Γ does not determine all accelerations: those of the run are taken.  At a distance s from
    one reactions grow as 1/s, and are as accurate as s.  Where a run drifts, redundant rows contradict each other: its
    reactions are those in the nearest state that satisfies the constraints.
    """
    refuse_unconstrained(run.system)
    return judge_in_run(run, state, vdot).reactions(run.options.rule)


def judge_in_run(run: MotionRecord, state: State, vdot: Floats) -> JudgedState:
    """The equations, verdicts and accelerations from which reactions at a state of a run follow."""
    closed = closed_state(run, state)
    eqs = equations(run.system, closed or state)
    forces = METHODS.get(run.options.method).forces
    if forces is not None:
        return JudgedState(eqs, solvability(eqs.constraints, tolerances=HELD_TOLERANCES), forces(eqs, vdot))
    answer = eqs.solvability
    if closed is None:
        return JudgedState(eqs, answer, without_reactions(eqs, run.options.rule))
    if not _is_near_singular(answer.decision, run.generic_rank):
        return JudgedState(eqs, answer)
    off = float(np.abs(equations(run.system, state).Phi).max(initial=0.0)) if run.options.rate else 0.0
    sure = min(SURELY_NONZERO, max(Tolerances().sure, UNKNOWN_IN_TOLERANCES * max(run.options.tol, off)))
    answer = solvability(eqs.constraints, tolerances=replace(Tolerances(), sure=sure))
    return JudgedState(eqs, answer, forces_of_motion(eqs, vdot, sure, run))


def closed_state(run: MotionRecord, state: State) -> State | None:
    """The state itself; where a run drifts the nearest one that satisfies the constraints, if there is one."""
    if not run.options.rate:
        return state
    try:
        found = assembly_record(run.system, state)
    except ReactioError:
        return None
    far = found.moved > LARGEST_CLOSING * run.system.length or found.turned > LARGEST_CLOSING
    return None if far else found.state


def generic_rank(run: MotionRecord, states: Iterable[State]) -> RankDecision:
    """The rank of C away from singular poses: the largest of some states, with its clearest margin."""
    closed = [equations(run.system, closed_state(run, state) or state) for state in states]
    ranks = [eqs.solvability.decision for eqs in closed]
    if len(closed) == 1:
        from reactio.joint_reactions.at_singular import rank_nearby

        ranks += [found for found in [rank_nearby(closed[0], closed[0].solvability)] if found]
    return max(ranks, key=lambda found: (found.rank, found.margin))


def _is_near_singular(here: RankDecision, generic: RankDecision) -> bool:
    """Is the rank lower than the generic one, or its margin much smaller?"""
    return here.rank < generic.rank or here.margin < NEAR_SINGULAR_MARGIN * generic.margin


def forces_of_motion(eqs: Equations, vdot: Floats, sure: float, run: MotionRecord) -> Accelerations | None:
    """The given v̇ with the constraint forces f = Q − M v̇; all reactions absent where their limit is not known.

    A large C near a singular pose is not decomposed: its reactions count as not known.
    """
    if eqs.system.m * eqs.system.n > LARGEST_MATRIX:
        return without_reactions(eqs, run.options.rule)
    # Q is without friction, and v̇ of a run that drifts contains Baumgarte's correction: such runs use one instant.
    whole = bool(np.isfinite(vdot).all()) and not len(eqs.system.plan.friction.table) and not run.options.rate
    f = eqs.Q - eqs.mass @ vdot
    rounding = FORCE_ROUNDING * (np.abs(eqs.Q) + abs(eqs.mass) @ np.abs(vdot))
    given = Accelerations(vdot, f, rounding, np.zeros((eqs.system.n, 0)), ())
    sigma = np.linalg.svd(in_metres(eqs), compute_uv=False)
    if (sigma > sure * sigma[0]).sum() >= run.generic_rank.rank:
        return given if whole else None
    limit = limit_forces(eqs, f, eqs.state.v, sure) if whole and eqs.state.v.any() else None
    return with_limit_forces(given, limit, eqs) if limit else without_reactions(eqs, run.options.rule)


def without_reactions(eqs: Equations, rule: str | None) -> Accelerations:
    """Accelerations at one instant, with all reactions marked as absent."""
    return replace(accelerations(eqs, np.inf, rule), absent=tuple(group.name for group in eqs.system.reacting))


def with_limit_forces(given: Accelerations, limit: LimitForces, eqs: Equations) -> Accelerations:
    """Accelerations with the forces of a limit, which are as accurate as differences of C."""
    rounding = given.rounding + LIMIT_ROUNDING * np.abs(given.f).max()
    return replace(given, f=limit.f, rounding=rounding, absent=limit.absent(eqs.system))
