"""``--plot`` with or without the name of a file: left out, the figure lies beside the source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

NEXT_TO_SOURCE = "-"  # stands for the name that was left out

Plot = Annotated[
    str | None, typer.Option(metavar="[FILE]", help="Draw it: .png, .svg or .pdf; without a name beside SOURCE.")
]


class Command(TyperCommand):
    """A command whose option ``--plot`` may stand alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in that the name was left out."""
        following = [*args, ""][1:]
        bare = [a == "--plot" and not _is_file(b) for a, b in zip(args, following, strict=True)]
        return super().parse_args(
            ctx, [f"--plot={NEXT_TO_SOURCE}" if b else a for a, b in zip(args, bare, strict=True)]
        )


def _is_file(word: str) -> bool:
    """Is it the name of a figure, rather than another option or the SOURCE?"""
    return not word.startswith("-") and Path(word).suffix.lower() not in ("", ".yaml", ".yml")


def picture_of(plot: str | None, source: str, what: str) -> Path | None:
    """Where the figure goes, beside the source as ``SOURCE-what.png``; what is wrong with that is said at once."""
    if plot is None:
        return None
    from reactio.figures.style import checked, needed

    needed()
    given = Path(source)
    name = f"{given.stem if given.suffix else given.name}-{what}.png"
    return checked(given.with_name(name) if plot == NEXT_TO_SOURCE else Path(plot))
