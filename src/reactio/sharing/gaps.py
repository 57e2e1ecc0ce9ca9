"""Who bears the load where parts have play or act one way only: the split by stiffness with gap sets.

    min_λ  ½ λᵀFλ − λᵀ(d − δ) + Σ_X h_X(A_X λ)   subject to  Cᵀλ = f,   h_X(w) = max { wᵀs : s ∈ K_X }

Self-stresses that deform no part have no energy: with a particular λ₀ of least energy, forces w = A λ in the gaps are
w₀ − T s + E y, T = A N H⁻¹NᵀAᵀ, and E y those of undecided self-stresses (``linear.convex.gap_sets`` solves it).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.catalogue.units import in_units, quantity
from reactio.constraint_matrix import row_label
from reactio.errors import ReactioError, listed
from reactio.linear.convex.gap_sets import GapForces, GapProblem, GapSets, GapStart, NotBalanced, NotConverged
from reactio.linear.precision import LOCATED, ROUNDOFF, SOLUTION
from reactio.linear.spans import Spans
from reactio.sharing.elasticity import Elasticity, GapSet
from reactio.sharing.problem import IDLE_FORCE, Problem, idle_forces

# Part of a row by which self-stresses must load it, so that its gap matters: they are known to rounding, and the same
# number decides which parts a self-stress deforms.
LEAST_REACH = 3e-5
ZERO_STIFFNESS = 1e-14  # eigenvalues of T, with a unit diagonal, below this part of the largest are rounding
WIDE_FACE = LOCATED  # part of the largest force by which an undecided force must vary to be called so: LPs hold 1e-9
MOST_PARTS = 8  # parts in one sentence


class StressBlock(Protocol):
    """Self-stresses of one block, in equilibrated rows."""

    @property
    def rows(self) -> Ints:
        """(k,)."""

    @property
    def N(self) -> Floats:
        """(k, p)."""


class SelfStresses(Protocol):
    """Self-stresses with the parts that they deform: of a machine under load, or of one without (``preloads``)."""

    @property
    def problem(self) -> Problem:
        """The loads."""

    @property
    def elastic(self) -> Elasticity:
        """Compliances and gaps."""

    @property
    def purpose(self) -> str:
        """What the forces hold, in words."""

    @property
    def pieces(self) -> Sequence[StressBlock]:
        """Blocks of the null space."""

    @property
    def undecided(self) -> Floats:
        """(m, k) those that deform no part, in the rows of C."""

    @property
    def preload_misfits(self) -> Floats:
        """(m,)."""

    def relax(self, r: Floats) -> Floats:
        """The self-stress that closes gaps r."""

    def relaxed(self, lam: Floats, shift: Floats | float = 0.0) -> Floats:
        """λ of least energy with gaps opened by ``shift``."""


class LastGaps(NamedTuple):
    """The gaps that were solved last for a mechanism."""

    labels: tuple[tuple[str, str], ...]
    s: Floats  # (K,) [m, rad]
    bears: Bools  # (K,)


# The same parts bear at most instants of a motion as at the one before: they are tried first.  A guess and no more,
# since a solution counts only where both conditions of optimality hold; it lives as long as the rows of the mechanism.
# Machines with and without load are kept apart.
_LAST: WeakKeyDictionary[Spans, dict[str, LastGaps]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class GapTable:
    """The gaps of a problem side by side: K components on m rows."""

    gaps: tuple[GapSet, ...]
    m: int

    @cached_property
    def ptr(self) -> Ints:
        """(gaps + 1,) where the components of each gap begin."""
        return np.array([0, *itertools.accumulate(gap.A.shape[-2] for gap in self.gaps)], dtype=np.int64)

    @cached_property
    def owner(self) -> Ints:
        """(K,) the gap of each component."""
        return np.repeat(np.arange(len(self.gaps)), np.diff(self.ptr))

    @cached_property
    def A(self) -> Floats:
        """(…, K, m) forces in the gaps by multipliers."""
        ahead = max((gap.A.shape[:-2] for gap in self.gaps), key=len, default=())
        A = np.zeros((*ahead, len(self.owner), self.m))
        for first, gap in zip(self.ptr.tolist(), self.gaps, strict=False):
            A[..., first : first + gap.A.shape[-2], gap.rows] = gap.A
        return A

    def loaded(self, Dr: Floats, N: Floats) -> Bools:
        """(…, gaps) where self-stresses N (…, m, p) change forces: |A D_r N| is not rounding next to |A D_r|."""
        A = self.A * Dr[..., None, :]
        loaded = np.linalg.norm(A @ N, axis=-1) > LEAST_REACH * np.linalg.norm(A, axis=-1)
        return np.asarray(np.logical_or.reduceat(loaded, self.ptr[:-1], axis=-1) if self.gaps else loaded)

    def sets(self, scale: Floats) -> GapSets:
        """K of all components, s multiplied by ``scale`` (…, gaps)."""
        round_ = np.array([gap.radius is not None for gap in self.gaps], dtype=bool)
        ball = np.where(round_, np.cumsum(round_) - 1, -1)[self.owner]
        lower, upper = np.array([(gap.lower, gap.upper) for gap in self.gaps]).reshape(-1, 2).T
        lower, upper = (
            np.where(ball >= 0, free, (scale * end)[..., self.owner])
            for end, free in ((lower, -np.inf), (upper, np.inf))
        )
        radius = np.array([gap.radius for gap in self.gaps if gap.radius is not None])
        return GapSets(lower, upper, ball, scale[..., round_] * radius)


@dataclass(frozen=True, eq=False)
class GapSolution:
    """Multipliers with gaps: which of them bear, and how wide the others stand open."""

    scaled: GapScaling
    gaps: tuple[GapSet, ...]
    numbers: GapNumbers
    s: tuple[Floats, ...]  # the displacement in every gap [m, rad]
    bears: tuple[bool, ...]  # of every gap: does it press against its boundary?
    barely: tuple[bool, ...]  # on the verge: a derivative holds to one side only
    residual: float  # the largest violation of a condition of optimality, as a part of the largest force or gap

    @property
    def lam(self) -> Floats:
        """(m,) the multipliers."""
        return self.numbers.lam

    @property
    def shift(self) -> Floats:
        """(m,) Aᵀs of the gaps that self-stresses load."""
        return np.asarray(self.scaled.table.A.T @ self.numbers.s)

    @cached_property
    def idle(self) -> frozenset[str]:
        """The joints and contacts that bear nothing: every gap of theirs is open, or closed without a force."""
        matrix, gapped = self.scaled.found.problem.matrix, {gap.name for gap in self.gaps}
        sizes = zip(matrix.rows.groups, idle_forces(matrix, self.lam), strict=True)
        return frozenset(
            group.name
            for group, size in sizes
            if group.name in gapped and np.abs(self.lam[group.start : group.stop]).max() <= size
        )

    @property
    def on_the_verge(self) -> tuple[str, ...]:
        """Joints and contacts that the smallest change would make bear, or release."""
        return tuple(dict.fromkeys(gap.name for gap, flag in zip(self.gaps, self.barely, strict=True) if flag))

    def respond(self, r: Floats) -> Floats:
        """The self-stress that closes further small gaps r (m,) or (m, k), while the same parts bear."""
        return np.asarray(self.scaled.found.relax(r) + self.scaled.relaxed @ self._slides(r))

    def opened(self, r: Floats) -> Floats:
        """(m, …) Aᵀ ds: by how much gaps open, or close, where further small gaps r (m,) or (m, k) open."""
        return np.asarray(self.scaled.table.A.T @ self._slides(r))

    def _slides(self, r: Floats) -> Floats:
        """ds (K, …): displacements in the gaps by further small gaps r."""
        scaled, numbers = self.scaled, self.numbers
        if not len(scaled.table.gaps):
            return np.zeros((0, *r.shape[1:]))
        if scaled.undecided.shape[1]:
            raise ReactioError(
                "Rigid parts share load through play, and slopes need a stiffness there. Give every "
                "part that shares load a stiffness."
            )
        dw0 = -(scaled.table.A @ scaled.found.relax(r)).T / scaled.factor
        return np.asarray((numbers.problem.response(numbers.forces, dw0.T).T / scaled.factor).T)


def one_way_gaps(problem: Problem, gaps: Sequence[GapSet]) -> Iterable[GapSet]:
    """The gap sets of rows that only push and have no gap of their own: s ≤ 0."""
    known = {int(row) for gap in gaps for row in gap.rows if gap.label == "depth"}
    groups = problem.matrix.rows.groups
    at = np.array([group.start for group in groups])
    for row in problem.matrix.rows.unilateral:
        if row not in known:
            name = groups[int(np.searchsorted(at, row, side="right")) - 1].name
            yield GapSet(name, "depth", np.array([row]), np.ones((1, 1)), upper=0.0)


def solve_gaps(stresses: SelfStresses, linear: Floats) -> GapSolution | None:
    """The split with all gaps of a problem; None where it has none.

    linear (m,): the multipliers of least energy with all gaps closed.

    A contact that sticks slips freely once it is lifted: the rows of its friction are then without force, which is
    found by lifting one set of contacts after the other (friction is no gradient, so this part is not convex).
    """
    gaps = (*stresses.elastic.gaps, *one_way_gaps(stresses.problem, stresses.elastic.gaps))
    if not gaps:
        return None
    lifted: dict[str, tuple[GapSet, ...]] = {}
    rough = {g.name: g for g in stresses.problem.matrix.rows.unilateral_groups if g.stop - g.start > 1}
    while True:
        solution = _solved(stresses, linear, (*gaps, *(gap for more in lifted.values() for gap in more)))
        if not rough:
            return solution
        off = {g.name for g, bears in zip(gaps, solution.bears, strict=False) if g.name in rough and not bears}
        if back := lifted.keys() - off:
            raise ReactioError(
                f"{listed(sorted(back), MOST_PARTS)} has no consistent state: it lifts off with friction, and "
                f"touches again without. Model its friction by springs, or leave friction out."
            )
        if not (new := off - lifted.keys()):
            return solution
        pushing = set(stresses.problem.matrix.rows.unilateral)
        for name in new:
            rows = [row for row in range(rough[name].start, rough[name].stop) if row not in pushing]
            lifted[name] = tuple(GapSet(name, "slip", np.array([row]), np.ones((1, 1))) for row in rows)


@dataclass(frozen=True, eq=False)
class GapScaling:
    """The gaps that self-stresses load, in units in which their stiffnesses are one."""

    found: SelfStresses
    table: GapTable
    relaxed: Floats  # (m, K) N H⁻¹Nᵀ Aᵀ: λ falls by this times s
    undecided: Floats  # (m, k) self-stresses that deform no part
    scale: Floats  # (gaps,) factor of s
    B: Floats  # (K, r + k)
    columns: Floats  # (k,) lengths by which those of undecided self-stresses were divided

    @property
    def factor(self) -> Floats:
        """(K,) factor of s of every component."""
        return self.scale[self.table.owner]

    def problem(self, linear: Floats, delta: Floats) -> tuple[GapProblem, float]:
        """The convex problem for multipliers λ (m,) of closed gaps and misfits δ (m,), and the unit of its forces."""
        w0 = (self.table.A @ linear) / self.factor
        unit = float(np.abs(w0).max(initial=0.0)) or 1.0
        g = self.undecided.T @ delta / self.columns
        return GapProblem(self.B, w0 / unit, g / unit, self.table.sets(self.scale / unit)), unit

    def forces(self, problem: GapProblem, near: Sequence[GapStart] = ()) -> GapForces:
        """The solution of a problem of these gaps; an error with the residuals where none was found."""
        try:
            return problem.solve(near)
        except NotConverged as error:
            names = listed(list(dict.fromkeys(gap.name for gap in self.table.gaps)), MOST_PARTS)
            raise ReactioError(
                f"The load distribution with the gaps of {names} was not found: {error}. Their self-stresses are "
                "nearly dependent, or their stiffnesses differ by more than double precision resolves. Check the "
                "units of stiffness and play, or make the stiffest parts rigid."
            ) from None


def scaled_gaps(stresses: SelfStresses, gaps: Iterable[GapSet], linear: Floats) -> GapScaling:
    """The gaps that self-stresses load, with T = A N H⁻¹NᵀAᵀ factorised: T = R Rᵀ, B = (R, E)."""
    table = GapTable(_loaded(stresses, tuple(gaps)), stresses.elastic.m)
    undecided = stresses.undecided
    relaxed = stresses.relax(table.A.T)
    T, E = table.A @ relaxed, table.A @ undecided
    scale = _scales(table, table.A @ linear, T, stresses.elastic.delta)
    factor = scale[table.owner]
    values, V = np.linalg.eigh(0.5 * (T + T.T) / np.outer(factor, factor))
    kept = values > ZERO_STIFFNESS * values.max(initial=0.0)
    E = E / factor[:, None]
    columns = np.linalg.norm(E, axis=0)
    columns = np.where(columns > 0.0, columns, 1.0)
    return GapScaling(
        stresses,
        table,
        relaxed,
        undecided,
        scale,
        np.hstack([V[:, kept] * np.sqrt(values[kept]), E / columns]),
        columns,
    )


def _solved(stresses: SelfStresses, linear: Floats, gaps: tuple[GapSet, ...]) -> GapSolution:
    """The convex problem of some gaps."""
    scaled = scaled_gaps(stresses, gaps, linear)
    problem, unit = scaled.problem(linear, stresses.elastic.delta + stresses.preload_misfits)
    labels = tuple((gap.name, gap.label) for gap in scaled.table.gaps)
    solved = _LAST.setdefault(stresses.problem.matrix.rows.spans, {})
    last = solved.get(stresses.purpose)
    near = [GapStart(scaled.factor * last.s / unit, last.bears)] if last is not None and last.labels == labels else []
    try:
        forces = scaled.forces(problem, near)
    except NotBalanced:
        raise _not_held(stresses, gaps) from None
    s = unit * forces.s / scaled.factor
    solved[stresses.purpose] = LastGaps(labels, s, forces.bears)
    y = unit * forces.v[problem.springs :] / scaled.columns
    lam = stresses.relaxed(linear + scaled.undecided @ y, scaled.table.A.T @ s)
    lam = _without_rounding(scaled, ~forces.bears, lam)
    if np.abs(lam).max(initial=0.0) <= ROUNDOFF * np.abs(linear).max(initial=0.0):
        lam = np.zeros_like(lam)  # nothing is loaded: the forces of closed gaps have cancelled, but for rounding
    return _complete(scaled, gaps, GapNumbers(problem, forces, s, lam))


def _without_rounding(scaled: GapScaling, idle: Bools, lam: Floats) -> Floats:
    """λ (m,) without the forces that rounding of stiff parts leaves in idle gaps: A_I (λ − N H⁻¹NᵀA_Iᵀ ds) = 0."""
    if not idle.any():
        return lam
    idle_rows = scaled.relaxed[:, idle]
    A = scaled.table.A[idle]
    factor = scaled.factor[idle]
    T = (A @ idle_rows) / np.outer(factor, factor)
    ds = np.linalg.lstsq(T, (A @ lam) / factor, rcond=ZERO_STIFFNESS)[0] / factor
    return np.asarray(lam - idle_rows @ ds)


@dataclass(frozen=True, eq=False)
class GapNumbers:
    """What the convex problem gave: s (K,) and λ (m,) in the units of the mechanism."""

    problem: GapProblem
    forces: GapForces
    s: Floats
    lam: Floats


def _complete(scaled: GapScaling, gaps: tuple[GapSet, ...], parts: GapNumbers) -> GapSolution:
    """The solution of all gaps: those that no self-stress loads bear what equilibrium says."""
    table, lam = scaled.table, parts.lam
    size = float(np.abs(lam).max(initial=0.0))
    place = {gap: j for j, gap in enumerate(table.gaps)}
    s, bears, barely, residual = [], [], [], parts.forces.residual
    for gap in gaps:
        w = gap.A @ lam[gap.rows]
        j = place.get(gap)
        if j is None:
            presses = bool(np.abs(w).max() > IDLE_FORCE * size * np.abs(gap.A).max())
            if presses and not _allows(gap, w):
                raise _not_held(scaled.found, (gap,))
            s.append(_pressed(gap, w) if presses else np.zeros(len(w)))
            bears.append(presses)
            barely.append(False)
            continue
        rows = slice(int(table.ptr[j]), int(table.ptr[j + 1]))
        s.append(parts.s[rows])
        bears.append(bool(parts.forces.bears[rows].any()))
        barely.append(bool(parts.forces.barely[rows].any()))
        if not bears[-1]:
            residual = max(residual, float(np.abs(w).max() / (size * np.abs(gap.A).max() or 1.0)))
    if residual > IDLE_FORCE:
        raise ReactioError(
            f"The load distribution with gaps is known only to {residual:.1g} of its largest force: stiffnesses "
            f"differ by more than double precision resolves. Check their units, or make the stiffest parts rigid."
        )
    return GapSolution(scaled, gaps, parts, tuple(s), tuple(bears), tuple(barely), residual)


def _loaded(stresses: SelfStresses, gaps: tuple[GapSet, ...]) -> tuple[GapSet, ...]:
    """The gaps whose forces self-stresses change."""
    table = GapTable(gaps, stresses.elastic.m)
    N = np.zeros((stresses.elastic.m, sum(block.N.shape[1] for block in stresses.pieces)))
    at = 0
    for block in stresses.pieces:
        N[block.rows, at : at + block.N.shape[1]] = block.N
        at += block.N.shape[1]
    loaded = table.loaded(stresses.problem.Dr, N)
    return tuple(gap for gap, on in zip(gaps, loaded, strict=True) if on)


def refuse_wide_face(solution: GapSolution) -> bool:
    """True where gaps decide all forces; an error with the intervals of those that they leave undecided.

    Optimal are all λ* + U y, U the self-stresses that deform no part, whose forces in gaps are normals of K at s*:
    a linear programme for every row.
    """
    matrix = solution.scaled.found.problem.matrix
    U, lam = solution.scaled.undecided, solution.lam
    A, b, equal = _normals(solution)
    size = float(np.abs(lam).max(initial=0.0)) or 1.0
    unit = np.linalg.norm(U, axis=0)
    loaded = [row for row in range(len(lam)) if np.abs(U[row] / unit).max() > LEAST_REACH]
    intervals: dict[str, tuple[float, float]] = {}
    for row in loaded:
        low, high = _face_ends(U[row] * size / unit, A * size / unit, b, equal)
        if high - low > WIDE_FACE * size:
            label = row_label(matrix, row)
            group = next(g for g in matrix.rows.groups if g.start <= row < g.stop)
            ends = (float(lam[row] + end) for end in (low, high))
            low, high = (0.0 if abs(end) <= WIDE_FACE * size else end for end in ends)
            intervals[f"{group.name}.{label}"] = (low, high)
    if not intervals:
        return True
    words = [
        f"{name} between {in_units(low, 'N'):.5g} and {quantity(high, 'N', 5)}"
        for name, (low, high) in intervals.items()
    ]
    raise ReactioError(
        f"Neither stiffness nor play determines {listed(words, MOST_PARTS)} (multipliers). Give `stiffness` to one of "
        "these joints, or make a body between them `flexible`."
    )


def _normals(solution: GapSolution) -> tuple[Floats, Floats, Bools]:
    """A (rows, k), b, equal: A y ≥ b, or = b, where the forces of λ* + U y in all gaps are normals of K at s*."""
    U, lam = solution.scaled.undecided, solution.lam
    rows, right, equal = [], [], []
    for gap, s in zip(solution.gaps, solution.s, strict=True):
        W, w = gap.A @ U[gap.rows], gap.A @ lam[gap.rows]
        reach = max(gap.size, float(np.abs(s).max()))
        if gap.radius is not None:
            on = np.linalg.norm(s) >= gap.radius - SOLUTION * reach
            normal = s / np.linalg.norm(s) if on else np.zeros(len(s))
            across = np.eye(len(s)) - np.outer(normal, normal)
            rows += [*(across @ W)]
            right += [*(-(across @ w))]
            equal += [True] * len(s)
            outward = [normal] if on else []
        else:
            outward = [np.ones(1)] * bool(s[0] >= gap.upper - SOLUTION * reach)
            outward += [-np.ones(1)] * bool(s[0] <= gap.lower + SOLUTION * reach)
        if len(outward) == 1:
            rows.append(outward[0] @ W)
            right.append(-float(outward[0] @ w))
            equal.append(False)
        elif not outward and gap.radius is None:
            rows.append(W[0])
            right.append(-float(w[0]))
            equal.append(True)
    return np.array(rows).reshape(-1, U.shape[1]), np.array(right), np.array(equal, dtype=bool)


def _face_ends(c: Floats, A: Floats, b: Floats, equal: Bools) -> tuple[float, float]:
    """The least and largest cᵀy over A y ≥ b, = b on some rows; b is rounding where a force vanishes."""
    from scipy.optimize import linprog

    room = np.abs(A).max(initial=0.0) * SOLUTION
    upper = np.concatenate([-A[~equal], A[equal], -A[equal]])
    right = np.concatenate([-b[~equal], b[equal], -b[equal]]) + room
    ends = []
    for sign in (1.0, -1.0):
        answer = linprog(sign * c, upper, right, bounds=(None, None))
        ends.append(sign * float(answer.fun or 0.0) if answer.status == 0 else -sign * np.inf)
    return float(ends[0]), float(ends[1])


def _scales(table: GapTable, w0: Floats, T: Floats, delta: Floats) -> Floats:
    """(gaps,) roots of stiffnesses that make T of unit diagonal; of rigid parts the load over the gap."""
    stiff = np.maximum.reduceat(np.diagonal(T), table.ptr[:-1]) if len(table.gaps) else np.zeros(0)
    sizes = [gap.size for gap in table.gaps] + [float(np.abs(delta).max(initial=0.0))]
    usual = (float(np.abs(w0).max(initial=0.0)) or 1.0) / (max(sizes) or 1.0)
    soft = stiff <= ZERO_STIFFNESS * stiff.max(initial=0.0)
    return np.sqrt(np.where(soft, stiff.max(initial=0.0) or usual, stiff))


def _allows(gap: GapSet, w: Floats) -> bool:
    """Can the gap bear the force w?"""
    return gap.radius is not None or bool(np.isfinite(gap.upper) if w[0] > 0 else np.isfinite(gap.lower))


def _pressed(gap: GapSet, w: Floats) -> Floats:
    """The point of the boundary that w presses against."""
    if gap.radius is not None:
        return np.asarray(gap.radius * w / np.linalg.norm(w))
    return np.array([gap.upper if w[0] > 0 else gap.lower])


def _not_held(stresses: SelfStresses, gaps: Sequence[GapSet]) -> ReactioError:
    names = list(dict.fromkeys(gap.name for gap in gaps))
    return ReactioError(
        f"{listed(names, MOST_PARTS)}: no forces that their gaps and signs allow hold {stresses.purpose}; one of them "
        "would have to act the other way."
    )
