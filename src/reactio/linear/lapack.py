"""LAPACK's QR with column pivoting and generalised eigenvalues, without the rest of SciPy's linear algebra."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, Ints

WRAPPERS = "scipy.linalg._flapack"


def pivoted_qr(A: Floats) -> tuple[Floats, Ints]:
    """R (m, n) upper trapezoidal and the order (n,) of the columns with A[:, order] = Q R, |R_ii| descending."""
    R, order, *_ = _lapack().dgeqp3(A)
    return np.asarray(R), np.asarray(order, dtype=np.int64) - 1


def generalised_eigenvalues(A: Floats, B: Floats) -> NDArray[np.complex128]:
    """τ (k,) with A − τ B singular, of square A and B; those that are infinite or undetermined are left out."""
    real, imaginary, beta, *_ = _lapack().dggev(A, B, compute_vl=0, compute_vr=0)
    with np.errstate(all="ignore"):
        tau = (real + 1j * imaginary) / beta
    return np.asarray(tau[np.isfinite(tau)])


@cache
def _lapack() -> Any:
    """SciPy's wrappers of LAPACK, one file.

    ``import scipy.linalg.lapack`` imports all of scipy.linalg first: 0.2 s, longer than the verdicts on a small
    mechanism take.  Loaded alone under its own name, it is what scipy.linalg finds when something imports that later.
    """
    if WRAPPERS not in sys.modules:
        import scipy

        folder = os.path.join(os.path.dirname(scipy.__file__), "linalg")
        spec = PathFinder.find_spec(WRAPPERS, [folder])
        if spec is None or spec.loader is None:  # another layout of SciPy
            import scipy.linalg.lapack

            return scipy.linalg.lapack
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[WRAPPERS] = module
    return sys.modules[WRAPPERS]
