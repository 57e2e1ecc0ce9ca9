"""A plain HTML table, which notebooks show in place of a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTEBOOK_ROWS = 40  # of a table in a notebook, before the rest is only counted


def html_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], below: str = "") -> str:
    """A table with a line above and one below; every text is escaped.

    >>> html_table("Two", ["a"], [["<1>"]])
    '<p><b>Two</b></p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;1&gt;</td></tr></tbody></table>'
    """
    from html import escape

    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    after = f"<p>{escape(below)}</p>" if below else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p><b>{escape(title)}</b></p>{table}{after}"
