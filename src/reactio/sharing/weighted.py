"""The weighted pseudoinverse: the smallest multipliers by weights that the user states."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.elimination import rows_named
from reactio.sharing.named_axes import in_named_axes
from reactio.sharing.problem import least_weighted


def _share(problem: Problem, argument: str) -> Floats:
    """λ = W⁻¹C (CᵀW⁻¹C)⁺ f: min Σ w_i λ_i² subject to Cᵀλ = f, with w_i = 1 for rows that are not named."""
    turned, T = in_named_axes(problem, argument)
    lam = least_weighted(turned, _weights(turned, argument))
    return lam if T is None else np.asarray(T.T @ lam)


def _weights(problem: Problem, argument: str) -> Floats:
    """(m,) the weights of the rows; later statements replace earlier ones."""
    w = np.ones(problem.matrix.shape[0])
    for name, weight in _stated(argument):
        w[rows_named(problem, name)] = weight
    return w


def _stated(argument: str) -> Iterator[tuple[str, float]]:
    """Names with their weights from ``B=2,C.y=0.5``."""
    for part in (text.strip() for text in argument.split(",") if text.strip()):
        name, equals, text = part.partition("=")
        try:
            weight = float(text)
        except ValueError:
            weight = math.nan
        if not equals or not (math.isfinite(weight) and weight > 0.0):
            raise ReactioError(
                f"The rule weighted: '{part}' is not a positive weight; write NAME=NUMBER, as in B=2. To give a row "
                f"no load, drop it by the rule elimination."
            )
        yield name.strip(), weight


def _along_motion(problem: Problem, argument: str) -> Weights:
    if in_named_axes(problem, argument)[1] is not None:
        raise ReactioError(
            "The motion depends on the weights of rows, and these turn with the joints: their names mean the axes of "
            "the joints. Leave out --axes world, or write `rows: world` in the model."
        )
    return Weights(1.0 / np.sqrt(_weights(problem, argument)), 0.0, f"weighted:{argument}" if argument else "weighted")


WEIGHTED = register(
    Rule(
        name="weighted",
        doc="Smallest weighted sum of squared multipliers: weighted:B=2,C.y=0.5. A name is a joint, one of its rows or "
        "components, or all `forces` or `moments`; weights of rows that are not named are 1. Compliances as weights, "
        "in m/N and rad/(N m), give the split of elastic joints.",
        W="W = diag(w), w stated by the user",
        cite="García de Jalón & Gutiérrez-López 2012, Multibody dynamics with redundant constraints and singular mass "
        "matrix; Callejo et al. 2017, Sect. 1",
        share=_share,
        weights=_along_motion,
        needs_argument=True,
        argument="weights of joints, rows or components: B=2,C.y=0.5,moments=100",
        invariant=frozenset({"order"}),
    )
)
