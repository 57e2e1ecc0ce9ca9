"""Python processes that Reactio starts: none of them runs a file just because it lies in the current folder."""

from __future__ import annotations

import sys


def python_command(module: str, *words: str) -> list[str]:
    """The command that calls ``main`` of a module, with words as its arguments.

    ``python -m`` would put the current folder first on the path, and with it a ``yaml.py`` next to a downloaded model.
    The path of the child is that of this process, so that it finds the same packages.
    """
    start = f"import sys; sys.path[:] = {[str(folder) for folder in sys.path]!r}; from {module} import main; main()"
    return [sys.executable, "-P", "-c", start, *words]
