"""How far a piece of a run came."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.integrate.dop853.run import BESIDE, COLLAPSED, DONE, SMALLEST, Engine
from reactio.integrate.integrator import Checkpoint, project_state
from reactio.integrate.projection.project import INACCURATE
from reactio.integrate.status import REASONS, Status
from reactio.integrate.stiffness import fastest
from reactio.system.equations import advance, equations
from reactio.system.types import State, System


def chunk_status(system: System, c: Checkpoint, until: float, code: int, reason: int) -> Status:
    """The status of a piece from what its kernel returned and why it refused the last step.

    A step size may also collapse without a step that was refused, by stability.  What cannot be met where pivots are
    weak that are not redundant is a singular pose.
    """
    if code == DONE or until - c.t <= SMALLEST * max(abs(c.t), abs(until)):
        return Status.DONE
    if code == BESIDE:
        return Status.NEAR
    if code != COLLAPSED:
        return Status.PAUSED
    status = REASONS[reason or INACCURATE]
    if status in (Status.INACCURATE, Status.NOT_ACCELERATING) and c.weak[3]:
        redundant = system.m - equations(system, State(c.t, c.q, c.v)).solvability.rank
        return Status.NEAR if c.weak[3] > redundant else status
    return status


def fastest_at(system: System, engine: Engine, c: Checkpoint) -> tuple[float, Floats]:
    """The largest |λ| of the linearised motion at a checkpoint [1/s], and what moves with it (n,)."""

    def accelerate(d: Floats, w: Floats) -> Floats:
        return project_state(system, engine, c, c.t, advance(system, c.q, d), c.v + w)[1].vdot

    return fastest(accelerate, c.v, engine.projection.metric.scale)
