"""Simulation of a model: motion, drift of the constraints, energy, and reactions on demand."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from numbers import Integral

import numpy as np
import numpy.typing as npt

from reactio.errors import ReactioError
from reactio.events.event_loop import RunWithEvents, run_with_events
from reactio.events.resting import joints_loaded_by_stop
from reactio.events.watch import event_functions
from reactio.forward_dynamics.friction_check import needed_weights
from reactio.functions.harmonic import Harmonic
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion
from reactio.integrate.contact_rows import refuse_pushing
from reactio.integrate.drift_bounds import drift_bounds, worst_drift
from reactio.integrate.integrator import integrate
from reactio.integrate.methods import METHODS
from reactio.integrate.options import IntegrationOptions, check_chunk, check_time, checked_options
from reactio.integrate.status import Status
from reactio.integrate.termination import reason_in_words
from reactio.integrate.undefined_loads import undefined_functions
from reactio.joint_reactions.at_singular import refuse_locked
from reactio.joint_reactions.at_state import reactions
from reactio.kernels import running
from reactio.kinematics.assemble import assembly_record, initial_state
from reactio.kinematics.body_state import elastic_parts
from reactio.model.hints import unheld, unloaded
from reactio.model.specs import Event, Model
from reactio.sharing import by_compliance, rule_of
from reactio.simulation.announce import announcing
from reactio.simulation.run_checks import joined, with_energy_balance
from reactio.simulation.start import changed_velocities
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.constraints import refuse_shared_points
from reactio.system.evaluate.equations import equations
from reactio.system.evaluate.loads import owners
from reactio.system.geometry.accuracy import geometry
from reactio.system.types import State, System
from reactio.uniqueness import solvability

DEPENDS = "friction acts on reactions that are not unique, and the rule splits them."
MOST_OUTPUT = 10_000_000  # rows of output


def simulate(
    model: Model | System,
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
) -> Trajectory:
    """The motion of a model until a time [s].

    ``tol`` bounds the error of a step; ``rule`` names the sharing rule for reactions that are not unique (they are
    masked without one), by which friction acts too where it depends on them; ``stabilise`` and ``alpha`` as in
    ``integrate``; ``output`` is a number of evenly spaced rows or their times, every step when left out;
    ``resume`` goes on from the checkpoint of an earlier run with the identical result; given that run itself, both are
    returned as one, and ``output`` speaks of both.  ``on_chunk`` sees every piece of ``chunk`` steps; a true answer, or
    Ctrl-C, ends the run there; Ctrl-C behind its end leaves the energy error unknown (nan).  ``events`` are looked for
    besides those of the model; functions of the user have to be given again to go on with.  ``method`` is dop853,
    radau5 for stiff motion, auto, which changes from the one to the other when the motion turns out to be stiff, or
    moreau, which goes in time steps of ``step`` [s] through contacts with friction (without friction contacts are
    followed from event to event by the others); left out it is dop853, and radau5 where flexible bodies have modes that
    follow statically.  A start on a branch with more admissible motions than real ones is followed in minimal
    coordinates of that branch, whatever the method.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1.0, output=3)
    >>> run.t.tolist(), run.status.name
    ([0.0, 0.5, 1.0], 'DONE')
    """
    given = tuple(events)
    if rule is not None:
        rule_of(rule)  # an unknown rule is an error now, not after the run
    check_time(until)
    check_chunk(chunk)
    on_chunk = on_chunk or announcing(until) or _unwatched
    if method is not None and METHODS.get(method).in_steps:
        options = IntegrationOptions(tol, method, rule, stabilise, alpha)
        return _with_contacts(model, until, options, given, state, output, resume, on_chunk, chunk, step)
    options = checked_options(IntegrationOptions(tol, method or "dop853", rule, stabilise, alpha))
    if step is not None:
        named = " or ".join(one.name for one in METHODS.values() if one.in_steps)
        raise ReactioError(f"step = {step:g} s: only the method {named} goes in steps of a given size.")
    if isinstance(model, Model) and model.contacts:
        return _with_contacts(model, until, options, given, state, output, resume, on_chunk, chunk)
    system = _system(model, given, rule)
    if method is None and not options.rate:
        options = replace(options, method=usual_method(system))
    refuse_pushing(system)
    refuse_shared_points(system.model)
    begin, notes = _start(system, state) if resume is None else (_end(system, resume), ())
    times = _times(output, begin, until, resume)
    run = _moved(system, begin, until, options, given, times, notes, on_chunk, chunk)
    with running(run.checkpoint.compiled):
        return joined(resume, run) if isinstance(resume, Trajectory) else with_energy_balance(run)


def _unwatched(chunk: Chunk) -> None:
    """Nobody looks at the chunks of a run; its status says where Ctrl-C has ended it."""


def _with_contacts(
    model: Model | System,
    until: float,
    options: IntegrationOptions,
    events: tuple[Event, ...],
    state: State | None,
    output: npt.ArrayLike | int | None,
    resume: Checkpoint | Trajectory | None,
    on_chunk: Callable[[Chunk], object],
    chunk: int,
    step: float | None = None,
) -> Trajectory:
    """The run of a model whose contacts close and open, from event to event or in time steps."""
    from reactio.simulation.stepped import simulate_in_steps
    from reactio.simulation.with_contacts import simulate_contacts

    if isinstance(model, System):
        refuse_pushing(model)
        model = model.model
    if resume is not None:
        raise ReactioError("A run with contacts cannot be resumed: give its last state, `state=run.final`, instead.")
    texts = tuple(event for event in events if isinstance(event.when, str) and event not in model.events)
    functions = tuple(event for event in events if not isinstance(event.when, str))
    model = replace(model, events=model.events + texts) if texts else model
    begin = State(0.0 if state is None else state.t, np.zeros(0), np.zeros(0))
    times = _times(output, begin, until, None)
    rows = None if times is None else np.array(times, dtype=float).reshape(-1)
    if METHODS.get(options.method).in_steps:
        if events:
            raise ReactioError(f"The method {options.method} looks for no events; leave them out.")
        return simulate_in_steps(model, until, options, step, state=state, output=rows, on_chunk=on_chunk)
    return simulate_contacts(
        model, until, options, state=state, events=functions, output=rows, on_chunk=on_chunk, chunk=chunk
    )


def _moved(
    system: System,
    begin: State | Checkpoint,
    until: float,
    options: IntegrationOptions,
    given: tuple[Event, ...],
    times: npt.ArrayLike | None,
    notes: tuple[str, ...],
    on_chunk: Callable[[Chunk], object],
    chunk: int,
) -> Trajectory:
    """The run itself, its energy not yet balanced."""
    state, rule = State(begin.t, begin.q, begin.v), options.rule
    method, owing = _claimed(system, state, options.method, rule)
    if not isinstance(begin, Checkpoint) and not owing:
        refuse_locked(system, state, rule)
    if rule is not None and system.m:
        reactions(equations(system, state), rule)  # a rule that does not apply says so now
    depends = needed_weights(equations(system, state), rule)
    options = replace(options, method=method, rule=depends.rule if depends else rule)
    watched = event_functions(system, [event for event in given if not isinstance(event.when, str)])
    begun = time.perf_counter()
    if watched:
        done = run_with_events(system, begin, until, watched, options, output=times, on_chunk=on_chunk, chunk=chunk)
    else:
        motion = integrate(system, begin, until, output=times, on_chunk=on_chunk, chunk=chunk, **asdict(options))
        motion = motion if isinstance(begin, Checkpoint) else _begun(motion, method)
        done = RunWithEvents(motion, (), (motion.begun,))
    wall = time.perf_counter() - begun
    return _trajectory(
        done, options, until, wall, notes + owing + _choices(options, depends is not None), depends is not None
    )


def _begun(motion: Motion, method: str) -> Motion:
    """A motion whose start has the accelerations of its method, where these are not those of one instant."""
    accelerates, begun = METHODS.get(method).accelerates, motion.begun
    if accelerates is None:
        return motion
    vdot, first = accelerates(motion.system, State(begun.t, begun.q, begun.v)), motion.t == begun.t
    begun = replace(begun, vdot=vdot)
    end = begun if motion.checkpoint.t == begun.t else motion.checkpoint
    return replace(motion, vdot=np.where(first[:, None], vdot, motion.vdot), begun=begun, checkpoint=end)


def _end(system: System, run: Trajectory | Checkpoint) -> Checkpoint:
    """Where a run goes on; one that is given whole must be of the same model."""
    if isinstance(run, Checkpoint):
        return run
    if run.system.model != system.model:
        raise ReactioError(
            f"The run to be resumed is of the model '{run.system.model.name}' with other numbers, events or "
            f"coordinates than '{system.model.name}'. Give the model it was made with."
        )
    return run.checkpoint


def _system(model: Model | System, events: tuple[Event, ...], rule: str | None) -> System:
    """The system with events given as texts in its model, so that it measures the coordinates that they name.

    A model that is split by compliance moves as rigid bodies; a system is taken as it was built.
    """
    known = model.model if isinstance(model, System) else model
    texts = tuple(event for event in events if isinstance(event.when, str) and event not in known.events)
    modes = isinstance(model, System) or not by_compliance(rule)
    if texts:
        return build(replace(known, events=known.events + texts), modes=modes)
    return model if isinstance(model, System) else build(model, modes=modes)


def _times(
    output: npt.ArrayLike | int | None, begin: State | Checkpoint, until: float, before: Trajectory | Checkpoint | None
) -> npt.ArrayLike | None:
    """The times of output, of a run that is resumed whole those still due; a number of rows fits into memory."""
    if isinstance(output, bool | np.bool_):
        raise ReactioError(f"output = {output}: give a number of rows, or their times; every step when left out.")
    whole = isinstance(before, Trajectory)
    if isinstance(output, Integral):
        if not 2 <= output <= MOST_OUTPUT:
            raise ReactioError(f"{output:,} rows of output: give a number from 2 to {MOST_OUTPUT:,}.")
        first = before.segments[0].t if isinstance(before, Trajectory) and before.segments else begin.t
        output = np.linspace(first, until, int(output))
    if output is None:
        return None
    try:
        times = np.array(output, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        raise ReactioError(f"output = {output!r}: give a number of rows, or a list of times [s].") from None
    return times[~(times <= begin.t)] if whole else times


def _claimed(system: System, state: State, method: str, rule: str | None) -> tuple[str, tuple[str, ...]]:
    """The method that a state needs, with what that means; else the one that was asked for."""
    for other in METHODS.values():
        note = other.claims(system, state) if other.claims else None
        if note and rule is not None:
            raise ReactioError(f"{note} The sharing rule '{rule}' cannot make them; leave it out.")
        if note:
            return other.name, (note,)
    return method, ()


def _choices(options: IntegrationOptions, depends: bool) -> tuple[str, ...]:
    """What the choices of a run mean for its motion."""
    notes = []
    if depends:
        notes.append(f"The motion depends on the sharing rule '{options.rule}': {DEPENDS}")
    if options.rate:
        notes.append(
            f"Constraints are pulled back with alpha = {options.alpha:g} 1/s instead of projected: they drift. "
            "Reactions are those in the nearest states that satisfy them, and are left out where there is none nearby."
        )
    return tuple(notes)


def _start(system: System, state: State | None) -> tuple[State, tuple[str, ...]]:
    """Where the run begins, and a note when its velocities had to be changed."""
    given = system.state() if state is None else state
    if state is None:
        initial_state(system)  # refuses poses that do not close
    found = assembly_record(system, given)
    notes = vibration_notes(system) + changed_velocities(given, found) + _last_digit(system, found.state)
    return found.state, notes + unloaded(system.model) + unheld(system.model)


def start_notes(system: System) -> tuple[str, ...]:
    """Notes on the state at which a model begins."""
    vibrating = vibration_notes(system)
    elastic = (elastic_parts(system, b, system.q0, system.v0)[0] for b in range(len(system.model.bodies)))
    if vibrating and not any(part.any() for part in elastic):
        vibrating += (
            "Flexible bodies are not bent yet: the loads of this instant have not reached the joints they bend for.",
        )
    hints = unloaded(system.model) + unheld(system.model)
    return changed_velocities(system.state(), assembly_record(system, system.state())) + vibrating + hints


# Times the frequency of a load up to which a mode answers more than statically: 1/(1 − 1/3²) is 12 % more.
RESONANT = 3.0


def usual_method(source: Model | System) -> str:
    """The method where none is asked for: implicit for modes that follow statically, whose frequencies are high."""
    bodies = source.bodies if isinstance(source, Model) else source.model.bodies
    modal = [body.flexible.modal for body in bodies if body.flexible is not None]
    return "radau5" if any(one is not None and one.vibrating < len(one.frequency) for one in modal) else "dop853"


def vibration_notes(system: System) -> tuple[str, ...]:
    """Which bodies vibrate, in which modes, and with what damping: no number of such a run is without it."""
    names: dict[str, list[str]] = {}
    for body in system.model.bodies:
        if body.flexible is not None and body.flexible.modal is not None:
            names.setdefault(body.flexible.modal.words, []).append(f"'{body.name}'")
    found = tuple(f"Flexible, in a floating frame: {', '.join(own)}: {words}." for words, own in names.items())
    return found + _cut_too_low(system)


def _cut_too_low(system: System) -> tuple[str, ...]:
    """A note where a harmonic drive or load is quicker than modes that follow it statically, without resonance."""
    harmonics = ((owner, one.frequency) for owner, one in owners(system.model) if isinstance(one, Harmonic))
    owner, hertz = max(harmonics, key=lambda pair: pair[1], default=("", 0.0))
    low = []
    for body in system.model.bodies:
        modes = body.flexible.modal if body.flexible is not None else None
        if modes is not None and modes.vibrating < len(modes.frequency):
            cut = float(modes.frequency[modes.vibrating :].min()) / math.tau
            if cut < RESONANT * hertz:
                low.append(f"'{body.name}' ({cut:.4g} Hz)")
    if not low:
        return ()
    return (
        f"{owner} swings with {hertz:g} Hz, which modes that only follow statically would feel: {', '.join(low)}. Let "
        f"more vibrate: `modes: {{up_to: {RESONANT * hertz:g}, …}}`.",
    )


def _last_digit(system: System, state: State) -> tuple[str, ...]:
    """A note where the accuracy of the geometry allows another mobility than that of the numbers a run follows."""
    if system.accuracy is None or not system.m:
        return ()
    eqs = equations(system, state)
    answer = solvability(eqs.constraints)
    found = geometry(eqs, answer)
    if found is None or found.as_written is None:
        return ()
    return (
        f"A run follows the numbers of the model to the last digit: {found.as_written}. The aligned geometry within "
        f"{found.accuracy}, {found.as_written.distance} away, has mobility {answer.mobility} and moves otherwise; "
        "align the joints to simulate it.",
    )


def _stiffness(motion: Motion, method: str) -> tuple[str, ...]:
    """A note where stability, not accuracy, kept explicit steps short."""
    if not motion.stiff:
        return ()
    if method == "auto":
        from reactio.integrate.methods.auto import method_choice

        now = method_choice(motion.checkpoint)
        what = "took over" if now.implicit else "was tried and cost more than dop853, which went on"
        return (f"The motion is stiff: the implicit method radau5 {what}.",)
    return (f"The motion is stiff: stability, not accuracy, kept the steps of {method} short. Use the method radau5.",)


def _trajectory(
    done: RunWithEvents, options: IntegrationOptions, until: float, wall: float, notes: tuple[str, ...], depends: bool
) -> Trajectory:
    motion = done.motion
    return Trajectory.of_motion(
        motion,
        options,
        until,
        wall_s=wall,
        notes=notes + _stiffness(motion, options.method) + _ending(done, options),
        events=done.events,
        segments=done.segments,
        depends_on_rule=depends,
    )


def _ending(done: RunWithEvents, options: IntegrationOptions) -> tuple[str, ...]:
    """What ended the run before its time, or off its constraints."""
    motion, c = done.motion, done.motion.checkpoint
    if motion.status is Status.DRIFTED:
        rows = np.append(motion.t, c.t), np.vstack([motion.q, c.q]), np.vstack([motion.v, c.v])
        return (worst_drift(motion.system, *rows, drift_bounds(options.tol, options.rate, c.limit)),)
    if motion.status in (Status.RESTING, Status.EVENT):
        last = done.events[-1]
        if motion.status is Status.EVENT:
            return (f"Ended by the event '{last.name}' at t = {last.t:.6g} s.",)
        names = ", ".join(joints_loaded_by_stop(motion.system, last.name))
        said = f"The force of the stop is not followed, so reactions of {names} are not known there." if names else ""
        return (f"Came to rest on the stop '{last.name}' at t = {last.t:.6g} s. {said}".strip(),)
    return undefined_functions(motion) or reason_in_words(motion.system, motion.checkpoint, options, motion.status)


def checked(run: Trajectory) -> Trajectory:
    """The run itself, or an error that says where and why it ended early."""
    if run.status in (Status.DONE, Status.PAUSED, Status.EVENT, Status.RESTING):
        return run
    why = " ".join((run.status.value, *run.notes))
    raise ReactioError(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {why}")
