"""A model with contacts: its gaps, and the systems in which some of its contacts are closed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.errors import ModelError, ReactioError, listed
from reactio.joints import JOINTS_BY_SPACE
from reactio.linear.block_root import inverse_root
from reactio.model.contacts import is_one_way_member, joints_of, one_way_members
from reactio.model.model import Model
from reactio.model.play import one_way_gap
from reactio.model.specs import Coupling, Joint, Stop
from reactio.model.transform.floating_frames import floating_frames
from reactio.model.transform.split_rods import split_rods
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

SIDE_SIGNS = {"lower": -1.0, "upper": 1.0}  # ends of a coordinate, and the sign with which it grows towards them


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """All contacts of a model, one for each point that may touch, in the order of the model; then its end stops."""

    model: Model  # its systems measure the coordinates of all stops, whichever are closed, so that q has one layout
    joints: tuple[Joint, ...]  # one for each contact of bodies, which it is while closed
    limits: tuple[Coupling, ...]  # one for each end of a stop, which it is while closed: a contact of a coordinate
    whole: System  # with every contact as a row, closed or not
    rows: Ints  # (c,) the rows of the contacts in ``whole``; each is a depth, −gap
    slips: tuple[Ints, ...]  # its rows of the slip of each contact, in one direction or two; none where smooth
    joint_rows: Ints  # its other rows: joints, drives and couplings
    restitution: Floats  # (c,) coefficient of restitution
    friction: Floats  # (c,) coefficient of Coulomb friction
    scale: Floats  # (c,) of the rows as lengths: 1, or the characteristic length of a coordinate in radians [m/rad]
    systems: dict[tuple[str, ...], System] = field(default_factory=dict)  # those built so far, by closed contacts

    @cached_property
    def members(self) -> tuple[Joint, ...]:
        """The cables and struts among the joints."""
        return tuple(joint for joint in self.joints if is_one_way_member(self.model, joint))

    @cached_property
    def member_words(self) -> tuple[str, ...]:
        """How impacts of cables and struts are computed, in a sentence."""
        if not self.members:
            return ()
        known = dict(zip(self.names, self.restitution.tolist(), strict=True))
        values = {joint.name: known[joint.name] for joint in self.members}
        parts = [f"{name} {e:g}" for name, e in values.items() if e]
        some = f"; restitution of {listed(parts)}, 0 of the others" if parts else ", restitution 0"
        return (
            "Cables and struts have no stiffness in this motion: one that begins to carry load at some speed causes "
            f"an impact{some}.",
        )

    @cached_property
    def cables(self) -> frozenset[str]:
        """The names of the parts that pull: they get taut and slack, where others close and open."""
        kinds = JOINTS_BY_SPACE[self.model.space]
        return frozenset(joint.name for joint in self.members if kinds.get(joint.type).pulls)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the contacts (c,)."""
        return (*(joint.name for joint in self.joints), *(limit.name for limit in self.limits))

    @cached_property
    def contact_rows(self) -> Ints:
        """(c, 1 + s) the rows of the gap and of the slips of each contact; m, one row too many, where it has fewer."""
        rows = np.full((len(self.rows), 1 + max((len(slip) for slip in self.slips), default=0)), self.whole.m)
        for k, (row, slip) in enumerate(zip(self.rows, self.slips, strict=True)):
            rows[k, : 1 + len(slip)] = [row, *slip]
        return rows

    @property
    def length(self) -> float:
        """The characteristic length [m]."""
        return self.whole.length

    def multipliers(self, system: System, lam: Floats) -> Floats:
        """λ (k, m) of a phase, in whose ``system`` some contacts are closed, in all rows: zero for open contacts."""
        out = np.zeros((len(lam), self.whole.m))
        for group in system.groups:
            at = self.whole.group(group.name)
            out[:, at.start : at.stop] = lam[:, group.start : group.stop]
        return out

    def with_closed(self, names: Iterable[str]) -> System:
        """The system in which these contacts are closed, and the others are absent."""
        wanted = set(names)
        key = tuple(name for name in self.names if name in wanted)
        if key not in self.systems:
            joints = [joint for joint in self.joints if joint.name in wanted]
            limits = [limit for limit in self.limits if limit.name in wanted]
            self.systems[key] = _with_rows(self.model, joints, limits)
        return self.systems[key]

    def at(self, state: State) -> ContactState:
        """Gaps, their rates and all equations at a state."""
        eqs = equations(self.whole, state)
        return ContactState(self, eqs, -self.scale * eqs.Phi[self.rows], -self.scale * (eqs.C @ state.v)[self.rows])


