"""Contacts with a stiffness as forces, for motions and poses of rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reactio.contacts import CONTACTS
from reactio.errors import ModelError
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.contacts import joints_of
from reactio.model.model import Model
from reactio.model.specs import Contact, Force

COMPLIANT_CONTACT = "compliant-contact"  # the type of these forces


def with_compliant_contacts(model: Model) -> Model:
    """The model with every contact that gives a ``stiffness`` as a force along its normal."""
    soft = [contact for contact in model.contacts if contact.parameters.get("stiffness")]
    if not soft:
        return model
    forces = [force for contact in soft for force in _forces(model, contact)]
    others = tuple(contact for contact in model.contacts if contact not in soft)
    return replace(model, contacts=others, forces=(*model.forces, *forces))


def _forces(model: Model, contact: Contact) -> Iterator[Force]:
    kind, given = CONTACTS.get(contact.type), contact.parameters
    (row,) = JOINTS_BY_SPACE[model.space].get(kind.joint).rows
    ((_, measure),) = row.combination.terms
    if measure.primitive.name not in ("slide", "distance"):
        raise ModelError(
            f"contact '{contact.name}' ({contact.type}) has a stiffness: only points, balls and discs of the plane can "
            "yield in a motion. Give several of them, or leave the stiffness out.",
            ("contacts", contact.name, "stiffness"),
        )
    for joint in joints_of(contact):
        yield Force(
            joint.name,
            COMPLIANT_CONTACT,
            {
                "a": joint.a,
                "b": joint.b,
                "surface": "plane" if kind.normal else "centre",
                "reach": float(joint.parameters.get(kind.reach) or 0.0),
                "stiffness": given["stiffness"],
                "damping": given.get("damping", 0.0),
            },
        )
