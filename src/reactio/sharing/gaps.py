"""Who bears the load where parts have play or act one way only: the split by stiffness with gap sets.

    min_λ  ½ λᵀFλ − λᵀ(d − δ) + Σ_X h_X(A_X λ)   subject to  Cᵀλ = f,   h_X(w) = max { wᵀs : s ∈ K_X }

Self-stresses that deform no part have no energy: with a particular λ₀ of least energy, forces w = A λ in the gaps are
w₀ − T s + E y, T = A N H⁻¹NᵀAᵀ, and E y those of undecided self-stresses (``linear.convex.gap_sets`` solves it).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.errors import ReactioError, listed
from reactio.linear.convex.gap_sets import GapForces, GapProblem, GapSets, NotBalanced
from reactio.sharing.elasticity import Gap

if TYPE_CHECKING:
    from reactio.sharing.compliance import Relaxation
    from reactio.sharing.problem import Problem

# Part of a row by which self-stresses must load it, so that its gap matters: they are known to rounding, and the same
# number decides which parts a self-stress deforms.
LEAST_REACH = 3e-5
ZERO_STIFFNESS = 1e-14  # eigenvalues of T, with a unit diagonal, below this part of the largest are rounding
IDLE_FORCE = 1e-9  # part of the largest multiplier that rounding leaves in a part that is idle
MOST_NAMED = 8  # parts in one sentence
WIDE_FACE = 1e-7  # part of the largest force by which an undecided force must vary to be called so: LPs hold 1e-9


class Undecided(ReactioError):
    """Forces that neither stiffness nor play decides."""


@dataclass(frozen=True, eq=False)
class GapTable:
    """The gaps of a problem side by side: K components on m rows."""

    gaps: tuple[Gap, ...]
    m: int

    @cached_property
    def owner(self) -> Ints:
        """(K,) the gap of each component."""
        return np.repeat(np.arange(len(self.gaps)), [len(gap.A) for gap in self.gaps])

    @cached_property
    def A(self) -> Floats:
        """(K, m) forces in the gaps by multipliers."""
        A = np.zeros((len(self.owner), self.m))
        for j, gap in enumerate(self.gaps):
            A[np.ix_(np.flatnonzero(self.owner == j), gap.rows)] = gap.A
        return A

    def sets(self, scale: Floats) -> GapSets:
        """K of all components, s multiplied by ``scale`` (gaps,)."""
        of_ball = {j: b for b, j in enumerate(j for j, gap in enumerate(self.gaps) if gap.radius is not None)}
        ball = np.array([of_ball.get(int(j), -1) for j in self.owner], dtype=np.int64)
        ends = np.array([(gap.lower, gap.upper) for gap in self.gaps]).reshape(-1, 2)
        ends = np.where((ball >= 0)[:, None], [-np.inf, np.inf], (scale[:, None] * ends)[self.owner])
        radius = np.array([scale[j] * (self.gaps[j].radius or 0.0) for j in of_ball])
        return GapSets(ends[:, 0].copy(), ends[:, 1].copy(), ball, radius)


@dataclass(frozen=True, eq=False)
class GapSolution:
    """Multipliers with gaps: which of them bear, and how wide the others stand open."""

    found: Relaxation
    gaps: tuple[Gap, ...]
    lam: Floats  # (m,)
    s: tuple[Floats, ...]  # the displacement in every gap [m, rad]
    bears: tuple[bool, ...]  # of every gap: does it press against its boundary?
    barely: tuple[bool, ...]  # on the verge: a derivative holds to one side only
    residual: float  # the largest violation of a condition of optimality, as a part of the largest force or gap
    shift: Floats  # (m,) Aᵀs
    table: GapTable  # of the gaps that self-stresses load
    problem: GapProblem
    forces: GapForces
    scale: Floats  # (gaps of the table,) factor of s in the problem
    undecided: Floats  # (m, k) self-stresses that deform no part

    @cached_property
    def idle(self) -> frozenset[str]:
        """The joints and contacts that bear nothing: every gap of theirs is open."""
        by_name: dict[str, list[bool]] = {}
        for gap, bears in zip(self.gaps, self.bears, strict=True):
            by_name.setdefault(gap.name, []).append(bears)
        size = IDLE_FORCE * float(np.abs(self.lam).max(initial=0.0))
        groups = {group.name: group for group in self.found.problem.matrix.rows.groups}
        none = {name for name, flags in by_name.items() if not any(flags)}
        return frozenset(name for name in none if np.abs(self.lam[groups[name].start : groups[name].stop]).max() <= size)

    @property
    def on_the_verge(self) -> tuple[str, ...]:
        """Joints and contacts that would begin to bear, or let go, by the smallest change."""
        return tuple(dict.fromkeys(gap.name for gap, flag in zip(self.gaps, self.barely, strict=True) if flag))

    def respond(self, r: Floats) -> Floats:
        """The self-stress that closes further small gaps r (m,) or (m, k), while the same parts bear."""
        linear = self.found.relax(r)
        if not len(self.table.gaps):
            return linear
        factor = self.scale[self.table.owner]
        if self.undecided.shape[1]:
            raise Undecided("Rigid parts share load through play: derivatives are worked out for flexible ones only.")
        dw0 = -(self.table.A @ linear).T / factor
        ds = (self.problem.response(self.forces, dw0.T).T / factor).T
        return np.asarray(linear + self.found.relax(self.table.A.T @ ds))


def one_way_gaps(problem: Problem, gaps: Sequence[Gap]) -> Iterable[Gap]:
    """The gap sets of rows that only push and have no gap of their own: s ≤ 0."""
    known = {int(row) for gap in gaps for row in gap.rows if gap.label == "depth"}
    groups = problem.matrix.rows.groups
    at = np.array([group.start for group in groups])
    for row in problem.matrix.rows.unilateral:
        if row not in known:
            name = groups[int(np.searchsorted(at, row, side="right")) - 1].name
            yield Gap(name, "depth", np.array([row]), np.ones((1, 1)), upper=0.0)


def solve_gaps(found: Relaxation) -> GapSolution | None:
    """The split with all gaps of a problem; None where it has none.

    A contact that sticks slips freely once it is lifted: the rows of its friction are then without force, which is
    found by lifting one set of contacts after the other (friction is no gradient, so this part is not convex).
    """
    gaps = (*found.elastic.gaps, *one_way_gaps(found.problem, found.elastic.gaps))
    if not gaps:
        return None
    lifted: dict[str, tuple[Gap, ...]] = {}
    rough = {g.name: g for g in found.problem.matrix.rows.unilateral_groups if g.stop - g.start > 1}
    while True:
        solution = _solved(found, (*gaps, *(gap for more in lifted.values() for gap in more)))
        if not rough:
            return solution
        off = {g.name for g, bears in zip(gaps, solution.bears, strict=False) if g.name in rough and not bears}
        if back := lifted.keys() - off:
            raise ReactioError(
                f"{listed(sorted(back), MOST_NAMED)} lifts off while its friction holds it, and touches again without: "
                "neither state agrees with itself. Give it a friction of its own by springs, or leave friction out."
            )
        if not (new := off - lifted.keys()):
            return solution
        pushing = set(found.problem.matrix.rows.unilateral)
        for name in new:
            rows = [row for row in range(rough[name].start, rough[name].stop) if row not in pushing]
            lifted[name] = tuple(Gap(name, "slip", np.array([row]), np.ones((1, 1))) for row in rows)


def _solved(found: Relaxation, gaps: tuple[Gap, ...]) -> GapSolution:
    """The convex problem of some gaps."""
    m, Dr, linear = found.elastic.m, found.problem.Dr, found.linear
    loaded = [gap for gap in gaps if _reach(found, gap) > LEAST_REACH]
    table = GapTable(tuple(loaded), m)
    undecided = _undecided(found)
    w0, T, E = table.A @ linear, table.A @ found.relax(table.A.T), table.A @ undecided
    scale = _scales(table, w0, T, found.elastic.delta)
    factor = scale[table.owner]
    values, V = np.linalg.eigh(0.5 * (T + T.T) / np.outer(factor, factor))
    kept = values > ZERO_STIFFNESS * values.max(initial=0.0)
    R = V[:, kept] * np.sqrt(values[kept])
    E = E / factor[:, None]
    columns = np.linalg.norm(E, axis=0)
    columns = np.where(columns > 0.0, columns, 1.0)
    g = undecided.T @ (found.elastic.delta + found.preload_misfits) / columns
    energy = float(np.abs(w0 / factor).max(initial=0.0)) or 1.0
    problem = GapProblem(
        np.hstack([R, E / columns]), w0 / factor / energy, g / energy, table.sets(scale / energy)
    )
    try:
        forces = problem.solve()
    except NotBalanced:
        raise _not_held(gaps) from None
    s = energy * forces.s / factor
    y = energy * forces.v[problem.springs :] / columns
    shift = table.A.T @ s
    lam = found.relaxed(linear + undecided @ y, shift)
    return _complete(found, gaps, GapParts(table, problem, forces, scale, s, shift, lam, undecided))


@dataclass(frozen=True, eq=False)
class GapParts:
    """What the convex problem gave, in the units of the mechanism."""

    table: GapTable
    problem: GapProblem
    forces: GapForces
    scale: Floats
    s: Floats
    shift: Floats
    lam: Floats
    undecided: Floats


def _complete(found: Relaxation, gaps: tuple[Gap, ...], parts: GapParts) -> GapSolution:
    """The solution of all gaps: those that no self-stress loads bear what equilibrium says."""
    table, lam = parts.table, parts.lam
    size = float(np.abs(lam).max(initial=0.0))
    place = {id(gap): j for j, gap in enumerate(table.gaps)}
    s, bears, barely, residual = [], [], [], parts.forces.residual
    for gap in gaps:
        w = gap.A @ lam[gap.rows]
        j = place.get(id(gap))
        if j is None:
            presses = bool(np.abs(w).max() > IDLE_FORCE * size * np.abs(gap.A).max())
            if presses and not _allows(gap, w):
                raise _not_held((gap,))
            s.append(_pressed(gap, w) if presses else np.zeros(len(w)))
            bears.append(presses)
            barely.append(False)
            continue
        own = table.owner == j
        s.append(parts.s[own])
        bears.append(bool(parts.forces.bears[own].any()))
        barely.append(bool(parts.forces.barely[own].any()))
        if not bears[-1]:
            residual = max(residual, float(np.abs(w).max() / (size * np.abs(gap.A).max() or 1.0)))
    if residual > IDLE_FORCE:
        raise ReactioError(
            f"The split with gaps is known to {residual:.1g} of its largest force only: stiffnesses differ by more than "
            "double precision holds. Check their units, or make the stiffest parts rigid."
        )
    return GapSolution(
        found, gaps, lam, tuple(s), tuple(bears), tuple(barely), residual, parts.shift, table, parts.problem,
        parts.forces, parts.scale, parts.undecided,
    )  # fmt: skip


def _reach(found: Relaxation, gap: Gap) -> float:
    """The largest part of the forces in a gap that self-stresses load."""
    A = gap.A * found.problem.Dr[gap.rows]
    size = np.linalg.norm(A)
    reach = 0.0
    for piece in found.pieces:
        place = np.full(found.elastic.m, -1)
        place[piece.rows] = np.arange(len(piece.rows))
        inside = place[gap.rows] >= 0
        if inside.any():
            reach = max(reach, float(np.linalg.norm(A[:, inside] @ piece.N[place[gap.rows[inside]]])))
    return reach / size if size else 0.0


def _undecided(found: Relaxation) -> Floats:
    """(m, k) self-stresses that deform no part, in the rows of C."""
    columns = []
    for piece in found.pieces:
        for y in piece.undecided.T:
            column = np.zeros(found.elastic.m)
            column[piece.rows] = found.problem.Dr[piece.rows] * (piece.N @ y)
            columns.append(column)
    return np.array(columns).reshape(-1, found.elastic.m).T


def _scales(table: GapTable, w0: Floats, T: Floats, delta: Floats) -> Floats:
    """(gaps,) roots of stiffnesses that make T of unit diagonal; of rigid parts the load over the gap."""
    stiff = np.array([np.diagonal(T)[table.owner == j].max() for j in range(len(table.gaps))])
    sizes = [gap.size for gap in table.gaps] + [float(np.abs(delta).max(initial=0.0))]
    usual = (float(np.abs(w0).max(initial=0.0)) or 1.0) / (max(sizes) or 1.0)
    soft = stiff <= ZERO_STIFFNESS * stiff.max(initial=0.0)
    return np.sqrt(np.where(soft, stiff.max(initial=0.0) or usual, stiff))


def _allows(gap: Gap, w: Floats) -> bool:
    """Can the gap bear the force w?"""
    return gap.radius is not None or bool(np.isfinite(gap.upper) if w[0] > 0 else np.isfinite(gap.lower))


def _pressed(gap: Gap, w: Floats) -> Floats:
    """The point of the boundary that w presses against."""
    if gap.radius is not None:
        return np.asarray(gap.radius * w / np.linalg.norm(w))
    return np.array([gap.upper if w[0] > 0 else gap.lower])


def _not_held(gaps: Sequence[Gap]) -> ReactioError:
    names = list(dict.fromkeys(gap.name for gap in gaps if not np.isfinite([gap.lower, gap.upper]).any() or True))
    return ReactioError(
        f"{listed(names, MOST_NAMED)}: no forces that their gaps and signs allow hold this load; one of them would have "
        "to act the other way."
    )
