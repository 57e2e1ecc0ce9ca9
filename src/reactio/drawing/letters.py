"""Names in any script: letters that the usual font lacks are taken from others, or are shown as boxes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL_FONT = "DejaVu Sans"  # comes with Matplotlib
OTHER_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Source Han Sans", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "IPAGothic", "Hiragino Sans", "Yu Gothic", "PingFang SC",
    "Microsoft YaHei", "Malgun Gothic", "Arial Unicode MS", "Noto Sans", "Noto Emoji", "Symbola", "Segoe UI Symbol",
)  # fmt: skip
MISSING_LETTER = "□"
TICK_FORMULA = r"\mathdefault"  # in formulas that Matplotlib makes of powers of ten at ticks


@contextmanager
def legible(figure: Figure, boxes: bool = True) -> Iterator[Figure]:
    """The figure with every text in fonts that have its letters, to be written without complaints of Matplotlib.

    Without ``boxes`` letters that no font has stay in the text, for files that leave fonts to their reader.
    """
    _set_fonts(figure, boxes)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # labels of ticks are made while writing
        yield figure


def _set_fonts(figure: Figure, boxes: bool) -> None:
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if "$" in text.get_text() and TICK_FORMULA not in text.get_text():
            text.set_parse_math(False)  # a name with a dollar sign is not a formula
        foreign = {letter for letter in text.get_text() if not letter.isspace()} - _letters(USUAL_FONT)
        if not foreign:
            continue
        fonts = [name for name in _installed() if foreign & _letters(name)]
        missing = foreign.difference(*map(_letters, fonts))
        if fonts:
            text.set_fontfamily([USUAL_FONT, *fonts])
        if missing and boxes:
            text.set_text("".join(MISSING_LETTER if letter in missing else letter for letter in text.get_text()))


@cache
def _installed() -> tuple[str, ...]:
    """Those of the other fonts that this machine has."""
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return tuple(name for name in OTHER_FONTS if name in known)


@cache
def _letters(font: str) -> frozenset[str]:
    """The letters of a font."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(map(chr, get_font(findfont(font)).get_charmap()))
