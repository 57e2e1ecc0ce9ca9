"""The motion of a model up to a time, with impacts on end stops, and the verdicts at its end."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from reactio.errors import ReactioError
from reactio.events.event_functions import EventKind, event_functions
from reactio.events.event_loop import run_with_events
from reactio.integrate.checkpoint import Motion
from reactio.integrate.contact_rows import refuse_unilateral_rows
from reactio.integrate.integrator import integrate
from reactio.integrate.options import IntegrationOptions, RunRequest
from reactio.integrate.status import Status
from reactio.integrate.undefined_loads import undefined_functions
from reactio.joint_reactions.judge import JudgedState, refuse_unconstrained
from reactio.simulation.in_run import RANK_SAMPLES, generic_rank, judge_in_run
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision

STEP_TOLERANCE = 1e-10  # of the integration up to a time: well below the nine digits that are printed


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
        return generic_rank(self, self.motion.states)

    @property
    def judged(self) -> JudgedState:
        """Equations and verdicts at the last state, from which its reactions follow."""
        refuse_unconstrained(self.system)
        return judge_in_run(self, [self.state], [self.motion.checkpoint.vdot])[0]


def follow(system: System, state: State, t: float, rule: str | None) -> FollowedMotion:
    """The motion from a state to a time, with impacts on end stops."""
    refuse_unilateral_rows(system)
    stops = [watch for watch in event_functions(system) if watch.kind is EventKind.STOP]
    options = IntegrationOptions(STEP_TOLERANCE, rule=rule)
    rows = np.unique(np.linspace(state.t, t, RANK_SAMPLES))
    if stops:
        run = run_with_events(system, state, tuple(stops), RunRequest(t, options, rows)).motion
    else:
        run = integrate(system, state, t, output=rows, **asdict(options))
    if run.status is not Status.DONE:
        why = " ".join((run.status.value, *undefined_functions(run)))
        raise ReactioError(f"The motion cannot be followed beyond t = {run.checkpoint.t:.6g} s. {why}")
    return FollowedMotion(run, options)
