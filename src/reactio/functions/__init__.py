"""Functions of time, of a joint coordinate and of its rate, with two exact derivatives.

Every module of this folder that defines a class with a ``kind`` adds that kind; ``register`` adds one from
outside.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TypeVar

from reactio.errors import ReactioError
from reactio.functions.program import FieldMeasure, Function, Programs, compile_functions, evaluate

__all__ = ["KINDS", "FieldMeasure", "Function", "Programs", "compile_functions", "evaluate", "register"]

_kinds: dict[str, type[Function]] = {}
KINDS: Mapping[str, type[Function]] = MappingProxyType(_kinds)

F = TypeVar("F", bound=Function)


def register(function: type[F]) -> type[F]:
    """Add a kind of function to ``KINDS``; also usable as a decorator."""
    if not isinstance(getattr(function, "measures", None), Mapping):
        raise ReactioError(f"function kind '{function.kind}': `measures` must say what each of its fields measures")
    known = _kinds.setdefault(function.kind, function)
    if known is not function:
        raise ReactioError(
            f"function kind '{function.kind}' of {function.__module__} is already defined in "
            f"{known.__module__}; choose another name"
        )
    return function


def _walk() -> None:
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        for found in list(vars(module).values()):
            own = isinstance(found, type) and found.__module__ == module.__name__
            if own and isinstance(getattr(found, "kind", None), str):
                register(found)


_walk()
