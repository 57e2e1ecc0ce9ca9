"""Functions as data: many functions become flat arrays that the kernels of ``machine`` read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Protocol

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.functions import machine


class FieldMeasure(StrEnum):
    """What the numbers of a function measure: from it follow their units in a model file."""

    VALUE = "value"  # the same as the function
    SLOPE = "value per time"
    POWERS = "value per power of time"  # coefficients of t⁰, t¹, t², …
    TIME = "time"
    FREQUENCY = "per time"
    ANGLE = "angle"
    NUMBER = "number"  # without a unit
    WORD = "word"  # a text


class Function(Protocol):
    """A function of time t [s], of coordinates [m or rad] and of their rates; frozen, in SI units.

    ``s`` and ``rate`` belong to the coordinate along which a load acts; others have names: ``ram.y``, ``A.angle.rate``.

    A dataclass: its fields are the keys of the function in a model file, and ``measures`` says of each what it is.
    """

    kind: ClassVar[str]
    measures: ClassVar[Mapping[str, FieldMeasure]]

    def __hash__(self) -> int: ...

    def scaled(self, factor: float) -> Function:
        """The same function with its value multiplied by ``factor``."""
        ...

    def emit(self, code: Code) -> None:
        """Append the instructions that leave the value in one more register."""
        ...


@dataclass(slots=True)
class Code:
    """Instructions under construction, and for each register in use whether it depends on time."""

    instructions: list[tuple[int, int, int, int]] = field(default_factory=list)
    data: list[float] = field(default_factory=list)
    time_dependent: list[bool] = field(default_factory=list)
    depth: int = 1
    places: Mapping[str, int] = field(default_factory=dict)  # of coordinates among the measures, by name
    variables: set[str] = field(default_factory=set)  # the names that occurred

    def constant(self, value: float) -> int:
        """Load a number into the next register; its index is returned."""
        return self._load(machine.CONSTANT, self.store((value,)), time_dependent=False)

    def variable(self, name: str) -> int:
        """Load ``t``, a coordinate or a rate into the next register; its index is returned."""
        self.variables.add(name)
        if name == "t":
            return self._load(machine.LOAD_TIME, 0, time_dependent=True)
        coordinate = coordinate_of(name)
        op = machine.LOAD_COORDINATE if coordinate == name else machine.LOAD_RATE
        if self.places and coordinate not in self.places:
            raise ReactioError(f"'{name}' is a coordinate of a model; only its system knows the value")
        return self._load(op, self.places.get(coordinate, 0), time_dependent=False)

    def store(self, numbers: Iterable[float]) -> int:
        """Keep numbers among the data; the place of the first is returned."""
        place = len(self.data)
        self.data.extend(map(float, numbers))
        return place

    def unary(self, op: int, table: int = 0) -> None:
        """Replace the last register by a function of it."""
        last = len(self.time_dependent) - 1
        self._append(op, last, table, self.time_dependent[last])

    def combine(self, op: int, a: int, b: int) -> None:
        """Replace register ``a`` by a function of ``a`` and ``b``."""
        fixed = op == machine.POW and not self.time_dependent[b]
        self._append(machine.POW_FIXED if fixed else op, a, b, self.time_dependent[a] or self.time_dependent[b])

    def binary(self, op: int) -> None:
        """Replace the last two registers by a function of them."""
        self.combine(op, len(self.time_dependent) - 2, len(self.time_dependent) - 1)
        self.drop(1)

    def scale(self, factor: float) -> None:
        """Multiply the last register by a number."""
        if factor != 1.0:
            self.constant(factor)
            self.binary(machine.MUL)

    def step(self) -> None:
        """Replace the last five registers x, x₀, h₀, x₁, h₁ by a smooth step in x.

        f = h₀ + (h₁ − h₀) g(u),  u = (x − x₀)/(x₁ − x₀),  g = 10u³ − 15u⁴ + 6u⁵
        """
        x, x0, h0, x1, h1 = range(len(self.time_dependent) - 5, len(self.time_dependent))
        self.combine(machine.SUB, x, x0)
        self.combine(machine.SUB, x1, x0)
        self.combine(machine.DIV, x, x1)
        self._append(machine.SMOOTH, x, 0, self.time_dependent[x])
        self.combine(machine.SUB, h1, h0)
        self.combine(machine.MUL, x, h1)
        self.combine(machine.ADD, x, h0)
        self.drop(4)

    def apply(self, operation: str, count: int) -> None:
        """Apply an operation of the expression grammar to the last ``count`` registers."""
        OPERATION_EMITTERS[operation](self, count)

    def drop(self, count: int) -> None:
        """Forget the last registers."""
        del self.time_dependent[-count:]

    def _load(self, op: int, place: int, time_dependent: bool) -> int:
        self.time_dependent.append(time_dependent)
        self.depth = max(self.depth, len(self.time_dependent))
        self._append(op, len(self.time_dependent) - 1, place, time_dependent)
        return len(self.time_dependent) - 1

    def _append(self, op: int, a: int, b: int, time_dependent: bool) -> None:
        self.instructions.append((op, a, b, int(time_dependent)))
        self.time_dependent[a] = time_dependent


VARIABLES = ("t", "s", "rate")
RATE_SUFFIX = ".rate"


def coordinate_of(name: str) -> str:
    """The coordinate that a variable is, or is the rate of: ``s`` of ``rate``, ``ram.y`` of ``ram.y.rate``."""
    return "s" if name == "rate" else name.removesuffix(RATE_SUFFIX)


def _unary(op: int) -> Callable[[Code, int], None]:
    return lambda code, count: code.unary(op)


def _binary(op: int) -> Callable[[Code, int], None]:
    def reduce(code: Code, count: int) -> None:
        for _ in range(count - 1):
            code.binary(op)

    return reduce


OPERATION_EMITTERS: Mapping[str, Callable[[Code, int], None]] = {
    **{name: _unary(op) for name, op in machine.UNARY.items()},
    **{name: _binary(op) for name, op in machine.BINARY.items()},
    "step": lambda code, count: code.step(),
}


@dataclass(frozen=True, slots=True, eq=False)
class Programs:
    """Many functions, ready for the kernels.

    The arrays stay writable: to the compiler a read-only array is another type, hence another compilation.
    """

    code: Ints  # (instructions, 4) op, a, b, time_dependent
    data: Floats  # constants and tables
    start: Ints  # (functions + 1,) first instruction of each function
    depth: int  # registers needed

    def __len__(self) -> int:
        return len(self.start) - 1


def compile_functions(functions: Sequence[Function], places: Sequence[Mapping[str, int]] = ()) -> Programs:
    """The instructions of all functions, one after the other.

    ``places``: for each function, where the coordinates that it names stand among the measures; left out, ``s`` is 0.
    """
    code = Code()
    start = [0]
    for k, function in enumerate(functions):
        code.places = places[k] if places else {"s": 0}
        function.emit(code)
        code.drop(1)
        start.append(len(code.instructions))
    return Programs(
        code=np.array(code.instructions, dtype=np.int64).reshape(-1, 4),
        data=np.array(code.data, dtype=np.float64),
        start=np.array(start, dtype=np.int64),
        depth=code.depth,
    )


def evaluate(function: Function, t: float, s: float = 0.0, rate: float = 0.0) -> tuple[float, float, float]:
    """The value of a function and its first and second derivative by time, s and rate held fixed."""
    programs = _compiled(function)
    stack, out = np.empty((programs.depth, 3)), np.empty(3)
    with np.errstate(all="ignore"):  # undefined values return as nan or inf, compiled or not
        values, rates = np.array([float(s)]), np.array([float(rate)])
        machine.jet(programs.code, programs.data, programs.start, 0, float(t), values, rates, stack, out)
    return float(out[0]), float(out[1]), float(out[2])


@lru_cache(maxsize=256)
def _compiled(function: Function) -> Programs:
    return compile_functions((function,))


def check_finite(kind: str, **fields: float | tuple[float, ...]) -> None:
    """Refuse numbers that are not finite, naming the function and the field."""
    for name, given in fields.items():
        numbers = given if isinstance(given, tuple) else (given,)
        wrong = [x for x in numbers if not math.isfinite(x)]
        if wrong:
            raise ReactioError(f"{kind} function: {name} contains {wrong[0]}; give finite numbers")
