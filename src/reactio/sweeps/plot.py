"""Figures of a sweep: lines over one axis, maps over two, points for samples; words as coloured areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.catalogue.units import in_units, unit_name
from reactio.drawing.plots.style import COLOURS, canvas, save
from reactio.drawing.style import GRID, STYLES
from reactio.errors import ReactioError, did_you_mean
from reactio.linear.precision import DISPLAY
from reactio.sweeps.axes import Cases, Value
from reactio.sweeps.results import unit_of
from reactio.sweeps.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_WHOLE_NUMBERS = 6  # different ones up to which a legend is clearer than a colour bar
MOST_LINES = 8
MOST_PANELS = 12
PANEL_COLUMNS = 2
SCALE_MARGIN = 0.05  # of a common range, left free above and below


def plot_sweep(
    swept: Sweep,
    path: Path,
    wants: Sequence[str] = (),
    axes: Sequence[str] = (),
    fixed: Mapping[str, Value] | None = None,
) -> str:
    """Draw results over one or two axes; the others have ``fixed`` values, their first when left out.

    The fixed values are returned in words.
    """
    chosen = list(wants) or list(swept.wants)
    for name in chosen:
        _known(name, swept.wants, "result")
    over = list(axes) or list(swept.cases.names[:2])
    for name in (*over, *(fixed or {})):
        _known(name, swept.cases.names, "axis")
    if not 1 <= len(over) <= 2:
        raise ReactioError(f"A plot has one axis or two, not {len(over)}.")
    if len(chosen) > MOST_PANELS:
        raise ReactioError(f"{len(chosen)} results: at most {MOST_PANELS} are drawn at once; name some (--want).")
    columns = min(PANEL_COLUMNS, len(chosen))
    figure, grid = canvas(-(-len(chosen) // columns), columns)
    slices = _slices(swept.cases, over, dict(fixed or {}))
    scales = _scales(swept, chosen)
    for k, want in enumerate(chosen):
        panel = figure.add_subplot(grid[divmod(k, columns)])
        if not swept.cases.grid:
            _points(panel, swept, want, over)
        elif len(over) == 1:
            _lines(panel, swept, want, over[0], slices)
            _rule_scale(panel, scales.get(unit_of(want)))
        else:
            _map(panel, swept, want, over, slices, scales.get(unit_of(want)))
        unit = unit_name(unit_of(want))
        panel.set_title(f"{want} [{unit}]" if unit else want, fontsize=9)
        panel.tick_params(labelsize=8)
    figure.suptitle(swept.name, fontsize=10)
    save(figure, path)
    return ", ".join(f"{name} = {_short(value)}" for name, value in slices.items() if not isinstance(value, list))


def _scales(sweep: Sweep, wants: Sequence[str]) -> dict[str, tuple[float, float]]:
    """The common range of all results of one unit, where there are several: panels can be compared."""
    ranges: dict[str, tuple[float, float]] = {}
    for unit in {unit_of(want) for want in wants if unit_of(want)}:
        places = [sweep.wants.index(want) for want in wants if unit_of(want) == unit]
        values = [row.values[k] for row in sweep.rows for k in places]
        numbers = [in_units(float(x), unit) for x in values if isinstance(x, int | float) and np.isfinite(x)]
        if len(places) > 1 and numbers:
            ranges[unit] = (min(numbers), max(numbers))
    return ranges


def _rule_scale(panel: Axes, scale: tuple[float, float] | None) -> None:
    """Give a panel of lines the common range, with a margin."""
    if scale is not None:
        margin = SCALE_MARGIN * (scale[1] - scale[0] or abs(scale[0]) or 1.0)
        panel.set_ylim(scale[0] - margin, scale[1] + margin)


def _known(name: str, known: Sequence[str], word: str) -> None:
    if name not in known:
        raise ReactioError(f"The sweep has no {word} '{name}'.{did_you_mean(name, known)}")


def _slices(cases: Cases, over: Sequence[str], fixed: dict[str, Value]) -> dict[str, Any]:
    """Axes that are not drawn: the one value at which each stands, or the few that are lines of their own."""
    rest: dict[str, Any] = {}
    lines_left = len(over) == 1
    for axis in cases.axes if cases.grid else ():
        if axis.name in over:
            continue
        if axis.name in fixed:
            near = [v for v in axis.values if v == fixed[axis.name] or _close(v, fixed[axis.name])]
            if not near:
                raise ReactioError(f"{axis.name} = {_short(fixed[axis.name])} is not a value of the sweep.")
            rest[axis.name] = near[0]
        elif lines_left and len(axis.values) <= MOST_LINES:
            rest[axis.name] = list(axis.values)
            lines_left = False
        else:
            rest[axis.name] = axis.values[0]
    return rest


def _close(a: Value, b: Value) -> bool:
    return not isinstance(a, str) and not isinstance(b, str) and abs(a - b) <= DISPLAY * max(abs(a), abs(b))


def _short(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _table(swept: Sweep, want: str, over: Sequence[str], at: Mapping[str, Value]) -> tuple[list[Any], Any]:
    """The axes' values, and the results (len, …) as objects; None where there is none."""
    values = [list(axis.values) for name in over for axis in swept.cases.axes if axis.name == name]
    k = swept.wants.index(want)
    places = [{value: i for i, value in enumerate(axis)} for axis in values]
    table = np.full([len(axis) for axis in values], None, dtype=object)
    unit = unit_of(want)
    for row in swept.rows:
        inputs = swept.cases[row.number]
        if all(inputs[name] == value for name, value in at.items()):
            table[tuple(place[inputs[name]] for place, name in zip(places, over, strict=True))] = _shown(
                row.values[k], unit
            )
    return values, table


