"""Curves in panels, as the figures of the papers need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reactio.arrays import Floats
from reactio.errors import ReactioError

# Okabe & Ito: told apart by everyone; dashes tell them apart in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES = ("-", "--", ":", "-.")


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
    label: str  # of the y axis, with its unit
    curves: Sequence[Curve]
    over: str = "t [s]"


def draw(path: Path, panels: Sequence[Panel], columns: int = 1) -> Path:
    """Write a figure of panels to a file; its ending says the format."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ReactioError("Figures need matplotlib: pip install 'reactio[plot]'.") from None
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(6.4 if columns == 1 else 4.2 * columns, 3.4 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(rows, columns, place + 1)
        for k, curve in enumerate(panel.curves):
            colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
            axes.plot(curve.x, curve.y, label=curve.label, linewidth=1.6, color=colour, linestyle=dash)
        axes.set(title=panel.title, xlabel=panel.over, ylabel=panel.label)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize="small")
    figure.savefig(path, dpi=150)
    return path
