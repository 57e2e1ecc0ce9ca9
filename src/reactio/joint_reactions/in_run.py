"""Reactions in a state of a run, also in and beside singular poses, where one instant does not say how it moves on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import ROUNDING, Accelerations, accelerations
from reactio.integrate.methods import METHODS
from reactio.integrate.options import IntegrationOptions
from reactio.joint_reactions.at_state import Reactions, constrained, reactions
from reactio.joint_reactions.limit import Limit, limit_forces
from reactio.kinematics.assemble import assembly
from reactio.kinematics.unit_scaling import in_metres
from reactio.solvability import RankDecision, Solvability, Tolerances, solvability
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

BESIDE = 0.02  # part of the usual margin of the rank below which a pose counts as beside a singular one
# Singular values below so many tolerances: the run does not know on which side of zero they are, or how large.
UNKNOWN = 100.0
SUREST = 0.1  # above this part of the largest a singular value is known to be none, however rough the run
# A pose that second order holds is where it is to some 1e-10: singular values of that size are none.
HELD = Tolerances(zero=1e-7, decide=3e-7, sure=1e-6)
ROUGH = 1e-8  # of limits that differences of C give
SMALL = 4e6  # entries of C up to which limits in singular poses are sought: C is decomposed whole, in some ten seconds
NEAREST = 0.1  # by which a state that drifted may be closed again [characteristic lengths, rad]


LOOKS = 5  # instants of a motion at which its usual rank is looked at


class Moved(Protocol):
    """A motion: of which system, how it was integrated, and the rank of C away from singular poses."""

    @property
    def system(self) -> System: ...

    @property
    def options(self) -> IntegrationOptions: ...

    @property
    def usual(self) -> RankDecision: ...


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A state of a motion: its equations, what C says there, and v̇ where one instant does not say it."""

    eqs: Equations
    answer: Solvability
    motion: Accelerations | None = None

    def reactions(self, rule: str | None) -> Reactions:
        """The reactions, what is not unique by a rule."""
        return reactions(self.eqs, rule, answer=self.answer, motion=self.motion)

    @property
    def absent(self) -> tuple[str, ...]:
        """Joints without reactions there."""
        return self.motion.absent if self.motion else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What one must know about the reactions there."""
        if not self.absent:
            return ()
        names = ", ".join(self.absent[:8]) + (", …" if len(self.absent) > 8 else "")
        return (
            f"Reactions of {names} have no value at t = {self.eqs.state.t:.9g} s, whatever C says there: in a singular "
            "pose they grow beyond all bounds, or one instant does not say what they are.",
        )


def reactions_in(run: Moved, state: State, vdot: Floats) -> Reactions:
    """The reactions in a state of a run with its accelerations v̇ (n,).

    In a singular pose, on the way of a motion, C v̇ = Γ leaves accelerations open that the motion has: those of the run
    count.  Beside one reactions grow as 1/s, and are known as far as the run knows s.  Where a run drifts, redundant
    rows contradict each other: its reactions are those in the nearest state that satisfies the constraints.
    """
    constrained(equations(run.system, state))
    return judged_in(run, state, vdot).reactions(run.options.rule)


def judged_in(run: Moved, state: State, vdot: Floats) -> Judged:
    """What reactions in a state of a run rest on."""
    closed = nearest(run, state)
    eqs = equations(run.system, closed or state)
    forces = METHODS.get(run.options.method).forces
    if forces is not None:
        return Judged(eqs, solvability(eqs.constraints, tolerances=HELD), forces(eqs, vdot))
    answer = eqs.solvability
    if closed is None:
        return Judged(eqs, answer, without(eqs, run.options.rule))
    if not _is_beside(answer.decision, run.usual):
        return Judged(eqs, answer)
    off = float(np.abs(equations(run.system, state).Phi).max(initial=0.0)) if run.options.rate else 0.0
    sure = min(SUREST, max(Tolerances().sure, UNKNOWN * max(run.options.tol, off)))
    answer = solvability(eqs.constraints, tolerances=replace(Tolerances(), sure=sure))
    return Judged(eqs, answer, as_run(eqs, vdot, sure, run))


def nearest(run: Moved, state: State) -> State | None:
    """The state itself; where a run drifts the nearest one that satisfies the constraints, if there is one."""
    if not run.options.rate:
        return state
    try:
        found = assembly(run.system, state)
    except ReactioError:
        return None
    far = found.moved > NEAREST * run.system.length or found.turned > NEAREST
    return None if far else found.state


def usual_rank(run: Moved, states: Iterable[State]) -> RankDecision:
    """The rank of C away from singular poses: the largest of some states, with its clearest margin."""
    closed = [equations(run.system, nearest(run, state) or state) for state in states]
    ranks = [eqs.solvability.decision for eqs in closed]
    if len(closed) == 1:
        from reactio.joint_reactions.at_singular import rank_beside

        ranks += [found for found in [rank_beside(closed[0], closed[0].solvability)] if found]
    return max(ranks, key=lambda found: (found.rank, found.margin))


def _is_beside(here: RankDecision, usual: RankDecision) -> bool:
    return here.rank < usual.rank or here.margin < BESIDE * usual.margin


def as_run(eqs: Equations, vdot: Floats, sure: float, run: Moved) -> Accelerations | None:
    """v̇ as it is given, and what it leaves to the constraints; no reactions where the limit of that is not known.

    A large C beside a singular pose is not decomposed: its reactions count as not known.
    """
    if eqs.system.m * eqs.system.n > SMALL:
        return without(eqs, run.options.rule)
    # Friction is no part of Q, and the pull on what drifts is one of v̇: these belong to the instant alone.
    whole = bool(np.isfinite(vdot).all()) and not len(eqs.system.plan.friction.table) and not run.options.rate
    f = eqs.Q - eqs.M @ vdot
    rounding = ROUNDING * (np.abs(eqs.Q) + abs(eqs.M) @ np.abs(vdot))
    given = Accelerations(vdot, f, rounding, np.zeros((eqs.system.n, 0)), ())
    sigma = np.linalg.svd(in_metres(eqs), compute_uv=False)
    if (sigma > sure * sigma[0]).sum() >= run.usual.rank:
        return given if whole else None
    limit = limit_forces(eqs, f, eqs.state.v, sure) if whole and eqs.state.v.any() else None
    return in_the_limit(given, limit, eqs) if limit else without(eqs, run.options.rule)


def without(eqs: Equations, rule: str | None) -> Accelerations:
    """Accelerations of one instant without any reaction."""
    return replace(accelerations(eqs, np.inf, rule), absent=tuple(group.name for group in eqs.system.reacting))


def in_the_limit(given: Accelerations, limit: Limit, eqs: Equations) -> Accelerations:
    """Accelerations with the forces of a limit, known as well as differences of C are."""
    rounding = given.rounding + ROUGH * np.abs(given.f).max()
    return replace(given, f=limit.f, rounding=rounding, absent=limit.absent(eqs.system))
