"""The power of what has no potential: what a run must take in or give off besides kinetic and potential energy."""

from __future__ import annotations

from reactio.bodies import nothing_lost
from reactio.forces import FORCES, Effort, MatrixLoad
from reactio.functions.linear_law import LinearLaw
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.plan import EFFORT_MEASURE, PushPlan, Work
from reactio.system.types import System


@kernel(**NO_ARRAYS)
def power_of_loads(plan: PushPlan, work: Work) -> float:
    """The power of dampers, friction, actuators, forces and moments on bodies at the state evaluated last [W].

        P = Σ (f + k (s − s₀)) ṡ + dᵀ K ṡ + loads on frames and bodies' own damping,     d = s − s₀

    f are all efforts along coordinates s, of which springs of stiffness k, and loads with a matrix K, store a part.
    Friction counts as far as its efforts are known: they need reactions.
    """
    power = float(work.power[0])
    for i in range(plan.effort.shape[0]):
        s = plan.effort[i, EFFORT_MEASURE]
        power += (work.effort[i] + plan.stiffness[i] * (work.value[s] - plan.free[i])) * work.rate[s]
    for c in range(plan.matrix.shape[0]):
        first, size, at = plan.matrix[c]
        for i in range(size):
            d = work.value[plan.effort[first + i, EFFORT_MEASURE]] - plan.free[first + i]
            for j in range(size):
                K = 0.5 * (plan.K[at + size * i + j] + plan.K[at + size * j + i])
                power += d * K * work.rate[plan.effort[first + j, EFFORT_MEASURE]]
    return power


def does_work(system: System) -> bool:
    """Has a system anything without a potential: a drive, a damper, friction, an actuator, a force or moment?"""
    if len(system.plan.wrenches.table) or (system.plan.rows.function >= 0).any():
        return True
    if any(system.port(body).power is not nothing_lost for body in system.model.bodies):
        return True
    loads = (load for force in system.model.forces for load in FORCES.get(force.type).loads(force.parameters))
    return any(not _conserves(load) for load in loads)


def _conserves(load: object) -> bool:
    """Has a load a potential: is it a spring without damping?"""
    if isinstance(load, MatrixLoad):
        return not any(any(row) for row in load.damping)
    return isinstance(load, Effort) and isinstance(load.law, LinearLaw) and load.law.damping == 0.0
