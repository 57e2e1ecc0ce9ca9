"""Common to all figures: colours that colour-blind people can distinguish, panels over one axis, files."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from reactio.drawing.figure import save_figure, suffix_of
from reactio.drawing.painter import matplotlib
from reactio.drawing.style import COLOURS as COLOURS
from reactio.drawing.style import GRID
from reactio.errors import ReactioError
from reactio.operating_system.files import check_writable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTER = 0.64  # width of a digit, the widest letter on average, as part of the size of its font
TITLE = 9.0  # size of titles [points, of which an inch has 72]
BESIDE = 0.9  # of a panel, for the numbers and the name of its y axis [inch]
LEGEND_LETTERS = 75  # of names that fit side by side below a panel


def width(k: int) -> float:
    """Width of the k-th line: later ones are thinner, so that lines that coincide all show."""
    return max(0.9, 2.2 - 0.2 * k)


def figure(width: float, heights: list[float]) -> tuple[Figure, list[Axes]]:
    """Panels below each other over one axis, of the given heights [inch]."""
    drawing: Figure = matplotlib().figure.Figure(figsize=(width, sum(heights) + 0.8), layout="constrained")
    grid: Any = drawing.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)
    for axes in grid[:, 0]:
        axes.grid(True, color=GRID, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    return drawing, list(grid[:, 0])


def canvas(rows: int, columns: int, width: float = 4.5, height: float = 3.2) -> tuple[Figure, Any]:
    """A figure and a grid of rows × columns to place axes in; no window, no global state."""
    drawing: Figure = matplotlib().figure.Figure(figsize=(width * columns, height * rows), layout="constrained")
    return drawing, drawing.add_gridspec(rows, columns)


def can_draw() -> bool:
    """Is the library for figures there, and does it load?"""
    try:
        matplotlib()
    except ReactioError:
        return False
    return True


def checked(path: Path) -> Path:
    """A path of a figure, its suffix known, at which a file can be written."""
    suffix_of(path)
    check_writable(path)
    return path


def save(drawing: Figure, path: Path) -> None:
    """Write a figure, whole or not at all; the suffix chooses the format."""
    save_figure(drawing, path, dpi=150)


def title_above(axes: Any, text: str) -> None:
    """A title above the panel, in as many lines as its width asks for."""
    axes.set_title(fill(text, _letters_across(axes, TITLE)), fontsize=TITLE)


def space_ticks(axes: Any) -> None:
    """No more numbers along the x axis than fit side by side, with a letter between them."""
    lower, upper = axes.get_xlim()
    shown = [tick for tick in axes.get_xticks() if lower <= tick <= upper]
    wide = 1 + max((len(text) for text in axes.xaxis.get_major_formatter().format_ticks(shown)), default=0)
    fit = _letters_across(axes, axes.xaxis.get_ticklabels()[0].get_fontsize()) // wide
    if len(shown) > fit:
        axes.locator_params(axis="x", nbins=max(2, fit))


def _letters_across(axes: Any, size: float) -> int:
    """How many letters of a font of that size [points] fit side by side along the x axis of a panel."""
    slot = axes.figure.get_size_inches()[0] / axes.get_gridspec().ncols
    return int(72 * (slot - BESIDE) / (LETTER * size))


def legend(axes: Axes) -> None:
    """Names next to the panel, where they hide no line."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, labels, fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.03))


def legend_below(axes: Axes) -> None:
    """Names below the panel, where they hide no line."""
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    longest = max(len(label) for label in labels)
    columns = max(1, min(len(labels), LEGEND_LETTERS // (longest + 6)))
    axes.legend(
        handles, labels, fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns
    )
