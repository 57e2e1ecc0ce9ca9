"""C without units: residuals and velocities as parts of ``System.row_scale`` and ``System.column_scale``.

Lengths count in characteristic lengths and radians as they are.  The characteristic length cancels where both are
lengths, so that C is the same when everything is in metres and a radian counts as the arc on that length.
"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, dense
from reactio.errors import ReactioError
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

# Velocities up to which dense matrices are decomposed at every instant: that takes some tenths of a second each time.
MOST_DENSE_VELOCITIES = 600


def scaled_matrix(eqs: Equations) -> Floats:
    """C (m, n) dense, C_ij column_scale_j / row_scale_i."""
    system = eqs.system
    return np.asarray(dense(eqs.matrix) * (system.column_scale / system.row_scale[:, None]))


def require_small(system: System) -> None:
    """An error at once where dense decompositions of C, whose cost grows as n³, would take too long."""
    if system.n > MOST_DENSE_VELOCITIES:
        raise ReactioError(
            f"'{system.model.name}' has {system.n:,} velocities; singular poses are sought up to "
            f"{MOST_DENSE_VELOCITIES}, because branches need dense decompositions of C, whose cost grows as the cube "
            "of that number. `show` and `check` report rank, redundancy and admissible velocities for any size."
        )


def in_metres(eqs: Equations) -> Floats:
    """C (m, n) dense, rows and columns in metres."""
    require_small(eqs.system)
    return scaled_matrix(eqs)


def matrix(system: System, state: State) -> Floats:
    """C (m, n) of a pose, whatever its velocities."""
    return in_metres(equations(system, State(state.t, state.q, np.zeros(system.n))))
