"""Event functions, whose zero crossings are located along a run, and the events that occurred."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError
from reactio.events.event_state import EventState
from reactio.integrate.checkpoint import Checkpoint, Motion
from reactio.model.events import CrossingDirection
from reactio.model.specs import Event
from reactio.system.types import System

BEFORE_FIRST_ROW = -1  # row of an event of contacts at the start of a run
# The sign of an event function after a crossing that counts; 0 where both count.
DIRECTION_SIGNS: dict[str, int] = {
    CrossingDirection.RISING: 1,
    CrossingDirection.FALLING: -1,
    CrossingDirection.BOTH: 0,
}


class EventKind(StrEnum):
    """The kind of an event."""

    CROSSING = "crossing"  # a zero of an expression of the model
    FUNCTION = "function"  # a zero of a function that the user gave to the run
    STOP = "stop"  # a coordinate at the limit of an end stop
    CONTACT = "contact"  # a contact that closes or opens
    CABLE = "cable"  # a cable that gets taut or slack


class EventAction(StrEnum):
    """The effect of an event."""

    RECORD = "record"  # it is noted; the motion continues as without it
    STOP = "stop"  # the run ends
    IMPACT = "impact"  # velocities jump, and the motion continues
    REST = "rest"  # an impact after which a coordinate stays on its stop, or a contact closed
    OPEN = "open"  # a contact opens
    CLOSE = "close"  # a contact closes, in time steps
    TAUT = "taut"  # a cable begins to pull, with an impact where it has some speed
    SLACK = "slack"  # a cable ceases to pull


# The action of a cable where a contact closes or opens.
CABLE_ACTIONS = {
    EventAction.REST: EventAction.TAUT,
    EventAction.CLOSE: EventAction.TAUT,
    EventAction.OPEN: EventAction.SLACK,
}


@dataclass(frozen=True, slots=True)
class EventFunction:
    """A function of the state whose zero crossings are located along a run."""

    name: str
    kind: EventKind
    function: Callable[[EventState], float]
    direction: int = 0  # +1 rising, −1 falling, 0 both
    action: EventAction = EventAction.RECORD  # or stop, or impact
    along: CoordinateName | None = None  # of an end stop
    side: int = 1  # of an end stop: +1 for a lower limit, −1 for an upper one
    restitution: float = 0.0
    scale: float = 1.0  # of a gap, to which tolerances are relative: the characteristic length [m] or 1 rad
    # Rate of a gap; a gap counts as positive, since rounding may leave it negative while it grows.
    gap_rate: Callable[[EventState], float] | None = None

    def __call__(self, now: EventState) -> float:
        """The value at a state; an error names the event."""
        try:
            value = float(self.function(now))
        except Exception as error:
            reason = str(error) if isinstance(error, ReactioError) else f"{type(error).__name__}: {error}"
            raise ReactioError(f"event '{self.name}' failed at t = {now.t:.6g} s: {reason}") from error
        if math.isnan(value):
            raise ReactioError(f"event '{self.name}' is not a number at t = {now.t:.6g} s; check its function.")
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """An event that happened."""

    name: str
    kind: EventKind
    t: float  # [s]
    direction: CrossingDirection  # rising or falling
    action: EventAction
    # Of the run: the state at the event; after an impact the next row holds the state after it.  BEFORE_FIRST_ROW for
    # contacts that change at the start.
    row: int
    q: Floats  # (nq,)
    v: Floats  # (n,) before
    v_after: Floats  # (n,) the same but for impacts
    # Kinetic energy gained at an impact, negative for a loss [J]; NaN where several contacts strike at once: only
    # the work of all of them together follows from the velocities, and the ``impacts`` of a run have it.
    work: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class RunWithEvents:
    """A run and its events."""

    motion: Motion
    events: tuple[Occurrence, ...]
    segments: tuple[Checkpoint, ...]  # where the integrator was started: at the beginning and after every impact


EVENT_KINDS: Registry[Callable[[System, tuple[Event, ...]], list[EventFunction]]] = Registry(
    "kind of event", "reactio.events.kinds"
)


def event_functions(system: System, functions: Iterable[Event] = ()) -> tuple[EventFunction, ...]:
    """All event functions of a run: those of events and stops of the model, and those given to the run."""
    given = tuple(functions)
    watches = tuple(watch for kind in EVENT_KINDS.values() for watch in kind(system, given))
    names = [watch.name for watch in watches]
    if twice := next(
        (name for k, name in enumerate(names) if name in names[:k] and watches[k].kind is not EventKind.STOP), None
    ):
        raise ReactioError(f"the event '{twice}' is given twice; give each its own name.")
    return watches


def sign(value: float) -> int:
    """The sign of a number: −1, 0 or 1."""
    return int(np.sign(value))
