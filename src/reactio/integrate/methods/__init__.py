"""Integration methods, one file each; the folder is the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.catalogue.registry import Registry

if TYPE_CHECKING:
    from reactio.forward_dynamics.accelerate import Accelerations
    from reactio.integrate.checkpoint import Checkpoint, Chunk
    from reactio.integrate.dop853.workspace import StepWorkspace
    from reactio.integrate.loop import Task
    from reactio.system.equations import Equations
    from reactio.system.types import State, System


@dataclass(frozen=True, slots=True)
class Method:
    """An integration method."""

    name: str
    order: int
    doc: str
    cite: str
    # (system, workspace, checkpoint, remaining times of output, task) → the next chunk.
    advance: Callable[[System, StepWorkspace, Checkpoint, Floats, Task], Chunk]
    kernels: str = "stiff"  # the group of kernels that it needs, as ``warm`` compiles them
    # The fewest evaluations to expect of a run: the first step size of an implicit one, a guess, would give too few.
    least_evaluations: int = 100
    stabilises: bool = False  # can Baumgarte's stabilisation take the place of its projections?
    # Does it go in time steps of a given size, through contacts that close and open within them?
    in_steps: bool = False
    # Are the steps after a checkpoint implicit?  They approach singular poses ever more closely, explicit ones stop.
    implicit: Callable[[Checkpoint], bool] = lambda _: False
    past_singular_poses: bool = False  # does it step through singular poses itself, without ``singular_passage``?
    # Constraint forces Cᵀλ where v̇ does not follow from the equations at one instant.
    forces: Callable[[Equations, Floats], Accelerations] | None = None
    # v̇ (n,) of such a state.
    accelerates: Callable[[System, State], Floats] | None = None


METHODS: Registry[Method] = Registry("method", "reactio.integrate.methods")
register = METHODS.register
