"""A progress bar for long runs at a Python prompt or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from reactio.integrate.checkpoint import Chunk

PATIENCE = 2.0  # seconds before anything is said
BAR = 30  # letters


def interactive() -> bool:
    """Is somebody waiting: a Python prompt, or IPython?"""
    return hasattr(sys, "ps1") or "IPython" in sys.modules


def announcing(until: float) -> Callable[[Chunk], None] | None:
    """What sees every piece of a run and tells how far it is; None where nobody waits."""
    if not interactive():
        return None
    begun = time.monotonic()

    def told(chunk: Chunk) -> None:
        c = chunk.checkpoint
        if time.monotonic() - begun < PATIENCE:
            return
        part = min(1.0, c.t / until) if until else 1.0
        bar = "█" * round(BAR * part) + "░" * (BAR - round(BAR * part))
        end = "\n" if part >= 1.0 else ""
        print(
            f"\rsimulating {bar} t = {c.t:.4g} of {until:g} s, {c.steps:,} steps", end=end, file=sys.stderr, flush=True
        )

    return told
