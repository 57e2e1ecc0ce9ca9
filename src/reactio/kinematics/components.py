"""Parts of a mechanism that no constraint connects: fast motion of one says nothing about another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.linear.precision import ROUNDOFF
from reactio.system.equations import Equations


@dataclass(frozen=True, slots=True, eq=False)
class ConnectedParts:
    """The part that each row and column of C belongs to, by its number; rows connect bodies, the ground does not."""

    rows: Ints  # (m,)
    columns: Ints  # (n,)

    def in_rows(self, of_rows: Floats | None = None, of_columns: Floats | None = None) -> Floats:
        """(m,) the largest size in the part of every row, of sizes of rows (m,) or columns (n,)."""
        return self._largest(of_rows, of_columns)[self.rows]

    def in_columns(self, of_columns: Floats) -> Floats:
        """(n,) the largest size in the part of every column, of sizes of columns (n,)."""
        return self._largest(None, of_columns)[self.columns]

    def _largest(self, of_rows: Floats | None, of_columns: Floats | None) -> Floats:
        largest = np.zeros(len(self.rows) + len(self.columns))
        for numbers, sizes in ((self.rows, of_rows), (self.columns, of_columns)):
            if sizes is not None:
                np.maximum.at(largest, numbers, sizes)
        return largest


def connected_parts(eqs: Equations) -> ConnectedParts:
    """The connected components of the graph of M and C: velocities of one body, and rows with all they act on."""
    numbers, m = eqs.system.connected_parts, eqs.system.m
    return ConnectedParts(numbers[:m], numbers[m:])


def negligible_residuals(terms: Floats, relative: float) -> Floats:
    """(m,) residuals of rows that count as rounding: relative to their terms (m,), and the rounding of other parts."""
    return relative * terms + ROUNDOFF * float(terms.max(initial=0.0))
