"""Mass-weighted least squares: the x nearest to a given one that satisfies A x = b, for A of any rank.

With M = L Lᵀ (block by block), x = Lᵀ v and A = R C L⁻ᵀ, R such that every row of A has length one, three problems of
dynamics become this one: v̇ nearest to M⁻¹Q with C v̇ = Γ (Gauss), v nearest to a given one with C v = ν, and the least
displacement that closes Φ.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints, from_rows
from reactio.kernels import FROM_ZERO, kernel
from reactio.linear.block_root import massless
from reactio.linear.sparse.gram import (
    SEGMENT_BLOCK,
    SEGMENT_ENTRY,
    SEGMENT_ROW,
    SEGMENT_WIDTH,
    GramPlan,
    GramWork,
    factorise,
    gram_plan,
    gram_work,
    solve,
)
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.memo import memoised
from reactio.system.types import System

# μ of A Aᵀ + μ.  Rows have length one, so singular values below √μ = 3e-6 are not resolved, while those that rounding
# makes of redundant rows (1e-13 and less, on the manifold) do nothing.  Rounding of the factors enters as u/μ = 2e-5
# and is removed by iterative refinement (sweeps).
MASS_REGULARISATION = 1e-11
MULTIPLIER_REGULARISATION = 1e-7  # the same for multipliers, where u/μ is the error of their undetermined part
MOST_REFINEMENT_SWEEPS = 30  # of iterative refinement: each leaves the part μ/(σ² + μ) of an error along σ
# Mass added to massless bodies, as part of the mean mass: with less of it the factors are worse conditioned, with more
# of it the conjugate gradients of ``massless``, which remove it again, take more iterations.
ADDED_MASS_PART = 1e-2
BLOCK_V, BLOCK_M, BLOCK_WIDTH = range(3)  # columns of ``MetricPlan.block``
ROW_FIRST, COLUMN_END = range(2)  # columns of ``MetricPlan.reach``
SWEEP_ROUNDING = 4e-16  # residual, relative to x and b, at which refinement has reached rounding


class MetricPlan(NamedTuple):
    """Patterns and scales."""

    block: Ints  # (bodies, 3) BLOCK_V: first place in v, BLOCK_M: in the data of M, BLOCK_WIDTH: number of velocities
    changing: Ints  # (blocks,) those bodies whose block of M depends on the pose
    root: Floats  # data of L at the start, for all the others
    # (n, 2) per velocity: the first column of its row of L that is not zero, and the row after the last of its column
    reach: Ints
    indptr: Ints  # (m + 1,) of C
    indices: Ints
    gram: GramPlan
    row_scale: Floats  # (m,) characteristic length for rows in metres, 1 for rows in radians
    scale: Floats  # (n,) the same for velocities
    holonomic: Floats  # (m,) 1 for rows that exist at position level, else 0
    added_inertia: Floats  # (n,) of bodies without mass, so that M + diag(added_inertia) has a Cholesky factor
    adds_inertia: bool  # is inertia added to any body?


class MetricWork(NamedTuple):
    """Factors at one pose, and the vectors of the least-squares problem."""

    root: Floats  # data of L, in the pattern of M, with 1/L on the diagonal
    A: Floats  # data of A, in the pattern of C
    R: Floats  # (m,)
    square: Floats  # (m,) squares of the rows of A: 1, or 0 for rows left out
    gram: GramWork
    x: Floats  # (n,)
    y: Floats  # (m,) x = given + Aᵀ y
    b: Floats  # (m,)
    r: Floats  # (m,) b − A x
    z: Floats  # (m,)


@memoised
def metric_plan(system: System) -> MetricPlan:
    """Patterns and symbolic factorisation of a system, computed once."""
    width = np.diff(system.body_v)
    at = np.concatenate([[0], np.cumsum(width**2)])[:-1]
    indptr, indices = (np.array(part) for part in system.C_pattern)
    block = np.ascontiguousarray(np.stack([system.body_v[:-1], at, width], axis=1).astype(np.int64))
    added_inertia = added_inertia_of(system)
    changing, root, reach = _roots(system, block, added_inertia)
    return MetricPlan(
        block=block,
        changing=changing,
        root=root,
        reach=reach,
        indptr=indptr,
        indices=indices,
        gram=gram_plan(indptr, indices, np.asarray(system.body_v)),
        row_scale=system.row_scale,
        scale=system.column_scale,
        holonomic=np.array(system.plan.rows.holonomic),
        added_inertia=added_inertia,
        adds_inertia=bool(added_inertia.any()),
    )


def _roots(system: System, block: Ints, added_inertia: Floats) -> tuple[Ints, Floats, Ints]:
    """The bodies whose block of M another pose changes, L of all the others, and the reach of the rows of L."""
    # A displacement with a part along every direction; random numbers would do as well, but take 10 ms to import.
    away = advance(system, system.q0, np.cos(np.arange(1.0, system.n + 1.0)))
    M, M_away = (evaluate(system, 0.0, q, np.zeros(system.n)).M for q in (system.q0, away))
    body = np.repeat(np.arange(len(block)), block[:, BLOCK_WIDTH] ** 2)
    changes, root = np.zeros(len(block), dtype=bool), np.zeros(len(M))
    changes[body[M_away != M]] = True
    reach = np.concatenate([_reach(at, width, (M != 0.0) | (M_away != 0.0)) for _, at, width in block.tolist()])
    for b in np.flatnonzero(~changes).tolist():
        cholesky.plain(M, added_inertia, root, reach, *block[b].tolist())
    return np.flatnonzero(changes).astype(np.int64), root, reach


def _reach(at: int, width: int, filled: Bools) -> Ints:
    """(width, 2) the reach of one block, whose rows of L begin where those of M do; ``filled``: may M be not zero?"""
    rows = filled[at : at + width * width].reshape(width, width) | np.eye(width, dtype=bool)
    first = rows.argmax(axis=1)
    columns = first[:, None] <= np.arange(width)
    return np.stack([first, width - columns[::-1].argmax(axis=0)], axis=1).astype(np.int64)


def massless_bodies(system: System) -> tuple[str, ...]:
    """The names of bodies to which inertia is added, because their block of M is singular."""
    return system.bodies_of(np.flatnonzero(added_inertia_of(system)))


def added_inertia_of(system: System) -> Floats:
    """(n,) a part of the mean mass, and its moment of inertia at the characteristic length, for bodies without mass."""
    M, ptr = evaluate(system, 0.0, system.q0, np.zeros(system.n)).M, system.body_v
    lacking = massless(from_rows(M, system.M_pattern, system.n), np.asarray(ptr)).any(axis=1)
    if not lacking.any():
        return np.zeros(system.n)
    masses = [body.mass for body in system.model.bodies if body.mass]
    part = ADDED_MASS_PART * float(np.mean(masses)) if masses else 1.0
    bodies = np.unique(np.searchsorted(ptr, np.flatnonzero(lacking), side="right") - 1)
    added = np.isin(np.searchsorted(ptr, np.arange(system.n), side="right") - 1, bodies)
    return np.where(added, part * (system.length / system.column_scale) ** 2, 0.0)


def metric_work(plan: MetricPlan) -> MetricWork:
    """Arrays for one pose."""
    m, n = len(plan.row_scale), len(plan.scale)
    rows = (np.zeros(m) for _ in range(4))
    return MetricWork(
        plan.root.copy(), np.zeros(len(plan.indices)), np.ones(m), np.ones(m), gram_work(plan.gram), np.zeros(n), *rows
    )  # fmt: skip


@kernel(**FROM_ZERO)
def copy(source: Floats, target: Floats) -> None:
    """target = source, entry by entry: assigning a slice would allocate."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@kernel(**FROM_ZERO)
