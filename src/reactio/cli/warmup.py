"""``reactio warmup``: compile the kernels ahead of time."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from reactio.cli.common import console, prepare
from reactio.errors import ReactioError


def warmup(
    parts: Annotated[list[str] | None, typer.Argument(help="Only these parts; all if left out.")] = None,
) -> None:
    """Compile all kernels now, so that later commands start at once.

    The plane and space are compiled side by side, a process each.

    Example: reactio warmup planar motion-planar
    """
    from reactio.integrate.warm import CHAINS, PARTS

    for part in parts or ():
        if part not in PARTS:
            raise ReactioError(f"There is no part '{part}'; there are {', '.join(PARTS)}.")
        prepare(part, alone=True)
    if not parts and not _side_by_side(CHAINS):
        raise ReactioError("Not all kernels could be compiled; what was said above tells why.")
    console().print("All kernels are compiled." if not parts else "Compiled.")


def _side_by_side(chains: tuple[tuple[str, ...], ...]) -> bool:
    """Compile chains of parts, each in a process of its own; did all succeed?"""
    command = [sys.executable, "-m", "reactio", "warmup"]
    children = [subprocess.Popen([*command, *chain], stdout=subprocess.DEVNULL) for chain in _missing(chains)]
    try:
        return {child.wait() for child in children} <= {0}
    finally:
        for child in children:
            child.terminate()


def _missing(chains: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    """The parts of each chain that are not compiled."""
    from reactio import kernels

    left = [[part for part in chain if not kernels.compiled_before(part)] for chain in chains]
    return [chain for chain in left if chain]
