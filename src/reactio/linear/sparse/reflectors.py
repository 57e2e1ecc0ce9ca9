"""Householder reflectors on dense blocks: H = I − τ v vᵀ, and k of them together as I − V T Vᵀ.

Matrices lie in memory with their columns as rows, A (columns, rows), so that every inner loop runs along one.
Schreiber & Van Loan 1989, SIAM J. Sci. Stat. Comput. 10, 53–57.
"""

from __future__ import annotations

import math

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import kernel

# Columns of a table of panels, which are applied one after the other: the first slot of its rows, their number, the
# number of reflectors, and where their numbers V and T begin.
PANEL_SLOT, PANEL_ROWS, PANEL_REFLECTORS, PANEL_VALUE = range(4)
# Entries of the evidence for a rank: the smallest norm of a column that was kept, the largest of one that was dropped.
SMALLEST_KEPT, LARGEST_DROPPED = range(2)


@kernel
def own_panel(A: Floats, first: int, V: Floats, tol: float, evidence: Floats) -> int:
    """Column-pivoted reflectors of A (columns, rows from ``first``) until all remainders are at most tol."""
    last = first + V.shape[1]
    norm = np.empty(A.shape[0])
    for c in range(A.shape[0]):
        norm[c] = tail_norm(A[c, first:last], 0)
    for k in range(V.shape[0]):
        best = k
        for c in range(k + 1, A.shape[0]):
            best = c if norm[c] > norm[best] else best
        if norm[best] <= tol:
            evidence[LARGEST_DROPPED] = max(evidence[LARGEST_DROPPED], norm[best])
            return k
        evidence[SMALLEST_KEPT] = min(evidence[SMALLEST_KEPT], norm[best])
        tau = reflector(A[best, first:last], k, norm[best], V[k])
        move(A[k, first:last], A[best, first:last])
        norm[best] = norm[k]
        for c in range(k + 1, A.shape[0]):
            reflect_one(A[c, first:last], V[k], tau)
            norm[c] = tail_norm(A[c, first:last], k + 1)
    return len(V)


@kernel
def border_panel(A: Floats, first: int, V: Floats, column: int, lead: Ints) -> int:
    """Reflectors of the columns of A in their order; a column that is zero by itself needs none."""
    last = first + V.shape[1]
    k = 0
    for c in range(A.shape[0]):
        norm = tail_norm(A[c, first:last], k) if k < V.shape[0] else 0.0
        if norm > 0.0:
            tau = reflector(A[c, first:last], k, norm, V[k])
            lead[k] = column + c
            for d in range(c + 1, A.shape[0]):
                reflect_one(A[d, first:last], V[k], tau)
            k += 1
    return k


@kernel
def move(x: Floats, y: Floats) -> None:
    """y ← x"""
    for i in range(x.size):
        y[i] = x[i]


@kernel
def dot(x: Floats, y: Floats) -> float:
    """Σ x_i y_i as eight sums of every eighth product, which a processor adds at once in an order that is fixed."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    eights = x.size - x.size % 8
    for i in range(0, eights, 8):
        s0 += x[i] * y[i]
        s1 += x[i + 1] * y[i + 1]
        s2 += x[i + 2] * y[i + 2]
        s3 += x[i + 3] * y[i + 3]
        s4 += x[i + 4] * y[i + 4]
        s5 += x[i + 5] * y[i + 5]
        s6 += x[i + 6] * y[i + 6]
        s7 += x[i + 7] * y[i + 7]
    for i in range(eights, x.size):
        s0 += x[i] * y[i]
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))


@kernel
def tail_norm(x: Floats, k: int) -> float:
    """‖x[k:]‖"""
    tail = x[k:]
    return math.sqrt(dot(tail, tail))


@kernel
def reflector(x: Floats, k: int, norm: float, v: Floats) -> float:
    """v and τ with (I − τ v vᵀ) x zero below entry k; the entry itself becomes ∓‖x[k:]‖."""
    beta = -norm if x[k] > 0.0 else norm
    scale = 1.0 / (x[k] - beta)
    v[:k] = 0.0
    v[k] = 1.0
    tail, target = x[k + 1 :], v[k + 1 :]
    for i in range(tail.size):
        target[i] = scale * tail[i]
    x[k] = beta
    return 2.0 / (1.0 + dot(target, target))


@kernel
def reflect_one(x: Floats, v: Floats, tau: float) -> None:
    """x ← (I − τ v vᵀ) x"""
    s = tau * dot(v, x)
    for i in range(v.size):
        x[i] -= s * v[i]


@kernel
def compact(V: Floats, T: Floats) -> None:
    """T with H₁⋯H_k = I − V T Vᵀ, upper triangular; V (k, rows) holds a reflector in each row."""
    for j in range(V.shape[0]):
        for i in range(j + 1):
            s = dot(V[i], V[j])
            T[i, j] = s
            T[j, i] = 0.0 if i < j else s
        tau = 2.0 / T[j, j]
        T[j, j] = tau
        for i in range(j):
            s = 0.0
            for l in range(i, j):
                s += T[i, l] * T[l, j]
            T[i, j] = -tau * s


@kernel
def reflect(A: Floats, first: int, V: Floats, T: Floats, transposed: bool) -> None:
    """x ← (I − V T Vᵀ) x, or its transpose, for every row x of A from entry ``first`` on."""
    k, length = V.shape
    y = np.empty(k)
    z = np.empty(k)
    for c in range(A.shape[0]):
        x = A[c, first : first + length]
        inner(V, x, y)
        for j in range(k):
            s = 0.0
            if transposed:
                for i in range(j + 1):
                    s += T[i, j] * y[i]
            else:
                for i in range(j, k):
                    s += T[j, i] * y[i]
            z[j] = s
        outer(V, x, z)


@kernel
def inner(V: Floats, x: Floats, y: Floats) -> None:
    """y = Vᵀ x."""
    for j in range(V.shape[0]):
        y[j] = dot(V[j], x)


@kernel
def outer(V: Floats, x: Floats, z: Floats) -> None:
    """x ← x − V z, four reflectors at a time."""
    k, length = V.shape
    for j in range(0, k - 3, 4):
        v0, v1, v2, v3 = V[j], V[j + 1], V[j + 2], V[j + 3]
        z0, z1, z2, z3 = z[j], z[j + 1], z[j + 2], z[j + 3]
        for i in range(length):
            x[i] -= z0 * v0[i] + z1 * v1[i] + z2 * v2[i] + z3 * v3[i]
    for j in range(k - k % 4, k):
        v0, z0 = V[j], z[j]
        for i in range(length):
            x[i] -= z0 * v0[i]
