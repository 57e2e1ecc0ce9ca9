"""Simulation of a model with contacts, from event to event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace

import numpy as np

from reactio.catalogue.units import quantity
from reactio.contact_motion.contact_system import ContactState, ContactSystem, contact_system, require_mass
from reactio.contact_motion.event_driven import ContactMotion, Phase, run_with_contacts
from reactio.errors import ReactioError
from reactio.integrate.checkpoint import Motion
from reactio.integrate.contact_rows import refuse_unilateral_rows
from reactio.integrate.integrator import checked_times
from reactio.integrate.options import IntegrationOptions, RunRequest
from reactio.integrate.rows import joined_rows
from reactio.integrate.status import Status
from reactio.integrate.termination import reason_in_words
from reactio.kernels import clock
from reactio.kinematics.assemble import assemble, assembly_record, initial_assembly
from reactio.model.model import Model
from reactio.model.specs import Event
from reactio.simulation.contact_trajectory import ContactTrajectory, joined_energy
from reactio.simulation.energy_balance import MOST_ENERGY_ROWS
from reactio.simulation.linear_modes_notes import linear_modes_notes
from reactio.simulation.start import changed_velocities
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.contacts import CLOSED_GAP, refuse_deep
from reactio.system.types import State


def simulate_contacts(
    model: Model, request: RunRequest, *, state: State | None = None, events: tuple[Event, ...] = ()
) -> ContactTrajectory:
    """The motion of a model whose contacts close and open, from event to event."""
    contacts = contact_system(model, stops=True)
    require_mass(contacts)
    _refuse(contacts, request.options)
    start, notes = start_with_contacts(contacts, state)
    if request.output is not None:
        request = replace(request, output=checked_times(start, request.until, request.output))
    begun = clock()
    done = run_with_contacts(contacts, start, request, touch=CLOSED_GAP * contacts.length, events=events)
    run = _trajectory(done, request, clock() - begun, notes + contacts.member_words)
    limits = tuple(dict.fromkeys(note for phase in run.phases for note in linear_modes_notes(phase)))
    return replace(run, energy_error=joined_energy(run, MOST_ENERGY_ROWS).error, notes=run.notes + limits[:1])


def _refuse(contacts: ContactSystem, options: IntegrationOptions) -> None:
    """Errors where contacts have friction, or constraints are stabilised by Baumgarte's method."""
    rough = [name for name, mu in zip(contacts.names, contacts.friction, strict=True) if mu > 0.0]
    if rough:
        raise ReactioError(
            f"contact '{rough[0]}' has friction, which is not followed from event to event: use time steps, "
            "`--method moreau --step 1e-3`, or leave `friction` out."
        )
    if options.drifts:
        raise ReactioError(f"Motion with contacts is projected; leave out `{options.by.name}`.")


def start_with_contacts(contacts: ContactSystem, state: State | None) -> tuple[State, tuple[str, ...]]:
    """The state at which a run starts: joints closed, and closed contacts without overlap."""
    open_system = contacts.with_closed(())
    refuse_unilateral_rows(open_system)
    given = open_system.state() if state is None else state
    notes: tuple[str, ...] = ()
    if open_system.m:
        record = initial_assembly(open_system) if state is None else assembly_record(open_system, state)
        given, notes = record.state, changed_velocities(given, record)
    now = contacts.at(given)
    refuse_deep(contacts.joints, -now.gap[: len(contacts.joints)], contacts.length, contacts.whole.model)
    _refuse_beyond(contacts, now)
    touching = now.names(now.gap <= CLOSED_GAP * contacts.length)
    if touching:
        given = State(given.t, assemble(contacts.with_closed(touching), given).q, given.v)
    return given, notes


def _refuse_beyond(contacts: ContactSystem, now: ContactState) -> None:
    """Refuse coordinates that start beyond their end stops."""
    first = len(contacts.joints)
    for limit, gap, scale in zip(contacts.limits, now.gap[first:], contacts.scale[first:], strict=True):
        if -gap > CLOSED_GAP * contacts.length:
            unit = "m" if scale == 1.0 else "rad"
            raise ReactioError(
                f"stop '{limit.name}': {limit.along[0]} begins {quantity(-gap / scale, unit, 6)} beyond its limit."
            )


def _trajectory(done: ContactMotion, request: RunRequest, wall: float, notes: tuple[str, ...]) -> ContactTrajectory:
    """The run of a motion with contacts: its phases one after the other."""
    motions, options, until = [phase.motion for phase in done.phases], request.options, request.until
    end = motions[-1].checkpoint
    rows = joined_rows(*motions, fields=("t", "q", "v", "vdot"))  # λ belongs to the rows of each phase
    earlier = np.cumsum([0.0, *(motion.checkpoint.work for motion in motions[:-1])])  # work before each phase
    status = Status.DRIFTED if any(motion.status is Status.DRIFTED for motion in motions) else done.status
    ending = (
        ()
        if status in (Status.DONE, Status.EVENT, Status.PAUSED, Status.DRIFTED)
        else reason_in_words(motions[-1].system, end, options, status)
    )
    rows["lam"] = np.concatenate(
        [done.contacts.multipliers(phase.motion.system, phase.motion.lam) for phase in done.phases]
    )
    rows["work"] = np.concatenate([before + motion.work for before, motion in zip(earlier, motions, strict=True)])
    return ContactTrajectory(
        **rows,
        system=done.contacts.whole,
        until=until,
        status=status,
        position_drift=max(motion.position_drift for motion in motions),
        velocity_drift=max(motion.velocity_drift for motion in motions),
        energy_error=None,
        wall_s=wall,
        checkpoint=end,
        notes=notes + done.notes + ending,
        events=done.events,
        segments=tuple(segment for phase in done.phases for segment in phase.segments),
        phases=tuple(_phase(phase, options, until) for phase in done.phases),
        penetration=deepest(done.contacts, motions),
        contacts=done.contacts,
        impacts=done.impacts,
        **asdict(options),
    )


def _phase(phase: Phase, options: IntegrationOptions, until: float) -> Trajectory:
    """A phase as a separate run."""
    return Trajectory.of_motion(phase.motion, options, until, events=phase.events, segments=phase.segments)


def deepest(contacts: ContactSystem, motions: Iterable[Motion]) -> float:
    """The deepest overlap over all rows [m]; 0 of a model without contacts."""
    if not contacts.names:
        return 0.0
    states = (state for motion in motions for state in motion.states)
    return max((-float(contacts.at(state).gap.min()) for state in states), default=0.0)
