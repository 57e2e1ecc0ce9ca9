"""Curves and grouped bars in panels side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.plots.style import COLOURS, canvas, legend_below, save, width

DASHES = ("-", "--", ":", "-.")  # tell curves apart in grey


@dataclass(frozen=True, slots=True)
class Curve:
    """y over x with its name in the legend."""

    label: str
    x: Floats
    y: Floats
    marker: str = ""  # points instead of a line: ".", "o", "x"
    colour: int | None = None  # number of its colour; its place among the curves if left out


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves on common axes."""

    title: str
    y_label: str  # with its unit
    curves: Sequence[Curve]
    x_label: str = "t [s]"
    equal: bool = False  # one scale for both axes, as for paths in the plane
    x_limits: tuple[float, float] | None = None
    y_limits: tuple[float | None, float | None] | None = None
    marks: Sequence[float] = ()  # places on the x axis with a dotted line, such as singular poses


def draw(path: Path, panels: Sequence[Panel], columns: int = 1, height: float = 3.4) -> Path:
    """Write a figure of panels to a file; its ending says the format."""
    rows = -(-len(panels) // columns)
    figure, grid = canvas(rows, columns, 6.4 if columns == 1 else 4.6, height)
    for place, panel in enumerate(panels):
        paint(figure.add_subplot(grid[place // columns, place % columns]), panel)
    save(figure, path)
    return path


def paint(axes: Any, panel: Panel) -> None:
    """Draw a panel, with the names of its curves below, where they hide no curve."""
    for k, curve in enumerate(panel.curves):
        colour, dash = COLOURS[(k if curve.colour is None else curve.colour) % len(COLOURS)], DASHES[k % len(DASHES)]
        if curve.marker:
            axes.plot(curve.x, curve.y, curve.marker, label=curve.label, color=colour, markersize=3)
        else:
            # Later lines are thinner, so that lines that coincide all show.
            axes.plot(curve.x, curve.y, label=curve.label, linewidth=width(2 * k), color=colour, linestyle=dash)
    for x in panel.marks:
        axes.axvline(x, color="0.6", linestyle=":", linewidth=0.8, zorder=0)
    axes.set_title(panel.title, fontsize=9)
    axes.set(xlabel=panel.x_label, ylabel=panel.y_label)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if panel.equal:
        axes.set_aspect("equal", adjustable="datalim")
    if panel.x_limits is not None:
        axes.set_xlim(*panel.x_limits)
    if panel.y_limits is not None:
        axes.set_ylim(*panel.y_limits)
    if len(panel.curves) > 1:
        legend_below(axes)


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Groups of bars with a name each; a colour for every series."""

    title: str
    y_label: str  # with its unit
    groups: Sequence[str]
    series: Mapping[str, Sequence[float] | Floats]  # name → a number for each group


def draw_bars(path: Path, panels: Sequence[BarPanel]) -> Path:
    """Write a figure of bars to a file; its ending says the format."""
    figure, grid = canvas(1, len(panels), 4.4, 3.4)
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(grid[0, place])
        width = 0.8 / len(panel.series)
        for k, (name, values) in enumerate(panel.series.items()):
            at = np.arange(len(panel.groups)) + (k - (len(panel.series) - 1) / 2) * width
            axes.bar(at, values, width, label=name, color=COLOURS[k % len(COLOURS)])
        axes.set_xticks(range(len(panel.groups)), panel.groups, fontsize=8)
        axes.axhline(0.0, color="0.3", linewidth=0.6)
        axes.set_title(panel.title, fontsize=9)
        axes.set_ylabel(panel.y_label)
        axes.spines[["top", "right"]].set_visible(False)
        legend_below(axes)
    save(figure, path)
    return path
