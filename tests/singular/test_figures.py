"""Plots: what is in them, and files that are refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.drawing.plots.continuation import plot_bases, plot_diagonal, plot_velocities
from reactio.drawing.plots.singular import plot_singularities
from reactio.singular.passages.continued_bases import bases


def test_bases_and_velocities(tmp_path: Path) -> None:
    system = reactio.build(reactio.load("modified-triple-four-bar"))
    found = bases(system, reactio.assemble(system), np.linspace(0.0, 0.8, 41))
    figure = plot_bases(found, "bar1", tmp_path / "T.png")
    assert (tmp_path / "T.png").stat().st_size > 5000
    assert [len(axis.lines) for axis in figure.axes] == [3, 3]
    assert figure.axes[1].lines[2].get_ydata() == pytest.approx(found.smooth[:, 2, 0])
    assert len(plot_velocities(found).axes) == 2
    assert len(plot_diagonal(found, tmp_path / "R.svg").axes[0].lines) == 14  # the rank; the 15th is rounding
    with pytest.raises(reactio.ReactioError, match="no body 'bar9'"):
        plot_bases(found, "bar9")
    with pytest.raises(reactio.ReactioError, match="a picture is written as"):
        plot_diagonal(found, tmp_path / "R.txt")


def test_singular_configurations(tmp_path: Path) -> None:
    found = reactio.singularities(reactio.load("modified-double-four-bar"), 0.8)
    figure = plot_singularities(found, tmp_path / "passages.svg")
    assert (tmp_path / "passages.svg").exists()
    assert len(figure.axes) == 1 + len(found.events)
    # Four bodies are drawn again along the motion that goes on, and along the other one.
    smallest = figure.axes[0].lines[0]
    reached = dict(zip(smallest.get_xdata(), smallest.get_ydata(), strict=True))
    assert [reached[event.t] for event in found.events] == [0.0] * len(found.events)  # the curve meets every event
    colours = Counter(line.get_color() for line in figure.axes[1].lines)
    assert colours["#0072B2"] == colours["#D55E00"] == 4
