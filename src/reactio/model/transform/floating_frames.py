"""Flexible bodies that say which modes they have → bodies in a floating frame of reference, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reactio.errors import ReactioError
from reactio.model.contacts import joints_of
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.specs import Body
from reactio.model.transform.split_rods import is_split, whole_rods
from reactio.structures import STRUCTURES

KIND = "floating frame"


def floating_frames(model: Model) -> Model:
    """The model with every body that says ``flexible: {…, modes: …}`` as one that vibrates in these modes.

    Modes that a body has already stay where they hold all its points: contacts that open take none away.
    """
    if not any(vibrates(body) for body in model.bodies):
        return model
    touching = tuple(joint for contact in model.contacts for joint in joints_of(contact))
    held = replace(model, joints=(*model.joints, *touching), contacts=()) if touching else model
    return replace(model, bodies=tuple(_floating(held, body) if vibrates(body) else body for body in model.bodies))


def with_modes(model: Model, choice: Mapping[str, float]) -> Model:
    """The model with modes in every flexible body that has none: ``count`` or ``up_to``, ``damping`` or ``beta``.

    >>> import reactio
    >>> beams = with_modes(reactio.load("spatial-parallelogram", links="beam"), {"count": 2, "beta": 1e-4})
    >>> beams.body("link1").flexible.modes["count"]
    2.0
    """
    bodies = []
    for body in model.bodies:
        flexible = body.flexible
        if flexible is not None and not flexible.modes and STRUCTURES.get(flexible.kind).vibrates:
            body = replace(body, flexible=replace(flexible, modes=FrozenMap(choice)))
        bodies.append(body)
    bent = replace(model, bodies=tuple(bodies))
    if not any(vibrates(body) for body in bent.bodies):
        raise ReactioError(f"'{model.name}' has no flexible body that could have modes; describe one by `flexible:`.")
    return bent


def without_modes(model: Model) -> Model:
    """The model with all bodies rigid that could vibrate: the rule compliance accounts for their bending."""
    if not any(vibrates(body) for body in model.bodies):
        return model
    return replace(model, bodies=tuple(_stiff(body) if vibrates(body) else body for body in model.bodies))


def vibrates(body: Body) -> bool:
    """Has a body modes?"""
    return body.flexible is not None and bool(body.flexible.modes)


def _stiff(body: Body) -> Body:
    assert body.flexible is not None
    return replace(body, kind="rigid", parameters={}, flexible=replace(body.flexible, modes={}, modal=None))


def _floating(model: Model, body: Body) -> Body:
    from reactio.model.structure import modal, points_of

    assert body.flexible is not None
    known = body.flexible.modal
    if body.kind == KIND and known is not None and known.attachment.holds(points_of(model, body.name)):
        return body
    return replace(body, kind=KIND, flexible=replace(body.flexible, modal=modal(model, body)))


def static(model: Model) -> Model:
    """The model with its split rods whole and its bodies with modes rigid: the rule compliance deforms them.

    >>> import reactio
    >>> len(static(reactio.load("spatial-parallelogram", links="split")).bodies)
    7
    """
    return without_modes(whole_rods(model))


def vibrating_bodies(model: Model) -> tuple[str, ...]:
    """The bodies that move in halves or in modes."""
    return tuple(body.name for body in model.bodies if vibrates(body) or is_split(body))
