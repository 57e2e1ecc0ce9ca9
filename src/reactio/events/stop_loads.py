"""Joints whose reactions are unknown at rest on an end stop, because the force of the stop is not computed."""

from __future__ import annotations

from reactio.events.event_functions import EventAction, Occurrence
from reactio.places import GROUND
from reactio.system.types import System


def stop_at_rest(events: tuple[Occurrence, ...]) -> Occurrence | None:
    """The stop that ended a run, if one did."""
    return events[-1] if events and events[-1].action is EventAction.REST else None


def joints_loaded_by_stop(system: System, stop: str) -> tuple[str, ...]:
    """The joints, drives and couplings of the connected part of a mechanism that a stop acts on."""
    model = system.model
    joint = model.joint(next(one.along.joint for one in model.stops if one.name == stop))
    reached = {model.body_index[end.body] for end in (joint.a, joint.b) if end.body != GROUND}
    while True:
        more = {b for group in system.groups if reached & set(group.bodies) for b in group.bodies} - {-1}
        if more <= reached:
            return tuple(group.name for group in system.reacting if reached & set(group.bodies))
        reached |= more
