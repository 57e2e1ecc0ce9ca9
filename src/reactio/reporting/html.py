"""A report as one self-contained HTML file: its words and tables, with the script and style of the viewer."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from reactio.catalogue.units import decimal, quantity, writing_in
from reactio.drawing.motions import AdmissibleMotion
from reactio.drawing.style import STYLES
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS
from reactio.linear.precision import DISPLAY
from reactio.reporting.coordinates import coordinates_html
from reactio.reporting.data import ComponentLine, JointLine, ReportData, StressLine
from reactio.reporting.drawing import VERDICTS, drawing_data, force_scales
from reactio.reporting.words import (
    BY_STIFFNESS,
    axes_words,
    component_words,
    life_words,
    load_words,
    marks_words,
    partners_words,
    rank_words,
    sum_axes,
    sum_name,
    sum_value,
    time_words,
)
from reactio.reporting.written import written
from reactio.simulation.peaks import Peaks

SCRIPTS = ("base", "view", "skins", "arrows", "joints", "free_body", "flow", "stress", "time", "charts", "main")
MOST_UNFOLDED_SLIDERS = 4  # beyond which further sliders are folded
MOST_NAMES_DRAWN = 40  # joints above which no names are drawn: they would cover the drawing
MOST_TOLERANCE_BARS, LEAST_BAR = 12, 1e-3  # tolerances in a chart, and their least part of the worst case
MOST_TABLE_ROWS = 400  # of the table; more are not read, and JSON has them all


def to_html(report: ReportData, beside: Sequence[ReportData] = ()) -> str:
    """The page; every text of the model is escaped.  Arrows have one scale with those of reports ``beside`` it."""
    report = written(report)
    drawing, scales = drawing_data(report), [force_scales(written(other)) for other in beside]
    drawing["scales"] = {key: max([size, *(other[key] for other in scales)]) for key, size in drawing["scales"].items()}
    return Template(page_file("page.html")).substitute(
        fragments(report),
        title=escape(report.title),
        name=escape(report.name),
        space=report.space,
        version=escape(report.version),
        style=page_file("page.css"),
        names="checked" if len(report.scene.badges) <= MOST_NAMES_DRAWN else "",
        references="".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in report.references),
        command=escape(report.command or "reactio.report(…)"),
        data=embedded(drawing),
        script=viewer_script(),
    )


def viewer_script() -> str:
    """The JavaScript of the viewer, which needs the elements of page.html and the data of ``drawing_data``."""
    return "".join(page_file(f"{name}.js") for name in SCRIPTS)


def fragments(report: ReportData) -> dict[str, str]:
    """The parts of the page that are made of a report, by the names that page.html gives their places."""
    with writing_in(report.units):
        return _fragments(report)


def _fragments(report: ReportData) -> dict[str, str]:
    counts = [report.states.get(word, 0) for word in VERDICTS]
    return {
        "at": escape(time_words(report)),
        "headline": escape(report.headline),
        "tally": _tally(counts),
        "tally_words": ", ".join(f"{count} {word}" for count, word in zip(counts, VERDICTS, strict=True) if count),
        "facts": _facts(report),
        "source": _source(report),
        "sentences": "".join(f"<p>{escape(text)}</p>" for text in report.sentences),
        "legend": _legend(counts),
        "timeline": _timeline(report),
        "stresses": _stresses(report),
        "motions": _motions(report),
        "marked": _marked(report),
        "axes": axes_words(report),
        "rule_words": _rule_words(report),
        "rows": "".join(_row(k, joint, report) for k, joint in enumerate(report.joints[:MOST_TABLE_ROWS])),
        "more": _more(report),
        "sums": _sums(report),
        "intervals": _intervals(report) + tornado(report),
        "histories": _histories(report) + coordinates_html(report.coordinates) + bearing_lives(report),
        "rank_words": escape(rank_words(report)),
        "notes": "".join(f"<p class='dim'>{escape(note)}</p>" for note in report.notes + report.scene.remarks),
    }


def page_file(name: str) -> str:
    """A file of the viewer."""
    return (files("reactio.reporting") / "page" / name).read_text(encoding="utf-8")


def embedded(data: dict[str, Any]) -> str:
    """JSON for a script element: `<` is escaped, which could end it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _source(report: ReportData) -> str:
    """The warnings on the source, under the headline."""
    lines = "".join(f"<p>{escape(text)}</p>" for text in report.source_lines)
    return f'<div class="source" role="note">{lines}</div>' if lines else ""


