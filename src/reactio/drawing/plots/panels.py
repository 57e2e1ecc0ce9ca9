"""Curves and grouped bars in panels side by side, and the numbers behind them as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.plots.style import COLOURS, canvas, legend_below, save, space_ticks, title_above, width
from reactio.operating_system.files import write_csv

DASHES = ("-", "--", ":", "-.")  # tell curves apart in grey
NUMBER_COLUMNS = ("panel", "curve", "x_axis", "x", "y_axis", "y")

PlottedPoint = tuple[str, object, object]  # name of the curve, x (a number or the name of a group), y


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
    named: bool = True  # names of the curves below; without them they are in the table of numbers only

    def paint(self, axes: Any) -> None:
        """Draw the curves, with their names below, where they hide no curve."""
        for k, curve in enumerate(self.curves):
            colour = COLOURS[(k if curve.colour is None else curve.colour) % len(COLOURS)]
            if curve.marker:
                axes.plot(curve.x, curve.y, curve.marker, label=curve.label, color=colour, markersize=3)
            else:
                # Later lines are thinner, so that lines that coincide all show.
                dash = DASHES[k % len(DASHES)]
                axes.plot(curve.x, curve.y, label=curve.label, linewidth=width(2 * k), color=colour, linestyle=dash)
        for x in self.marks:
            axes.axvline(x, color="0.6", linestyle=":", linewidth=0.8, zorder=0)
        title_above(axes, self.title)
        axes.set(xlabel=self.x_label, ylabel=self.y_label)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if self.equal:
            axes.set_aspect("equal", adjustable="datalim")
        if self.x_limits is not None:
            axes.set_xlim(*self.x_limits)
        if self.y_limits is not None:
            axes.set_ylim(*self.y_limits)
        space_ticks(axes)
        if self.named and len(self.curves) > 1:
            legend_below(axes)

    def points(self) -> Iterator[PlottedPoint]:
        """All points of all curves."""
        for curve in self.curves:
            for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True):
                yield curve.label, x, y


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Groups of bars with a name each; a colour for every series."""

    title: str
    y_label: str  # with its unit
    groups: Sequence[str]
    series: Mapping[str, Sequence[float] | Floats]  # name → a number for each group
    x_label: str = ""

    def paint(self, axes: Any) -> None:
        """Draw the bars, with the names of the series below."""
        thickness = 0.8 / len(self.series)
        for k, (name, values) in enumerate(self.series.items()):
            at = np.arange(len(self.groups)) + (k - (len(self.series) - 1) / 2) * thickness
            axes.bar(at, values, thickness, label=name, color=COLOURS[k % len(COLOURS)])
        axes.set_xticks(range(len(self.groups)), self.groups, fontsize=8)
        axes.axhline(0.0, color="0.3", linewidth=0.6)
        title_above(axes, self.title)
        axes.set(xlabel=self.x_label, ylabel=self.y_label)
        axes.spines[["top", "right"]].set_visible(False)
        legend_below(axes)

    def points(self) -> Iterator[PlottedPoint]:
        """All bars of all series."""
        for name, values in self.series.items():
            for group, value in zip(self.groups, np.asarray(values).tolist(), strict=True):
                yield name, group, value


def figure_of(
    panels: Sequence[Panel | BarPanel], columns: int = 1, panel_width: float = 4.6, height: float = 3.4
) -> Any:
    """A figure of panels, of that width and height each [inch]; a single column is wider."""
    figure, grid = canvas(-(-len(panels) // columns), columns, 6.4 if columns == 1 else panel_width, height)
    for place, panel in enumerate(panels):
        panel.paint(figure.add_subplot(grid[place // columns, place % columns]))
    return figure


def draw(
    path: Path, panels: Sequence[Panel | BarPanel], columns: int = 1, panel_width: float = 4.6, height: float = 3.4
) -> Path:
    """Write a figure of panels to a file; its ending says the format."""
    save(figure_of(panels, columns, panel_width, height), path)
    return path


def write_numbers(path: Path, panels: Sequence[Panel | BarPanel]) -> Path:
    """Write the points of all panels as a table in long form (.csv): one line for each point, with all its digits."""
    points = (
        (panel.title, name, panel.x_label, x, panel.y_label, y) for panel in panels for name, x, y in panel.points()
    )
    write_csv(path, NUMBER_COLUMNS, points)
    return path


def draw_with_numbers(
    path: Path, panels: Sequence[Panel | BarPanel], columns: int = 1, panel_width: float = 4.6, height: float = 3.4
) -> tuple[Path, Path]:
    """A figure and, next to it, its numbers as .csv."""
    return draw(path, panels, columns, panel_width, height), write_numbers(path.with_suffix(".csv"), panels)
