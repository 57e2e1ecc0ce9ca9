"""Names of the array types used everywhere."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Sparse: TypeAlias = Any  # scipy.sparse.csr_array: SciPy is imported only where it is used


def frozen(array: Any, dtype: Any = np.float64) -> Any:
    """A C-contiguous read-only copy."""
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy
