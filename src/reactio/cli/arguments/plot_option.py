"""``--plot`` with or without the name of a file; without it, the figure is written next to the source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

NEXT_TO_SOURCE = "-"  # in place of the name of a file that is not given

Plot = Annotated[
    str | None,
    typer.Option(metavar="[FILE]", help="Draw a figure (.png, .svg or .pdf); without a name, next to SOURCE."),
]


class Command(TyperCommand):
    """A command whose option ``--plot`` may be without a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert NEXT_TO_SOURCE after a ``--plot`` without a value."""
        following = [*args, ""][1:]
        bare = [a == "--plot" and not _is_file(b) for a, b in zip(args, following, strict=True)]
        return super().parse_args(
            ctx, [f"--plot={NEXT_TO_SOURCE}" if b else a for a, b in zip(args, bare, strict=True)]
        )


def _is_file(word: str) -> bool:
    """Is it the name of a figure, rather than another option or the SOURCE?"""
    return not word.startswith("-") and Path(word).suffix.lower() not in ("", ".yaml", ".yml")


def picture_of(plot: str | None, source: str, what: str) -> Path | None:
    """The file of the figure, by default ``SOURCE-what.png`` next to the source; refused where it cannot be written."""
    if plot is None:
        return None
    from reactio.drawing.painter import matplotlib
    from reactio.drawing.plots.style import checked

    matplotlib()
    given = Path(source)
    name = f"{given.stem if given.suffix else given.name}-{what}.png"
    return checked(given.with_name(name) if plot == NEXT_TO_SOURCE else Path(plot))
