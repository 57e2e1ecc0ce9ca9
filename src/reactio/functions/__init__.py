"""Functions of time, of a joint coordinate and of its rate, with two exact derivatives.

One file for each kind; the folder is the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError
from reactio.functions.program import FieldMeasure, Function, Programs, compile_functions, evaluate

__all__ = ["FUNCTIONS", "FieldMeasure", "Function", "Programs", "compile_functions", "evaluate", "register"]

FUNCTIONS: Registry[type[Function]] = Registry("function", "reactio.functions")

F = TypeVar("F", bound=Function)


def register(function: type[F]) -> type[F]:
    """Make a kind of function known by its name; also usable as a decorator."""
    if not isinstance(getattr(function, "measures", None), Mapping):
        raise ReactioError(f"function kind '{function.kind}': `measures` must say what each of its fields measures")
    FUNCTIONS.add(function.kind, function)
    return function
