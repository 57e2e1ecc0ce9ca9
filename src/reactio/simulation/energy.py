"""Energy and power of a system: what a run must balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.forces import FORCES, Effort, MatrixLoad
from reactio.forward_dynamics.friction import friction_efforts
from reactio.functions.linear_law import LinearLaw
from reactio.kinematics.body_state import centre
from reactio.system.equations import evaluate
from reactio.system.plan import Work
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
    """The energy at a state with multipliers λ (m,).

    T + V changes by the power of drives, −λᵀν, of efforts along coordinates, f ṡ, friction among them, less what
    springs store, and of wrenches on bodies.
    """
    work = evaluate(system, t, q, v)
    springs = _springs(system)
    s, _ = _along(system, work)
    stored = 0.5 * springs[:, 0] * (s - springs[:, 1]) ** 2
    return Energy(
        kinetic=0.5 * float(v @ _times_mass(system, work, v)),
        potential=float(stored.sum()) + _matrices(system, work)[0] - _weight(system, q) + _elastic(system, q),
        power=power(system, t, q, v, lam, work),
    )


def power(system: System, t: float, q: Floats, v: Floats, lam: Floats, work: Work) -> float:
    """The power of drives, dampers, friction, actuators and loads [W] at a state that is evaluated in ``work``."""
    efforts = 0.0
    if len(system.plan.pushes.effort):
        springs, (s, rate) = _springs(system), _along(system, work)
        storing = springs[:, 0] * (s - springs[:, 1]) * rate
        given = (work.effort + friction_efforts(system, work, lam)) @ rate
        efforts = float(given + storing.sum()) + _matrices(system, work)[1]
    return -float(lam @ work.nu) + efforts + _load_power(system, t, q, v, work) + _own_power(system, q, v)


def _times_mass(system: System, work: Work, v: Floats) -> Floats:
    indptr, indices = system.M_pattern
    return np.add.reduceat(work.M * v[indices], indptr[:-1])


def _along(system: System, work: Work) -> tuple[Floats, Floats]:
    """Coordinates and rates of all efforts."""
    measure = system.plan.pushes.effort[:, 0]
    return work.value[measure], work.rate[measure]


def _springs(system: System) -> Floats:
    """(efforts, 2) stiffness and free length of each effort, zero where it is no linear spring."""
    table = []
    for force in system.model.forces:
        for load in FORCES.get(force.type).loads(force.parameters):
            if isinstance(load, MatrixLoad):
                table += [(0.0, 0.0)] * len(load.measures)
            if isinstance(load, Effort):
                law = load.law
                table.append((law.stiffness, law.free) if isinstance(law, LinearLaw) else (0.0, 0.0))
    return np.array(table, dtype=float).reshape(-1, 2)


def _matrices(system: System, work: Work) -> tuple[float, float]:
    """What loads with a matrix store, ½ dᵀK d with d = s − s₀ [J], and how fast, dᵀK ṡ [W]."""
    plan, stored, rising = system.plan.pushes, 0.0, 0.0
    s, rate = _along(system, work)
    for first, size, at in plan.matrix:
        own = slice(first, first + size)
        K, d = plan.K[at : at + size * size].reshape(size, size), s[own] - plan.free[own]
        stored += 0.5 * float(d @ K @ d)
        rising += float(d @ (0.5 * (K + K.T)) @ rate[own])
    return stored, rising


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
    ports = ((body, BODIES.get(body.kind).ports[system.space]) for body in system.model.bodies)
    return sum(port.potential(body, q[at[b] : at[b + 1]], g) for b, (body, port) in enumerate(ports))


def _own_power(system: System, q: Floats, v: Floats) -> float:
    """Power of the bodies' own forces without a potential."""
    at, along = system.body_q, system.body_v
    ports = ((body, BODIES.get(body.kind).ports[system.space]) for body in system.model.bodies)
    return sum(
        port.power(body, q[at[b] : at[b + 1]], v[along[b] : along[b + 1]]) for b, (body, port) in enumerate(ports)
    )


def _load_power(system: System, t: float, q: Floats, v: Floats, work: Work) -> float:
    """Power of forces and torques on bodies: what they add to Qᵀ v."""
    if not len(system.plan.wrenches.table):
        return 0.0
    return float((work.Q - evaluate(system.without_wrenches, t, q, v).Q) @ v)
