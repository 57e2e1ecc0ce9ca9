"""Bounds at one instant: of a model, of a system, or of the equations at a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.at_state import refuse_unknown_masses
from reactio.joint_reactions.judge import judge
from reactio.kinematics.source import system_and_state
from reactio.model.contacts import acts_one_way
from reactio.model.model import Model
from reactio.reaction_bounds.intervals import ReactionBounds, bounded
from reactio.reaction_bounds.limits import ranges
from reactio.simulation.state_at import judge_at
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System


def bounds(
    source: Model | System | Equations,
    at: float | None = None,
    capacity: Mapping[str, Mapping[str, float]] | None = None,
    known: Mapping[str, tuple[float, float]] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
    *,
    state: State | None = None,
) -> ReactionBounds:
    """The range of every reaction component over all load distributions: Cᵀλ = f = Q − M v̇, λ ≥ 0 on rows that can only
    push, and loads of joints within the capacities of the model and ``capacity``, {"A": {"force": 5e3, "moment": 200}}.

    ``at``: follow the motion to this time [s] first, or give a ``state``.  ``known``: known ranges of components, such
    as a preload, {"bolt1.Fz": (5e3, 8e3)} [N, N m].  Contacts with friction stick, with their force in the cone
    |F_t| ≤ μ F_n.  ``on_progress`` receives the number of joints and contacts done, and their total.

    >>> import reactio
    >>> found = reactio.bounds(reactio.load("pendulum-twice"))
    >>> found["rod1"]["N"].low, found["rod1"]["N"].unique
    (-inf, False)
    """
    if isinstance(source, Model) and acts_one_way(source) and at is not None:
        from reactio.reaction_bounds.with_contacts import bounds_with_contacts  # the simulation is needed here alone

        return next(iter(bounds_with_contacts(source, [at], capacity, known)))
    system, state = system_and_state(source, state)
    if at is not None and state is not None:
        raise ReactioError("A state, and equations, are those of one instant: leave out `at`, or give the model.")
    eqs = source if isinstance(source, Equations) else None if state is None else equations(system, state)
    judged = judge_at(system, at) if eqs is None else judge(eqs)
    refuse_unknown_masses(judged.eqs.system.model)
    given = ranges(judged.eqs, known or {})
    return bounded(judged.eqs, judged.answer, judged.motion or accelerations(judged.eqs), capacity, given, on_progress)
