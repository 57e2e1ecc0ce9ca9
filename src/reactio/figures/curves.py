"""Curves in panels side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reactio.arrays import Floats
from reactio.figures.style import COLOURS, canvas, legend, save

MOST_LABELLED_CURVES = 4  # curves whose names fit among them
DASHES = ("-", "--", ":", "-.")  # tell curves apart in grey


@dataclass(frozen=True, slots=True)
class Curve:
    """y over x with its name in the legend."""

    label: str
    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves on common axes."""

    title: str
    y_label: str  # with its unit
    curves: Sequence[Curve]
    x_label: str = "t [s]"


def draw(path: Path, panels: Sequence[Panel], columns: int = 1) -> Path:
    """Write a figure of panels to a file; its ending says the format."""
    rows = -(-len(panels) // columns)
    figure, grid = canvas(rows, columns, 6.4 if columns == 1 else 4.2, 3.4)
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(grid[place // columns, place % columns])
        for k, curve in enumerate(panel.curves):
            colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
            axes.plot(curve.x, curve.y, label=curve.label, linewidth=1.6, color=colour, linestyle=dash)
        axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if len(panel.curves) > MOST_LABELLED_CURVES:
            legend(axes)
        else:
            axes.legend(framealpha=0.8, edgecolor="none", fontsize="small")  # readable where it lies on a line
    save(figure, path)
    return path
