"""Coordinates: how q follows displacements and velocities, and the angles in it that count full turns."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import expected_work
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.evaluate.kernels import addresses_bound, evaluation_kernels
from reactio.system.plan import MEASURE_MEMORY
from reactio.system.types import System


def with_counted_turns(system: System, t: float, q: Floats) -> Floats:
    """q with the angles that count full turns set by the pose of the bodies, nearest to their values before."""
    memory = system.plan.measures.table[:, MEASURE_MEMORY]
    counting = memory >= 0
    if not counting.any():
        return q
    out = np.array(q)
    out[memory[counting]] = evaluate(system, t, q, np.zeros(system.n)).value[counting]
    return out


def advance(system: System, q: Floats, d: Floats) -> Floats:
    """q moved by a displacement d (n,) in the directions of v; rotations move on the group."""
    out = np.array(q)
    _move(system, "advance", q, d, out)
    return with_counted_turns(system, 0.0, out)


def coordinate_rates(system: System, q: Floats, v: Floats) -> Floats:
    """q̇ (nq,) from v; zero for angles counted over full turns, which follow from the poses of bodies."""
    out = np.zeros(system.nq)
    _move(system, "coordinate_rates", q, v, out)
    return out


def _move(system: System, name: str, q: Floats, v: Floats, out: Floats) -> None:
    """Run the kernel of that name, which leads from q and v to coordinates or their rates."""
    with expected_work(system.m, part=system.space), addresses_bound(system):
        evaluation_kernels(system)[name](system.plan, np.array(q), np.array(v), out)
