"""Rows of unit Euclidean length: the smallest multipliers of the normalised equations."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, register
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, _argument: str) -> Floats:
    """min Σ (|c_i| λ_i)²: the multipliers of c_i/|c_i|, with |c_i| over columns in metres and radians."""
    C = problem.C
    return least_weighted(problem, np.asarray((C * C).sum(axis=1)).reshape(-1))


UNIT_ROWS = register(
    Rule(
        name="unit-rows",
        doc="Smallest multipliers once every row of C has Euclidean length 1. Scales of the rows no longer matter; the "
        "length of a row adds m² to rad², so units do.",
        W="W = diag(|c_i|²)",
        cite="Callejo et al. 2017, Sect. 1, for normalised rows",
        share=_share,
        invariant=frozenset({"row scaling", "order", "world"}),
    )
)
