"""The nearest point of a polyhedron against the conditions that make it one."""

from __future__ import annotations

import numpy as np
import pytest

from reactio.linear.least_distance import least_distance


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
