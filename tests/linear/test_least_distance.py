"""The nearest point of a polyhedron against the conditions that make it one."""

from __future__ import annotations

import numpy as np
import pytest

from reactio.linear.convex.least_distance import across, least_distance


@pytest.mark.parametrize("seed", range(30))
def test_conditions_of_the_nearest_point(seed: int) -> None:
    """Feasible, and y − x = −Bᵀμ − Gᵀλ, λ ≥ 0 and only where an inequality is an equality (Karush, Kuhn, Tucker)."""
    rng = np.random.default_rng(seed)
    n, m, k = 7, seed % 4, 5
    x, B, G = rng.normal(size=n), rng.normal(size=(m, n)), rng.normal(size=(k, n))
    if m > 2:
        B[-1] = B[0] + B[1]  # a dependent equation
    inside = rng.normal(size=n)
    b, h = B @ inside, G @ inside + rng.uniform(0, 0.5, k)
    y = least_distance(x, B, b, G, h)
    assert y is not None
    np.testing.assert_allclose(B @ y, b, atol=1e-10)
    assert (G @ y <= h + 1e-10).all()
    tight = np.abs(G @ y - h) < 1e-9
    A = np.vstack([B, G[tight]])
    multipliers = np.linalg.lstsq(A.T, x - y, rcond=None)[0] if len(A) else np.zeros(0)
    np.testing.assert_allclose(A.T @ multipliers, x - y, atol=1e-9)
    assert (multipliers[m:] >= -1e-9).all()


def test_an_empty_polyhedron_has_no_point() -> None:
    G = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert least_distance(np.zeros(2), np.zeros((0, 2)), np.zeros(0), G, np.array([-1.0, -1.0])) is None


def test_rows_in_the_span_of_equations_are_left_to_them() -> None:
    """A row that is a combination of the equations has no freedom of its own, whatever the last digits say."""
    B = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]]) / 3
    inside = 0.3 * B[0] - 0.7 * B[1] + 1e-16 * np.array([1.0, -2.0, 3.0])
    x = np.array([0.4, -1.0, 2.0])
    y = least_distance(x, B, np.zeros(2), inside[None], np.zeros(1))
    assert y is not None
    np.testing.assert_allclose(B @ y, 0.0, atol=1e-15)
    assert least_distance(x, B, np.zeros(2), inside[None], np.array([-0.1])) is None
    V = np.linalg.svd(B, full_matrices=False)[2]
    assert not across(inside[None], V).any()


@pytest.mark.parametrize("seed", range(20))
def test_nearest_points_satisfy_the_conditions_of_a_smallest_distance(seed: int) -> None:
    """Random cones with dependent and opposite rows: feasible, and x − y is a combination of rows that push."""
    rng = np.random.default_rng(seed)
    B, G_ = rng.normal(size=(2, 6)), rng.normal(size=(4, 6))
    G_ = np.vstack([G_, -G_[0], G_[1] + G_[2], 0.5 * B[0]])
    x = rng.normal(size=6)
    y = least_distance(x, B, np.zeros(2), G_, np.zeros(len(G_)))
    assert y is not None  # y = 0 satisfies all of them
    size = float(np.abs(x).max())
    assert np.abs(B @ y).max() < 1e-12 * size * 10
    assert (G_ @ y).max() < 1e-10 * size
    # The nearest point of a cone: x − y is at right angles to y, and no admissible direction leads nearer.
    assert abs(float((x - y) @ y)) < 1e-9 * size**2
    for direction in rng.normal(size=(200, 6)):
        z = least_distance(direction, B, np.zeros(2), G_, np.zeros(len(G_)))
        assert z is not None
        assert float((x - y) @ z) < 1e-9 * size * (1 + float(np.abs(z).max()))
