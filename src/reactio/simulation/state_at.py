"""States along a motion: at given times, or once around the cycle of a mechanism of one freedom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.events.event_functions import EventKind, event_functions
from reactio.integrate.contact_rows import refuse_unilateral_rows
from reactio.integrate.options import IntegrationOptions, check_time
from reactio.integrate.status import Status
from reactio.joint_reactions.at_singular import judge_state
from reactio.joint_reactions.at_state import constrained
from reactio.joint_reactions.in_run import RANK_SAMPLES, generic_rank, judge_in_run
from reactio.joint_reactions.judged_state import JudgedState, refuse_unconstrained
from reactio.kernels import foreseen
from reactio.kinematics.assemble import assemble, initial_assembly, initial_state
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System, require_system
from reactio.uniqueness import RankDecision

if TYPE_CHECKING:
    from reactio.integrate.checkpoint import Motion

STEP_TOLERANCE = 1e-10  # of the integration up to a time: well below the nine digits that are printed
# Once around a cycle: the steps at most, as a multiple of those asked for, since bodies move at different rates; the
# distance from the start, as part of a step, below which the cycle is closed; and the steps before which it is not.
MOST_CYCLE_STEPS, CLOSED_CYCLE, FEWEST_CYCLE_STEPS = 4, 0.75, 3
LEAST_TURN = 0.05  # [rad per characteristic length]: a body that turns less counts as moving without rotation
NO_PROJECTION = 1e-9  # part of a direction whose admissible part is rounding
EVALUATIONS_PER_STATE = 5  # to close a pose, to find its velocities, and for verdicts there and at nearby poses


def states_at(
    system: System, times: Iterable[float], state: State | None = None, rule: str | None = None
) -> Iterator[State]:
    """The state at each of the given times, which must not decrease; ``rule`` for friction that needs one."""
    now = initial_state(system) if state is None else state
    for t in times:
        if _is_ahead(now, t):
            now = _followed(system, now, float(t), rule).state
        yield now


def state_at(system: System, t: float, rule: str | None = None) -> State:
    """The state at time t [s]."""
    return next(iter(states_at(system, [t], rule=rule)))


def judge_at(system: System, t: float | None = None, rule: str | None = None) -> JudgedState:
    """Equations and verdicts, from which reactions follow, at the start of a model or at time t [s] of its motion.

    >>> import reactio
    >>> system = reactio.build(reactio.load("double-four-bar"))
    >>> judge_at(system).reactions(None)["A"].force.round(6).tolist()
    [0.0, 13.715]
    """
    with foreseen(system.m, EVALUATIONS_PER_STATE, system.space):
        start = initial_assembly(system)
        if t is None or not _is_ahead(start.state, t):
            eqs = equations(system, start.state)
            constrained(eqs)
            return replace(judge_state(eqs, rule), start=start)
    return replace(_followed(system, start.state, float(t), rule).judged, start=start)


@dataclass(frozen=True, eq=False)
class FollowedMotion:
    """A motion up to a time, its last state, and the equations and verdicts there."""

    motion: Motion
    options: IntegrationOptions

    @property
    def system(self) -> System:
        """The system in motion."""
        return self.motion.system

    @property
    def state(self) -> State:
        """The last state."""
        c = self.motion.checkpoint
        return State(c.t, c.q, c.v)

    @cached_property
    def generic_rank(self) -> RankDecision:
        """The rank of C away from singular poses: the largest of a few instants, with its clearest margin."""
        rows = zip(self.motion.t.tolist(), self.motion.q, self.motion.v, strict=True)
        return generic_rank(self, (State(*row) for row in rows))

    @property
    def judged(self) -> JudgedState:
        """Equations and verdicts at the last state, from which its reactions follow."""
        refuse_unconstrained(self.system)
        return judge_in_run(self, [self.state], [self.motion.checkpoint.vdot])[0]


def _is_ahead(now: State, t: float) -> bool:
    """Is a time after that of a state?  One before it is refused."""
    check_time(t)
    if not np.isfinite(t) or t < now.t:
        raise ReactioError(f"The motion starts at t = {now.t:g} s and cannot be asked for t = {t:g} s.")
    return t > now.t


def _followed(system: System, state: State, t: float, rule: str | None) -> FollowedMotion:
    """The motion from a state to a time, with impacts on end stops."""
    from reactio.events.event_loop import run_with_events
    from reactio.integrate.integrator import integrate
    from reactio.integrate.undefined_loads import undefined_functions

    refuse_unilateral_rows(system)
    stops = [watch for watch in event_functions(system) if watch.kind is EventKind.STOP]
    options = IntegrationOptions(STEP_TOLERANCE, rule=rule)
    rows = np.unique(np.linspace(state.t, t, RANK_SAMPLES))
    if stops:
        run = run_with_events(system, state, t, tuple(stops), options, output=rows).motion
    else:
        run = integrate(system, state, t, output=rows, **asdict(options))
    if run.status is not Status.DONE:
        why = " ".join((run.status.value, *undefined_functions(run)))
        raise ReactioError(f"The motion cannot be followed beyond t = {run.checkpoint.t:.6g} s. {why}")
    return FollowedMotion(run, options)


def cycle(system: System, steps: int = 180, state: State | None = None) -> Iterator[State]:
    """States once around the cycle of a mechanism of one freedom, or up to a dead point; their time counts the steps.

    The tangent at each pose is the admissible direction nearest to the last one, so that the motion stays on its branch
    through singular poses.

    >>> import reactio
    >>> system = reactio.build(reactio.load("four-bar-spatial"))
    >>> {reactio.equations(system, state).solvability.rank for state in cycle(system, steps=12)}
    {17}
    """
    require_system(system)
    return _around(system, steps, initial_state(system) if state is None else state)


def _around(system: System, steps: int, now: State) -> Iterator[State]:
    """The states of ``cycle`` from a given one on."""
    first, tangent = now, _tangent(system, now, now.v)
    yield State(0.0, now.q, np.zeros(system.n))
    step = _step_length(system, tangent, steps)
    for k in range(1, MOST_CYCLE_STEPS * steps):
        ahead = State(now.t, advance(system, now.q, step * tangent), np.zeros(system.n))
        try:
            now = assemble(system, ahead)
        except ReactioError:
            return
        tangent = _tangent(system, now, tangent)
        yield State(float(k), now.q, np.zeros(system.n))
        if k >= FEWEST_CYCLE_STEPS and _distance(system, now.q, first.q) < CLOSED_CYCLE * step:
            return


def _tangent(system: System, state: State, before: Floats) -> Floats:
    """The unit admissible velocity nearest to ``before``; any if that is zero and there is only one."""
    T = equations(system, state).solvability.T if system.m else np.eye(system.n)
    if T.shape[1] == 0:
        raise ReactioError(
            "The mechanism cannot move: its mobility is 0. A driven one moves in time, not around a cycle."
        )
    wanted = T @ (T.T @ before)
    size = float(np.linalg.norm(wanted))
    if size > NO_PROJECTION * max(1.0, float(np.linalg.norm(before))) and np.any(before):
        return wanted / size
    if T.shape[1] > 1:
        raise ReactioError(
            f"The mechanism has {T.shape[1]} freedoms; give it a velocity, or drive all but one, "
            "to say which way to go."
        )
    return np.asarray(T[:, 0])


def _step_length(system: System, tangent: Floats, steps: int) -> float:
    """The step length that turns the fastest body by 360°/steps, or moves it by 2/steps characteristic lengths."""
    angular = system.angular
    turn = float(np.abs(tangent[angular]).max(initial=0.0))
    move = float(np.abs(tangent[~angular]).max(initial=0.0)) / system.length
    return 2 * np.pi / steps / turn if turn > LEAST_TURN * move else 2 / steps / move


def _distance(system: System, q: Floats, other: Floats) -> float:
    """The distance of two poses, full turns not counted."""
    parts = [np.zeros(0)]
    for b, body in enumerate(system.model.bodies):
        own = slice(int(system.body_q[b]), int(system.body_q[b + 1]))
        parts.append(system.port(body).difference(q[own], other[own]))
    return float(np.linalg.norm(np.concatenate(parts)))
