"""Memoised functions of one object: worked out once for each object, and forgotten with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
R = TypeVar("R")


def memoised(function: Callable[[T], R]) -> Callable[[T], R]:
    """The same function, which caches its answer as long as its argument lives.

    For frozen data that is compared by identity: results that a room above computes from it need no field in it.
    """
    known: WeakKeyDictionary[T, R] = WeakKeyDictionary()

    @wraps(function)
    def recalled(of: T) -> R:
        if of not in known:
            known[of] = function(of)
        return known[of]

    return recalled
