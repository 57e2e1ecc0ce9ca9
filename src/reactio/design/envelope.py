"""The loads of every joint over a motion: extremes with their times, root-mean-cube loads, and bearing life.

The root-mean-cube load is (1/T ∫ |x|³ dt)^(1/3).  Life of a bearing with load rating C and exponent p (3 for balls,
10/3 for rollers): L10 = (C/P)^p 10⁶ revolutions, P the mean of the equivalent load X F_r + Y F_a over the revolutions,
(∫ P^p |ω| dt / ∫ |ω| dt)^(1/p).  [ISO 281]
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.bearings import BEARINGS, BearingKind, equivalent_static_load
from reactio.catalogue.places import GROUND, ReactionAxes
from reactio.catalogue.units import in_units, unit_name
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.joint_reactions.at_state import refuse_unknown_masses
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS
from reactio.joints import TENSION
from reactio.model.bearing import bearing_numbers
from reactio.model.model import Model
from reactio.reaction_bounds.intervals import bounded
from reactio.results.as_data import Result
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.simulation.peaks import noise
from reactio.simulation.trajectory import Trajectory
from reactio.system.constraints import COMPONENT_UNITS, LABELS
from reactio.system.equations import Equations
from reactio.system.types import State, System

ENVELOPE_INSTANTS = 401  # of a motion; ``Envelope.change`` shows whether they suffice
BALL_LIFE_EXPONENT = 3.0  # of a bearing that does not say its type
TURNS_PER_RADIAN = 1 / (2 * np.pi)


class LoadBasis(StrEnum):
    """What the numbers of a load rest on, where it is not a sharing rule."""

    UNIQUE = "unique"  # the rigid model determines the load
    STIFFNESS = DETERMINED_BY_STIFFNESS  # the stiffnesses that the model gives determine it
    INTERVAL = "interval"  # its bounds over all splits that the model allows
    OPEN = "open"  # nothing: there are no numbers


class BearingLoad(NamedTuple):
    """A load by which bearings are chosen, the z axis of a joint being its axis: the size of some components."""

    name: str
    unit: str
    components: tuple[str, ...]

    def columns(self, space: str) -> list[int]:
        """The columns of its components in a table of Fx, Fy, …, Mz."""
        return [LABELS[space].index(label) for label in self.components]

    def size(self, wrenches: Floats, space: str) -> Floats:
        """(k,) of wrenches (k, components) in joint axes."""
        return np.asarray(np.abs(np.hypot.reduce(wrenches[:, self.columns(space)], axis=1)))


RADIAL = BearingLoad("radial", "N", ("Fx", "Fy"))
AXIAL = BearingLoad("axial", "N", ("Fz",))
BENDING = BearingLoad("bending", "N m", ("Mx", "My"))
BEARING_LOADS = {"planar": (RADIAL,), "spatial": (RADIAL, AXIAL, BENDING)}


@dataclass(frozen=True, slots=True)
class LoadHistory:
    """One component or bearing load of a joint over a motion; None where the model does not determine it."""

    joint: str
    part: str
    unit: str
    least: float | None
    t_least: float | None
    largest: float | None
    t_largest: float | None
    cubic: float | None  # root-mean-cube; None for an interval too
    by: str  # a LoadBasis, or the sharing rule


@dataclass(frozen=True, slots=True)
class Life:
    """L10 of a bearing."""

    joint: str
    mean_load: float | None  # equivalent load over the revolutions [N]
    revolutions: float  # of the motion
    millions: float | None  # L10 in 10⁶ revolutions
    hours: float | None  # L10 when the motion is repeated
    static_safety: float | None  # C0 over the largest equivalent static load; None where C0 or the load is not given
    by: str  # as that of its loads


@dataclass(frozen=True, eq=False)
class Envelope(Result, Tabular):
    """The loads of all joints over a motion."""

    SCHEMA = "reactio.envelope/1"
    KEYS = "model=model.name until rows axes change_with_half_the_rows=change loads lives notes"

    model: Model
    until: float
    rows: int
    loads: tuple[LoadHistory, ...]
    lives: tuple[Life, ...]
    change: float | None  # of the largest values when every second instant is left out, part of the largest
    notes: tuple[str, ...]
    axes: str = ReactionAxes.JOINT  # of components; radial, axial and bending parts are about z of each joint

    def __repr__(self) -> str:
        return (
            f"<Envelope of {self.model.name}: {len(self.loads)} loads over 0 … {self.until:g} s, {self.rows} instants>"
        )

    def __getitem__(self, name: str) -> LoadHistory:
        """A load by name, ``B.Fz`` or ``B.radial``."""
        for load in self.loads:
            if f"{load.joint}.{load.part}" == name:
                return load
        known = [f"{load.joint}.{load.part}" for load in self.loads]
        raise ReactioError(f"There is no load '{name}'.{did_you_mean(name, known)}")

    def to_csv(self) -> str:
        """A line for each component and part."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["joint", "part", "unit", "least", "at [s]", "largest", "at [s]", "root-mean-cube", "by"])
        for load in self.loads:
            least, largest, cubic = (in_units(x, load.unit) for x in (load.least, load.largest, load.cubic))
            numbers = (least, load.t_least, largest, load.t_largest, cubic)
            shown = ["" if x is None else f"{x:.9g}" for x in numbers]
            writer.writerow([load.joint, load.part, unit_name(load.unit), *shown, load.by])
        return out.getvalue()

    def table(self) -> ResultTable:
        """Least, largest and root-mean-cube of every load."""
        heads = ("joint", "part", "least", "t_least", "largest", "t_largest", "cubic", "unit", "by")
        rows = [tuple(getattr(load, head) for head in heads) for load in self.loads]
        return table_of(f"{self!r}"[1:-1], heads, rows, 2, ("least", "largest"), " ".join(self.notes))


