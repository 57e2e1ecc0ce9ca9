"""Two sets of reactions side by side as one self-contained HTML file, in the style of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from reactio.catalogue.units import unit_name
from reactio.diagnosis.side_by_side import ComparedPart
from reactio.drawing.style import STYLES
from reactio.reporting.data import ReportData
from reactio.reporting.html import to_html

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}, side by side</title><link rel="icon" href="data:,"><style>{style}</style></head>
<body><header><div class="opening"><p class="overline">Reactio · side by side</p><h1>{title}</h1>
<p class="lead">{summary}</p></div></header>
<main>{frames}<section>
<p class="dim">Components on the second body of each joint, in {axes} axes. {marks}; – undetermined. Differing
components are shaded.</p>
<div class="scroll"><table class="sides"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>
</section></main>{fit}</body></html>
"""
# Each report as high as its drawing, with what stands below it to be scrolled to.
FIT = """<script>
const frames = [...document.querySelectorAll(".pair iframe")];
function fit() {
  const low = frame => frame.contentDocument?.querySelector(".board")?.getBoundingClientRect().bottom ?? 0;
  const heights = frames.map(frame => low(frame) + (frame.contentWindow?.scrollY ?? 0) + 24);
  frames.forEach((frame, k) => {
    const beside = frames.every(other => other.offsetTop === frame.offsetTop);
    frame.style.height = `${Math.ceil(Math.max(400, beside ? Math.max(...heights) : heights[k]))}px`;
  });
}
frames.forEach(frame => frame.addEventListener("load", fit));
addEventListener("resize", fit);
</script>"""


def compare_page(
    names: Sequence[str],
    parts: Sequence[ComparedPart],
    summary: str,
    marks: str,
    value: Callable[[ComparedPart, int], str],
    axes: str,
    reports: Sequence[ReportData] = (),
) -> str:
    """The page: both reports, then a block for each joint, differences shaded.

    ``value`` formats the number of one side with its mark.
    """
    frames = "".join(
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f'<iframe title="{escape(name)}" srcdoc="{escape(to_html(report, reports))}"></iframe></figure>'
        for name, report in zip(names, reports, strict=False)
    )
    frames = f"<div class='pair'>{frames}</div>" if frames else ""
    heads = "".join(
        f"<th scope='col'{' class=n' if k in (2, 3) else ''}>{escape(text)}</th>"
        for k, text in enumerate(("Joint", "Part", *names, "Unit"))
    )
    rows = "".join(_joint(name, list(of_joint), value) for name, of_joint in groupby(parts, lambda part: part.name))
    style = (files("reactio.reporting") / "page" / "page.css").read_text(encoding="utf-8")
    title = escape(" and ".join(names))
    words = {"summary": escape(summary), "marks": escape(marks), "axes": axes}
    return PAGE.format(
        title=title, style=style, heads=heads, rows=rows, frames=frames, fit=FIT if frames else "", **words
    )


def _joint(name: str, components: list[ComparedPart], value: Callable[[ComparedPart, int], str]) -> str:
    """The lines of a joint, the first with its name and verdicts."""
    verdicts = " → ".join(_verdict(word) for word in dict.fromkeys(components[0].verdicts))
    first = f"<th scope='rowgroup' rowspan='{len(components)}'>{escape(name)}<br>{verdicts}</th>"
    lines = []
    for k, part in enumerate(components):
        numbers = "".join(f"<td class='n'>{escape(value(part, side))}</td>" for side in (0, 1))
        shade = " class='differs'" if part.differs else ""
        cells = f"<td>{escape(part.component)}</td>{numbers}<td>{escape(unit_name(part.unit))}</td>"
        lines.append(f"<tr{shade}>{'' if k else first}{cells}</tr>")
    return "".join(lines)


def _verdict(word: str) -> str:
    if word not in STYLES:
        return escape(word or "not there")
    number = list(STYLES).index(word)
    return f"<span class='verdict v{number}'><span class='badge v{number}' aria-hidden='true'></span>{word}</span>"
