"""Common real zeros of quadratic forms, against forms with known roots."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reactio.arrays import Floats
from reactio.linear.quadrics import common_zeros


def product(a: Floats, b: Floats) -> Floats:
    """The form (a·x)(b·x)."""
    return 0.5 * (np.outer(a, b) + np.outer(b, a))


def turned(A: Floats, seed: int) -> tuple[Floats, Floats]:
    """The same forms in other coordinates."""
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((A.shape[1],) * 2))[0]
    return np.einsum("ia,kij,jb->kab", Q, A, Q), Q


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 3.0))
def test_two_lines(seed: int, angle: float) -> None:
    """(a·x)(b·x) = 0 has the roots at right angles to a and to b, nothing else."""
    a, b = np.array([1.0, 0.0]), np.array([np.cos(angle), np.sin(angle)])
    A, Q = turned(product(a, b)[None], seed)
    found = [Q @ part.basis[:, 0] for part in common_zeros(A).parts]
    assert len(found) == 2
    assert sorted(min(abs(x @ a), abs(x @ b)) for x in found) == pytest.approx([0, 0], abs=1e-7)
    assert abs(found[0] @ found[1]) == pytest.approx(abs(a @ b), abs=1e-7)


@pytest.mark.parametrize("e", [3, 4, 5, 11, 41])
def test_flat_chain_of_four_bars(e: int) -> None:
    """a_i (a_i − a_{i+1}) = 0, the second-order conditions of e − 1 flat loops: 0 … 0 1 … 1, e roots, some double."""
    unit = np.eye(e)
    A, Q = turned(np.array([product(unit[i], unit[i] - unit[i + 1]) for i in range(e - 1)]), 3)
    found = common_zeros(A)
    assert found.complete
    roots = [Q @ part.basis[:, 0] for part in found.parts]
    wanted = [np.where(np.arange(e) >= k, 1.0, 0.0) / np.sqrt(e - k) for k in range(e)]
    assert len(roots) == e
    for x in wanted:
        assert min(1 - abs(x @ y) for y in roots) < 1e-8  # double roots are found to the square root of rounding


def test_what_no_form_sees_belongs_to_every_branch() -> None:
    unit = np.eye(4)
    A, Q = turned(product(unit[0], unit[1])[None], 5)
    found = common_zeros(A).parts
    assert [part.basis.shape for part in found] == [(4, 3), (4, 3)]
    for part in found:
        assert all(np.linalg.norm((Q @ part.basis).T @ unit[k]) == pytest.approx(1, abs=1e-9) for k in (2, 3))
    square = common_zeros(turned(product(unit[0], unit[0])[None], 6)[0]).parts
    assert [part.basis.shape for part in square] == [(4, 3)]


def test_a_plane_and_a_line() -> None:
    unit = np.eye(3)
    A, _ = turned(np.array([product(unit[0], unit[1]), product(unit[0], unit[2])]), 7)
    assert sorted(part.basis.shape[1] for part in common_zeros(A).parts) == [1, 2]


def test_a_cone_is_called_curved_and_definite_forms_have_no_zeros() -> None:
    (cone,) = common_zeros(np.diag([1.0, 1.0, -1.0])[None]).parts
    assert cone.curved
    assert common_zeros(np.eye(3)[None]).parts == ()
    assert common_zeros(np.array([[[1.0]]])).parts == ()
    assert common_zeros(np.array([np.diag([1.0, -1.0]), np.diag([1.0, -2.0])])).parts == ()


def test_independent_systems_multiply() -> None:
    """Three pairs of lines in variables of their own: 2³ subspaces, found one system at a time."""
    unit = np.eye(6)
    A, Q = turned(np.array([product(unit[2 * k], unit[2 * k] - unit[2 * k + 1]) for k in range(3)]), 11)
    skew = np.linalg.inv(
        np.eye(6) + 0.3 * np.random.default_rng(1).standard_normal((6, 6))
    )  # blocks not at right angles
    found = common_zeros(np.einsum("ia,kij,jb->kab", skew, A, skew))
    assert found.complete
    assert [part.basis.shape for part in found.parts] == [(6, 3)] * 8
    for part in found.parts:
        pairs = (Q @ skew @ part.basis).reshape(3, 2, 3)
        for x, y in pairs:  # in every pair x = 0 or x = y
            assert min(np.abs(x).max(), np.abs(x - y).max()) < 1e-9  # linear algebra: rounding


def lines_of(factors: Floats) -> Floats:
    """Unit vectors (2ᵏ, k + 1) at right angles to one factor of each of k products (k, 2, k + 1)."""
    chosen = itertools.product(*factors)
    return np.array([np.linalg.svd(np.array(rows))[2][-1] for rows in chosen])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_pieces_solve_the_forms_and_none_holds_another(seed: int, e: int) -> None:
    """Random products of two factors: e − 1 planes, one factor of each form, meet in a line; each line is found."""
    random = np.random.default_rng(seed)
    factors = random.standard_normal((e - 1, 2, e))
    lines = lines_of(factors)
    # Lines nearer to each other than √ZERO over the size of a form on their plane count as one: 0.008 at most in 3,000.
    assume(np.all(np.abs(lines @ lines.T)[~np.eye(len(lines), dtype=bool)] < np.cos(0.02)))
    A = np.array([product(a, b) for a, b in factors])
    found = common_zeros(A)
    assert found.complete
    assert len(found.parts) == 2 ** (e - 1)
    ways = np.hstack([part.basis for part in found.parts])
    assert np.abs(lines @ ways).max(axis=1).min() > 1 - 1e-9  # planes 0.02 apart: their line is known to 1e-14 / 0.02
    assert np.abs(np.einsum("ia,kij,ja->ka", ways, A, ways)).max() < 1e-7  # nearly parallel planes


def test_lines_too_near_to_tell_apart_are_found_as_the_one_between_them() -> None:
    near = 1e-4  # y = 0 and y = near x, where forms below ZERO = 1e-6 vanish: as a square, their angle is 1e-8
    found = common_zeros(np.array([product(np.array([0.0, 1.0]), np.array([-near, 1.0]))]))
    assert found.complete
    (part,) = found.parts
    assert abs(part.basis[1, 0] / part.basis[0, 0] - near / 2) < near


def test_too_many_pieces_are_not_called_complete() -> None:
    unit = np.eye(20)
    A = np.array([product(unit[2 * k], unit[2 * k + 1]) for k in range(10)])  # 2¹⁰ subspaces
    assert not common_zeros(A).complete
