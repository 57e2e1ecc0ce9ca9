"""Upper ends of many y_j over { y ≥ 0 : A y = b } at once: columns of A over one facet of the cone that they span.

Let w (n,) with Aᵀw ≥ 0 be the inner normal of a facet.  Then bᵀw = Σ y_k a_kᵀw ≥ y_j a_jᵀw, so that

    y_j ≤ bᵀw / a_jᵀw   of every column j,

which is reached where columns of the facet, a_kᵀw = 0, bear the rest, b − y_j a_j.  A linear programme for one
column finds such a facet; it settles all columns that lie over the same one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Facet:
    """What the columns have of a facet's normal, and the load: slope (m,) = Aᵀw, load = bᵀw."""

    slope: Floats
    load: float
    bearing: Ints  # columns of the facet that bear at a vertex

    def reached(self, A: Floats, b: Floats, free: Bools, least: float, close: float) -> Bools:
        """(m,) the columns whose upper end is load/slope: the facet bears the rest of b.

        A (n, m), columns of about unit length; b of size one; ``free`` (m,): columns that may be negative; slopes below
        ``least`` count as zero; ``close``: by how much forces and the balance may be off.
        """
        above = np.flatnonzero(self.slope > least)
        rest = b[:, None] - A[:, above] * (self.load / self.slope[above])
        T = A[:, self.bearing]
        forces = np.linalg.pinv(T) @ rest
        pushes = ((forces >= -close) | free[self.bearing, None]).all(axis=0)
        reached = np.zeros(A.shape[1], dtype=bool)
        reached[above[pushes & (np.abs(T @ forces - rest).max(axis=0, initial=0.0) <= close)]] = True
        return reached
