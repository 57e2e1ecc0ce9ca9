"""Angles written with few digits, taken as the multiples of π/12 that they stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from reactio.importers.reading.xml import words_of
from reactio.model.notes import Note, NoteKind

ANGLE_ROUNDING = 1e-14  # [rad] within which an angle is a multiple of π/12 to all digits
TWELFTH_OF_PI = np.pi / 12  # angles of drawings are multiples of 15°


def written_angle(text: str) -> float:
    """An angle with all its digits: 1.5708 is π/2 rounded to five digits, and is read as π/2.

    Angles within one unit of their last decimal of a multiple of π/12 count as that multiple; numbers with fewer than
    three decimals are taken as they are.

    >>> written_angle("1.5708") == np.pi / 2, written_angle("-3.14159") == -np.pi, written_angle("1.57")
    (True, True, 1.57)
    """
    value, decimals = float(text), len(text.lower().partition("e")[0].partition(".")[2])
    if decimals < 3 or text.strip("+-.0123456789"):  # too few digits to decide, or an exponent
        return value
    multiple = round(value / TWELFTH_OF_PI)
    if not multiple:
        return value
    return multiple * TWELFTH_OF_PI if abs(value - multiple * TWELFTH_OF_PI) <= 10.0**-decimals else value


def rounded_angles(texts: Iterable[str]) -> list[str]:
    """The texts of angles, each once, that are read as multiples of π/12 although their digits differ.

    >>> rounded_angles(["0 1.5708 0.3", "1.5708", "1.5707963267948966"])
    ['1.5708']
    """
    words = dict.fromkeys(word for text in texts for word in words_of(text))
    return [word for word in words if _is_number(word) and abs(written_angle(word) - float(word)) > ANGLE_ROUNDING]


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def notes_on_angles(texts: Iterable[str]) -> list[Note]:
    """A remark where angles with few digits are read as multiples of π/12."""
    angles = rounded_angles(texts)
    some = ", ".join(angles[:3]) + (", …" if len(angles) > 3 else "")
    return (
        [Note(NoteKind.REMARK, "angles", f"{some} are read as the multiples of π/12 that they are rounded from")]
        if angles
        else []
    )