def envelope(
    source: Trajectory | Model | System | Equations,
    until: float | None = None,
    *,
    rule: str | None = None,
    rows: int = ENVELOPE_INSTANTS,
    interval: bool = False,
    state: State | None = None,
    axes: str = ReactionAxes.JOINT,
) -> Envelope:
    """Smallest, largest and root-mean-cube of every component, and of the radial, axial and bending part, of a run.

    Rods, cables and struts have one, their tension N; the teeth of gears and racks have Ft and Fr.

    A model is run ``until`` a time [s] first, from its start or from ``state``; its undetermined reactions are split by
    ``rule`` if one is named (``compliance`` for the stiffnesses of the model).  ``interval``: undetermined components
    get their range over all load distributions.  ``axes``: of the components; radial, axial and bending parts are about
    the z axis of each joint in either case.

    >>> import reactio
    >>> found = envelope(reactio.load("four-bar-spatial"), until=0.05, rows=5)
    >>> str(found["B.Fx"].by), str(found["B.Fz"].by), found["B.Fz"].largest is None
    ('unique', 'open', True)
    """
    run = source if isinstance(source, Trajectory) else _run(source, until, rule, rows, state)
    if len(run.t) < 2:
        raise ReactioError("An envelope needs a run of two instants at least.")
    refuse_unknown_masses(run.system.model)
    intervals = _intervals(run) if interval and run.rule is None else {}
    tables, named = _tables(run), _tables(run, axes)
    if axes != ReactionAxes.JOINT and intervals:
        raise ReactioError("Bounds over all load distributions (--interval) are in joint axes: leave out --axes.")
    loads: list[LoadHistory] = []
    lives: list[Life] = []
    for table, shown in zip(tables, named, strict=True):
        lines = () if axes == ReactionAxes.WORLD else run.system.group(table.joint).line_labels
        loads += _loads_of_components(run, _of_one_force(shown, lines) if lines else shown, intervals)
        group = run.system.group(table.joint)
        if group.frames is not None:
            loads += () if group.line_labels else _bearing_loads(run, table, intervals)
            lives += _lives(run, table)
    notes = tuple(run.notes) + _note_on_open_loads(loads, interval)
    change = _change_with_half_the_instants(tables, loads)
    return Envelope(run.system.model, float(run.t[-1]), len(run.t), tuple(loads), tuple(lives), change, notes, axes)


class ComponentsOverRun(NamedTuple):
    """The components of a joint, drive or coupling over a motion, rounding set to zero."""

    joint: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats  # (k, components) [N, N m]; NaN where a component is not unique and no rule was given
    unique: tuple[bool, ...]  # (components,) at every instant
    decided: tuple[bool, ...]  # (components,) at every instant, by the rigid model or by stiffness

    def basis(self, columns: Iterable[int], rule: str | None) -> str:
        """The basis of a load of some components."""
        columns = list(columns)
        if all(self.unique[k] for k in columns):
            return LoadBasis.UNIQUE
        return LoadBasis.STIFFNESS if all(self.decided[k] for k in columns) else rule or LoadBasis.OPEN


class LoadBounds(NamedTuple):
    """The ends of a load at each row of a run, over all splits that the model allows."""

    low: Floats  # (k,)
    high: Floats  # (k,)


Intervals = Mapping[tuple[str, str], LoadBounds]  # (joint, component) → its bounds


def _run(
    source: Model | System | Equations, until: float | None, rule: str | None, rows: int, state: State | None
) -> Trajectory:
    """The run of a model until a time [s], with so many rows."""
    if until is None:
        raise ReactioError("An envelope covers a motion: give its end time, in seconds.")
    if rows < 3:
        raise ReactioError(f"{rows} rows: an envelope needs 3 at least.")
    from reactio.simulation.simulate import simulate

    run = simulate(source, until, rule=rule, output=rows, state=state)
    if run.checkpoint.t < until * (1 - 1e-12):
        raise ReactioError(f"The motion ends at t = {run.checkpoint.t:g} s, not at {until:g} s: {run.status.value}")
    return run


