"""Simulation of a model: motion, drift of the constraints, energy, and reactions on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from numbers import Integral

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.errors import ReactioError, listed
from reactio.events.event_functions import RunWithEvents, event_functions
from reactio.events.stop_loads import joints_loaded_by_stop
from reactio.forward_dynamics.friction_check import needed_weights
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion
from reactio.integrate.contact_rows import refuse_unilateral_rows
from reactio.integrate.drift_bounds import bounds_of, worst_drift
from reactio.integrate.formulation import DEFAULT_FORMULATION, formulation_of
from reactio.integrate.integrator import integrate
from reactio.integrate.methods import METHODS
from reactio.integrate.options import IntegrationOptions, RunRequest, Stabilisation, check_chunk, checked_options
from reactio.integrate.projection.mass_projection import massless_bodies
from reactio.integrate.status import Status
from reactio.integrate.termination import reason_in_words
from reactio.integrate.undefined_loads import undefined_functions
from reactio.joint_reactions.at_singular import refuse_locked
from reactio.joint_reactions.at_state import reactions
from reactio.kernels import clock
from reactio.kinematics.assemble import assembly_record, initial_assembly
from reactio.kinematics.source import system_and_state
from reactio.model.contacts import acts_one_way
from reactio.model.model import Model
from reactio.model.plausibility import unheld, unloaded
from reactio.model.specs import Event
from reactio.model.transform.compliant_contacts import with_compliant_contacts
from reactio.model.transform.floating_frames import static
from reactio.sharing import by_compliance, rule_of
from reactio.simulation.dropped import AUTOMATIC, dropped_words, drops, opening_words, with_dropped
from reactio.simulation.linear_modes_notes import linear_modes_notes
from reactio.simulation.progress_bar import progress_bar
from reactio.simulation.run_checks import joined, with_energy_balance
from reactio.simulation.start import changed_velocities, last_digit, vibration_notes
from reactio.simulation.trajectory import Trajectory
from reactio.singular.minimal.needed import BRANCH_NAME, branch_needed
from reactio.system.compile.build import build
from reactio.system.constraints import refuse_shared_points
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System, check_time

RULE_DEPENDENCE = "friction acts on reactions that are not unique, and the rule splits them."
NEAREST_STATES = (
    "Reactions are those in the nearest states that satisfy them, and are left out where there is none nearby."
)
MOST_OUTPUT_ROWS = 10_000_000  # of output: those of a model of 100 coordinates take some 20 GB


def simulate(
    model: Model | System | Equations,
    until: float,
    *,
    tol: float = 1e-9,
    rule: str | None = None,
    stabilise: str = "projection",
    alpha: float = 20.0,
    state: State | None = None,
    output: npt.ArrayLike | int | None = None,
    resume: Checkpoint | Trajectory | None = None,
    on_chunk: Callable[[Chunk], object] | None = None,
    chunk: int = 200,
    events: Iterable[Event] = (),
    method: str | None = None,
    step: float | None = None,
    formulation: str = DEFAULT_FORMULATION,
    drop: str | Iterable[str] = (),
) -> Trajectory:
    """The motion of a model until a time [s].

    ``tol`` bounds the error of a step.  ``rule`` names the sharing rule for reactions that are not unique (without one
    they are NaN), and for friction that depends on them.  ``stabilise`` and ``alpha`` as in ``integrate``.  ``output``
    is a number of evenly spaced rows or their times; every step when left out.  ``resume`` continues from the
    checkpoint of an earlier run with the identical result; given that run itself, both are returned as one, and
    ``output`` holds for both.  ``on_chunk`` is called after every ``chunk`` steps; if it returns True, or on
    Ctrl-C, the run ends there; Ctrl-C after the last step leaves the energy error unknown.  ``events``
    are located in addition to those of the model; functions of the user must be given again when a run is resumed.
    ``method`` is dop853; radau5 for stiff motion; auto, which changes from the first to the second where the motion is
    stiff; or moreau, time steps of ``step`` [s] for contacts with friction (the others follow contacts without friction
    from event to event).  When left out it is dop853, or radau5 where flexible bodies have modes that follow
    statically.  A start on a branch with more admissible velocities than finite motions have is followed in minimal
    coordinates of that branch, whatever the method.  ``formulation`` names how constraints enter the equations of
    motion, with its settings: "projection", "minimal-coordinates", "augmented-lagrangian:iterations=2", ….  ``drop``
    names equations that are left out of the motion, "B.z", or "auto" for as many as are redundant at the start.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1.0, output=3)
    >>> run.t.tolist(), run.status.name
    ([0.0, 0.5, 1.0], 'DONE')
    """
    if isinstance(model, Equations):
        model, state = system_and_state(model, state)
    if isinstance(model, Model):
        model = with_compliant_contacts(model)
    given = tuple(events)
    if rule is not None:
        rule_of(rule)  # an unknown rule is an error now, not after the run
    check_time(until)
    check_chunk(chunk)
    options = IntegrationOptions(tol, method or "dop853", rule, stabilise, alpha, formulation)
    request = RunRequest(until, options, None, on_chunk or progress_bar(until) or _unwatched, chunk)
    if METHODS.get(options.method).in_steps:
        return _with_contacts(model, request, output, given, state, resume, step)
    checked_options(options)
    if step is not None:
        named = " or ".join(stepping.name for stepping in METHODS.values() if stepping.in_steps)
        raise ReactioError(f"step = {step:g} s: only the method {named} goes in steps of a given size.")
    if isinstance(model, Model) and acts_one_way(model):
        return _with_contacts(model, request, output, given, state, resume)
    system = _system(model, given, rule)
    if not system.model.bodies:
        raise ReactioError(f"'{system.model.name}' has no bodies: nothing moves.")
    _refuse_formulation(system, options)
    system = _without_dropped(system, options, (drop,) if isinstance(drop, str) else tuple(drop), state, resume)
    if method is None and options.by.projects:
        options = replace(options, method=default_method(system))
    refuse_unilateral_rows(system)
    refuse_shared_points(system.model)
    begin, notes = _start(system, state) if resume is None else (_resumed_from(system, resume), ())
    notes += dropped_words(system, State(begin.t, begin.q, begin.v))
    request = replace(request, options=options, output=_times(output, begin, until, resume))
    run = _run(system, begin, request, given, notes)
    run = replace(run, notes=run.notes + opening_words(run))
    complete = joined(resume, run) if isinstance(resume, Trajectory) else with_energy_balance(run)
    return replace(complete, notes=complete.notes + linear_modes_notes(run))


def _unwatched(chunk: Chunk) -> None:
    """Do nothing after a chunk: with it, Ctrl-C ends the run instead of raising, and its status is PAUSED."""


def _with_contacts(
    model: Model | System,
    request: RunRequest,
    output: npt.ArrayLike | int | None,
    events: tuple[Event, ...],
    state: State | None,
    resume: Checkpoint | Trajectory | None,
    step: float | None = None,
) -> Trajectory:
    """The run of a model whose contacts close and open, from event to event or in time steps."""
    from reactio.simulation.stepped import simulate_in_steps
    from reactio.simulation.with_contacts import simulate_contacts

    if isinstance(model, System):
        refuse_unilateral_rows(model)
        model = model.model
    if resume is not None:
        raise ReactioError("A run with contacts cannot be resumed: give its last state, `state=run.final`, instead.")
    model = static(model) if by_compliance(request.options.rule) else model
    texts = tuple(event for event in events if isinstance(event.when, str) and event not in model.events)
    functions = tuple(event for event in events if not isinstance(event.when, str))
    model = replace(model, events=model.events + texts) if texts else model
    begin = State(0.0 if state is None else state.t, np.zeros(0), np.zeros(0))
    request = replace(request, output=_times(output, begin, request.until, None))
    if METHODS.get(request.options.method).in_steps:
        if events:
            raise ReactioError(f"The method {request.options.method} does not follow events; leave them out.")
        return simulate_in_steps(model, request, step, state=state)
    return simulate_contacts(model, request, state=state, events=functions)


def _run(
    system: System, begin: State | Checkpoint, request: RunRequest, given: tuple[Event, ...], notes: tuple[str, ...]
) -> Trajectory:
    """The run, its energy error not yet known."""
    state, options, rule = State(begin.t, begin.q, begin.v), request.options, request.options.rule
    method, branch_notes = _method_for(system, state, options.method, rule)
    if not isinstance(begin, Checkpoint) and not branch_notes:
        refuse_locked(system, state, rule)
    if rule is not None and system.m:
        reactions(equations(system, state), rule)  # a rule that does not apply says so now
    depends = needed_weights(equations(system, state), rule)
    if depends and not options.by.friction_by_rule:
        raise _friction_by_formulation(system, options)
    options = replace(options, method=method, rule=depends.rule if depends else rule)
    request = replace(request, options=options)
    watched = event_functions(system, [event for event in given if not isinstance(event.when, str)])
    begun = clock()
    if watched:
        from reactio.events.event_loop import run_with_events

        done = run_with_events(system, begin, watched, request)
    else:
        rows, on_chunk, chunk = request.output, request.on_chunk, request.chunk
        motion = integrate(system, begin, request.until, output=rows, on_chunk=on_chunk, chunk=chunk, **asdict(options))
        motion = motion if isinstance(begin, Checkpoint) else _with_start_accelerations(motion, method)
        done = RunWithEvents(motion, (), (motion.start,))
    wall = clock() - begun
    notes += branch_notes + _option_notes(options, depends is not None)
    return _trajectory(done, options, request.until, wall, notes, depends is not None)


def _with_start_accelerations(motion: Motion, method: str) -> Motion:
    """A motion whose first row has the accelerations of its method, where one instant does not determine them."""
    accelerates, start = METHODS.get(method).accelerates, motion.start
    if accelerates is None:
        return motion
    vdot, first = accelerates(motion.system, State(start.t, start.q, start.v)), motion.t == start.t
    start = replace(start, vdot=vdot)
    end = start if motion.checkpoint.t == start.t else motion.checkpoint
    return replace(motion, vdot=np.where(first[:, None], vdot, motion.vdot), start=start, checkpoint=end)


def _resumed_from(system: System, run: Trajectory | Checkpoint) -> Checkpoint:
    """The checkpoint at which a run is resumed; a whole run must be of the same model."""
    if isinstance(run, Checkpoint):
        return run
    if run.system.model != system.model:
        raise ReactioError(
            f"The run to be resumed is of the model '{run.system.model.name}' with other numbers, events or "
            f"coordinates than '{system.model.name}'. Give the model it was made with."
        )
    return run.checkpoint


def _system(model: Model | System, events: tuple[Event, ...], rule: str | None) -> System:
    """The system of a run, with events given as texts in its model, so that it measures the coordinates they name.

    With the sharing rule compliance a model moves as rigid bodies; a system is taken as it was built.
    """
    known = model.model if isinstance(model, System) else model
    texts = tuple(event for event in events if isinstance(event.when, str) and event not in known.events)
    vibration = isinstance(model, System) or not by_compliance(rule)
    if texts:
        return build(replace(known, events=known.events + texts), vibration=vibration)
    return model if isinstance(model, System) else build(model, vibration=vibration)


def _times(
    output: npt.ArrayLike | int | None, begin: State | Checkpoint, until: float, before: Trajectory | Checkpoint | None
) -> Floats | None:
    """The times of output; where a whole run is resumed, those after its end."""
    if isinstance(output, bool | np.bool_):
        raise ReactioError(f"output = {output}: give a number of rows, or their times; every step when left out.")
    joins = isinstance(before, Trajectory)
    if isinstance(output, Integral):
        if not 2 <= output <= MOST_OUTPUT_ROWS:
            raise ReactioError(f"{output:,} rows of output: give a number from 2 to {MOST_OUTPUT_ROWS:,}.")
        first = before.segments[0].t if isinstance(before, Trajectory) and before.segments else begin.t
        output = np.linspace(first, until, int(output))
    if output is None:
        return None
    try:
        times = np.array(output, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        raise ReactioError(f"output = {output!r}: give a number of rows, or a list of times [s].") from None
    return times[~(times <= begin.t)] if joins else times


def _method_for(system: System, state: State, method: str, rule: str | None) -> tuple[str, tuple[str, ...]]:
    """The method that a start requires, with a note; otherwise the requested one."""
    note = branch_needed(system, state)
    if note is None:
        return method, ()
    if rule is not None:
        raise ReactioError(f"{note} The sharing rule '{rule}' cannot make them; leave it out.")
    return BRANCH_NAME, (note,)


def _without_dropped(
    system: System,
    options: IntegrationOptions,
    drop: tuple[str, ...],
    state: State | None,
    resume: Checkpoint | Trajectory | None,
) -> System:
    """The system without the equations that are to be dropped, by name or by the formulation ``elimination``."""
    if options.by.eliminates:
        drop += (formulation_of(options.formulation).argument or AUTOMATIC,)
    if isinstance(resume, Trajectory) and resume.system.model == system.model:
        return resume.system
    if not drop and (not system.model.drop or drops(system)):
        return system
    if resume is not None:
        raise ReactioError("A run is resumed with the equations it was begun with; leave out those to drop.")
    drop = drop or system.model.drop
    return with_dropped(system, drop, initial_assembly(system).state if state is None else state)


def _refuse_formulation(system: System, options: IntegrationOptions) -> None:
    """Errors where a formulation does not support a feature of the model."""
    how = options.by
    if not how.massless and (names := massless_bodies(system)):
        raise ReactioError(
            f"The formulation '{how.name}' needs the inverse of the mass matrix, and {listed(names, most=5)} of "
            f"'{system.model.name}' has no mass, or no inertia. Give it some, or use another formulation."
        )


def _friction_by_formulation(system: System, options: IntegrationOptions) -> ReactioError:
    """The error about friction on reactions that a formulation shares itself."""
    return ReactioError(
        f"Friction in '{system.model.name}' acts on reactions that are not unique. The formulation "
        f"'{options.by.name}' shares them by its own multipliers, not by the rule '{options.rule}'. Use another "
        "formulation with this rule, or keep friction to joints with unique reactions."
    )


def _option_notes(options: IntegrationOptions, depends: bool) -> tuple[str, ...]:
    """Notes on the effects of the options of a run."""
    notes = []
    if depends:
        notes.append(f"The motion depends on the sharing rule '{options.rule}': {RULE_DEPENDENCE}")
    if options.stabilise == Stabilisation.BAUMGARTE:
        notes.append(
            f"Constraints are pulled back with alpha = {options.alpha:g} 1/s instead of projected: they drift. "
            f"{NEAREST_STATES}"
        )
    elif options.formulation != DEFAULT_FORMULATION:
        drifting = f" Constraints are not satisfied to rounding: they drift. {NEAREST_STATES}" if options.drifts else ""
        notes.append(
            f"Formulation {options.formulation} ({options.by.cite}). Undetermined reactions: "
            f"{options.by.undetermined[0].lower()}{options.by.undetermined[1:]}{drifting}"
        )
    return tuple(notes)


def _start(system: System, state: State | None) -> tuple[State, tuple[str, ...]]:
    """The state at which the run starts, with notes on its velocities, geometry and loads."""
    given = system.state() if state is None else state
    record = initial_assembly(system) if state is None else assembly_record(system, state)
    notes = vibration_notes(system) + changed_velocities(given, record) + last_digit(system, record.state)
    return record.state, notes + unloaded(system.model) + unheld(system.model)


def default_method(source: Model | System) -> str:
    """The method where none is given: implicit where modes follow statically, as their frequencies are high."""
    bodies = source.bodies if isinstance(source, Model) else source.model.bodies
    modal = [body.flexible.modal for body in bodies if body.flexible is not None]
    return (
        "radau5" if any(modes is not None and modes.vibrating < len(modes.frequency) for modes in modal) else "dop853"
    )


def _stiffness_note(motion: Motion, method: str) -> tuple[str, ...]:
    """A note where stability, not accuracy, kept explicit steps short."""
    if not motion.stiff:
        return ()
    if method == "auto":
        from reactio.integrate.methods.auto import method_choice

        now = method_choice(motion.checkpoint)
        outcome = "took over" if now.implicit else "was tried and cost more than dop853, which went on"
        return (f"The motion is stiff: the implicit method radau5 {outcome}.",)
    return (f"The motion is stiff: stability, not accuracy, kept the steps of {method} short. Use the method radau5.",)


def _trajectory(
    done: RunWithEvents, options: IntegrationOptions, until: float, wall: float, notes: tuple[str, ...], depends: bool
) -> Trajectory:
    """The run of a motion with events, its energy error not yet known."""
    motion = done.motion
    return Trajectory.of_motion(
        motion,
        options,
        until,
        wall_s=wall,
        notes=notes + _stiffness_note(motion, options.method) + _ending_notes(done, options),
        events=done.events,
        segments=done.segments,
        depends_on_rule=depends,
    )


def _ending_notes(done: RunWithEvents, options: IntegrationOptions) -> tuple[str, ...]:
    """Notes on why the run ended early, or drifted off its constraints."""
    motion, c = done.motion, done.motion.checkpoint
    if motion.status is Status.DRIFTED:
        rows = np.append(motion.t, c.t), np.vstack([motion.q, c.q]), np.vstack([motion.v, c.v])
        return (worst_drift(motion.system, *rows, bounds_of(options, c.limit)),)
    if motion.status in (Status.RESTING, Status.EVENT):
        last = done.events[-1]
        if motion.status is Status.EVENT:
            return (f"Ended by the event '{last.name}' at t = {last.t:.6g} s.",)
        names = ", ".join(joints_loaded_by_stop(motion.system, last.name))
        unknown = (
            f"The force of the stop is not followed, so reactions of {names} are not known there." if names else ""
        )
        return (f"Came to rest on the stop '{last.name}' at t = {last.t:.6g} s. {unknown}".strip(),)
    return undefined_functions(motion) or reason_in_words(motion.system, motion.checkpoint, options, motion.status)


def checked(run: Trajectory) -> Trajectory:
    """The run itself, or an error that says where and why it ended early."""
    if run.status in (Status.DONE, Status.PAUSED, Status.EVENT, Status.RESTING):
        return run
    why = " ".join((run.status.value, *run.notes))
    raise ReactioError(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {why}")
