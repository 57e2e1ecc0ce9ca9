"""Energy and power of a system: what a run must balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.forward_dynamics.friction import friction_efforts
from reactio.kinematics.body_state import centre
from reactio.system.evaluate.equations import evaluate
from reactio.system.evaluate.power import power_of_loads
from reactio.system.plan import EFFORT_MEASURE, Work
from reactio.system.types import System


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy at one state, and the power that flows in beyond gravity and springs."""

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

    T + V changes by the power of drives, −λᵀν, of efforts along coordinates, f ṡ, friction among them, less what
    springs store, and of wrenches on bodies.
    """
    springs, s = system.plan.pushes, _coordinates(system, work)
    stored = 0.5 * springs.stiffness * (s - springs.free) ** 2
    return Energy(
        kinetic=0.5 * float(v @ _times_mass(system, work, v)),
        potential=float(stored.sum()) + _stored_by_matrices(system, s) - _weight(system, q) + _elastic(system, q),
        power=power(system, lam, work),
    )


def power(system: System, lam: Floats, work: Work) -> float:
    """The power of drives, dampers, friction, actuators and loads [W] at a state evaluated in ``work``, λ (m,)."""
    if len(system.plan.friction.table):
        work = work._replace(effort=work.effort + friction_efforts(system, work, lam))
    return power_of_loads(system.plan.pushes, work) - float(lam @ work.nu)


def _times_mass(system: System, work: Work, v: Floats) -> Floats:
    indptr, indices = system.M_pattern
    return np.add.reduceat(work.M * v[indices], indptr[:-1])


def _coordinates(system: System, work: Work) -> Floats:
    """(efforts,) s, the coordinates along which efforts act."""
    return work.value[system.plan.pushes.effort[:, EFFORT_MEASURE]]


def _stored_by_matrices(system: System, s: Floats) -> float:
    """What loads with a matrix store, ½ dᵀK d with d = s − s₀ [J]."""
    plan, stored = system.plan.pushes, 0.0
    for first, size, at in plan.matrix:
        own = slice(first, first + size)
        K, d = plan.K[at : at + size * size].reshape(size, size), s[own] - plan.free[own]
        stored += 0.5 * float(d @ K @ d)
    return stored


def _weight(system: System, q: Floats) -> float:
    """Σ m g·r of all centres of mass."""
    g = np.array(system.model.gravity)
    if not g.any():
        return 0.0
    heavy = [b for b, body in enumerate(system.model.bodies) if body.mass]
    return sum(float(system.model.bodies[b].mass or 0.0) * float(g @ centre(system, b, q)) for b in heavy)


def _elastic(system: System, q: Floats) -> float:
    """What bodies that bend store by themselves."""
    g, at = np.array(system.model.gravity), system.body_q
    ports = ((body, system.port(body)) for body in system.model.bodies)
    return sum(port.potential(body, q[at[b] : at[b + 1]], g) for b, (body, port) in enumerate(ports))
