"""Rows of output along a motion, and how they are chosen and joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.integrate.state import ROW_FIELDS
from reactio.system.types import State


@dataclass(frozen=True, slots=True, eq=False)
class StateRows:
    """States along a motion."""

    t: Floats  # (k,) [s]
    q: Floats  # (k, nq)
    v: Floats  # (k, n)

    def state(self, row: int) -> State:
        """The state in one row."""
        return State(float(self.t[row]), self.q[row], self.v[row])

    @property
    def states(self) -> list[State]:
        """The states in all rows."""
        return [self.state(row) for row in range(len(self.t))]


@dataclass(frozen=True, slots=True, eq=False)
class OutputRows(StateRows):
    """Rows of output; λ has the smallest norm in the metric of the rows where it is not unique."""

    vdot: Floats  # (k, n)
    lam: Floats  # (k, m)
    work: Floats  # (k,) of drives and of loads without a potential since the start, impacts not among it [J]


def rows_of(source: Any, keep: slice | Bools = slice(None)) -> dict[str, Any]:
    """The fields of the rows of a run, a chunk, or the arrays of an integrator; all rows or some."""
    return {key: getattr(source, key)[keep] for key in ROW_FIELDS}


def joined_rows(*parts: Any, fields: Sequence[str] = ROW_FIELDS) -> dict[str, Any]:
    """The fields of the rows of several sources, one after the other."""
    return {key: np.concatenate([getattr(part, key) for part in parts]) for key in fields}
