"""Threads of BLAS, the library behind NumPy's and SciPy's linear algebra: one, unless the user says otherwise.

Most matrices here have up to a few hundred rows, for which a second thread gains little.  Threads wait for each other
in a busy loop, though: on a machine that does other work as well they made a run of an engine with four cylinders seven
times as long, at nine times its processor time.
"""

from __future__ import annotations

from collections.abc import Mapping

# Variables that OpenBLAS, MKL and Accelerate read when NumPy is imported; the last serves the first two as well.
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
ANY_LIBRARY = "OMP_NUM_THREADS"


def one_thread(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables by which a process with this environment has one thread; none where the user chose a number.

    >>> one_thread({"OMP_NUM_THREADS": "4"})
    {}
    """
    if any(name in environment for name in (*THREAD_VARIABLES, ANY_LIBRARY)):
        return {}
    return dict.fromkeys(THREAD_VARIABLES, "1")
