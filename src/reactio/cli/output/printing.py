"""Printing: JSON, tables, remarks and names on the terminal."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.cli.output.source_notes import notes_data
from reactio.cli.process import in_json
from reactio.cli.verbosity import silent
from reactio.results.as_data import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_json(data: dict[str, Any]) -> None:
    """One JSON object; NaN and infinities become null."""
    data = plain(data | notes_data())
    sys.stdout.write(in_json(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n")


def console() -> Console:
    """The console of standard output, with colours on a terminal only."""
    from rich.console import Console

    # A pipe or a file has no width: lines are wide enough for every table.
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 160
    return Console(highlight=False, soft_wrap=False, width=width)


def remark(text: str) -> None:
    """Print a remark below the result; not with ``--quiet``."""
    if not silent():
        console().print(text)


def wrote(*paths: Path) -> None:
    """Print which files were written; not with ``--quiet``."""
    for path in paths:
        remark(f"Written to {escape(str(path))}.")


NARROW_COLUMNS = 100  # width of a terminal below which texts in a table may be broken between words
UNBROKEN_COLUMNS = 3  # first columns of a table, with marks, names and types, that are never broken


def table(title: str, *columns: str) -> Table:
    """A plain table with a heading."""
    from rich import box
    from rich.table import Table

    narrow = console().width < NARROW_COLUMNS
    grid = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        collapse_padding=narrow,
    )
    for place, name in enumerate(columns):  # only the last column may wrap; where space is scarce, all words may
        right, last = name.startswith(">"), name is columns[-1]
        grid.add_column(
            name.removeprefix(">"),
            justify="right" if right else "left",
            overflow="fold",
            no_wrap=not last and (right or place < UNBROKEN_COLUMNS or not narrow),
            min_width=12 if last else None,
        )
    return grid


TABLE_ROWS = 40  # of one joint each; further ones are only counted: as many as a screen shows
GAP_ROWS = 12  # of joints that stood open
COMPONENT_ROWS = 60  # of one component each: those of ten joints in space


def print_rest(out: Console, count: int, where: str, what: str = "more", then: str = "") -> None:
    """Print below a table how many rows are left out, and which option lists them."""
    if count > 0:
        out.print(f"  … and {count:,} {what} ({where}).{then and f' {then}'}")


def escape(text: str) -> str:
    """A text in which markup is escaped, so that it is printed as it is."""
    from rich.markup import escape as escaped

    return escaped(text)


def plural(count: int, word: str, words: str | None = None) -> str:
    """A number with a noun: ``1 joint``, ``2 joints``."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
