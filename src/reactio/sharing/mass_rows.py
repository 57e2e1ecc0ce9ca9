"""Rows normalised by their inverse effective mass, c M⁻¹ cᵀ = 1: the smallest multipliers of those equations."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.problem import least_weighted


def inverse_effective_masses(problem: Problem) -> Floats:
    """c_i M⁻¹ c_iᵀ (m,): the acceleration along row i by a unit multiplier."""
    A = problem.C @ problem.inverse_mass_root
    return np.asarray((A * A).sum(axis=1)).reshape(-1)


def along_motion(problem: Problem, rule: str) -> Weights:
    """The same weights at every state of a motion."""
    assert problem.inverse_mass_root is not None  # refuses bodies without mass
    return Weights(np.ones(problem.matrix.shape[0]), 1.0, rule)


MASS_ROWS = register(
    Rule(
        name="mass-rows",
        doc="Smallest multipliers once every row has c M⁻¹ cᵀ = 1. Scales and units do not matter, but the "
        "directions of the axes inside a joint do.",
        W="W = diag(c_i M⁻¹ c_iᵀ)",
        cite="Callejo et al. 2017, Sect. 1, for normalised rows",
        share=lambda problem, _: least_weighted(problem, inverse_effective_masses(problem)),
        weights=lambda problem, _: along_motion(problem, "mass-rows"),
        invariant=frozenset({"row scaling", "units", "order", "world"}),
    )
)
