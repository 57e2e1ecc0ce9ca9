"""Coordinates: how q follows displacements and velocities, and the angles in it that count full turns."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import foreseen
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.evaluate.kernels import bind_addresses, functions
from reactio.system.plan import MEASURE_MEMORY
from reactio.system.types import System


def remembered(system: System, t: float, q: Floats) -> Floats:
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
    return remembered(system, 0.0, out)


def coordinate_rates(system: System, q: Floats, v: Floats) -> Floats:
    """q̇ from v (nq,); remembered angles stay."""
    out = np.zeros(system.nq)
    _move(system, "coordinate_rates", q, v, out)
    return out


def _move(system: System, name: str, q: Floats, v: Floats, out: Floats) -> None:
    """Run one of the functions that lead from q and v to coordinates."""
    with foreseen(system.m, part=system.space):
        bind_addresses(system)
        functions(system)[name](system.plan, np.array(q), np.array(v), out)
