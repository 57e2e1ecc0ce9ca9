"""Can a model with friction in its joints be simulated at all?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, listed
from reactio.sharing import Weights, problem, weights
from reactio.system.elasticity.compliance import elasticity
from reactio.system.equations import Equations, equations
from reactio.system.plan import FRICTION_FIRST
from reactio.system.types import State, System
from reactio.uniqueness import Solvability, Verdict


class UndecidedFriction(ReactioError):
    """Friction that depends on reactions which the model does not determine."""


def _reason(answer: Solvability, name: str) -> str:
    """Why the friction of a joint is not determined, in words."""
    group = answer[name]
    known = f"{group.determined} of {group.rank} components of its reaction are unique"
    if group.verdict is Verdict.AMBIGUOUS:
        known = "whether its reaction is unique cannot be decided"
    others = group.shares_with
    with_whom = f", and it shares load with {listed(others, most=6)}" if others else ""
    return f"{known}{with_whom}: friction, and so the motion, depends on how they share."


def joints_with_friction(system: System) -> tuple[str, ...]:
    """The joint of every friction."""
    starts = {group.start: group.name for group in system.groups if group.frames is not None}
    return tuple(starts[int(row)] for row in system.plan.friction.table[:, FRICTION_FIRST])


def normal_maps(eqs: Equations) -> tuple[Floats, ...]:
    """P (components, rows of the joint) of every friction: |N| = |P λ_X|."""
    plan, maps = eqs.system.plan.friction, []
    for j, (_, start, stop, _, place) in enumerate(plan.table.tolist()):
        count = int(plan.start[j + 1] - plan.start[j])
        maps.append(eqs.work.P[place : place + count * (stop - start)].reshape(count, stop - start))
    return tuple(maps)


def undecided(eqs: Equations, answer: Solvability | None = None) -> tuple[tuple[str, str], ...]:
    """The joints with friction whose *normal* reaction is not unique at a state, each with the reason.

    Only the components that friction needs must be unique, P N = 0 for |N| = |P λ_X|: a partly unique joint may do.
    """
    names = joints_with_friction(eqs.system)
    if not names:
        return ()
    answer = eqs.solvability if answer is None else answer
    open_ones = dict.fromkeys(
        name
        for name, P in zip(names, normal_maps(eqs), strict=True)
        if not all(answer.uniqueness(answer.index[name], P))
    )
    return tuple((name, _reason(answer, name)) for name in open_ones)


def first_undecided(system: System, states: Sequence[State]) -> int | None:
    """The first of increasing states at which friction depends on reactions that are not unique, and does from there.

    It is sought only if friction does at the last state and at the middle one: one alone may be a singular pose.
    """
    if not len(system.plan.friction.table):
        return None
    last, low, high = len(states) - 1, -1, (len(states) - 1) // 2
    if not all(undecided(equations(system, states[k])) for k in {last, high}):
        return None
    while high - low > 1:
        k = (low + high) // 2
        low, high = (low, k) if undecided(equations(system, states[k])) else (k, high)
    return high


def refuse_undecided(eqs: Equations, answer: Solvability | None = None) -> None:
    """An error where friction depends on reactions that are not unique."""
    joints = undecided(eqs, answer)
    if joints:
        raise UndecidedFriction(
            f"The motion of '{eqs.system.model.name}' is not unique at t = {eqs.state.t:g} s, because friction acts on "
            "reactions that are not: "
            + " ".join(f"joint '{name}': {why}" for name, why in joints[:4])
            + " Name a sharing rule, which then decides the motion, make a body flexible or a joint less stiff, or "
            "keep friction to joints with unique reactions."
        )


def needed_weights(eqs: Equations, rule: str | None) -> Weights | None:
    """How the rule weighs the rows of a motion that depends on it; None where the motion is unique.

    Without a rule such a motion is refused.
    """
    if not len(eqs.system.plan.friction.table):
        return None
    answer = eqs.solvability
    if rule is None:
        refuse_undecided(eqs, answer)
        return None
    if not undecided(eqs, answer):
        return None
    return weights(problem(eqs.constraints, np.zeros(eqs.system.n), eqs.M, answer, None, lambda: elasticity(eqs)), rule)
