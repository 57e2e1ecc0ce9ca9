"""LU factors in place, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactio.linear.lu import lu_factorise, lu_factorise_complex, lu_solve, lu_solve_complex, solve_in_profile


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 8), st.booleans(), st.integers(0, 10**6))
def test_solutions_are_those_of_the_matrix(n: int, is_complex: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    if is_complex:
        A, b = A + 1j * rng.standard_normal((n, n)), b + 1j * rng.standard_normal(n)
    room = np.full((n + 2, n + 3), np.nan, dtype=A.dtype)  # what lies outside is not touched
    room[:n, :n] = A
    x, pivot = b.copy(), np.zeros(n + 2, dtype=np.int64)
    if is_complex:
        parts, y = room.view(float).reshape(n + 2, n + 3, 2), x.view(float).reshape(n, 2)
        lu_factorise_complex(parts, pivot, n)
        lu_solve_complex(parts, pivot, n, y)
    else:
        lu_factorise(room, pivot, n)
        lu_solve(room, pivot, n, x)
    # Rounding times the condition; pivots keep the growth of small matrices at a few units.
    assert np.abs(A @ x - b).max() <= 1e-13 * np.linalg.cond(A) * max(1.0, float(np.abs(b).max()))


def test_rows_are_exchanged() -> None:
    A, b, pivot = np.array([[0.0, 2.0], [4.0, 1.0]]), np.array([2.0, 9.0]), np.zeros(2, dtype=np.int64)
    lu_factorise(A, pivot, 2)
    lu_solve(A, pivot, 2, b)
    assert b == pytest.approx([2.0, 1.0], abs=1e-15)


def test_systems_within_a_profile() -> None:
    """Random profiles, with small diagonals that rows must be exchanged for."""
    rng = np.random.default_rng(5)
    for n in (2, 5, 9, 14):
        reach = np.minimum(np.maximum.accumulate(np.arange(n) + rng.integers(1, 4, n)), n - 1)
        A = rng.normal(size=(n, n))
        A[np.diag_indices(n)] *= 1e-9
        inside = np.arange(n)[None, :] <= reach[:, None]
        A[~(inside & inside.T)] = 0.0
        x = rng.normal(size=n)
        b, room = A @ x, A.copy()
        solve_in_profile(room, reach, b)
        assert np.abs(b - x).max() <= 1e-13 * np.linalg.cond(A)
