"""The kinds of values in compiled kernels, and the tables of words by which values pass from Python into them.

A value is a list of machine words: one for a number, the address and the lengths of an array, the address of a table
for a named tuple of arrays.  The table of a named tuple holds the words of its members one after the other and never
changes, so that compiled code may look a word up once and keep it.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

WORD_BYTES = 8  # bytes of an entry of a table
# Of the named tuples passed last: a run passes the same few at every call, whose 40 tuples within are half those of a
# plan, which the next run passes again.
MOST_TABLES_KEPT = 100


class Unpassable(TypeError):
    """A value that compiled kernels cannot be given."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarKind:
    """A kind of number: its name, LLVM's type of it in registers and in memory, its bytes there and in ``struct``."""

    name: str
    register: str
    memory: str
    size: int
    packed: str

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        return _scalar_kind, (self.name,)  # each kind is one object


def _scalar_kind(name: str) -> ScalarKind:
    return next(kind for kind in (FLOAT, INT, BOOL, INT32) if kind.name == name)


FLOAT = ScalarKind("float", "double", "double", 8, "d")
INT = ScalarKind("int", "i64", "i64", 8, "q")
BOOL = ScalarKind("bool", "i1", "i8", 1, "q")
INT32 = ScalarKind("int32", "i64", "i32", 4, "q")  # only in memory

DTYPES = {FLOAT: np.float64, INT: np.int64, BOOL: np.bool_, INT32: np.int32}
KIND_OF_TYPE_CODE = {"f8": FLOAT, "i8": INT, "b1": BOOL, "i4": INT32}


class Array(NamedTuple):
    """An array of numbers; a contiguous one lies in memory row by row without gaps."""

    element: ScalarKind
    ndim: int
    contiguous: bool

    def __str__(self) -> str:
        return f"{self.element}[{self.ndim}{'' if self.contiguous else ' with gaps'}]"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A named tuple of arrays: place (in words) and kind of each member; one object for each layout."""

    name: str
    members: tuple[tuple[str, int, Any], ...]
    size: int

    def member(self, name: str) -> tuple[int, Any] | None:
        """Place and type of a member."""
        return next(((at, kind) for key, at, kind in self.members if key == name), None)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key} {kind}' for key, _, kind in self.members)})"


class TupleKind(NamedTuple):
    """A tuple: its entries are values of their own, with names where it is a named one."""

    kinds: tuple[Any, ...]
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.kinds))})"


NOTHING = TupleKind(())
Kind = ScalarKind | Array | Table | TupleKind


def makes_arrays(kind: Kind) -> bool:
    """Are there arrays in it?"""
    return isinstance(kind, Array) or (isinstance(kind, TupleKind) and any(map(makes_arrays, kind.kinds)))


class PassedTable:
    """A named tuple and the table of words by which it is passed."""

    def __init__(self, value: Any) -> None:
        self.value = value  # keeps its arrays alive
        words: list[float] = []
        self.kind = _table(value, words)
        self.words = array("q", words)
        self.address = self.words.buffer_info()[0]


_passed: dict[int, PassedTable] = {}
_keeping = RLock()  # threads pass tables at once; a table may hold others
_tables: dict[Any, Table] = {}


def passed(value: Any) -> PassedTable:
    """The table of a named tuple."""
    # Taken out and put back at the end: the least recently used table goes first, so that the tables of a plan outlive
    # those of single steps.
    with _keeping:
        table = _passed.pop(id(value), None)
        if table is None or table.value is not value:
            table = PassedTable(value)
            while len(_passed) >= MOST_TABLES_KEPT:
                del _passed[next(iter(_passed))]
        _passed[id(value)] = table
        return table


def described(values: tuple[Any, ...]) -> tuple[tuple[Kind, ...], list[float], list[PassedTable]]:
    """The kinds of Python values for a kernel, the words by which they are passed, and the tables these lead to.

    Words of numbers are the numbers.  The caller keeps the tables as long as the kernel runs.
    """
    words: list[float] = []
    tables: list[PassedTable] = []
    return tuple([_described(value, words, tables) for value in values]), words, tables


def _described(value: Any, words: list[float], tables: list[PassedTable]) -> Kind:
    """The kind of a value, whose words and tables are appended."""
    if isinstance(value, np.ndarray):
        return _array_words(value, words)
    if isinstance(value, tuple):
        if not hasattr(value, "_fields"):
            return TupleKind(tuple([_described(item, words, tables) for item in value]))
        table = passed(value)
        tables.append(table)
        words.append(table.address)
        return table.kind
    words.append(value)
    return _scalar_kind_of(value)


def _array_words(value: Any, words: list[float]) -> Array:
    """The kind of an array, whose address, lengths and strides are appended."""
    words += (_address(value), *value.shape, *value.strides)
    return _array(value.dtype, value.ndim, value.flags.c_contiguous)


def _address(value: Any) -> int:
    """Where the entries of an array lie, 0 if it has none; of those that may be written ctypes tells it much faster."""
    if not value.size:
        return 0
    if value.flags.c_contiguous and value.flags.writeable:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))
    return int(value.__array_interface__["data"][0])


def _scalar_kind_of(value: Any) -> ScalarKind:
    """The kind of a number of Python or NumPy."""
    if isinstance(value, (float, np.floating)):
        return FLOAT
    if isinstance(value, (bool, np.bool_)):
        return BOOL
    if isinstance(value, (int, np.integer)):
        return INT
    raise Unpassable(f"A {type(value).__name__} cannot be passed to a compiled kernel.")


def packing(kind: Kind) -> str:
    """The format of a value's words for ``struct``."""
    match kind:
        case ScalarKind():
            return kind.packed
        case Array():
            return "q" * (1 + 2 * kind.ndim)
        case Table():
            return "q"
        case TupleKind():
            return "".join(map(packing, kind.kinds))


@cache
def _array(dtype: Any, ndim: int, contiguous: bool) -> Array:
    element = KIND_OF_TYPE_CODE.get(dtype.str[1:])
    if element is None or dtype.str[0] == ">":
        raise Unpassable(
            f"An array of {dtype} cannot be passed to a compiled kernel: it takes float64, int64, int32 and bool."
        )
    return Array(element, ndim, contiguous)


def _table(value: Any, words: list[float]) -> Table:
    """The table of a named tuple, whose words are appended; those of tuples within stand in it themselves."""
    places: list[int] = []
    kinds: list[Kind] = []
    begin = len(words)
    for member in value:
        places.append(len(words) - begin)
        kinds.append(_member(member, words))
    key = (type(value).__name__, value._fields, tuple(kinds))
    table = _tables.get(key)
    if table is None:
        members = tuple(zip(value._fields, places, kinds, strict=True))
        table = _tables.setdefault(key, Table(type(value).__name__, members, len(words) - begin))
    return table


def _member(value: Any, words: list[float]) -> Kind:
    """The kind of an entry of a table, whose words are appended as integers of 64 bits."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            within = passed(value)
            words += within.words.tolist()
            return within.kind
        return TupleKind(tuple([_member(item, words) for item in value]))
    if isinstance(value, np.ndarray):
        return _array_words(value, words)
    kind = _scalar_kind_of(value)
    words.append(struct.unpack("q", struct.pack("d", value))[0] if kind is FLOAT else int(value))
    return kind
