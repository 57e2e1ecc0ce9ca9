"""Zero crossings of functions that the user gives to a run."""

from __future__ import annotations

from reactio.errors import ReactioError
from reactio.events.event_functions import DIRECTION_SIGNS, EVENT_KINDS, EventAction, EventFunction, EventKind
from reactio.model.events import check_words
from reactio.model.specs import Event
from reactio.system.types import System


def functions(system: System, given: tuple[Event, ...]) -> list[EventFunction]:
    """The events whose ``when`` is a function of an EventState."""
    return [_watch(event) for event in given]


def _watch(event: Event) -> EventFunction:
    """The function of the user as an event function."""
    if isinstance(event.when, str) or not callable(event.when):
        raise ReactioError(f"event '{event.name}': {event.when!r} is neither a text nor a function.")
    check_words(event, ("events", event.name))
    return EventFunction(
        event.name, EventKind.FUNCTION, event.when, DIRECTION_SIGNS[event.direction], EventAction(event.action)
    )


EVENT_KINDS.add("function", functions)
