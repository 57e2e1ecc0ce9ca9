"""``reactio warmup``: compile the kernels ahead of time."""

from __future__ import annotations

from reactio.cli.common import console, prepare


def warmup() -> None:
    """Compile all kernels for this machine, so that later commands start at once."""
    for part in ("planar", "spatial", "large"):
        prepare(part)
    console().print("All kernels are compiled.")
