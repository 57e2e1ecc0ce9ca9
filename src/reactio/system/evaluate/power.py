"""Energy that loads store, and the power of loads without a potential, which a run takes in or dissipates."""

from __future__ import annotations

import numpy as np

from reactio.bodies import no_power
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.plan import EFFORT_FUNCTION, EFFORT_MEASURE, EffortPlan, Work
from reactio.system.types import System


@kernel(**NO_ARRAYS)
def power_of_loads(plan: EffortPlan, work: Work) -> float:
    """The power of dampers, friction, actuators, forces and moments on bodies at the state evaluated last [W].

        P = Σ (f_i + Σ_j S_ij (s_j − s₀_j)) ṡ_i + loads on frames and bodies' own damping

    f are all efforts along coordinates s, of which the potential ½ (s − s₀)ᵀ S (s − s₀) of their laws stores a part.
    Friction counts as far as its efforts are known: they need reactions.
    """
    power = float(work.power[0])
    for i in range(plan.effort.shape[0]):
        f = work.effort[i]
        for e in range(plan.linear_start[i], plan.linear_start[i + 1]):
            j = plan.linear_effort[e]
            f += plan.S[e] * (work.value[plan.effort[j, EFFORT_MEASURE]] - plan.free[j])
        power += f * work.rate[plan.effort[i, EFFORT_MEASURE]]
    return power


def potential_of_loads(plan: EffortPlan, work: Work) -> float:
    """½ (s − s₀)ᵀ S (s − s₀), the energy in the laws of efforts along coordinates s at the state evaluated last [J]."""
    d = work.value[plan.effort[:, EFFORT_MEASURE]] - plan.free
    row = np.repeat(np.arange(len(d)), np.diff(plan.linear_start))
    return float((0.5 * plan.S * (d[row] * d[plan.linear_effort])).sum())


def does_work(system: System) -> bool:
    """Has a system anything without a potential: a drive, a damper, friction, an actuator, a force or moment?"""
    if len(system.plan.wrenches.table) or (system.plan.rows.function >= 0).any():
        return True
    if any(system.port(body).power is not no_power for body in system.model.bodies):
        return True
    loads = system.plan.efforts
    return bool((loads.effort[:, EFFORT_FUNCTION] >= 0).any() or loads.D.any() or (loads.K != loads.S).any())
