"""Run ``reactio`` and say which functions of the package it called, file by file in the order of first calls.

``python -m reactio_docs.traced_calls check mobile-robot`` prints what the command prints, and then one line of JSON:
pairs of a file and the number of its functions that were called.  Calls while a module is imported do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import reactio

TraceFunction = Callable[[FrameType, str, Any], Any]
ROOT = f"{Path(reactio.__file__).parent}{os.sep}"


class CallTrace:
    """A trace function that collects the functions of the package by their files."""

    def __init__(self) -> None:
        self.functions: dict[str, set[str]] = {}  # by file
        self._importing = 0  # modules that are being imported at this moment

    def __call__(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        """Called at every call; what it returns is called in that frame, for modules until they are imported."""
        code = frame.f_code
        if code.co_name == "<module>":
            self._importing += 1
            return self._in_module
        if not self._importing and code.co_filename.startswith(ROOT):
            functions = self.functions.setdefault(code.co_filename, set())
            if not code.co_name.startswith("<"):  # comprehensions are functions in some versions of Python only
                functions.add(code.co_qualname)
        return None

    def _in_module(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        self._importing -= event == "return"
        return self._in_module


def traced_calls(command: str) -> dict[str, int]:
    """The files that ``reactio command`` passes in the order of first calls, each with how many functions it calls."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "reactio_docs.traced_calls", *command.split()],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            # A trace does not see compiled kernels.
            env={**os.environ, "REACTIO_KERNELS": "plain", "PYTHONPATH": str(Path(__file__).parents[1])},
        )
    return dict(json.loads(done.stdout.splitlines()[-1]))


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
        print(json.dumps([(relative(file), len(functions)) for file, functions in trace.functions.items()]))


if __name__ == "__main__":
    main()
