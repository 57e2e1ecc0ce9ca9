"""Processes: those that Reactio starts run no file of the current folder, and have one thread of BLAS."""

from __future__ import annotations

import sys
from collections.abc import Mapping

# Variables that OpenBLAS, MKL and Accelerate read when NumPy is imported; the last serves the first two as well.
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
ANY_LIBRARY = "OMP_NUM_THREADS"


def python_command(module: str, *words: str) -> list[str]:
    """The command that calls ``main`` of a module, with words as its arguments.

    ``python -m`` would put the current folder first on the path, and with it a ``yaml.py`` next to a downloaded model.
    The path of the child is that of this process, so that it finds the same packages.
    """
    start = f"import sys; sys.path[:] = {[str(folder) for folder in sys.path]!r}; from {module} import main; main()"
    return [sys.executable, "-P", "-c", start, *words]


def one_thread(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables by which BLAS in a process with this environment has one thread; none if the user chose a number.

    Most matrices here have up to a few hundred rows, for which a second thread gains little.  Threads wait for each
    other in a busy loop, though: on a machine that does other work as well they made a run of an engine with four
    cylinders seven times as long, at nine times its processor time.

    >>> one_thread({"OMP_NUM_THREADS": "4"})
    {}
    """
    if any(name in environment for name in (*THREAD_VARIABLES, ANY_LIBRARY)):
        return {}
    return dict.fromkeys(THREAD_VARIABLES, "1")
