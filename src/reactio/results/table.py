"""Results as tables: the same columns become a pandas DataFrame, an xarray Dataset, a plot and a notebook's table."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.operating_system.files import write_bytes
from reactio.optional_libraries import load_matplotlib, missing, optional_library
from reactio.results.html_table import NOTEBOOK_ROWS, html_table

UNIT_COLUMN = "unit"  # of a table whose rows have units of their own
PANEL_WIDTH = 7.0  # of a plot [inch]
CURVE_HEIGHT, BAR_HEIGHT = 2.6, 0.24  # of a panel of curves, and of a bar [inch]
MOST_PLOTTED_ROWS = 60  # rows of a table in one plot: more names could not be read
MOST_NAMED_CURVES = 12  # in a panel, before the legend would cover it


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Columns of equal length with their title, units and note."""

    title: str
    columns: Mapping[str, Sequence[Any] | Floats]
    index: tuple[str, ...]  # columns that name a row: joint and component, or time
    plotted: tuple[str, ...] = ()  # columns of numbers that a plot shows
    units: Mapping[str, str] = field(default_factory=dict)  # of columns, where rows have none of their own
    note: str = ""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def names(self) -> list[str]:
        """The name of every row."""
        return [" ".join(str(x) for x in row) for row in zip(*(self.columns[key] for key in self.index), strict=True)]


def table_of(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[Any]],
    index: int,
    plotted: Sequence[str] = (),
    note: str = "",
    **units: str,
) -> ResultTable:
    """A table from its rows; the first ``index`` columns name a row."""
    columns = {head: [row[k] for row in rows] for k, head in enumerate(heads)}
    return ResultTable(title, columns, tuple(heads[:index]), tuple(plotted), units, note)


