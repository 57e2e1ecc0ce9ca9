"""A report as Markdown, for notes and reviews."""

from __future__ import annotations

import math
import re

from reactio.drawing.motions import AdmissibleMotion
from reactio.drawing.style import STYLES
from reactio.reporting.data import ComponentLine, JointLine, ReportData, RunLine
from reactio.reporting.words import axes_words, rank_words, shown, sum_words, time_words
from reactio.simulation.peaks import peak_of


def to_markdown(report: ReportData) -> str:
    """The words and tables of a report."""
    lines = [f"# {plain(report.title)}", "", f"`{_code(report.name)}`, {report.space}{time_words(report)}", ""]
    lines += [f"**{plain(report.headline)}**", "", *(f"{plain(text)}\n" for text in report.sentences)]
    lines += [
        "## Reactions",
        "",
        f"Components {axes_words(report)}.",
        *(
            [f"Values marked ≈ are not unique: the sharing rule `{_code(report.rule)}` made them."]
            * report.anything_open
        ),
        "",
    ]
    lines += ["| | joint | type | verdict | known | components | shares load with |", "|---|---|---|---|---|---|---|"]
    lines += [_row(joint, report) for joint in report.joints]
    lines += ["", plain(report.left_out)] if report.left_out else []
    if report.sums:
        lines += [
            "",
            f"## Sums of components, in {report.axes} axes",
            "",
            *(f"- {plain(sum_words(one))}" for one in report.sums),
        ]
    limited = [(joint, c) for joint in report.joints for c in joint.components if c.limited]
    if limited:
        lines += ["", "## Between which ends, over all splits", "", *(f"- {_ends(joint, c)}" for joint, c in limited)]
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
    if report.run:
        lines += ["", "## Motion", "", *_run(report.run, report)]
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
    signs = {True: "", False: "≈ ", None: "? "}
    parts = "; ".join(f"{c.name} {signs[c.unique]}{shown(c.value, report)} {c.unit}" for c in joint.components)
    partners = ", ".join(plain(name) for name in joint.shares_with) or "–"
    mark = STYLES[joint.verdict].mark
    return f"| {mark} | {plain(joint.name)} | {joint.type} | {joint.verdict} | {joint.known} | {parts} | {partners} |"


def _ends(joint: JointLine, c: ComponentLine) -> str:
    low, high = (f"{x:.5g}" if math.isfinite(x) else ("−∞" if x < 0 else "∞") for x in (c.low, c.high))
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
            low, high = history.values[:, c].min(), history.values[:, c].max()
            _, when, rms = peak_of(run.times, history.values[:, c])
            further = " | ".join(
                "–" if x is None else f"{x:.5g} {u}" for x, u in ((when, "s"), (rms, history.units[c]))
            )
            always, never = bool(history.unique[:, c].all()), not history.unique[:, c].any()
            word = "yes" if always else ("no" if never else "at times")
            unit = history.units[c]
            lines.append(
                f"| {plain(history.name)} | {label} | {low:.5g} {unit} | {high:.5g} {unit} | {further} | {word} |"
            )
    return lines
