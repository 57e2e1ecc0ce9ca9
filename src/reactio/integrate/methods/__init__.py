"""Integration methods, one file each; the folder is the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.registry import Registry

if TYPE_CHECKING:
    from reactio.forward_dynamics.accelerate import Accelerations
    from reactio.integrate.dop853.run import Engine, Task
    from reactio.integrate.integrator import Checkpoint, Chunk
    from reactio.system.equations import Equations
    from reactio.system.types import State, System


@dataclass(frozen=True, slots=True)
class Method:
    """A way to step on in time."""

    name: str
    order: int
    doc: str
    cite: str
    # The system, its engine, where the run stands, the times of output that are left, and what to do → a piece.
    advance: Callable[[System, Engine, Checkpoint, Floats, Task], Chunk]
    # Are the steps on from a checkpoint implicit?  Such steps creep up to a singular pose where explicit ones stop.
    implicit: Callable[[Checkpoint], bool] = lambda _: False
    # A method for states from which no other can go says so, and what that means for the reactions.
    claims: Callable[[System, State], str | None] | None = None
    # The forces that constraints bear where v̇ is not what the equations at one instant say.
    forces: Callable[[Equations, Floats], Accelerations] | None = None
    # v̇ of such a state.
    accelerates: Callable[[System, State], Floats] | None = None


METHODS: Registry[Method] = Registry("method", "reactio.integrate.methods", "reactio.singular.methods")


def register(method: Method) -> Method:
    """Make a method known by its name."""
    return METHODS.add(method.name, method)
