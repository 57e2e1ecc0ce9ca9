"""Contacts with Coulomb friction that stick: ball joints whose force stays within a cone around the normal.

    |F_t| ≤ μ F_n

A point that does not slide holds the other body in all directions, as a ball joint does (a hinge in the plane), as long
as its force is within the cone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.contacts import CONTACTS
from reactio.errors import ReactioError
from reactio.model.contacts import joints_of
from reactio.model.placing import joint_at
from reactio.model.specs import Contact, Joint, Model
from reactio.reaction_bounds.limits import Limit
from reactio.system.build import build
from reactio.system.constraints import components, wrench_map
from reactio.system.equations import Equations, equations

STILL = 1e-6  # [characteristic lengths/s]: velocities at a contact below are rounding


def rubbing(model: Model) -> bool:
    """Has any contact of the model friction?"""
    return any(contact.parameters.get("friction", 0.0) for contact in model.contacts)


def sticking(model: Model) -> tuple[Model, dict[str, float]]:
    """The model with its closed contacts with friction as ball joints, and the coefficient of each by its name."""
    smooth = replace(model, contacts=tuple(_without_friction(contact) for contact in model.contacts))
    eqs = equations(build(smooth))
    bodies = {body.name: body for body in model.bodies}
    held, given = list[Joint](), dict[str, float]()
    for contact in model.contacts:
        mu = contact.parameters.get("friction", 0.0)
        for joint in joints_of(contact):
            if not mu or joint.name not in eqs.system.group_index:
                continue
            group = eqs.system.group(joint.name)
            assert group.frames is not None
            size = 2 if model.space == "planar" else 3
            normal = wrench_map(eqs, group)[:size, 0]
            at = eqs.work.F[group.frames[1], :size] - _radius(contact) * normal
            a, b = (bodies.get(end.body, end.body) for end in (joint.a, joint.b))
            kind = "revolute" if size == 2 else "spherical"
            held.append(joint_at(joint.name, kind, a, b, at=at.tolist(), axis=normal.tolist()))
            given[joint.name] = float(mu)
    if not given:
        return smooth, given
    rest = tuple(joint for joint in eqs.system.model.joints if joint.name not in given)
    found = replace(model, joints=(*rest, *held), contacts=())
    _refuse_sliding(found, given)
    return found, given


def cones(eqs: Equations, given: dict[str, float]) -> tuple[Limit, ...]:
    """The friction cones of ball joints that stand for contacts; the normal is z of their frame, x in the plane."""
    made = []
    for name, mu in given.items():
        group = eqs.system.group(name)
        table = components(eqs, group)
        normal = table.labels.index("Fx" if eqs.system.space == "planar" else "Fz")
        across = [k for k, label in enumerate(table.labels) if k != normal and label.startswith("F")]
        rows = np.arange(group.start, group.stop)
        made.append(Limit(name, "friction", rows, table.P[across], 0.0, lift=mu * table.P[normal]))
    return tuple(made)


def _radius(contact: Contact) -> float:
    """Of the side that touches: the first of its radii, none for a point."""
    radii = CONTACTS.get(contact.type).radii
    return float(contact.parameters[radii[0].name]) if radii else 0.0


def _without_friction(contact: Contact) -> Contact:
    return replace(contact, parameters={k: v for k, v in contact.parameters.items() if k != "friction"})


def _refuse_sliding(model: Model, given: dict[str, float]) -> None:
    eqs = equations(build(model))
    v = eqs.C @ eqs.state.v
    for name in given:
        group = eqs.system.group(name)
        speed = float(np.linalg.norm(v[group.start : group.stop]))
        if speed > STILL * eqs.system.length:
            raise ReactioError(
                f"Contact '{name}' slides at {speed:.4g} m/s: its friction follows from its normal force, and bounds "
                "are those of contacts that stick. Give a state at rest, or leave out its friction."
            )
