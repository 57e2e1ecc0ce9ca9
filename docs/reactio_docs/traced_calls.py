"""Run ``reactio`` and list the functions of the package that it called, in the order of first calls.

``python -m reactio_docs.traced_calls check mobile-robot`` prints what the command prints, and then one line of JSON:
for every function its file, its name, and the place in the list of the function that called it first (-1: none).
Calls while a module is imported do not count.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import reactio

TraceFunction = Callable[[FrameType, str, Any], Any]
ROOT = f"{Path(reactio.__file__).parent}{os.sep}"
SNIPPETS = Path(__file__).parents[1] / "snippets"


class Call(NamedTuple):
    """The first call of a function."""

    file: str  # path in the package
    name: str  # qualified; "<…>" of a comprehension, which only some versions of Python call
    caller: int  # place of the calling function in the list of calls; -1 where it is outside the package


class CallTrace:
    """A trace function that collects the functions of the package, each with its first caller."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._places: dict[tuple[str, str], int] = {}
        self._importing = 0  # modules that are being imported at this moment

    def __call__(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        """Called at every call; what it returns is called in that frame, for modules until they are imported."""
        code = frame.f_code
        if code.co_name == "<module>":
            self._importing += 1
            return self._in_module
        key = code.co_filename, code.co_qualname
        if not self._importing and key not in self._places and code.co_filename.startswith(ROOT):
            self._places[key] = len(self.calls)
            self.calls.append(Call(relative(code.co_filename), code.co_qualname, self._caller(frame.f_back)))
        return None

    def _caller(self, frame: FrameType | None) -> int:
        while frame is not None:
            key = frame.f_code.co_filename, frame.f_code.co_qualname
            if key in self._places and not frame.f_code.co_name.startswith("<"):
                return self._places[key]
            frame = frame.f_back
        return -1

    def _in_module(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        self._importing -= event == "return"
        return self._in_module


@cache
def traced_calls(command: str) -> tuple[Call, ...]:
    """The functions that ``reactio command`` calls, in the order of first calls; it finds docs/snippets."""
    with tempfile.TemporaryDirectory() as folder:
        for file in SNIPPETS.glob("*.urdf"):
            shutil.copy(file, folder)
        done = subprocess.run(
            [sys.executable, "-m", "reactio_docs.traced_calls", *command.split()],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            # A trace does not see compiled kernels.
            env={**os.environ, "REACTIO_KERNELS": "plain", "PYTHONPATH": str(Path(__file__).parents[1])},
        )
    return tuple(Call(*entry) for entry in json.loads(done.stdout.splitlines()[-1]))


def functions_by_file(command: str) -> dict[str, int]:
    """The files that ``reactio command`` passes in the order of first calls, each with how many functions it calls."""
    counts: dict[str, int] = {}
    for call in traced_calls(command):
        counts[call.file] = counts.get(call.file, 0) + ("<" not in call.name.rpartition(".")[2])
    return counts


def relative(file: str) -> str:
    """A file of the package by its path in it."""
    return Path(file.removeprefix(ROOT)).as_posix()


def main() -> None:
    """Run the command with the arguments of this process."""
    trace = CallTrace()
    sys.settrace(trace)
    from reactio.cli import main as run

    try:
        run()
    finally:
        sys.settrace(None)
        print(json.dumps(trace.calls))


if __name__ == "__main__":
    main()
