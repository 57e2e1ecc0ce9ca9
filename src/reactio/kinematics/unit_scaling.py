"""C in metres: radians count as the arc on the characteristic length."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, dense
from reactio.system.equations import Equations
from reactio.system.types import System


def weights(system: System) -> tuple[Floats, Floats]:
    """Factors of the rows (m,) and columns (n,) of C that turn radians into metres."""
    return np.where(system.angular_rows, system.length, 1.0), np.where(system.angular, 1 / system.length, 1.0)


def in_metres(eqs: Equations) -> Floats:
    """C (m, n) dense, rows and columns in metres."""
    rows, columns = weights(eqs.system)
    return np.asarray(rows[:, None] * dense(eqs.matrix) * columns)
