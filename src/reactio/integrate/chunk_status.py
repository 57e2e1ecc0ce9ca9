"""The status of a chunk from the code that the integration loop returned."""

from __future__ import annotations

from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.loop import COLLAPSED, DONE, ENDS_AT_SINGULARITY, SMALLEST_STEP
from reactio.integrate.nearness import distance
from reactio.integrate.projection.clearance import CLEAR
from reactio.integrate.projection.project import INACCURATE
from reactio.integrate.status import STATUS_OF_REFUSAL, Status
from reactio.system.equations import equations
from reactio.system.types import State, System


def chunk_status(system: System, c: Checkpoint, until: float, code: int, reason: int) -> Status:
    """The status of a chunk from the code that the loop returned and the reason of the last refused step.

    A step size that collapses without a refusal is limited by stability, and counts as inaccurate.  Where the
    tolerance, or C v̇ = Γ, cannot be met near a singular configuration, that configuration is the reason.
    """
    if code == DONE or until - c.t <= SMALLEST_STEP * max(abs(c.t), abs(until)):
        return Status.DONE
    if code == ENDS_AT_SINGULARITY:
        return Status.NEAR_SINGULAR
    if code != COLLAPSED:
        return Status.PAUSED
    status = STATUS_OF_REFUSAL[reason or INACCURATE]
    if status in (Status.INACCURATE, Status.NOT_ACCELERATING):
        redundant = system.m - equations(system, State(c.t, c.q, c.v)).solvability.rank
        return Status.NEAR_SINGULAR if distance(system, c, redundant) < CLEAR else status
    return status
