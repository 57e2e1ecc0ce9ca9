"""The arrays on which the projections of a system work: a state during a step, factors, friction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.forward_dynamics.coulomb import CoulombWork, coulomb_work
from reactio.integrate.formulation import DEFAULT_FORMULATION, formulation_of
from reactio.integrate.projection.formulation_work import FormulationWork, formulation_work
from reactio.integrate.projection.mass_projection import MetricPlan, MetricWork, metric_plan, metric_work
from reactio.integrate.projection.massless import MasslessWork, massless_work
from reactio.sharing import Weights
from reactio.system.evaluate.workspace import workspace
from reactio.system.plan import Plan, Work
from reactio.system.types import System

OF_POSITION, OF_VELOCITY = range(2)  # places in ``StageState.corrections``


class StageState(NamedTuple):
    """A state within a step (a stage, the end, or an output row), as a displacement d from the pose q0 at its start."""

    q0: Floats  # (nq,)
    q: Floats  # (nq,) q0 moved by d
    d: Floats  # (n,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    change: Floats  # (n,) of d, or of v, by the projection
    corrections: Floats  # (2,) largest change by the projection OF_POSITION, d [lengths, rad], and OF_VELOCITY, v [1/s]


class Projection(NamedTuple):
    """A system with the arrays of its projections."""

    plan: Plan
    work: Work
    metric: MetricPlan
    m: MetricWork
    p: StageState
    massless: MasslessWork
    friction: FrictionWork
    formulation: FormulationWork


def projection_workspace(
    system: System, weights: Weights | None = None, formulation: str = DEFAULT_FORMULATION
) -> Projection:
    """The symbolic phase and the arrays for a system; ``weights`` of the sharing rule when friction needs one."""
    metric = metric_plan(system)
    d, v, vdot, change = np.zeros((4, system.n))
    p = StageState(np.zeros(system.nq), np.zeros(system.nq), d, v, vdot, change, np.zeros(2))
    work, m, massless = workspace(system), metric_work(metric), massless_work(system.n)
    friction = friction_work(system, metric, weights)
    chosen = formulation_work(system, formulation_of(formulation))
    return Projection(system.plan, work, metric, m, p, massless, friction, chosen)


class FrictionSharing(NamedTuple):
    """A sharing rule that weighs rows: min Σ W_i λ_i², W_i = (c_i M⁻¹c_iᵀ)^power, λ_i = 0 for rows not kept."""

    needed: bool  # False: the reactions that friction depends on are unique, so that no rule is applied
    kept: Floats  # (m,) 1, or 0 for rows that carry nothing
    power: float  # of the weights W
    m: MetricWork  # its rows scaled by S = R^(power − 1), so that λ = R S y with the smallest |y|


class FrictionWork(NamedTuple):
    """Arrays of k friction efforts."""

    a: Floats  # (k,) efforts per newton
    unit: Floats  # (efforts,) one effort of size 1
    force: Floats  # (n,) its force on the bodies
    vdot: Floats  # (k, n) and the accelerations it makes
    y: Floats  # (k + 1, m) multipliers −R⁻¹λ of each, and last those without friction
    lam: Floats  # (m,) by the rule, where one is needed
    N: Floats  # (components, k + 1) normal reactions for each effort of size 1, and last those without friction [N]
    slip: CoulombWork
    rule: FrictionSharing


def friction_work(system: System, metric: MetricPlan, weights: Weights | None) -> FrictionWork:
    """Arrays for the friction efforts of a system."""
    plan, n, m = system.plan.friction, system.n, system.m
    k = len(plan.table)
    kept, power = (np.ones(m), 1.0) if weights is None else (weights.kept, weights.power)
    return FrictionWork(
        a=np.zeros(k),
        unit=np.zeros(len(system.plan.efforts.effort)),
        force=np.zeros(n),
        vdot=np.zeros((k, n)),
        y=np.zeros((k + 1, m)),
        lam=np.zeros(m),
        N=np.zeros((len(plan.component), k + 1)),
        slip=coulomb_work(k),
        rule=FrictionSharing(weights is not None, np.array(kept), float(power), metric_work(metric)),
    )
