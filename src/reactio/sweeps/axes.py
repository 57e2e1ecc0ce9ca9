"""The cases of a sweep: a grid of values, a sample of ranges, or a table.

The parameters of a case follow from its number, so that a grid of any size takes no memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.expressions.number import evaluate
from reactio.expressions.syntax import ExpressionError
from reactio.operating_system.files import read_csv

Value: TypeAlias = float | str  # of a parameter: a number, or a word
NOT_WORDS = ("nan", "inf", "infinity")  # texts that are neither finite numbers nor words
MOST_SAMPLED_CASES = 10_000_000  # of a sample, which is kept as a table
MOST_VALUES = 10_000_000  # of one axis


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of one parameter."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """A parameter between two numbers, to be sampled."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Cases:
    """All cases: the product of axes, the last one fastest, or the rows of a table (then there is no grid)."""

    axes: tuple[Axis, ...]
    grid: bool = True

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters that change."""
        return tuple(axis.name for axis in self.axes)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Values of each axis; of a table the number of its rows."""
        sizes = tuple(len(axis.values) for axis in self.axes)
        return sizes if self.grid else sizes[:1]

    @cached_property
    def count(self) -> int:
        """How many cases there are."""
        return math.prod(self.shape)

    def __getitem__(self, number: int) -> dict[str, Value]:
        """The parameters of a case by its number, from 0.

        >>> Cases((Axis("a", (1.0, 2.0)), Axis("b", (5.0, 6.0, 7.0))))[4]
        {'a': 2.0, 'b': 6.0}
        """
        if not 0 <= number < self.count:
            raise IndexError(number)
        if not self.grid:
            return {axis.name: axis.values[number] for axis in self.axes}
        case: dict[str, Value] = {}
        for axis in reversed(self.axes):
            number, k = divmod(number, len(axis.values))
            case[axis.name] = axis.values[k]
        return {name: case[name] for name in self.names}

    def as_data(self) -> dict[str, Any]:
        """The cases as data, for the database."""
        return {"grid": self.grid, "axes": {axis.name: list(axis.values) for axis in self.axes}}


def cases_of(data: Mapping[str, Any]) -> Cases:
    """The cases from data of the database; ValueError or TypeError where they are not the data of cases."""
    axes = tuple(Axis(name, tuple(values)) for name, values in data["axes"].items())
    if not axes or not all(isinstance(value, float | str) for axis in axes for value in axis.values):
        raise ValueError("parameters have numbers and words as values")
    if not data["grid"] and len({len(axis.values) for axis in axes}) > 1:
        raise ValueError("the columns of the table have different lengths")
    return Cases(axes, bool(data["grid"]))


def parse_axis(text: str) -> Axis | Range:
    """``span=0.2:0.6:41`` (evenly), ``load=1:1000:4:log``, ``load=1,10,100``, or the range ``span=0.2:0.6``.

    >>> parse_axis("load=1:1000:4:log").values
    (1.0, 10.0, 100.0, 1000.0)
    """
    name, equals, given = (part.strip() for part in text.partition("="))
    if not (name and equals and given):
        raise ReactioError(f"--over {text}: write NAME=FROM:TO:COUNT, NAME=A,B,C or, for a sample, NAME=FROM:TO.")
    parts = [part.strip() for part in given.split(":")]
    if len(parts) == 1:
        return _axis(name, [_value(part.strip(), text) for part in given.split(",")])
    if len(parts) > 4 or (len(parts) == 4 and parts[3] != "log"):
        raise ReactioError(f"--over {text}: write FROM:TO:COUNT, or FROM:TO:COUNT:log for equal ratios.")
    low, high = (_number(part, text) for part in parts[:2])
    if len(parts) == 2:
        return _range(name, low, high)
    count = _number(parts[2], text)
    if count != int(count) or not 1 <= count <= MOST_VALUES:
        raise ReactioError(f"--over {text}: {parts[2]} values; give a whole number from 1 to {MOST_VALUES:,}.")
    if len(parts) == 3:
        return _axis(name, np.linspace(low, high, int(count)).tolist())
    if not low * high > 0:
        raise ReactioError(f"--over {text}: equal ratios need two ends of one sign, neither of them 0.")
    return _axis(name, np.geomspace(low, high, int(count)).tolist())


def _range(name: str, low: float, high: float) -> Range:
    if not low < high:
        raise ReactioError(f"{name}: a range goes from a smaller to a larger number, not from {low:g} to {high:g}.")
    return Range(name, low, high)


def _axis(name: str, values: Sequence[Value]) -> Axis:
    if len(set(values)) < len(values):
        twice = next(value for value in values if list(values).count(value) > 1)
        raise ReactioError(f"{name}: the value {twice} is given twice; every case is computed once.")
    return Axis(name, tuple(values))


def _value(text: str, axis: str) -> Value:
    """A number, also one written as an expression, or a word."""
    if not text:
        raise ReactioError(f"--over {axis}: a value is empty.")
    try:
        return float(evaluate(text, {}))
    except ExpressionError:
        if text.replace("-", "_").isidentifier() and text.lower() not in NOT_WORDS:
            return text
        raise ReactioError(
            f"--over {axis}: '{text}' is neither a finite number nor a word; a range is FROM:TO:COUNT, a list A,B,C."
        ) from None


def _number(text: str, axis: str) -> float:
    value = _value(text, axis)
    if isinstance(value, str):
        raise ReactioError(f"--over {axis}: '{text}' is not a number.")
    return value


