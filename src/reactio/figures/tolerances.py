"""Error bars as a figure: for the components that suffer most, which tolerances make their bars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reactio.design.error_bars import ErrorBars
from reactio.figures.style import COLOURS, canvas, save

MOST_PANELS = 4
MOST_BARS = 10
ROUNDING = 1e-9  # of the largest: smaller bars are none


def plot_error_bars(found: ErrorBars, path: Path, names: Sequence[str] = ()) -> None:
    """Bars of what each tolerance alone changes, for named components, else for the largest of each joint."""
    chosen = list(names) or _largest(found)
    columns = min(2, max(1, len(chosen)))
    made, grid = canvas(max(1, -(-len(chosen) // columns)), columns, width=5.2)
    for k, name in enumerate(chosen):
        bar = found[name]
        largest = list(found.changes(name).items())[:MOST_BARS]
        shown = [(one, abs(x)) for one, x in largest if abs(x) > ROUNDING * abs(largest[0][1])]
        panel = made.add_subplot(grid[divmod(k, columns)])
        panel.barh([one for one, _ in shown][::-1], [x for _, x in shown][::-1], color=COLOURS[0])
        panel.set_title(f"{name} = {bar.nominal:.4g} ± {bar.worst:.4g} (RSS {bar.rss:.4g}) {bar.unit}", fontsize=9)
        panel.set_xlabel(f"change for the full tolerance [{bar.unit}]", fontsize=8)
        panel.tick_params(labelsize=8)
        panel.spines[["top", "right"]].set_visible(False)
    made.suptitle(f"{found.model.name}: which tolerances count", fontsize=10)
    save(made, path)


def _largest(found: ErrorBars) -> list[str]:
    """The largest force and moment first, then other components by size, none without a bar."""
    first = list(found.largest)
    first += sorted((bar for bar in found.bars if bar.worst and bar not in first), key=lambda bar: -bar.worst)
    return [f"{bar.joint}.{bar.component}" for bar in first[:MOST_PANELS]]
