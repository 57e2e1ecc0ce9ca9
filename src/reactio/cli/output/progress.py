"""A line of progress on standard error: overwritten on a terminal, else a new line from time to time."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.cli.verbosity import silent

if TYPE_CHECKING:
    from reactio.sweeps.sweep import Progress

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


@contextmanager
def case_progress() -> Iterator[Callable[[Progress], None] | None]:
    """Progress by the number of cases that are done, with an estimate of the remaining time."""
    if silent():
        yield None
        return
    with progress_line(start=0.0) as line:

        def tell(now: Progress) -> None:
            remaining = "" if now.left is None else f", {_duration(now.left)} left"
            failed = f", {now.failed:,} failed" if now.failed else ""
            text = f"{now.done:,} of {now.total:,} cases ({100 * now.done / now.total:.0f} %){failed}{remaining}"
            line.show(text, now.seconds)

        yield tell


def _duration(seconds: float) -> str:
    """A duration in words: ``45 s``, ``3 min``, ``2.5 h``."""
    if seconds < 100:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 6000 else f"about {seconds / 3600:.1f} h"
