"""The split of a real machine: least complementary energy of its flexible parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import ConstraintMatrix, RowTable
from reactio.errors import ReactioError, listed
from reactio.linear.column_space import column_space
from reactio.linear.precision import REFINED, SOLUTION
from reactio.sharing import CHANGES, Problem, Rule, Split, Weights, register
from reactio.sharing.elasticity import Elasticity, ElasticPart, ElasticPartKind
from reactio.sharing.gaps import GapSolution, refuse_wide_face, solve_gaps
from reactio.sharing.power_laws import linearised
from reactio.sharing.preloads import Tightening
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS, least_weighted
from reactio.topology.components import connected
from reactio.uniqueness import solvability
from reactio.uniqueness.evidence import Block

# Squared part of a self-stress of unit length along forces that deform some part, below which it deforms none: others
# are of order one, and rounding of Ñ enters squared.
LEAST_DEFORMATION = SOLUTION
REFINEMENT_PASSES = 4  # the second regains what rounding of the first lost, more only where scales differ much
REFINEMENT_SWEEPS = 40  # of iterative refinement of the large sparse system, at most
SADDLE_SHIFT = 1e-11  # regularises the large sparse system; fewer sweeps remove it again the smaller it is
MOST_NAMES = 8  # of joints in a message; of others their number
# Part of the largest multiplier of a block by which rounding of the geometry may change it: four digits are right.
LARGEST_GEOMETRY_ERROR = 1e-4


class OpenSelfStress(ReactioError):
    """Self-stresses that deform none of the flexible parts: the split is undecided."""


class PartInBlock(NamedTuple):
    """A flexible part in a block of self-stresses: its rows in the block, and the root of its compliance there."""

    rows: Ints  # (k,)
    L: Floats  # (k, r) in equilibrated rows, D_r L
    directions: Floats  # (k, q) orthonormal, spanning the columns of L: forces that deform the part, however much
    part: ElasticPart


class OrderedQR(NamedTuple):
    """B V = Q R with rows and columns in another order: (B V)[rows][:, columns] = Q R."""

    Q: Floats  # (q, k)
    R: Floats  # (k, k)
    rows: Ints  # (q,) large ones first
    columns: Ints  # (k,) by pivoting


@dataclass(frozen=True, eq=False)
class ElasticBlock:
    """Self-stresses of one block of the null space, and the parts that they deform; all in equilibrated rows.

    With roots L of the compliances side by side, F = L Lᵀ and B = LᵀN, the split minimises ½ |Lᵀλ₀ + B y − s|²: a
    least-squares problem, whose normal equations are those of H = BᵀB.  Stiffnesses may differ by many decades:
    an orthogonal factorisation with the soft rows first keeps the digits of the stiff ones, which H would lose (Cox &
    Higham 1998, Stability of Householder QR factorization for weighted least squares problems).  Where rounding of the
    geometry would decide, ``geometry_rounding`` says so.
    """

    rows: Ints  # (k,)
    N: Floats  # (k, p) orthonormal
    parts: tuple[PartInBlock, ...]

    @cached_property
    def B(self) -> Floats:
        """(q, p) LᵀN: the deformations of every part by each self-stress."""
        return np.concatenate([part.L.T @ self.N[part.rows] for part in self.parts] or [np.zeros((0, self.N.shape[1]))])

    @cached_property
    def H(self) -> Floats:
        """(p, p) NᵀFN."""
        return np.asarray(self.B.T @ self.B)

    @cached_property
    def _decided_and_not(self) -> tuple[Floats, int]:
        """Eigenvectors (p, p) of BᵀB, B the directions of all parts on self-stresses; how many eigenvalues are zero."""
        B = np.concatenate([part.directions.T @ self.N[part.rows] for part in self.parts] or [self.B])
        H = B.T @ B
        try:  # no eigenvalue is as small: all self-stresses are decided, in any basis
            np.linalg.cholesky(H - LEAST_DEFORMATION * np.eye(len(H)))
            return np.eye(len(H)), 0
        except np.linalg.LinAlgError:
            values, vectors = np.linalg.eigh(H)  # in ascending order: undecided self-stresses come first
        return vectors, int((values < LEAST_DEFORMATION).sum())

    @property
    def undecided(self) -> Floats:
        """(p, k) self-stresses, as combinations y of the columns of N, that deform no part: the split is undecided."""
        vectors, count = self._decided_and_not
        return vectors[:, :count]

    @property
    def decided(self) -> Floats:
        """(p, p − k) the other self-stresses, along which the split is decided."""
        vectors, count = self._decided_and_not
        return vectors[:, count:]

    @cached_property
    def factors(self) -> OrderedQR:
        """The factors of B V, V the decided self-stresses."""
        from scipy.linalg import qr

        B = self.B @ self.decided
        order = np.argsort(-np.abs(B).max(axis=1, initial=0.0), kind="stable")
        Q, R, columns = qr(B[order], mode="economic", pivoting=True)
        if B.shape[1] and not np.abs(np.diagonal(R)).min() > 0.0:
            raise _precision_error()
        return OrderedQR(np.asarray(Q, float), np.asarray(R, float), order, np.asarray(columns, np.int64))

    @property
    def leverage(self) -> Floats:
        """(q,) diagonal of B H⁻¹Bᵀ: its sum is the number of decided self-stresses."""
        out = np.zeros(len(self.B))
        out[self.factors.rows] = (self.factors.Q**2).sum(axis=1)
        return out

    def deformations(self, lam: Floats) -> Floats:
        """Lᵀλ − e (q,): deformations of every part by multipliers λ (m,), of this block and others, and by loads."""
        return np.concatenate(
            [place.part.L.T @ lam[place.part.rows] - place.part.e for place in self.parts] or [np.zeros(0)]
        )

    def sag(self, lam: Floats) -> Floats:
        """F λ − d (k,) in equilibrated rows: the gaps that loads open in the rows of this block."""
        out = np.zeros(len(self.rows))
        for part in self.parts:
            np.add.at(out, part.rows, part.L @ (part.part.L.T @ lam[part.part.rows] - part.part.e))
        return out

    def explained(self, r: Floats) -> tuple[Floats, Floats]:
        """s (q, …) and rest (k, …) with r = L s + rest: the deformations s that explain most of r."""
        rest, explanations = np.array(r), []
        if not rest.any():
            return np.zeros((len(self.B), *r.shape[1:])), rest
        for part in self.parts:
            size = np.linalg.norm(part.L, axis=0)
            size = np.where(size > 0, size, 1.0)
            s = (np.linalg.lstsq(part.L / size, rest[part.rows], rcond=LEAST_DEFORMATION)[0].T / size).T
            rest[part.rows] -= part.L @ s
            explanations.append(s)
        return np.concatenate(explanations or [np.zeros((0, *r.shape[1:]))]), rest

    def geometry_rounding(self, gap: Floats) -> float:
        """The largest change of a multiplier, in equilibrated rows, by rounding of self-stresses: ε |N H⁻¹| |g|.

        Gaps g (k,) of the rows are displacements by soft parts.  Self-stresses close them up to rounding only, which
        stiff parts answer by forces; rows that bear exactly nothing have no part in it.
        """
        open_by = float(np.linalg.norm(gap[self.N.any(axis=1)]))
        return float(np.finfo(float).eps) * open_by * self._largest_answer

    @cached_property
    def _largest_answer(self) -> float:
        """The largest row of |N H⁻¹|: the most that a unit gap along self-stresses may add to a multiplier."""
        from scipy.linalg import solve_triangular

        qr = self.factors
        X = solve_triangular(qr.R, self.decided[:, qr.columns].T, trans="T").T  # H⁻¹ = X Xᵀ
        return float(np.linalg.norm(self.N @ X @ X.T, axis=1).max(initial=0.0))

    def relax(self, s: Floats, rest: Floats) -> Floats:
        """y (p, …) = H⁻¹(Bᵀs + Nᵀ rest), along the decided self-stresses."""
        from scipy.linalg import solve_triangular

        qr = self.factors
        V = self.decided[:, qr.columns]
        z = qr.Q.T @ s[qr.rows]
        if rest.any():
            z = z + solve_triangular(qr.R, V.T @ (self.N.T @ rest), trans="T")
        return np.asarray(V @ solve_triangular(qr.R, z))


def _precision_error() -> ReactioError:
    """Where rounding of compliances that differ too much would decide the split."""
    return ReactioError(
        "Stiffnesses differ by more than double precision resolves: no load distribution can be computed. Check "
        "their units, or make "
        "the stiffest parts rigid."
    )


def _geometry_error(part: float) -> ReactioError:
    """Where a geometry that differs in its last digit has another split."""
    return ReactioError(
        f"Stiffnesses differ so much that rounding of the geometry changes the load distribution by {part:.0%} of "
        f"the largest force. Make the stiffest parts rigid, or check the units."
    )


@dataclass(frozen=True, eq=False)
class Relaxation:
    """λ = λ₀ − N H⁻¹ Nᵀ(F λ₀ − d + δ), block by block of the null space N."""

    problem: Problem
    elastic: Elasticity
    pieces: tuple[ElasticBlock, ...]

    def gaps(self, r: Floats) -> list[Floats]:
        """Nᵀ r of each block, for a vector r (m,) or (m, k) of the rows."""
        scaled = (self.problem.Dr * r.T).T
        return [block.N.T @ scaled[block.rows] for block in self.pieces]

    def relax(self, r: Floats) -> Floats:
        """N H⁻¹ Nᵀ r: the self-stress that closes gaps r (m,) or (m, k)."""
        out, scaled = np.zeros_like(r), (self.problem.Dr * r.T).T
        for block in self.pieces:
            out[block.rows] += block.N @ block.relax(*block.explained(scaled[block.rows]))
        return np.asarray((self.problem.Dr * out.T).T)

    @cached_property
    def unloaded(self) -> Tightening:
        """The machine without load, in which preloads are given."""
        return Tightening(self)

    @cached_property
    def preload_misfits(self) -> Floats:
        """(m,) misfits that cause the preloads in the machine without load, with its gaps open or closed."""
        closed = self.unloaded.preload_misfits
        if not self.elastic.preloads or self.unloaded.solution is None:
            return closed
        return closed + self.unloaded.kept(self.unloaded.solution.shift)

    def tightened(self, r: Floats) -> Floats:
        """(m, …) misfits that keep the preloads where further small gaps r (m, …) open in the machine without load."""
        if not self.elastic.preloads:
            return np.zeros_like(r)
        solution = self.unloaded.solution
        return self.unloaded.kept(r if solution is None else r + solution.opened(r))

    @property
    def purpose(self) -> str:
        """What its forces hold, in words."""
        return "this load"

    @cached_property
    def undecided(self) -> Floats:
        """(m, k) self-stresses that deform no part, in the rows of C."""
        columns = []
        for block in self.pieces:
            for y in block.undecided.T:
                column = np.zeros(self.elastic.m)
                column[block.rows] = self.problem.Dr[block.rows] * (block.N @ y)
                columns.append(column)
        return np.array(columns).reshape(-1, self.elastic.m).T

    @cached_property
    def offset(self) -> Floats:
        """(m,) d − δ − Aᵀs, with the misfits of preloads and the displacements s in gaps."""
        gaps = self.solution.shift if self.solution else 0.0
        return np.asarray(self.elastic.d - self.elastic.delta - self.preload_misfits - gaps)

    @cached_property
    def linear(self) -> Floats:
        """(m,) the multipliers of least complementary energy, all gaps closed and all parts acting both ways."""
        return self.relaxed(least_weighted(self.problem, self.problem.Dr**-2))

    @cached_property
    def solution(self) -> GapSolution | None:
        """The split with play and parts that act one way only; None where there are none."""
        return solve_gaps(self, self.linear)

    @property
    def has_play(self) -> bool:
        """Could the gap of any part decide self-stresses that no stiffness decides?"""
        return any(gap.size > 0.0 for gap in self.elastic.gaps)

    def settled(self, lam: Floats) -> Floats:
        """(m,) the λ + N y of least energy with all gaps, from any λ that balances the loads."""
        linear = self.relaxed(lam)
        solution = solve_gaps(self, linear)
        return solution.lam if solution else linear

    @property
    def lam(self) -> Floats:
        """(m,) the multipliers of least complementary energy."""
        return self.solution.lam if self.solution else self.linear

    def respond(self, r: Floats) -> Floats:
        """The self-stress that closes further small gaps r (m,) or (m, k), while the same parts bear."""
        return self.solution.respond(r) if self.solution else self.relax(r)

    def relaxed(self, lam: Floats, shift: Floats | float = 0.0) -> Floats:
        """(m,) the λ + N y of least energy with gaps opened by ``shift`` (m,)."""
        return self.relaxed_by(lam, self.elastic.delta + self.preload_misfits + shift)

    def relaxed_by(self, lam: Floats, misfits: Floats) -> Floats:
        """(m,) the λ + N y of least energy with misfits (m,); an error where rounding decides."""
        Dr, lam = self.problem.Dr, np.array(lam)
        delta = Dr * misfits
        for block in self.pieces:
            s, rest = block.explained(delta[block.rows])
            x = lam[block.rows] / Dr[block.rows]
            last, given = 0.0, float(np.abs(x).max(initial=0.0))
            size = given  # of the forces that x is the difference of: they may cancel, to zero where nothing is loaded
            for _ in range(REFINEMENT_PASSES):
                step = block.N @ block.relax(block.deformations(lam) + s, rest)
                x -= step
                lam[block.rows] = Dr[block.rows] * x
                last, size = float(np.abs(step).max(initial=0.0)), max(given, float(np.abs(x).max(initial=0.0)))
                if last <= REFINED * size:
                    break
            if last > SOLUTION * size:
                raise _precision_error()
            error = block.geometry_rounding(delta[block.rows] + block.sag(lam))
            if error > LARGEST_GEOMETRY_ERROR * size:
                raise _geometry_error(error / size)
        return lam


def relaxation(problem: Problem, elastic: Elasticity) -> Relaxation:
    """The self-stresses of a problem with the parts that they deform, in blocks that no flexible body couples.

    Parts with a nonlinear stiffness have that of their tangents at the solution.
    """
    if elastic.laws:
        start = least_weighted(problem, problem.Dr**-2)
        elastic = linearised(elastic, start, lambda parts: relaxation(problem, parts).lam)
    return Relaxation(problem, elastic, tuple(_pieces(problem, elastic)))


def _pieces(problem: Problem, elastic: Elasticity) -> Iterator[ElasticBlock]:
    """Blocks of the null space; those that a flexible part couples are one."""
    blocks = problem.answer.evidence.blocks()
    owner = np.full(elastic.m, -1)
    for b, block in enumerate(blocks):
        owner[block.rows] = b
    flexible = [part for part in elastic.parts if part.is_flexible]
    label = _coupled(len(blocks), owner, flexible)
    met: dict[int, list[ElasticPart]] = {}
    for part in flexible:
        owners = owner[part.rows]
        for k in np.unique(label[owners[owners >= 0]]).tolist():
            met.setdefault(k, []).append(part)
    for k in range(int(label.max(initial=-1)) + 1):
        yield _block(problem, [blocks[b] for b in np.flatnonzero(label == k)], met.get(k, ()))


def _coupled(count: int, owner: Ints, parts: Sequence[ElasticPart]) -> Ints:
    """(count,) the connected component of each block: a part with compliance in two blocks connects them."""
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    for part in parts if count > 1 else ():
        owners = owner[part.rows]
        if (owners != owners[0]).any():
            i, j = np.nonzero(part.F)
            both = (owners[i] >= 0) & (owners[j] >= 0)
            pairs.append(np.stack([owners[i[both]], owners[j[both]]]))
    i, j = np.concatenate(pairs, axis=1)
    return connected(count, i, j)


def _block(problem: Problem, blocks: Sequence[Block], parts: Sequence[ElasticPart]) -> ElasticBlock:
    """Blocks of the null space as one, with the flexible parts that its self-stresses load."""
    rows = np.concatenate([block.rows for block in blocks])
    N = np.zeros((len(rows), sum(block.N.shape[1] for block in blocks)))
    at = column = 0
    for block in blocks:
        N[at : at + len(block.rows), column : column + block.N.shape[1]] = block.N
        at, column = at + len(block.rows), column + block.N.shape[1]
    place = np.full(len(problem.Dr), -1)
    place[rows] = np.arange(len(rows))
    loaded = []
    for part in parts:
        places = place[part.rows]
        inside = np.flatnonzero(places >= 0)
        L = problem.Dr[part.rows[inside], None] * part.L[inside]
        span = column_space(problem.Dr[part.rows[inside], None] * part.directions[inside])
        loaded.append(PartInBlock(places[inside], L, span, part))
    return ElasticBlock(rows, N, tuple(loaded))


def _share(problem: Problem, argument: str) -> Floats:
    """λ = argmin ½ λᵀFλ − λᵀ(d − δ) subject to Cᵀλ = f.

    F = W + Σ_b G_b F_b G_bᵀ of joints and bodies, d from loads on flexible bodies and heat, δ misfits.
    """
    split = _determine(problem, argument)
    if split.undecided is not None and split.undecided.shape[1]:
        refuse_open(relaxation(problem, elasticity_by_argument(problem, argument)))
    return split.lam


def _determine(problem: Problem, argument: str) -> Split:
    """λ as in ``_share``; along self-stresses that deform no part the energy does not say how large λ is.

    Refused where nothing is decided, and where gaps, signs or preloads would have to be settled along with the rest.
    """
    elastic = elasticity_by_argument(problem, argument)
    none = np.zeros((elastic.m, 0))
    if not problem.answer.redundancy:
        return Split(least_weighted(problem, problem.Dr**-2), none)
    if elastic.m > MOST_NULL_SPACE_ROWS:
        return Split(_sparse(problem, elastic), none)
    relaxed = relaxation(problem, elastic)
    undecided = undecided_stresses(relaxed)
    one_way = bool(elastic.gaps or elastic.preloads or problem.matrix.rows.unilateral)
    if one_way or undecided.shape[1] == problem.answer.redundancy:
        refuse_open(relaxed)
        return Split(relaxed.lam, none)
    return Split(relaxed.lam, undecided)


def undecided_stresses(relaxed: Relaxation) -> Floats:
    """(m, k) a basis of the self-stresses that deform no flexible part, in the rows of C; rounding set to zero."""
    columns = [np.zeros((relaxed.elastic.m, 0))]
    for block in relaxed.pieces:
        U = np.zeros((relaxed.elastic.m, block.undecided.shape[1]))
        U[block.rows] = block.N @ block.undecided
        columns.append(U)
    U = np.concatenate(columns, axis=1)
    loaded = np.linalg.norm(U, axis=1, keepdims=True) > np.sqrt(LEAST_DEFORMATION)
    return np.where(loaded, relaxed.problem.Dr[:, None] * U, 0.0)


def elasticity_by_argument(problem: Problem, argument: str) -> Elasticity:
    """The elasticity of a problem, with parts made rigid by the argument of the rule."""
    if problem.elasticity is None:
        raise ReactioError(
            "The rule compliance needs stiffnesses, which a constraint matrix alone does not have: load a model."
        )
    elastic = problem.elasticity()
    word, _, names = argument.partition(":")
    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not argument:
        return elastic
    if word not in ("rigid", "only") or not listed:
        raise ReactioError(
            f"compliance:{argument} is not understood; write compliance:rigid:NAMES or compliance:only:NAMES."
        )
    return elastic.rigid(listed) if word == "rigid" else elastic.only(listed)


def refuse_open(relaxed: Relaxation) -> None:
    """An error where self-stresses are undecided, with the joints they load and what would decide them."""
    count = sum(block.undecided.shape[1] for block in relaxed.pieces)
    if not count or (relaxed.has_play and relaxed.solution is not None and refuse_wide_face(relaxed.solution)):
        return
    raise _open_error(count, relaxed.problem, relaxed.elastic, open_groups(relaxed))


def _open_error(count: int, problem: Problem, elastic: Elasticity, names: Sequence[str]) -> OpenSelfStress:
    """Undecided self-stresses, with the joints they load."""
    given = [part.name for part in elastic.parts if part.is_flexible]
    so_far = f"Flexible are {listed(given, most=MOST_NAMES)}; they" if given else "All parts are rigid and"
    loaded = (
        f"{len(names):,} joints ({listed(names, most=MOST_NAMES)})" if len(names) > MOST_NAMES else ", ".join(names)
    )
    return OpenSelfStress(
        f"{so_far} leave {count:,} of {problem.answer.redundancy:,} self-stresses undecided, in {loaded}. Give "
        "`stiffness` to one of these joints or make a body between them `flexible`; `reactio flexible` gives details."
    )


def open_groups(relaxed: Relaxation) -> tuple[str, ...]:
    """The joints, drives and couplings that undecided self-stresses load."""
    names = {name for block in relaxed.pieces for name in loaded_groups(relaxed, block, block.undecided)}
    return tuple(group.name for group in relaxed.problem.matrix.rows.groups if group.name in names)


def loaded_groups(relaxed: Relaxation, block: ElasticBlock, Y: Floats) -> tuple[str, ...]:
    """The joints, drives and couplings that some self-stress of N Y (k, q), columns of unit length, loads."""
    loaded = np.zeros(relaxed.elastic.m)
    loaded[block.rows] = np.abs(block.N @ Y).max(axis=1, initial=0.0)
    groups = relaxed.problem.matrix.rows.groups
    return tuple(g.name for g in groups if loaded[g.start : g.stop].max(initial=0.0) > np.sqrt(LEAST_DEFORMATION))


def _sparse(problem: Problem, elastic: Elasticity) -> Floats:
    """The same by one sparse factorisation of [F C; Cᵀ 0], slightly regularised, and iterative refinement."""
    from scipy.sparse import diags_array

    if elastic.laws:
        raise ReactioError(f"Bearings by type and size are computed for up to {MOST_NULL_SPACE_ROWS} equations.")
    if elastic.preloads:
        raise ReactioError(f"Preloads are computed for up to {MOST_NULL_SPACE_ROWS} equations; give misfits instead.")
    _refuse_open_sparse(problem, elastic)
    D, f = diags_array(problem.Dr), problem.balance[1]
    F = D @ elastic.F @ D
    K, solve, scale = _saddle_system(problem, F, SADDLE_SHIFT)
    right = scale * np.concatenate([problem.Dr * (elastic.d - elastic.delta), f])
    x, before = np.zeros(len(right)), np.inf
    for _ in range(REFINEMENT_SWEEPS):
        r = right - K @ x
        size = float(np.abs(r).max())
        if size <= REFINED * max(float(np.abs(x).max()), float(np.abs(right).max())) or size >= before:
            break
        before = size
        x = x + solve(r)
    lam = problem.Dr * (scale * x)[: elastic.m]
    _check_closed(F, scale, right - K @ x, lam / problem.Dr)
    pushing = np.array(problem.matrix.rows.unilateral, dtype=np.int64)
    if lam[pushing].min(initial=0.0) < -SOLUTION * np.abs(lam).max(initial=0.0):
        raise ReactioError(
            f"A contact would have to pull; Reactio finds the contacts that lift off for up to "
            f"{MOST_NULL_SPACE_ROWS} equations."
        )
    return np.asarray(lam)


def _check_closed(F: Any, scale: Floats, r: Floats, x: Floats) -> None:
    """Refuse a solution with gaps beyond rounding of the compliances, or with unbalanced loads."""
    m, largest = len(x), float(np.abs(x).max(initial=0.0))
    open_by = np.abs(r[:m] / scale[:m])
    diagonal = F.diagonal()
    if (open_by > SOLUTION * np.where(diagonal > 0, diagonal, diagonal.max(initial=0.0)) * largest).any():
        raise _precision_error()
    if (np.abs(r[m:] / scale[m:]) > SOLUTION * largest).any():
        raise _precision_error()


class SaddleSystem(NamedTuple):
    """S [F C̃; C̃ᵀ 0] S, with solutions of a system that differs from it by a small shift of the diagonal."""

    K: Any  # (m + n, m + n) CSC
    solve: Callable[[Floats], Floats]
    scale: Floats  # S (m + n,)


def _saddle_system(problem: Problem, F: Any, by: float) -> SaddleSystem:
    """The system for the compliances F (m, m), its diagonal shifted ``by`` ± for solutions.

    Rows are scaled to unit compliance, rigid ones like the softest, and columns to unit stiffness, so that stiff joints
    keep their digits next to soft ones.
    """
    from scipy.sparse import block_array, diags_array
    from scipy.sparse.linalg import splu

    Ct, _ = problem.balance
    soft = F.diagonal()
    soft = np.where(soft > 0, soft, soft.max(initial=0.0) or 1.0)
    held = (Ct * Ct) @ (1 / soft)
    scale = np.concatenate([1 / np.sqrt(soft), 1 / np.sqrt(np.where(held > 0, held, 1.0))])
    S = diags_array(scale)
    K = (S @ block_array([[F, Ct.T], [Ct, None]]) @ S).tocsc()
    shift = diags_array(np.concatenate([np.full(F.shape[0], by), np.full(Ct.shape[0], -by)]))
    saddle = (K + shift).tocsc()
    symmetric = {"SymmetricMode": True}
    try:  # symmetric pivoting keeps the fill low
        factors = splu(saddle, permc_spec="MMD_AT_PLUS_A", options=symmetric, diag_pivot_thresh=0.0)
    except RuntimeError:
        factors = splu(saddle)
    return SaddleSystem(K, factors.solve, scale)


def _flexible_everywhere(elastic: Elasticity) -> bool:
    """Has every row a compliance of its own, so that every self-stress deforms some part?"""
    covered = np.zeros(elastic.m, dtype=bool)
    for part in elastic.parts:
        size = np.sqrt(np.diagonal(part.F))
        if part.kind != ElasticPartKind.BODY and (size > 0).all():
            covered[part.rows] |= bool(np.linalg.eigvalsh(part.F / np.outer(size, size))[0] > LEAST_DEFORMATION)
    return bool(covered.all())


def _refuse_open_sparse(problem: Problem, elastic: Elasticity) -> None:
    """An error where a self-stress deforms no part: C̃ᵀn = 0 and Qᵀn = 0, Q the directions of all parts.

    These n are the self-stresses of the matrix [C̃ Q], as if every deformation were a freedom, and are judged as such.
    """
    if _flexible_everywhere(elastic):
        return
    freer = solvability(ConstraintMatrix(_with_deformations(problem, elastic), RowTable(problem.matrix.rows.groups)))
    if not freer.redundancy:
        return
    names = []
    for group in problem.matrix.rows.groups:
        rows = np.arange(group.start, group.stop)
        share = freer.evidence.scores(rows, np.eye(group.size))[0]
        if share.max(initial=0.0) > np.sqrt(LEAST_DEFORMATION):
            names.append(group.name)
    raise _open_error(freer.redundancy, problem, elastic, names)


def _with_deformations(problem: Problem, elastic: Elasticity) -> Any:
    """[C̃ Q] (m, n + q) CSR."""
    from scipy.sparse import coo_array, csr_array, hstack

    rows, columns, values, count = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)], 0
    for part in (part for part in elastic.parts if part.is_flexible):
        Q = column_space(problem.Dr[part.rows, None] * part.directions)
        i, j = np.nonzero(Q)
        rows.append(part.rows[i])
        columns.append(count + j)
        values.append(Q[i, j])
        count += Q.shape[1]
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return csr_array(hstack([problem.balance[0].T, coo_array(entries, shape=(elastic.m, count))]))


def _weights(problem: Problem, argument: str) -> Weights:
    """Constant compliances of single rows as weights along a motion."""
    elastic = elasticity_by_argument(problem, argument)
    F = elastic.F.tocoo()
    if (
        elastic.laws
        or (F.row != F.col)[np.abs(F.data) > 0].any()
        or elastic.preloads
        or (elastic.d - elastic.delta).any()
    ):
        raise ReactioError(
            "A motion whose friction depends on compliances takes stiffnesses along single rows only: no flexible "
            "bodies, no full matrices, no misfits, preloads or heat. Ask for reactions at instants, or choose another "
            "rule."
        )
    relaxed = relaxation(problem, elastic)
    refuse_open(relaxed)
    W = elastic.F.diagonal()
    stressed = np.zeros(elastic.m, dtype=bool)
    for block in relaxed.pieces:
        stressed[block.rows] = np.linalg.norm(block.N, axis=1) > np.sqrt(LEAST_DEFORMATION)
    stiff = np.flatnonzero(stressed & (W == 0.0))
    if stiff.size:
        group = next(g for g in problem.matrix.rows.groups if g.start <= stiff[0] < g.stop)
        raise ReactioError(
            f"'{group.name}' shares load and is rigid along one of its rows: a motion whose friction depends on "
            "compliances needs a stiffness there."
        )
    W = np.where(stressed, W, W[stressed].mean() if stressed.any() else 1.0)
    name = "compliance" + (f":{argument}" if argument else "")
    return Weights(np.asarray(np.sqrt(W.min()) / np.sqrt(W)), 0.0, name)


COMPLIANCE = register(
    Rule(
        name="compliance",
        doc="The load distribution of a real machine once vibration has died out: least complementary energy of the "
        "joints and bodies "
        "that have a stiffness, with misfits, preloads and heat. `compliance:rigid:NAMES` leaves parts rigid, "
        "`compliance:only:NAMES` all others.",
        W="F = W + Σ_b G_b F_b G_bᵀ, min ½ λᵀFλ − λᵀ(d − δ)",
        cite="Castigliano 1879, Théorie de l'équilibre des systèmes élastiques; Wojtyra & Frączek 2012, Sects 4 and 5",
        share=_share,
        weights=_weights,
        argument="rigid: or only: and names of joints and bodies",
        determine=_determine,
        invariant=frozenset(CHANGES),
    )
)
