"""Words and numbers of panels: each in its place, none over another or beyond the edge."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from reactio.drawing.plots.panels import BarPanel, Curve, Panel, figure_of

pytest.importorskip("matplotlib")
LONG = "t = 1.2333 s, motion 2: new there (infinitesimal), of bar 3"


def _drawn(panels: list[Panel | BarPanel]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = figure_of(panels, columns=2, panel_width=3.6)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return figure


def test_a_title_wider_than_its_panel_goes_on_in_a_second_line() -> None:
    bars = BarPanel(LONG, "column of T", ("bar1", "bar2"), {"δx": (0.1, 0.2), "δy": (0.3, 0.1)})
    figure = _drawn([bars] * 2)
    for axes, right in zip(figure.axes, (0.5, 1.0), strict=True):
        assert axes.get_title().replace("\n", " ") == LONG
        box = axes.title.get_window_extent().transformed(figure.transFigure.inverted())
        assert right - 0.5 <= box.x0
        assert box.x1 <= right


@pytest.mark.parametrize("start", [0.0, 0.7075, 123.4567])
def test_numbers_along_an_axis_stand_apart(start: float) -> None:
    t = start + np.linspace(0.0, 0.0175, 36)
    figure = _drawn([Panel("near a pose", "T", [Curve("x", t, t)])] * 2)
    for axes in figure.axes:
        lower, upper = axes.get_xlim()
        shown = [label for label in axes.get_xticklabels() if lower <= label.get_position()[0] <= upper]
        boxes = [label.get_window_extent() for label in shown]
        assert len(boxes) >= 2
        assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
