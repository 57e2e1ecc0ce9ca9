"""Drives of MBDyn: functions of time that joints and forces take as values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from reactio.errors import ReactioError
from reactio.importers.formats.mbdyn import frames
from reactio.importers.formats.mbdyn.expressions import MbdynVariables
from reactio.importers.formats.mbdyn.statements import MbdynStatement

FOREVER = "forever"


class DriveCaller(NamedTuple):
    """A function of time: its value at the start, its text in t [s], and whether it is constant.

    The value is None where it is not known, the text None where no formula of ours says the same.
    """

    value: float | None
    text: str | None
    constant: bool = False


UNKNOWN = DriveCaller(None, None)


def constant(value: float) -> DriveCaller:
    return DriveCaller(value, repr(float(value)), True)


def drive(statement: MbdynStatement, start: float, known: Mapping[int, DriveCaller]) -> DriveCaller:
    """The next drive; one that is not known takes all arguments that follow."""
    take, number = statement.take, statement.number
    if take("null"):
        return constant(0.0)
    if take("one", "unit"):
        return constant(1.0)
    if take("const"):
        return constant(number())
    if take("time"):
        return DriveCaller(start, "t")
    if take("linear"):
        c0, c1 = number(), number()
        return DriveCaller(c0 + c1 * start, f"{c0!r} + {c1!r}*t", not c1)
    if take("reference"):
        label = statement.label("the label of a drive")
        return known.get(label, UNKNOWN)
    if word := take("sine", "cosine"):
        return _harmonic(statement, word, start)
    if take("ramp"):
        return _ramp(statement, start)
    if take("step"):
        begin, height, initial = number(), number(), number()
        return DriveCaller(initial + height * (start >= begin), None)
    if take("string"):
        return _formula(statement, start)
    if take("mult"):
        return _combined("*", [drive(statement, start, known) for _ in range(2)])
    if take("array"):
        return _combined("+", [drive(statement, start, known) for _ in range(statement.label("the number of drives"))])
    if take("drive"):  # one of another
        drive(statement, start, known), drive(statement, start, known)
        return UNKNOWN
    if statement.ended:  # taken by one that is not known
        return UNKNOWN
    if _is_word(statement):
        statement.at = len(statement.arguments)
        return UNKNOWN
    return constant(number("a drive"))


def drives(statement: MbdynStatement, start: float, known: Mapping[int, DriveCaller]) -> list[DriveCaller]:
    """Three drives: a vector of constants times one drive, or one for each component."""
    if statement.take("null"):
        return [constant(0.0)] * 3
    if statement.take("component"):
        every = []
        for _ in range(3):
            every.append(constant(0.0) if statement.take("inactive") else drive(statement, start, known))
        return every
    statement.take("single")
    if not statement.ended and _is_word(statement):
        statement.at = len(statement.arguments)
        return [UNKNOWN] * 3
    factors = [float(factor) for factor in frames.vector(statement)]
    law = drive(statement, start, known)
    return [times(law, factor) for factor in factors]


def _combined(sign: str, laws: list[DriveCaller]) -> DriveCaller:
    """The product or the sum of drives."""
    values = [law.value for law in laws if law.value is not None]
    texts = [f"({law.text})" for law in laws if law.text is not None]
    if len(values) < len(laws):
        return UNKNOWN
    value = math.prod(values) if sign == "*" else sum(values)
    text = f" {sign} ".join(texts) if len(texts) == len(laws) else None
    return DriveCaller(value, text, all(law.constant for law in laws))


def times(law: DriveCaller, factor: float) -> DriveCaller:
    """k f(t)."""
    if not factor:
        return constant(0.0)
    value = None if law.value is None else factor * law.value
    return DriveCaller(value, None if law.text is None else f"{factor!r}*({law.text})", law.constant)


def _harmonic(statement: MbdynStatement, word: str, start: float) -> DriveCaller:
    """y0 + A sin ω(t − t0) from t0 on, or y0 + A (1 − cos ω(t − t0)); before it y0."""
    begin, omega, amplitude = statement.numbers(3, "a number of the drive")
    endless = bool(statement.take(FOREVER))
    if not endless and not statement.take("half", "one"):
        statement.number("the number of cycles")
    initial = statement.number("the initial value")
    if start < begin or not endless:
        return DriveCaller(initial if start <= begin else None, None)
    wave = f"sin({omega!r}*(t - {begin!r}))" if word == "sine" else f"(1 - cos({omega!r}*(t - {begin!r})))"
    return DriveCaller(initial if start == begin else None, f"{initial!r} + {amplitude!r}*{wave}")


def _ramp(statement: MbdynStatement, start: float) -> DriveCaller:
    """y0 + slope (t − t0) between t0 and t1."""
    slope, begin = statement.numbers(2, "a number of the drive")
    endless = bool(statement.take(FOREVER))
    if not endless:
        statement.number("the end of the ramp")
    initial = statement.number("the initial value")
    if start < begin or not endless:
        return DriveCaller(initial if start <= begin else None, None)
    return DriveCaller(initial + slope * (start - begin), f"{initial!r} + {slope!r}*(t - {begin!r})")


def _formula(statement: MbdynStatement, start: float) -> DriveCaller:
    """An expression of ``Time``, for its value at the start; constant where time does not occur in it."""
    text = statement.text("the formula")
    inner = MbdynVariables({**statement.variables.values, "Time": start, "Var": start}, statement.variables.constant)
    try:
        value = float(inner.evaluate(text))
    except (ReactioError, ValueError):
        return UNKNOWN
    return constant(value) if "Time" not in text and "Var" not in text else DriveCaller(value, None)


def _is_word(statement: MbdynStatement) -> bool:
    """Is the next argument a keyword rather than an expression with a value?"""
    try:
        statement.variables.evaluate(statement.arguments[statement.at])
    except ReactioError:
        return True
    return False