def _badge(word: str) -> str:
    return f'<span class="badge v{VERDICTS.index(word)}" aria-hidden="true"></span>'


def _verdict(word: str) -> str:
    return f'<span class="verdict v{VERDICTS.index(word)}">{_badge(word)}{word}</span>'


def _tally(counts: list[int]) -> str:
    return "".join(f'<span class="v{k}" style="flex-grow:{count}"></span>' for k, count in enumerate(counts) if count)


def _legend(counts: list[int]) -> str:
    return "".join(_verdict(word) for word, count in zip(STYLES, counts, strict=True) if count)


def _rule_words(report: ReportData) -> str:
    """The sharing rule of the numbers that rest on it, with its description."""
    if report.anything_by_stiffness:
        return f" Values marked {BY_STIFFNESS} by stiffness, rule {escape(report.rule)}: {escape(report.rule_words)}"
    if not report.anything_open or not report.loads_known:
        return ""
    if report.asked and not report.anything_by_rule:
        return ""
    what = "Values marked ≈" if report.asked else "The starting point of the sliders is"
    return f" {what} by the sharing rule {escape(report.rule)}: {escape(report.rule_words)}"


def _facts(report: ReportData) -> str:
    every = sum(report.counts.values())
    stiff = report.states.get(DETERMINED_BY_STIFFNESS, 0)
    facts = (
        (f"{report.counts.get('unique', 0)} of {every}", "reactions are unique"),
        *([(f"{stiff} of {every}", DETERMINED_BY_STIFFNESS)] if stiff else []),
        (f"{report.redundancy}", "redundant equation" if report.redundancy == 1 else "redundant equations"),
        (f"{report.m} × {report.n}", f"constraint matrix, rank {report.rank}"),
        (f"{report.mobility}", _freedoms(report)),
    )
    return "".join(f"<li><b>{big}</b><span>{small}</span></li>" for big, small in facts)


def _freedoms(report: ReportData) -> str:
    """The number of freedoms in words; drives count as constraints."""
    word = "degree of freedom" if report.mobility == 1 else "degrees of freedom"
    return f"{word} {report.besides_drives}".strip()


def _timeline(report: ReportData) -> str:
    if report.run is None:
        return ""
    first, last = float(report.run.t[0]), float(report.run.t[-1])
    return (
        '<div class="timeline"><button type="button" class="play" id="play" aria-label="Play">▶</button>'
        f'<div class="track"><input type="range" id="time" min="{first:.9g}" max="{last:.9g}" step="any" '
        f'value="{first:.9g}" aria-label="Time in seconds"><div class="ticks" id="ticks"></div></div>'
        '<output class="clock" id="clock" for="time"></output></div>'
    )


def _stresses(report: ReportData) -> str:
    if not report.redundancy or (report.rests_on is not None and not report.rests_on.undecided):
        return ""
    every = [_stress(k, stress, len(report.stresses)) for k, stress in enumerate(report.stresses)]
    cards = "".join(every[:MOST_UNFOLDED_SLIDERS])
    if folded := every[MOST_UNFOLDED_SLIDERS:]:
        cards += f"<details><summary>{len(folded)} more ways</summary>{''.join(folded)}</details>"
    rest = (report.rests_on.undecided if report.rests_on else report.redundancy) - len(report.stresses)
    cards += _not_shown(rest)
    opening = '<section class="card" aria-labelledby="stresses"><h2 id="stresses">How the load may shift'
    if not report.stresses:
        words = "The mechanism is too large to write its self-stresses out."
        return f'{opening}</h2><p class="dim">{words}</p></section>'
    return (
        f"{opening} "
        '<button type="button" class="plain" id="relax">back to zero</button></h2>'
        "<p class='warning'>Each slider adds a self-stress: internal forces that need no load and change no motion. "
        f"Every position of it satisfies the rigid model equally well.{_stops(report)}{_changes_alone(report)}"
        f"<span id='stress-at'> At t = {report.t:g} s.</span></p>"
        f"{cards}</section>"
    )


