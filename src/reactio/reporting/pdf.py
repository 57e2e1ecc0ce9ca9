"""A report as PDF pages."""

from __future__ import annotations

import io
import textwrap
from typing import Any

import numpy as np

from reactio.drawing.figure import Sheet, paint
from reactio.drawing.letters import legible
from reactio.drawing.painter import matplotlib
from reactio.drawing.style import INK, PALE, STYLES
from reactio.reporting.data import HistoryLine, JointLine, Report
from reactio.reporting.words import at, rank_words, shown

A4 = (8.27, 11.69)
ROWS = 34  # of a table on one page
PLOTS = 8  # on one page


def to_pdf(report: Report) -> bytes:
    """The drawing and the verdict, the tables, the rank, and the histories of a run."""
    matplotlib()
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    about = {"Title": report.title, "Creator": f"Reactio {report.version}", "CreationDate": None}
    with PdfPages(out, metadata=about) as pages:
        for page in (_front(report), *_tables(report), *_plots(report), _back(report)):
            with legible(page):
                pages.savefig(page)
    return out.getvalue()


def _page() -> Any:
    return matplotlib().figure.Figure(figsize=A4)


def _text(page: Any, y: float, text: str, size: float = 9.5, width: int = 96, **more: Any) -> float:
    """A paragraph from height y on; the height below it."""
    lines = textwrap.wrap(text, width) or [""]
    page.text(0.09, y, "\n".join(lines), fontsize=size, va="top", linespacing=1.35, parse_math=False, color=INK, **more)
    return y - len(lines) * size * 1.35 / 72 / A4[1] - 0.012


def _front(report: Report) -> Any:
    page = _page()
    y = _text(page, 0.95, f"Reactio report · {report.name} · {report.space}{at(report)}", 8.5)
    y = _text(page, y, report.title, 18, 48, fontweight="bold")
    y = _text(page, y, report.headline, 12, 76)
    for sentence in report.sentences:
        y = _text(page, y, sentence)
    axes = page.add_axes((0.06, max(0.08, y - 0.5), 0.88, min(0.5, y - 0.08)))
    verdicts = {joint.name: joint.verdict for joint in report.joints}
    sheet = Sheet(report.scene, report.frames, report.loads, verdicts, report.body_names)
    paint(axes, sheet, report.gravity)
    return page


def _tables(report: Report) -> list[Any]:
    rows = [_row(joint, report) for joint in report.joints]
    heads = ("", "joint", "type", "verdict", "known", "components (≈: one of infinitely many)")
    return [_table(report, heads, rows[k : k + ROWS], k) for k in range(0, len(rows), ROWS)]


def _row(joint: JointLine, report: Report) -> tuple[str, ...]:
    signs = {True: "", False: "≈", None: "?"}
    parts = ", ".join(f"{c.name} {signs[c.unique]}{shown(c.value, report)}" for c in joint.components)
    mark = STYLES[joint.verdict].mark
    return mark, joint.name[:18], joint.type, joint.verdict, joint.known, textwrap.shorten(parts, 64, placeholder=" …")


def _table(report: Report, heads: tuple[str, ...], rows: list[tuple[str, ...]], first: int) -> Any:
    page, places = _page(), (0.09, 0.115, 0.25, 0.40, 0.53, 0.61)
    y = _text(page, 0.95, "Reactions" if not first else "Reactions (continued)", 14, fontweight="bold")
    y = _text(page, y, f"In {report.axes} axes, N and N m; what is not unique is split by the rule {report.rule}.", 9)
    y = _text(page, y, report.left_out, 9) if report.left_out else y
    for x, head in zip(places, heads, strict=True):
        page.text(x, y, head, fontsize=8, color=PALE, va="top")
    for k, row in enumerate(rows):
        for x, cell in zip(places, row, strict=True):
            colour = STYLES[row[3]].colour if x == places[0] else INK
            page.text(x, y - 0.022 * (k + 1), cell, fontsize=8, va="top", color=colour, parse_math=False)
    return page


def _plots(report: Report) -> list[Any]:
    if report.run is None:
        return []
    shown_ones = [history for history in report.run.histories if history.labels]
    pages = []
    for k in range(0, len(shown_ones), PLOTS):
        page = matplotlib().figure.Figure(figsize=A4, layout="constrained")
        for axes, history in zip(page.subplots(PLOTS // 2, 2).flat, shown_ones[k : k + PLOTS], strict=False):
            _plot(axes, history, report.run.times)
        for axes in page.axes[len(shown_ones[k : k + PLOTS]) :]:
            axes.set_axis_off()
        pages.append(page)
    return pages


def _plot(axes: Any, history: HistoryLine, t: Any) -> None:
    """Unique components solid; the others dashed on a broad band."""
    for c, label in enumerate(history.labels):
        unique = history.unique[:, c] > 0
        known, open_part = (np.where(mask, history.values[:, c], np.nan) for mask in (unique, ~unique))
        (drawn,) = axes.plot(t, known, label=f"{label} [{history.units[c]}]")
        axes.plot(t, open_part, "--", color=drawn.get_color(), linewidth=1)
        axes.plot(t, open_part, color=drawn.get_color(), linewidth=5, alpha=0.15)
    axes.set_title(history.name, fontsize=9, parse_math=False)
    axes.tick_params(labelsize=7)
    axes.legend(fontsize=6.5, frameon=False)


def _back(report: Report) -> Any:
    page = _page()
    y = _text(page, 0.95, "Self-stresses and rank", 14, fontweight="bold")
    for k, stress in enumerate(report.stresses, start=1):
        y = _text(page, y, f"{k}. {stress.words}")
    y = _text(page, y, rank_words(report))
    sigma = np.maximum(report.decision.sigma / report.decision.scale, 1e-18)
    if len(sigma) and y > 0.5:
        axes = page.add_axes((0.12, y - 0.26, 0.78, 0.22))
        axes.semilogy(np.arange(1, len(sigma) + 1), sigma, "o", color=INK, markersize=3.5)
        axes.axhline(report.tolerances.decide, linestyle="--", color=PALE, linewidth=1)
        axes.set_ylabel("σ / σ₁", fontsize=8)
        axes.tick_params(labelsize=7)
        y -= 0.31
    y = _text(page, y, "References", 14, fontweight="bold")
    for what, where in report.references:
        y = _text(page, y, f"{what}: {where}")
    y = _text(page, y, "Reproduce", 14, fontweight="bold")
    _text(
        page, y, f"{report.command or 'reactio.report(…)'}   (Reactio {report.version})", family="monospace", width=78
    )
    return page
