"""C̃ = D_r C D_c as ``linear.scaling.equilibrate`` makes it, and whether a second scaling would differ from it."""

from __future__ import annotations

import math

from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.rank import Tolerances
from reactio.linear.scaling import (
    FAR_REFERENCE,
    HELD_SCALE,
    KNOWN_UNITS,
    MOST_REWEIGHTINGS,
    SAFE_MAGNITUDE,
    SCALING_SWEEPS,
    SETTLED_SCALE,
)
from reactio.uniqueness.batches.tables import Pattern, Space

NEARLY = 1.0 - 1e-6  # factor on limits that the full analysis tests: this much nearer to them, it is asked itself
SMALL_PART = Tolerances().zero  # entries below this part of a row's largest on the same body have no part in scales
# Range of the column scales in powers of 2.  With rows of unit length before and after, scales of rows have no larger
# one; rounded to whole powers it is 9 at most, below the three decades from which on two scalings are judged.
MOST_SCALE_RANGE = 8.0


@kernel(**NO_ARRAYS)
def equilibrate_entries(p: Pattern, w: Space) -> bool:
    """C in ``w.C`` becomes C̃; False where scales are limited, reference points are far, or rows are empty."""
    m, n = w.Dr.shape[0], w.dc.shape[0]
    for i in range(m):
        force, moment, largest = 0.0, 0.0, 0.0
        for e in range(p.indptr[i], p.indptr[i + 1]):
            j = p.indices[e]
            square = w.C[e] * w.C[e]
            largest = max(largest, abs(w.C[e]))
            if p.angular[j]:
                moment += square * w.unit[j]
            else:
                force += square
        if not (1.0 / SAFE_MAGNITUDE <= largest <= SAFE_MAGNITUDE):
            return False
        if p.shifts and force > 0.0 and moment > FAR_REFERENCE * FAR_REFERENCE * NEARLY * force:
            return False
        w.r[i] = 1.0 / (force + moment)
        w.dr[i] = 1.0
    for j in range(n):
        w.dc[j] = 1.0
    for _ in range(SCALING_SWEEPS):
        sweep_scales(p, w)
    least, most = w.dc[0], w.dc[0]
    for j in range(n):
        least, most = min(least, w.dc[j]), max(most, w.dc[j])
    if most > KNOWN_UNITS * KNOWN_UNITS * NEARLY * least:
        return False
    for j in range(n):
        w.dc[j] = math.sqrt(w.dc[j] * w.unit[j])
    for i in range(m):
        total = 0.0
        for e in range(p.indptr[i], p.indptr[i + 1]):
            w.C[e] *= w.dc[p.indices[e]]
            total += w.C[e] * w.C[e]
        w.Dr[i] = 1.0 / math.sqrt(total)
        for e in range(p.indptr[i], p.indptr[i + 1]):
            w.C[e] *= w.Dr[i]
    return True


@kernel(**NO_ARRAYS)
def sweep_scales(p: Pattern, w: Space) -> None:
    """One sweep of d_r ← √(d_r / Σ_j A_ij d_c), d_c ← √(d_c / Σ_i A_ij d_r), A = C² in units.  [Ruiz 2001]"""
    m, n = w.Dr.shape[0], w.dc.shape[0]
    for j in range(n):
        w.column[j] = 0.0
    for i in range(m):
        total = 0.0
        for e in range(p.indptr[i], p.indptr[i + 1]):
            j = p.indices[e]
            square = w.C[e] * w.C[e] * w.unit[j] * w.r[i]
            total += square * w.dc[j]
            w.column[j] += square * w.dr[i]
        w.row[i] = total
    for i in range(m):
        w.dr[i] = math.sqrt(w.dr[i] / max(w.row[i], 1.0 / SAFE_MAGNITUDE))
    for j in range(n):
        if w.column[j] > 0.0:
            w.dc[j] = math.sqrt(w.dc[j] / max(w.column[j], 1.0 / SAFE_MAGNITUDE))
        else:
            w.dc[j] = math.sqrt(w.dc[j])


