"""A report as data, which every format prints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.units import Units
from reactio.constraint_matrix import GroupKind
from reactio.design.envelope import Life
from reactio.design.error_bars import ErrorBars
from reactio.drawing.arrows import Arrow
from reactio.drawing.motions import AdmissibleMotion
from reactio.drawing.scene import Scene
from reactio.flexibility.determined import Determination
from reactio.joint_reactions.free_body import FreeBody
from reactio.joint_reactions.sums import ReactionSum
from reactio.linear.rank import RankDecision, Tolerances
from reactio.reporting.coordinates import CoordinateLine
from reactio.results.as_data import Result
from reactio.simulation.peaks import Peaks


@dataclass(frozen=True, slots=True)
class ComponentLine:
    """One component of a reaction in the axes of the report."""

    name: str  # Fx, Mz, …
    unit: str
    unique: bool | None  # None where that cannot be decided
    value: float  # by the sharing rule of the report; where it is unique every rule gives the same
    low: float = -math.inf  # bounds over all splits within contacts and capacities; infinite where nothing limits it
    high: float = math.inf
    by_stiffness: bool = False  # does the stiffness that was given determine a value that is not unique?

    @property
    def is_determined(self) -> bool:
        """Is it unique, or determined by the stiffness that was given?"""
        return self.unique is True or self.by_stiffness

    @property
    def limited(self) -> bool:
        """Is it neither unique nor determined by stiffness, but within finite bounds?"""
        return not self.is_determined and (math.isfinite(self.low) or math.isfinite(self.high))


@dataclass(frozen=True, slots=True, eq=False)
class JointLine:
    """One joint, drive or coupling in a report."""

    name: str
    kind: GroupKind
    type: str
    bodies: tuple[str, ...]
    verdict: str  # of the rigid model
    state: str  # the verdict, or how much stiffness determines
    determined: int
    rank: int
    known: str  # "2 of 3" components, "0–1 of 1" where that cannot be decided
    components: tuple[ComponentLine, ...]
    shares_with: tuple[str, ...]
    why: tuple[str, ...]
    remedies: tuple[str, ...]
    frame: int | None  # of the drawing where its reaction acts; None for drives and couplings
    wrench: Floats  # (6,) force and moment on body b, world axes, by the sharing rule
    axes_words: str = ""  # the sentence of ``why`` on the axes of its components, which may turn along a run
    bears: bool | None = None  # by stiffness: does it bear any load at the state, or is it idle?  None by other rules
    sensitive: str = ""  # the stiffness on which it depends most, in words


@dataclass(frozen=True, slots=True, eq=False)
class StressLine(Result):
    """A self-stress: a change of reactions, by any amount s, that balances itself without a load."""

    KEYS = "words joints unit components"

    words: str
    joints: tuple[str, ...]
    unit: str  # of s
    reach: float  # the slider goes from s = −reach to reach
    components: dict[str, Floats]  # joint → change of its components per unit of s
    wrenches: dict[str, Floats]  # joint → (6,) change of its wrench per unit of s


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of a run."""

    t: float  # [s]
    words: str


