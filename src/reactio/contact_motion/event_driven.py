"""Motion with contacts from event to event: between events, closed contacts are joints of a smooth motion."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from reactio.catalogue.units import quantity
from reactio.contact_motion.contact_system import ContactState, ContactSystem
from reactio.contact_motion.impact import ImpactRecord
from reactio.contact_motion.resolve_contacts import ResolvedContacts, resolve_contacts
from reactio.errors import ReactioError
from reactio.events.event_functions import (
    BEFORE_FIRST_ROW,
    CABLE_ACTIONS,
    EventAction,
    EventFunction,
    EventKind,
    Occurrence,
    event_functions,
)
from reactio.events.event_loop import run_with_events
from reactio.events.event_state import EventState
from reactio.forward_dynamics.contact import OPENING_ACCELERATION, contact_accelerations
from reactio.integrate.checkpoint import Checkpoint, Motion
from reactio.integrate.integrator import first_row, prepare_integrator
from reactio.integrate.options import RunRequest
from reactio.integrate.rows import joined_rows
from reactio.integrate.status import Status
from reactio.kernels import expected_work
from reactio.model.events import CrossingDirection
from reactio.model.specs import Event
from reactio.system.equations import equations
from reactio.system.types import State, System

# Depth [tolerances of a step] at which a gap counts as closed: less is the error of the step that opened it.
CLOSED_DEPTH = 0.01
SIMULTANEOUS_GAP = 10.0  # [tolerances of a step] up to which a contact takes part in the impact of another
MOST_SIMULTANEOUS_EVENTS = 100  # events while no time passes, beyond which contacts open and close in a circle
FEWEST_ACCUMULATED_IMPACTS = 3  # of one contact before it rests, that count as an accumulation: fewer are rebounds
MOST_STATES_KEPT = 1000  # contact states in memory: those that the search for one event asks for repeatedly


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """The part of a run between two events, with the same contacts closed."""

    closed: tuple[str, ...]
    motion: Motion  # of the system in which they are joints
    events: tuple[Occurrence, ...]  # of the model, their rows counted within the phase
    segments: tuple[Checkpoint, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ContactMotion:
    """A run with contacts: its phases, events and impacts; rows of events count over all phases."""

    contacts: ContactSystem
    phases: tuple[Phase, ...]
    events: tuple[Occurrence, ...]
    impacts: tuple[ImpactRecord, ...]
    status: Status
    notes: tuple[str, ...]


@dataclass(eq=False)
class _Run:
    """The phases and events of a run so far."""

    contacts: ContactSystem
    request: RunRequest
    phases: list[Phase] = field(default_factory=list)
    events: list[Occurrence] = field(default_factory=list)
    impacts: list[ImpactRecord] = field(default_factory=list)
    rows: int = 0
    accumulated: dict[str, str] = field(default_factory=dict)  # by contact: accumulations of impacts, in words
    rebounds: Counter[str] = field(default_factory=Counter)  # impacts of a contact since it rested last

    @property
    def notes(self) -> tuple[str, ...]:
        """A remark where impacts accumulated."""
        if not self.accumulated:
            return ()
        return (
            f"Impacts accumulate (Zeno): {'; '.join(self.accumulated.values())}. Where the next "
            f"rebound would be lower than {quantity(self.height, 'm', 2)}, the contact stays closed.",
        )

    @property
    def height(self) -> float:
        """The tolerance of a step as a length [m]."""
        return self.request.options.tol * self.contacts.length


def run_with_contacts(
    contacts: ContactSystem, state: State, request: RunRequest, *, touch: float, events: tuple[Event, ...] = ()
) -> ContactMotion:
    """The motion from a state on; contacts with gaps up to ``touch`` [m] are closed at the start."""
    run = _Run(contacts, request)
    now = resolve_contacts(contacts, state, touch, run.height)
    _record_changes(run, state, now, (), None)
    status, simultaneous = Status.PAUSED, 0  # events at the present time
    while status is Status.PAUSED:
        before = now.state.t
        try:
            motion, ended_by_event = _phase(run, now, events)
        except KeyboardInterrupt:  # before its first step; the phases that are done are kept
            if request.on_chunk is None or not run.phases:
                raise
            break
        end = motion.checkpoint
        if motion.status is not Status.EVENT or ended_by_event:
            status = motion.status
            break
        before_event = State(end.t, end.q, end.v)
        closed = run.phases[-1].closed
        now = resolve_contacts(contacts, before_event, SIMULTANEOUS_GAP * run.height, run.height, now.size)
        _record_changes(run, before_event, now, closed, run.rows - 1)
        simultaneous = simultaneous + 1 if end.t == before else 0
        if simultaneous > MOST_SIMULTANEOUS_EVENTS:
            names = ", ".join(dict.fromkeys(event.name for event in run.events[-MOST_SIMULTANEOUS_EVENTS:]))
            raise ReactioError(
                f"Contacts do not come to rest at t = {end.t:.9g} s: {names} open and close without any time passing. "
                "Try another tolerance, or the method moreau."
            )
    return ContactMotion(contacts, tuple(run.phases), tuple(run.events), tuple(run.impacts), status, run.notes)


def _phase(run: _Run, now: ResolvedContacts, given: tuple[Event, ...]) -> tuple[Motion, bool]:
    """The motion up to the next event of a contact, and whether an event of the model ended the run."""
    system = run.contacts.with_closed(now.closed)
    every = event_functions(system, given)
    of_model = tuple(function for function in every if function.action is not EventAction.IMPACT)  # without stops
    watches = (*of_model, *_gap_events(run, now), *_opening_events(system, now))
    start = _start_of_phase(run, system, now)
    start = replace(start, signs=(*_signs(run, len(of_model)), *(1 for _ in watches[len(of_model) :])))
    request, times = run.request, run.request.times
    rest = request if request.output is None else replace(request, output=times[times > start.t])
    # The search for the end of a phase takes some 500 evaluations besides those of its steps.
    with expected_work(max(system.m, system.n), 500 * len(run.phases)):
        done = run_with_events(system, start, watches, rest)
    first = request.output is None or bool(run.phases) or (len(times) > 0 and times[0] == start.t)
    motion = done.motion
    if first:
        motion = replace(motion, **joined_rows(first_row(start, np.zeros(0), True), motion))
    own_events = tuple(replace(e, row=e.row + int(first)) for e in done.events if e.kind is not EventKind.CONTACT)
    ended = motion.status is Status.EVENT and bool(done.events) and done.events[-1].kind is not EventKind.CONTACT
    run.phases.append(Phase(now.closed, motion, own_events, done.segments))
    run.events += [replace(e, row=e.row + run.rows) for e in own_events]
    run.rows += len(motion.t)
    return motion, ended


def _signs(run: _Run, count: int) -> tuple[int, ...]:
    """The signs that the event functions of the model had at the end of the last phase."""
    return run.phases[-1].motion.checkpoint.signs[:count] if run.phases else (0,) * count


def _start_of_phase(run: _Run, system: System, now: ResolvedContacts) -> Checkpoint:
    """The start of a phase, its first step no longer than a contact that has just opened rises, |ġ/g̈|."""
    _, start = prepare_integrator(system, now.state, run.request.options, now.state.t)
    acceleration = run.contacts.at(State(start.t, start.q, start.v)).opening(start.vdot)
    rate = run.contacts.at(now.state).rate
    falling_back = now.parting & (acceleration < 0.0)
    h = min([start.h, *(rate[falling_back] / -acceleration[falling_back]).tolist()])
    before = run.phases[-1].motion.checkpoint if run.phases else None
    if before is None:
        return replace(start, h=h)
    counts = {key: getattr(before, key) for key in ("steps", "rejected", "stiff")}
    return replace(start, h=h, evaluations=before.evaluations + 1, **counts)


def _gap_events(run: _Run, at_start: ResolvedContacts) -> list[EventFunction]:
    """The gaps of all open contacts as event functions.

    Rounding may leave the gap of a contact that opens without speed below zero: it is counted from there.
    """
    contacts, state_of = run.contacts, _RecentContactStates(run.contacts)
    gap = contacts.at(at_start.state).gap

    def watch(k: int) -> EventFunction:
        depth = CLOSED_DEPTH * run.height - (min(0.0, float(gap[k])) if contacts.names[k] in at_start.opened else 0.0)
        return EventFunction(
            contacts.names[k],
            EventKind.CONTACT,
            lambda now: float(state_of(now).gap[k]) + depth,
            -1,
            EventAction.STOP,
            scale=contacts.length,
            gap_rate=lambda now: float(state_of(now).rate[k]),
        )

    return [watch(k) for k, name in enumerate(contacts.names) if name not in at_start.closed]


@dataclass(eq=False)
class _RecentContactStates:
    """Contact states at the instants asked for last, as every gap is asked for at the same ones."""

    contacts: ContactSystem
    known: dict[tuple[float, bytes, bytes], ContactState] = field(default_factory=dict)

    def __call__(self, now: EventState) -> ContactState:
        key = (now.t, now.q.tobytes(), now.v.tobytes())
        if key not in self.known:
            if len(self.known) >= MOST_STATES_KEPT:
                self.known.pop(next(iter(self.known)))
            self.known[key] = self.contacts.at(now.state)
        return self.known[key]


def _opening_events(system: System, at_start: ResolvedContacts) -> list[EventFunction]:
    """An event function that falls below zero where a closed contact would have to pull: its gap accelerates then."""
    if not at_start.closed:
        return []

    def value(now: EventState) -> float:
        solution = contact_accelerations(equations(system, now.state), size=at_start.size)
        return OPENING_ACCELERATION * solution.size - solution.rising

    return [EventFunction("opening", EventKind.CONTACT, value, -1, EventAction.STOP)]


def _record_changes(run: _Run, before: State, now: ResolvedContacts, closed: tuple[str, ...], row: int | None) -> None:
    """Record the events of contacts at an instant: impact, rest (also where one closes without speed), or open.

    ``closed``: contacts that were closed before it; ``row``: that of the run before it, None at the start.
    """
    actions: dict[str, EventAction] = {}
    for name in now.struck:
        if name not in now.closed:
            actions[name] = EventAction.IMPACT
        elif name not in closed:  # one that was closed and stays closed has no event
            actions[name] = EventAction.REST
    were_closed = now.opened if row is None else closed  # at the start, those that touch
    actions |= {name: EventAction.OPEN for name in were_closed if name not in now.closed and name not in actions}
    if row is not None:
        actions |= {name: EventAction.REST for name in now.closed if name not in closed and name not in actions}
    if now.impact is not None:
        run.impacts.append(replace(now.impact, work=now.work, row=BEFORE_FIRST_ROW if row is None else row))
    striking = [name for name in now.struck if name in actions]
    for name, action in actions.items():
        direction = CrossingDirection.RISING if action is EventAction.OPEN else CrossingDirection.FALLING
        run.events.append(
            Occurrence(
                name=name,
                kind=EventKind.CABLE if name in run.contacts.cables else EventKind.CONTACT,
                t=before.t,
                direction=direction,
                action=CABLE_ACTIONS.get(action, action) if name in run.contacts.cables else action,
                row=BEFORE_FIRST_ROW if row is None else row,
                q=before.q,
                v=before.v,
                v_after=now.state.v,
                work=0.0 if name not in striking else now.work if len(now.struck) == 1 else np.nan,
            )
        )
        if action is EventAction.IMPACT:
            run.rebounds[name] += 1
        elif action is EventAction.REST and run.rebounds[name] >= FEWEST_ACCUMULATED_IMPACTS:
            run.accumulated[name] = f"{name} ({run.rebounds[name]} impacts until t = {before.t:.9g} s)"
        if action is EventAction.REST:
            run.rebounds[name] = 0
