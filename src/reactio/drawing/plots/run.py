"""A run as a figure: bodies, reactions, energy and events over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import End
from reactio.catalogue.units import decimal, in_units, unit_name
from reactio.drawing.painter import matplotlib
from reactio.drawing.plots.loads import Loads, PlottedLoad, loads
from reactio.drawing.plots.style import COLOURS, checked, figure, legend, save, width
from reactio.errors import listed
from reactio.events.event_functions import EventAction
from reactio.model.coordinates import coordinate_names
from reactio.simulation.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CURVE_ROWS = 400  # of a curve on paper
MOST_BODIES = 6
MOST_LABELS = 12  # of events at the top
NUMBER_WIDTH, NUMBER_HEIGHT = 0.06, 0.1  # of a number at a peak, as parts of its panel
DEGREES_PER_LENGTH = 60  # of rotation that count as much as one characteristic length of displacement: about a radian
NORMAL_AXIS = 1e-3  # component of a unit axis below which it is normal to a world axis: runs are known to less
AXIS_DASHES = (("x", "-"), ("y", "--"), ("z", ":"))


def plot_run(
    run: Trajectory,
    path: str | Path | None = None,
    select: Sequence[str] = (),
    singular: Sequence[float] | None = None,
) -> Figure:
    """Draw a run, and write it to .png, .svg or .pdf where a path is given.

    Panels: positions and angles of the bodies that move most; joint coordinates, driven ones first; forces and moments
    in the joints (``select``, or the eight largest), peaks marked as in the table of peaks, solid where they are unique
    or determined by stiffness, dashed where a sharing rule made them, a hatched bar where they are not unique and none
    was asked for; energy and its balance; marks of events.
    Faint lines are singular poses (times ``singular`` [s], located when left out): reactions
    may grow beyond all bounds there.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=0.5)
    >>> len(plot_run(run).axes) > 2
    True
    """
    if path is not None:
        checked(Path(path))
    matplotlib()
    singular = [passage.t for passage in run.singular_passages.found] if singular is None else singular
    plotted = loads(run, select)
    run = run.denser(CURVE_ROWS)
    forces, moments = bool(plotted.forces), bool(plotted.moments)
    coordinates = _moving_coordinates(run)
    heights = [
        1.8,
        1.4,
        *[1.2] * len(coordinates),
        *[1.8] * (forces + moments),
        *[0.3 + 0.17 * len(plotted.masked)] * bool(plotted.masked),
        1.8,
    ]
    drawing, panels = figure(8.5, heights)
    drawing.suptitle(run.system.model.title or run.system.model.name, fontsize=10)
    rest = iter(panels)
    _bodies(next(rest), next(rest), run)
    for unit, curves in coordinates.items():
        _coordinates(next(rest), run, unit, curves)
    if forces:
        _reactions(
            next(rest), run, plotted, plotted.forces, _axis_words("force", "F", plotted.forces, "N") + _rest(plotted)
        )
    if moments:
        _reactions(next(rest), run, plotted, plotted.moments, _axis_words("moment", "M", plotted.moments, "N m"))
    if plotted.masked:
        _not_unique(next(rest), plotted)
    _energy(next(rest), run)
    _events(panels, run)
    _singular(panels, singular)
    for panel in panels:
        legend(panel)
    panels[-1].set_xlabel("time [s]", fontsize=8)
    if path is not None:
        save(drawing, Path(path))
    return drawing


def _label(panel: Axes, text: str) -> None:
    panel.set_ylabel(text, fontsize=8)


def _axis_words(what: str, letter: str, part: tuple[PlottedLoad, ...], unit: str) -> str:
    """``reaction force |F| [N]``; with its sign where every curve has one."""
    signed = all(load.signed for load in part)
    mixed = "" if signed or not any(load.signed for load in part) else f"\n(of drives {letter} with its sign)"
    return f"reaction {what} {letter if signed else f'|{letter}|'} [{unit_name(unit)}]{mixed}"


def _rest(plotted: Loads) -> str:
    return f"\n({plotted.left_out} smaller left out)" if plotted.left_out else ""


def _bodies(positions: Axes, angles: Axes, run: Trajectory) -> None:
    """The bodies that move most, in the same colour in both panels."""
    names = [body.name for body in run.system.model.bodies]
    paths = {name: run.body(name).position for name in names}
    turns = {name: _turns(run, name) for name in names}
    travels = {
        n: np.ptp(paths[n], axis=0).max() / run.system.length + np.ptp(turns[n]) / DEGREES_PER_LENGTH for n in names
    }
    loaded = _driven_or_loaded(run)
    most = sorted(names, key=lambda name: (name not in loaded, -travels[name]))[:MOST_BODIES]
    for k, name in enumerate(name for name in names if name in most):
        for path, (axis, dash) in zip(paths[name].T, AXIS_DASHES, strict=False):
            label = name if axis == "x" else None
            positions.plot(run.t, in_units(path, "m"), dash, color=COLOURS[k], label=label, linewidth=width(k))
        angles.plot(run.t, turns[name], color=COLOURS[k], linewidth=width(k))
    dashes = "x —  y – –" if run.system.space == "planar" else "x —  y – –  z ···"
    rest = [name for name in names if name not in most]
    more = f"; not {listed(rest, most=2)}" if rest else ""
    _label(positions, f"position [{unit_name('m')}]\n({dashes}{more})")
    _label(angles, "angle [°]" if run.system.space == "planar" else "turned about its main\naxis, +z (+y, +x) [°]")


def _moving_coordinates(run: Trajectory) -> dict[str, dict[str, Floats]]:
    """Joint coordinates that change, by unit, ° and m: those that are driven or stopped first, then the farthest."""
    model = run.system.model
    along = [*(drive.along for drive in model.drives), *(stop.along for stop in model.stops)]
    first = {(coordinate.joint, coordinate.name) for coordinate in along}
    named = {name: (along.joint, along.name) for name, along in coordinate_names(model).items()}
    panels: dict[str, dict[str, Floats]] = {}
    for unit, factor, shown in (("rad", 180 / np.pi, "°"), ("m", in_units(1.0, "m"), unit_name("m"))):
        curves = {name: run.coordinate(name) for name in named if name in run.coordinates}
        moving = {
            name: factor * curve.value
            for name, curve in curves.items()
            if curve.unit == unit and np.ptp(curve.value) > 0
        }
        order = sorted(
            moving, key=lambda name: (not {named[name], (named[name][0], "")} & first, -np.ptp(moving[name]))
        )
        if order:
            panels[shown] = {name: moving[name] for name in order[:MOST_BODIES]}
    return panels


def _coordinates(panel: Axes, run: Trajectory, unit: str, curves: dict[str, Floats]) -> None:
    for k, (name, values) in enumerate(curves.items()):
        panel.plot(run.t, values, color=COLOURS[k], label=name, linewidth=width(k))
    _label(panel, f"joint\ncoordinate [{unit}]")


def _driven_or_loaded(run: Trajectory) -> set[str]:
    """The bodies that matter: those that drives move against their neighbour, and those on which forces act."""
    model = run.system.model
    driven = {drive.along.joint for drive in model.drives}
    bodies = {end.body for joint in model.joints if joint.name in driven for end in (joint.a, joint.b)}
    ends = (value for force in model.forces for value in force.parameters.values())
    return bodies | {end.body for end in ends if isinstance(end, End)}


def _turns(run: Trajectory, name: str) -> Floats:
    """(k,) angle of a body in the plane; in space the angle it has turned about its main axis; 0 for points [°]."""
    turn = run.body(name).orientation
    if turn.shape[1] == 0:
        return np.full(len(run.t), 0.0)
    if turn.shape[1] == 1:
        return np.asarray(np.degrees(turn[:, 0]))
    return np.asarray(np.degrees(turned_angle(turn)))


def turned_angle(turn: Floats) -> Floats:
    """(k,) angle about the main axis of a motion, counted on over full turns [rad], from unit quaternions (k, 4).

    Between two rows a body turns by the rotation vector φ of q₊ q̄ (world axes); the main axis n is the one along which
    Σ (φ·n)² is largest, and the angle is Σ φ·n.  n points along the world's +z; +y, then +x where it is normal to
    that: bodies that move alike have the same curve.
    """
    w, v = turn[:, :1], turn[:, 1:]
    scalar = np.sum(turn[1:] * turn[:-1], axis=1)
    vector = w[:-1] * v[1:] - w[1:] * v[:-1] - np.cross(v[1:], v[:-1])
    vector = np.where((scalar < 0)[:, None], -vector, vector)
    sine = np.linalg.norm(vector, axis=1)
    angle = 2 * np.arctan2(sine, np.abs(scalar))
    steps = vector * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0)[:, None]
    if not steps.any():
        return np.zeros(len(turn))
    n = np.linalg.svd(steps, full_matrices=False)[2][0]
    sign = next(np.sign(x) for x in n[::-1] if abs(x) > NORMAL_AXIS)
    return np.concatenate([[0.0], np.cumsum(steps @ (sign * n))])


def _reactions(panel: Axes, run: Trajectory, plotted: Loads, part: tuple[PlottedLoad, ...], label: str) -> None:
    for k, load in enumerate(part):
        look: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "linewidth": width(k)}
        sure = load.unique | load.by_stiffness
        if sure.any():
            by = ", by stiffness" if load.by_stiffness.any() else ""
            panel.plot(plotted.t, np.where(sure, load.size, np.nan), label=f"{load.name}{by}", **look)
        if run.rule and (load.known & ~sure).any():
            by_rule = np.where(load.known & ~sure, load.size, np.nan)
            panel.plot(plotted.t, by_rule, "--", label=f"{load.name} (by {run.rule})", **look)
        if load.known.any():
            top = int(np.nanargmax(np.abs(load.size)))
            panel.scatter(plotted.t[top], load.size[top], s=12, color=look["color"], zorder=3)
    _peaks(panel, plotted.t, part)
    panel.margins(y=0.14)  # room for numbers at peaks
    _label(panel, label)


def _peaks(panel: Axes, t: Floats, part: tuple[PlottedLoad, ...]) -> None:
    """The number at every peak, away from zero; of peaks that lie together only at the largest."""
    from matplotlib.patheffects import withStroke

    sizes = [load.size for load in part if load.known.any()]
    tops = [(float(t[k]), float(size[k])) for size in sizes for k in [int(np.nanargmax(np.abs(size)))]]
    tall = max((np.nanmax(size) for size in sizes), default=0.0) - min((np.nanmin(size) for size in sizes), default=0.0)
    taken: list[tuple[float, float]] = []
    for x, y in sorted(tops, key=lambda top: -abs(top[1])):
        if any(abs(x - u) < NUMBER_WIDTH * (t[-1] - t[0]) and abs(y - v) < NUMBER_HEIGHT * tall for u, v in taken):
            continue
        taken.append((x, y))
        aside = (-3, "right") if x > t[-1] - 2 * NUMBER_WIDTH * (t[-1] - t[0]) else (3, "left")
        panel.annotate(
            decimal(y, 5), (x, y), (aside[0], 3 if y >= 0 else -8), textcoords="offset points",
            ha=aside[1], fontsize=6.5, path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip


def _not_unique(panel: Axes, plotted: Loads) -> None:
    """Hatched bars over the times at which a reaction is not unique: a number would be an invention."""
    for k, where in enumerate(plotted.masked.values()):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], where, [False]]).astype(int)))
        spans = [(plotted.t[a], plotted.t[min(b, len(plotted.t) - 1)] - plotted.t[a]) for a, b in edges.reshape(-1, 2)]
        panel.broken_barh(spans, (k - 0.35, 0.7), facecolor="white", edgecolor="#7F7F7F", hatch="//////", linewidth=0.6)
    panel.set_yticks(range(len(plotted.masked)), list(plotted.masked), fontsize=7)
    panel.set_ylim(len(plotted.masked) - 0.4, -0.6)
    panel.grid(False)
    _label(panel, "not all unique" + (f"\n({plotted.masked_left_out} more)" if plotted.masked_left_out else ""))


def _energy(panel: Axes, run: Trajectory) -> None:
    history = run.energy
    lines = (
        ("kinetic", "-", history.kinetic),
        ("potential", "--", history.potential),
        ("work done", "-.", history.work),
    )
    for k, (label, dash, values) in enumerate(lines):
        if np.abs(values).any():
            panel.plot(history.t, values, dash, color=COLOURS[k], label=label, linewidth=width(k))
    kept = history.total - history.work
    off = "balance" if run.energy_error is None else f"balance, off by {run.energy_error:.0e}"
    panel.plot(history.t, kept, ":", color=COLOURS[6], label=off, linewidth=1.3)
    _label(panel, "energy [J]")


def _events(panels: list[Axes], run: Trajectory) -> None:
    """A line through all panels at each event, named at the top where there is room."""
    styles = {EventAction.RECORD: ":", EventAction.IMPACT: "-.", EventAction.OPEN: "--", EventAction.CLOSE: "--"}
    styles |= {EventAction.SLACK: "--"}
    for event in run.events:
        for panel in panels:
            panel.axvline(event.t, color="#555555", linewidth=0.7, linestyle=styles.get(event.action, "-"), zorder=0)
    top = panels[0]
    for event in run.events[:MOST_LABELS] if len(run.events) <= MOST_LABELS else ():
        top.annotate(
            event.name, (event.t, 1.0), xycoords=("data", "axes fraction"), rotation=60, fontsize=6.5, va="bottom"
        )
    if len(run.events) > MOST_LABELS:
        counts = {e.name: sum(same_name.name == e.name for same_name in run.events) for e in run.events}
        words = listed([f"{name} {count}×" for name, count in counts.items()], most=6)
        top.set_title(f"events: {words}", fontsize=7, loc="left")


def _singular(panels: list[Axes], times: Sequence[float]) -> None:
    """A faint line through all panels at each singular pose."""
    for k, t in enumerate(times):
        for panel in panels:
            label = "singular pose" if k == 0 and panel is panels[0] else None
            panel.axvline(t, color="#9467BD", alpha=0.5, linewidth=1.2, linestyle=(0, (1, 1)), zorder=0, label=label)
