"""Printing: JSON, tables, remarks and names on the terminal."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.cli.process import in_json
from reactio.cli.verbosity import silent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_json(data: dict[str, Any]) -> None:
    """One JSON object; NaN and infinities become null."""
    sys.stdout.write(in_json(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n")


def console() -> Console:
    """Where people read: colours on a terminal only."""
    from rich.console import Console

    # Where nobody sets the width (a pipe, a file) nothing is cut.
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 160
    return Console(highlight=False, soft_wrap=False, width=width)


def remark(text: str) -> None:
    """A hint beside the result, below it; not with ``--quiet``."""
    if not silent():
        console().print(text)


def wrote(*paths: Path) -> None:
    """Say which files there are now; not with ``--quiet``."""
    for path in paths:
        remark(f"Written to {escape(str(path))}.")


NARROW = 100  # columns of a terminal below which texts in a table may be broken between words
NAMES = 3  # first columns of a table, which hold marks, names and types: these stay in one piece


def table(title: str, *columns: str) -> Table:
    """A plain table with a heading."""
    from rich import box
    from rich.table import Table

    narrow = console().width < NARROW
    made = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        collapse_padding=narrow,
    )
    for place, name in enumerate(columns):  # only the last column may wrap; where space is scarce, all words may
        right, last = name.startswith(">"), name is columns[-1]
        made.add_column(
            name.removeprefix(">"),
            justify="right" if right else "left",
            overflow="fold",
            no_wrap=not last and (right or place < NAMES or not narrow),
            min_width=12 if last else None,
        )
    return made


TABLE_ROWS = 40  # of one joint each, before the rest is only counted: what a screen shows
COMPONENT_ROWS = 60  # of one component each: those of ten joints in space


def print_rest(out: Console, count: int, where: str, what: str = "more", then: str = "") -> None:
    """Below a table of the first rows: how many there are besides, and which option lists them."""
    if count > 0:
        out.print(f"  … and {count:,} {what} ({where}).{then and f' {then}'}")


def escape(text: str) -> str:
    """A name printed literally, without markup."""
    from rich.markup import escape as escaped

    return escaped(text)


def plural(count: int, word: str, words: str | None = None) -> str:
    """``1 joint``, ``2 joints``."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
