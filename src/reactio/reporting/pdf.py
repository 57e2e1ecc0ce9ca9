"""A report as PDF pages."""

from __future__ import annotations

import io
import textwrap
from typing import Any

import numpy as np

from reactio.catalogue.units import decimal
from reactio.drawing.figure import Sheet, paint
from reactio.drawing.letters import legible
from reactio.drawing.painter import matplotlib
from reactio.drawing.style import COLOURS, INK, PALE, STYLES
from reactio.reporting.data import HistoryLine, JointLine, ReportData
from reactio.reporting.words import component_words, life_words, marks_words, rank_words, sum_words, time_words
from reactio.reporting.written import written
from reactio.simulation.peaks import peak_of

A4 = (8.27, 11.69)  # [inches]
PLOTS_PER_PAGE = 8  # joints whose reactions are plotted on one page
TOP, BOTTOM = 0.95, 0.06  # of the text, as parts of the height of a page
LEAST_PICTURE = 0.3  # part of a page for a drawing, at least
TABLE_LINE_HEIGHT = 0.0165  # of a table, as part of a page
COLUMN_POSITIONS = (0.09, 0.115, 0.25, 0.42, 0.54, 0.61)  # of the columns of the table, as parts of the width
MOST_NAME_LETTERS = 18  # in the column of names; longer ones are printed smaller
MOST_LINE_LETTERS = 52  # of components in one line


def to_pdf(report: ReportData) -> bytes:
    """The drawing and the verdict, the tables, the rank, and the histories of a run."""
    matplotlib()
    report = written(report)
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    about = {"Title": report.title, "Creator": f"Reactio {report.version}", "CreationDate": None}
    with PdfPages(out, metadata=about) as pages:
        for page in (*_front(report), *_tables(report), *_plots(report), *_back(report)):
            with legible(page):
                pages.savefig(page)
    return out.getvalue()


def _page() -> Any:
    return matplotlib().figure.Figure(figsize=A4)


class _Flow:
    """Paragraphs and figures below each other, on new pages where there is no room."""

    def __init__(self) -> None:
        self.pages = [_page()]
        self.y = TOP

    def room(self, height: float) -> Any:
        """A page with room for a height, given as part of a page."""
        if self.y - height < BOTTOM:
            self.pages.append(_page())
            self.y = TOP
        return self.pages[-1]

    def text(self, text: str, size: float = 9.5, width: int = 96, **more: Any) -> None:
        """A paragraph."""
        lines = textwrap.wrap(text, width) or [""]
        height = len(lines) * size * 1.35 / 72 / A4[1] + 0.012
        look = {"fontsize": size, "va": "top", "linespacing": 1.35, "parse_math": False, "color": INK, **more}
        self.room(height).text(0.09, self.y, "\n".join(lines), **look)
        self.y -= height

    def heading(self, text: str) -> None:
        """A heading, on the same page as the first lines after it."""
        self.room(0.1)
        self.text(text, 14, fontweight="bold")


def _front(report: ReportData) -> list[Any]:
    flow = _Flow()
    flow.text(f"Reactio report · {report.name} · {report.space}{time_words(report)}", 8.5)
    flow.text(report.title, 18, 48, fontweight="bold")
    flow.text(report.headline, 12, 76)
    for sentence in report.words:
        flow.text(sentence)
    page, y = flow.room(LEAST_PICTURE), flow.y
    axes = page.add_axes((0.06, max(0.08, y - 0.5), 0.88, min(0.5, y - 0.08)))
    verdicts = {joint.name: joint.state for joint in report.joints}
    sheet = Sheet(report.scene, report.frames, report.body_names, report.loads, verdicts)
    paint(axes, sheet, report.gravity)
    return flow.pages


def _tables(report: ReportData) -> list[Any]:
    flow = _Flow()
    flow.heading("Reactions")
    flow.text(f"In {report.axes} axes. {marks_words(report)}", 9)
    if report.left_out:
        flow.text(report.left_out, 9)
    _line(flow, ("", "joint", "type", "verdict", "known", "components"), PALE, PALE)
    for joint in report.joints:
        _line(flow, _row(joint, report), STYLES[joint.state].colour, INK)
    if report.sums:
        flow.text("")
        flow.heading(
            f"Sums of components, in {' and '.join(dict.fromkeys(str(total.axes) for total in report.sums))} axes"
        )
        for total in report.sums:
            flow.text(sum_words(total), 9)
    return flow.pages


def _row(joint: JointLine, report: ReportData) -> tuple[str, ...]:
    parts = ", ".join(component_words(c, report, "\u00a0") for c in joint.components)
    mark = STYLES[joint.state].mark
    state = joint.state.replace("determined by", "by")  # as wide as its column
    return mark, joint.name, joint.type, state, joint.known, "\n".join(textwrap.wrap(parts, MOST_LINE_LETTERS))


