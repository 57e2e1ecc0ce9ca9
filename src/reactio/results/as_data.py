"""Results as data: the JSON of a result follows from its fields, and is not written a second time.

A dataclass or named tuple becomes an object of its fields.  A class whose JSON is not just its fields is a ``Result``
and lists its keys.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import reduce
from pathlib import Path
from typing import Any, ClassVar

import numpy as np


class Result:
    """What scripts read: an object with the keys ``KEYS``, headed by ``SCHEMA`` where it stands alone."""

    __slots__ = ()
    SCHEMA: ClassVar[str] = ""  # name and version of its JSON: reactio.check/1
    KEYS: ClassVar[str] = ""  # as in ``picked``; its fields where there are none

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        head = {"schema": self.SCHEMA} if self.SCHEMA else {}
        return head | (picked(self, self.KEYS) if self.KEYS else _of_fields(self))


def picked(value: Any, keys: str) -> dict[str, Any]:
    """Attributes of an object as data: ``rank``, or under another key ``model=system.model.name``, between spaces.

    What belongs to a part that is None is None.

    >>> from fractions import Fraction
    >>> picked(Fraction(3, 4), "numerator below=denominator real=denominator.real")
    {'numerator': 3, 'below': 4, 'real': 4}
    """
    named = ((key, path or key) for key, _, path in (text.partition("=") for text in keys.split()))
    return {key: plain(reduce(_attribute, path.split("."), value)) for key, path in named}


def _attribute(value: Any, name: str) -> Any:
    return None if value is None else getattr(value, name)


def plain(value: Any) -> Any:
    """Any value in the types of JSON; a number that is not finite is None."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Result):
        return value.as_data()
    if is_dataclass(value) or hasattr(value, "_fields"):
        return _of_fields(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | AbstractSet):
        return [plain(entry) for entry in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON.")


def _of_fields(value: Any) -> dict[str, Any]:
    names = value._fields if hasattr(value, "_fields") else [field.name for field in fields(value)]
    return {name: plain(getattr(value, name)) for name in names}
