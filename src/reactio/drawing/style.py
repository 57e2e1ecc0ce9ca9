"""Colours and marks of the verdicts: told apart by shape, in grey, and by people who see few colours.

Colours are those of Okabe and Ito (2008).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictStyle:
    """How a verdict looks."""

    colour: str
    mark: str  # as text
    filled: float  # part of the disc that is filled
    sign: str = ""  # on the disc
    terminal: str = ""  # colour on a terminal


STYLES: Mapping[str, VerdictStyle] = {
    "unique": VerdictStyle("#009E73", "●", 1.0, terminal="green"),
    "partly unique": VerdictStyle("#E69F00", "◐", 0.5, terminal="yellow"),
    "not unique": VerdictStyle("#D55E00", "○", 0.0, terminal="red"),
    "ambiguous": VerdictStyle("#CC79A7", "?", 0.0, "?", "magenta"),
    "determined by stiffness": VerdictStyle("#0072B2", "◆", 0.0, "k"),
    "partly determined by stiffness": VerdictStyle("#0072B2", "◇", 0.5, "k"),
}
UNKNOWN_VERDICT = VerdictStyle("#8892A0", "·", 1.0)  # where no verdict was asked for
BODY_COLOURS = ("#C9D3DF", "#B7C7D9", "#D5D9E2", "#C2D1D3", "#CFCBDB", "#BFCBC5")
# Of curves: Okabe & Ito 2008, without yellow, which is too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#7F7F7F")
INK, PALE, GRID, LOAD, STRESS = "#2B3440", "#8A94A3", "#DDDDDD", "#0072B2", "#AA3377"


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#RRGGBB``, 0 … 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, part: float) -> str:
    """A colour with a part 0 … 1 of another."""
    share = min(1.0, max(0.0, part))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(rgb(colour), rgb(other), strict=True))
