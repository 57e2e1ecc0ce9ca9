"""What the numbers of a table rest on: marks with their meaning, and the bodies with which axes turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from reactio.cli.output.printing import escape
from reactio.drawing.style import STYLES

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.system.types import System

BY_STIFFNESS_MARK = STYLES["determined by stiffness"].mark


def verdict_mark(word: str) -> str:
    """The mark of a verdict, or of a basis, in its colour.

    >>> verdict_mark("partly unique")
    '[yellow]◐[/]'
    """
    return f"[{STYLES[word].terminal}]{STYLES[word].mark}[/]"


def mark_words(by_stiffness: Iterable[Iterable[bool]]) -> str:
    """The meaning of the marks of numbers; of ◆ where any number has it.

    >>> mark_words([[False, True]])[:49]
    '● unique, ◆ determined by the stiffness given, ○ '
    """
    stiff = f" {BY_STIFFNESS_MARK} determined by the stiffness given," if any(map(any, by_stiffness)) else ""
    return f"● unique,{stiff} ○ not unique: a number there belongs to the rule, not to the machine"


def print_turning_axes(out: Console, system: System) -> None:
    """Print with which bodies the axes of a table turn, where any do."""
    from reactio.system.reaction_axes import moving_axes_words

    if words := moving_axes_words(system):
        out.print(escape(words))
