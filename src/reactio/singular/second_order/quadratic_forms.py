"""Second-order conditions: quadratic forms, one for each self-stress, that vanish along every finite motion."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.places import GROUND
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import SOLUTION
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import NullSpaces, at_rest
from reactio.system.equations import equations
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.topology import loops
from reactio.system.types import State, System


def bilinear_Gamma(system: System, state: State, V: Floats) -> Floats:
    """Γ₂(V_i, V_j) (k, k, m): the bilinear part of Γ, from C v̇ = Γ(v) evaluated at sums of the motions V (n, k).

        Γ₂(u, w) = ½ [Γ(u + w) − Γ(u) − Γ(w) + Γ(0)]

    Γ is quadratic in v; terms without v, those of drives, cancel, so that drives count as held.
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


def curvature(at: NullSpaces, X: Floats) -> Floats:
    """Γ₂ + κ ṡ² (k, k, m) [1/m] of directions X in metres: the right-hand side that accelerations must satisfy."""
    rows = at.system.length / at.system.row_scale
    G = rows * bilinear_Gamma(at.system, at.state, at.velocities(X))
    if at.path is None:
        return G
    return np.asarray(G + np.einsum("i,j,m->ijm", X[-1], X[-1], at.path.kappa))


def forms(at: NullSpaces) -> Floats:
    """A (p, δ, δ), one symmetric form for each self-stress, in units of the characteristic length.

        A_k(x) = N_kᵀ Γ₂(V x, V x)

    A motion that begins with V x has accelerations, C v̇ = Γ(V x), only if A_k(x) = 0 for every k.
    """
    return np.asarray(at.system.length * np.einsum("mk,ijm->kij", at.N, curvature(at, at.V)))


def local_forms(at: NullSpaces) -> Floats:
    """Forms that span the same space as ``forms``, those of single loops first, which concern few motions each.

    The self-stresses of a loop are those of its own rows, null(C_loopᵀ); forms that concern several loops come last.
    """
    A, G = forms(at), at.system.length * curvature(at, at.V)
    if A.shape[-1] < 3 or not len(A):
        return A
    C, _ = along_path(equations(at.system, at_rest(at.system, at.state)), at.path)
    of_loops = [np.zeros((0, *A.shape[1:]))]
    for rows in _loop_rows(at.system):
        U, s, _ = np.linalg.svd(C[rows])
        N = U[:, int((s > ZERO_PIVOT * s[0]).sum()) :]
        of_loops.append(independent(np.einsum("mk,ijm->kij", N, G[..., rows])))
    local = np.concatenate(of_loops)
    return np.concatenate([local, independent(_independent_of(A, local))])


def _loop_rows(system: System) -> list[Ints]:
    """The rows of each loop: those of all joints, drives and couplings between its own bodies and ground."""
    ends = {j.name: (j.a.body, j.b.body) for j in system.model.joints}
    rows = []
    for loop in loops(system.model):
        inside = {system.model.body_index[b] for name in loop for b in ends[name] if b != GROUND} | {-1}
        members = [np.arange(g.start, g.stop) for g in system.groups if inside.issuperset(g.bodies)]
        rows.append(np.concatenate(members))
    return rows


def independent(A: Floats) -> Floats:
    """A basis of the span of the forms A (p, δ, δ), scaled by their singular values."""
    if not A.size:
        return A[:0]
    _, s, Vt = np.linalg.svd(A.reshape(len(A), -1), full_matrices=False)
    count = int((s > SOLUTION).sum())
    return np.asarray((s[:count, None] * Vt[:count]).reshape(-1, *A.shape[1:]))


def _independent_of(A: Floats, local: Floats) -> Floats:
    """The forms A less their projections on the span of others."""
    if not len(local):
        return A
    Q = np.linalg.svd(independent(local).reshape(-1, A[0].size), full_matrices=False)[2]
    flat = A.reshape(len(A), -1)
    rest = flat - (flat @ Q.T) @ Q
    return np.asarray(rest.reshape(A.shape))
