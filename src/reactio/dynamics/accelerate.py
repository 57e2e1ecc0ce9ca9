"""Accelerations of a constrained system, C of any rank."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.least_norm import least_norm
from reactio.system.equations import Equations


def accelerations(eqs: Equations) -> Floats:
    """v̇ of M v̇ + Cᵀλ = Q, C v̇ = Γ: unique whatever the rank of C, as long as M is positive definite.

    v̇ minimises (v̇ − a)ᵀ M (v̇ − a) with a = M⁻¹ Q among all that satisfy C v̇ = Γ (Gauss).  With M = L Lᵀ and
    x = Lᵀ v̇ that is the least-norm solution of (C L⁻ᵀ)(x − L⁻¹Q) = Γ − C a.  Wojtyra & Frączek 2013, Eqs 11–13.
    """
    half = _inverse_root(eqs)
    free = half.T @ eqs.Q  # L⁻¹ Q
    A = (eqs.C @ half).tocsr()
    x = free + least_norm(A, eqs.Gamma - A @ free)
    x = x + least_norm(A, eqs.Gamma - A @ x)  # once more for the digits that rounding took
    return np.asarray(half @ x)


def _inverse_root(eqs: Equations):  # type: ignore[no-untyped-def]
    """L⁻ᵀ of the block diagonal M = L Lᵀ, in the pattern of M."""
    from scipy.sparse import csr_array

    system = eqs.system
    width = np.diff(system.body_v)
    data = np.zeros_like(eqs.work.M)
    at = np.concatenate([[0], np.cumsum(width**2)])
    for size in np.unique(width):
        bodies = np.flatnonzero(width == size)
        places = at[bodies][:, None] + np.arange(size**2)
        blocks = eqs.work.M[places].reshape(-1, size, size)
        try:
            root = np.linalg.cholesky(blocks)
        except np.linalg.LinAlgError:
            names = [
                system.model.bodies[b].name for b in bodies if np.linalg.eigvalsh(blocks[list(bodies).index(b)])[0] <= 0
            ]
            raise ReactioError(
                f"Motion needs mass: {', '.join(names[:5])} {'has' if len(names) == 1 else 'have'} none or no inertia."
            ) from None
        data[places] = np.linalg.inv(root).transpose(0, 2, 1).reshape(len(bodies), -1)
    indptr, indices = system.M_pattern
    return csr_array((data, indices, indptr), shape=(system.n, system.n))
