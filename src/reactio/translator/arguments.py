"""Arguments that are given by name, in the places where a function expects them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def names_and_defaults(function: types.FunctionType) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of its arguments, and the values that those have which may be left out."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    given = function.__defaults__ or ()
    return names, dict(zip(names[len(names) - len(given) :], given, strict=True))


def placed(names: tuple[str, ...], first: int, named: Mapping[str, T], defaults: Mapping[str, T]) -> list[T]:
    """The arguments behind the ``first`` ones up to the last that is named; those between have their defaults.

    >>> placed(("a", "b", "c", "d"), 1, {"c": 3.0}, {"b": 2.0, "c": 0.0, "d": 0.0})
    [2.0, 3.0]
    """
    for name in named:
        if name not in names:
            raise TypeError(f"there is no argument '{name}'")
        if name in names[:first]:
            raise TypeError(f"the argument '{name}' is given twice")
    last = max((names.index(name) for name in named), default=-1)
    missing = [name for name in names[first : last + 1] if name not in named and name not in defaults]
    if missing:
        raise TypeError(f"the argument '{missing[0]}' is missing")
    return [named[name] if name in named else defaults[name] for name in names[first : last + 1]]
