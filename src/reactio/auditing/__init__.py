"""Which numbers of another program may be trusted: its reactions beside the verdict on each component.

One program in each file of ``programs``; the folder is the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.model.specs import Model
from reactio.registry import Registry

if TYPE_CHECKING:
    from reactio.auditing.judge import Audit

PROGRAMS: Registry[AuditedProgram] = Registry("program", "reactio.auditing.programs")


class ProgramWrench(NamedTuple):
    """What a program says a joint does to its body b: force [N] and torque [N m] about a point, world axes."""

    point: Floats
    force: Floats
    torque: Floats | None  # None where the program does not tell it


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


def audit(model: Any, *more: Any, axes: str = "joint", **options: Any) -> Audit:
    """The reactions that another program shows, each beside the verdict: confirmed, wrong, or arbitrary.

    ``audit("backhoe.asmt", t=0.02)``, ``audit(mj_model, mj_data)``, ``audit(pin_model, constraints, data)``,
    ``audit(exudyn_system)``, ``audit(drake_plant, context, balls=[(body_A, p_A, body_B, p_B)])``.
    Components are in the axes of each ``joint`` or of the ``world``, on the second body of the joint.
    An arbitrary number is as right as any other: the model does not determine it.

    >>> import reactio
    >>> reactio.audit(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    reactio.errors.ReactioError: int is nothing that can be audited. Known are ...
    """
    from reactio.auditing.judge import judge

    given = Path(model) if isinstance(model, str) else model
    for program in PROGRAMS.values():
        if program.accepts(given):
            return judge(program.read(given, *more, **options), axes)
    if isinstance(given, Path):
        raise ReactioError(
            f"{given}: files with reactions are read from Ondsel (.asmt); models of other programs are audited live, "
            "from Python: `reactio.audit(model, data)`."
        )
    known = "; ".join(f"{program.name}: {program.doc.rstrip('.')}" for program in PROGRAMS.values())
    raise ReactioError(f"{type(model).__name__} is nothing that can be audited. Known are {known}.")