Over: TypeAlias = Mapping[str, Any] | Sequence[str]  # values, or the two ends of a range, by name; or texts


def parse_over(over: Over, sampled: bool) -> list[Axis | Range]:
    """Axes from texts, or from a mapping of names to values; of samples the two ends of each range."""
    if not isinstance(over, Mapping):
        parsed = [parse_axis(text) for text in over]
    elif sampled:
        parsed = [_range(name, *_ends(name, values)) for name, values in over.items()]
    else:
        parsed = [_axis(name, _plain(name, values)) for name, values in over.items()]
    names = [axis.name for axis in parsed]
    for name in names:
        if names.count(name) > 1:
            raise ReactioError(f"The parameter '{name}' is given twice.")
    return parsed


def _plain(name: str, values: Any) -> list[Value]:
    every = np.atleast_1d(np.asarray(values)).tolist()
    plain = [value if isinstance(value, str) else float(value) for value in every]
    if not plain or not all(isinstance(value, str) or math.isfinite(value) for value in plain):
        raise ReactioError(f"{name}: give one finite number or more.")
    return plain


def _ends(name: str, values: Any) -> tuple[float, float]:
    every = _plain(name, values)
    if len(every) != 2 or any(isinstance(value, str) for value in every):
        raise ReactioError(f"{name}: a sample needs two numbers, the ends of its range.")
    return float(every[0]), float(every[1])


def grid(axes: Sequence[Axis | Range]) -> Cases:
    """Every combination of the values."""
    if not axes:
        raise ReactioError("A sweep needs parameters to change: give --over NAME=FROM:TO:COUNT, or a table of cases.")
    for axis in axes:
        if isinstance(axis, Range):
            raise ReactioError(
                f"{axis.name} is a range, {axis.low:g} … {axis.high:g}: give the number of values, "
                f"{axis.name}={axis.low:g}:{axis.high:g}:11, or ask for a sample of it (--sample sobol --cases 256)."
            )
    return Cases(tuple(axis for axis in axes if isinstance(axis, Axis)))


def sample(axes: Sequence[Axis | Range], kind: str, count: int, seed: int = 0) -> Cases:
    """So many cases spread over the ranges: a Sobol sequence, a Latin hypercube, or independent random numbers.

    >>> sample([Range("a", 0.0, 1.0)], "sobol", 8).count
    8
    """
    if kind not in SAMPLERS:
        raise ReactioError(f"There is no sample '{kind}'.{did_you_mean(kind, SAMPLERS)}")
    if not 1 <= count <= MOST_SAMPLED_CASES:
        raise ReactioError(f"{count:,} cases; a sample has from 1 to {MOST_SAMPLED_CASES:,}.")
    ranges = [axis for axis in axes if isinstance(axis, Range)]
    if not ranges or len(ranges) < len(axes):
        name = next((axis.name for axis in axes if isinstance(axis, Axis)), "nothing")
        raise ReactioError(f"A sample needs ranges, NAME=FROM:TO; {name} is not a range.")
    low, high = (np.array([getattr(axis, end) for axis in ranges]) for end in ("low", "high"))
    points = low + SAMPLERS[kind](len(ranges), count, seed) * (high - low)
    columns = zip(ranges, points.T.tolist(), strict=True)
    return Cases(tuple(Axis(axis.name, tuple(values)) for axis, values in columns), grid=False)


def _sobol(d: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    bits = max(1, math.ceil(math.log2(count)))  # a sequence is balanced in whole powers of two only
    return np.asarray(qmc.Sobol(d, seed=seed).random_base2(bits)[:count])


def _latin(d: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(d, seed=seed).random(count))


def _random(d: int, count: int, seed: int) -> Floats:
    return np.random.default_rng(seed).random((count, d))


# Points (count, d) in the unit cube, by the name of the sample.
SAMPLERS: dict[str, Callable[[int, int, int], Floats]] = {"sobol": _sobol, "latin": _latin, "random": _random}


def read_table(path: str | Path) -> Cases:
    """Cases from CSV: a line of names, and a line for each case."""
    rows = read_csv(Path(path))
    if len(rows) < 2:
        raise ReactioError(f"{path}: there are no cases; give a line of names and a line for each case.")
    names = rows[0].cells
    if not all(names) or len(set(names)) < len(names):
        raise ReactioError(f"{path}:{rows[0].number}: every column needs a name of its own; found {', '.join(names)}.")
    for line, cells in rows[1:]:
        if len(cells) != len(names):
            raise ReactioError(f"{path}:{line}: {len(cells)} values for {len(names)} columns.")
    return table(
        {name: [_cell(cells[k], f"{path}:{line}") for line, cells in rows[1:]] for k, name in enumerate(names)}
    )


def _cell(text: str, place: str) -> Value:
    try:
        return _value(text.strip(), text)
    except ReactioError:
        raise ReactioError(f"{place}: '{text}' is neither a finite number nor a word.") from None


def table(columns: Mapping[str, Any]) -> Cases:
    """Cases from columns of equal length; cases may repeat."""
    axes = tuple(Axis(name, tuple(_plain(name, values))) for name, values in columns.items())
    if not axes:
        raise ReactioError("A table of cases needs a column at least.")
    if len({len(axis.values) for axis in axes}) > 1:
        sizes = ", ".join(f"{axis.name} {len(axis.values)}" for axis in axes)
        raise ReactioError(f"The columns of the table have different lengths: {sizes}.")
    return Cases(axes, grid=False)
