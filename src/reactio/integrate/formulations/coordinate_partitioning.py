"""Generalised coordinate partitioning: some coordinates are integrated, the others follow from the constraints."""

from __future__ import annotations

from reactio.integrate.formulation import Formulation, register
from reactio.integrate.projection.reduced import orthonormal_basis, reduced
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, kernel


@kernel(**NO_ARRAYS)
def partition(projection: Projection) -> None:
    """B: unit vectors of dependent coordinates, S: those of independent ones, by elimination with pivoting of columns.

    The rows Q₁ span those of C; the column with the largest pivot belongs to the next dependent coordinate.
    """
    f = projection.formulation
    orthonormal_basis(projection)
    r, n = f.rank[0], f.Q.shape[0]
    f.B[:, :] = 0.0
    f.S[:, :] = 0.0
    f.remainder[:] = 0.0  # 1 for dependent coordinates
    for i in range(r):
        for k in range(n):
            f.G[i, k] = f.Q[i, k]
    for i in range(r):
        row, column = i, 0
        for l in range(i, r):
            for k in range(n):
                if (abs(f.G[l, k]) > abs(f.G[row, column]) and f.remainder[k] == 0.0) or f.remainder[column] != 0.0:
                    row, column = l, k
        for k in range(n):
            f.G[i, k], f.G[row, k] = f.G[row, k], f.G[i, k]
        f.remainder[column] = 1.0
        f.B[i, column] = 1.0
        for l in range(i + 1, r):
            factor = f.G[l, column] / f.G[i, column]
            for k in range(n):
                f.G[l, k] -= factor * f.G[i, k]
    count = 0
    for k in range(n):
        if f.remainder[k] == 0.0:
            f.S[count, k] = 1.0
            count += 1


COORDINATE_PARTITIONING = register(
    Formulation(
        name="coordinate-partitioning",
        doc="Independent coordinates are integrated; the others follow from r independent equations by Newton's "
        "method. The partition is chosen at the start of every step.",
        undetermined="Reactions are eliminated; those found afterwards from Cᵀλ = Q − M v̇ stay undetermined.",
        cite="Wehage & Haug 1982, J. Mech. Des. 104, 247–255",
        accelerate=reduced,
        links={"choose_basis": partition},
        fixed_basis=True,
    )
)
