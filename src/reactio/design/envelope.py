"""The loads of every joint over a motion: extremes with their times, root-mean-cube loads, and bearing life.

The root-mean-cube load is (1/T ∫ |x|³ dt)^(1/3).  Life of a bearing with load rating C and exponent p (3 for balls,
10/3 for rollers): L10 = (C/P)^p 10⁶ revolutions, P the mean of the equivalent load X F_r + Y F_a over the revolutions,
(∫ P^p |ω| dt / ∫ |ω| dt)^(1/p).  [ISO 281]
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, listed
from reactio.model.model import Model
from reactio.places import GROUND
from reactio.reaction_bounds.intervals import bounded
from reactio.simulation.peaks import noise
from reactio.simulation.simulate import simulate
from reactio.simulation.state_history import JointHistory
from reactio.simulation.trajectory import Trajectory
from reactio.system.constraints import LABELS, UNITS
from reactio.system.types import System

ENVELOPE_INSTANTS = 401  # of a motion; ``Envelope.change`` tells whether they suffice
OPEN_LOAD = "open"
UNIQUE_LOAD = "unique"
INTERVAL = "interval"
TURNS_PER_RADIAN = 1 / (2 * np.pi)
# Loads by which bearings are chosen, the z axis of a joint being its axis: (name, unit, function of Fx Fy Fz Mx My Mz).
BEARING_LOADS: dict[str, tuple[tuple[str, str, Callable[[Floats], Floats]], ...]] = {
    "planar": (("radial", "N", lambda w: np.hypot(w[:, 0], w[:, 1])),),
    "spatial": (
        ("radial", "N", lambda w: np.hypot(w[:, 0], w[:, 1])),
        ("axial", "N", lambda w: np.abs(w[:, 2])),
        ("bending", "N m", lambda w: np.hypot(w[:, 3], w[:, 4])),
    ),
}
LOAD_COMPONENTS = {"radial": [0, 1], "axial": [2], "bending": [3, 4]}  # components of which each of them is computed


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
    by: str  # "unique", "interval", "open", or the sharing rule


@dataclass(frozen=True, slots=True)
class Life:
    """L10 of a bearing."""

    joint: str
    mean_load: float | None  # equivalent load over the revolutions [N]
    revolutions: float  # of the motion
    millions: float | None  # L10 in 10⁶ revolutions
    hours: float | None  # L10 when the motion is repeated
    by: str


@dataclass(frozen=True, eq=False)
class Envelope:
    """The loads of all joints over a motion."""

    model: Model
    until: float
    rows: int
    loads: tuple[LoadHistory, ...]
    lives: tuple[Life, ...]
    change: float | None  # of the largest values when every second instant is left out, part of the largest
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<Envelope of {self.model.name}: {len(self.loads)} loads over 0 … {self.until:g} s, {self.rows} instants>"
        )

    def __getitem__(self, name: str) -> LoadHistory:
        """A load by name, ``B.Fz`` or ``B.radial``."""
        for load in self.loads:
            if f"{load.joint}.{load.part}" == name:
                return load
        from reactio.errors import did_you_mean

        known = [f"{load.joint}.{load.part}" for load in self.loads]
        raise ReactioError(f"There is no load '{name}'.{did_you_mean(name, known)}")

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        from dataclasses import asdict

        return {
            "schema": "reactio.envelope/1",
            "model": self.model.name,
            "until": self.until,
            "rows": self.rows,
            "change_with_half_the_rows": self.change,
            "loads": [asdict(load) for load in self.loads],
            "lives": [asdict(life) for life in self.lives],
            "notes": list(self.notes),
        }

    def to_csv(self) -> str:
        """A line for each component and part."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["joint", "part", "unit", "least", "at [s]", "largest", "at [s]", "root-mean-cube", "by"])
        for load in self.loads:
            numbers = (load.least, load.t_least, load.largest, load.t_largest, load.cubic)
            shown = ["" if x is None else f"{x:.9g}" for x in numbers]
            writer.writerow([load.joint, load.part, load.unit, *shown, load.by])
        return out.getvalue()


