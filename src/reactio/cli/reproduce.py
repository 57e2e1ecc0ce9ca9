"""``reactio reproduce``: the numbers of a paper beside ours."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from reactio.cli.common import AsJson, console, escape, prepare, print_json, table

DIFFERENT = 1


def reproduce(
    paper: Annotated[str | None, typer.Argument(help="A paper; all that are known are listed when left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compute the numbers of a published paper and print them beside its own; exit code 1 where one does not hold.

    Example: reactio reproduce sharma
    """
    from reactio.reproduce import PAPERS

    if paper is None:
        _list(as_json)
        return
    found = PAPERS.get(paper)
    for part in ("planar", "spatial"):
        prepare(part)
    rows = found.compare()
    if as_json:
        print_json(_data(found.name, found.cite, rows))
    else:
        _print(found.cite, rows)
    if not all(row.holds for row in rows):
        raise typer.Exit(DIFFERENT)


def _list(as_json: bool) -> None:
    from reactio.reproduce import PAPERS

    papers = PAPERS.values()
    if as_json:
        print_json({"schema": "reactio.reproduce/1", "papers": [{"name": p.name, "cite": p.cite} for p in papers]})
        return
    made = table("Papers", "name", "source")
    for one in papers:
        made.add_row(one.name, escape(one.cite))
    console().print(made)


def _data(name: str, cite: str, rows: Any) -> dict[str, Any]:
    keys = ("quantity", "where", "paper", "ours", "tolerance", "holds", "note")
    return {
        "schema": "reactio.reproduce/1",
        "paper": name,
        "cite": cite,
        "holds": all(row.holds for row in rows),
        "rows": [{key: getattr(row, key) for key in keys} for row in rows],
    }


def _print(cite: str, rows: Any) -> None:
    out = console()
    made = table(escape(cite), "quantity", "where", ">paper", ">ours", "", "note")
    for row in rows:
        mark = "[green]✓[/]" if row.holds else "[red]✗[/]"
        made.add_row(
            escape(row.quantity), escape(row.where), escape(_text(row.paper)), escape(_text(row.ours)), mark, row.note
        )
    out.print(made)
    out.print(f"{sum(row.holds for row in rows)} of {len(rows)} hold.")


def _text(value: float | str | None) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else f"{value:g}"
