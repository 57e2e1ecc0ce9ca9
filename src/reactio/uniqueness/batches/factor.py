"""C̃ E = Q R by Householder reflections with column pivoting, bounds of its singular values, and null(C̃ᵀ)."""

from __future__ import annotations

import math

from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.rank import Tolerances
from reactio.uniqueness.batches.tables import Pattern, Space

LAST_PIVOT = Tolerances().decide  # what is left of all columns is dropped where it is shorter; bounds decide afterwards
UNSURE_NORM = 1e-8  # squared: lengths of columns that were brought up to date by subtraction are worked out anew below


@kernel(**NO_ARRAYS)
def factorise(p: Pattern, w: Space) -> int:
    """Q and R of the C̃ in ``w.C``; returns r.  ``w.bounds``: σ_r ≥ 1/‖R₁₁⁻¹‖_F and σ_{r+1} ≤ ‖R₂₂‖_F.

    Reflectors act on the rows in which their columns have entries: early ones on those of a few joints.
    """
    m, n = w.Dr.shape[0], w.dc.shape[0]
    for j in range(n):
        w.order[j] = j
        w.norm[j] = 0.0
        for i in range(m):
            w.A[j, i] = w.T[j, i] = 0.0
    for i in range(m):
        w.active[i] = 1
        for e in range(p.indptr[i], p.indptr[i + 1]):
            w.A[p.indices[e], i] = w.T[p.indices[e], i] = w.C[e]
            w.norm[p.indices[e]] += w.C[e] * w.C[e]
    rank = 0
    while rank < min(m, n):
        best = longest_column(w, rank)
        if w.norm[w.order[best]] < UNSURE_NORM:
            renew_norms(w, rank)
            best = longest_column(w, rank)
            if w.norm[w.order[best]] <= LAST_PIVOT * LAST_PIVOT:
                break
        w.order[rank], w.order[best] = w.order[best], w.order[rank]
        reflect(w, rank)
        rank += 1
    renew_norms(w, rank)
    left = 0.0
    for k in range(rank, n):
        left += w.norm[w.order[k]]
    w.bounds[0] = smallest_kept(w, rank)
    w.bounds[1] = math.sqrt(left)
    return rank


@kernel(**NO_ARRAYS)
def longest_column(w: Space, first: int) -> int:
    """The place in the order, from ``first`` on, of the column of which most is left."""
    best = first
    for k in range(first + 1, w.order.shape[0]):
        if w.norm[w.order[k]] > w.norm[w.order[best]]:
            best = k
    return best


@kernel(**NO_ARRAYS)
def renew_norms(w: Space, first: int) -> None:
    """The squared lengths of the columns from ``first`` on, over the rows without a pivot."""
    for k in range(first, w.order.shape[0]):
        j = w.order[k]
        total = 0.0
        for i in range(w.active.shape[0]):
            if w.active[i]:
                total += w.A[j, i] * w.A[j, i]
        w.norm[j] = total


@kernel(**NO_ARRAYS)
def reflect(w: Space, step: int) -> None:
    """Reflect column ``step`` of the order onto its largest row, which leaves the active ones."""
    m, n = w.active.shape[0], w.order.shape[0]
    j = w.order[step]
    size, top, total = 0, -1, 0.0
    for i in range(m):
        if w.active[i] and w.A[j, i] != 0.0:
            w.support[step, size] = i
            w.V[step, size] = w.A[j, i]
            if top < 0 or abs(w.A[j, i]) > abs(w.V[step, top]):
                top = size
            total += w.A[j, i] * w.A[j, i]
            size += 1
    length, row = math.sqrt(total), w.support[step, top]
    alpha = -length if w.V[step, top] > 0.0 else length
    beta = 1.0 / (length * (length + abs(w.V[step, top])))
    w.V[step, top] -= alpha
    w.support_size[step], w.beta[step], w.pivot[step] = size, beta, row
    w.active[row] = 0
    w.A[j, row] = alpha
    for k in range(step + 1, n):
        l = w.order[k]
        product = 0.0
        for h in range(size):
            product += w.V[step, h] * w.A[l, w.support[step, h]]
        if product != 0.0:
            product *= beta
            for h in range(size):
                w.A[l, w.support[step, h]] -= product * w.V[step, h]
            w.norm[l] = max(w.norm[l] - w.A[l, row] * w.A[l, row], 0.0)


@kernel(**NO_ARRAYS)
def smallest_kept(w: Space, rank: int) -> float:
    """1/‖R₁₁⁻¹‖_F ≤ σ_min(R₁₁) ≤ σ_r(C̃), column by column of the inverse."""
    for l in range(rank):
        for k in range(l + 1):
            w.R[l, k] = w.A[w.order[l], w.pivot[k]]
    total = 0.0
    for l in range(rank):
        for k in range(l):
            w.x[k] = 0.0
        w.x[l] = 1.0
        for k in range(l, -1, -1):
            if w.x[k] != 0.0:
                x = w.x[k] / w.R[k, k]
                total += x * x
                for h in range(k):
                    w.x[h] -= x * w.R[k, h]
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


@kernel(**NO_ARRAYS)
def null_vectors(w: Space, rank: int) -> None:
    """N (m, p), the first p columns of ``w.N``: reflectors applied to the unit vectors of rows without a pivot."""
    m, column = w.active.shape[0], 0
    for c in range(m):
        if w.active[c]:
            for i in range(m):
                w.x[i] = 0.0
            w.x[c] = 1.0
            for k in range(rank - 1, -1, -1):
                product = 0.0
                for h in range(w.support_size[k]):
                    product += w.V[k, h] * w.x[w.support[k, h]]
                if product != 0.0:
                    product *= w.beta[k]
                    for h in range(w.support_size[k]):
                        w.x[w.support[k, h]] -= product * w.V[k, h]
            for i in range(m):
                w.N[i, column] = w.x[i]
            column += 1
