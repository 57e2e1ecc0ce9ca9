"""Constraints as springs that all have the same natural frequency, in the limit of infinite stiffness."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, register
from reactio.sharing.mass_rows import MASS_ROWS, along_motion, inverse_effective_masses
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, _argument: str) -> Floats:
    """λ = α (C v̇ − Γ) as α → ∞ with α_i ∝ 1/(c_i M⁻¹ c_iᵀ): the limit minimises λᵀα⁻¹λ.

    The limit is computed in closed form, so that Cᵀλ = f holds to rounding.
    """
    return least_weighted(problem, inverse_effective_masses(problem))


PENALTY = register(
    Rule(
        name="penalty",
        doc="Rows as springs of stiffness α, each with the same frequency on the mass it moves, in the limit of rigid "
        "springs: the same numbers as mass-rows. Scales and units do not matter, but the directions of the axes inside "
        "a joint do.",
        W="W = α⁻¹, α_i = ω²/(c_i M⁻¹ c_iᵀ)",
        cite="González & Kövecses 2013, Use of penalty formulations",
        share=_share,
        weights=lambda problem, _: along_motion(problem, "penalty"),
        invariant=MASS_ROWS.invariant,
    )
)
