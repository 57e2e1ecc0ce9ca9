"""The state of a mechanism in another program, with the reactions that it printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reactio.arrays import Floats
from reactio.model.model import Model


class ProgramWrench(NamedTuple):
    """The wrench of a joint on body b by a program: force [N] and torque [N m] about a point, in world axes."""

    point: Floats
    force: Floats
    torque: Floats | None  # None where the program does not report it


class BodyAcceleration(NamedTuple):
    """The acceleration of a body in world axes."""

    linear: Floats  # (3,) of its origin [m/s²]
    angular: Floats  # (3,) [rad/s²]


@dataclass(frozen=True, slots=True, eq=False)
class Reported:
    """A state of another program: the mechanism, its accelerations, and the reactions that it printed."""

    program: str
    model: Model  # at the pose and velocities of the state, with its drives and loads
    wrenches: Mapping[str, ProgramWrench]  # by joint
    accelerations: Mapping[str, BodyAcceleration]  # by body
    reason: str  # why this program chooses these numbers among all that balance the loads
    t: float = 0.0
    notes: tuple[str, ...] = field(default=())
    open_model: Model | None = None  # the model with loops open as in the program; None where they are closed
    gap: float = 0.0  # of the loops in the program over the characteristic length, which bounds the accuracy of forces
    unknown: Mapping[str, str] = field(default_factory=dict)  # bodies with forces that are not known → what causes them
    consistent: bool = True  # do its accelerations obey its joints?  Else a difference may be theirs
    # Other readings of its wrenches where versions of the program differ in the point of torques: that which balances
    # the loads best counts.
    other_wrenches: tuple[Mapping[str, ProgramWrench], ...] = ()
    solver_error: float = 0.0  # [N] of its numbers where no larger loads are there
    remedy: str = ""  # what to do where its accelerations and its forces do not belong together
    # The entry of ``reactio.auditing.programs`` that splits as it does, where an order or rounding decides.
    rule: str = ""
    start_model: Model | None = None  # the model at the start of the run, where the split was chosen; None: this state
