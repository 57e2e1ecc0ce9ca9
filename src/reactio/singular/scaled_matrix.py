"""C as a dense matrix in metres, for models small enough to decompose it at every instant."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.scaled_matrix import MOST_DENSE_VELOCITIES, scaled_matrix
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System


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
