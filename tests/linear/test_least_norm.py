"""Least-squares solutions of smallest size: sparse ones against a dense decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

import reactio
from reactio.arrays import Floats
from reactio.forward_dynamics.accelerate import accelerations
from reactio.linear import least_norm
from reactio.linear.block_root import inverse_root


def lattice(side: int) -> tuple[Any, Floats]:
    """A = C L⁻ᵀ of a scissor lattice, of which σ_min falls as 1/side², and what gravity asks of it."""
    system = reactio.build(reactio.load("scissor-lattice", rows=side, columns=side))
    eqs = reactio.equations(system)
    half = inverse_root(eqs.M, system.body_v)
    assert half is not None
    A = (eqs.C @ half).tocsr()
    return A, np.asarray(eqs.Gamma - A @ (half.T @ eqs.Q))


def test_sparse_solution_of_a_singular_consistent_system_has_the_digits_of_the_dense_one() -> None:
    A, b = lattice(9)
    assert A.shape[1] > least_norm.DENSE_COLUMNS
    x, dense = least_norm.least_norm(A, b), np.linalg.lstsq(A.toarray(), b, rcond=1e-10)[0]
    # κ(A) = 700 of rounding in each, none of it squared
    assert np.linalg.norm(x - dense) < 1e-12 * np.linalg.norm(dense)
    assert np.abs(A @ x - b).max() < 1e-13


@pytest.mark.parametrize("smallest", [1e-4, 1e-5, 1e-6])
def test_singular_values_far_below_the_regularisation_are_solved_for(smallest: float) -> None:
    # σ² lies up to a thousand times below μ: a fixed number of plain sweeps would leave most of x out
    random = np.random.default_rng(3)
    A = random_array((500, 420), density=0.01, rng=random).toarray() + np.eye(500, 420)
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    s[-3:] = s[0] * smallest * np.array([1.0, 2.0, 3.0])
    wanted = Vt.T @ random.standard_normal(420)
    C = csr_array(U * s @ Vt)
    x = least_norm.least_norm(C, C @ wanted)
    assert np.linalg.norm(x - wanted) < 1e-13 / smallest * np.linalg.norm(wanted)


def test_equations_that_contradict_have_their_least_squares_solution() -> None:
    A, b = lattice(9)
    b = b + np.random.default_rng(1).standard_normal(len(b))
    x, dense = least_norm.least_norm(A, b), np.linalg.lstsq(A.toarray(), b, rcond=1e-10)[0]
    assert np.linalg.norm(x - dense) < 1e-6 * np.linalg.norm(dense)


def test_lattices_with_small_singular_values_have_accelerations() -> None:
    # σ_min² is 3e-10 of σ_max²: the equations were called contradictory from here on
    system = reactio.build(reactio.load("scissor-lattice", rows=2, columns=300))
    eqs = reactio.equations(system)
    found = accelerations(eqs)
    assert np.abs(eqs.C @ found.vdot - eqs.Gamma).max() < 1e-10
    f = found.f
    # f = Cᵀλ: nothing of it acts along the one motion of the lattice
    T = np.random.default_rng(0).standard_normal(system.n)
    T -= least_norm.least_norm(eqs.C, eqs.C @ T)
    assert abs(f @ T) < 1e-9 * np.linalg.norm(f) * np.linalg.norm(T)
