"""``reactio reproduce``: the papers, number by number."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.arguments.options import AsJson
from reactio.cli.output.printing import console, escape, plural, print_json, table
from reactio.cli.process import ExitCode
from reactio.cli.verbosity import timed
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.reproduce import Agreement, Paper, PrintedNumber

CLAIM_COLOURS = {"holds": "green", "fails": "red", "slip": "yellow", "differs": "yellow"}
COMPARISON_KEYS = "where what paper ours tolerance at level source status note"
OUTCOME_MARKS = {"holds": "✓", "fails": "✗", "slip": "≠", "differs": "!"}


class FigureFormat(StrEnum):
    """Formats of figures."""

    png = "png"
    svg = "svg"
    pdf = "pdf"


def complete_paper(incomplete: str) -> list[str]:
    """Papers that begin like this."""
    from reactio.reproduce import PAPERS

    return [key for key in PAPERS if key.startswith(incomplete)]


def reproduce(
    papers: Annotated[
        list[str] | None, typer.Argument(help="Keys of papers (default: all).", autocompletion=complete_paper)
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Draw the figures into this folder, each with its numbers (.csv).")
    ] = None,
    image: Annotated[FigureFormat, typer.Option("--format", help="Format of the figures.")] = FigureFormat.png,
    as_json: AsJson = False,
) -> None:
    """Recompute every printed number of the papers, side by side.

    Every row states the quantity, its instant, the level of the model and the tolerance. Exit code 0 if all comparisons
    hold. A slip (≠) is a printed number that contradicts the paper's own data; a difference (!) is a statement that
    the available data do not confirm. Both are explained and do not count as failures. Where the paper prints
    nothing, rows compare with a calculation of our own, and are counted separately.

    Example: reactio reproduce wojtyra2013 --plots figures --format pdf
    """
    from reactio.reproduce import PAPERS, Agreement, reproduce

    chosen = [PAPERS.get(key) for key in papers or ()] or PAPERS.values()
    results: list[tuple[Paper, tuple[PrintedNumber, ...]]] = []
    for paper in chosen:
        with timed(paper.key):
            results += reproduce([paper.key])
        if not as_json:
            _print(*results[-1])
    drawn = {paper.key: _drawn(paper, plots, image) for paper in chosen} if plots else {}
    if as_json:
        print_json(_data(results, drawn))
    else:
        _summary(results, drawn)
    if any(number.status is Agreement.FAILS for _, rows in results for number in rows):
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _drawn(paper: Paper, folder: Path, image: FigureFormat) -> list[str]:
    if paper.figures is None:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    return [str(path) for path in paper.figures(folder, f".{image}")]


def _print(paper: Paper, rows: tuple[PrintedNumber, ...]) -> None:
    from reactio.reproduce import NumberSource

    out = console()
    for source, title in (
        (NumberSource.PRINTED, f"{paper.key}: {paper.cite}"),
        (NumberSource.OWN, "By our own calculation"),
    ):
        chosen = [number for number in rows if number.source is source]
        if not chosen:
            continue
        expected = ">paper" if source is NumberSource.PRINTED else ">expected"
        listing = table(escape(title), "", "where", expected, ">ours", "tolerance", "what; instant; level")
        for number in chosen:
            colour = CLAIM_COLOURS[number.status]
            mark = f"[{colour}]{OUTCOME_MARKS[number.status]}[/{colour}]"
            what = "; ".join(
                part for part in (number.what + ("*" if number.note else ""), number.at, number.level) if part
            )
            cells = (number.where, number.paper, number.ours, number.tolerance, what)
            listing.add_row(mark, *(escape(text) for text in cells))
        out.print(listing)
    for number in rows:
        if number.note:
            out.print(f"* {escape(number.what)}: {escape(number.note)}.")
    for text in paper.left_open:
        out.print(f"Open: {escape(text)}")
    out.print()


def _summary(results: list[tuple[Paper, tuple[PrintedNumber, ...]]], drawn: dict[str, list[str]]) -> None:
    from reactio.reproduce import Agreement, NumberSource

    out, shown = console(), (Agreement.HOLDS, Agreement.SLIP, Agreement.DIFFERS, Agreement.FAILS)
    listing = table("All papers", "paper", ">hold", ">slips", ">differ", ">fail", ">own checks", "title")
    for paper, rows in results:
        printed = tuple(number for number in rows if number.source is NumberSource.PRINTED)
        counts = [str(_count(printed, word)) for word in shown]
        listing.add_row(paper.key, *counts, str(len(rows) - len(printed)), escape(paper.title))
    out.print(listing)
    for paths in drawn.values():
        for path in paths:
            out.print(f"Drawn: {escape(path)}")
    every = tuple(number for _, rows in results for number in rows)
    printed = tuple(number for number in every if number.source is NumberSource.PRINTED)
    hold, slips, differ, _ = (_count(printed, word) for word in shown)
    failed, own_checks = _count(every, Agreement.FAILS), len(every) - len(printed)
    rest = f"; {plural(slips, 'printed number')} contradict the paper's own data" if slips else ""
    rest += f"; {plural(differ, 'statement')} not met, explained above" if differ else ""
    rest += f"; {plural(own_checks, 'check')} of our own hold too" if own_checks else ""
    out.print(f"{plural(failed, 'comparison')} of {len(every)} FAIL." if failed else f"All {hold} hold{rest}.")


def _count(rows: tuple[PrintedNumber, ...], status: Agreement) -> int:
    return sum(number.status == status for number in rows)


def _data(results: list[tuple[Paper, tuple[PrintedNumber, ...]]], drawn: dict[str, list[str]]) -> dict[str, Any]:
    from reactio.reproduce import Agreement

    return {
        "schema": "reactio.reproduce/1",
        "holds": not any(number.status is Agreement.FAILS for _, rows in results for number in rows),
        "papers": [
            picked(paper, "key title cite left_open")
            | {"figures": drawn.get(paper.key, []), "comparisons": [picked(row, COMPARISON_KEYS) for row in rows]}
            for paper, rows in results
        ],
    }
