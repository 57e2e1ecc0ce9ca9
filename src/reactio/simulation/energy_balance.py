"""The balance of energy along a run: kinetic and potential energy, work, and the imbalance between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.checkpoint import Checkpoint
from reactio.kernels import foreseen
from reactio.simulation.energy import evaluated_energy
from reactio.simulation.state_history import StateHistory
from reactio.system.evaluate.evaluation import evaluate, evaluations
from reactio.system.types import System

ENERGY_ROUNDING = 1e-14  # of potentials, and of loads over the characteristic length: sums over all bodies


@dataclass(frozen=True, slots=True, eq=False)
class EnergyHistory:
    """Energy at rows of a run; ``work`` is what drives, dampers, actuators, loads and impacts did since its start.

    kinetic + potential = (kinetic + potential)₀ + work + imbalance
    """

    t: Floats  # (k,) [s]
    kinetic: Floats  # (k,) [J]
    potential: Floats  # (k,) of gravity and linear springs [J]
    power: Floats  # (k,) of drives, dampers, actuators and loads [W]
    work: Floats  # (k,) [J]
    impacts: Floats  # (k,) the part of impacts on end stops in it, not positive where drives stand still [J]
    rounding: float = 0.0  # rounding error of the energies [J]
    resting: float = 1e-300  # energy that the tolerance allows a mechanism at rest [J]

    @property
    def total(self) -> Floats:
        """(k,) kinetic and potential energy [J]."""
        return self.kinetic + self.potential

    @property
    def imbalance(self) -> Floats:
        """(k,) change of the total energy minus the work [J]."""
        return self.total - self.total[:1] - self.work

    @property
    def error(self) -> float:
        """The largest imbalance beyond rounding, part of the largest kinetic energy, change of energy or work.

        Of a mechanism at rest these are rounding: its imbalance is a part of what the tolerance lets it have.
        """
        if len(self.t) < 2:
            return 0.0
        swing = max(self.kinetic.max(), np.ptp(self.total), np.abs(self.work).max(), self.resting)
        return max(0.0, float((np.abs(self.imbalance).max() - self.rounding) / swing))


def balance(run: StateHistory, most: int | None = None) -> EnergyHistory:
    """The energies of a run at its rows, or at ``most`` of them evenly spread."""
    count = len(run.t)
    rows = np.arange(count) if most is None or count <= most else np.linspace(0, count - 1, most).astype(int)
    system, at = run.system, evaluations(run.system)
    with foreseen(system.m, part=system.space):
        found = [
            evaluated_energy(system, at(float(run.t[k]), run.q[k], run.v[k]), run.q[k], run.v[k], run.lam[k])
            for k in rows
        ]
    impacts, potential = _impacts(run, rows), np.array([one.potential for one in found])
    loads, inertia = energy_at_rest(run.system, run.checkpoint)
    return EnergyHistory(
        t=run.t[rows],
        kinetic=np.array([one.kinetic for one in found]),
        potential=potential,
        power=np.array([one.power for one in found]),
        work=impacts + run.work[rows] - run.work[rows[:1]],
        impacts=impacts,
        rounding=ENERGY_ROUNDING * (float(np.abs(potential).max(initial=0.0)) + loads),
        resting=max(run.tol * loads + run.tol**2 * inertia, 1e-300),
    )


def energy_at_rest(system: System, at: Checkpoint) -> tuple[float, float]:
    """What loads do along a characteristic length or a radian, and kinetic energy at that per second [J].

    A tolerance, in characteristic lengths and radians, and per second, lets a mechanism at rest have so much of them.
    """
    work = evaluate(system, at.t, at.q, at.v)
    scale = system.column_scale
    indptr, indices = system.M_pattern
    diagonal = work.M[indices == np.repeat(np.arange(system.n), np.diff(indptr))]
    return float(np.abs(work.Q) @ scale), 0.5 * float(diagonal @ scale**2)


def _impacts(run: StateHistory, rows: Ints) -> Floats:
    """Work of all impacts up to each row: the row behind an event is the first that knows of it."""
    done = np.zeros(len(run.t) + 1)
    for event in run.events:
        done[event.row + 1] += event.work
    return np.asarray(np.cumsum(done)[rows])
