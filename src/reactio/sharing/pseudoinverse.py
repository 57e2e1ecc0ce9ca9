"""The Moore–Penrose solution: the smallest multipliers in the units of the rows."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.length_units import row_sizes
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, argument: str) -> Floats:
    """λ = (Cᵀ)⁺ f, with equations and velocities in metres, or in the unit of length that is named."""
    return least_weighted(problem, _weights(problem, argument))


def _weights(problem: Problem, argument: str) -> Floats:
    """(m,) 1/r², r the sizes of the rows in the unit of length compared with metres."""
    if not argument:
        return np.ones(problem.matrix.shape[0])
    r = row_sizes(problem, argument)
    return np.asarray((r.min() / r) ** 2)


def along_motion(problem: Problem, argument: str, name: str) -> Weights:
    """The same weights during a whole motion."""
    return Weights(_weights(problem, argument) ** -0.5, 0.0, f"{name}:{argument}" if argument else name)


PSEUDOINVERSE = register(
    Rule(
        name="pseudoinverse",
        doc="Smallest sum of squared multipliers. It adds N² to (N m)²: other units or scales of the rows give "
        "other shares. `pseudoinverse:mm` gives the numbers of a program that works in millimetres.",
        W="W = I in the units of the rows",
        cite="Udwadia & Kalaba 1996, Analytical dynamics; Callejo et al. 2017, Sect. 1",
        share=_share,
        weights=lambda problem, argument: along_motion(problem, argument, "pseudoinverse"),
        argument="the unit of length in which equations and velocities are written: m (default), mm, cm, in",
        takes_unit=True,
        invariant=frozenset({"axes", "order", "world"}),
    )
)
