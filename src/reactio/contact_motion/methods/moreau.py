"""Time steps of a given size, through impacts and friction of contacts."""

from __future__ import annotations

from typing import NoReturn

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.methods import Method, register
from reactio.system.types import System


def refused(system: System, workspace: StepWorkspace, checkpoint: Checkpoint, times: Floats, task: Task) -> NoReturn:
    """Refuse a system: time steps need the model with its contacts, closed and open ones."""
    raise ReactioError("The method 'moreau' needs the model with its contacts: call `reactio.simulate`.")


MOREAU = register(
    Method(
        name="moreau",
        order=2,
        doc="Time steps of Moreau and Jean: contacts with friction, impacts within a step or not.",
        cite="Acary & Brogliato 2008, Sect. 10.1",
        advance=refused,
        in_steps=True,
    )
)
