"""Which contacts are closed at the pose of a model: those become joints with one row that can only push."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reactio.errors import ModelError
from reactio.model.contacts import joints_of
from reactio.model.specs import Model
from reactio.system.equations import equations
from reactio.system.types import System

CLOSED = 1e-6  # [characteristic lengths]: gaps and depths below are those of numbers written with six digits
LEAVING = 1e-6  # [characteristic lengths per s]: contacts that open faster are open


def with_closed_contacts(model: Model, build: Callable[[Model], System]) -> Model:
    """The model with its closed contacts as joints, and without the open ones.

    A gap g is measured at the given pose: closed where g = 0 and the sides do not part; a pose with g < 0 is refused.
    """
    for contact in model.contacts:
        if contact.parameters.get("friction", 0.0):
            raise ModelError(
                f"contact '{contact.name}': friction of contacts is not part of the equations yet; without it their "
                "reactions would be wrong. Leave out `friction`, or hold what it holds by a joint.",
                ("contacts", contact.name, "friction"),
            )
    every = [joint for contact in model.contacts for joint in joints_of(contact)]
    trial = build(replace(model, joints=(*model.joints, *every), contacts=()))
    eqs = equations(trial)
    depth, closing = eqs.Phi, eqs.C @ eqs.state.v
    closed = []
    for joint in every:
        row = trial.group(joint.name).start
        if depth[row] > CLOSED * trial.length:
            raise ModelError(
                f"contact '{joint.name}': '{joint.b.body}' stands {depth[row]:.6g} m deep in '{joint.a.body}' at the "
                "start. Move it out along the normal, or give the pose that is meant.",
                ("contacts",),
            )
        if depth[row] >= -CLOSED * trial.length and closing[row] >= -LEAVING * trial.length:
            closed.append(joint)
    return replace(model, joints=(*model.joints, *closed), contacts=())
