"""The code of a kernel and the values of its names, as a text that is the same in every process.

Values are read once, when a kernel is first used (``snapshot``): its digest and its translation see the same numbers,
also where the modules that they came from change later.
"""

from __future__ import annotations

import dis
import enum
import math
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from typing import Any

import numpy as np

LOAD_GLOBAL, EXTENDED_ARG = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]
SIMPLE = (str, bool, int, float, complex, bytes, type(None))
LIBRARIES = (math, np)  # the translator knows what these mean: their names say it all


class Digested:
    """What has a digest of its own: a kernel."""

    @property
    def digest(self) -> str:
        """A digest of all that it is made of."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ModuleValues:
    """The values that a kernel takes from a module: ``usercfg.K``."""

    name: str
    values: Mapping[str, Any]


def scope_of(function: types.FunctionType, links: Mapping[str, Any]) -> dict[str, Any]:
    """The values behind the names that a function looks up outside itself, as they are now."""
    code = function.__code__
    attributes = _attributes(code)
    values = {name: function.__globals__[name] for name in global_names(code) if name in function.__globals__}
    values |= {name: links[name] for name in global_names(code) if name in links}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        if cell != types.CellType():  # one that is still empty says nothing
            values[name] = cell.cell_contents
    return {name: snapshot(value, attributes) for name, value in values.items()}


@cache
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """The global names that a function and the functions inside it look up; attributes are not among them."""
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    names, at = set(), operations.find(LOAD_GLOBAL)
    while at >= 0:
        argument, before, weight = arguments[at], at - 1, 256
        while before >= 0 and operations[before] == EXTENDED_ARG:
            argument += weight * arguments[before]
            before, weight = before - 1, 256 * weight
        names.add(code.co_names[argument >> 1])  # the last bit says how it is called
        at = operations.find(LOAD_GLOBAL, at + 1)
    for inner in _inner(code):
        names.update(global_names(inner))
    return tuple(sorted(names))


def _attributes(code: types.CodeType) -> frozenset[str]:
    """Names that may be those of attributes."""
    return frozenset(code.co_names).union(*map(_attributes, _inner(code)))


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def snapshot(value: Any, attributes: Iterable[str]) -> Any:
    """A value as it is now: arrays are copied, of modules the values of some attributes are kept."""
    match value:
        case types.ModuleType() if value not in LIBRARIES:
            values = {name: snapshot(getattr(value, name), ()) for name in attributes if hasattr(value, name)}
            return ModuleValues(value.__name__, values)
        case np.ndarray():
            return value.copy()
        case tuple():
            items = [snapshot(item, attributes) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def text_of(value: Any) -> str:
    """The meaning of a value for compiled code, the same in every process: no address, no order of a hash."""
    if type(value) in SIMPLE:
        return repr(value)
    match value:
        case Digested():
            return value.digest
        case types.CodeType():
            return _text_of_code(value)
        case types.FunctionType():
            return f"{value.__module__}.{value.__qualname__} {text_of(value.__code__)}"
        case types.ModuleType():
            return value.__name__
        case ModuleValues():
            return f"{value.name} {text_of(dict(value.values))}"
        case enum.EnumType():
            members: dict[str, Any] = {name: value[name].value for name in value.__members__}
            return f"{value.__module__}.{value.__qualname__} {text_of(members)}"
        case enum.Enum():
            return f"{text_of(type(value))} {value.name}"
        case type():
            fields = getattr(value, "_fields", ()), getattr(value, "_field_defaults", {})
            return f"{value.__module__}.{value.__qualname__} {text_of(fields)}"
        case np.ndarray():
            return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
        case set() | frozenset():
            return str(sorted(text_of(item) for item in value))
        case tuple() | list():
            return str([text_of(item) for item in value])
        case dict():
            return str(sorted((text_of(key), text_of(item)) for key, item in value.items()))
    return repr(value)  # with an address in it the kernel is compiled anew in every process: late, but never stale


def _text_of_code(code: types.CodeType) -> str:
    """Instructions, names and constants; neither lines nor the docstring, which decide nothing."""
    constants = code.co_consts
    if constants and isinstance(constants[0], str):
        constants = constants[1:]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    flags = code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    return f"{code.co_code.hex()} {names} {counts} {flags} {text_of(constants)}"
