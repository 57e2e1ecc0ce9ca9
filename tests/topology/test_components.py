"""Connected components in Python: those of SciPy, with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from reactio.topology import components


@pytest.mark.parametrize("seed", range(20))
def test_components_and_their_numbers_are_those_of_scipy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 40))
    first, second = random.integers(0, count, (2, int(random.integers(0, 40))))
    labels = connected_components(coo_array((np.ones(first.size), (first, second)), shape=(count, count)), False)[1]
    assert np.array_equal(components.connected(count, first, second), labels)
    monkeypatch.setattr(components, "FEW_EDGES", -1)
    assert np.array_equal(components.connected(count, first, second), labels)
