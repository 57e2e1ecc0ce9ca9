"""A run between its steps: the checkpoint from which it is resumed, a chunk of its rows, the motion as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError
from reactio.integrate.dop853.run import STIFF_COUNT
from reactio.integrate.projection.clearance import CLEAR
from reactio.integrate.projection.project import LARGEST_POSITION_RESIDUAL
from reactio.integrate.rows import OutputRows
from reactio.integrate.state import (
    CLEARANCE,
    EVALUATIONS,
    POWER,
    REDUNDANT,
    REJECTED,
    ROW_FIELDS,
    STEP_SIZE,
    STEPS,
    STIFF,
    TIME,
    WORK_DONE,
    IntegratorState,
    RunCount,
    RunScalars,
)
from reactio.integrate.status import Status
from reactio.system.types import System


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The complete state of a run, from which it is resumed with identical results."""

    t: float  # [s]
    q: Floats  # (nq,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    lam: Floats  # (m,) masked by NaN, as in tables, where a run stopped at a singular pose that leaves none
    h: float  # next step size [s]
    work: float = 0.0  # of drives and of loads without a potential since the start [J]
    power: float = 0.0  # theirs at this state [W]
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    clearance: float = CLEAR  # distance from the next singular configuration, at most CLEAR (``clearance``)
    redundant: int = 0  # redundant rows of C: the fewest small pivots of A Aᵀ at any state of the run so far
    limit: float = LARGEST_POSITION_RESIDUAL  # position residual that is accepted [characteristic lengths, rad]
    extent: float = 1.0  # size of the mechanism [characteristic lengths], at least 1
    stiff: int = 0  # counter of steps limited by stability
    memory: Floats = field(default_factory=lambda: np.zeros(0))  # state that a method passes on from step to step
    memory_of: str = ""  # name of that method; another one begins without a memory
    signs: tuple[int, ...] = ()  # last sign of each event function

    def with_memory(self, method: str, memory: Floats) -> Checkpoint:
        """The same with the state that a method passes on to its next step."""
        return replace(self, memory=memory, memory_of=method)

    def without_memory(self) -> Checkpoint:
        """The same without it, for another method or one that passes nothing on."""
        return self.with_memory("", np.zeros(0))

    def memory_error(self, needed: str) -> ReactioError:
        """The error about a memory whose size is not the one that its method needs."""
        return ReactioError(
            f"The checkpoint at t = {self.t:g} s holds {len(self.memory)} numbers of the method '{self.memory_of}', "
            f"which needs {needed}: it is damaged. Start the run again."
        )


@dataclass(frozen=True, slots=True, eq=False)
class Chunk(OutputRows):
    """Some consecutive steps of a run: their output rows and the checkpoint at their end."""

    status: Status
    checkpoint: Checkpoint
    near_singular: Bools | None = None  # (k,) rows still to be interpolated; None: no row is

    @property
    def marked(self) -> Bools:
        """(k,) must a row near a singular configuration still be interpolated?"""
        return np.zeros(len(self.t), dtype=bool) if self.near_singular is None else self.near_singular


@dataclass(frozen=True, slots=True, eq=False)
class Motion(OutputRows):
    """Rows of output along a motion."""

    system: System
    status: Status
    position_drift: float  # largest |Φ| [m, rad] over all rows and the end
    velocity_drift: float  # largest |C v − ν| [m/s, rad/s] over all rows and the end
    checkpoint: Checkpoint
    start: Checkpoint  # at which it began

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return self.checkpoint.steps

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        return self.checkpoint.rejected

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return self.checkpoint.evaluations

    @property
    def stiff(self) -> bool:
        """Was the step size limited by stability instead of accuracy?"""
        return self.checkpoint.stiff >= STIFF_COUNT


def chunk_of(status: Status, rows: list[Checkpoint], c: Checkpoint) -> Chunk:
    """A chunk made of checkpoints as its rows."""
    parts: dict[str, Any] = {
        key: np.array([getattr(row, key) for row in rows], dtype=float).reshape(len(rows), *np.shape(getattr(c, key)))
        for key in ROW_FIELDS
    }
    return Chunk(status=status, checkpoint=c, **parts)


def as_arrays(checkpoint: Checkpoint) -> IntegratorState:
    """A checkpoint as arrays that the integrator works on."""
    c = checkpoint
    q, v, vdot, lam = (np.array(part, dtype=float) for part in (c.q, c.v, c.vdot, c.lam))
    scalars, counts = np.zeros(len(RunScalars)), np.zeros(len(RunCount), dtype=np.int64)
    scalars[[TIME, STEP_SIZE, WORK_DONE, POWER, CLEARANCE]] = c.t, c.h, c.work, c.power, c.clearance
    counts[[STEPS, REJECTED, EVALUATIONS, STIFF, REDUNDANT]] = c.steps, c.rejected, c.evaluations, c.stiff, c.redundant
    return IntegratorState(q, v, vdot, lam, scalars, counts)


def as_checkpoint(now: IntegratorState, before: Checkpoint) -> Checkpoint:
    """The checkpoint of such arrays; fields that the loop does not change come from an earlier checkpoint."""
    return replace(
        before,
        t=float(now.scalars[TIME]),
        q=now.q,
        v=now.v,
        vdot=now.vdot,
        lam=now.lam,
        h=float(now.scalars[STEP_SIZE]),
        work=float(now.scalars[WORK_DONE]),
        power=float(now.scalars[POWER]),
        steps=int(now.counts[STEPS]),
        rejected=int(now.counts[REJECTED]),
        evaluations=int(now.counts[EVALUATIONS]),
        clearance=float(now.scalars[CLEARANCE]),
        redundant=int(now.counts[REDUNDANT]),
        stiff=int(now.counts[STIFF]),
    )
