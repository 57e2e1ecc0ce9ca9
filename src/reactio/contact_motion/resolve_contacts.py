"""Events of contacts at one instant: impacts, contacts that stay closed, and contacts that open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.contact_motion.contact_system import ContactState, ContactSystem
from reactio.contact_motion.impact import ImpactRecord, contact_impact, contact_rest, impact_record
from reactio.events.event_functions import BEFORE_FIRST_ROW
from reactio.events.impact import stays_at_rest
from reactio.forward_dynamics.accelerate import determined_accelerations
from reactio.forward_dynamics.contact import OPENING_ACCELERATION, contact_accelerations
from reactio.kinematics.assemble import displaced_pose
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

# Part of the largest speed at contacts below which a gap rate is rounding: velocities after an impact are found to some
# 1e-12 of it.  Speeds below LEAST_SPEED [characteristic lengths per second] count as that.
GAP_RATE_ROUNDING, LEAST_SPEED = 1e-11, 1e-6
# Displacement [characteristic lengths, rad] along a motion that shows which contacts it opens, and the least gap of an
# open one: a gap grows with the square of the displacement, and poses are closed to 1e-12.
LOOK_AHEAD, LEAST_LIFTED_GAP = 1e-3, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedContacts:
    """The state after the events of an instant, and the contacts that are closed from then on."""

    state: State
    closed: tuple[str, ...]
    struck: tuple[str, ...]  # contacts that closed with some speed
    opened: tuple[str, ...]  # contacts whose gap opens by its acceleration
    parting: Bools  # (c,) contacts that touch and move apart
    work: float  # kinetic energy gained by impacts, negative for a loss [J]
    impact: ImpactRecord | None  # where contacts closed with some speed
    size: float  # of the accelerations at closed contacts [m/s²]


def resolve_contacts(
    contacts: ContactSystem, state: State, touch: float, height: float, size: float = 0.0
) -> ResolvedContacts:
    """Impacts at a state, and the contacts that stay closed after it.

    Contacts with gaps up to ``touch`` [m] touch.  Those whose gaps close have an impact, all at the same time; a
    rebound lower than ``height`` [m] counts as rest, and its contact stays closed.  Of the closed contacts,
    those open whose gap has an acceleration, by the complementarity problem, above rounding of accelerations of a
    ``size`` [m/s²].
    """
    now = contacts.at(state)
    touching = now.gap <= touch
    rounding = GAP_RATE_ROUNDING * (contacts.length * LEAST_SPEED + float(now.speed.max(initial=0.0)))
    struck = touching & (now.rate < -rounding)
    work, record = 0.0, None
    if struck.any():
        free = determined_accelerations(equations(contacts.with_closed(()), state), np.inf)  # with every contact open
        acceleration = now.opening(free)
        rebound = zip(contacts.restitution * -now.rate, acceleration, strict=True)
        low = np.array([stays_at_rest(rate, a, height) for rate, a in rebound], dtype=bool)
        impact = contact_impact(now, touching, np.where(struck & ~low, contacts.restitution, 0.0))
        record = impact_record(now, touching, struck, impact, BEFORE_FIRST_ROW)
        state, work = State(state.t, state.q, impact.v), impact.work
        now = contacts.at(state)
    closed = _resting(now, touching, rounding, height)
    if (np.abs(now.rate[closed]) > 0.0).any():
        rest = contact_rest(now, touching, closed)
        state, work = State(state.t, state.q, rest.v), work + rest.work
        now = contacts.at(state)
    names = now.names(closed)
    opens: tuple[str, ...] = ()
    if names:
        solution = contact_accelerations(
            equations(contacts.with_closed(names), state), 0.5 * OPENING_ACCELERATION, size
        )
        opens, size = solution.opens, solution.size
        names = tuple(name for name in names if name not in opens)
        later = _parting_later(contacts, state, names, solution.vdot)
        opens, names = (*opens, *later), tuple(name for name in names if name not in later)
    return ResolvedContacts(
        state, names, now.names(struck), opens, touching & ~closed & (now.rate > 0.0), work, record, size
    )


def _parting_later(contacts: ContactSystem, state: State, names: tuple[str, ...], vdot: Floats) -> tuple[str, ...]:
    """Closed contacts that neither velocities nor accelerations v̇ (n,) open, but terms of higher order do.

    Where rows are dependent in this pose alone, as those of a foot under the pin of a lever, no finite motion keeps all
    contacts closed.  A small displacement along the motion shows which of them it opens.
    """
    system = contacts.with_closed(names)
    direction = state.v if np.abs(state.v / system.column_scale).max(initial=0.0) > LOOK_AHEAD else vdot
    size = float(np.abs(direction / system.column_scale).max(initial=0.0))
    answer = equations(system, state).solvability if names and size > LOOK_AHEAD else None
    if answer is None or not answer.redundancy or not answer.mobility:
        return ()
    d = direction * (LOOK_AHEAD / size)
    if displaced_pose(system, state, d) is not None:
        return ()
    for k, name in enumerate(names):
        others = names[:k] + names[k + 1 :]
        trial = contacts.with_closed(others)
        pose = displaced_pose(trial, state, d) if trial.m else State(state.t, advance(trial, state.q, d), state.v)
        if pose is not None and contacts.at(pose).gap[contacts.names.index(name)] > LEAST_LIFTED_GAP * contacts.length:
            return (name, *_parting_later(contacts, state, others, vdot))
    return ()


def _resting(now: ContactState, touching: Bools, rounding: float, height: float) -> Bools:
    """(c,) contacts that touch and stay closed: their gap rate is zero, or they would rise by less than a height."""
    still = touching & (np.abs(now.rate) <= rounding)
    names = now.names(still)
    eqs = equations(now.contacts.with_closed(names), now.eqs.state)
    acceleration = now.opening(contact_accelerations(eqs).vdot if names else determined_accelerations(eqs, np.inf))
    pairs = zip(now.rate, acceleration, strict=True)
    low = np.array([stays_at_rest(rate, a, height) for rate, a in pairs], dtype=bool)
    resting: Bools = still | (touching & low)
    return resting