def _shown(value: Any, unit: str) -> Any:
    """A result in the units of the file."""
    return in_units(value, unit) if isinstance(value, float) else value


def _lines(panel: Axes, swept: Sweep, want: str, over: str, slices: Mapping[str, Any]) -> None:
    family = next((name for name, value in slices.items() if isinstance(value, list)), None)
    for k, value in enumerate(slices[family] if family else [None]):
        at = {name: slice_value for name, slice_value in slices.items() if name != family} | (
            {family: value} if family else {}
        )
        (x,), table = _table(swept, want, [over], at)
        words = _words(table)
        y = [None if v is None else words.index(v) if words else float(v) for v in table]
        label = f"{family} = {_short(value)}" if family else None
        numbers = [np.nan if v is None else v for v in y]
        panel.plot(_places(x), numbers, ".-", color=COLOURS[k % len(COLOURS)], label=label, linewidth=1.2)
        if words:
            panel.set_yticks(range(len(words)), words)
    if family:
        panel.legend(fontsize=7)
    _ticks(panel, "x", _axis_values(swept, over))
    panel.set_xlabel(over, fontsize=8)
    panel.grid(True, color=GRID, linewidth=0.6)


def _axis_values(swept: Sweep, name: str) -> list[Value]:
    return [value for axis in swept.cases.axes if axis.name == name for value in axis.values]


def _places(values: Sequence[Value]) -> list[float]:
    """Where values stand along an axis: numbers where they are, words one after the other."""
    if any(isinstance(value, str) for value in values):
        return [float(k) for k in range(len(values))]
    return [float(value) for value in values]


def _ticks(panel: Axes, which: str, values: Sequence[Value]) -> None:
    if any(isinstance(value, str) for value in values):
        setter = panel.set_xticks if which == "x" else panel.set_yticks
        setter(range(len(values)), [str(value) for value in values])


def _words(table: Any) -> list[str]:
    """The different words of a result, verdicts from certain to open; none where it is a number."""
    present = {value for value in np.asarray(table, dtype=object).ravel() if isinstance(value, str)}
    return [word for word in STYLES if word in present] + sorted(present - set(STYLES))


