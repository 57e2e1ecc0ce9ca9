"""Hints on what a model probably forgets: loads, and supports of a body."""

from __future__ import annotations

from reactio.bodies import BODIES
from reactio.errors import listed
from reactio.forces import FORCES, FrameMeasures
from reactio.model.model import Model


def unloaded(model: Model) -> tuple[str, ...]:
    """A hint where neither weights nor forces act, and nothing is driven: every reaction is zero at rest."""
    if any(model.gravity) or model.forces or model.drives or not any(body.mass for body in model.bodies):
        return ()
    if any(any(body.velocity) or any(body.angular_velocity) for body in model.bodies):
        return ()
    g = "[0, -9.81]" if model.space == "planar" else "[0, 0, -9.81]"
    return (f"Nothing loads it: no gravity, force or drive. `gravity: {g}` in the model adds weights.",)


def unheld(model: Model) -> tuple[str, ...]:
    """A hint where no joint, contact, spring or bushing holds a body, which then moves freely."""
    held = {end.body for joint in model.joints for end in (joint.a, joint.b)}
    held |= {end.body for contact in model.contacts for end in (contact.surface, *contact.points)}
    loads = (load for force in model.forces for load in FORCES.get(force.type).loads(force.parameters))
    between = [load.along for load in loads if isinstance(load.along, FrameMeasures)]
    held |= {end.body for frames in between for end in (frames.a, frames.b)}
    names = [b.name for b in model.bodies if b.name not in held and not BODIES.get(b.kind).internal]
    if not names:
        return ()
    shown = listed([f"'{name}'" for name in names], most=6)
    return (f"Nothing holds {shown}: {'it moves' if len(names) == 1 else 'they move'} freely.",)
