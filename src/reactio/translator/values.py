"""Values: a kind, and the registers or constants that hold it in LLVM's language."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.translator.kinds import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    Array,
    Kind,
    ScalarKind,
    Table,
    TupleKind,
    makes_arrays,
)

KIND_RANK = {BOOL: 0, INT: 1, FLOAT: 2}  # an operation on two kinds has the kind of the higher rank


@dataclass(frozen=True, slots=True)
class Value:
    """A value: its kind, its registers or constants, the entries of a tuple, and known properties."""

    kind: Kind
    parts: tuple[str, ...] = ()
    items: tuple[Value, ...] = ()
    known: Any = None  # the number itself where it is a constant
    from_zero: bool = False  # a whole number that is never negative

    def flat(self) -> tuple[str, ...]:
        """All registers."""
        return tuple(p for item in self.items for p in item.flat()) if isinstance(self.kind, TupleKind) else self.parts


NONE = Value(NOTHING)


def returnable(kind: Kind) -> bool:
    match kind:
        case TupleKind():
            return all(map(returnable, kind.kinds))
        case Array():
            return kind.contiguous
    return isinstance(kind, ScalarKind)


def registers(kind: Kind) -> list[str]:
    """LLVM's types of the registers of a value."""
    match kind:
        case ScalarKind():
            return [kind.register]
        case Array():
            return ["ptr"] + ["i64"] * kind.ndim * (1 if kind.contiguous else 2)
        case Table():
            return ["ptr"]
        case TupleKind():
            return [word for part in kind.kinds for word in registers(part)]


def unflat(kind: Kind, parts: list[str]) -> Value:
    """A value from its registers, which are taken off the front of the list."""
    if isinstance(kind, TupleKind):
        return Value(kind, items=tuple(unflat(part, parts) for part in kind.kinds))
    taken = parts[: len(registers(kind))]
    del parts[: len(taken)]
    return Value(kind, tuple(taken))


def returned(kind: Kind) -> list[str]:
    """LLVM's types of a function's result: the registers of its result, and the blocks of arrays in it."""
    return registers(kind) + (["ptr"] if makes_arrays(kind) else [])


def result_type(kind: Kind) -> str:
    out = returned(kind)
    return "void" if not out else out[0] if len(out) == 1 else "{ " + ", ".join(out) + " }"


def constant(value: Any) -> Value:
    """A constant."""
    if isinstance(value, (bool, np.bool_)):
        return Value(BOOL, ("true" if value else "false",), known=bool(value))
    if isinstance(value, (int, np.integer, enum.IntEnum)) and -(2**63) <= int(value) < 2**63:
        return Value(INT, (str(int(value)),), known=int(value), from_zero=int(value) >= 0)
    if isinstance(value, (float, np.floating)):
        bits = struct.unpack("Q", struct.pack("d", value))[0]
        return Value(FLOAT, (f"0x{bits:016X}",), known=float(value))
    raise TypeError
