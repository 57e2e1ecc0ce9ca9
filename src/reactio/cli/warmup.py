"""``reactio warmup``: compile the kernels ahead of time."""

from __future__ import annotations

from reactio.cli.common import console, prepare


def warmup() -> None:
    """Compile all kernels now, so that later commands start at once."""
    from reactio.dynamics.warm import PARTS

    for part in PARTS:
        prepare(part)
    console().print("All kernels are compiled.")
