"""Blocks and the sparse path give the verdicts of the dense path, wherever both run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reactio.constraint_matrix import ConstraintMatrix
from reactio.constraint_matrix.blocks import group_blocks
from reactio.errors import ReactioError
from reactio.topology.biconnected import biconnected
from reactio.uniqueness import Solvability, engine, large, probe, solvability

from . import mechanisms
from . import mobile_robot as robot

CASES: dict[str, Callable[[], ConstraintMatrix]] = {
    "scissor": lambda: mechanisms.scissor(5, 4),
    "strip": lambda: mechanisms.scissor(40, 1),
    "cells": lambda: mechanisms.cells(12),
    "parallelograms": lambda: mechanisms.n_four_bar(15),
    "robot": robot.labelled,
    "four-bar": mechanisms.four_bar_in_space,
}


def judged(matrix: ConstraintMatrix, monkeypatch: pytest.MonkeyPatch, whole: int, dense: int) -> Solvability:
    monkeypatch.setattr(engine, "LARGEST_UNDIVIDED_SIDE", whole)
    monkeypatch.setattr(large, "LARGEST_DENSE_BLOCK", dense)
    return solvability(matrix)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dense", [10**6, 5], ids=["stacks", "probes"])
@pytest.mark.parametrize("graph", [True, False])
def test_same_verdicts(name: str, dense: int, graph: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = CASES[name]()
    if not graph:
        matrix = replace(matrix, rows=replace(matrix.rows, edges=None))
    whole = judged(matrix, monkeypatch, 10**6, dense)
    parts = judged(matrix, monkeypatch, 0, dense)
    assert parts.rank == whole.rank
    assert parts.confident == whole.confident
    for field in ("own", "determined", "low", "high", "multipliers_unique"):
        np.testing.assert_array_equal(getattr(parts.verdicts, field), getattr(whole.verdicts, field))
    for a, b in list(zip(parts, whole, strict=True))[::7]:
        assert a.shares_with == b.shares_with
        assert [c.unique for c in a.components] == [c.unique for c in b.components]
        # The same span of free directions, up to the rounding of two different factors.
        np.testing.assert_allclose(a.free @ a.free.T, b.free @ b.free.T, atol=1e-9)


@pytest.mark.parametrize("dense", [10**6, 0], ids=["stacks", "probes"])
def test_random_mechanisms(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees, bridges, doubled joints, knife edges, three-body couplings: same rank and same counts."""
    rng = np.random.default_rng(7)
    redundant = 0
    for _ in range(150):
        matrix = mechanisms.random_planar(rng)
        whole = judged(matrix, monkeypatch, 10**6, dense)
        parts = judged(matrix, monkeypatch, 0, dense)
        assert parts.rank == whole.rank
        np.testing.assert_array_equal(parts.verdicts.determined, whole.verdicts.determined)
        np.testing.assert_array_equal(parts.verdicts.own, whole.verdicts.own)
        assert whole.confident
        assert parts.confident
        redundant += whole.redundancy > 0
    assert 30 < redundant < 150  # both kinds occur


def test_near_redundancy_is_ambiguous_on_every_path(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = mechanisms.cells(4)
    dense = matrix.C.toarray()
    dense[-1, 44] += 1e-9  # the last crank leans by 1e-9 of its length, so its axial force is no longer free
    near = replace(matrix, C=dense)
    for whole, limit in ((10**6, 10**6), (0, 10**6), (0, 5)):
        answer = judged(near, monkeypatch, whole, limit)
        assert not answer.confident
        assert answer.verdicts.ambiguous[-6:].any()


def test_null_space_from_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = mechanisms.cells(12)
    answer = judged(matrix, monkeypatch, 0, 10**6)
    assert answer.N.shape == (144, 12)
    assert np.abs(matrix.C.T @ answer.N).max() < 1e-12  # rounding of entries near 1
    assert len(answer.self_stress) == 12
    assert all(len(s.groups) == 6 for s in answer.self_stress)  # one cell each
    assert answer.functional("J0.row 1 + J2.row 5").unique is False


def test_a_large_null_space_is_asked_for_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = mechanisms.scissor(6, 6)
    answer = judged(matrix, monkeypatch, 0, 5)
    monkeypatch.setattr(probe, "LARGEST_WRITTEN_BASIS", 5)
    with pytest.raises(ReactioError, match="too large"):
        _ = answer.self_stress
    monkeypatch.undo()
    assert np.abs(matrix.C.T @ answer.N).max() < 1e-12  # rounding of entries near 1
    W = np.random.default_rng(0).standard_normal((answer.m, 3))
    P = answer.evidence.project(W)
    assert np.abs(answer.evidence.scaled.C.T @ P).max() < 1e-12  # unit rows, one digit per decade of the condition
    np.testing.assert_allclose(answer.evidence.project(P), P, atol=1e-12)


def test_biconnected_components() -> None:
    """A triangle, a bridge, and a pair of parallel edges."""
    u, v = np.array([0, 1, 2, 2, 3, 3]), np.array([1, 2, 0, 3, 4, 4])
    label = biconnected(5, u, v)
    assert len({*label[:3]}) == 1
    assert label[4] == label[5]
    assert len(set(label.tolist())) == 3


def test_blocks_respect_ground_couplings_and_bodies_without_twist() -> None:
    matrix = mechanisms.cells(3)
    assert len(set(group_blocks(matrix).tolist())) == 3
    edges = matrix.rows.edges
    assert edges is not None
    for bodies, blocks in (((0, 4, 8), 2), ((0, 4, 8, -1), 1)):  # a ring through three cells, without and with ground
        coupled = replace(matrix, rows=replace(matrix.rows, edges=(bodies, *edges[1:])))
        assert len(set(group_blocks(coupled).tolist())) == blocks
    units = ("m/s",) * matrix.shape[1]
    natural = replace(matrix, columns=replace(matrix.columns, units=units))
    assert len(set(group_blocks(natural).tolist())) == 1
    bad = replace(matrix, rows=replace(matrix.rows, edges=((99, 0), *edges[1:])))
    with pytest.raises(ReactioError, match="outside"):
        group_blocks(bad)


def test_methods_that_are_dense_say_so() -> None:
    with pytest.raises(ReactioError, match="method='nullspace'"):
        solvability(mechanisms.cells(300), method="qr")
