"""Is what a page shows what the program prints?  Spaces, rounding and the lines of tables do not count."""

from __future__ import annotations

import math
import re

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
WALL_TIME = re.compile(r"\bin [\d.,]+ (?:ms|s)\b")
ANYTHING = "…"
ROUNDING = 1e-8  # residuals, drifts and dropped singular values below this differ from machine to machine
CLOSE = 2e-3  # tables print three digits and more


def same(shown: str, real: str) -> bool:
    """Does the text shown in a page match the real one; ``…`` stands for anything, alone on a line for many lines.

    >>> same("σ  kept ≥ 1.5, dropped ≤ 9e-17", "σ kept ≥ 1.50, dropped ≤ 3.1e-17")
    True
    >>> same("rank 5", "rank 6")
    False
    >>> same("a\\n…\\nd", "a\\nb\\nc\\nd"), same("87 … in 3 ms", "87 steps in 20 ms")
    (True, True)
    """
    return _lines(_tidy(shown), _tidy(real))


def _tidy(text: str) -> list[str]:
    text = WALL_TIME.sub("in TIME", text)
    lines = [re.sub(r"[─-]{3,}", "---", re.sub(r"\s+", " ", line)).strip() for line in text.splitlines()]
    return [line for line in lines if line]


def _lines(shown: list[str], real: list[str]) -> bool:
    if not shown:
        return not real
    if shown[0] == ANYTHING:
        return any(_lines(shown[1:], real[k:]) for k in range(len(real) + 1))
    return bool(real) and _line(shown[0], real[0]) and _lines(shown[1:], real[1:])


def _line(shown: str, real: str) -> bool:
    pieces, at = [], 0
    numbers = []
    for found in re.finditer(f"{NUMBER.pattern}|{ANYTHING}", shown):
        pieces.append(re.escape(shown[at : found.start()]))
        pieces.append(".*?" if found.group() == ANYTHING else f"({NUMBER.pattern})")
        if found.group() != ANYTHING:
            numbers.append(found.group())
        at = found.end()
    match = re.fullmatch("".join([*pieces, re.escape(shown[at:])]), real)
    return match is not None and all(map(_close, numbers, match.groups()))


def _close(a: str, b: str) -> bool:
    x, y = (float(text.replace(",", "")) for text in (a, b))
    if "." not in a + b and "e" not in a + b:
        return x == y
    return math.isclose(x, y, rel_tol=CLOSE, abs_tol=ROUNDING)