def _stops(report: ReportData) -> str:
    """A sentence on sliders that contacts or capacities limit."""
    limited = any(c.limited for joint in report.joints for c in joint.components)
    return " It stops where a contact would pull or a capacity be exceeded." if limited else ""


def _changes_alone(report: ReportData) -> str:
    """A sentence on sliders that start from no known load."""
    return "" if report.loads_known else " Masses are not known: arrows and numbers are the changes alone."


def _stress(k: int, stress: StressLine, count: int) -> str:
    unfolded = " open" if k == 0 and count <= MOST_UNFOLDED_SLIDERS else ""
    return (
        f'<div class="stress"><p>{escape(stress.words)}</p><div class="slide">'
        f'<input type="range" id="stress-{k}" min="{-stress.reach:.9g}" max="{stress.reach:.9g}" '
        f'step="{stress.reach / 50:.9g}" value="0" aria-label="Amount of self-stress {k + 1}, in {stress.unit}">'
        f'<output id="amount-{k}" for="stress-{k}">0 {stress.unit}</output></div>'
        f'<details{unfolded}><summary>Numbers</summary><div id="shift-{k}"></div></details></div>'
    )


def _motions(report: ReportData) -> str:
    if not report.motions:
        return ""
    words = [_moving_bodies(motion, len(report.body_names)) for motion in report.motions]
    choices = "".join(
        f'<p><label><input type="radio" name="motion" value="{k}"{" checked" if k == 0 else ""}> '
        f"{escape(words[k])}{f' ({words[: k + 1].count(words[k])})' if words.count(words[k]) > 1 else ''}"
        f"{'' if motion.real else ' (infinitesimal only)'}</label></p>"
        for k, motion in enumerate(report.motions)
    )
    rest = _not_shown(report.mobility - len(report.motions))
    return (
        '<section class="card" aria-labelledby="motions"><h2 id="motions">Admissible motions</h2>'
        '<div class="slide"><input type="range" id="along" min="-1" max="1" step="0.02" value="0" '
        'aria-label="Along the chosen motion"><span></span></div>'
        f"{choices}{rest}</section>"
    )


def _not_shown(count: int) -> str:
    """A line on so many entries that a list leaves out."""
    return f"<p class='dim'>{count} more {'is' if count == 1 else 'are'} not shown.</p>" if count else ""


def _moving_bodies(motion: AdmissibleMotion, count: int) -> str:
    return "all bodies move" if len(motion.bodies) == count and count > 1 else motion.words


def _known(joint: JointLine) -> str:
    """How many components the rigid model determines."""
    return joint.known if joint.state == joint.verdict else f"{joint.known} if rigid"


def _row(k: int, joint: JointLine, report: ReportData) -> str:
    chips = "".join(_chip(c, report) for c in joint.components)
    idle = report.anything_idle and report.run is None  # a run has loads that change
    load = f"<br><span class='dim load'>{load_words(joint)}</span>" if idle and load_words(joint) else ""
    between = " – ".join(f"<span class='whole'>{escape(body)}</span>" for body in joint.bodies)
    return (
        f'<tr data-joint="{k}"><td><button type="button" class="name">{escape(joint.name)}</button>'
        f"<br><span class='dim'>{escape(joint.type)} · {between}</span></td>"
        f"<td>{_verdict(joint.state)}<br><span class='dim known'>{_known(joint)}</span>{load}</td>"
        f'<td><div class="chips">{chips}</div></td>'
        f'<td class="shares{"" if joint.shares_with else " none"}">'
        f"{escape(partners_words(joint.shares_with))}</td></tr>"
    )


def _chip(c: ComponentLine, report: ReportData) -> str:
    kind = "stiff" if c.by_stiffness else {True: "known", False: "open", None: "unsure"}[c.unique]
    return f'<span class="chip {kind}" data-c="{c.name}">{component_words(c, report)}</span>'


def _marked(report: ReportData) -> str:
    """The meaning of the marks, where they are used."""
    words = escape(marks_words(report)).replace("≈", '<span class="open-value">≈</span>')
    return f" {words}" if words else ""


