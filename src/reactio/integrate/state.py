"""The state of a run with its step-size controller, and its output rows, as arrays for the integration loops."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.integrate.projection.clearance import clearance, small_pivots
from reactio.integrate.projection.mass_projection import copy
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.sparse.gram import GramWork
from reactio.system.types import System


class RunCount(IntEnum):
    """Places in ``IntegratorState.counts``."""

    STEPS = 0  # accepted
    REJECTED = 1  # steps
    EVALUATIONS = 2
    NEXT = 3  # place of the next output time
    FILLED = 4  # rows of output
    REASON = 5  # of the last refused step
    STIFF = 6  # counter of steps limited by stability
    REDUNDANT = 7  # redundant rows: the fewest small pivots at any state of the run so far


class RunScalars(IntEnum):
    """Places in ``IntegratorState.scalars``."""

    TIME = 0  # t [s]
    STEP_SIZE = 1  # of the next step [s]
    WORK_DONE = 2  # W since the start [J]
    POWER = 3  # dW/dt at t [W]
    CLEARANCE = 4  # distance from the next singular configuration, at most CLEAR


# Plain integers for the compiled loops.
STEPS, REJECTED, EVALUATIONS, NEXT, FILLED, REASON, STIFF, REDUNDANT = (int(place) for place in RunCount)
TIME, STEP_SIZE, WORK_DONE, POWER, CLEARANCE = (int(place) for place in RunScalars)
ROW_FIELDS = ("t", "q", "v", "vdot", "lam", "work")  # fields of every row of output


class IntegratorState(NamedTuple):
    """State and step-size controller of a run."""

    q: Floats  # (nq,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    lam: Floats  # (m,)
    scalars: Floats  # (5,) by RunScalars
    counts: Ints  # (8,) by RunCount


class Output(NamedTuple):
    """Rows of output."""

    t: Floats  # (k,)
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n)
    lam: Floats  # (k, m)
    work: Floats  # (k,) [J] of drives and of loads without a potential
    near_singular: Bools  # (k,) is the row too near to a singular configuration to be reliable?


def output_rows(system: System, rows: int) -> Output:
    """Arrays for a number of output rows."""
    q, v, vdot, lam = (np.zeros((rows, k)) for k in (system.nq, system.n, system.n, system.m))
    return Output(np.zeros(rows), q, v, vdot, lam, np.zeros(rows), np.zeros(rows, dtype=bool))


@kernel(**NO_ARRAYS)
def store(out: Output, i: int, t: float, q: Floats, v: Floats, vdot: Floats, work: float) -> None:
    """One row of output."""
    out.t[i] = t
    copy(q, out.q[i])
    copy(v, out.v[i])
    copy(vdot, out.vdot[i])
    out.work[i] = work


@kernel(**NO_ARRAYS)
def store_clearance(now: IntegratorState, gram: GramWork) -> None:
    """Store the clearance of the state of a run, and the number of redundant rows: at most the small pivots here."""
    now.counts[REDUNDANT] = min(now.counts[REDUNDANT], small_pivots(gram))
    now.scalars[CLEARANCE] = clearance(gram, now.counts[REDUNDANT])