def factor_rows(plan: MetricPlan, work: MetricWork, M: Floats, C: Floats) -> None:
    """L of M + diag(added inertia) = L Lᵀ, and A = R C L⁻ᵀ with rows of length one."""
    for i in range(plan.changing.shape[0]):
        b = plan.changing[i]
        first, at, width = plan.block[b, BLOCK_V], plan.block[b, BLOCK_M], plan.block[b, BLOCK_WIDTH]
        cholesky(M, plan.added_inertia, work.root, plan.reach, first, at, width)
    work.square[:] = 0.0
    L, A, segment = work.root, work.A, plan.gram.segment
    for s in range(segment.shape[0]):
        at, width = segment[s, SEGMENT_ENTRY], segment[s, SEGMENT_WIDTH]
        first, row = plan.block[segment[s, SEGMENT_BLOCK], BLOCK_V], plan.block[segment[s, SEGMENT_BLOCK], BLOCK_M]
        square = 0.0
        for i in range(width):
            a = C[at + i]
            for k in range(plan.reach[first + i, ROW_FIRST], i):
                a -= L[row + k] * A[at + k]
            a *= L[row + i]
            row += width
            A[at + i] = a
            square += a * a
        work.square[segment[s, SEGMENT_ROW]] += square
    for i in range(work.R.shape[0]):
        work.R[i] = 1.0 / math.sqrt(work.square[i]) if work.square[i] > 0.0 else 0.0
    for i in range(work.R.shape[0]):
        scale_row(plan, work, i, work.R[i])