def _more(report: ReportData) -> str:
    if report.left_out:
        return f"<p class='dim'>{escape(report.left_out)}</p>"
    rest = len(report.joints) - MOST_TABLE_ROWS
    return f"<p class='dim'>… and {rest:,} more; <code>--format json</code> lists them all.</p>" if rest > 0 else ""


def _sums(report: ReportData) -> str:
    """Sums of components: those that were asked for, and unique ones of open components."""
    if not report.sums:
        return ""
    items = "".join(
        f"<li>{escape(sum_name(total))} = <span data-sum='{k}'>{_whole_units(escape(sum_value(total)))}</span>"
        f"{escape(sum_axes(total))}</li>"
        for k, total in enumerate(report.sums)
    )
    axes = " and ".join(dict.fromkeys(str(total.axes) for total in report.sums))
    heading = f"Sums of components, in {axes} axes{escape(time_words(report))}<span class='when'></span>"
    return f"<h3>{heading}</h3><ul class='sums'>{items}</ul>"


def _whole_units(words: str) -> str:
    """A value with its unit and verdict, ``12 N m (unique)``, in which the first two are not separated."""
    value, bracket, rest = words.partition(" (")
    return value.replace(" ", "\u00a0") + bracket + rest


def _intervals(report: ReportData) -> str:
    """Bounds over all splits as bars, with a mark at the value by the rule."""
    open_ones = [(joint, c) for joint in report.joints[:MOST_TABLE_ROWS] for c in joint.components if c.limited]
    if not open_ones:
        return ""
    bars = "".join(
        _bar(joint, c, _span([component for _, component in open_ones if component.unit == c.unit]))
        for joint, c in open_ones
    )
    return (
        f"<h3>The range of each component over all load distributions{escape(time_words(report))}</h3>"
        "<p class='dim'>Contacts only push, and joints carry no more than their capacity: bars run from the smallest "
        f"to the largest value of each component; the mark is the value by the rule <b>{escape(report.rule)}</b>.</p>"
        f'<table class="numbers intervals"><tbody>{bars}</tbody></table>'
    )


def bearing_lives(report: ReportData) -> str:
    """L10 and static safety of bearings, as a table."""
    if not report.lives:
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{escape(life.joint)}</th><td>{escape(life_words(life))}</td></tr>"
        for life in report.lives
    )
    return (
        '<section aria-labelledby="lives"><h2 id="lives">Life of bearings</h2>'
        "<p class='dim'>L10 by ISO 281 when this motion is repeated.</p>"
        f"<div class='scroll'><table><tbody>{rows}</tbody></table></div></section>"
    )


def tornado(report: ReportData) -> str:
    """The tolerances that change one component most, as bars on both sides of its nominal value."""
    bars = report.error_bars
    if bars is None or not bars.largest:
        return ""
    bar = bars.largest[0]
    name = f"{bar.joint}.{bar.component}"
    nominal = bar.nominal if abs(bar.nominal) > DISPLAY * bar.worst else 0.0
    changes = [(what, abs(x)) for what, x in bars.changes(name).items() if abs(x) > LEAST_BAR * bar.worst][
        :MOST_TOLERANCE_BARS
    ]
    reach = max((x for _, x in changes), default=1.0)
    rows = "".join(_tolerance_row(what, 100 * x / reach, f"± {quantity(x, bar.unit)}") for what, x in changes)
    return (
        f"<h3>Effect of tolerances on {escape(name)}</h3>"
        f"<p class='dim'>{quantity(nominal, bar.unit)} ± {quantity(bar.worst, bar.unit)} at worst, "
        f"± {quantity(bar.rss, bar.unit)} by root sum of squares. {escape(bars.advice(name))}</p>"
        f'<table class="numbers intervals"><tbody>{rows}</tbody></table>'
    )


def _tolerance_row(what: str, half: float, words: str) -> str:
    """A bar of a tornado of ``half`` its width on both sides [px]."""
    return (
        f"<tr><td>{escape(what)}</td><td><svg width='210' height='14' role='img' aria-label='{words}'>"
        f"<rect class='bar' x='{105 - half:.2f}' y='4' width='{2 * half:.2f}' height='6' rx='2'></rect>"
        f"<line class='mark' x1='105' x2='105' y1='1' y2='13'></line></svg></td><td>{words}</td></tr>"
    )