@kernel(**NO_ARRAYS)
def may_be_graded(p: Pattern, w: Space) -> bool:
    """May ``equilibrate_fully`` find row scales over three decades?

    Its reweighted least squares r_i + s_p ≈ b_ip = −log2 of the largest entry of row i in part p, with r eliminated.
    Every iterate is looked at, so that it does not matter after which of them the full analysis stops.
    """
    log_peaks(p, w)
    for k in range(p.parts):
        w.s[k] = 0.0
    for i in range(w.Dr.shape[0]):
        w.r[i] = 0.0
    for _ in range(MOST_REWEIGHTINGS):
        for k in range(p.parts):
            w.s_before[k] = w.s[k]
        solve_part_scales(p, w)
        low, high, change = w.s[0], w.s[0], 0.0
        for k in range(p.parts):
            low, high = min(low, w.s[k]), max(high, w.s[k])
            change = max(change, abs(w.s[k] - w.s_before[k]))
        if not high - low <= MOST_SCALE_RANGE:
            return True
        missed, row_change = reweigh(p, w)
        if missed <= NEARLY or max(change, row_change) <= SETTLED_SCALE * NEARLY:
            return False
    return False


@kernel(**NO_ARRAYS)
def log_peaks(p: Pattern, w: Space) -> None:
    """b_ip and weights 1 of all pairs; those without entries, or small next to the same body's, have weight 0."""
    for k in range(w.peak.shape[0]):
        w.peak[k] = 0.0
    for e in range(w.C.shape[0]):
        w.peak[p.pair_of_entry[e]] = max(w.peak[p.pair_of_entry[e]], abs(w.C[e]))
    for i in range(w.Dr.shape[0]):
        for k in range(p.part_ptr[i], p.part_ptr[i + 1]):
            largest = w.peak[k]
            for l in range(p.part_ptr[i], p.part_ptr[i + 1]):
                if p.part_body[l] == p.part_body[k]:
                    largest = max(largest, w.peak[l])
            w.weight[k] = 1.0 if w.peak[k] > SMALL_PART * largest else 0.0
    for k in range(w.peak.shape[0]):
        w.peak[k] = -math.log(w.peak[k]) / math.log(2.0) if w.weight[k] > 0.0 else 0.0


@kernel(**NO_ARRAYS)
def solve_part_scales(p: Pattern, w: Space) -> None:
    """s of [[Σ_p W, W], [Wᵀ, Σ_i W]] + HELD_SCALE I, W the weights, by Cholesky factors of its Schur complement."""
    size = p.parts
    for k in range(size):
        w.s[k] = 0.0
        for l in range(size):
            w.normal[k, l] = 0.0
        w.normal[k, k] = HELD_SCALE
    for i in range(w.Dr.shape[0]):
        total, pull = HELD_SCALE, 0.0
        for k in range(p.part_ptr[i], p.part_ptr[i + 1]):
            total += w.weight[k]
            pull += w.weight[k] * w.peak[k]
        for k in range(p.part_ptr[i], p.part_ptr[i + 1]):
            a = p.part[k]
            w.normal[a, a] += w.weight[k]
            w.s[a] += w.weight[k] * (w.peak[k] - pull / total)
            for l in range(p.part_ptr[i], p.part_ptr[i + 1]):
                w.normal[a, p.part[l]] -= w.weight[k] * w.weight[l] / total
    for k in range(size):
        for l in range(k):
            if w.normal[k, l] != 0.0:
                for h in range(k, size):
                    w.normal[h, k] -= w.normal[h, l] * w.normal[k, l]
        root = math.sqrt(w.normal[k, k])
        for h in range(k, size):
            w.normal[h, k] /= root
    for k in range(size):
        for l in range(k):
            w.s[k] -= w.normal[k, l] * w.s[l]
        w.s[k] /= w.normal[k, k]
    for k in range(size - 1, -1, -1):
        for h in range(k + 1, size):
            w.s[k] -= w.normal[h, k] * w.s[h]
        w.s[k] /= w.normal[k, k]


@kernel(**NO_ARRAYS)
def reweigh(p: Pattern, w: Space) -> tuple[float, float]:
    """r of the rows, weights 1/|r_i + s_p − b_ip| for the next iterate; the largest misfit, and change of an r."""
    worst, change = 0.0, 0.0
    for i in range(w.Dr.shape[0]):
        total, pull = HELD_SCALE, 0.0
        for k in range(p.part_ptr[i], p.part_ptr[i + 1]):
            total += w.weight[k]
            pull += w.weight[k] * (w.peak[k] - w.s[p.part[k]])
        r = pull / total
        change = max(change, abs(r - w.r[i]))
        w.r[i] = r
        for k in range(p.part_ptr[i], p.part_ptr[i + 1]):
            if w.weight[k] > 0.0:
                missed = abs(r + w.s[p.part[k]] - w.peak[k])
                worst = max(worst, missed)
                w.weight[k] = 1.0 / max(missed, 1.0)
    return worst, change