def _counted(table: Any) -> Any:
    """Results that take a few whole values, or none that is finite, as words: areas of their own on a map."""
    values = {value for value in table.ravel() if value is not None}
    numbers = [float(value) for value in values if not isinstance(value, str)]
    if len(numbers) < len(values) or len(numbers) > MOST_WHOLE_NUMBERS or any(x != np.round(x) for x in numbers):
        return table
    names = {np.inf: "no upper limit", -np.inf: "no lower limit"}
    words = {x: names.get(x, f"{x:g}") for x in numbers}
    return np.array([[None if v is None else words[float(v)] for v in row] for row in table], dtype=object)


def _colours(words: Sequence[str]) -> list[str]:
    spare = [colour for colour in COLOURS if colour not in {style.colour for style in STYLES.values()}]
    others = [word for word in words if word not in STYLES]
    return [STYLES[w].colour if w in STYLES else spare[others.index(w) % len(spare)] for w in words]


def _map(
    panel: Axes,
    swept: Sweep,
    want: str,
    over: Sequence[str],
    slices: Mapping[str, Any],
    scale: tuple[float, float] | None,
) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    (x, y), table = _table(swept, want, over, slices)
    table = _counted(table)
    words = _words(table)
    numbers = np.array(
        [[np.nan if v is None else words.index(v) if words else float(v) for v in row] for row in table], dtype=float
    )
    panel.set_facecolor(GRID)
    shown = np.ma.masked_invalid(numbers.T)
    if words:
        colours = _colours(words)
        panel.pcolormesh(
            _places(x),
            _places(y),
            shown,
            cmap=ListedColormap(colours),
            vmin=-0.5,
            vmax=len(words) - 0.5,
            shading="nearest",
        )
        shades = [*zip(words, colours, strict=True), *([("no answer", GRID)] if shown.mask.any() else [])]
        panel.legend(handles=[Patch(color=colour, label=word) for word, colour in shades], fontsize=7, loc="best")
    else:
        low, high = scale or (None, None)
        mesh = panel.pcolormesh(_places(x), _places(y), shown, cmap="viridis", shading="nearest", vmin=low, vmax=high)
        panel.figure.colorbar(mesh, ax=panel).ax.tick_params(labelsize=8)
        if np.ma.getmaskarray(shown).any():
            panel.legend(handles=[Patch(color=GRID, label="no answer, or no limit")], fontsize=7, loc="best")
    panel.set_xlabel(over[0], fontsize=8)
    panel.set_ylabel(over[1], fontsize=8)
    _ticks(panel, "x", x)
    _ticks(panel, "y", y)


def _points(panel: Axes, swept: Sweep, want: str, over: Sequence[str]) -> None:
    """A sample: results over one parameter, or coloured points over two."""
    k = swept.wants.index(want)
    values = [_shown(row.values[k], unit_of(want)) for row in swept.rows]
    x = _places([swept.cases[row.number][over[0]] for row in swept.rows])
    words = _words(values)
    panel.set_xlabel(over[0], fontsize=8)
    panel.grid(True, color=GRID, linewidth=0.6)
    numbers = np.array([np.nan if v is None else words.index(str(v)) if words else float(v) for v in values])
    if len(over) == 1:
        panel.plot(x, numbers, ".", color=COLOURS[0], markersize=4)
        if words:
            panel.set_yticks(range(len(words)), words)
        return
    y = np.array(_places([swept.cases[row.number][over[1]] for row in swept.rows]))
    panel.set_ylabel(over[1], fontsize=8)
    if not words:
        dots = panel.scatter(x, y, c=numbers, s=12, cmap="viridis")
        panel.figure.colorbar(dots, ax=panel)
        return
    for i, (word, colour) in enumerate(zip(words, _colours(words), strict=True)):
        chosen = numbers == i
        panel.scatter(np.array(x)[chosen], y[chosen], s=12, color=colour, label=word)
    panel.legend(fontsize=7)
