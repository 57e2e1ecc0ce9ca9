"""Motion from event to event: between them closed contacts are joints, and the integrator has its full accuracy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.contact_motion.contact_system import ContactState, ContactSystem
from reactio.contact_motion.settle import Settled, settle
from reactio.errors import ReactioError
from reactio.events.event_loop import run_with_events
from reactio.events.moment import EventState
from reactio.events.watch import EventAction, EventFunction, EventKind, Occurrence, event_functions
from reactio.forward_dynamics.contact import OPENS, contact_accelerations
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion
from reactio.integrate.integrator import first_row, prepare_integrator
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.kernels import compiling, foreseen
from reactio.model.events import CrossingDirection
from reactio.model.specs import Event
from reactio.system.equations import equations
from reactio.system.types import State, System

# Depth [tolerances of a step] at which a gap counts as closed: less is the error of the step that opened it.
CLOSES = 0.01
SIMULTANEOUS = 10.0  # gap [tolerances of a step] below which a contact takes part in the impact of another
MOST_AT_ONCE = 100  # events without any time passing: the laws of contact do not settle
FEW = 3  # impacts of one contact before it rests, from which on one speaks of an accumulation
LOCATING = 500  # evaluations that the search for the end of a phase takes, besides those of its steps
REMEMBERED = 1000  # moments of a piece of a run


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A piece of a run between two events with the same contacts closed."""

    closed: tuple[str, ...]
    motion: Motion  # of the system in which they are joints
    events: tuple[Occurrence, ...]  # of the model, their rows counted within the phase
    segments: tuple[Checkpoint, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ContactMotion:
    """A run with contacts: its phases, and what its contacts did; rows of events count over all phases."""

    contacts: ContactSystem
    phases: tuple[Phase, ...]
    events: tuple[Occurrence, ...]
    status: Status
    notes: tuple[str, ...]


@dataclass(eq=False)
class _Run:
    """What a run has gathered so far."""

    contacts: ContactSystem
    options: IntegrationOptions
    times: Floats  # of output
    every: bool  # is every step a row?
    phases: list[Phase] = field(default_factory=list)
    events: list[Occurrence] = field(default_factory=list)
    rows: int = 0
    accumulated: dict[str, str] = field(default_factory=dict)  # by contact, where impacts came ever faster
    impacts: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> tuple[str, ...]:
        """Where impacts accumulated."""
        if not self.accumulated:
            return ()
        return (
            f"Impacts follow each other ever faster (Zeno): {'; '.join(self.accumulated.values())}. Where the next "
            f"rebound would be lower than {self.height:.1e} m, the contact stays closed.",
        )

    @property
    def height(self) -> float:
        """The tolerance of a step as a length [m]."""
        return self.options.tol * self.contacts.length


def run_with_contacts(
    contacts: ContactSystem,
    state: State,
    until: float,
    options: IntegrationOptions,
    *,
    touch: float,
    events: tuple[Event, ...] = (),
    output: Floats | None = None,
    on_chunk: Callable[[Chunk], object] | None = None,
    chunk: int = 200,
) -> ContactMotion:
    """The motion from a state until a time [s]; contacts with gaps up to ``touch`` [m] are closed at the start."""
    run = _Run(contacts, options, np.zeros(0) if output is None else output, output is None)
    now = settle(contacts, state, touch, run.height)
    _tell(run, state, now, (), None)
    status, stuck = Status.PAUSED, 0
    while status is Status.PAUSED:
        before = now.state.t
        try:
            motion, asked = _phase(run, now, until, events, on_chunk, chunk)
        except KeyboardInterrupt:  # before its first step; the phases that are done are kept
            if on_chunk is None or not run.phases:
                raise
            break
        end = motion.checkpoint
        if motion.status is not Status.EVENT or asked:
            status = motion.status
            break
        here = State(end.t, end.q, end.v)
        closed = run.phases[-1].closed
        now = settle(contacts, here, SIMULTANEOUS * run.height, run.height, now.size)
        _tell(run, here, now, closed, run.rows - 1)
        stuck = stuck + 1 if end.t == before else 0
        if stuck > MOST_AT_ONCE:
            names = ", ".join(dict.fromkeys(event.name for event in run.events[-MOST_AT_ONCE:]))
            raise ReactioError(
                f"Contacts do not settle at t = {end.t:.9g} s: {names} open and close without any time passing. "
                "Try another tolerance, or the method moreau."
            )
    return ContactMotion(contacts, tuple(run.phases), tuple(run.events), status, run.notes)


def _phase(
    run: _Run,
    now: Settled,
    until: float,
    given: tuple[Event, ...],
    on_chunk: Callable[[Chunk], object] | None,
    chunk: int,
) -> tuple[Motion, bool]:
    """The motion up to the next event of a contact; and did an event of the model ask for its end?"""
    system = run.contacts.with_closed(now.closed)
    every = event_functions(system, given)
    own = tuple(one for one in every if one.action is not EventAction.IMPACT)  # stops are contacts here
    watches = (*own, *_gaps(run, now), *_opening(system, now))
    begun = _begun(run, system, now, until)
    begun = replace(begun, signs=(*_signs(run, len(own)), *(1 for _ in watches[len(own) :])))
    due = run.times[run.times > begun.t]
    done = run_with_events(
        system, begun, until, watches, run.options, output=None if run.every else due, on_chunk=on_chunk, chunk=chunk
    )
    first = run.every or bool(run.phases) or (len(run.times) > 0 and run.times[0] == begun.t)
    motion = _with_first(done.motion, first_row(begun, np.zeros(0), True)) if first else done.motion
    mine = tuple(replace(e, row=e.row + int(first)) for e in done.events if e.kind is not EventKind.CONTACT)
    ended = motion.status is Status.EVENT and bool(done.events) and done.events[-1].kind is not EventKind.CONTACT
    run.phases.append(Phase(now.closed, motion, mine, done.segments))
    run.events += [replace(e, row=e.row + run.rows) for e in mine]
    run.rows += len(motion.t)
    return motion, ended


def _signs(run: _Run, count: int) -> tuple[int, ...]:
    """The sides of zero on which the events of the model were seen last."""
    return run.phases[-1].motion.checkpoint.signs[:count] if run.phases else (0,) * count


def _with_first(motion: Motion, first: Chunk) -> Motion:
    """A motion with its first state as a row."""
    parts: dict[str, Any] = {key: np.concatenate([getattr(first, key), getattr(motion, key)]) for key in ROW_FIELDS}
    return replace(motion, **parts)


def _begun(run: _Run, system: System, now: Settled, until: float) -> Checkpoint:
    """The start of a phase, its first step no longer than the rise of a contact that has just opened."""
    _, begun = prepare_integrator(system, now.state, run.options, until, len(run.times))
    pull = run.contacts.at(State(begun.t, begun.q, begun.v)).opening(begun.vdot)
    rate = run.contacts.at(now.state).rate
    back = now.parting & (pull < 0.0)
    h = min([begun.h, *(rate[back] / -pull[back]).tolist()])
    before = run.phases[-1].motion.checkpoint if run.phases else None
    if before is None:
        return replace(begun, h=h)
    counts = {key: getattr(before, key) for key in ("steps", "rejected", "stiff")}
    with foreseen(max(system.m, system.n), LOCATING * len(run.phases)):
        compiled = before.compiled or compiling()
    return replace(begun, h=h, evaluations=before.evaluations + 1, compiled=compiled, **counts)


def _gaps(run: _Run, at_start: Settled) -> list[EventFunction]:
    """The gaps of all open contacts; of one that opens without speed from where it is, which rounding may put below."""
    contacts, seen = run.contacts, _Seen(run.contacts)
    gap = contacts.at(at_start.state).gap

    def watch(k: int) -> EventFunction:
        depth = CLOSES * run.height - (min(0.0, float(gap[k])) if contacts.names[k] in at_start.opened else 0.0)
        return EventFunction(
            contacts.names[k],
            EventKind.CONTACT,
            lambda now: float(seen(now).gap[k]) + depth,
            -1,
            EventAction.STOP,
            scale=contacts.length,
            gap_rate=lambda now: float(seen(now).rate[k]),
        )

    return [watch(k) for k, name in enumerate(contacts.names) if name not in at_start.closed]


@dataclass(eq=False)
class _Seen:
    """The contacts at the moments that were looked at last: every gap is looked at there, one after the other."""

    contacts: ContactSystem
    found: dict[tuple[float, bytes, bytes], ContactState] = field(default_factory=dict)

    def __call__(self, now: EventState) -> ContactState:
        key = (now.t, now.q.tobytes(), now.v.tobytes())
        if key not in self.found:
            if len(self.found) >= REMEMBERED:
                self.found.pop(next(iter(self.found)))
            self.found[key] = self.contacts.at(now.state)
        return self.found[key]


def _opening(system: System, at_start: Settled) -> list[EventFunction]:
    """What falls below zero where one of the closed contacts would have to pull: its acceleration leads apart then."""
    if not at_start.closed:
        return []

    def value(now: EventState) -> float:
        found = contact_accelerations(equations(system, now.state), size=at_start.size)
        return OPENS * found.size - found.rising

    return [EventFunction("opening", EventKind.CONTACT, value, -1, EventAction.STOP)]


def _tell(run: _Run, before: State, now: Settled, closed: tuple[str, ...], row: int | None) -> None:
    """List what the contacts did at an instant: impacts, rests, openings, and contacts that close without speed."""
    said: dict[str, EventAction] = {}
    for name in now.struck:
        if name not in now.closed:
            said[name] = EventAction.IMPACT
        elif name not in closed:  # one that was closed and stays so is nothing new
            said[name] = EventAction.REST
    were_closed = now.opened if row is None else closed  # at the start, those that touch
    said |= {name: EventAction.OPEN for name in were_closed if name not in now.closed and name not in said}
    if row is not None:
        said |= {name: EventAction.REST for name in now.closed if name not in closed and name not in said}
    work = now.work
    for name, action in said.items():
        direction = CrossingDirection.RISING if action is EventAction.OPEN else CrossingDirection.FALLING
        run.events.append(
            Occurrence(
                name,
                EventKind.CONTACT,
                before.t,
                direction,
                action,
                -1 if row is None else row,
                before.q,
                before.v,
                now.state.v,
                work,
            )
        )
        work = 0.0
        if action is EventAction.IMPACT:
            run.impacts[name] += 1
        elif action is EventAction.REST and run.impacts[name] >= FEW:
            run.accumulated[name] = f"{name} ({run.impacts[name]} impacts until t = {before.t:.9g} s)"
        if action is EventAction.REST:
            run.impacts[name] = 0
