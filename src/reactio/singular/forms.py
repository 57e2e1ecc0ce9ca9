"""Second order: what the self-stresses of a pose forbid its admissible motions."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.singular.spaces import Spaces, weights
from reactio.system.equations import evaluate
from reactio.system.types import State, System


def bending(system: System, state: State, V: Floats) -> Floats:
    """Γ₂(V_i, V_j) (k, k, m): the bilinear part of Γ, from C v̇ = Γ(v) evaluated at sums of the motions V (n, k).

        Γ₂(u, w) = ½ [Γ(u + w) − Γ(u) − Γ(w) + Γ(0)]

    Γ is quadratic in v; what drives ask for cancels, so that they count as held.
    """
    k = V.shape[1]

    def Gamma(v: Floats) -> Floats:
        return evaluate(system, state.t, state.q, v).Gamma

    rest, single = Gamma(np.zeros(system.n)), [Gamma(v) for v in V.T]
    out = np.zeros((k, k, system.m))
    for i in range(k):
        for j in range(i + 1):
            out[i, j] = out[j, i] = 0.5 * (Gamma(V[:, i] + V[:, j]) - single[i] - single[j] + rest)
    return out


def forms(at: Spaces) -> Floats:
    """A (p, δ, δ), one symmetric form for each self-stress, in units of the characteristic length.

        A_k(x) = N_kᵀ Γ₂(V x, V x)

    A motion that begins with V x has accelerations, C v̇ = Γ(V x), only if A_k(x) = 0 for every k.
    """
    system = at.system
    rows, _ = weights(system)
    G = bending(system, at.state, at.velocities(at.V))
    return np.asarray(system.length * np.einsum("mk,ijm->kij", rows[:, None] * at.N, G))