def _span(every: list[ComponentLine]) -> tuple[float, float]:
    """The smallest and the largest finite number of components of one unit."""
    numbers = [x for c in every for x in (c.low, c.high, c.value, 0.0) if math.isfinite(x)]
    return min(numbers), max(numbers)


def _bar(joint: JointLine, c: ComponentLine, span: tuple[float, float]) -> str:
    first, last = span
    width = (last - first) or 1.0
    low, high, value = (200 * (min(max(x, first), last) - first) / width for x in (c.low, c.high, c.value))
    words = " … ".join(decimal(x, 5) if math.isfinite(x) else ("−∞" if x < 0 else "∞") for x in (c.low, c.high))
    what = f"{joint.name} {c.name}"
    return (
        f"<tr><td>{escape(what)}</td><td><svg width='210' height='14' role='img' aria-label='{escape(words)} {c.unit}'>"
        f"<rect class='bar' x='{low + 5:.2f}' y='4' width='{max(high - low, 1):.2f}' height='6' rx='2'></rect>"
        f"<line class='mark' x1='{value + 5:.2f}' x2='{value + 5:.2f}' y1='1' y2='13'></line></svg></td>"
        f"<td>{words} {c.unit}</td></tr>"
    )


def _histories(report: ReportData) -> str:
    if report.run is None:
        return ""
    reactions_in_time = (
        '<section aria-labelledby="histories"><h2 id="histories">Reactions in time</h2>'
        f"<p class='dim'>In {report.axes} axes; dots mark the peaks.{_dashed(report)}</p>"
        f'<div class="charts" id="plots"></div>{_peaks(report)}</section>'
    )
    return (
        f"{reactions_in_time if report.loads_known else ''}"
        '<section aria-labelledby="verdict-history"><h2 id="verdict-history">Verdicts in time</h2>'
        "<p class='dim'>Solid where a joint is unique or determined by stiffness, hatched where it is partly or not; "
        "marks show singular poses and events.</p>"
        '<div class="chart" id="verdict-times"></div></section>'
    )


def _dashed(report: ReportData) -> str:
    """The meaning of dashed lines, where there are any."""
    solid = " Solid lines are unique or determined by stiffness." if report.anything_by_stiffness else ""
    if not report.anything_open:
        return solid
    by = f"the rule <b>{escape(report.rule)}</b>"
    return (
        f"{solid or ' Solid lines are unique.'} Dashed lines on a broad band are not: they follow {by}, and any shift "
        "by a self-stress is equally valid."
    )


def _peaks(report: ReportData) -> str:
    """A folded table of peak, time and RMS of every component that is not zero."""
    assert report.run is not None
    peaks = report.run.peaks
    lines = [
        peak_line
        for peak_line in peaks.found
        if peak_line.peak is None or abs(peak_line.peak) > 1e-9 * _reach(peaks, peak_line.unit)
    ]
    rows = "".join(
        f"<tr><th scope='row'>{escape(peak_line.name)}</th><td>{escape(peak_line.component)}</td>"
        + "".join(f"<td class='n'>{_digits(x)}</td>" for x in (peak_line.peak, peak_line.t, peak_line.rms))
        + f"<td>{peak_line.unit}</td><td>{escape(peak_line.verdict)}</td></tr>"
        for peak_line in lines[:MOST_TABLE_ROWS]
    )
    heads = "".join(
        f"<th scope='col'>{word}</th>" for word in ("Joint", "Component", "Peak", "At t [s]", "RMS", "Unit", "Verdict")
    )
    return (
        f"<details class='peaks'><summary>Peaks as a table, in {report.axes} axes</summary>"
        f"<div class='scroll'><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='dim'>Peaks were {escape(peaks.words)}.</p></details>"
    )


def _reach(peaks: Peaks, unit: str) -> float:
    return max(
        (abs(peak_line.peak) for peak_line in peaks.found if peak_line.peak is not None and peak_line.unit == unit),
        default=0.0,
    )


def _digits(x: float | None) -> str:
    return "–" if x is None else decimal(x, 5).replace("-", "−")
