"""C without units: residuals and velocities as parts of ``System.row_scale`` and ``System.column_scale``.

Lengths count in characteristic lengths and radians as they are.  The characteristic length cancels where both are
lengths, so that C is the same when everything is in metres and a radian counts as the arc on that length.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, dense
from reactio.system.equations import Equations

# Velocities up to which dense matrices are decomposed at every instant: that takes some tenths of a second each time.
MOST_DENSE_VELOCITIES = 600


def scaled_matrix(eqs: Equations) -> Floats:
    """C (m, n) dense, C_ij column_scale_j / row_scale_i."""
    system = eqs.system
    return np.asarray(dense(eqs.matrix) * (system.column_scale / system.row_scale[:, None]))
