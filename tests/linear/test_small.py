"""Small matrices without SciPy: the same as with it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import qr
from scipy.sparse import block_diag, csr_array

from reactio import arrays
from reactio.arrays import Floats
from reactio.linear.block_root import BlockRoots, inverse_root, massless
from reactio.linear.interpolation import InterpolatingPolynomial, hermite
from reactio.linear.lapack import generalised_eigenvalues, pivoted_qr


@pytest.mark.parametrize("shape", [(5, 5), (7, 4), (4, 7)])
def test_pivoted_qr_is_that_of_scipy(shape: tuple[int, int]) -> None:
    A = np.random.default_rng(1).standard_normal(shape)
    _, R, order = qr(A, mode="economic", pivoting=True)
    mine, places = pivoted_qr(A)
    assert (places == order).all()
    assert np.array_equal(np.triu(mine)[: min(shape)], R)


def test_roots_of_dense_and_sparse_mass_matrices_are_the_same() -> None:
    random = np.random.default_rng(2)
    blocks = [(A := random.standard_normal((k, k))) @ A.T + np.eye(k) for k in (3, 1, 6, 3)]
    ptr = np.array([0, 3, 4, 10, 13])
    M: Floats = block_diag(blocks).toarray()
    half, sparse = inverse_root(M, ptr), inverse_root(csr_array(M), ptr)
    assert isinstance(half, np.ndarray)
    assert sparse is not None
    assert np.array_equal(half, sparse.toarray())
    assert half.T @ M @ half == pytest.approx(np.eye(13), abs=1e-12)  # a few roundings of entries near 10
    roots, v, C = (
        BlockRoots.of(csr_array(M), ptr),
        random.standard_normal(13),
        csr_array(random.standard_normal((4, 13))),
    )
    assert roots is not None
    assert roots.scaled(v) == pytest.approx(np.linalg.solve(half, v), abs=1e-12)
    assert roots.velocities(v) == pytest.approx(half @ v, abs=1e-12)
    assert roots.impulses(v) == pytest.approx(half.T @ v, abs=1e-12)
    rows = roots.rows(C.data, (C.indptr.astype(np.int64), C.indices.astype(np.int64)), 5)
    assert rows == pytest.approx(np.vstack([C @ half, np.zeros((1, 13))]), abs=1e-12)
    M[3, 3] = 0.0
    assert inverse_root(M, ptr) is BlockRoots.of(csr_array(M), ptr) is None
    assert np.flatnonzero(massless(M, ptr)).tolist() == [3]


def test_a_matrix_of_rows_is_dense_up_to_a_size_and_sparse_above(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern, data = (np.array([0, 2, 3]), np.array([0, 2, 1])), np.array([1.0, 2.0, 3.0])
    small = arrays.from_rows(data, pattern, 3)
    monkeypatch.setattr(arrays, "DENSE_SIZE", 2)
    large = arrays.from_rows(data, pattern, 3)
    assert isinstance(small, np.ndarray)
    assert isinstance(large, csr_array)
    assert small.tolist() == large.toarray().tolist() == [[1, 0, 2], [0, 3, 0]]


def test_polynomials_through_values_and_slopes_are_those_they_were_taken_from() -> None:
    random = np.random.default_rng(3)
    t = -np.cos(np.pi * (np.arange(6) + 0.5) / 6)
    whole = np.polynomial.Polynomial(random.standard_normal(6))
    longer = np.polynomial.Polynomial(random.standard_normal(12))
    for x in (*t, 0.3, 1.2):  # at the places themselves too
        # Beyond the last place polynomials of degree 11 grow a thousandfold, and rounding with them.
        assert InterpolatingPolynomial(t, whole(t)[:, None])(x) == pytest.approx([whole(x)], abs=1e-12)
        p, slope = hermite(t - x, longer(t)[:, None], longer.deriv()(t)[:, None])
        assert p == pytest.approx([longer(x)], abs=1e-11)
        assert slope == pytest.approx([longer.deriv()(x)], abs=1e-9)


def test_generalised_eigenvalues_are_the_roots_of_the_determinant() -> None:
    A, B = np.diag([1.0, 2.0, 3.0]), np.diag([2.0, 0.0, -1.0])
    assert sorted(generalised_eigenvalues(A, B).real.tolist()) == pytest.approx([-3.0, 0.5])
    turning = generalised_eigenvalues(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(2))
    assert sorted(turning.imag.tolist()) == pytest.approx([-1.0, 1.0])
