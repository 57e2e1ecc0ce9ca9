"""States once around the cycle of a mechanism of one freedom."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import assemble, initial_state
from reactio.linear.precision import SOLUTION
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System, require_system

# Once around a cycle: the steps at most, as a multiple of those asked for, since bodies move at different rates; the
# distance from the start, as part of a step, below which the cycle is closed; and the steps before which it is not.
MOST_CYCLE_STEPS, CLOSED_CYCLE, FEWEST_CYCLE_STEPS = 4, 0.75, 3
LEAST_TURN = 0.05  # [rad per characteristic length]: a body that turns less counts as moving without rotation


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
            "The mechanism cannot move: its mobility is 0. A driven mechanism moves in time, not around a cycle."
        )
    wanted = T @ (T.T @ before)
    size = float(np.linalg.norm(wanted))
    if size > SOLUTION * max(1.0, float(np.linalg.norm(before))) and np.any(before):
        return wanted / size
    if T.shape[1] > 1:
        raise ReactioError(
            f"The mechanism has {T.shape[1]} freedoms; give it a velocity, or drive all but one, to select the motion."
        )
    return np.asarray(T[:, 0])


def _step_length(system: System, tangent: Floats, steps: int) -> float:
    """The step length that turns the fastest body by 360°/steps, or moves it by 2/steps characteristic lengths."""
    angular = system.angular
    turn = float(np.abs(tangent[angular]).max(initial=0.0))
    move = float(np.abs(tangent[~angular]).max(initial=0.0)) / system.length
    return 2 * np.pi / steps / turn if turn > LEAST_TURN * move else 2 / steps / move


def _distance(system: System, q: Floats, p: Floats) -> float:
    """The distance of two poses, full turns not counted."""
    parts = [np.zeros(0)]
    for b, body in enumerate(system.model.bodies):
        part = slice(int(system.body_q[b]), int(system.body_q[b + 1]))
        parts.append(system.port(body).difference(q[part], p[part]))
    return float(np.linalg.norm(np.concatenate(parts)))
