"""Work counted in calls of functions: the same on every machine, where seconds depend on what else it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooMuchWork(AssertionError):
    """More calls than an action may take."""


def calls_of(action: Callable[[], object], most: int = 10**9) -> int:
    """The number of calls of functions, of Python and of C, during an action; an error beyond ``most``."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if count > most:
            sys.setprofile(None)
            raise TooMuchWork(f"more than {most:,} calls")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count
