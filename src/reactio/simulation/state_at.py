"""Following a motion from instant to instant: in time, or once around a mechanism of one freedom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.contact_rows import refuse_pushing
from reactio.integrate.options import IntegrationOptions, check_time
from reactio.integrate.status import Status
from reactio.joint_reactions.at_singular import judge_state
from reactio.joint_reactions.at_state import constrained
from reactio.joint_reactions.in_run import RANK_SAMPLES, JudgedState, generic_rank, judge_in_run
from reactio.kernels import foreseen
from reactio.kinematics.assemble import assemble, initial_state
from reactio.system.evaluate.equations import advance, equations
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision

if TYPE_CHECKING:
    from reactio.integrate.checkpoint import Motion

TOLERANCE = 1e-10  # of a step of the integration
EVALUATIONS = 5  # that close a pose, find its velocities and judge it and its surroundings


def states_at(
    system: System, times: Iterable[float], state: State | None = None, rule: str | None = None
) -> Iterator[State]:
    """The state at each of the given times, which must not decrease; ``rule`` for friction that needs one."""
    now = initial_state(system) if state is None else state
    for t in times:
        if _is_ahead(now, t):
            now = _arrived(system, now, float(t), rule).state
        yield now


def state_at(system: System, t: float, rule: str | None = None) -> State:
    """The state at time t [s]."""
    return next(iter(states_at(system, [t], rule=rule)))


def judge_at(system: System, t: float | None = None, rule: str | None = None) -> JudgedState:
    """What reactions rest on at the start of a model, or where its motion leads at time t [s].

    >>> import reactio
    >>> system = reactio.build(reactio.load("double-four-bar"))
    >>> judge_at(system).reactions(None)["A"].force.round(6).tolist()
    [0.0, 13.715]
    """
    with foreseen(system.m, EVALUATIONS, system.space):
        now = initial_state(system)
        if t is None or not _is_ahead(now, t):
            eqs = equations(system, now)
            constrained(eqs)
            return judge_state(eqs, rule)
    return _arrived(system, now, float(t), rule).judged


@dataclass(frozen=True, eq=False)
class Arrival:
    """Where a motion leads, with what reactions there rest on."""

    motion: Motion
    options: IntegrationOptions

    @property
    def system(self) -> System:
        """Whose motion it is."""
        return self.motion.system

    @property
    def state(self) -> State:
        """Where it leads."""
        c = self.motion.checkpoint
        return State(c.t, c.q, c.v)

    @cached_property
    def usual(self) -> RankDecision:
        """The rank of C away from singular poses: the largest of a few instants, with its clearest margin."""
        rows = zip(self.motion.t.tolist(), self.motion.q, self.motion.v, strict=True)
        return generic_rank(self, (State(*row) for row in rows))

    @property
    def judged(self) -> JudgedState:
        """What reactions there rest on."""
        constrained(equations(self.system, self.state))
        return judge_in_run(self, self.state, self.motion.checkpoint.vdot)


def _is_ahead(now: State, t: float) -> bool:
    """Is there a motion to be followed?"""
    check_time(t)
    if not np.isfinite(t) or t < now.t:
        raise ReactioError(f"The motion starts at t = {now.t:g} s and cannot be asked for t = {t:g} s.")
    return t > now.t


def _arrived(system: System, state: State, t: float, rule: str | None) -> Arrival:
    from reactio.events.event_loop import run_with_events
    from reactio.events.watch import event_functions
    from reactio.integrate.integrator import integrate
    from reactio.integrate.undefined_loads import undefined_functions

    refuse_pushing(system)
    stops, options = (
        [watch for watch in event_functions(system) if watch.kind == "stop"],
        IntegrationOptions(TOLERANCE, rule=rule),
    )
    rows = np.unique(np.linspace(state.t, t, RANK_SAMPLES))
    if stops:
        run = run_with_events(system, state, t, tuple(stops), options, output=rows).motion
    else:
        run = integrate(system, state, t, output=rows, **asdict(options))
    if run.status is not Status.DONE:
        why = " ".join((run.status.value, *undefined_functions(run)))
        raise ReactioError(f"The motion cannot be followed beyond t = {run.checkpoint.t:.6g} s. {why}")
    return Arrival(run, options)


def cycle(system: System, steps: int = 180, state: State | None = None) -> Iterator[State]:
    """States once around a mechanism of one freedom, or until it comes to a dead end; time counts the steps.

    The tangent is carried on by choosing the admissible direction nearest to the last one, so that passages through
    singular poses stay on their branch.
    """
    now = initial_state(system) if state is None else state
    first, tangent = now, _tangent(system, now, now.v)
    yield State(0.0, now.q, np.zeros(system.n))
    reach = _stride(system, tangent, steps)
    for k in range(1, 4 * steps):
        ahead = State(now.t, advance(system, now.q, reach * tangent), np.zeros(system.n))
        try:
            now = assemble(system, ahead)
        except ReactioError:
            return
        tangent = _tangent(system, now, tangent)
        yield State(float(k), now.q, np.zeros(system.n))
        if k > 2 and _distance(system, now.q, first.q) < 0.75 * reach:
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
    if size > 1e-9 * max(1.0, float(np.linalg.norm(before))) and np.any(before):
        return wanted / size
    if T.shape[1] > 1:
        raise ReactioError(
            f"The mechanism has {T.shape[1]} freedoms; give it a velocity, or drive all but one, "
            "to say which way to go."
        )
    return np.asarray(T[:, 0])


def _stride(system: System, tangent: Floats, steps: int) -> float:
    """A step that turns the quickest body by 360°/steps, or moves it by the characteristic length/steps."""
    angular = system.angular
    turn = float(np.abs(tangent[angular]).max(initial=0.0))
    move = float(np.abs(tangent[~angular]).max(initial=0.0)) / system.length
    return 2 * np.pi / steps / turn if turn > 0.05 * move else 2 / steps / move


def _distance(system: System, q: Floats, other: Floats) -> float:
    """How far two poses are apart, full turns aside."""
    parts = [np.zeros(0)]
    for b, body in enumerate(system.model.bodies):
        own = slice(int(system.body_q[b]), int(system.body_q[b + 1]))
        parts.append(system.port(body).apart(q[own], other[own]))
    return float(np.linalg.norm(np.concatenate(parts)))
