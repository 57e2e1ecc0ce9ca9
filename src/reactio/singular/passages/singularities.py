"""Singular configurations along a motion: when, which ranks, and whether the new admissible velocities are real."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.scaled_matrix import matrix
from reactio.kinematics.source import system_and_state
from reactio.linear.continuation import null_space, polar
from reactio.linear.nullspace import orthonormal
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.singular.passages.locate import SingularValueHistory, Window, passages, singular_value_histories
from reactio.singular.second_order.branches import BranchStudy, study
from reactio.singular.second_order.null_spaces import (
    LARGEST_PART_OUTSIDE,
    NullSpaces,
    along_axes,
    null_spaces,
    polished,
)
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import SelfStress, Solvability, Tolerances, solvability

# A located pose has singular values of about 1e-10 where those of the exact pose are zero.
LOCATED_TOLERANCES = Tolerances(zero=ZERO_PIVOT, decide=ZERO_PIVOT, sure=1e-5)
MOST_SINGULAR_VALUES = 4  # of each instant that are kept in the answer: more curves cannot be distinguished
SIDE_OFFSET = 0.02  # [windows] from the pose, where T is taken on both sides: their mean has an error of its square


class SingularityVerdict(StrEnum):
    """The possible motions in a singular configuration."""

    BIFURCATION = "bifurcation"  # more than one motion goes on from here, or one with more freedoms
    INFINITESIMAL = "infinitesimal"  # velocities besides those of the motion exist, and no motion follows from them
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False)
class Singularity:
    """One singular configuration of a motion."""

    t: float  # [s]
    state: State  # there
    rank_before: int | None  # None where the motion begins here
    rank_at: int
    rank_after: int
    closing_singular_value: float  # of C in metres, the one that vanishes, at the located time
    continued: Floats  # (n, f) velocities admissible at neighbouring poses too, orthonormal in metres per second
    new: Floats  # (n, d) velocities admissible at this pose only, at right angles to those
    stresses: tuple[SelfStress, ...]  # self-stresses at this pose only
    opened: tuple[str, ...]  # joints whose reaction has fewer unique components here than at neighbouring poses
    study: BranchStudy

    @property
    def verdict(self) -> SingularityVerdict:
        """``bifurcation``, ``infinitesimal`` or ``undecided``."""
        real = self.study.real
        if len(real) > 1 or any(b.dimension > self.continued.shape[1] for b in real):
            return SingularityVerdict.BIFURCATION
        only = self.study.decided and len(real) == 1
        return SingularityVerdict.INFINITESIMAL if only else SingularityVerdict.UNDECIDED


@dataclass(frozen=True, slots=True, eq=False)
class Singularities(Tabular):
    """All singular configurations of a motion, and the singular values along it."""

    system: System
    events: tuple[Singularity, ...]
    t: Floats  # (k,) [s]
    sigma: Floats  # (k, j) the smallest singular values that are not zero all the time, ascending
    rank: int  # away from singular configurations
    note: str  # where the motion ended early, why

    def __repr__(self) -> str:
        until = self.t[-1] if len(self.t) else 0.0
        return (
            f"<Singularities of {self.system.model.name}: {len(self.events)} until t = {until:g} s, rank {self.rank}>"
        )

    def table(self) -> ResultTable:
        """The singular configurations."""
        heads = ("t", "rank_before", "rank_at", "rank_after", "verdict", "opened")
        rows = [tuple(getattr(event, head) for head in heads) for event in self.events]
        return table_of(f"{self!r}"[1:-1], heads, rows, 1, (), self.note, t="s")

    def plot_table(self) -> ResultTable:
        """The singular values along the motion."""
        names = [f"sigma {k + 1}" for k in range(self.sigma.shape[1])]
        columns = {"t": self.t} | {name: self.sigma[:, k] for k, name in enumerate(names)}
        return ResultTable(f"{self!r}"[1:-1], columns, ("t",), tuple(names), {"t": "s"} | dict.fromkeys(names, "m"))


def singularities(
    model: Model | System | Equations, until: float, *, state: State | None = None, tol: float = 1e-11
) -> Singularities:
    """Follow the motion of a model until a time [s] and study every configuration in which the rank of C drops.

    >>> import reactio
    >>> found = reactio.singularities(reactio.load("modified-double-four-bar"), until=1.0)
    >>> [(round(e.t, 4), e.rank_before, e.rank_at, e.rank_after, str(e.verdict)) for e in found.events]
    [(0.7144, 11, 10, 11, 'infinitesimal')]
    """
    system, state = system_and_state(model, state)
    begin = initial_state(system) if state is None else state
    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: no rank can drop.")
    if not until > begin.t:
        raise ReactioError(f"The motion starts at t = {begin.t:g} s and cannot be followed until {until:g} s.")
    histories = singular_value_histories(system, begin, until, tol)
    events = [_studied(history, t, window) for history in histories for t, window in passages(history)]
    rank, times = histories[0].rank, np.concatenate([history.t for history in histories])
    smallest = slice(max(0, rank - MOST_SINGULAR_VALUES), rank)
    sigma = np.concatenate([history.sigma[:, smallest][:, ::-1] for history in histories])
    note = "" if times[-1] >= until else _why_it_ended(histories)
    kept = tuple(e for e in (_at_start(histories[0]), *events) if e is not None)
    return Singularities(system, kept, times, sigma, rank, note)


def _why_it_ended(histories: tuple[SingularValueHistory, ...]) -> str:
    """Why the motion stopped, and a remedy where it starts in a singular configuration."""
    end = f"The motion ends at t = {histories[-1].t[-1]:.6g} s. {histories[-1].end.value}"
    studied = study(histories[0].system, histories[0].state(0))
    if studied.finite == studied.at.differential:
        return end
    return (
        f"{end} It starts in a singular configuration with {len(studied.real)} branches: see "
        "`reactio mobility`, and start on one of them with `on_branch`."
    )


def _at_start(history: SingularValueHistory) -> Singularity | None:
    """The start of the motion, where C has a lower rank there than later."""
    system = history.system
    pose = null_spaces(system, polished(system, history.state(0)))
    if pose.rank >= history.rank:
        return None
    C = matrix(system, history.state(1))
    m, n = C.shape
    T, N = polar(pose.V, null_space(C, n - history.rank)), polar(pose.N, null_space(C.T, m - history.rank))
    return _singularity(history, pose, T, N, None, history.state(1))


def _studied(history: SingularValueHistory, t: float, window: Window) -> Singularity | None:
    """The singularity at a located time; None where the rank does not drop there."""
    system = history.system
    pose = null_spaces(system, polished(system, window.state(t)))
    if pose.rank >= history.rank:
        return None
    behind, ahead = (window.state(t + side * SIDE_OFFSET * window.half) for side in (-1, 1))
    C_behind, C_ahead = matrix(system, behind), matrix(system, ahead)
    m, n = C_behind.shape
    T = _continued_through(pose.V, C_behind, C_ahead, n - history.rank)
    N = _continued_through(pose.N, C_behind.T, C_ahead.T, m - history.rank)
    return _singularity(history, pose, T, N, behind, ahead)


def _continued_through(at_pose: Floats, behind: Floats, ahead: Floats, size: int) -> Floats:
    """A basis of ``size`` vectors continued through a singular pose: in its null space, nearest to both sides.

    ``at_pose``: a basis of the null space at the pose; ``behind`` and ``ahead``: C, or Cᵀ, on both sides of it.
    """
    before, after = null_space(behind, size), null_space(ahead, size)
    return polar(at_pose, before + polar(after, before))


def _singularity(
    history: SingularValueHistory, pose: NullSpaces, T: Floats, N: Floats, behind: State | None, ahead: State
) -> Singularity:
    """The singularity at a pose with continued bases T and N, from verdicts there and on both sides."""
    system, state = history.system, pose.state
    rows, columns = system.length / system.row_scale, system.column_scale / system.length
    before = None if behind is None else _solvability_at(system, behind)
    after, at = _solvability_at(system, ahead), _solvability_at(system, state, LOCATED_TOLERANCES)
    nearby = after if before is None else before
    return Singularity(
        t=state.t,
        state=state,
        rank_before=None if before is None else before.rank,
        rank_at=at.rank,
        rank_after=after.rank,
        closing_singular_value=float(pose.sigma[history.rank - 1]),
        continued=columns[:, None] * T,
        new=columns[:, None] * _orthogonal_complement(pose.V, T),
        stresses=_new_self_stresses(at.self_stress, rows[:, None] * N),
        opened=tuple(g.name for g in at if g.determined < nearby[g.name].determined),
        study=study(system, state, driven=True),
    )


def _solvability_at(system: System, state: State, tolerances: Tolerances | None = None) -> Solvability:
    return solvability(equations(system, state).constraints, tolerances=tolerances)


def _orthogonal_complement(V: Floats, T: Floats) -> Floats:
    """An orthonormal basis of the directions of V at right angles to T, always the same one for the same space."""
    return along_axes(V - T @ (T.T @ V), V.shape[1] - T.shape[1])


def _new_self_stresses(stresses: tuple[SelfStress, ...], N: Floats) -> tuple[SelfStress, ...]:
    """Self-stresses at a pose that are independent of each other and of those at neighbouring poses, N (m, p)."""
    basis, new = orthonormal(N), []
    for stress in stresses:
        z = stress.lam / np.linalg.norm(stress.lam)
        rest = z - basis @ (basis.T @ z)
        if np.linalg.norm(rest) > LARGEST_PART_OUTSIDE:
            new.append(stress)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return tuple(new)
