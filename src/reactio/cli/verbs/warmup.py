"""``reactio warmup``: compile the kernels ahead of time."""

from __future__ import annotations

import subprocess
import time
from typing import Annotated

import typer

from reactio.cli.output.printing import console
from reactio.cli.verbosity import say
from reactio.errors import ReactioError
from reactio.operating_system.child_process import python_command


def warmup(
    parts: Annotated[list[str] | None, typer.Argument(help="Parts to compile (default: all).")] = None,
) -> None:
    """Compile all kernels now, so that later commands start at once.

    Planar and spatial kernels are compiled in parallel.

    Example: reactio warmup planar motion-planar
    """
    from reactio.integrate.warm import WARM_LISTS, WARM_PARTS, warm

    for part in parts or ():
        if part not in WARM_PARTS:
            raise ReactioError(f"There is no part '{part}'; there are {', '.join(WARM_PARTS)}.")
        begun = time.perf_counter()
        warm(part)
        say(f"Kernels of {part}: {time.perf_counter() - begun:.0f} s.")
    if not parts and not _side_by_side(WARM_LISTS):
        raise ReactioError("Not all kernels could be compiled; the messages above say why.")
    console().print("All kernels are compiled." if not parts else "Compiled.")


def _side_by_side(chains: tuple[tuple[str, ...], ...]) -> bool:
    """Compile lists of parts, each in a process of its own; did all succeed?"""
    say("Compiling kernels, once on this machine …")
    commands = [python_command("reactio.cli", "warmup", *chain) for chain in chains]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    try:
        return {child.wait() for child in children} <= {0}
    finally:
        for child in children:
            child.terminate()
