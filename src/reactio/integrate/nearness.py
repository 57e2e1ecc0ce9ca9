"""The distance of a pose from a singular configuration, measured by the constraint matrix itself.

Integration steps read their clearance off the pivots of A Aᵀ in a fixed order of elimination.  That is cheap, but some
rows may become dependent where C as a whole keeps its rank, because rows that were redundant before replace them.  The
reliable measure is the smallest singular value that does not vanish everywhere,

    σ_r(A),   A = R C L⁻ᵀ,   M = L Lᵀ,   rows of length one,   r = m − (rows that are redundant everywhere)
"""

from __future__ import annotations

import numpy as np

from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.projection.mass_projection import added_inertia_of
from reactio.system.equations import equations
from reactio.system.types import State, System

MOST_DENSE_ENTRIES = 1_000_000  # of C, for singular values to be computed; for larger matrices the pivots decide


def is_near(system: System, c: Checkpoint, bound: float) -> bool:
    """Is a checkpoint nearer to a singular configuration than a bound, by its clearance and by σ_r?"""
    return c.clearance < bound and distance(system, c, c.redundant) < bound


def distance(system: System, c: Checkpoint, redundant: int) -> float:
    """σ_r at a checkpoint, by the number of redundant rows; where C is too large for it, the clearance."""
    if system.m * system.n > MOST_DENSE_ENTRIES:
        return c.clearance
    return least_singular_value(system, State(c.t, c.q, c.v), system.m - redundant)


def least_singular_value(system: System, state: State, rank: int) -> float:
    """σ_r of the constraint matrix in the metric of the mass matrix, rows of length one; 0 where r is out of reach."""
    from scipy.linalg import solve_triangular

    eqs = equations(system, state)
    L = np.linalg.cholesky(eqs.M.toarray() + np.diag(added_inertia_of(system)))
    A = solve_triangular(L, eqs.C.toarray().T, lower=True).T
    A /= np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    sigma = np.linalg.svd(A, compute_uv=False)
    return float(sigma[rank - 1]) if 0 < rank <= len(sigma) else 0.0
