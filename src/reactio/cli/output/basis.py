"""Marks of what a number rests on, and their meaning."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.drawing.style import STYLES

BY_STIFFNESS_MARK = STYLES["determined by stiffness"].mark


def mark_words(by_stiffness: Iterable[Iterable[bool]]) -> str:
    """The meaning of the marks of numbers; of ◆ where any number has it.

    >>> mark_words([[False, True]])[:49]
    '● unique, ◆ determined by the stiffness given, ○ '
    """
    stiff = f" {BY_STIFFNESS_MARK} determined by the stiffness given," if any(map(any, by_stiffness)) else ""
    return f"● unique,{stiff} ○ not unique: a number there belongs to the rule, not to the machine"