def _tables(run: Trajectory, axes: str = ReactionAxes.JOINT) -> list[ComponentsOverRun]:
    """The components of every joint, drive and coupling over a run, in joint or world axes."""
    rounding, space, components = noise(run.reactions), run.system.space, []
    for group in run.system.reacting:
        history = run[group.name]
        world = axes == ReactionAxes.WORLD
        wrench = (history.force, history.moment) if world else (history.force_in_joint, history.moment_in_joint)
        values = np.hstack(wrench)
        labels, units = LABELS[space], COMPONENT_UNITS[space]
        if group.frames is None:
            labels, units = (("F",), ("N",)) if history.force.shape[1] else (("M",), ("N m",))
        parts = [reactions[group.name].in_axes(axes) for reactions in run.reactions]
        unique = np.array([part.determined for part in parts], dtype=bool)
        decided = unique | np.array([part.by_stiffness for part in parts], dtype=bool)
        cleaned = np.where(np.abs(values) <= rounding, 0.0, values)
        throughout = [tuple(bool(column.all()) for column in flags.T) for flags in (unique, decided)]
        components.append(ComponentsOverRun(group.name, labels, units, cleaned, *throughout))
    return components


def _of_one_force(table: ComponentsOverRun, labels: tuple[str, ...]) -> ComponentsOverRun:
    """The tension N of a member, or the forces Ft and Fr of teeth, of a table in joint axes."""
    size = len(labels)
    values = 0.0 - table.values if labels == (TENSION,) else table.values  # without minus zeros
    units = table.units[:size]
    return ComponentsOverRun(table.joint, labels, units, values[:, :size], table.unique[:size], table.decided[:size])


def _loads_of_components(run: Trajectory, table: ComponentsOverRun, intervals: Intervals) -> list[LoadHistory]:
    """The extremes of every component of a joint, drive or coupling."""
    return [
        _load(table.joint, label, unit, x, run.t, table.basis([k], run.rule), intervals.get((table.joint, label)))
        for k, (label, unit, x) in enumerate(zip(table.labels, table.units, table.values.T, strict=True))
    ]


def _bearing_loads(run: Trajectory, table: ComponentsOverRun, intervals: Intervals) -> list[LoadHistory]:
    """The extremes of the bearing loads of a joint."""
    space, loads = run.system.space, []
    for part in BEARING_LOADS[space]:
        x, by = part.size(table.values, space), table.basis(part.columns(space), run.rule)
        loads.append(_load(table.joint, part.name, part.unit, x, run.t, by, _bounds(table.joint, part, intervals)))
    return loads


def _load(joint: str, part: str, unit: str, x: Floats, t: Floats, by: str, between: LoadBounds | None) -> LoadHistory:
    """The extremes of a load x (k,) at the times t, or those of its bounds where it is not known throughout."""
    if np.isfinite(x).all():
        (least, t_least), (largest, t_largest) = _at(x, t, int(x.argmin())), _at(x, t, int(x.argmax()))
        return LoadHistory(joint, part, unit, least, t_least, largest, t_largest, _root_mean_cube(x, t), by)
    if between is None:
        return LoadHistory(joint, part, unit, None, None, None, None, None, LoadBasis.OPEN)
    least, t_least = _at(between.low, t, int(between.low.argmin()))
    largest, t_largest = _at(between.high, t, int(between.high.argmax()))
    return LoadHistory(joint, part, unit, least, t_least, largest, t_largest, None, LoadBasis.INTERVAL)


def _at(x: Floats, t: Floats, row: int) -> tuple[float, float] | tuple[None, None]:
    """The value in a row and its time; none where it is infinite."""
    return (float(x[row]), float(t[row])) if np.isfinite(x[row]) else (None, None)


def _root_mean_cube(x: Floats, t: Floats) -> float:
    return float((np.trapezoid(np.abs(x) ** 3, t) / (t[-1] - t[0])) ** (1 / 3))


def _intervals(run: Trajectory) -> dict[tuple[str, str], LoadBounds]:
    """Least and largest value of every component at each row, over all splits."""
    bounds: dict[tuple[str, str], LoadBounds] = {}
    for k, reactions in enumerate(run.reactions):
        for joint, parts in bounded(reactions.eqs, reactions.answer, reactions.motion).items():
            for part, bound in parts.items():
                empty = LoadBounds(np.zeros(len(run.t)), np.zeros(len(run.t)))
                low, high = bounds.setdefault((joint, part), empty)
                low[k], high[k] = bound.low, bound.high
    return bounds


