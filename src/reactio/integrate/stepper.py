"""A method of integration prepared for a system: its plain steps, and single states by its projection."""

from __future__ import annotations

from dataclasses import dataclass

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.methods import Method
from reactio.integrate.project_state import project_state
from reactio.system.types import System


@dataclass(frozen=True, slots=True, eq=False)
class Stepper:
    """The steps of a method on a system, which stop where a singular configuration is near."""

    system: System
    workspace: StepWorkspace
    method: Method

    def advance(self, start: Checkpoint, times: Floats, task: Task) -> Chunk:
        """One chunk from a checkpoint by the steps of the method alone."""
        return self.method.advance(self.system, self.workspace, start, times, task)

    def project_state(self, c: Checkpoint, t: float, q: Floats, v: Floats) -> Checkpoint:
        """The checkpoint of another state: projected, with its accelerations and multipliers."""
        return project_state(self.system, self.workspace, c, float(t), q, v).checkpoint