@dataclass(frozen=True, eq=False)
class ContactState:
    """The contacts of a model at one instant; gaps of coordinates in radians as arcs at the characteristic length."""

    contacts: ContactSystem
    eqs: Equations  # with every contact as a row
    gap: Floats  # (c,) [m]
    rate: Floats  # (c,) of the gaps [m/s]

    def names(self, which: Bools) -> tuple[str, ...]:
        """The contacts of a mask (c,)."""
        return tuple(name for name, flag in zip(self.contacts.names, which, strict=True) if flag)

    @property
    def speed(self) -> Floats:
        """Σ_j |C_ij v_j| (c,) [m/s]: the size of the terms of each gap rate, which rounding is proportional to."""
        rows = self.contacts.rows
        return np.asarray(self.contacts.scale * (abs(self.eqs.C) @ np.abs(self.eqs.state.v))[rows])

    def opening(self, vdot: Floats) -> Floats:
        """Second derivatives of the gaps (c,) with accelerations v̇ (n,) [m/s²]."""
        rows = self.contacts.rows
        return np.asarray(self.contacts.scale * (self.eqs.Gamma[rows] - (self.eqs.C @ vdot)[rows]))


def contact_system(model: Model, *, stops: bool = False, rough: bool = False) -> ContactSystem:
    """The contacts of a model, with their coefficients.

    ``stops``: end stops are contacts too, except those that end a run.  ``rough``: contacts with friction have rows of
    their slip.
    """
    model = floating_frames(split_rods(model))  # with the points of all contacts, so that q has one layout
    model, members = _separated(model)
    pairs = [(joint, contact) for contact in model.contacts for joint in joints_of(contact, rough=rough)]
    joints = (*(joint for joint, _ in pairs), *members)
    bounded = [(limit, stop) for stop in model.stops if stops and rebounds(stop) for limit in limits_of(stop)]
    limits = tuple(limit for limit, _ in bounded)
    whole = _with_rows(model, joints, limits)
    groups = [*(whole.group(joint.name) for joint in joints), *(whole.group(limit.name) for limit in limits)]
    rows = np.array([group.start for group in groups], dtype=np.int64)
    slips = tuple(np.arange(group.start + 1, group.stop) for group in groups)
    given = [*(contact.parameters for _, contact in pairs), *(member.parameters for member in members)]
    restitution = [
        *(parameters.get("restitution", 0.0) for parameters in given),
        *(stop.restitution or 0.0 for _, stop in bounded),
    ]
    return ContactSystem(
        model=model,
        joints=joints,
        limits=limits,
        whole=whole,
        rows=rows,
        slips=slips,
        joint_rows=np.setdiff1d(np.arange(whole.m), np.concatenate([rows, *slips])),
        restitution=np.array(restitution),
        friction=np.array([*(parameters.get("friction", 0.0) for parameters in given), *(0.0 for _ in limits)]),
        scale=np.array([whole.length if group.units[0] == "rad" else 1.0 for group in groups]),
    )


def require_mass(contacts: ContactSystem) -> None:
    """Refuse bodies without mass: impacts would give them any velocity."""
    if inverse_root(equations(contacts.whole).M, contacts.whole.body_v) is None:
        raise ReactioError("Contacts between bodies without mass: give every body mass and inertia.")


def _separated(model: Model) -> tuple[Model, tuple[Joint, ...]]:
    """The model without its cables and struts, and these with the length at which they bear: slack is part of it."""
    members = one_way_members(model)
    if not members:
        return model, ()
    rest = tuple(joint for joint in model.joints if joint not in members)
    taut = (replace(joint, holds=True) for joint in members)
    system = build(replace(model, joints=(*rest, *taut), contacts=()))
    return replace(model, joints=rest), tuple(_at_full_length(system, joint) for joint in members)


def _at_full_length(system: System, joint: Joint) -> Joint:
    """A cable or strut with its slack in its length: l + g of a cable, l − g of a strut."""
    (row,) = JOINTS_BY_SPACE[system.space].get(joint.type).rows
    target = float(system.plan.rows.target[system.group(joint.name).start])
    length = row.sign * (target + one_way_gap(joint.elastic.play))
    if length <= 0.0:
        raise ModelError(f"{joint.type} '{joint.name}': its slack exceeds its length.", ("joints", joint.name, "slack"))
    fitting = replace(joint.elastic, play={}, fit="")
    return replace(joint, parameters={**joint.parameters, "length": length}, elastic=fitting, holds=True)


def rebounds(stop: Stop) -> bool:
    """Does a run continue after an end stop is reached?  It is a contact of its coordinate then."""
    return stop.restitution is not None


def limits_of(stop: Stop) -> list[Coupling]:
    """The couplings that hold the coordinate of an end stop at its ends; where there are two, their names say which."""
    ends = [(key, side, end) for key, side in SIDE_SIGNS.items() if (end := getattr(stop, key)) is not None]
    return [
        Coupling(
            f"{stop.name} {key}" if len(ends) > 1 else stop.name,
            "limit",
            (stop.along,),
            {"side": side, "offset": side * end},
        )
        for key, side, end in ends
    ]


def _with_rows(model: Model, joints: Iterable[Joint], limits: Iterable[Coupling]) -> System:
    """The system of a model without contacts, with closed ones as joints and couplings."""
    every = (*model.joints, *joints)
    return build(replace(model, joints=every, couplings=(*model.couplings, *limits), contacts=()))
