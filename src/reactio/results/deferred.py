"""Fields of frozen data that are worked out when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

T = TypeVar("T", bound="Deferring")


class Deferring:
    """A base of frozen dataclasses, without slots, some of whose fields may be worked out later."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    if not TYPE_CHECKING:  # a type checker knows the fields of the dataclass, and that there are no others

        def __getattr__(self, name: str) -> Any:
            later, field = self.__dict__.get("_later", {}), self.__dataclass_fields__.get(name)
            if name in later:
                make = later[name]
            elif field is not None and field.default_factory is not MISSING:
                make = field.default_factory
            else:
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            value = self.__dict__[name] = make()
            return value


def deferred(kind: type[T], later: Mapping[str, Callable[[], Any]], **known: Any) -> T:
    """An object with the ``known`` fields; each of the others is the answer of a function, called when it is needed.

    Fields without such a function have their defaults.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Square(Deferring):
    ...     side: float
    ...     area: float
    >>> square = deferred(Square, {"area": lambda: 4.0}, side=2.0)
    >>> "area" in vars(square), square.area, "area" in vars(square)
    (False, 4.0, True)
    """
    instance = object.__new__(kind)
    instance.__dict__.update(known, _later=later)
    return instance


def deferring(given: T, later: Mapping[str, Callable[[], Any]]) -> T:
    """The same data with some fields worked out later; those that were to be worked out before still are."""
    now = vars(given)
    known = {name: now[name] for name in given.__dataclass_fields__ if name in now and name not in later}
    return deferred(type(given), {**now.get("_later", {}), **later}, **known)