class StateOfJoint(NamedTuple):
    """The verdict on a joint at an instant of a run."""

    state: str  # the verdict of the rigid model, or how much stiffness determines
    known: str  # "2 of 3" components
    shares_with: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ValuesInTime:
    """Numbers in time with their basis: (k,) of a sum of components, (k, components) of a reaction."""

    values: Floats  # by the sharing rule; NaN where there is no value
    unique: Bools  # does the model determine it?
    by_stiffness: Bools  # does the stiffness that was given determine it?

    @property
    def determined(self) -> Bools:
        """Is it unique, or determined by the stiffness that was given?"""
        return self.unique | self.by_stiffness

    def shown(self, asked: bool) -> Floats:
        """The values, NaN where they are left open: not determined, and no rule was asked for."""
        return self.values if asked else np.where(self.determined, self.values, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class HistoryLine(ValuesInTime):
    """The components of one reaction in time, in the axes of the report."""

    name: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    states: tuple[StateOfJoint, ...]  # (k,)
    axes: Floats | None  # (k, 2, 2) or (k, 3, 3) axes of its components in the world, a row each; None where they rest


@dataclass(frozen=True, slots=True, eq=False)
class StressHistory:
    """A self-stress followed along a run: the change of its joints per unit of it at every instant."""

    joints: tuple[str, ...]
    components: Floats  # (k, joints, labels) in the axes of the report
    wrenches: Floats  # (k, joints, 6) world axes


@dataclass(frozen=True, slots=True, eq=False)
class LoadInTime:
    """A given force or torque in time, at the frame on which it acts."""

    frame: int
    moment: bool
    vectors: Floats  # (k, 3) world axes [N, N m]


@dataclass(frozen=True, slots=True, eq=False)
class RunLine:
    """A motion in time, with as many instants as a screen can show."""

    t: Floats  # (k,) of the drawing [s]
    frames: Floats  # (k, frames, 12)
    times: Floats  # (j,) of the histories [s]
    histories: tuple[HistoryLine, ...]
    wrenches: Floats  # (j, joints, 6) of the joints of the report, world axes
    ranks: tuple[int, ...]  # (j,)
    stresses: tuple[StressHistory, ...]  # those of the report in time; () where they would be too many numbers
    sums: tuple[ValuesInTime, ...]  # those of the report
    loads: tuple[LoadInTime, ...]
    peaks: Peaks  # of all components and of the sums that were asked for, by the sharing rule where they are open
    events: tuple[EventLine, ...]
    until: float
    steps: int  # of the integrator


class Reference(NamedTuple):
    """A source in the literature."""

    what: str  # what it is the source of
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class ReportData:
    """The content of a report on the reactions of a mechanism at a state, and along a run."""

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
    besides_drives: str  # a phrase on drives, which the freedoms do not count
    gruebler: int
    headline: str
    source_lines: tuple[str, ...]  # warnings on the source of the model, and what was left out of it
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    joints: tuple[JointLine, ...]  # drives and couplings too; where there are very many, the least certain ones
    counts: Mapping[str, int]  # of all joints by verdict
    states: Mapping[str, int]  # of all joints by verdict, or by how much stiffness determines
    rests_on: Determination | None  # of numbers that stiffness determines
    asked: bool  # was a sharing rule asked for?  Without one numbers that are not unique are left open
    sums: tuple[ReactionSum, ...]  # that were asked for, then the simplest unique ones of open components
    stresses: tuple[StressLine, ...]
    decision: RankDecision
    tolerances: Tolerances
    motions: tuple[AdmissibleMotion, ...]
    rule: str
    rule_words: str
    run: RunLine | None
    references: tuple[Reference, ...]  # of the mechanism and of the methods that were used
    command: str
    version: str
    scene: Scene
    frames: Floats  # (k, 12) at the state
    loads: tuple[Arrow, ...]
    body_names: tuple[str, ...]
    gravity: tuple[float, ...]  # [m/s²]
    axes: str  # of components: "joint" or "world"
    units: Units = field(default_factory=Units)  # in which pages are written; data stay in SI
    turning_axes: str = ""  # a sentence on joint axes that turn with bodies
    lives: tuple[Life, ...] = ()  # L10 of bearings over the run
    error_bars: ErrorBars | None = None  # by the tolerances of the model
    coordinates: tuple[CoordinateLine, ...] = ()  # of joints, at the state and along the run
    free_bodies: tuple[FreeBody, ...] = ()  # at the state, by the sharing rule; () where there are very many bodies
    loads_known: bool = True  # False for a geometry whose masses are not known: verdicts without numbers

    @property
    def words(self) -> tuple[str, ...]:
        """All sentences that stand under the headline."""
        return (*self.source_lines, *self.sentences)

    @property
    def anything_open(self) -> bool:
        """Does any number of the report depend on the sharing rule, at its state or along its run?"""
        histories = self.run.histories if self.run else ()
        open_now = any(not c.is_determined for joint in self.joints for c in joint.components)
        return open_now or any(not history.determined.all() for history in histories)

    @property
    def anything_by_stiffness(self) -> bool:
        """Does stiffness determine any number of the report?"""
        histories = self.run.histories if self.run else ()
        stiff_now = any(c.by_stiffness for joint in self.joints for c in joint.components)
        return stiff_now or any(history.by_stiffness.any() for history in histories)

    @property
    def anything_by_rule(self) -> bool:
        """Does a number belong to the sharing rule that was asked for, at the state or along the run?"""
        histories = self.run.histories if self.run and self.asked else ()
        here = any(not (c.is_determined or self.is_open(c)) for joint in self.joints for c in joint.components)
        return here or any((~history.determined & np.isfinite(history.values)).any() for history in histories)

    def is_open(self, component: ComponentLine) -> bool:
        """Is a component left open: not determined, and no rule was asked for, or that rule does not decide it?"""
        return not component.is_determined and not (self.asked and math.isfinite(component.value))

    @property
    def anything_idle(self) -> bool:
        """Is any joint idle at the state?"""
        return any(joint.bears is False for joint in self.joints)

    @property
    def left_out(self) -> str:
        """A sentence on joints that are not in the report; empty where all are."""
        rest = sum(self.counts.values()) - len(self.joints)
        listed = f"The {len(self.joints):,} worst are shown, the least certain first, then the most loaded"
        return f"{listed}; {rest:,} more are left out, `reactio reactions --json` has them." if rest else ""
