"""Reactions at one instant: components that the model determines, and others only by a rule that was asked for."""

from __future__ import annotations

from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.joint_reactions.closing import giving_way
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import JudgedState, judge, refuse_unconstrained
from reactio.kinematics.assemble import initial_state, refuse_wide_gaps
from reactio.kinematics.source import system_and_state
from reactio.model.model import Model
from reactio.sharing import by_compliance
from reactio.system.equations import Equations, equations, require_equations
from reactio.system.types import State, System
from reactio.uniqueness import Solvability


def reactions(
    source: Model | System | Equations,
    rule: str | None = None,
    *,
    state: State | None = None,
    answer: Solvability | None = None,
    motion: Accelerations | None = None,
) -> Reactions:
    """Accelerations, multipliers and all reactions at a state; only a named ``rule`` gives undetermined ones a value.

    ``source``: a model or system, at its start or at ``state``, or the equations at a state.

    ``rule``: a name of ``reactio.sharing.RULES``, for example "inertia" or "elimination:B.y,W4".
    ``answer``: the verdicts on ``eqs.constraints`` where they are known.  ``motion``: accelerations that this instant
    alone does not determine, as in a singular pose during a motion.

    >>> import reactio
    >>> reactions(reactio.load("table"))["leg1"].force.tolist()
    [0.0, 0.0, nan]
    >>> reactions(reactio.load("table"), "pseudoinverse")["leg1"].force.round(2).tolist()
    [0.0, 0.0, 95.68]
    """
    eqs = equations_of(source, rule, state)
    constrained(eqs)
    refuse_wide_gaps(eqs)
    refuse_unknown_masses(eqs.system.model)
    if motion is None and answer is None:
        return judge(eqs, rule).reactions(rule)
    return JudgedState(eqs, eqs.solvability if answer is None else answer, motion).reactions(rule)


def equations_of(source: Model | System | Equations, rule: str | None = None, state: State | None = None) -> Equations:
    """The equations of a model or system at its start or at a state; bodies do not vibrate by a rule of stiffness."""
    if isinstance(source, Equations) and state is None:
        return source
    if not isinstance(source, Model | System | State):
        require_equations(source)
    system, at = system_and_state(giving_way(source, rule, state), state, vibration=not by_compliance(rule))
    return equations(system, initial_state(system) if at is None else at)


def constrained(eqs: Equations) -> None:
    """Refuse an argument that is not Equations, and equations of a system without constraints."""
    require_equations(eqs)
    refuse_unconstrained(eqs.system)


def refuse_unknown_masses(model: Model) -> None:
    """Refuse reactions of an imported geometry without loads: they would all be 0, because masses were not read."""
    if note := model.unknown_masses:
        raise ReactioError(
            f"{model.name}: {note.why}. `check` gives the verdicts; --mend-inertia mends impossible masses, and "
            "`reactio import --mass-from-mesh DENSITY` takes those of meshes."
        )
