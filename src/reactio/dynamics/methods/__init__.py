"""Integration methods, one file each; the folder is the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.registry import Registry

if TYPE_CHECKING:
    from reactio.dynamics.motion import Checkpoint, Chunk
    from reactio.dynamics.stepper import Engine, Task
    from reactio.system.types import System


@dataclass(frozen=True, slots=True)
class Method:
    """A way to step on in time."""

    name: str
    order: int
    doc: str
    cite: str
    # The system, its engine, where the run stands, the times of output that are left, and what to do → a piece.
    advance: Callable[[System, Engine, Checkpoint, Floats, Task], Chunk]


METHODS: Registry[Method] = Registry("method", "reactio.dynamics.methods")


def register(method: Method) -> Method:
    """Make a method known by its name."""
    return METHODS.add(method.name, method)
