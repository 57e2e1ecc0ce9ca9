"""Multipliers without any self-stress, in rows scaled to unit length."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, register
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, _argument: str) -> Floats:
    """λ̃ = D_r⁻¹λ with Ñᵀλ̃ = 0: any solution minus its part along the self-stresses Ñ of C̃ = D_r C."""
    return least_weighted(problem, problem.Dr**-2)


NULL_SPACE = register(
    Rule(
        name="null-space",
        doc="No part along any self-stress, all rows brought to unit length first. Scales and units of rows do not "
        "matter, but the axes inside a joint and the axes of the world do, because columns are scaled too.",
        W="W = D_r⁻², D_r the row scales that make C̃ = D_r C equilibrated",
        cite="Wojtyra & Frączek 2013, Eqs 21–26",
        share=_share,
        invariant=frozenset({"row scaling", "units", "order"}),
    )
)
