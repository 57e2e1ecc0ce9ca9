"""Which numbers of another program may be trusted: its reactions beside the verdict on each component.

One program in each file of ``programs``; the folder is the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from reactio.arrays import Floats
from reactio.model.model import Model
from reactio.registry import Registry

PROGRAMS: Registry[AuditedProgram] = Registry("program", "reactio.auditing.programs")


class ProgramWrench(NamedTuple):
    """What a program says a joint does to its body b: force [N] and torque [N m] about a point, world axes.

    Components that the program does not tell are NaN.
    """

    point: Floats
    force: Floats
    torque: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Reported:
    """A state of a program: the mechanism, how it accelerates, and the reactions that were printed."""

    program: str
    model: Model  # posed and moving as in the state, with its drives and loads
    wrenches: Mapping[str, ProgramWrench]  # by joint
    acceleration: Mapping[str, tuple[Floats, Floats]]  # of body origins and of rotation, world axes
    reason: str  # why this program prints these numbers among all that are right
    t: float = 0.0
    notes: tuple[str, ...] = field(default=())
    standing: Model | None = None  # the model with its loops as far open as the program holds them; None: closed
    gap: float = 0.0  # how far the program holds its loops open, as part of the size: forces are known no better
    rule: str = ""  # the entry of ``reactio.programs`` by which it splits, where an order or rounding decides
    begun: Model | None = None  # the model where the run began, where the split was chosen; None: at this state


@dataclass(frozen=True, slots=True)
class AuditedProgram:
    """A program: what it is recognised by, and the function that reads a state of it."""

    name: str
    accepts: Callable[[Any], bool]
    read: Callable[..., Reported]
    doc: str


def register(entry: AuditedProgram) -> AuditedProgram:
    """Make a program known by its name."""
    return PROGRAMS.add(entry.name, entry)
