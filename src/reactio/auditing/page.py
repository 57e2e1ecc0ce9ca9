"""An audit as one HTML page without dependencies."""

from __future__ import annotations

from html import escape

from reactio.auditing.data import Audit, AuditedComponent, Finding

AXES_IN_WORDS = {"joint": "the axes of the joint", "world": "world axes"}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
body { color: #1a1a1a; background: #fff }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums }
td.n, th.n { text-align: right } tr.first td { border-top: 2px solid #999 }
.confirmed { color: #1b7f3b } .wrong { color: #b00020; font-weight: 600 } .arbitrary { color: #b26a00 }
.ambiguous { color: #8a2be2 } del { color: #888 } .note { color: #555 }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e6e6e6 } th, td { border-color: #333 } }
"""


def page(audit: Audit) -> str:
    """The page: a sentence, every component with its verdict, the known sums, and the reason."""
    rows, before = [], ""
    for line in audit.components:
        rows.append(_row(line, first=line.joint != before))
        before = line.joint
    sums = "".join(
        f"<tr><td>{escape(s.text)}</td><td class=n>{s.theirs:.6g}</td><td class=n>{s.ours:.6g}</td>"
        f"<td>{s.unit}</td></tr>"
        for s in audit.sums
    )
    known = (
        "<h2>Known sums</h2><table><tr><th>sum</th><th class=n>theirs</th><th class=n>ours</th><th></th></tr>"
        f"{sums}</table>"
        if sums
        else ""
    )
    zeros = (
        f"<p>Multipliers it set to zero although the model leaves them undetermined: "
        f"{escape(', '.join(audit.zeros))}.</p>"
        if audit.zeros
        else ""
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in audit.notes)
    return f"""<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>Audit of {escape(audit.model)}</title><style>{STYLE}</style>
<h1>{escape(audit.model)}, t = {audit.t:g} s</h1><p><b>{escape(audit.sentence)}</b></p>
<p class=note>Its reactions balance the loads to {audit.balance:.1e} of the largest load; the best possible balance is
{audit.least_balance:.1e}. Components are in {AXES_IN_WORDS[audit.axes]}, on the second body of each joint.
A struck number is arbitrary: any value is equally valid, and the last column shows one.</p>
<table><tr><th>joint</th><th></th><th class=n>{escape(audit.program)}</th><th class=n>determined</th><th></th>
<th>verdict</th><th class=n>another value</th></tr>{"".join(rows)}</table>
{known}<h2>Why {escape(audit.program)} shows these</h2><p>{escape(audit.reason)}</p>{zeros}<ul>{notes}</ul></html>
"""


def _row(line: AuditedComponent, first: bool) -> str:
    theirs = "" if line.theirs is None else f"{line.theirs:.6g}"
    struck = f"<del>{theirs}</del>" if line.verdict is Finding.ARBITRARY else theirs
    ours = "any value" if line.verdict is Finding.ARBITRARY else ("" if line.ours is None else f"{line.ours:.6g}")
    alternative = "" if line.other is None else f"{line.other:.4g}"
    start = " class=first" if first else ""
    name = escape(line.joint) if first else ""
    return (
        f"<tr{start}><td>{name}</td><td>{line.component}</td><td class=n>{struck}</td><td class=n>{ours}</td>"
        f"<td>{line.unit}</td><td class={line.verdict}>{line.verdict}</td><td class=n>{alternative}</td></tr>"
    )
