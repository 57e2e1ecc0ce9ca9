"""A report as data; the formats only print it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.drawing.arrows import Arrow
from reactio.drawing.motions import AdmissibleMotion
from reactio.drawing.scene import Scene
from reactio.joint_reactions.sums import ReactionSum
from reactio.linear.rank import RankDecision, Tolerances
from reactio.simulation.peaks import Peaks


@dataclass(frozen=True, slots=True)
class ComponentLine:
    """One component of a reaction in the axes of the report."""

    name: str  # Fx, Mz, …
    unit: str
    unique: bool | None  # None where that cannot be decided
    value: float  # as the rule of the report splits it; of unique ones every rule gives the same
    low: float = -math.inf  # ends over all splits that contacts and capacities allow; infinite where nothing limits it
    high: float = math.inf

    @property
    def limited(self) -> bool:
        """Is it open by rank, but between known ends?"""
        return not self.unique and (math.isfinite(self.low) or math.isfinite(self.high))


@dataclass(frozen=True, slots=True, eq=False)
class JointLine:
    """What is said about one joint, drive or coupling."""

    name: str
    kind: GroupKind
    type: str
    bodies: tuple[str, ...]
    verdict: str
    determined: int
    rank: int
    known: str  # "2 of 3" components, "0–1 of 1" where that cannot be decided
    components: tuple[ComponentLine, ...]
    shares_with: tuple[str, ...]
    why: tuple[str, ...]
    remedies: tuple[str, ...]
    frame: int | None  # of the drawing where its reaction acts; None for drives and couplings
    wrench: Floats  # (6,) force and moment on body b, world axes, as the rule splits it


@dataclass(frozen=True, slots=True, eq=False)
class StressLine:
    """A self-stress: how the load may shift between joints by any amount s."""

    words: str
    joints: tuple[str, ...]
    unit: str  # of s
    reach: float  # s from −reach to reach is shown
    components: dict[str, Floats]  # joint → change of its components per unit of s
    wrenches: dict[str, Floats]  # joint → (6,) change of its wrench per unit of s


@dataclass(frozen=True, slots=True)
class EventLine:
    """Something that happens during a run."""

    t: float  # [s]
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class HistoryLine:
    """The components of one reaction in time, in the axes of the report."""

    name: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats  # (k, components) as the rule splits it
    unique: Floats  # (k, components) 1 where the model determines it


@dataclass(frozen=True, slots=True, eq=False)
class StressHistory:
    """A self-stress followed along a run: what one unit of it changes in its joints at every instant."""

    joints: tuple[str, ...]
    components: Floats  # (k, joints, labels) in the axes of the report
    wrenches: Floats  # (k, joints, 6) world axes


@dataclass(frozen=True, slots=True, eq=False)
class SumHistory:
    """A sum of components in time."""

    values: Floats  # (k,) as the rule splits it; NaN where there is none
    unique: Floats  # (k,) 1 where the model determines it


@dataclass(frozen=True, slots=True, eq=False)
class LoadInTime:
    """A given force or torque in time, at the frame on which it acts."""

    frame: int
    moment: bool
    vectors: Floats  # (k, 3) world axes [N, N m]


@dataclass(frozen=True, slots=True, eq=False)
class RunLine:
    """A motion in time, thinned to what a screen can show."""

    t: Floats  # (k,) of the drawing [s]
    frames: Floats  # (k, frames, 12)
    times: Floats  # (j,) of the histories [s]
    histories: tuple[HistoryLine, ...]
    wrenches: Floats  # (j, joints, 6) of the joints of the report, world axes
    ranks: tuple[int, ...]  # (j,)
    stresses: tuple[StressHistory, ...]  # those of the report in time; () where they would be too many numbers
    sums: tuple[SumHistory, ...]  # those of the report
    loads: tuple[LoadInTime, ...]
    peaks: Peaks  # of all components and of the sums that were asked for, by the rule of the report where it is open
    events: tuple[EventLine, ...]
    until: float
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class ReportData:
    """All that is known about the reactions of a mechanism at a state: what the formats of a ``Report`` print."""

    name: str
    title: str
    cite: str
    space: str
    t: float
    m: int
    n: int
    rank: int
    redundancy: int
    mobility: int
    besides_drives: str  # what that leaves out, in words
    gruebler: int
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    joints: tuple[JointLine, ...]  # drives and couplings too; of very many the worst
    counts: Mapping[str, int]  # of all of them by verdict
    sums: tuple[ReactionSum, ...]  # that were asked for, then the simplest unique ones of open components
    stresses: tuple[StressLine, ...]
    decision: RankDecision
    tolerances: Tolerances
    motions: tuple[AdmissibleMotion, ...]
    rule: str
    rule_words: str
    run: RunLine | None
    references: tuple[tuple[str, str], ...]  # what was used, where it comes from
    command: str
    version: str
    scene: Scene
    frames: Floats  # (k, 12) at the state
    loads: tuple[Arrow, ...]
    body_names: tuple[str, ...]
    gravity: tuple[float, ...]  # [m/s²]
    axes: str  # of components: "joint" or "world"

    @property
    def anything_open(self) -> bool:
        """Does a rule split any number of the report, at its state or along its run?"""
        histories = self.run.histories if self.run else ()
        here = any(c.unique is not True for joint in self.joints for c in joint.components)
        return here or any(not history.unique.all() for history in histories)

    @property
    def left_out(self) -> str:
        """What is said of joints that are not in the report; nothing where all are."""
        rest = sum(self.counts.values()) - len(self.joints)
        listed = f"The {len(self.joints):,} worst are shown, the least certain first, then the most loaded"
        return f"{listed}; {rest:,} more are left out, `reactio reactions --json` has them." if rest else ""