def envelope(
    source: Trajectory | Model | System,
    until: float | None = None,
    *,
    rule: str | None = None,
    rows: int = ENVELOPE_INSTANTS,
    interval: bool = False,
) -> Envelope:
    """Smallest, largest and root-mean-cube of every component, and of the radial, axial and bending part, of a run.

    A model is run ``until`` a time [s] first, its open reactions split by ``rule`` if one is named (``compliance`` for
    the stiffnesses of the model).  ``interval``: open components get their bounds over all splits of the model.

    >>> import reactio
    >>> found = envelope(reactio.load("four-bar-spatial"), until=0.05, rows=5)
    >>> found["B.Fx"].by, found["B.Fz"].by, found["B.Fz"].largest is None
    ('unique', 'open', True)
    """
    run = source if isinstance(source, Trajectory) else _run(source, until, rule, rows)
    if len(run.t) < 2:
        raise ReactioError("An envelope needs a run of two instants at least.")
    system = run.system
    loads: list[LoadHistory] = []
    lives: list[Life] = []
    intervals = _intervals(run) if interval and run.rule is None else {}
    rounding = noise(run.reactions)
    for group in system.reacting:
        history = run[group.name]
        table, names, units = _table(history, system.space, group.frames is not None)
        table = np.where(np.abs(table) <= rounding, 0.0, table)
        known = np.all([one[group.name].determined_in_joint for one in run.reactions], axis=0).tolist()
        words = [UNIQUE_LOAD if sure else run.rule or OPEN_LOAD for sure in known]
        loads += [
            _load(group.name, n, u, x, run.t, by, intervals.get((group.name, n)))
            for n, u, x, by in zip(names, units, table.T, words, strict=True)
        ]
        if group.frames is None:
            continue
        wrench = table
        parts = [(name, unit, part(wrench)) for name, unit, part in BEARING_LOADS[system.space]]
        whole = {
            name: UNIQUE_LOAD if all(known[k] for k in LOAD_COMPONENTS[name]) else run.rule or OPEN_LOAD
            for name, _, _ in parts
        }
        loads += [
            _load(group.name, n, u, x, run.t, whole[n], _part_between(group.name, n, system.space, intervals))
            for n, u, x in parts
        ]
        bearing = system.model.joint(group.name).bearing if group.name in system.model.joint_index else {}
        if bearing:
            by = (
                UNIQUE_LOAD
                if all(whole.get(n, UNIQUE_LOAD) == UNIQUE_LOAD for n in ("radial", "axial"))
                else run.rule or OPEN_LOAD
            )
            lives.append(_life(run, group.name, {name: x for name, _, x in parts}, bearing, by))
    notes = tuple(run.notes) + _said(run, loads, interval)
    return Envelope(system.model, float(run.t[-1]), len(run.t), tuple(loads), tuple(lives), _change(run, loads), notes)


def _run(source: Model | System, until: float | None, rule: str | None, rows: int) -> Trajectory:
    if until is None:
        raise ReactioError("An envelope is one over a motion: say until when, in seconds.")
    if rows < 3:
        raise ReactioError(f"{rows} rows: an envelope needs 3 at least.")
    run = simulate(source, until, rule=rule, output=rows)
    if run.checkpoint.t < until * (1 - 1e-12):
        raise ReactioError(f"The motion ends at t = {run.checkpoint.t:g} s, not at {until:g} s: {run.status.value}")
    return run


def _table(history: JointHistory, space: str, joint: bool) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """The components (k, ·) in joint axes with their names and units."""
    table = np.hstack([history.force_in_joint, history.moment_in_joint])
    if joint:
        return table, LABELS[space], UNITS[space]
    return (table, ("F",), ("N",)) if history.force.shape[1] else (table, ("M",), ("N m",))


def _load(
    name: str, part: str, unit: str, x: Floats, t: Floats, by: str, between: tuple[Floats, Floats] | None
) -> LoadHistory:
    if np.isfinite(x).all():
        low, high = int(x.argmin()), int(x.argmax())
        return LoadHistory(
            name, part, unit, float(x[low]), float(t[low]), float(x[high]), float(t[high]), _cubic(x, t), by
        )
    if between is not None:
        low, high = int(between[0].argmin()), int(between[1].argmax())
        ends = ((float(between[0][low]), float(t[low])), (float(between[1][high]), float(t[high])))
        (least, t_least), (largest, t_largest) = (end if np.isfinite(end[0]) else (None, None) for end in ends)
        return LoadHistory(name, part, unit, least, t_least, largest, t_largest, None, INTERVAL)
    return LoadHistory(name, part, unit, None, None, None, None, None, OPEN_LOAD)


