"""Reactions in a state of a run, also in and beside singular poses, where one instant does not say how it moves on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.accelerate import ROUNDING, Accelerations, accelerations
from reactio.dynamics.limit import Limit, in_metres, limit_forces
from reactio.dynamics.methods import METHODS
from reactio.dynamics.reactions_at import Reactions, reactions
from reactio.solvability import RankDecision, Solvability, Tolerances, solvability
from reactio.system.equations import Equations, equations
from reactio.system.types import State

if TYPE_CHECKING:
    from reactio.dynamics.trajectory import Trajectory

BESIDE = 0.02  # part of the usual margin of the rank below which a pose counts as beside a singular one
# Singular values below so many tolerances: the run does not know on which side of zero they are, or how large.
UNKNOWN = 100.0
# A pose that second order holds is where it is to some 1e-10: singular values of that size are none.
HELD = Tolerances(zero=1e-7, decide=3e-7, sure=1e-6)
ROUGH = 1e-8  # of limits that differences of C give


def reactions_in(run: Trajectory, state: State, vdot: Floats) -> Reactions:
    """The reactions in a state of a run with its accelerations v̇ (n,).

    In a singular pose, on the way of a motion, C v̇ = Γ leaves accelerations open that the motion has: those of the run
    count.  Beside one reactions grow as 1/s, and are known as far as the run knows s.
    """
    eqs = equations(run.system, state)
    forces = METHODS.get(run.method).forces
    if forces is not None:
        return reactions(eqs, answer=solvability(eqs.constraints, tolerances=HELD), motion=forces(eqs, vdot))
    if not run.system.m:
        return reactions(eqs, run.rule)
    answer = solvability(eqs.constraints)
    if not _is_beside(answer.decision, run.usual):
        return reactions(eqs, run.rule, answer=answer)
    rubs, usual = len(run.system.plan.friction.table) > 0, Tolerances()
    answer = solvability(eqs.constraints, tolerances=replace(usual, sure=max(usual.sure, UNKNOWN * run.tol)))
    plain = rubs or run.rule is not None or not np.isfinite(vdot).all()
    return reactions(eqs, run.rule, answer=answer, motion=None if plain else _as_run(eqs, vdot, answer, run.usual.rank))


def _is_beside(here: RankDecision, usual: RankDecision) -> bool:
    return here.rank < usual.rank or here.margin < BESIDE * usual.margin


def _as_run(eqs: Equations, vdot: Floats, answer: Solvability, usual: int) -> Accelerations:
    """v̇ as it is given, and what it leaves to the constraints; no reactions where the limit of that is not known."""
    f, sure = eqs.Q - eqs.M @ vdot, answer.tolerances.sure
    rounding = ROUNDING * (np.abs(eqs.Q) + abs(eqs.M) @ np.abs(vdot))
    given = Accelerations(vdot, f, rounding, np.zeros((eqs.system.n, 0)), ())
    sigma = np.linalg.svd(in_metres(eqs), compute_uv=False)
    if (sigma > sure * sigma[0]).sum() >= usual:
        return given
    limit = limit_forces(eqs, f, eqs.state.v, sure) if eqs.state.v.any() else None
    if limit is None:
        return replace(accelerations(eqs, np.inf), absent=tuple(group.name for group in eqs.system.reacting))
    return in_the_limit(given, limit, eqs)


def in_the_limit(given: Accelerations, limit: Limit, eqs: Equations) -> Accelerations:
    """Accelerations with the forces of a limit, known as well as differences of C are."""
    rounding = given.rounding + ROUGH * np.abs(given.f).max()
    return replace(given, f=limit.f, rounding=rounding, absent=limit.absent(eqs.system))
