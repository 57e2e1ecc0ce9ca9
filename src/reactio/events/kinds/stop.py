"""End stops: limits of joint coordinates."""

from __future__ import annotations

from reactio.events.event_functions import DIRECTION_SIGNS, EVENT_KINDS, EventAction, EventFunction, EventKind
from reactio.events.event_state import EventState, joint_reader
from reactio.model.events import CrossingDirection
from reactio.model.specs import Event, Stop
from reactio.system.joint_coordinates import unit_of
from reactio.system.types import System


def stops(system: System, functions: tuple[Event, ...]) -> list[EventFunction]:
    """The stops of the model; a coordinate between two limits has two."""
    watches = []
    for stop in system.model.stops:
        for side, limit in ((1, stop.lower), (-1, stop.upper)):
            if limit is not None:
                watches.append(_watch(system, stop, side, limit))
    return watches


def _watch(system: System, stop: Stop, side: int, limit: float) -> EventFunction:
    """g = ±(s − limit), positive where the coordinate may be."""
    read, read_rate = (joint_reader(system, stop.along, rate=rate) for rate in (False, True))

    def gap(now: EventState) -> float:
        return side * (read(now) - limit)

    def gap_rate(now: EventState) -> float:
        return side * read_rate(now)

    action = EventAction.STOP if stop.restitution is None else EventAction.IMPACT
    scale = system.length if unit_of(system, stop.along) == "m" else 1.0
    return EventFunction(
        name=stop.name,
        kind=EventKind.STOP,
        function=gap,
        direction=DIRECTION_SIGNS[CrossingDirection.FALLING],
        action=action,
        along=stop.along,
        side=side,
        restitution=stop.restitution or 0.0,
        scale=scale,
        gap_rate=gap_rate,
    )


EVENT_KINDS.add("stop", stops)
