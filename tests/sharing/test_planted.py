"""Sharing rules on random integer matrices with planted dependence: what is decided is the same under every rule."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reactio.constraint_matrix import from_array
from reactio.sharing import RULES, problem, share


@st.composite
def tasks(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """C (m, n) whose last rows are combinations of the first, f in its row space, M positive definite."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, r, p = draw(st.integers(2, 7)), draw(st.integers(1, 5)), draw(st.integers(0, 3))
    first = random.integers(-2, 3, (min(r, n), n)).astype(float)
    C = np.vstack([first, random.integers(-1, 2, (p, len(first))) @ first])[random.permutation(len(first) + p)]
    f = C.T @ random.integers(-3, 4, len(C))
    root = random.standard_normal((n, n))
    return C, f, root @ root.T + np.eye(n)


@settings(max_examples=60, deadline=None)
@given(tasks())
def test_decided_functionals_do_not_depend_on_the_rule(task: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """All λ balance, and they differ by self-stresses only."""
    C, f, M = task
    assume(np.abs(C).sum(axis=1).all())
    here = problem(from_array(C), f, M)
    # A bare matrix does not say which bodies its rows join, so no tree can be cut.
    found = {rule: share(here, rule) for rule in RULES if rule != "cut" and not RULES.get(rule).elastic}
    N, size = here.answer.N, 1 + max(np.abs(lam).max() for lam in found.values())
    for rule, lam in found.items():
        # Small integers and M of condition up to 1e3: rounding stays below 1e-10.
        assert np.abs(C.T @ lam - f).max() <= 1e-10 * size, rule
        apart = lam - found["pseudoinverse"]
        assert np.abs(apart - N @ (N.T @ apart)).max() <= 1e-9 * size, rule


@settings(max_examples=60, deadline=None)
@given(tasks())
def test_elimination_drops_as_many_rows_as_are_redundant(task: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    C, f, M = task
    assume(np.abs(C).sum(axis=1).all())
    here = problem(from_array(C), f, M)
    lam = share(here, "elimination")
    assert (lam == 0.0).sum() >= len(C) - np.linalg.matrix_rank(C)
