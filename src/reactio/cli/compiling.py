"""Kernels that are compiled while a command runs: a message, and a second process that helps."""

from __future__ import annotations

import atexit
import os
from functools import cache
from typing import TYPE_CHECKING

from reactio.cli.verbosity import say
from reactio.operating_system.child_process import python_command

if TYPE_CHECKING:
    import subprocess


def compiling_begins(part: str) -> None:
    """Tell once that kernels are being compiled; a second process compiles further kernels that a motion needs.

    Kernels are shared through files: a process that needs a kernel which another is compiling waits for it.
    """
    from reactio.integrate.warm import COMPILED_MEANWHILE

    _say_compiling()
    if part in COMPILED_MEANWHILE:
        _compile_in_second_process(COMPILED_MEANWHILE[part])


@cache
def _say_compiling() -> None:
    say("Compiling kernels, once on this machine …")


@cache
def _compile_in_second_process(part: str) -> None:
    """Let another process compile a part, where there is a second processor; it ends with this one."""
    import subprocess

    from reactio.kernels import cache_directory

    if (os.cpu_count() or 1) < 2 or cache_directory() is None:
        return
    command = python_command("reactio.cli", "warmup", part)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(_terminate, child)


def _terminate(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait()
