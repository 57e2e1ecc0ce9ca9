"""Units of length in which the equations of a sharing rule may be written."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.sharing.problem import Problem

METRES = {"": 1.0, "m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "in": 0.0254, "ft": 0.3048}
# Powers of length in the equation whose multiplier has that unit, and in a force, moment or force per length.
LENGTHS_IN_ROW = {"N": 1, "N m": 0, "N/m": 2}


def metres_in(unit: str, what: str) -> float:
    """The length of a unit [m].

    >>> metres_in("mm", "--units")
    0.001
    """
    if unit not in METRES or not unit:
        known = [name for name in METRES if name]
        raise ReactioError(f"{what}: '{unit}' is not a unit of length.{did_you_mean(unit, known)}")
    return METRES[unit]


def row_sizes(problem: Problem, unit: str) -> Floats:
    """(m,) how many times larger the residuals of the equations are in a unit of length than in metres.

    An equation in metres is 1000 times as large in millimetres, one in square metres 10⁶ times, and one in radians the
    same.  With λ' = λ s²/r in these units, min |λ'|² is min Σ λ_i²/r_i².
    """
    units, s = problem.matrix.rows.units, 1.0 / metres_in(unit, "The unit of the rule")
    if units is None or not set(units) <= LENGTHS_IN_ROW.keys():
        raise ReactioError(
            "The units of the rows of this matrix are not known, so that they cannot be written in another unit of "
            "length: leave the unit out."
        )
    return np.array([s ** LENGTHS_IN_ROW[name] for name in units])
