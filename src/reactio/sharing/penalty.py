"""Every constraint a spring of the same frequency, infinitely stiff."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, _argument: str) -> Floats:
    """λ = α (C v̇ − Γ) as α → ∞ with α_i ∝ 1/(c_i M⁻¹ c_iᵀ): the limit minimises λᵀα⁻¹λ.

    The limit is taken in closed form, so that Cᵀλ = f holds to rounding.
    """
    A = problem.C @ problem.half
    return least_weighted(problem, np.asarray((A * A).sum(axis=1)).reshape(-1))


def _weights(problem: Problem, _argument: str) -> Weights:
    assert problem.half is not None  # refuses bodies without mass
    return Weights(np.ones(problem.matrix.shape[0]), 1.0, "penalty")


PENALTY = register(
    Rule(
        name="penalty",
        doc="Rows as springs of stiffness α, each with the same frequency on the mass it sees, in the limit of rigid "
        "ones. Scales and units do not matter, the directions of the axes inside a joint do.",
        W="W = α⁻¹, α_i = ω²/(c_i M⁻¹ c_iᵀ)",
        cite="González & Kövecses 2013, Use of penalty formulations",
        share=_share,
        weights=_weights,
    )
)
