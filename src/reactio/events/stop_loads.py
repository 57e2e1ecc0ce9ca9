"""Joints whose reactions are unknown at rest on an end stop, because the force of the stop is not computed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.events.event_functions import EventAction, Occurrence
from reactio.system.types import System
from reactio.topology.components import connected


def stop_at_rest(events: tuple[Occurrence, ...]) -> Occurrence | None:
    """The stop that ended a run, if one did."""
    return events[-1] if events and events[-1].action is EventAction.REST else None


def joints_loaded_by_stop(system: System, stop: str) -> tuple[str, ...]:
    """The joints, drives and couplings of the connected part of a mechanism that a stop acts on."""
    model = system.model
    joint = model.joint(next(limit.along.joint for limit in model.stops if limit.name == stop))
    bodies = {group.name: [b for b in group.bodies if b >= 0] for group in system.groups}  # without ground
    edges = np.array([edge for held in bodies.values() for edge in pairwise(held)], dtype=np.int64).reshape(-1, 2)
    part = connected(len(model.bodies), edges[:, 0], edges[:, 1])
    acted_on = {part[model.body_index[end.body]] for end in (joint.a, joint.b) if end.body != GROUND}
    return tuple(group.name for group in system.reacting if acted_on & {part[b] for b in bodies[group.name]})