def _line(flow: _Flow, cells: tuple[str, ...], mark: str, ink: str) -> None:
    """One line of the table; long names are printed smaller, components continue below."""
    height = TABLE_LINE_HEIGHT * (1 + cells[-1].count("\n"))
    page = flow.room(height)
    for k, (x, cell) in enumerate(zip(COLUMN_POSITIONS, cells, strict=True)):
        size = 8 * min(1.0, MOST_NAME_LETTERS / max(1, len(cell))) if k == 1 else 8.0
        page.text(x, flow.y, cell, fontsize=size, va="top", color=ink if k else mark, parse_math=False)
    flow.y -= height + 0.004


def _plots(report: ReportData) -> list[Any]:
    if report.run is None or not report.loads_known:
        return []
    shown_ones = [history for history in report.run.histories if history.labels]
    pages = []
    for first in range(0, len(shown_ones), PLOTS_PER_PAGE):
        page = matplotlib().figure.Figure(figsize=A4, layout="constrained")
        grid = page.add_gridspec(PLOTS_PER_PAGE // 2, 2)
        for k, history in enumerate(shown_ones[first : first + PLOTS_PER_PAGE]):
            units = list(dict.fromkeys(history.units))
            inner = grid[k // 2, k % 2].subgridspec(len(units), 1)
            for row, unit in enumerate(units):
                axes = page.add_subplot(inner[row, 0])
                _plot(axes, history, unit, report)
                key = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.98), "ncols": 2, "frameon": False}
                axes.legend(title="" if row else history.name, title_fontsize=8.5, fontsize=5.5, **key)
        page.supxlabel(f"t [s]; {report.axes} axes", fontsize=7)
        pages.append(page)
    return pages


def _plot(axes: Any, history: HistoryLine, unit: str, report: ReportData) -> None:
    """The components of one unit over time, with their peaks: determined ones solid, others dashed on a broad band."""
    assert report.run is not None
    t, shown_values = report.run.times, history.shown(report.asked)
    for c, label in enumerate(history.labels):
        if history.units[c] != unit:
            continue
        stiff = history.by_stiffness[:, c]
        sure, colour = history.unique[:, c] | stiff, COLOURS[c % len(COLOURS)]
        known, open_part = (np.where(mask, history.values[:, c], np.nan) for mask in (sure, ~sure))
        peak, when, _ = peak_of(t, shown_values[:, c])
        words = f"{label} {'(undetermined) ' if not sure.all() else '(by stiffness) ' if stiff.any() else ''}"
        if peak is not None:
            words += f"peak {decimal(peak, 5)} at {when:.4g} s" if peak else "0 all the time"
        axes.plot(t, known, color=colour, linewidth=1.2, label=words)
        axes.plot(t, open_part, "--", color=colour, linewidth=1)
        axes.plot(t, open_part, color=colour, linewidth=5, alpha=0.15)
        if peak:
            axes.plot([when], [peak], "o", color=colour, markersize=3)
    axes.axhline(0.0, color=PALE, linewidth=0.6)
    axes.ticklabel_format(useOffset=False)
    axes.set_ylabel(unit, fontsize=7)
    axes.tick_params(labelsize=6)
    axes.spines[["top", "right"]].set_visible(False)


def _back(report: ReportData) -> list[Any]:
    flow = _Flow()
    flow.heading("Self-stresses and rank" if report.stresses else "Rank")
    for k, stress in enumerate(report.stresses, start=1):
        flow.text(f"{k}. {stress.words}")
    flow.text(rank_words(report))
    sigma = np.maximum(report.decision.sigma / report.decision.scale, 1e-18)
    if len(sigma):
        axes = flow.room(0.31).add_axes((0.14, flow.y - 0.25, 0.76, 0.22))
        axes.semilogy(np.arange(1, len(sigma) + 1), sigma, "o", color=INK, markersize=3.5)
        axes.axhline(report.tolerances.decide, linestyle="--", color=PALE, linewidth=1)
        axes.set_ylabel("σ / σ₁", fontsize=8)
        axes.set_xlabel("singular values, largest first; above the dashed line they count", fontsize=8)
        axes.tick_params(labelsize=7)
        flow.y -= 0.31
    if report.lives:
        flow.heading("Life of bearings")
    for life in report.lives:
        flow.text(f"{life.joint}: {life_words(life)}")
    flow.heading("References")
    for what, where in report.references:
        flow.text(f"{what}: {where}")
    flow.heading("Reproduce")
    command = f"{report.command or 'reactio.report(…)'}   (Reactio {report.version})"
    flow.text(command, family="monospace", width=78)
    return flow.pages
