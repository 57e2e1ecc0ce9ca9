"""C in metres: radians count as the arc on the characteristic length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, dense
from reactio.system.equations import Equations
from reactio.system.types import System


class UnitWeights(NamedTuple):
    """Factors on C that turn radians into metres, the arc on the characteristic length."""

    rows: Floats  # (m,) of residuals: the characteristic length for rows in radians, else 1
    columns: Floats  # (n,) of velocities: 1 over the characteristic length for those in radians, else 1


def weights(system: System) -> UnitWeights:
    """The factors on the rows and columns of C that turn radians into metres."""
    rows = np.where(system.angular_rows, system.length, 1.0)
    return UnitWeights(rows, np.where(system.angular, 1 / system.length, 1.0))


def in_metres(eqs: Equations) -> Floats:
    """C (m, n) dense, rows and columns in metres."""
    rows, columns = weights(eqs.system)
    return np.asarray(rows[:, None] * dense(eqs.matrix) * columns)
