"""A method of integration prepared for a system: its plain steps, and single states by its projection."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk, as_arrays, as_checkpoint
from reactio.integrate.dop853.run import runner
from reactio.integrate.loop import Engine, Task
from reactio.integrate.methods import Method
from reactio.integrate.projection.project import LARGEST_POSITION_RESIDUAL, bind_projection_addresses
from reactio.integrate.state import output_rows
from reactio.kernels import Kernel
from reactio.system.evaluate.kernels import evaluator
from reactio.system.types import System


@dataclass(frozen=True, slots=True, eq=False)
class Stepper:
    """The steps of a method on a system, which stop where a singular configuration is near."""

    system: System
    engine: Engine
    method: Method

    def advance(self, start: Checkpoint, times: Floats, task: Task) -> Chunk:
        """One chunk from a checkpoint by the steps of the method alone."""
        return self.method.advance(self.system, self.engine, start, times, task)

    def project_state(self, c: Checkpoint, t: float, q: Floats, v: Floats) -> Checkpoint:
        """The checkpoint of another state: projected, with its accelerations and multipliers."""
        return project_state(self.system, self.engine, c, float(t), q, v)[1]


def explicit_kernel(system: System) -> Kernel[..., int]:
    """run(engine, now, out, times, task) of a system."""
    return runner(evaluator(system))


def project_state(
    system: System, engine: Engine, c: Checkpoint, t: float, q: Floats, v: Floats
) -> tuple[int, Checkpoint]:
    """The checkpoint of a projected state with v̇ and λ, and the reason of a failure (or FINE)."""
    now = as_arrays(replace(c, t=t, q=q, v=v))
    bind_projection_addresses(system, engine.projection)
    reason = explicit_kernel(system)(
        engine, now, output_rows(system, 0), np.zeros(0), Task(t, 0.0, 0.0, 0, False, LARGEST_POSITION_RESIDUAL, 1.0)
    )
    return int(reason), as_checkpoint(now, c)
