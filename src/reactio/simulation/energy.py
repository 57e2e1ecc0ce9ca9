"""Energy and power of a system at a state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.friction import friction_efforts
from reactio.kinematics.body_state import centre
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.evaluate.power import potential_of_loads, power_of_loads
from reactio.system.plan import Work
from reactio.system.types import System


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy at one state, and the power of all forces without a potential."""

    kinetic: float  # ½ vᵀ M v [J]
    potential: float  # of gravity and linear springs [J]
    power: float  # of drives, dampers, friction, actuators and loads [W]

    @property
    def total(self) -> float:
        """Kinetic and potential energy [J]."""
        return self.kinetic + self.potential


def energy(system: System, t: float, q: Floats, v: Floats, lam: Floats) -> Energy:
    """The energy at a state with multipliers λ (m,)."""
    return evaluated_energy(system, evaluate(system, t, q, v), q, v, lam)


def evaluated_energy(system: System, work: Work, q: Floats, v: Floats, lam: Floats) -> Energy:
    """The energy at a state q (nq,), v (n,) evaluated in ``work``, with multipliers λ (m,).

    T + V changes by the power of drives, −λᵀν, of efforts along coordinates, f ṡ (friction included, springs not), and
    of wrenches on bodies.
    """
    return Energy(
        kinetic=0.5 * float(v @ _times_mass(system, work, v)),
        potential=potential_of_loads(system.plan.pushes, work) - _weight(system, q) + _elastic(system, q),
        power=power(system, lam, work),
    )


def power(system: System, lam: Floats, work: Work) -> float:
    """The power of drives, dampers, friction, actuators and loads [W] at a state evaluated in ``work``, λ (m,)."""
    if len(system.plan.friction.table):
        work = work._replace(effort=work.effort + friction_efforts(system, work, lam))
    return power_of_loads(system.plan.pushes, work) - float(lam @ work.nu)


def _times_mass(system: System, work: Work, v: Floats) -> Floats:
    """M v (n,)."""
    indptr, indices = system.M_pattern
    return np.add.reduceat(work.M * v[indices], indptr[:-1])


def _weight(system: System, q: Floats) -> float:
    """Σ m g·r of all centres of mass [J]: the potential of gravity, negative."""
    g = np.array(system.model.gravity)
    if not g.any():
        return 0.0
    heavy = [b for b, body in enumerate(system.model.bodies) if body.mass]
    return sum(float(system.model.bodies[b].mass or 0.0) * float(g @ centre(system, b, q)) for b in heavy)


def _elastic(system: System, q: Floats) -> float:
    """The elastic potential of flexible bodies [J]."""
    g, at = np.array(system.model.gravity), system.body_q
    stored = 0.0
    for b, body in enumerate(system.model.bodies):
        found = system.port(body).potential(body, q[at[b] : at[b + 1]], g)
        if np.ndim(found) or not isinstance(found, Real) or not math.isfinite(found):
            raise ReactioError(
                f"body '{body.name}' ({body.kind}): the potential of its kind is {found!r:.60}; one finite number [J] "
                "is needed."
            )
        stored += float(found)
    return stored
