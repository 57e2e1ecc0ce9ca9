"""Energy and power of a system at a state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import no_potential
from reactio.errors import ReactioError
from reactio.forward_dynamics.friction import friction_efforts
from reactio.kinematics.body_state import centre
from reactio.model.specs import Body
from reactio.system.evaluate.evaluation import evaluator_in_place
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
    return energies(system, np.array([t]), q[None], v[None], lam[None])[0]


def energies(system: System, t: Floats, q: Floats, v: Floats, lam: Floats) -> list[Energy]:
    """The energies at states t (k,), q (k, nq), v (k, n) with multipliers λ (k, m).

    T + V changes by the power of drives, −λᵀν, of efforts along coordinates, f ṡ (friction included, springs not), and
    of wrenches on bodies.
    """
    at, of_bodies = evaluator_in_place(system), -_weight(system, q) + _elastic(system, q)
    states = []
    for k in range(len(t)):
        work = at(float(t[k]), q[k], v[k])
        kinetic = 0.5 * float(v[k] @ _times_mass(system, work, v[k]))
        potential = potential_of_loads(system.plan.efforts, work) + float(of_bodies[k])
        states.append(Energy(kinetic, potential, power(system, lam[k], work)))
    return states


def power(system: System, lam: Floats, work: Work) -> float:
    """The power of drives, dampers, friction, actuators and loads [W] at a state evaluated in ``work``, λ (m,)."""
    if len(system.plan.friction.table):
        work = work._replace(effort=work.effort + friction_efforts(system, work, lam))
    return power_of_loads(system.plan.efforts, work) - float(lam @ work.nu)


def _times_mass(system: System, work: Work, v: Floats) -> Floats:
    """M v (n,)."""
    indptr, indices = system.M_pattern
    return np.add.reduceat(work.M * v[indices], indptr[:-1])


def _weight(system: System, q: Floats) -> Floats:
    """Σ m g·r (k,) of all centres of mass at q (k, nq) [J]: the potential of gravity, negative."""
    g, weight = np.array(system.model.gravity), np.zeros(len(q))
    if g.any():
        for b, body in enumerate(system.model.bodies):
            if body.mass:
                weight += body.mass * (centre(system, b, q) @ g)
    return weight


def _elastic(system: System, q: Floats) -> Floats:
    """The elastic potential (k,) of flexible bodies at q (k, nq) [J]."""
    at, potential = system.body_q, np.zeros(len(q))
    for b, body in enumerate(system.model.bodies):
        if system.port(body).potential is not no_potential:
            potential += [_potential(system, body, row[at[b] : at[b + 1]]) for row in q]
    return potential


def _potential(system: System, body: Body, q: Floats) -> float:
    """The elastic potential of a body with coordinates q [J]."""
    value = system.port(body).potential(body, q, np.array(system.model.gravity))
    if np.ndim(value) or not isinstance(value, Real) or not math.isfinite(value):
        raise ReactioError(
            f"body '{body.name}' ({body.kind}): the potential of its kind is {value!r:.60}; one finite number [J] is "
            "needed."
        )
    return float(value)
