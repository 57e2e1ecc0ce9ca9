"""Forces in gaps of many similar problems side by side."""

from __future__ import annotations

import numpy as np
import pytest

from reactio.linear.convex.gap_sets import VIOLATION, GapSets
from reactio.linear.convex.gap_stacks import GapStack, times


@pytest.mark.parametrize("seed", range(6))
def test_problems_side_by_side_are_solved_as_each_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, ball = 30, np.array([0, 0, 1, 1, 1, -1, -1, 2, 2])
    first, last = rng.normal(size=(2, len(ball), 4)), rng.normal(size=(2, len(ball)))
    t = np.linspace(0.0, 1.0, count)[:, None]
    B = first[0] + t[..., None] * 0.3 * first[1]
    basis = np.linalg.qr(rng.normal(size=(count, 4, 4)))[0]  # every instant has self-stresses in axes of its own
    B, w0 = B @ basis, last[0] + t * last[1]
    ends = np.where(ball < 0, 0.2, np.inf) + 0.0 * t
    sets = GapSets(-ends, ends, ball, np.full((count, 3), 0.4))
    stack = GapStack(B, w0, np.ones_like(w0), sets)
    u, violation, solved = stack.solve()
    assert solved.all()
    assert violation.max() <= VIOLATION
    alone = np.array([stack.problem(k).solve().w for k in range(count)])
    assert w0 + times(B, u) == pytest.approx(alone, abs=1e-9)
