"""A progress bar for long runs at a Python prompt or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from reactio.integrate.checkpoint import Chunk

SECONDS_BEFORE_BAR = 2.0  # of a run, after which a progress bar is shown: shorter ones need none
BAR_LENGTH = 30  # letters, so that the line fits into 80


def interactive() -> bool:
    """Does Python run at a prompt, or in IPython or a notebook?"""
    return hasattr(sys, "ps1") or "IPython" in sys.modules


def progress_bar(until: float) -> Callable[[Chunk], None] | None:
    """A function that shows the progress of a run after every piece; None where Python does not run interactively."""
    if not interactive():
        return None
    start = time.monotonic()

    def show_progress(chunk: Chunk) -> None:
        c = chunk.checkpoint
        if time.monotonic() - start < SECONDS_BEFORE_BAR:
            return
        part = min(1.0, c.t / until) if until else 1.0
        bar = "█" * round(BAR_LENGTH * part) + "░" * (BAR_LENGTH - round(BAR_LENGTH * part))
        end = "\n" if part >= 1.0 else ""
        print(
            f"\rsimulating {bar} t = {c.t:.4g} of {until:g} s, {c.steps:,} steps", end=end, file=sys.stderr, flush=True
        )

    return show_progress
