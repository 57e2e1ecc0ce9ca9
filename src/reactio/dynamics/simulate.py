"""A model in time: motion, drift, energy, and the way to its reactions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from reactio.dynamics.assemble import Assembly, assembly, start
from reactio.dynamics.balance import balance
from reactio.dynamics.ending import ending
from reactio.dynamics.events.follow import Followed, follow
from reactio.dynamics.events.watch import watches
from reactio.dynamics.friction_check import needed_weights
from reactio.dynamics.methods import METHODS
from reactio.dynamics.motion import Checkpoint, Chunk, Motion, integrate
from reactio.dynamics.reactions_at import reactions
from reactio.dynamics.resting import borne_by
from reactio.dynamics.status import Status
from reactio.dynamics.trajectory import Trajectory
from reactio.dynamics.undefined import undefined
from reactio.dynamics.way import Way, check_time
from reactio.errors import ReactioError
from reactio.model.specs import Event, Model
from reactio.sharing import rule_of
from reactio.system.build import build
from reactio.system.equations import equations
from reactio.system.types import State, System

DEPENDS = "friction acts on reactions that are not unique, and the rule splits them."
MOST_OUTPUT = 10_000_000  # rows of output
RECHECKED = 100  # instants along a run at which a choice of rows to drop is looked at again
LOST = 1e3  # tolerances by which the energy may be off at the end of a motion in minimal coordinates
MOST_ROWS = 2000  # rows or intervals at which the energy is looked at; more would take longer than the run


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
    resume: Checkpoint | None = None,
    on_chunk: Callable[[Chunk], object] | None = None,
    chunk: int = 200,
    events: Iterable[Event] = (),
    method: str = "dop853",
) -> Trajectory:
    """The motion of a model until a time [s].

    ``tol`` bounds the error of a step; ``rule`` names the sharing rule for reactions that are not unique (they are
    masked without one), by which friction acts too where it depends on them; ``stabilise`` and ``alpha`` as in
    ``integrate``; ``output`` is a number of evenly spaced rows or their times, every step when left out;
    ``resume`` goes on from the checkpoint of an earlier run with the identical result.  ``on_chunk`` sees every piece
    of ``chunk`` steps; a true answer, or Ctrl-C, ends the run there.  ``events`` are looked for besides those of the
    model; functions of the user have to be given again to go on with.  ``method`` is dop853, radau5 for stiff motion,
    or auto, which changes from the one to the other when the motion turns out to be stiff.  A start on a branch with
    more admissible motions than real ones is followed in minimal coordinates of that branch, whatever the method.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1.0, output=3)
    >>> run.t.tolist(), run.status.name
    ([0.0, 0.5, 1.0], 'DONE')
    """
    given = tuple(events)
    system = _system(model, given)
    if rule is not None:
        rule_of(rule)  # an unknown rule is an error now, not after the run
    if system.model.share_points:
        from reactio.dynamics.shared_run import simulate_shared

        _plain_only(system, given, method, stabilise)
        begun_at = resume or state
        times = _times(output, begun_at.t if begun_at is not None else 0.0, until)
        return simulate_shared(system, until, tol=tol, state=begun_at, output=times, on_chunk=on_chunk, chunk=chunk)
    check_time(until)
    begin, notes = (resume, ()) if resume is not None else _start(system, state)
    times = _times(output, begin.t, until)
    method, held = _claimed(system, State(begin.t, begin.q, begin.v), method, rule)
    if rule is not None and system.m:
        reactions(equations(system, State(begin.t, begin.q, begin.v)), rule)  # a rule that does not apply says so now
    depends = needed_weights(equations(system, State(begin.t, begin.q, begin.v)), rule)
    way = Way(tol, method, depends.rule if depends else rule, stabilise, alpha)
    watched = watches(system, [event for event in given if not isinstance(event.when, str)])
    begun = time.perf_counter()
    if watched:
        done = follow(system, begin, until, watched, way, output=times, on_chunk=on_chunk, chunk=chunk)
    else:
        motion = integrate(system, begin, until, output=times, on_chunk=on_chunk, chunk=chunk, **asdict(way))
        done = Followed(motion, (), (motion.begun,))
    wall = time.perf_counter() - begun
    return _trajectory(done, way, until, wall, notes + held + _choices(way, depends is not None), depends is not None)


def _system(model: Model | System, events: tuple[Event, ...]) -> System:
    """The system with events given as texts in its model, so that it measures what they speak of."""
    known = model.model if isinstance(model, System) else model
    texts = tuple(event for event in events if isinstance(event.when, str) and event not in known.events)
    if texts:
        return build(replace(known, events=known.events + texts))
    return model if isinstance(model, System) else build(model)


def _times(output: npt.ArrayLike | int | None, begin: float, until: float) -> npt.ArrayLike | None:
    """The times of output; a number of rows has a beginning and an end, and fits into memory."""
    if not isinstance(output, int):
        return output
    if not 2 <= output <= MOST_OUTPUT:
        raise ReactioError(f"{output:,} rows of output: give a number from 2 to {MOST_OUTPUT:,}.")
    return np.linspace(begin, until, output)


def _claimed(system: System, state: State, method: str, rule: str | None) -> tuple[str, tuple[str, ...]]:
    """The method that a state needs, with what that means; else the one that was asked for."""
    for other in METHODS.values():
        note = other.claims(system, state) if other.claims else None
        if note and rule is not None:
            raise ReactioError(f"{note} The sharing rule '{rule}' cannot make them; leave it out.")
        if note:
            return other.name, (note,)
    return method, ()


def _recheck(run: Trajectory) -> tuple[str, ...]:
    """A note on where along the motion a rule with a choice of its own, such as rows to drop, does not apply."""
    if run.rule is None or ":" not in run.rule or not run.system.m:
        return ()
    wrong = []
    for k in np.unique(np.linspace(0, len(run.t) - 1, min(len(run.t), RECHECKED)).astype(int)):
        try:
            run.reactions_at(int(k))
        except ReactioError:
            wrong.append(float(run.t[k]))
    if not wrong:
        return ()
    when = f"t = {wrong[0]:.6g} s" if len(wrong) == 1 else f"t = {wrong[0]:.6g} … {wrong[-1]:.6g} s"
    return (f"The sharing rule '{run.rule}' does not apply at {when}: there are no reactions by it there.",)


def _plain_only(system: System, events: tuple[Event, ...], method: str, stabilise: str) -> None:
    """Refuse what the form with shared points has no reactions or no integrator for."""
    model = system.model
    wanted = {
        "end stops": bool(model.stops),
        "events": bool(model.events or events),
        "joint friction": bool(len(system.plan.friction.table)),
        f"the method '{method}'": method != "dop853",
        f"stabilisation by '{stabilise}'": stabilise != "projection",
    }
    asked = [name for name, there in wanted.items() if there]
    if asked:
        raise ReactioError(
            f"'{model.name}' shares points: a run in this form knows no {' and no '.join(asked)}. "
            "Simulate it with `--coordinates natural` or `absolute`."
        )


def _choices(way: Way, depends: bool) -> tuple[str, ...]:
    """What the choices of a run mean for its motion."""
    notes = []
    if depends:
        notes.append(f"The motion depends on the sharing rule '{way.rule}': {DEPENDS}")
    if way.rate:
        notes.append(f"Constraints are pulled back with alpha = {way.alpha:g} 1/s instead of projected: they drift.")
    return tuple(notes)


def _start(system: System, state: State | None) -> tuple[State, tuple[str, ...]]:
    """Where the run begins, and a note when its velocities had to be changed."""
    given = system.state() if state is None else state
    if state is None:
        start(system)  # refuses poses that do not close
    found = assembly(system, given)
    return found.state, changed_velocities(given, found)


def changed_velocities(given: State, found: Assembly) -> tuple[str, ...]:
    """A note where the velocities of a start had to be changed, with the constraint they violate most."""
    if found.velocity_change <= 1e-9 * max(1.0, float(np.abs(given.v).max(initial=0.0))) or found.violated is None:
        return ()
    name, size, unit = found.violated
    return (
        f"Initial velocities violate the constraints, most of all {name} by {size:.3g} {unit}; the nearest admissible "
        f"ones in kinetic energy were taken, up to {found.velocity_change:.3g} m/s away.",
    )


def start_notes(system: System) -> tuple[str, ...]:
    """What has to be said of the start of a model."""
    return changed_velocities(system.state(), assembly(system, system.state()))


def _stiffness(motion: Motion, method: str) -> tuple[str, ...]:
    """A note where stability, not accuracy, kept explicit steps short."""
    if not motion.stiff:
        return ()
    if method == "auto":
        from reactio.dynamics.methods.auto import choice

        now = choice(motion.checkpoint)
        what = "took over" if now.implicit else "was tried and cost more than dop853, which went on"
        return (f"The motion is stiff: the implicit method radau5 {what}.",)
    return (f"The motion is stiff: stability, not accuracy, kept the steps of {method} short. Use the method radau5.",)


def _trajectory(
    done: Followed, way: Way, until: float, wall: float, notes: tuple[str, ...], depends: bool
) -> Trajectory:
    motion = done.motion
    run = Trajectory(
        system=motion.system,
        t=motion.t,
        q=motion.q,
        v=motion.v,
        vdot=motion.vdot,
        lam=motion.lam,
        until=until,
        status=motion.status,
        position_drift=motion.position_drift,
        velocity_drift=motion.velocity_drift,
        energy_error=0.0,
        wall_s=wall,
        checkpoint=motion.checkpoint,
        notes=notes + _stiffness(motion, way.method) + _ending(done, way),
        events=done.events,
        segments=done.segments,
        depends_on_rule=depends,
        **asdict(way),
    )
    run = replace(run, energy_error=balance(run, MOST_ROWS).error)
    return replace(run, notes=run.notes + _recheck(run) + _lost(run))


def _lost(run: Trajectory) -> tuple[str, ...]:
    """A note where a motion along a held branch has lost the digits that its tolerance asks for."""
    if METHODS.get(run.method).claims is None or run.energy_error <= LOST * max(run.tol, 1e-9):
        return ()
    return (
        f"The energy is off by {run.energy_error:.1e}, far more than the tolerance {run.tol:g} asks for: beside poses "
        "where still more motions open digits are lost. Do not trust the motion; try another tolerance.",
    )


def _ending(done: Followed, way: Way) -> tuple[str, ...]:
    """What ended the run before its time."""
    motion = done.motion
    if motion.status in (Status.RESTING, Status.EVENT):
        last = done.events[-1]
        if motion.status is Status.EVENT:
            return (f"Ended by the event '{last.name}' at t = {last.t:.6g} s.",)
        names = ", ".join(borne_by(motion.system, last.name))
        said = f"The force of the stop is not followed, so reactions of {names} are not known there." if names else ""
        return (f"Came to rest on the stop '{last.name}' at t = {last.t:.6g} s. {said}".strip(),)
    return undefined(motion) or ending(motion.system, motion.checkpoint, way, motion.status)


def checked(run: Trajectory) -> Trajectory:
    """The run itself, or an error that says where and why it ended early."""
    if run.status in (Status.DONE, Status.PAUSED, Status.EVENT, Status.RESTING):
        return run
    why = " ".join((run.status.value, *run.notes))
    raise ReactioError(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {why}")


def joined(first: Trajectory, second: Trajectory) -> Trajectory:
    """Two runs, the second resumed from the first, as one."""
    keys = ("t", "q", "v", "vdot", "lam")
    parts: dict[str, Any] = {key: np.concatenate([getattr(first, key), getattr(second, key)]) for key in keys}
    return replace(
        second,
        **parts,
        position_drift=max(first.position_drift, second.position_drift),
        velocity_drift=max(first.velocity_drift, second.velocity_drift),
        energy_error=max(first.energy_error, second.energy_error),
        wall_s=first.wall_s + second.wall_s,
        notes=first.notes + second.notes,
        events=first.events + tuple(replace(e, row=e.row + len(first.t)) for e in second.events),
        segments=first.segments + second.segments[1:],
    )
