"""Flexible bodies that say which modes they have → bodies in a floating frame of reference, and back."""

from __future__ import annotations

from dataclasses import replace

from reactio.model.specs import Body, Model

KIND = "floating frame"


def floating_frames(model: Model) -> Model:
    """The model with every body that says ``flexible: {…, modes: …}`` as one that vibrates in these modes."""
    if not any(_vibrates(body) for body in model.bodies):
        return model
    return replace(model, bodies=tuple(_floating(model, body) if _vibrates(body) else body for body in model.bodies))


def without_modes(model: Model) -> Model:
    """The model with all bodies rigid that could vibrate: what they bend is left to the rule compliance."""
    if not any(_vibrates(body) for body in model.bodies):
        return model
    return replace(model, bodies=tuple(_stiff(body) if _vibrates(body) else body for body in model.bodies))


def _vibrates(body: Body) -> bool:
    return body.flexible is not None and bool(body.flexible.modes)


def _stiff(body: Body) -> Body:
    assert body.flexible is not None
    return replace(body, kind="rigid", flexible=replace(body.flexible, modes={}, modal=None))


def _floating(model: Model, body: Body) -> Body:
    from reactio.model.structure import modal

    assert body.flexible is not None
    return replace(body, kind=KIND, flexible=replace(body.flexible, modal=modal(model, body)))
