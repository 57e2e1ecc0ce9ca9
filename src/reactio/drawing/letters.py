"""Names in any script: other fonts of the machine stand in, and a letter that none of them has is a box."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OURS = "DejaVu Sans"  # comes with Matplotlib
OTHERS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Source Han Sans", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "IPAGothic", "Hiragino Sans", "Yu Gothic", "PingFang SC",
    "Microsoft YaHei", "Malgun Gothic", "Arial Unicode MS", "Noto Sans", "Noto Emoji", "Symbola", "Segoe UI Symbol",
)  # fmt: skip
BOX = "□"
TICKS = r"\mathdefault"  # in formulas that Matplotlib makes of powers of ten at ticks


@contextmanager
def legible(figure: Figure, boxes: bool = True) -> Iterator[Figure]:
    """The figure with every text in fonts that have its letters, to be written without complaints of Matplotlib.

    Without ``boxes`` letters that no font has stay in the text, for files that leave fonts to their reader.
    """
    _dress(figure, boxes)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # labels of ticks are made while writing
        yield figure


def _dress(figure: Figure, boxes: bool) -> None:
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if "$" in text.get_text() and TICKS not in text.get_text():
            text.set_parse_math(False)  # a name with a dollar is no formula
        foreign = {letter for letter in text.get_text() if not letter.isspace()} - _letters(OURS)
        if not foreign:
            continue
        fonts = [name for name in _present() if foreign & _letters(name)]
        missing = foreign.difference(*map(_letters, fonts))
        if fonts:
            text.set_fontfamily([OURS, *fonts])
        if missing and boxes:
            text.set_text("".join(BOX if letter in missing else letter for letter in text.get_text()))


@cache
def _present() -> tuple[str, ...]:
    """Those of the other fonts that this machine has."""
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return tuple(name for name in OTHERS if name in known)


@cache
def _letters(font: str) -> frozenset[str]:
    """The letters of a font."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(map(chr, get_font(findfont(font)).get_charmap()))
