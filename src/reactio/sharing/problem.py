"""The problem that every sharing rule solves: Cᵀλ = f determines λ only up to null(Cᵀ)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import DENSE_SIZE, Floats, Ints, dense, diagonal, like
from reactio.constraint_matrix import ConstraintMatrix
from reactio.constraint_matrix.blocks import group_blocks
from reactio.errors import ReactioError
from reactio.linear.block_root import inverse_root, massless
from reactio.linear.convex.pushing import least_pushing
from reactio.linear.least_norm import refined_least_norm
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.sharing.elasticity import Elasticity
from reactio.uniqueness import Solvability, solvability

# Part of the largest multiplier that rounding leaves in a part that is idle: of those that share load with it.
IDLE_FORCE = SOLUTION
MOST_NULL_SPACE_ROWS = 1500  # rows or columns of C up to which a basis of null(Cᵀ) is computed: some seconds


@dataclass(frozen=True, eq=False)
class Problem:
    """Multipliers λ (m,) with Cᵀλ = f are wanted; rows in the internal order of ``matrix``.

    f (n,) = Q − M v̇ [N, N m]; mass: M (n, n), dense or sparse [kg, kg m, kg m²], for the rules that need inertia.
    """

    matrix: ConstraintMatrix
    f: Floats
    mass: Any
    answer: Solvability
    rounding: Floats  # (n,) error bound of f [N, N m]
    elasticity: Callable[[], Elasticity] | None = None  # computed for the rules that need stiffness

    @property
    def C(self) -> Any:
        """(m, n) dense or CSR."""
        return self.matrix.C

    @cached_property
    def M(self) -> Any:
        """(n, n) dense or CSR as C is, or None where no inertia is known."""
        if self.mass is None:
            return None
        M = like(self.mass, self.C)
        return M if isinstance(M, np.ndarray) else M.sorted_indices()

    @cached_property
    def balance(self) -> tuple[Any, Floats]:
        """Cᵀλ = f in equilibrated columns and rows: C̃ᵀ (n, m) CSR and f̃ with C̃ᵀ (D_r⁻¹λ) = f̃."""
        from scipy.sparse import csr_array

        scaled = self.answer.evidence.scaled
        return csr_array(csr_array(scaled.C).T), scaled.load(self.f)

    @cached_property
    def equilibrium(self) -> tuple[Any, Floats]:
        """C̃ᵀ and f̃ as in ``balance``, but C̃ᵀ dense where the system is small."""
        scaled = self.answer.evidence.scaled
        return (scaled.C.T, scaled.load(self.f)) if isinstance(scaled.C, np.ndarray) else self.balance

    @cached_property
    def f_rounding(self) -> float:
        """Error bound of the entries of f̃."""
        return float(self.answer.evidence.scaled.load_rounding(self.rounding).max(initial=0.0))

    @property
    def Dr(self) -> Floats:
        """(m,) row scales: D_r C has rows of unit length in equilibrated columns."""
        return self.answer.evidence.scaled.Dr

    @cached_property
    def inverse_mass_root(self) -> Any:
        """L⁻ᵀ (n, n) of M = L Lᵀ, dense or CSR; an error where a body has no mass."""
        if self.mass is None:
            raise ReactioError("This sharing rule weighs with inertia: give the mass matrix M, or choose another.")
        root = inverse_root(self.M, self._blocks)
        if root is None:
            names = ", ".join(f"'{name}'" for name in self._without_mass()) or "some direction"
            raise ReactioError(
                f"This sharing rule weighs with inertia, and {names} has none. Give mass and inertia, or choose a rule "
                "that needs none, such as null-space."
            )
        return root

    @cached_property
    def _blocks(self) -> Ints:
        """Offsets of the diagonal blocks of M: one for each body, or a single one where M couples bodies."""
        ptr, one_block = self.matrix.columns.body_ptr, np.array([0, self.M.shape[0]])
        if ptr is None:
            return one_block
        owner = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        rows, columns = self.M.nonzero()
        return ptr if np.array_equal(owner[rows], owner[columns]) else one_block

    def _without_mass(self) -> list[str]:
        """The bodies without mass in some direction, where bodies have names."""
        columns, ptr = np.flatnonzero(massless(self.M, self._blocks).any(axis=1)), self.matrix.columns.body_ptr
        if ptr is None or not self.matrix.columns.bodies:
            return []
        owners = np.unique(np.searchsorted(ptr, columns, side="right") - 1)
        return [self.matrix.columns.bodies[b] for b in owners][:5]


def problem(
    matrix: ConstraintMatrix,
    f: Any,
    M: Any = None,
    answer: Solvability | None = None,
    rounding: Floats | None = None,
    elasticity: Callable[[], Elasticity] | None = None,
) -> Problem:
    """The sharing problem of a labelled C (m, n), loads f (n,), known to ``rounding``, and mass matrix M (n, n).

    ``elasticity`` for the rules that split by stiffness.
    """
    f, n = np.asarray(f, dtype=float), matrix.shape[1]
    if f.shape != (n,):
        raise ReactioError(f"f has shape {f.shape}; one number for each of the {n} columns is needed.")
    if M is not None:
        M = M if hasattr(M, "tocsr") else np.asarray(M, dtype=float)
        if M.shape != (n, n):
            raise ReactioError(f"The mass matrix is {' × '.join(map(str, M.shape))}; C has {n} columns.")
    off = np.zeros(n) if rounding is None else rounding
    return Problem(matrix, f, M, solvability(matrix) if answer is None else answer, off, elasticity)


def idle_forces(matrix: ConstraintMatrix, lam: Floats) -> Floats:
    """(g,) the sizes that rounding leaves in idle groups, for multipliers λ (m,).

    A part of the largest multiplier in the block of the group: a press has no say in a balance that stands next to it.
    """
    sizes = np.diff(matrix.rows.ptr)
    largest = np.zeros(len(sizes))
    np.maximum.at(largest, np.repeat(np.arange(len(sizes)), sizes), np.abs(lam))
    size = float(largest.max(initial=0.0))
    idle = np.full(len(sizes), IDLE_FORCE * size)
    if ((largest > ROUNDOFF * size) & (largest <= idle)).any():
        block = group_blocks(matrix)
        of_block = np.zeros(int(block.max()) + 1)
        np.maximum.at(of_block, block, largest)
        idle = np.maximum(IDLE_FORCE * of_block[block], ROUNDOFF * size)
    return idle


def least(problem: Problem, root: Any) -> Floats:
    """λ (m,) = R y with the smallest |y| among all that balance: Cᵀ R y = f.

    R (m, k), dense or CSR, with R Rᵀ = W⁻¹: that λ minimises λᵀWλ.
    """
    Ct, f = problem.equilibrium
    if isinstance(Ct, np.ndarray) and max(Ct.shape) <= DENSE_SIZE and not problem.matrix.rows.unilateral:
        root = dense(root)
        return _least(Ct @ (root / problem.Dr[:, None]), f, root)
    from scipy.sparse import csr_array, diags_array

    Ct, f = problem.balance
    root = csr_array(root)
    A = (Ct @ (diags_array(1.0 / problem.Dr) @ root)).tocsr()
    pushing = np.zeros(0, dtype=bool)
    if problem.matrix.rows.unilateral:
        root, pushing = _pushing(problem, root)
        A = (Ct @ (diags_array(1.0 / problem.Dr) @ root)).tocsr()
    if pushing.any():
        return np.asarray(root @ least_pushing(A, f, pushing))
    return _least(A, f, root)


def _least(A: Any, f: Floats, root: Any) -> Floats:
    """R y with the smallest |y| that satisfies A y = f."""
    return np.asarray(root @ refined_least_norm(A, f))


def _pushing(problem: Problem, root: Any) -> tuple[Any, NDArray[np.bool_]]:
    """R with a single nonzero entry in each unilateral row, and (k,) which columns hold these entries.

    R H with an orthogonal H has the same R Rᵀ.  H is a Householder reflection of the columns of a joint that maps its
    unilateral row r = R_i to r H = |r| e₁, so that λ_i ≥ 0 becomes y_1 ≥ 0.
    """
    from scipy.sparse import block_diag, csr_array, eye_array

    root, k = csr_array(root), root.shape[1]
    root.eliminate_zeros()
    taken, first = np.zeros(k, dtype=bool), np.full(root.shape[0], -1)
    spans, blocks = [], []
    for row in problem.matrix.rows.unilateral:
        span = slice(root.indptr[row], root.indptr[row + 1])
        columns, r = root.indices[span], root.data[span]
        if not len(r):
            continue
        if taken[columns].any():
            raise ReactioError("Two rows of one joint that can only push share a metric: make them two joints.")
        taken[columns], first[row] = True, columns[0]
        u = r / np.linalg.norm(r) - np.eye(len(r))[0]
        spans.append(columns)
        blocks.append(np.eye(len(r)) - (2 / (u @ u) * np.outer(u, u) if u.any() else 0.0))
    order = np.concatenate([*spans, np.flatnonzero(~taken)]).astype(np.int64)
    H = block_diag([*blocks, eye_array(int((~taken).sum()))], format="csr")
    place = np.argsort(order)
    turned = (root[:, order] @ H)[:, place].tocoo()
    kept = (first[turned.row] < 0) | (first[turned.row] == turned.col)  # other entries of unilateral rows are rounding
    entries = (turned.data[kept], (turned.row[kept], turned.col[kept]))
    return csr_array(entries, shape=root.shape), np.isin(np.arange(k), first)


def least_weighted(problem: Problem, W: Floats) -> Floats:
    """λ (m,) that minimises Σ W_i λ_i² subject to Cᵀλ = f; W (m,) positive, or 0 for rows of zeros, whose λ is 0."""
    root = np.divide(1.0, np.sqrt(W), out=np.zeros_like(W), where=W > 0.0)  # R of R Rᵀ = W⁻¹
    return least(problem, diagonal(root, problem.equilibrium[0]))


def multipliers_without(problem: Problem, E: Ints) -> Floats:
    """λ (m,) with λ_E = 0, when the rows outside E are independent."""
    Ct, f = problem.balance
    kept = np.setdiff1d(np.arange(Ct.shape[1]), E)
    A = Ct[:, kept].tocsr()
    lam = np.zeros(Ct.shape[1])
    lam[kept] = problem.Dr[kept] * refined_least_norm(A, f)
    return lam


def jointwise_root(problem: Problem, blocks: Iterable[Floats]) -> Any:
    """R (m, k) with R Rᵀ = W⁻¹ for W = blockdiag(A_X A_Xᵀ); ``blocks`` are the A_X (size of X, any), in order.

    For A_X = U diag(s) Vᵀ its block is U diag(1/s): the pseudoinverse where rows of one joint repeat each other.
    Dense or CSR as C is.
    """
    roots = _inverse_roots_of_rows(list(blocks))
    ends = np.cumsum([0, *(root.shape[1] for root in roots)])
    places = list(zip(problem.matrix.rows.groups, ends[:-1], roots, strict=True))
    if isinstance(problem.C, np.ndarray):
        R = np.zeros((problem.matrix.shape[0], int(ends[-1])))
        for group, k, root in places:
            R[group.start : group.stop, k : k + root.shape[1]] = root
        return R
    from scipy.sparse import coo_array

    rows, columns, values = [], [], []
    for group, k, root in places:
        i, j = np.indices(root.shape)
        rows.append(group.start + i.ravel())
        columns.append(k + j.ravel())
        values.append(root.ravel())
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(entries, shape=(problem.matrix.shape[0], int(ends[-1]))).tocsr()


def _inverse_roots_of_rows(blocks: Sequence[Floats]) -> list[Floats]:
    """R (k, r) with R Rᵀ = (A Aᵀ)⁺ of every A; blocks of one shape are decomposed together."""
    shapes: dict[tuple[int, ...], list[int]] = {}
    for i, block in enumerate(blocks):
        shapes.setdefault(block.shape, []).append(i)
    roots = list(blocks)
    for places in shapes.values():
        A = np.stack([blocks[i] for i in places])
        # Rows of unit length first: those of one joint may be in newtons and in newton-metres.
        size = np.linalg.norm(A, axis=2)
        size = np.where(size > 0.0, size, 1.0)  # a row of zeros, whose terms cancel
        U, s, _ = np.linalg.svd(A / size[..., None], full_matrices=False)
        kept = s > SOLUTION * s.max(axis=1, keepdims=True, initial=0.0)
        for at, i in enumerate(places):
            roots[i] = U[at][:, kept[at]] / s[at, kept[at]] / size[at, :, None]
    return roots
