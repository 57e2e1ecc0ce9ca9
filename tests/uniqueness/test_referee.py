"""Random matrices against exact rational arithmetic: no false "unique", ever."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reactio.linear.spans import Spans
from reactio.uniqueness import Tolerances, Verdict, solvability
from reactio.uniqueness.deciders import DECIDERS, outside_ranks

flint = pytest.importorskip("flint")
Ints = NDArray[np.int64]


def exact_rank(C: Any) -> int:
    return int(flint.fmpz_mat(C.tolist()).rank()) if len(C) else 0


def random_case(rng: np.random.Generator) -> tuple[Ints, dict[str, Ints]]:
    """An integer matrix with planted dependences, sparse or full, and a random partition of its rows."""
    m, n = int(rng.integers(1, 12)), int(rng.integers(1, 12))
    size = int(rng.integers(1, 5))
    C = rng.integers(-size, size + 1, (m, n)) * (rng.random((m, n)) < rng.uniform(0.3, 1.0))
    for _ in range(int(rng.integers(0, m))):
        i, j, k = rng.integers(0, m, 3)
        C[i] = rng.integers(-2, 3) * C[j] + rng.integers(-2, 3) * C[k]
    C = C[C.any(axis=1)]
    if not len(C):
        C = np.ones((1, n), dtype=np.int64)
    inner = np.arange(1, len(C))
    parts = np.split(rng.permutation(len(C)), np.sort(rng.permutation(inner)[: int(rng.integers(0, len(C)))]))
    return C, {f"G{k}": part for k, part in enumerate(parts)}


def test_thousands_of_integer_matrices() -> None:
    rng = np.random.default_rng(1)
    ambiguous = 0
    for _ in range(3000):
        C, groups = random_case(rng)
        answer = solvability(C, groups)
        r = exact_rank(C)
        assert answer.rank == r or not answer.decision.confident
        for name, rows in groups.items():
            verdict = answer[name]
            determined = r - exact_rank(np.delete(C, rows, axis=0))
            if verdict.verdict is Verdict.AMBIGUOUS:
                ambiguous += 1
                continue
            assert (verdict.determined, verdict.rank) == (determined, exact_rank(C[rows])), (C, groups)
            assert verdict.multipliers_unique == (determined == len(rows))
    assert ambiguous == 0  # integers up to 100 leave no grey values


def test_exchange_of_rows_counts_the_rank_outside_each_group() -> None:
    """The second criterion, spans in one padded stack or in one stack for each size."""
    rng = np.random.default_rng(6)
    stacks = set()
    for _ in range(500):
        C, groups = random_case(rng)
        order = np.concatenate(list(groups.values()))
        spans = Spans(np.concatenate([[0], np.cumsum([len(rows) for rows in groups.values()])]))
        found = outside_ranks(C[order].astype(float), spans, Tolerances())
        assert found.tolist() == [exact_rank(np.delete(C, rows, axis=0)) for rows in groups.values()]
        stacks.add((len(spans.stacks), spans.stacks[0].full))
    assert stacks >= {(1, True), (1, False), (2, True), (3, True)}


@pytest.mark.parametrize("method", DECIDERS)
def test_methods_agree(method: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        C, groups = random_case(rng)
        answer, default = solvability(C, groups, method=method), solvability(C, groups)
        assert [(g.verdict, g.determined) for g in answer] == [(g.verdict, g.determined) for g in default]


def test_exact_opinion_is_the_referee_itself() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        C, groups = random_case(rng)
        answer = solvability(C / 7.0, groups, exact=True)
        assert answer.exact is not None
        assert answer.exact.agrees
        assert answer.exact.rank == exact_rank(C)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_functionals_against_planted_null_spaces(seed: int) -> None:
    """P = A C Cᵀ-images are unique by construction; a functional with a part in null(Cᵀ) is not."""
    rng = np.random.default_rng(seed)
    m, n, r = 9, 8, int(rng.integers(1, 7))
    C = rng.standard_normal((m, r)) @ rng.standard_normal((r, n))
    answer = solvability(C)
    assert answer.rank == r
    image = (C @ rng.standard_normal(n))[None]
    assert answer.functional(image).unique
    null = answer.N @ rng.standard_normal(m - r)
    assert answer.functional(image + null).unique is False
    assert np.abs(C.T @ answer.N).max() < 1e-12 * np.abs(C).max() * m  # orthonormal N: rounding only
    assert np.abs(C @ answer.T).max() < 1e-11 * np.abs(C).max() * n


def test_large_numbers_are_never_falsely_unique() -> None:
    """Entries spread over twelve decades: anything but a wrong 'unique' is allowed."""
    rng = np.random.default_rng(4)
    for _ in range(500):
        C, groups = random_case(rng)
        C = C * 10 ** rng.integers(0, 7, C.shape[1])
        C = C * 10 ** rng.integers(0, 7, (len(C), 1))
        answer, r = solvability(C, groups), exact_rank(C)
        for name, rows in groups.items():
            if answer[name].verdict is Verdict.UNIQUE:
                assert r - exact_rank(np.delete(C, rows, axis=0)) == exact_rank(C[rows])
