"""A mapping that never changes, compares by value and can be hashed."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")


class FrozenMap(Mapping[str, V], Generic[V]):
    """An immutable mapping from names to values.

    >>> FrozenMap({"a": 1}) == FrozenMap(a=1)
    True
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] | None = None, /, **more: V) -> None:
        object.__setattr__(self, "_items", {**(items or {}), **more})

    def __getitem__(self, name: str) -> V:
        return self._items[name]  # type: ignore[attr-defined, no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[attr-defined]

    def items(self) -> ItemsView[str, V]:  # those of Mapping look every name up
        return self._items.items()  # type: ignore[attr-defined, no-any-return]

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A FrozenMap cannot be changed.")

    def __reduce__(self) -> tuple[type[FrozenMap[V]], tuple[dict[str, V]]]:
        return FrozenMap, (dict(self),)

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self)!r})"