class Tabular:
    """A result that shows itself as a table and as a plot; its class says which columns."""

    __slots__ = ()

    def __repr__(self) -> str:
        table = self.table()
        return f"<{type(self).__name__}: {table.title}; a table of {len(table):,} × {len(table.columns)}>"

    def table(self) -> ResultTable:
        """The result as a table."""
        raise NotImplementedError

    def plot_table(self) -> ResultTable:
        """The table that ``plot`` draws, where it is another one."""
        return self.table()

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame."""
        pandas = optional_library("pandas", "This needs pandas", "tables")
        return pandas.DataFrame({key: _array(values) for key, values in self.table().columns.items()})

    def to_xarray(self) -> Any:
        """The table as an xarray Dataset over its rows, which the index columns name; variables have ``units``."""
        xarray = optional_library("xarray", "This needs xarray", "tables")
        table = self.table()
        dimension = table.index[0] if len(table.index) == 1 else "row"
        arrays = {
            key: (dimension, _array(values), {"units": table.units[key]} if key in table.units else {})
            for key, values in table.columns.items()
        }
        coordinates = {key: arrays.pop(key) for key in table.index}
        return xarray.Dataset(arrays, coordinates, {"title": table.title})

    def plot(self, path: Any = None) -> Any:
        """Draw the numbers, curves over time, else bars; a ``path`` gets the figure, whole or not at all."""
        table = self.plot_table()
        if not table.plotted:
            raise ReactioError(f"{table.title}: there are no numbers to plot.")
        figure = _figure(table)
        if path is not None:
            out = io.BytesIO()
            figure.savefig(out, format=_format(figure, path), dpi=150)
            write_bytes(path, out.getvalue())
        return figure

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        table = self.table()
        rows = zip(*(values[:NOTEBOOK_ROWS] for values in table.columns.values()), strict=True)
        heads = [f"{key} [{table.units[key]}]" if table.units.get(key) else key for key in table.columns]
        more = len(table) - NOTEBOOK_ROWS
        below = " ".join(text for text in (f"… and {more:,} more." if more > 0 else "", table.note) if text)
        return html_table(table.title, heads, [[_text(x) for x in row] for row in rows], below)


def _format(figure: Any, path: Any) -> str:
    """The format of a figure by the suffix of its file, or an error that lists those there are."""
    suffix, known = Path(path).suffix.lower().removeprefix("."), figure.canvas.get_supported_filetypes()
    if suffix not in known:
        raise ReactioError(f"'{path}': a plot is written as .{', .'.join(sorted(known))}.")
    return suffix


def _array(values: Sequence[Any] | Floats) -> Any:
    """Numbers with NaN where there is none, texts, truth values; objects where they are mixed."""
    cells = [", ".join(map(str, cell)) if isinstance(cell, tuple) else cell for cell in values]
    if all(isinstance(cell, str) for cell in cells) and cells:
        return np.array(list(map(str, cells)), dtype=str)  # words of an enumeration are texts here
    if all(isinstance(cell, bool | np.bool_) for cell in cells) and cells:
        return np.array(cells, dtype=bool)
    if all(cell is None or (isinstance(cell, Real) and not isinstance(cell, bool)) for cell in cells):
        return np.array([np.nan if cell is None else cell for cell in cells])
    return np.array(cells, dtype=object)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "–"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _figure(table: ResultTable) -> Any:
    """A panel for every unit: curves where time names the rows, else bars."""
    over_time = len(table.index) == 1 and not isinstance(next(iter(table.columns[table.index[0]]), ""), str)
    panels = _curves_by_unit(table) if over_time else _bars_by_unit(table)
    heights = [CURVE_HEIGHT if over_time else 0.7 + BAR_HEIGHT * len(rows) * len(keys) for _, keys, rows in panels]
    figure = _figure_class()(figsize=(PANEL_WIDTH, sum(heights) + 0.6), layout="constrained")
    grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights, sharex=over_time)
    for axes, (unit, keys, rows) in zip(grid[:, 0], panels, strict=True):
        (_draw_curves if over_time else _draw_bars)(axes, table, keys, rows)
        (axes.set_ylabel if over_time else axes.set_xlabel)(unit)
        axes.spines[["top", "right"]].set_visible(False)
        if 1 < len(keys) <= MOST_NAMED_CURVES:
            axes.legend(fontsize=7, frameon=False)
    if over_time:
        grid[-1, 0].set_xlabel(f"{table.index[0]} [{table.units.get(table.index[0], '')}]")
    figure.suptitle(table.title, fontsize=9)
    return figure


def _curves_by_unit(table: ResultTable) -> list[tuple[str, tuple[str, ...], list[int]]]:
    ordered = sorted(table.plotted, key=lambda key: table.units.get(key, ""))
    return [
        (unit, tuple(keys), list(range(len(table))))
        for unit, keys in groupby(ordered, key=lambda key: table.units.get(key, ""))
    ]


def _bars_by_unit(table: ResultTable) -> list[tuple[str, tuple[str, ...], list[int]]]:
    """Rows by their unit; where rows have none, columns by theirs."""
    rows = list(range(min(len(table), MOST_PLOTTED_ROWS)))
    if UNIT_COLUMN not in table.columns:
        return [(unit, keys, rows) for unit, keys, _ in _curves_by_unit(table)]
    units = table.columns[UNIT_COLUMN]
    return [(unit, table.plotted, [k for k in rows if units[k] == unit]) for unit in dict.fromkeys(units)]


def _draw_curves(axes: Any, table: ResultTable, keys: Sequence[str], rows: Sequence[int]) -> None:
    for key in keys:
        axes.plot(_array(table.columns[table.index[0]]), _array(table.columns[key]), label=key, linewidth=1.2)


def _draw_bars(axes: Any, table: ResultTable, keys: Sequence[str], rows: Sequence[int]) -> None:
    """Bars from the top in the order of the table; none where there is no finite number."""
    width = 0.8 / len(keys)
    names = table.names
    for j, key in enumerate(keys):
        values = np.array([_finite(table.columns[key][k]) for k in rows])
        axes.barh(np.arange(len(rows)) + (j - (len(keys) - 1) / 2) * width, values, width, label=key)
    axes.set_yticks(range(len(rows)), [names[k] for k in rows], fontsize=7)
    axes.invert_yaxis()
    axes.axvline(0.0, color="0.3", linewidth=0.6)


def _finite(value: Any) -> float:
    return float(value) if value is not None and np.isfinite(value) else np.nan


@cache
def _figure_class() -> Any:
    """Figures that notebooks show by themselves, whatever backend they have chosen."""
    try:
        load_matplotlib()
        from matplotlib.figure import Figure
    except ImportError:
        raise missing("matplotlib", "Plots need Matplotlib", "plot") from None

    class Plot(Figure):
        def _repr_svg_(self) -> str:
            out = io.StringIO()
            self.savefig(out, format="svg")
            return out.getvalue()

    return Plot
