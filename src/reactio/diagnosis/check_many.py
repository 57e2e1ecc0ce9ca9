"""Verdicts at many poses of one model, as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reactio.arrays import Bools, Floats, Ints
from reactio.constraint_matrix import GroupKind
from reactio.errors import ReactioError
from reactio.joint_reactions.component_batches import (
    ABSENT,
    IS_AMBIGUOUS,
    IS_NOT,
    IS_UNIQUE,
    VERDICT_ORDER,
    clear_judge,
    component_labels,
    has_clear_states,
)
from reactio.kernels import expected_work
from reactio.model.model import Model
from reactio.optional_libraries import optional_library
from reactio.results.table import ResultTable, Tabular
from reactio.simulation.state_history import StateHistory
from reactio.system.compile.build import build
from reactio.system.compile.contacts import refuse_other_parts
from reactio.system.constraints import refuse_shared_points
from reactio.system.equations import equations, solvabilities_at
from reactio.system.types import State, System
from reactio.uniqueness import Solvability
from reactio.uniqueness.words import Verdict

if TYPE_CHECKING:
    from reactio.simulation.trajectory import Trajectory

STATES_AT_ONCE = 4096  # states whose answers are kept as whole numbers of 64 bits before they are packed: a few MB
ANALYSES_AT_ONCE = 256  # states whose equations and evidence are kept for a full analysis as one stack: some 10 MB
FLAG_OF_UNIQUE = {True: IS_UNIQUE, False: IS_NOT, None: IS_AMBIGUOUS}


@dataclass(frozen=True, eq=False)
class VerdictTable(Tabular):
    """The verdicts at k states on g joints, drives and couplings, and on their components.

    A verdict is a number: its place in ``words``; −1 where a joint has no such component in that pose.
    """

    times: Floats  # (k,) [s]
    joints: tuple[str, ...]
    components: tuple[str, ...]
    axes: str  # of the components: "joint" or "world"
    shape: tuple[int | Ints, int | Ints]  # of C, at each state (k,) where it differs
    verdict: NDArray[np.int8]  # (k, g); −1 where a world has no row of a group
    determined: NDArray[np.int8]  # (k, g) components of each wrench that are unique
    component_verdict: NDArray[np.int8]  # (k, g, components)
    rank: Ints  # (k,)
    margin: Floats  # (k,) a lower bound of σ_r/σ_1, the relative distance to a matrix of lower rank
    confident: Bools  # (k,) no other rank or verdict is plausible
    full: Bools  # (k,) judged by the full analysis, because bounds left a doubt
    words: tuple[str, ...] = tuple(word.value for word in VERDICT_ORDER)

    @property
    def redundancy(self) -> Ints:
        """p = m − r (k,)."""
        return self.shape[0] - self.rank

    @property
    def mobility(self) -> Ints:
        """n − r (k,)."""
        return self.shape[1] - self.rank

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        ranks = ", ".join(str(r) for r in np.unique(self.rank)) or "none"
        return f"<Verdicts at {len(self):,} states on {len(self.joints)} joints: rank {ranks}>"

    def words_of(self, joint: str, component: str | None = None) -> tuple[str, ...]:
        """The verdicts on a joint, or on one of its components, at every state in words; empty where it has none."""
        if joint not in self.joints or component not in (None, *self.components):
            raise ReactioError(f"There is no '{joint if component is None else f'{joint}.{component}'}' in this table.")
        at = self.joints.index(joint)
        codes = self.verdict[:, at]
        if component is not None:
            codes = self.component_verdict[:, at, self.components.index(component)]
        return tuple("" if code == ABSENT else self.words[code] for code in codes.tolist())

    def counts(self) -> dict[str, dict[str, int]]:
        """For every joint the number of states with each verdict."""
        return {
            name: {
                word: int(count)
                for word, count in zip(
                    self.words, np.bincount(codes[codes != ABSENT], minlength=len(self.words)), strict=True
                )
                if count
            }
            for name, codes in zip(self.joints, self.verdict.T, strict=True)
        }

    def table(self) -> ResultTable:
        """A row for every state: rank, redundancy, mobility, margin, and the verdict on every joint."""
        numbers = {"rank": self.rank, "redundancy": self.redundancy, "mobility": self.mobility, "margin": self.margin}
        columns: dict[str, Any] = {"state": list(range(len(self))), "t": self.times} | numbers
        columns |= {"confident": self.confident} | {name: self.words_of(name) for name in self.joints}
        return ResultTable(f"{self!r}"[1:-1], columns, ("state",), ("rank", "redundancy", "mobility"), {"t": "s"})

    def to_xarray(self) -> Any:
        """An xarray Dataset over state × joint × component; the words of verdicts are in ``flag_meanings`` (CF)."""
        xarray = optional_library("xarray", "This needs xarray", "tables")
        flags = {
            "flag_values": list(range(len(self.words))),
            "flag_meanings": " ".join(word.replace(" ", "_") for word in self.words),
        }
        return xarray.Dataset(
            {
                "verdict": (("state", "joint"), self.verdict, flags),
                "determined": (("state", "joint"), self.determined),
                "component_verdict": (("state", "joint", "component"), self.component_verdict, flags),
                "rank": ("state", self.rank),
                "redundancy": ("state", self.redundancy),
                "mobility": ("state", self.mobility),
                "margin": ("state", self.margin),
                "confident": ("state", self.confident),
            },
            {
                "time": ("state", self.times, {"units": "s"}),
                "joint": list(self.joints),
                "component": list(self.components),
            },
            {"axes": self.axes},
        )


def check_many(
    model: Model | System, q: ArrayLike | Trajectory, *, times: ArrayLike | None = None, axes: str | None = None
) -> VerdictTable:
    """The verdicts of ``check`` at many poses: q (k, coordinates), or a run with its own times.

    ``times`` (k,) [s] matter where drives or functions of time do (0 when left out).  Compiled kernels settle every
    pose in which guaranteed bounds leave no doubt; ``solvability`` judges the others: the answers are the same.

    >>> import numpy as np, reactio
    >>> system = reactio.build(reactio.load("mobile-robot"))
    >>> table = reactio.check_many(system, np.tile(system.q0, (3, 1)))
    >>> table.redundancy.tolist(), table.words_of("B")[0], table.words_of("B", "Fx")[0]
    ([2, 2, 2], 'partly unique', 'unique')
    """
    system = model if isinstance(model, System) else build(model)
    system = system.in_axes(axes or system.axes)
    poses, instants = _states(system, q, times)
    refuse_shared_points(system.model)
    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: there is no reaction to judge.")
    states = (State(float(t), pose, np.zeros(system.n)) for t, pose in zip(instants, poses, strict=True))
    refuse_other_parts(system, states, build)
    table = _empty(system, instants)
    if has_clear_states(system):
        _judge_clear(system, poses, table)
    _judge_others(system, poses, table)
    return table


def full_analysis(system: System, poses: Floats, times: Floats) -> VerdictTable:
    """The same table by ``solvability`` alone: the reference for batches."""
    table = _empty(system, times)
    _judge_others(system, poses, table)
    return table


def _states(system: System, q: Any, times: Any) -> tuple[Floats, Floats]:
    """Poses (k, nq) and times (k,), checked."""
    if isinstance(q, StateHistory):
        if times is not None:
            raise ReactioError("A run has its own times; leave out times=.")
        q, times = q.q, q.t
    poses = np.ascontiguousarray(q, dtype=float)
    if poses.ndim != 2 or poses.shape[1] != system.nq:
        raise ReactioError(
            f"check_many needs poses with {system.nq} coordinates each, an array (k, {system.nq}) or a run of "
            f"'{system.model.name}'; got an array {poses.shape}."
        )
    instants = np.zeros(len(poses)) if times is None else np.array(times, dtype=float)
    if instants.shape != (len(poses),):
        raise ReactioError(f"check_many needs one time for each of the {len(poses)} poses; got {instants.shape}.")
    if not (np.isfinite(poses).all() and np.isfinite(instants).all()):
        raise ReactioError("Poses and times must be finite numbers.")
    return poses, instants


def _empty(system: System, times: Floats) -> VerdictTable:
    """A table in which every state waits for the full analysis."""
    joints = tuple(group.name for group in system.groups if group.kind != GroupKind.INTRINSIC)
    return empty_table(times, joints, component_labels(system), str(system.axes), (system.m, system.n))


def empty_table(
    times: Floats, joints: tuple[str, ...], components: tuple[str, ...], axes: str, shape: tuple[int | Ints, int | Ints]
) -> VerdictTable:
    """A table of as many states as times, in which every state waits for the full analysis."""
    k, g = len(times), len(joints)
    return VerdictTable(
        times=times,
        joints=joints,
        components=components,
        axes=axes,
        shape=shape,
        verdict=np.zeros((k, g), dtype=np.int8),
        determined=np.zeros((k, g), dtype=np.int8),
        component_verdict=np.full((k, g, len(components)), ABSENT, dtype=np.int8),
        rank=np.zeros(k, dtype=np.int64),
        margin=np.zeros(k),
        confident=np.ones(k, dtype=bool),
        full=np.ones(k, dtype=bool),
    )


def _judge_clear(system: System, poses: Floats, table: VerdictTable) -> None:
    """Write the verdicts of all clear states into the table."""
    judge = clear_judge(system, table.components)
    reacting = np.array([group.kind != GroupKind.INTRINSIC for group in system.groups])
    counts = np.diff(system.tables[0].ptr)[reacting]
    partly = VERDICT_ORDER.index(Verdict.PARTLY)
    with expected_work(system.m, len(poses), part=system.space):
        for at in _chunks(len(poses), STATES_AT_ONCE):
            rank, margin, free, flags = judge(table.times[at], poses[at])
            known = counts - free[:, reacting]
            table.rank[at], table.margin[at], table.full[at] = rank, margin, rank < 0
            table.determined[at] = known
            table.verdict[at] = np.where(known == counts, IS_UNIQUE, np.where(known > 0, partly, IS_NOT))
            table.component_verdict[at] = flags[:, reacting]


def _judge_others(system: System, poses: Floats, table: VerdictTable) -> None:
    """Write the answers of the full analysis for all states that wait for it."""
    doubtful = np.flatnonzero(table.full)
    for at in _chunks(len(doubtful), ANALYSES_AT_ONCE):
        states = [State(float(table.times[k]), poses[k], np.zeros(system.n)) for k in doubtful[at]]
        answers = solvabilities_at([equations(system, state) for state in states])
        for k, answer in zip(doubtful[at].tolist(), answers, strict=True):
            write_answer(table, k, answer)


def _chunks(count: int, size: int) -> Iterator[slice]:
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))


def write_answer(table: VerdictTable, k: int, answer: Solvability) -> None:
    """The answer of the full analysis in row k."""
    table.rank[k], table.margin[k], table.confident[k] = answer.rank, answer.decision.margin, answer.confident
    table.component_verdict[k] = ABSENT
    for group in answer.groups:
        at = table.joints.index(group.name)
        table.verdict[k, at] = VERDICT_ORDER.index(group.verdict)
        table.determined[k, at] = group.determined
        for component in group.components:
            label = table.components.index(component.name)
            table.component_verdict[k, at, label] = FLAG_OF_UNIQUE[component.unique]
