"""The power of drives and of loads without a potential at a state of the motion, of which a run integrates the work."""

from __future__ import annotations

from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.evaluate.power import power_of_loads


@kernel(**NO_ARRAYS)
def power_at(projection: Projection) -> float:
    """P = −λᵀν + that of loads [W], at the state that was accelerated last, before anything else uses its factors.

    λ = −R y with the y that the accelerations left; where λ is not unique, all choices have the same λᵀν = vᵀCᵀλ.
    """
    m, nu = projection.m, projection.work.nu
    power = power_of_loads(projection.plan.efforts, projection.work)
    for i in range(nu.shape[0]):
        power += m.R[i] * m.y[i] * nu[i]
    return power
