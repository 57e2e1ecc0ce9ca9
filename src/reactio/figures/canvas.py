"""A figure to draw on, and a file to keep it in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reactio.errors import ReactioError

FORMATS = (".png", ".svg", ".pdf")


def canvas(rows: int, columns: int, width: float = 4.5, height: float = 3.2) -> tuple[Any, Any]:
    """A figure and a grid of rows × columns to place axes in; no window, no global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ReactioError("Plots need matplotlib: pip install 'reactio[plot]'.") from None
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    return figure, figure.add_gridspec(rows, columns)


def keep(figure: Any, path: str | Path) -> None:
    """Write a figure to a file of a known format."""
    path = checked(path)
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise ReactioError(f"The plot cannot be written to {path}: {error.strerror or error}.") from None


def checked(path: str | Path) -> Path:
    """The path, if its suffix is one that can be written."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ReactioError(f"'{path}' must end in one of {', '.join(FORMATS)}.")
    return path
