"""What compiled kernels know of their values, and the tables of words by which values pass from Python into them.

A value is a list of machine words: one for a number, the address and the lengths of an array, the address of a table
for a named tuple of arrays.  The table of a named tuple holds the words of its members one after the other and never
changes, so that compiled code may look a word up once and keep it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

WORD = 8  # bytes of an entry of a table
KEPT = 16  # tables of named tuples that were passed last: runs pass the same ones again and again


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A kind of number: its name, LLVM's type of it in registers and in memory, its bytes there and in ``struct``."""

    name: str
    register: str
    memory: str
    size: int
    packed: str

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        return _number, (self.name,)  # each kind is one object


def _number(name: str) -> Number:
    return next(kind for kind in (FLOAT, INT, BOOL, INT32, COMPLEX) if kind.name == name)


FLOAT = Number("float", "double", "double", 8, "d")
INT = Number("int", "i64", "i64", 8, "q")
BOOL = Number("bool", "i1", "i8", 1, "q")
INT32 = Number("int32", "i64", "i32", 4, "q")  # only in memory
COMPLEX = Number("complex", "", "", 16, "")  # two registers

DTYPES = {FLOAT: np.float64, INT: np.int64, BOOL: np.bool_, INT32: np.int32, COMPLEX: np.complex128}
ELEMENTS = {"f8": FLOAT, "i8": INT, "b1": BOOL, "i4": INT32, "c16": COMPLEX}


@dataclass(frozen=True, slots=True)
class Array:
    """An array of numbers; a contiguous one lies in memory row by row without gaps."""

    element: Number
    ndim: int
    contiguous: bool

    def __str__(self) -> str:
        return f"{self.element}[{self.ndim}{'' if self.contiguous else ' with gaps'}]"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A named tuple of arrays: where each member lies in its table, in words, and what it is; one object for each."""

    name: str
    members: tuple[tuple[str, int, Any], ...]
    size: int

    def member(self, name: str) -> tuple[int, Any] | None:
        """Place and type of a member."""
        return next(((at, kind) for key, at, kind in self.members if key == name), None)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key} {kind}' for key, _, kind in self.members)})"


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple: its entries are values of their own, with names where it is a named one."""

    kinds: tuple[Any, ...]
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.kinds))})"


NOTHING = Several(())
Kind = Number | Array | Table | Several


def makes_arrays(kind: Kind) -> bool:
    """Are there arrays in it?"""
    return isinstance(kind, Array) or (isinstance(kind, Several) and any(map(makes_arrays, kind.kinds)))


class Passed:
    """A named tuple with its table."""

    def __init__(self, value: Any) -> None:
        self.value = value  # keeps its arrays alive
        self.kind = _table(value)
        words: list[int] = []
        _fill(value, words)
        self.words = np.array(words, dtype=np.int64)
        self.address = int(self.words.ctypes.data)


_passed: dict[int, Passed] = {}
_tables: dict[Any, Table] = {}


def passed(value: Any) -> Passed:
    """The table of a named tuple."""
    # Taken out and put back at the end: what goes first is what was not asked for longest, so that the tables of a plan
    # outlive those of the steps that pass by.
    found = _passed.pop(id(value), None)
    if found is None or found.value is not value:
        found = Passed(value)
        while len(_passed) >= KEPT:
            _passed.pop(next(iter(_passed), 0), None)
    _passed[id(value)] = found
    return found


def kind_of(value: Any) -> Kind:
    """What a value of Python is for a kernel."""
    if isinstance(value, np.ndarray):
        return _array(value.dtype, value.ndim, value.flags.c_contiguous)
    if isinstance(value, (float, np.floating)):
        return FLOAT
    if isinstance(value, (bool, np.bool_)):
        return BOOL
    if isinstance(value, (int, np.integer)):
        return INT
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return passed(value).kind
    if isinstance(value, tuple):
        return Several(tuple(kind_of(item) for item in value))
    raise TypeError(f"A {type(value).__name__} cannot be passed to a compiled kernel.")


def words_of(value: Any, words: list[float], held: list[Passed]) -> None:
    """Append the words by which a value is passed; numbers stay what they are.

    ``held``: the tables among them, which must live until the call ends, whatever other threads pass meanwhile.
    """
    if isinstance(value, np.ndarray):
        words += (value.__array_interface__["data"][0], *value.shape, *value.strides)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        table = passed(value)
        words.append(table.address)
        held.append(table)
    elif isinstance(value, tuple):
        for item in value:
            words_of(item, words, held)
    else:
        words.append(value)


def packing(kind: Kind) -> str:
    """The format of a value's words for ``struct``."""
    match kind:
        case Number():
            return "dd" if kind is COMPLEX else kind.packed
        case Array():
            return "q" * (1 + 2 * kind.ndim)
        case Table():
            return "q"
        case Several():
            return "".join(map(packing, kind.kinds))


@cache
def _array(dtype: Any, ndim: int, contiguous: bool) -> Array:
    element = ELEMENTS.get(dtype.str[1:])
    if element is None or dtype.str[0] == ">":
        raise TypeError(f"An array of {dtype} cannot be passed to a compiled kernel.")
    return Array(element, ndim, contiguous)


def _table(value: Any) -> Table:
    members: list[tuple[str, int, Any]] = []
    at = 0
    for name, member in zip(value._fields, value, strict=True):
        kind = _table(member) if isinstance(member, tuple) and hasattr(member, "_fields") else kind_of(member)
        members.append((name, at, kind))
        at += kind.size if isinstance(kind, Table) else len(packing(kind))
    key = (type(value).__name__, tuple(members))
    return _tables.setdefault(key, Table(*key, at))


def _fill(value: Any, words: list[int]) -> None:
    """Add the words of a value to a table; tables within stand in it themselves."""
    if isinstance(value, np.ndarray):
        words += (value.__array_interface__["data"][0], *value.shape, *value.strides)
    elif isinstance(value, tuple):
        for member in value:
            _fill(member, words)
    elif isinstance(value, (float, np.floating)):
        words += struct.unpack("q", struct.pack("d", value))
    else:
        words.append(int(value))