@kernel(**FROM_ZERO)
def scale_row(plan: MetricPlan, work: MetricWork, i: int, factor: float) -> None:
    """Row i of A times a factor; 0 leaves it out."""
    for k in range(plan.indptr[i], plan.indptr[i + 1]):
        work.A[k] *= factor
    work.square[i] *= factor * factor


@kernel(**FROM_ZERO)
def cholesky(M: Floats, added: Floats, L: Floats, reach: Ints, first: int, at: int, width: int) -> None:
    """L of one block M + diag(added) = L Lᵀ, lower part, by rows; its diagonal holds 1/L_ii, to save divisions."""
    for i in range(width):
        for j in range(reach[first + i, ROW_FIRST], i + 1):
            s = M[at + width * i + j] + (added[first + i] if i == j else 0.0)
            for k in range(max(reach[first + i, ROW_FIRST], reach[first + j, ROW_FIRST]), j):
                s -= L[at + width * i + k] * L[at + width * j + k]
            L[at + width * i + j] = s * L[at + width * j + j] if j < i else 1.0 / math.sqrt(s)


@kernel(**FROM_ZERO)
def to_root(plan: MetricPlan, work: MetricWork, v: Floats) -> None:
    """x = Lᵀ v."""
    for b in range(plan.block.shape[0]):
        first, at, width = plan.block[b, BLOCK_V], plan.block[b, BLOCK_M], plan.block[b, BLOCK_WIDTH]
        for i in range(width):
            s = v[first + i] / work.root[at + width * i + i]
            for k in range(i + 1, plan.reach[first + i, COLUMN_END]):
                s += work.root[at + width * k + i] * v[first + k]
            work.x[first + i] = s


@kernel(**FROM_ZERO)
def from_root(plan: MetricPlan, work: MetricWork, v: Floats) -> None:
    """v = L⁻ᵀ x."""
    for b in range(plan.block.shape[0]):
        first, at, width = plan.block[b, BLOCK_V], plan.block[b, BLOCK_M], plan.block[b, BLOCK_WIDTH]
        for i in range(width - 1, -1, -1):
            s = work.x[first + i]
            for k in range(i + 1, plan.reach[first + i, COLUMN_END]):
                s -= work.root[at + width * k + i] * v[first + k]
            v[first + i] = s * work.root[at + width * i + i]


