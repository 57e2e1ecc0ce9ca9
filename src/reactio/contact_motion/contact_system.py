"""A model with contacts: its gaps, and the systems that it is with some of them closed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.contacts import CONTACTS, ContactType
from reactio.errors import ReactioError
from reactio.linear.block_root import inverse_root
from reactio.model.contacts import joints_of
from reactio.model.specs import Contact, Joint, Model
from reactio.system.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """All contacts of a model, one for each point that may touch, in the order of the model."""

    model: Model
    joints: tuple[Joint, ...]  # that the contacts are where closed
    of: tuple[tuple[Contact, ContactType], ...]  # (c,) which contact of the model each belongs to, and its kind
    whole: System  # with every contact as a row, closed or not
    rows: Ints  # (c,) the rows of the contacts there; each is a depth, −gap
    held: Ints  # the other rows there: joints, drives and couplings
    restitution: Floats  # (c,)
    friction: Floats  # (c,) coefficient of Coulomb friction
    systems: dict[tuple[str, ...], System] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the contacts."""
        return tuple(joint.name for joint in self.joints)

    @property
    def length(self) -> float:
        """The characteristic length [m]."""
        return self.whole.length

    def with_closed(self, names: Iterable[str]) -> System:
        """The system in which these contacts are closed, and the others have no part."""
        wanted = set(names)
        closed = tuple(joint for joint in self.joints if joint.name in wanted)
        key = tuple(joint.name for joint in closed)
        if key not in self.systems:
            self.systems[key] = build(replace(self.model, joints=(*self.model.joints, *closed), contacts=()))
        return self.systems[key]

    def at(self, state: State) -> ContactState:
        """Gaps, their rates and all equations at a state."""
        eqs = equations(self.whole, state)
        return ContactState(self, eqs, -eqs.Phi[self.rows], -(eqs.C @ state.v)[self.rows])


@dataclass(frozen=True, eq=False)
class ContactState:
    """The contacts of a model at one instant."""

    contacts: ContactSystem
    eqs: Equations  # with every contact as a row
    gap: Floats  # (c,) [m]
    rate: Floats  # (c,) of the gaps [m/s]

    def names(self, which: Bools) -> tuple[str, ...]:
        """The contacts of a mask (c,)."""
        return tuple(name for name, flag in zip(self.contacts.names, which, strict=True) if flag)

    def opening(self, vdot: Floats) -> Floats:
        """Second derivatives of the gaps (c,) with accelerations v̇ (n,) [m/s²]."""
        rows = self.contacts.rows
        return np.asarray(self.eqs.Gamma[rows] - (self.eqs.C @ vdot)[rows])


def contact_system(model: Model) -> ContactSystem:
    """The contacts of a model, with their coefficients."""
    pairs = [(joint, contact) for contact in model.contacts for joint in joints_of(contact)]
    joints = tuple(joint for joint, _ in pairs)
    whole = build(replace(model, joints=(*model.joints, *joints), contacts=()))
    rows = np.array([whole.group(joint.name).start for joint in joints], dtype=np.int64)
    mass = equations(whole)
    if inverse_root(mass.M, whole.body_v) is None:
        raise ReactioError("Contacts between bodies without mass: give every body mass and inertia.")
    return ContactSystem(
        model,
        joints,
        tuple((contact, CONTACTS.get(contact.type)) for _, contact in pairs),
        whole,
        rows,
        np.setdiff1d(np.arange(whole.m), rows),
        np.array([contact.parameters.get("restitution", 0.0) for _, contact in pairs]),
        np.array([contact.parameters.get("friction", 0.0) for _, contact in pairs]),
    )
