"""The balance of energy along a run: kinetic and potential energy, work, and the imbalance between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.checkpoint import Checkpoint
from reactio.kernels import expected_work
from reactio.linear.precision import NEAR_ZERO, ROUNDOFF
from reactio.simulation.energy import energies
from reactio.simulation.state_history import StateHistory
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.types import System

# Part of potentials, and of loads times the characteristic length: sums over all bodies.
ENERGY_ROUNDING = ROUNDOFF / 100
MOST_ENERGY_ROWS = 2000  # rows of a run at which its energy is checked: more would take longer than the run itself
NO_ENERGY = NEAR_ZERO  # [J] in place of zero where a ratio of energies is formed


@dataclass(frozen=True, slots=True, eq=False)
class EnergyHistory:
    """Energy at rows of a run; ``work`` is that of drives, dampers, actuators, loads and impacts since its start.

    kinetic + potential = (kinetic + potential)₀ + work + imbalance
    """

    t: Floats  # (k,) [s]
    kinetic: Floats  # (k,) [J]
    potential: Floats  # (k,) of gravity and linear springs [J]
    power: Floats  # (k,) of drives, dampers, actuators and loads [W]
    work: Floats  # (k,) [J]
    impacts: Floats  # (k,) the part of it done by impacts, not positive where drives rest [J]
    rounding: float = 0.0  # rounding error of the energies [J]
    resting: float = NO_ENERGY  # energy that errors of a tolerance give to a mechanism at rest [J]

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
        """The largest imbalance beyond rounding, as part of the largest kinetic energy, change of energy or work.

        For a mechanism at rest these are rounding, and the energy of errors of a tolerance takes their place.
        """
        if len(self.t) < 2:
            return 0.0
        size = max(self.kinetic.max(), np.ptp(self.total), np.abs(self.work).max(), self.resting)
        part = float((np.abs(self.imbalance).max() - self.rounding) / size)
        return 0.0 if part <= 0 else part  # NaN stays NaN


def balance(run: StateHistory, most: int | None = None) -> EnergyHistory:
    """The energies of a run at its rows, or at ``most`` evenly spaced ones."""
    count = len(run.t)
    rows = np.arange(count) if most is None or count <= most else np.linspace(0, count - 1, most).astype(int)
    system = run.system
    with expected_work(system.m, len(rows), system.space):
        states = energies(system, run.t[rows], run.q[rows], run.v[rows], run.lam[rows])
    impacts, potential = _impacts(run, rows), np.array([state.potential for state in states])
    loads, inertia = unit_energies(run.system, run.checkpoint)
    return EnergyHistory(
        t=run.t[rows],
        kinetic=np.array([state.kinetic for state in states]),
        potential=potential,
        power=np.array([state.power for state in states]),
        work=impacts + run.work[rows] - run.work[rows[:1]],
        impacts=impacts,
        rounding=ENERGY_ROUNDING * (float(np.abs(potential).max(initial=0.0)) + loads),
        resting=max(run.tol * loads + run.tol**2 * inertia, NO_ENERGY),
    )


class UnitEnergies(NamedTuple):
    """Energies at a displacement, and at a velocity, of a characteristic length or radian (per second)."""

    loads: float  # work of all loads [J]
    inertia: float  # kinetic energy [J]


def unit_energies(system: System, at: Checkpoint) -> UnitEnergies:
    """Energies at a state: errors of tol in positions have the energy tol · loads, in velocities tol² · inertia."""
    work = evaluate(system, at.t, at.q, at.v)
    scale = system.column_scale
    indptr, indices = system.M_pattern
    diagonal = work.M[indices == np.repeat(np.arange(system.n), np.diff(indptr))]
    return UnitEnergies(float(np.abs(work.Q) @ scale), 0.5 * float(diagonal @ scale**2))


def _impacts(run: StateHistory, rows: Ints) -> Floats:
    """Work of all impacts up to each row (k,) [J]; that of an event counts from the row after it."""
    done = np.zeros(len(run.t) + 1)
    for event in run.events:
        done[event.row + 1] += event.work
    return np.asarray(np.cumsum(done)[rows])
