"""The same functions as plain Python, with the numbers of compiled code.

Python's floats raise where they are divided by zero, and some functions of NumPy round otherwise than those of the C
library.  A plain function therefore works on NumPy's numbers throughout, its own constants included, and has the
functions of ``plain_math``.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from reactio.translator import plain_math

BUILTINS: dict[str, Callable[..., Any]] = {"int": plain_math.whole, "round": plain_math.nearest, "float": np.float64}
# Functions of NumPy by the names that ``math`` has for them; those that are exact are NumPy's own.
OF_NUMPY = {
    **{name: name for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "hypot", "fabs")},
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    **{name: name for name in ("isfinite", "isnan", "inf", "nan", "pi", "e")},
}


class PlainNumpy:
    """NumPy for plain kernels: its functions of real numbers are those of ``plain_math``."""

    def __getattr__(self, name: str) -> Any:
        return getattr(plain_math, OF_NUMPY[name]) if name in OF_NUMPY else getattr(np, name)


MODULES = ((math, plain_math), (np, PlainNumpy()))


def plain_scope(names: tuple[str, ...], scope: Mapping[str, Any]) -> dict[str, Any]:
    """The values that some of the names of a function have in plain Python, where they are other than in its scope."""
    replaced: dict[str, Any] = {name: BUILTINS[name] for name in names if name in BUILTINS and name not in scope}
    for name in names:
        value = scope.get(name)
        for module, plain in MODULES:
            if value is module:
                replaced[name] = plain
        if isinstance(value, (float, tuple)) and (number := of_numpy(value)) is not value:
            replaced[name] = number
    return replaced


def plain_code(code: types.CodeType) -> types.CodeType:
    """Code whose constants are NumPy's numbers.

    Python works constant expressions out beforehand; a complex constant is a fractional power of a negative number.
    """
    constants = (plain_math.nan if isinstance(value, complex) else of_numpy(value) for value in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def of_numpy(value: Any) -> Any:
    """A value with NumPy's numbers for Python's floats, in tuples too; the same object where it has none."""
    if type(value) is float:
        return np.float64(value)
    if not isinstance(value, tuple):
        return value
    items = [of_numpy(item) for item in value]
    if all(item is original for item, original in zip(items, value, strict=True)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def of_python(value: Any) -> Any:
    """A result with Python's numbers for NumPy's, as compiled kernels return them."""
    if isinstance(value, np.generic):
        return value.item()
    if not isinstance(value, tuple):
        return value
    items = [of_python(item) for item in value]
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
