"""Factors of A Aᵀ + μ against dense algebra, on random patterns of blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from reactio.linear.sparse.gram import factorise, gram_plan, gram_work, solve


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 8))
def test_solves_like_dense_algebra(seed: int, rows: int, blocks: int) -> None:
    random = np.random.default_rng(seed)
    ptr = np.concatenate([[0], np.cumsum(random.integers(1, 8, blocks))]).astype(np.int64)
    touched = random.random((rows, blocks)) < 0.4
    dense = np.repeat(touched, np.diff(ptr), axis=1) * random.standard_normal((rows, ptr[-1]))
    A = csr_array(dense)
    plan = gram_plan(A.indptr.astype(np.int64), A.indices.astype(np.int64), ptr)
    work, x, b = gram_work(plan), np.zeros(rows), random.standard_normal(rows)
    factorise(plan, work, A.data, (dense**2).sum(axis=1), 1e-3)
    solve(plan, work, b, x)
    S = dense @ dense.T + 1e-3 * np.eye(rows)
    assert S @ x == pytest.approx(b, abs=1e-9)  # condition at most 1e5, entries of order one


def test_chains_fill_in_linearly() -> None:
    """Two rows between neighbours in a chain: minimum degree leaves a constant number of entries per row."""
    fill = []
    for bodies in (50, 200):
        C = np.zeros((2 * (bodies - 1), 3 * bodies))
        for i in range(bodies - 1):
            C[2 * i : 2 * i + 2, 3 * i : 3 * i + 6] = 1.0
        A = csr_array(C)
        ptr = np.arange(0, 3 * bodies + 1, 3)
        plan = gram_plan(A.indptr.astype(np.int64), A.indices.astype(np.int64), ptr)
        fill.append(len(plan.L_row) / bodies)
    assert fill[1] < 1.1 * fill[0]
