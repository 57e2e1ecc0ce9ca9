"""Zero crossings of expressions in joint coordinates, body positions, their rates and time."""

from __future__ import annotations

from reactio.events.event_functions import DIRECTION_SIGNS, EVENT_KINDS, EventAction, EventFunction, EventKind
from reactio.events.event_state import EventState
from reactio.expressions.number import fold
from reactio.expressions.syntax import NumberLiteral, names
from reactio.functions.program import coordinate_of
from reactio.model.coordinates import of_model
from reactio.model.events import tree_of
from reactio.model.model import Model
from reactio.model.specs import Event
from reactio.system.types import System


def crossings(system: System, functions: tuple[Event, ...]) -> list[EventFunction]:
    """The events of the model."""
    return [_watch(event, system.model) for event in system.model.events]


def _watch(event: Event, model: Model) -> EventFunction:
    """g(t, q, v): the expression of an event, its names in the units of the model file."""
    tree = tree_of(event, model)
    scale = {name: _scale(name, event, model) for name in names(tree)}

    def value(now: EventState) -> float:
        result = fold(tree, {name: now[name] / unit for name, unit in scale.items()}, str(event.when))
        assert isinstance(result, NumberLiteral), "every name has a value"
        return result.value

    return EventFunction(
        event.name, EventKind.CROSSING, value, DIRECTION_SIGNS[event.direction], EventAction(event.action)
    )


def _scale(name: str, event: Event, model: Model) -> float:
    """The unit of a name in the expression, in SI units."""
    if name == "t":
        return 1.0
    unit = of_model(model)[coordinate_of(name)].unit
    return event.angle_scale if unit == "rad" else event.length_scale


EVENT_KINDS.add("crossing", crossings)
