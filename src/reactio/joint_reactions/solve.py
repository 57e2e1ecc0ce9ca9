"""The reactions of a judged state: multipliers that balance its loads, split by a rule where they are not unique."""

from __future__ import annotations

import numpy as np

from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.forward_dynamics.contact import refuse_slip
from reactio.forward_dynamics.multipliers import splitter
from reactio.joint_reactions.data import Reactions
from reactio.system.equations import Equations
from reactio.uniqueness import Solvability, Verdict


def solve_reactions(eqs: Equations, answer: Solvability, motion: Accelerations | None, rule: str | None) -> Reactions:
    """Cᵀλ = Q − M v̇ solved for λ, NaN where the masses are not known.

    ``motion`` where this instant alone does not determine v̇.
    """
    motion = motion or accelerations(eqs, rule=rule)
    lam, undecided = splitter(eqs, motion, answer)(rule)
    if answer.unilateral:
        unique = [answer[group.name].verdict is Verdict.UNIQUE for group in eqs.system.reacting]
        refuse_slip(eqs, lam, np.array(unique, dtype=bool) | (rule is not None), rule)
    if eqs.system.model.unknown_masses:
        lam = np.full_like(lam, np.nan)
    return Reactions(eqs, motion, answer, rule, lam, undecided)
