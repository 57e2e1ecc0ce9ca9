"""Reactions at one instant: components that the model determines, and others only by a rule that was asked for."""

from __future__ import annotations

from reactio.forward_dynamics.accelerate import Accelerations
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import JudgedState, judge, refuse_unconstrained
from reactio.kinematics.assemble import refuse_wide_gaps
from reactio.system.equations import Equations, require_equations
from reactio.uniqueness import Solvability


def reactions(
    eqs: Equations,
    rule: str | None = None,
    *,
    answer: Solvability | None = None,
    motion: Accelerations | None = None,
) -> Reactions:
    """Accelerations, multipliers and all reactions at a state; what is not unique is split only by a named ``rule``.

    ``rule``: a name of ``reactio.sharing.RULES``, for example "inertia" or "elimination:B.y,W4".
    ``answer``: the verdicts on ``eqs.constraints`` where they are known.  ``motion``: accelerations that this instant
    alone does not determine, as in a singular pose during a motion.

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("table")))
    >>> reactions(eqs)["leg1"].force.tolist()
    [0.0, 0.0, nan]
    >>> reactions(eqs, "pseudoinverse")["leg1"].force.round(2).tolist()
    [0.0, 0.0, 95.68]
    """
    constrained(eqs)
    refuse_wide_gaps(eqs)
    if motion is None and answer is None:
        return judge(eqs, rule).reactions(rule)
    return JudgedState(eqs, eqs.solvability if answer is None else answer, motion).reactions(rule)


def constrained(eqs: Equations) -> None:
    """Refuse an argument that is not Equations, and equations of a system without constraints."""
    require_equations(eqs)
    refuse_unconstrained(eqs.system)
