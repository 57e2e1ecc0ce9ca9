"""What happens at an instant with contacts: impacts, contacts that stay closed, and those that open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.contact_motion.contact_system import ContactState, ContactSystem
from reactio.contact_motion.impact import contact_impact, contact_rest
from reactio.events.impact import stays_at_rest
from reactio.forward_dynamics.accelerate import determined_accelerations
from reactio.forward_dynamics.contact import OPENS, contact_accelerations
from reactio.kinematics.assemble import displaced_pose
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

# Part of the fastest motion of a contact below which a gap neither closes nor opens: velocities after an impact are
# found to some 1e-12 of it.
STILL = 1e-11
# Displacement [characteristic lengths, rad] along a motion that shows which contacts it lifts off, and the least gap
# that counts: a gap grows with the square of the displacement, and poses are closed to 1e-12.
LOOK_AHEAD, LIFTED = 1e-3, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """The state behind an instant, and which contacts are closed from there on."""

    state: State
    closed: tuple[str, ...]
    struck: tuple[str, ...]  # contacts that closed with some speed
    opened: tuple[str, ...]  # contacts without speed whose acceleration leads apart
    parting: Bools  # (c,) contacts that touch and move apart
    work: float  # kinetic energy gained by impacts, negative for a loss [J]
    size: float  # of the accelerations at closed contacts [m/s²]


def settle(contacts: ContactSystem, state: State, touch: float, height: float, size: float = 0.0) -> Settled:
    """Impacts at a state, and the contacts that stay closed behind it.

    Contacts with gaps up to ``touch`` [m] touch.  Those that approach strike, all at once; a rebound lower than
    ``height`` [m] cannot be told from rest, and its contact stays closed.  Of the closed ones, those open whose
    acceleration by the complementarity problem leads apart by more than rounding of those of a ``size`` [m/s²].
    """
    now = contacts.at(state)
    touching = now.gap <= touch
    fast = STILL * (contacts.length * 1e-6 + float(now.speed.max(initial=0.0)))
    struck = touching & (now.rate < -fast)
    work = 0.0
    if struck.any():
        pull = now.opening(_free(contacts, state))
        rebound = zip(contacts.restitution * -now.rate, pull, strict=True)
        low = np.array([stays_at_rest(rate, p, height) for rate, p in rebound], dtype=bool)
        jump = contact_impact(now, touching, np.where(struck & ~low, contacts.restitution, 0.0))
        state, work = State(state.t, state.q, jump.v), jump.work
        now = contacts.at(state)
    closed = _resting(now, touching, fast, height)
    if (np.abs(now.rate[closed]) > 0.0).any():
        rest = contact_rest(now, touching, closed)
        state, work = State(state.t, state.q, rest.v), work + rest.work
        now = contacts.at(state)
    names = now.names(closed)
    opens: tuple[str, ...] = ()
    if names:
        found = contact_accelerations(equations(contacts.with_closed(names), state), 0.5 * OPENS, size)
        opens, size = found.opens, found.size
        names = tuple(name for name in names if name not in opens)
        later = _parting_later(contacts, state, names, found.vdot)
        opens, names = (*opens, *later), tuple(name for name in names if name not in later)
    return Settled(state, names, now.names(struck), opens, touching & ~closed & (now.rate > 0.0), work, size)


def _parting_later(contacts: ContactSystem, state: State, names: tuple[str, ...], vdot: Floats) -> tuple[str, ...]:
    """Closed contacts that neither velocities nor accelerations v̇ (n,) open, and that the motion opens all the same.

    Where rows are dependent in this pose alone, as those of a foot under the pin of a lever, no finite motion keeps all
    of them closed.  A small displacement along the motion tells which of them it lifts off.
    """
    system = contacts.with_closed(names)
    way = state.v if np.abs(state.v / system.column_scale).max(initial=0.0) > LOOK_AHEAD else vdot
    size = float(np.abs(way / system.column_scale).max(initial=0.0))
    answer = equations(system, state).solvability if names and size > LOOK_AHEAD else None
    if answer is None or not answer.redundancy or not answer.mobility:
        return ()
    d = way * (LOOK_AHEAD / size)
    if displaced_pose(system, state, d) is not None:
        return ()
    for k, name in enumerate(names):
        others = names[:k] + names[k + 1 :]
        trial = contacts.with_closed(others)
        pose = displaced_pose(trial, state, d) if trial.m else State(state.t, advance(trial, state.q, d), state.v)
        if pose is not None and contacts.at(pose).gap[contacts.names.index(name)] > LIFTED * contacts.length:
            return (name, *_parting_later(contacts, state, others, vdot))
    return ()


def _free(contacts: ContactSystem, state: State) -> Floats:
    """v̇ (n,) with every contact open."""
    return determined_accelerations(equations(contacts.with_closed(()), state), np.inf)


def _resting(now: ContactState, touching: Bools, fast: float, height: float) -> Bools:
    """(c,) contacts that touch and stay closed: they stand still, or would rise by less than a height and fall back."""
    still = touching & (np.abs(now.rate) <= fast)
    names = now.names(still)
    eqs = equations(now.contacts.with_closed(names), now.eqs.state)
    pull = now.opening(contact_accelerations(eqs).vdot if names else determined_accelerations(eqs, np.inf))
    low = np.array([stays_at_rest(rate, p, height) for rate, p in zip(now.rate, pull, strict=True)], dtype=bool)
    found: Bools = still | (touching & low)
    return found
