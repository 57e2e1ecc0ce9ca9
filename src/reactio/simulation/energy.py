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
    at, own = evaluator_in_place(system), -_weight(system, q) + _elastic(system, q)
    found = []
    for k in range(len(t)):
        work = at(float(t[k]), q[k], v[k])
        kinetic = 0.5 * float(v[k] @ _times_mass(system, work, v[k]))
        potential = potential_of_loads(system.plan.efforts, work) + float(own[k])
        found.append(Energy(kinetic, potential, power(system, lam[k], work)))
    return found


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
    g, found = np.array(system.model.gravity), np.zeros(len(q))
    if g.any():
        for b, body in enumerate(system.model.bodies):
            if body.mass:
                found += body.mass * (centre(system, b, q) @ g)
    return found


def _elastic(system: System, q: Floats) -> Floats:
    """The elastic potential (k,) of flexible bodies at q (k, nq) [J]."""
    at, found = system.body_q, np.zeros(len(q))
    for b, body in enumerate(system.model.bodies):
        if system.port(body).potential is not no_potential:
            found += [_potential(system, body, one[at[b] : at[b + 1]]) for one in q]
    return found


def _potential(system: System, body: Body, q: Floats) -> float:
    """The elastic potential of a body with coordinates q [J]."""
    found = system.port(body).potential(body, q, np.array(system.model.gravity))
    if np.ndim(found) or not isinstance(found, Real) or not math.isfinite(found):
        raise ReactioError(
            f"body '{body.name}' ({body.kind}): the potential of its kind is {found!r:.60}; one finite number [J] is "
            "needed."
        )
    return float(found)