@kernel(**FROM_ZERO)
def force_to_root(plan: MetricPlan, work: MetricWork, Q: Floats) -> None:
    """x = L⁻¹ Q."""
    for b in range(plan.block.shape[0]):
        first, at, width = plan.block[b, BLOCK_V], plan.block[b, BLOCK_M], plan.block[b, BLOCK_WIDTH]
        for i in range(width):
            s = Q[first + i]
            for k in range(plan.reach[first + i, ROW_FIRST], i):
                s -= work.root[at + width * i + k] * work.x[first + k]
            work.x[first + i] = s * work.root[at + width * i + i]


@kernel(**FROM_ZERO)
def add_transposed(plan: MetricPlan, work: MetricWork, y: Floats) -> None:
    """x += Aᵀ y."""
    for i in range(y.shape[0]):
        for k in range(plan.indptr[i], plan.indptr[i + 1]):
            work.x[plan.indices[k]] += work.A[k] * y[i]


@kernel(**FROM_ZERO)
def right_side(work: MetricWork, b: Floats) -> None:
    """b of A x = b, from b of C v = b."""
    for i in range(b.shape[0]):
        work.b[i] = work.R[i] * b[i]


@kernel(**FROM_ZERO)
def residual(plan: MetricPlan, work: MetricWork) -> float:
    """r = b − A x, and its largest entry; NaN where one of them is NaN."""
    largest = 0.0
    for i in range(work.b.shape[0]):
        s = work.b[i]
        for k in range(plan.indptr[i], plan.indptr[i + 1]):
            s -= work.A[k] * work.x[plan.indices[k]]
        work.r[i] = s
        if not abs(s) <= largest:
            largest = abs(s)
    return largest


@kernel(**FROM_ZERO)
def least_change(plan: MetricPlan, work: MetricWork, enough: float) -> float:
    """x + Aᵀy nearest to the given x with A x = b; the largest |C v − b| that remains returns [lengths, rad per sᵏ].

    Each sweep solves (A Aᵀ + μ) z = b − A x with the true residual, until that is ``enough``, as part of the largest
    entry of x and b, or rounding, or improves no more.
    """
    size = 0.0
    for i in range(work.b.shape[0]):
        size = max(size, abs(work.b[i]))
    for i in range(work.x.shape[0]):
        size = max(size, abs(work.x[i]))
    work.y[:] = 0.0
    before = math.inf
    for sweep in range(MOST_REFINEMENT_SWEEPS + 1):
        largest = residual(plan, work)
        if largest <= max(SWEEP_ROUNDING, enough) * size or largest > 0.5 * before or sweep == MOST_REFINEMENT_SWEEPS:
            break
        before = largest
        solve(plan.gram, work.gram, work.r, work.z)
        for i in range(work.z.shape[0]):
            work.y[i] += work.z[i]
        add_transposed(plan, work, work.z)
    remains = 0.0
    for i in range(work.r.shape[0]):
        if not abs(work.r[i]) <= remains * work.R[i] * plan.row_scale[i]:
            remains = abs(work.r[i]) / (work.R[i] * plan.row_scale[i])
    return remains


@kernel(**FROM_ZERO)
def least_multipliers(plan: MetricPlan, work: MetricWork, lam: Floats) -> None:
    """Multipliers λ = −R y with the same Aᵀy and, in the metric of the rows, the smallest |y|.

    y solves A Aᵀ y = A (Aᵀ y_given), whose right-hand side has no part in null(Aᵀ), by sweeps from zero.
    """
    work.x[:] = 0.0
    add_transposed(plan, work, work.y)
    factorise(plan.gram, work.gram, work.A, work.square, MULTIPLIER_REGULARISATION)
    work.b[:] = 0.0
    least_change(plan, work, 0.0)
    for i in range(lam.shape[0]):
        lam[i] = work.R[i] * work.y[i]
