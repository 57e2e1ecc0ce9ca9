"""Named tuples of arrays, passed to compiled kernels by reference.

Numba passes a tuple by its entries, and an array by seven numbers or more: a plan and its work would be some 900
arguments of every call, which take longer to compile, and to pass, than a loop over a few bodies.  Here such a tuple is
the address of a table of numbers, in which compiled code looks up what it uses: (number of entries, address, shape,
strides) of an array, and one number for a number.  The table never changes, so that what was looked up once holds.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.numpy_support import from_dtype

WORD = 8  # bytes of an entry of a table
KEPT = 16  # tables of tuples that were passed last: runs pass the same ones again and again

NUMBERS: tuple[tuple[tuple[type, ...], types.Type], ...] = (
    ((bool, np.bool_), types.boolean),
    ((int, np.integer), types.int64),
    ((float, np.floating), types.float64),
)


class Reference(types.Type):
    """The address of the table of a named tuple: where each member lies in it, in words, and what it is."""

    def __init__(self, name: str, members: dict[str, tuple[int, types.Type]], size: int) -> None:
        self.members = members
        self.size = size
        about = " ".join(f"{key} {at} {member}" for key, (at, member) in members.items())
        super().__init__(name=f"{name}_{hashlib.sha256(about.encode()).hexdigest()[:8]}")


class Passed:
    """A named tuple on its way into compiled code."""

    def __init__(self, value: Any) -> None:
        self.value = value  # keeps its arrays alive
        self.reference = _reference(_shape(value))
        words: list[int] = []
        _fill(value, words)
        self.words = np.array(words, dtype=np.int64)
        self.address = self.words.ctypes.data


_passed: dict[int, Passed] = {}
_references: dict[Any, Reference] = {}


def passed(value: Any) -> Any:
    """A value as a compiled kernel takes it: named tuples of arrays by reference, all else as it is."""
    if not _by_reference(value):
        return value
    found = _passed.get(id(value))
    if found is None or found.value is not value:
        found = Passed(value)
        while len(_passed) >= KEPT:
            _passed.pop(next(iter(_passed)), None)
        _passed[id(value)] = found
    return found


def _by_reference(value: Any) -> bool:
    """Is it a named tuple with an array in it, or in one of its named tuples?"""
    if not isinstance(value, tuple) or not hasattr(value, "_fields"):
        return False
    return any(isinstance(member, np.ndarray) or _by_reference(member) for member in value)


def _shape(value: Any) -> Any:
    """What kind of value it is, so that values of one kind are of one type."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous
    if isinstance(value, tuple):
        return type(value), tuple(_shape(member) for member in value)
    for kinds, number in NUMBERS:
        if isinstance(value, kinds):
            return number
    raise TypeError(f"A {type(value).__name__} cannot be passed to a compiled kernel by reference.")


def _reference(shape: Any) -> Reference:
    found = _references.get(shape)
    if found is None:
        cls, parts = shape
        members: dict[str, tuple[int, types.Type]] = {}
        at = 0
        for name, part in zip(cls._fields, parts, strict=True):
            members[name] = (at, _member(part))
            at += _size(members[name][1])
        found = _references[shape] = Reference(cls.__name__, members, at)
    return found


def _member(shape: Any) -> types.Type:
    if isinstance(shape, types.Type):
        return shape
    if isinstance(shape[0], np.dtype):
        dtype, ndim, contiguous = shape
        return types.Array(from_dtype(dtype), ndim, "C" if contiguous else "A")
    return _reference(shape)


def _size(member: types.Type) -> int:
    if isinstance(member, Reference):
        return member.size
    return 2 + 2 * member.ndim if isinstance(member, types.Array) else 1


def _fill(value: Any, words: list[int]) -> None:
    """Add the numbers of a value to a table."""
    if isinstance(value, np.ndarray):
        words += (value.size, value.__array_interface__["data"][0], *value.shape, *value.strides)
    elif isinstance(value, tuple):
        for member in value:
            _fill(member, words)
    elif isinstance(value, (float, np.floating)):
        words += struct.unpack("q", struct.pack("d", value))
    else:
        words.append(int(value))


@typeof_impl.register(Passed)
def _typeof(value: Passed, context: Any) -> Reference:
    return value.reference


@register_model(Reference)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, reference: Reference) -> None:
        super().__init__(manager, reference, ir.IntType(8).as_pointer())


@unbox(Reference)
def _unbox(reference: Reference, value: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(value, "address")
    number = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.inttoptr(number, ir.IntType(8).as_pointer()))


@infer_getattr
class _Members(AttributeTemplate):
    key = Reference

    def generic_resolve(self, reference: Reference, name: str) -> types.Type | None:  # type: ignore[override]
        return reference.members[name][1] if name in reference.members else None


@lower_getattr_generic(Reference)
def _look_up(context: Any, builder: Any, reference: Reference, table: Any, name: str) -> Any:
    at, member = reference.members[name]
    if isinstance(member, Reference):
        return _place(builder, table, at, ir.IntType(8))
    if not isinstance(member, types.Array):
        word = _word(builder, table, at, context.get_value_type(member) if member is types.float64 else ir.IntType(64))
        return builder.trunc(word, ir.IntType(1)) if member is types.boolean else word
    array = context.make_array(member)(context, builder)
    whole, n = ir.IntType(64), member.ndim
    pointer = context.get_data_type(member.dtype).as_pointer()
    context.populate_array(
        array,
        data=builder.inttoptr(_word(builder, table, at + 1, whole), pointer),
        shape=cgutils.pack_array(builder, [_word(builder, table, at + 2 + k, whole) for k in range(n)], whole),
        strides=cgutils.pack_array(builder, [_word(builder, table, at + 2 + n + k, whole) for k in range(n)], whole),
        itemsize=context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(member.dtype))),
        meminfo=None,
    )
    array.nitems = _word(builder, table, at, whole)
    return array._getvalue()


def _place(builder: Any, table: Any, at: int, kind: Any) -> Any:
    return builder.bitcast(builder.gep(table, [ir.Constant(ir.IntType(64), WORD * at)]), kind.as_pointer())


def _word(builder: Any, table: Any, at: int, kind: Any) -> Any:
    word = builder.load(_place(builder, table, at, kind))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word
