"""Texts of XML files: numbers with all their digits, and comments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from reactio.arrays import Floats


def xml_numbers(values: Sequence[float] | Floats) -> str:
    """Numbers with all their digits, separated by blanks.

    >>> xml_numbers([1.0, 0.1])
    '1 0.10000000000000001'
    """
    return " ".join(f"{float(x):.17g}" for x in values)


def xml_comments(lines: Iterable[str]) -> str:
    """A comment for each line; XML forbids ``--`` inside."""
    return "".join(f"<!-- {escape(line).replace('--', '- -')} -->\n" for line in lines)