def _cubic(x: Floats, t: Floats) -> float:
    return float((np.trapezoid(np.abs(x) ** 3, t) / (t[-1] - t[0])) ** (1 / 3))


def _intervals(run: Trajectory) -> dict[tuple[str, str], tuple[Floats, Floats]]:
    """Least and largest value of every component at each row, over all splits."""
    found: dict[tuple[str, str], Floats] = {}
    for k, here in enumerate(run.reactions):
        for joint, parts in bounded(here.eqs, here.answer, here.motion).items():
            for part, one in parts.items():
                found.setdefault((joint, part), np.zeros((len(run.t), 2)))[k] = one.low, one.high
    return {key: (ends[:, 0], ends[:, 1]) for key, ends in found.items()}


def _part_between(
    joint: str, part: str, space: str, intervals: Mapping[tuple[str, str], tuple[Floats, Floats]]
) -> tuple[Floats, Floats] | None:
    """Bounds of a bearing load at each row, from the intervals of its components.

    Components are bounded one by one, so that the bounds may be wider than those of any single split.
    """
    labels = [LABELS[space][k] for k in LOAD_COMPONENTS[part]]
    ends = [intervals[joint, label] for label in labels if (joint, label) in intervals]
    if not ends:
        return None
    sizes = [np.maximum(np.abs(low), np.abs(high)) for low, high in ends]
    least = [np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high))) for low, high in ends]
    return np.sqrt(np.sum(np.square(least), axis=0)), np.sqrt(np.sum(np.square(sizes), axis=0))


def _life(run: Trajectory, name: str, parts: Mapping[str, Floats], bearing: Mapping[str, float], by: str) -> Life:
    X, Y, p = bearing.get("X", 1.0), bearing.get("Y", 1.0), bearing.get("p", 3.0)
    load = X * parts["radial"] + (Y * parts["axial"] if "axial" in parts else 0.0)
    speed = np.linalg.norm(_turning(run, name), axis=1)
    turned = float(np.trapezoid(speed, run.t))
    turns = turned * TURNS_PER_RADIAN
    if not np.isfinite(load).all():
        return Life(name, None, turns, None, None, OPEN_LOAD)
    if turned == 0.0:
        return Life(name, None, 0.0, None, None, by)
    mean = float((np.trapezoid(load**p * speed, run.t) / turned) ** (1 / p))
    if mean == 0.0:
        return Life(name, 0.0, turns, None, None, by)
    millions = (bearing["C"] / mean) ** p
    hours = millions * 1e6 / turns * (run.t[-1] - run.t[0]) / 3600
    return Life(name, mean, turns, float(millions), float(hours), by)


def _turning(run: Trajectory, name: str) -> Floats:
    """The angular velocity (k, 1 or 3) of body b relative to body a [rad/s]."""
    joint = run.system.model.joint(name)
    size = 1 if run.system.space == "planar" else 3
    ends = [
        np.zeros((len(run.t), size)) if end.body == GROUND else run.body(end.body).angular_velocity
        for end in (joint.a, joint.b)
    ]
    return ends[1] - ends[0]


def _change(run: Trajectory, loads: list[LoadHistory]) -> float | None:
    """The change of the largest magnitudes when every second instant is left out, to show that there are enough."""
    scale = max((abs(v) for one in loads for v in (one.least, one.largest) if v is not None), default=0.0)
    if not scale:  # all loads are open, or zero
        return None
    changes = []
    for group in run.system.reacting:
        history = run[group.name]
        for x in np.hstack([history.force_in_joint, history.moment_in_joint]).T:
            if np.isfinite(x).all() and np.abs(x).max() > 0:
                changes.append((np.abs(x).max() - np.abs(x[::2]).max()) / scale)
    return float(max(changes)) if changes else None


def _said(run: Trajectory, loads: list[LoadHistory], interval: bool) -> tuple[str, ...]:
    left = [f"{load.joint}.{load.part}" for load in loads if load.by == OPEN_LOAD]
    if not left or interval:
        return ()
    return (
        f"Not determined by the rigid model: {listed(left, most=6)}. Name a sharing rule (--rule "
        "compliance uses the stiffnesses of the model), or ask for --interval.",
    )
