"""Python's search for unreachable cycles of objects, which trees of millions of objects do not have."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_search_for_cycles() -> Iterator[None]:
    """Read large files without searching their trees for cycles again and again, a tenth of the time.

    >>> with without_search_for_cycles():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
