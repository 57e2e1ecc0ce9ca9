"""Intervals of λ ≥ 0 with Cᵀλ = f from all vertices, in rational arithmetic: slow, and right."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

Matrix = list[list[Fraction]]


def solved(A: Matrix, b: list[Fraction]) -> list[Fraction] | None:
    """The one x with A x = b for a square A; None where A is singular."""
    n = len(A)
    rows = [[*row, x] for row, x in zip(A, b, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def intervals(C: list[list[int]], f: list[int]) -> list[tuple[Fraction, Fraction]] | None:
    """(low, high) of each λ_i; None where no λ ≥ 0 balances f.  C has full column rank and a row of it that makes
    the set bounded, as a weight on a floor does."""
    m, n = len(C), len(f)
    ends: list[list[Fraction]] = [[] for _ in range(m)]
    for basis in combinations(range(m), n):
        x = solved([[Fraction(C[i][j]) for i in basis] for j in range(n)], [Fraction(v) for v in f])
        if x is None or min(x) < 0:
            continue
        values = dict(zip(basis, x, strict=True))
        for i in range(m):
            ends[i].append(values.get(i, Fraction(0)))
    return None if not ends[0] else [(min(one), max(one)) for one in ends]
