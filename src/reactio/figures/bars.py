"""Grouped bars in panels side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.figures.style import COLOURS, canvas, legend_below, save


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
