"""10,000 random contact statics: intervals against vertices in rational arithmetic and against SciPy; none too narrow.

    python benchmarks/contact_statics.py [COUNT]

Also the time for the intervals of a model with 10,000 contact rows.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.reaction_bounds.exact_vertices import intervals
from tests.reaction_bounds.test_splits import feet

from reactio.errors import ReactioError
from reactio.uniqueness.bounds import multiplier_bounds


def compared(count: int) -> tuple[int, int, float, float]:
    """Cases with a split, without one, and how far ends are inside or outside of the exact ones, of the load."""
    held = lost = 0
    inside = outside = 0.0
    for seed in range(count):
        C, f = feet(np.random.default_rng(seed))
        if np.linalg.matrix_rank(np.array(C)) < 3:
            continue
        exact = intervals(C, f)
        try:
            found = multiplier_bounds(np.array(C, float), np.array(f, float), unilateral=range(len(C)))
        except ReactioError:
            assert exact is None, seed
            lost += 1
            continue
        assert exact is not None, seed
        held += 1
        low, high = (np.array([float(one[k]) for one in exact]) for k in range(2))
        narrow = np.concatenate([found.low - low, high - found.high]) / f[0]
        inside, outside = max(inside, float(narrow.max())), max(outside, float(-narrow.min()))
    return held, lost, inside, outside


def many(rows: int) -> float:
    """Seconds for all intervals of a plate on so many feet."""
    rng = np.random.default_rng(0)
    C = np.column_stack([np.ones(rows), rng.uniform(-1, 1, (rows, 2))])
    f = C.T @ rng.uniform(0, 1, rows)
    begun = time.perf_counter()
    multiplier_bounds(C, f, unilateral=range(rows))
    return time.perf_counter() - begun


if __name__ == "__main__":
    held, lost, inside, outside = compared(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(f"{held} with a split, {lost} without; ends at most {inside:.1e} too narrow, {outside:.1e} too wide.")
    print(f"10,000 contact rows: {many(10_000):.1f} s")
