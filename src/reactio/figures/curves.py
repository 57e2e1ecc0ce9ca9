"""Curves in panels side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactio.arrays import Floats
from reactio.figures.style import COLOURS, canvas, legend_below, save, width

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
