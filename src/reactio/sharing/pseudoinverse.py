"""The Moore–Penrose solution: the smallest multipliers in the units of the rows."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, _argument: str) -> Floats:
    """λ = (Cᵀ)⁺ f."""
    return least_weighted(problem, np.ones(problem.matrix.shape[0]))


PSEUDOINVERSE = register(
    Rule(
        name="pseudoinverse",
        doc="Smallest sum of squared multipliers. It adds N² to (N m)²: with other units or scales of the rows "
        "the shares are others.",
        W="W = I in the units of the rows",
        cite="Udwadia & Kalaba 1996, Analytical dynamics; Callejo et al. 2017, Sect. 1",
        share=_share,
        weights=lambda problem, _: Weights(np.ones(problem.matrix.shape[0]), 0.0, "pseudoinverse"),
        invariant=frozenset({"axes", "order", "world"}),
    )
)
