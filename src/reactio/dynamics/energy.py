"""Energy and power of a system: what a run must balance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.friction import friction_efforts
from reactio.forces import FORCES, Effort
from reactio.functions.linear_law import LinearLaw
from reactio.system.equations import evaluate
from reactio.system.plan import Plan, Work
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
    s, rate = _along(system, work)
    stored = 0.5 * springs[:, 0] * (s - springs[:, 1]) ** 2
    storing = springs[:, 0] * (s - springs[:, 1]) * rate
    rubbed = friction_efforts(system, work, lam)
    efforts = float((work.effort + rubbed) @ rate + storing.sum())
    return Energy(
        kinetic=0.5 * float(v @ _times_mass(system, work, v)),
        potential=float(stored.sum()) - _weight(system, q, work),
        power=-float(lam @ work.nu) + efforts + _load_power(system, t, q, v, work),
    )


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
            if isinstance(load, Effort):
                law = load.law
                table.append((law.stiffness, law.free) if isinstance(law, LinearLaw) else (0.0, 0.0))
    return np.array(table, dtype=float).reshape(-1, 2)


def _weight(system: System, q: Floats, work: Work) -> float:
    """Σ m g·r of all centres of mass; the lever m c of each body stands in its mass matrix."""
    g = np.array(system.model.gravity)
    total = 0.0
    for b, body in enumerate(system.model.bodies):
        if not body.mass or not g.any():
            continue
        r = q[system.body_q[b] : system.body_q[b] + len(g)]
        total += body.mass * float(g @ (r + _centre(system, b, work)))
    return total


def _centre(system: System, b: int, work: Work) -> Floats:
    """The centre of mass against the body origin in world axes, read off the mass matrix."""
    width = int(system.body_v[b + 1] - system.body_v[b])
    start = int(system.M_pattern[0][system.body_v[b]])
    M = work.M[start : start + width * width].reshape(width, width)
    if width == 3 and system.space == "planar":
        return np.asarray(np.array([M[1, 2], -M[0, 2]]) / M[0, 0])
    if width == 6:
        return np.asarray(np.array([M[1, 5], M[2, 3], M[0, 4]]) / M[0, 0])
    return np.zeros(len(system.model.gravity))


def _load_power(system: System, t: float, q: Floats, v: Floats, work: Work) -> float:
    """Power of forces and torques on bodies: what they add to Qᵀ v."""
    wrenches = system.plan.wrenches
    if not len(wrenches.table):
        return 0.0
    without = wrenches._replace(of=np.zeros_like(wrenches.of))
    plan: Plan = system.plan._replace(wrenches=without)
    return float((work.Q - evaluate(replace(system, plan=plan), t, q, v).Q) @ v)
