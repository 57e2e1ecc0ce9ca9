"""Implicit, order 5, stiffly accurate: for stiff springs, strong dampers and nearly rigid couplings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.collocation import inside
from reactio.dynamics.manifold import FINE
from reactio.dynamics.methods import Method, register
from reactio.dynamics.motion import Checkpoint, Chunk, landed
from reactio.dynamics.radau import Stepped, stepped
from reactio.dynamics.status import REASONS, Status
from reactio.dynamics.stepper import Engine, Task
from reactio.dynamics.tangent import MOST_VELOCITIES
from reactio.errors import ReactioError
from reactio.system.equations import advance
from reactio.system.types import System


def advanced(system: System, engine: Engine, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Run one piece on from a checkpoint."""
    if system.n > MOST_VELOCITIES:
        raise ReactioError(
            f"The method 'radau5' works with dense matrices: {system.n} velocities are more than {MOST_VELOCITIES}. "
            "Use the method 'dop853', or fewer bodies."
        )
    c, J, rows, status = checkpoint, None, list[Checkpoint](), Status.PAUSED
    for _ in range(task.steps):
        if c.t >= task.until:
            break
        step = stepped(system, engine, task, c, J)
        if step.reason != FINE:
            return _chunk(system, REASONS[step.reason], rows, step.end)
        inner = _between(system, engine, c, step, times[len(rows) :])
        rows += inner
        if task.every or (len(rows) < len(times) and times[len(rows)] <= step.end.t):
            rows.append(step.end)
        c, J = replace(step.end, evaluations=step.end.evaluations + len(inner)), step.J
    return _chunk(system, Status.DONE if c.t >= task.until else status, rows, c)


def _between(system: System, engine: Engine, c: Checkpoint, step: Stepped, times: Floats) -> list[Checkpoint]:
    """Output at the given times inside a step: the collocation polynomial, projected like the ends."""
    found = []
    for t in times[times < step.end.t]:
        assert step.Z is not None
        d, v = inside(step.Z, (float(t) - c.t) / step.h).reshape(2, -1)
        found.append(landed(system, engine, c, float(t), advance(system, c.q, d), c.v + v)[1])
    return found


def _chunk(system: System, status: Status, rows: list[Checkpoint], c: Checkpoint) -> Chunk:
    sizes = {"q": system.nq, "v": system.n, "vdot": system.n, "lam": system.m}
    q, v, vdot, lam = (
        np.array([getattr(row, key) for row in rows], dtype=float).reshape(len(rows), k) for key, k in sizes.items()
    )
    return Chunk(status, np.array([row.t for row in rows]), q, v, vdot, lam, c)


RADAU5 = register(
    Method(
        name="radau5",
        order=5,
        doc="Implicit Radau IIA: for stiff springs, strong dampers and vibration that need not be followed.",
        cite="Hairer & Wanner 1996, Sect. IV.8",
        advance=advanced,
    )
)
