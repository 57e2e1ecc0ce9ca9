"""A report as Markdown, for notes and reviews."""

from __future__ import annotations

import math
import re

import numpy as np

from reactio.catalogue.units import decimal, writing_in
from reactio.drawing.motions import AdmissibleMotion
from reactio.drawing.style import STYLES
from reactio.reporting.coordinates import coordinates_markdown
from reactio.reporting.data import ComponentLine, HistoryLine, JointLine, ReportData, RunLine
from reactio.reporting.words import (
    axes_words,
    component_words,
    folded,
    life_words,
    load_words,
    marks_words,
    rank_words,
    sum_words,
    time_words,
)
from reactio.reporting.written import written
from reactio.simulation.peaks import peak_of


def to_markdown(report: ReportData) -> str:
    """The words and tables of a report."""
    with writing_in(report.units):
        return _markdown(written(report))


def _markdown(report: ReportData) -> str:
    lines = [f"# {plain(report.title)}", "", f"`{_code(report.name)}`, {report.space}{time_words(report)}", ""]
    lines += [f"**{plain(report.headline)}**", "", *(f"{plain(text)}\n" for text in report.words)]
    lines += [
        "## Reactions",
        "",
        f"Components {axes_words(report)}.",
        *([plain(words)] if (words := marks_words(report)) else []),
        "",
    ]
    heads = ["", "joint", "type", "verdict", "known", "components", "shares load with"]
    heads += ["load"] if report.anything_idle else []
    lines += [f"| {' | '.join(heads)} |".replace("|  |", "| |"), "|---" * len(heads) + "|"]
    lines += [_row(joint, report) for joint in report.joints]
    lines += ["", plain(report.left_out)] if report.left_out else []
    if report.sums:
        lines += [
            "",
            f"## Sums of components, in {' and '.join(dict.fromkeys(str(total.axes) for total in report.sums))} axes",
            "",
            *(f"- {plain(sum_words(total))}" for total in report.sums),
        ]
    limited = [(joint, c) for joint in report.joints for c in joint.components if c.limited]
    if limited:
        lines += [
            "",
            "## The range of each component over all load distributions",
            "",
            *(f"- {_ends(joint, c)}" for joint, c in limited),
        ]
    if report.stresses:
        lines += ["", "## How the load may shift", "", "Any amount of each satisfies the rigid model equally well.", ""]
        lines += [f"{k}. {plain(s.words)} Amounts are in {s.unit}." for k, s in enumerate(report.stresses, start=1)]
    if report.motions:
        lines += [
            "",
            "## Admissible motions",
            "",
            *(f"{k}. {_motion(m)}" for k, m in enumerate(report.motions, start=1)),
        ]
    lines += coordinates_markdown(report.coordinates, plain)
    if report.run:
        lines += ["", "## Motion", "", *_run(report.run, report)]
    if report.lives:
        lines += ["", "## Life of bearings", "", *(f"- {plain(f'{x.joint}: {life_words(x)}')}" for x in report.lives)]
    if report.error_bars is not None:
        bars, advice = report.error_bars.largest, report.error_bars.advice
        lines += ["", "## Tolerances", "", *(f"- {plain(advice(f'{b.joint}.{b.component}'))}" for b in bars)]
    lines += [
        "",
        "## Rank evidence",
        "",
        rank_words(report),
        *(f"\n{plain(note)}" for note in report.notes + report.scene.remarks),
    ]
    lines += ["", "## References", "", *(f"- {what}: {plain(where)}" for what, where in report.references)]
    lines += ["", "## Reproduce", "", "```sh", report.command or "reactio.report(…)", "```", ""]
    return "\n".join([*lines, f"Reactio {report.version}.", ""])


def plain(text: str) -> str:
    """A text on one line with all markup characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", re.sub(r"\s+", " ", text))


def _code(text: str) -> str:
    return re.sub(r"[`\s|]+", " ", text)


def _row(joint: JointLine, report: ReportData) -> str:
    parts = "; ".join(component_words(c, report) for c in joint.components)
    partners = ", ".join(plain(name) for name in folded(joint.shares_with)) or "–"
    mark = STYLES[joint.state].mark
    load = f" {load_words(joint)} |" if report.anything_idle else ""
    return (
        f"| {mark} | {plain(joint.name)} | {joint.type} | {joint.state} | {joint.known} | {parts} | {partners} |{load}"
    )


def _ends(joint: JointLine, c: ComponentLine) -> str:
    low, high = (decimal(x, 5) if math.isfinite(x) else ("−∞" if x < 0 else "∞") for x in (c.low, c.high))
    return f"{plain(joint.name)} {c.name}: {low} … {high} {c.unit}"


def _motion(motion: AdmissibleMotion) -> str:
    return f"{plain(motion.words)}{'' if motion.real else ' (infinitesimal only)'}"


def _run(run: RunLine, report: ReportData) -> list[str]:
    """Smallest and largest value of every component over a run, and its events."""
    lines = [f"From t = {run.t[0]:g} s to {run.t[-1]:g} s in {run.steps:,} steps.", ""]
    lines += [*(f"- t = {event.t:g} s: {plain(event.words)}" for event in run.events), *[""] * bool(run.events)]
    lines += [
        "| joint | component | smallest | largest | peak at | RMS | unique |",
        "|---|---|---|---|---|---|---|",
    ]
    for history in run.histories:
        for c, label in enumerate(history.labels):
            values = history.shown(report.asked)[:, c]
            low, high = (f(values, initial=x) for f, x in ((np.nanmin, np.inf), (np.nanmax, -np.inf)))
            _, when, rms = peak_of(run.times, values)
            further = " | ".join(
                "–" if x is None else f"{decimal(x, 5)} {u}" for x, u in ((when, "s"), (rms, history.units[c]))
            )
            word = _uniqueness(history, c)
            unit = history.units[c]
            lines.append(
                f"| {plain(history.name)} | {label} | {_end(low, unit)} | {_end(high, unit)} | {further} | {word} |"
            )
    return lines


def _end(x: float, unit: str) -> str:
    return f"{decimal(x, 5)} {unit}" if math.isfinite(x) else "–"


def _uniqueness(history: HistoryLine, c: int) -> str:
    """Whether a component is unique over a run, or determined by stiffness."""
    unique = history.unique[:, c]
    if unique.all():
        return "yes"
    return "by stiffness" if history.determined[:, c].all() else "at times" if unique.any() else "no"