def _bounds(joint: str, part: BearingLoad, intervals: Intervals) -> LoadBounds | None:
    """Bounds of a bearing load at each row, from the intervals of its components.

    Components are bounded one by one, so that the bounds may be wider than those of any single split.
    """
    ends = [intervals[joint, label] for label in part.components if (joint, label) in intervals]
    if not ends:
        return None
    sizes = [np.maximum(np.abs(low), np.abs(high)) for low, high in ends]
    least = [np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high))) for low, high in ends]
    return LoadBounds(np.sqrt(np.sum(np.square(least), axis=0)), np.sqrt(np.sum(np.square(sizes), axis=0)))


def _lives(run: Trajectory, table: ComponentsOverRun) -> list[Life]:
    """The life of the bearing of a joint, if the model gives it one."""
    model, space = run.system.model, run.system.space
    bearing = model.joint(table.joint).bearing if table.joint in model.joint_index else {}
    if not bearing:
        return []
    numbers = bearing_numbers(bearing)
    kind = BEARINGS.get(str(bearing["type"])) if "type" in bearing else None
    X, Y = numbers.get("X", 1.0), numbers.get("Y", 1.0)
    parts = [part for part in BEARING_LOADS[space] if part in (RADIAL, AXIAL)]
    radial = RADIAL.size(table.values, space)
    axial = AXIAL.size(table.values, space) if AXIAL in parts else np.zeros_like(radial)
    by = table.basis([k for part in parts for k in part.columns(space)], run.rule)
    safety = _static_safety(kind, numbers, radial, axial)
    p = numbers.get("p", (kind.life_exponent if kind else None) or BALL_LIFE_EXPONENT)
    return [replace(_life(run, table.joint, X * radial + Y * axial, numbers.get("C"), p, by), static_safety=safety)]


def _static_safety(kind: BearingKind | None, numbers: dict[str, float], radial: Floats, axial: Floats) -> float | None:
    """C0 over the largest equivalent static load of loads (k,) [N]; None where one is not known, or all are zero."""
    if kind is None or "C0" not in numbers or not np.isfinite(radial + axial).all():
        return None
    pairs = zip(radial.tolist(), axial.tolist(), strict=True)
    largest = max(equivalent_static_load(kind, numbers, *pair) for pair in pairs)
    return numbers["C0"] / largest if largest else None


def _life(run: Trajectory, joint: str, load: Floats, C: float | None, p: float, by: str) -> Life:
    """L10 of a bearing with load rating C [N] and exponent p under the equivalent load (k,) [N]."""
    speed = np.linalg.norm(_angular_velocity(run, joint), axis=1)
    turned = float(np.trapezoid(speed, run.t))
    turns = turned * TURNS_PER_RADIAN
    if not np.isfinite(load).all():
        return Life(joint, None, turns, None, None, None, LoadBasis.OPEN)
    if turned == 0.0:
        return Life(joint, None, 0.0, None, None, None, by)
    mean = float((np.trapezoid(load**p * speed, run.t) / turned) ** (1 / p))
    if mean == 0.0 or C is None:
        return Life(joint, mean, turns, None, None, None, by)
    millions = (C / mean) ** p
    hours = millions * 1e6 / turns * (run.t[-1] - run.t[0]) / 3600
    return Life(joint, mean, turns, float(millions), float(hours), None, by)


def _angular_velocity(run: Trajectory, name: str) -> Floats:
    """The angular velocity (k, 1 or 3) of body b relative to body a [rad/s]."""
    joint = run.system.model.joint(name)
    size = run.system.sizes.rotation
    ends = [
        np.zeros((len(run.t), size)) if end.body == GROUND else run.body(end.body).angular_velocity
        for end in (joint.a, joint.b)
    ]
    return ends[1] - ends[0]


def _change_with_half_the_instants(tables: Iterable[ComponentsOverRun], loads: Iterable[LoadHistory]) -> float | None:
    """The largest change of a largest magnitude when every second instant is left out, part of the largest load.

    It shows whether the instants suffice.  None where no load is known, or all are zero.
    """
    scale = max((abs(x) for load in loads for x in (load.least, load.largest) if x is not None), default=0.0)
    if not scale:
        return None
    known = [np.abs(x) for table in tables for x in table.values.T if np.isfinite(x).all() and x.any()]
    return max((float((x.max() - x[::2].max()) / scale) for x in known), default=None)


def _note_on_open_loads(loads: Iterable[LoadHistory], interval: bool) -> tuple[str, ...]:
    """A sentence on the loads that have no numbers, and how to get some."""
    undetermined = [f"{load.joint}.{load.part}" for load in loads if load.by == LoadBasis.OPEN]
    if not undetermined or interval:
        return ()
    return (
        f"The rigid model does not determine {listed(undetermined, most=6)}. Name a sharing rule (--rule "
        "compliance uses the stiffnesses of the model), or ask for --interval.",
    )
