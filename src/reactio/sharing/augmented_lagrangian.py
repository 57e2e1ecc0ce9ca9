"""The augmented Lagrangian iteration, continued until λ no longer changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.problem import least_weighted

PENALTY_PER_MASS = 1e8  # α over mass: a row of unit length leaves 1e-8 of the error to the next iterate
MOST_UPDATES = 200  # of λ; well-conditioned rows need three
# Part of λ below which its change is rounding; STAGNATION_FACTOR times that where it no longer falls.
SETTLED_CHANGE = 1e-14
STAGNATION_FACTOR = 1e4


def _share(problem: Problem, _argument: str) -> Floats:
    """λ_{i+1} = λ_i + α C e_{i+1},  (M + α CᵀC) e_{i+1} = f − Cᵀλ_i,  λ_0 = 0,  e = v̇_i − v̇.

    The iterates of v̇ are those of M v̇_{i+1} + Cᵀ(λ_i + α(C v̇_{i+1} − Γ)) = Q, written for their distance from the
    limit.  All λ_i lie in range(C), so the limit is the smallest λ; among those that only push where some rows must.
    """
    from scipy.sparse import csr_array

    if problem.M is None:
        raise ReactioError("The augmented Lagrangian iterates on the equations of motion: give the mass matrix M.")
    C, M = csr_array(problem.C), csr_array(problem.M)
    alpha = PENALTY_PER_MASS * float(M.diagonal().max()) / float((C * C).sum(axis=1).max()) or 1.0
    solve = _factor(M + alpha * (C.T @ C))
    lam: Floats = np.zeros(C.shape[0])
    before = np.inf
    for _ in range(MOST_UPDATES):
        change: Floats = alpha * (C @ solve(problem.f - C.T @ lam))
        lam = lam + change
        size, limit = float(np.abs(change).max()), SETTLED_CHANGE * float(np.abs(lam).max())
        if size <= limit or (size >= before and size <= STAGNATION_FACTOR * limit):
            pulls = (lam[list(problem.matrix.rows.unilateral)] < 0.0).any()
            return least_weighted(problem, np.ones_like(lam)) if pulls else lam
        before = size
    raise ReactioError(
        f"The augmented Lagrangian has not converged after {MOST_UPDATES} iterations (last change {size:.3g}, "
        f"multipliers up to {np.abs(lam).max():.3g}): some constraints are nearly dependent. "
        "Choose another sharing rule."
    )


def _factor(A: Any) -> Callable[[Floats], Floats]:
    """Solutions of A x = b for a symmetric sparse A, by its factors."""
    from scipy.sparse.linalg import splu

    # Unit diagonal: masses, inertias and stiffnesses differ by many powers of ten.
    size = 1.0 / np.sqrt(A.diagonal())
    scaled = (A * size[:, None] * size).tocsc()
    try:
        solver = splu(scaled, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    except RuntimeError as error:
        raise ReactioError("M + α CᵀC is singular: a body without mass moves freely, so no iterate exists.") from error
    return lambda b: np.asarray(size * solver.solve(size * b))


AUGMENTED_LAGRANGIAN = register(
    Rule(
        name="augmented-lagrangian",
        doc="Penalty iterations with one α for all rows, started from λ = 0 and converged: the answer of the "
        "pseudoinverse, with its dependence on units.",
        W="W = α⁻¹ = I, in the units of the rows",
        cite="Bayo & Ledesma 1996, Augmented Lagrangian and mass-orthogonal projection methods",
        share=_share,
        weights=lambda problem, _: Weights(np.ones(problem.matrix.shape[0]), 0.0, "augmented-lagrangian"),
        invariant=frozenset({"axes", "order", "world"}),
    )
)
