"""States along a motion, and verdicts there; at the start nothing is integrated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from reactio.errors import ReactioError
from reactio.joint_reactions.judge import JudgedState, judge, refuse_unconstrained
from reactio.kernels import expected_work
from reactio.kinematics.assemble import initial_assembly, initial_state
from reactio.system.equations import equations
from reactio.system.types import State, System, check_time


def states_at(
    system: System, times: Iterable[float], state: State | None = None, rule: str | None = None
) -> Iterator[State]:
    """The state at each of the given times, which must not decrease; ``rule`` for friction that needs one."""
    now = initial_state(system) if state is None else state
    for t in times:
        if _is_ahead(now, t):
            from reactio.simulation.followed import follow

            now = follow(system, now, float(t), rule).state
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
    with expected_work(system.m, 5, system.space):  # the pose, its velocities, verdicts there and at nearby poses
        start = initial_assembly(system)
        if t is None or not _is_ahead(start.state, t):
            eqs = equations(system, start.state)
            refuse_unconstrained(system)
            return replace(judge(eqs, rule), start=start)
    from reactio.simulation.followed import follow

    return replace(follow(system, start.state, float(t), rule).judged, start=start)


def _is_ahead(now: State, t: float) -> bool:
    """Is a time after that of a state?  One before it is refused."""
    check_time(t)
    if not np.isfinite(t) or t < now.t:
        raise ReactioError(f"The motion starts at t = {now.t:g} s and cannot be asked for t = {t:g} s.")
    return t > now.t
