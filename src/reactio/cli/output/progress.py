"""A line of progress on standard error: overwritten on a terminal, else a new line from time to time."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

LIVE_INTERVAL, LINE_INTERVAL = 1.0, 10.0  # [s] between texts: on a terminal, and in a file, which should stay short
CLEAR_LINE = "\r\x1b[K"  # back to the start of the line, and erase it


@dataclass(slots=True, eq=False)
class ProgressLine:
    """The line, and the time from which the next text has to keep its distance [s]."""

    live: bool  # is standard error a terminal?
    last: float  # time of the last text, or of the start
    written: bool = False

    def show(self, text: str, now: float) -> None:
        """Write a text at a time [s], unless the last one is too recent."""
        if now - self.last < (LIVE_INTERVAL if self.live else LINE_INTERVAL):
            return
        self.last, self.written = now, True
        sys.stderr.write(f"{CLEAR_LINE}{text}" if self.live else f"{text}\n")
        sys.stderr.flush()


@contextmanager
def progress_line(start: float = -math.inf) -> Iterator[ProgressLine]:
    """A line of progress, erased at the end; the first text follows an interval after the ``start`` [s]."""
    line = ProgressLine(sys.stderr.isatty(), start)
    try:
        yield line
    finally:
        if line.live and line.written:
            sys.stderr.write(CLEAR_LINE)
