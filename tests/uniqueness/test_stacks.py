"""Matrices judged side by side have the answers that each has alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.arrays import Floats
from reactio.constraint_matrix import ConstraintMatrix
from reactio.linear.nullspace import Factor, by_svd
from reactio.linear.scaling import equilibrate, equilibrate_fully
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State
from reactio.uniqueness import Solvability, engine, solvabilities, solvability

SMALL_DISPLACEMENT = 0.1  # [characteristic lengths, rad]: other poses of the same mechanism, closed or not


def matrices_of(name: str, count: int = 5) -> list[ConstraintMatrix]:
    """C of a library mechanism at its start and at displaced poses."""
    system, random = reactio.build(reactio.load(name)), np.random.default_rng(7)
    start = reactio.assemble(system)
    steps = [SMALL_DISPLACEMENT * system.column_scale * random.uniform(-1, 1, system.n) for _ in range(count - 1)]
    poses = [start.q, *(advance(system, start.q, step) for step in steps)]
    return [equations(system, State(start.t, q, start.v)).constraints for q in poses]


def assert_same(one: Solvability, other: Solvability) -> None:
    """The same ranks and verdicts, and the numbers behind them up to rounding of one decomposition."""
    assert one.rank == other.rank
    assert one.decision.alternatives == other.decision.alternatives
    for key in ("own", "determined", "low", "high", "multipliers_unique"):
        np.testing.assert_array_equal(getattr(one.verdicts, key), getattr(other.verdicts, key))
    np.testing.assert_allclose(one.decision.sigma, other.decision.sigma, atol=1e-13)
    assert one.notes == other.notes


@pytest.mark.parametrize("name", library.names())
def test_side_by_side_as_alone(name: str) -> None:
    matrices = matrices_of(name)
    for matrix, answer in zip(matrices, solvabilities(matrices), strict=True):
        assert_same(answer, solvability(matrix))
        assert answer.matrix is matrix or answer.matrix.shape == matrix.shape


def test_small_matrices_are_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """One decomposition for all instants, also where memory allows for two at a time only."""
    calls = list[tuple[int, ...]]()
    decomposed = by_svd

    def counted(C: Floats) -> Factor:
        calls.append(C.shape)
        return decomposed(C)

    monkeypatch.setattr(engine, "by_svd", counted)
    matrices = matrices_of("double-four-bar")
    solvabilities(matrices)
    assert calls == [(5, 14, 15)]
    calls.clear()
    monkeypatch.setattr(engine, "MOST_SCALING_ENTRIES", 2 * 29 * 29)
    solvabilities(matrices)
    assert calls == [(2, 14, 15), (2, 14, 15), (1, 14, 15)]


def test_one_graded_matrix_among_others() -> None:
    """A matrix that two scalings must judge is judged so in a stack too, and changes nothing for its neighbours."""
    matrices = matrices_of("double-four-bar")
    C = matrices[2].C.copy()
    C[:4] *= 1e-6
    C[:, :3] *= 1e6
    among = [*matrices[:2], replace(matrices[2], C=C), *matrices[3:]]
    for matrix, answer in zip(among, solvabilities(among), strict=True):
        assert_same(answer, solvability(matrix))


def test_matrices_of_two_models_are_judged_one_by_one() -> None:
    among = [*matrices_of("double-four-bar", 2), *matrices_of("n-four-bar", 2)]
    for matrix, answer in zip(among, solvabilities(among), strict=True):
        assert_same(answer, solvability(matrix))


@pytest.mark.parametrize("extreme", [1.0, 1e-200, 1e120])
@pytest.mark.parametrize("arm", [0.1, 1e3], ids=["near", "far"])
def test_scales_of_a_stack_are_those_of_its_matrices(extreme: float, arm: float) -> None:
    """Also where a matrix has rows beyond squares of doubles, or reference points far from its rows."""
    random = np.random.default_rng(3)
    C = random.normal(size=(4, 7, 6)) * (random.uniform(size=(4, 7, 6)) < 0.6)
    angular, twists = np.array([False, False, True] * 2), np.arange(6).reshape(2, 3)
    C[1, :, 2] += arm * C[1, :, 1]  # the moment of a force at a distance
    C[2, 3] *= extreme
    found = equilibrate(C, angular, 1.0, twists)
    full = equilibrate_fully(found.C)
    for k in range(4):
        alone = equilibrate(C[k], angular, 1.0, twists)
        np.testing.assert_allclose(found[k].C, alone.C, rtol=1e-12, atol=1e-15)  # sums in another order
        ratio = found[k].Dr / alone.Dr
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-12)  # all rows may have a factor in common
        np.testing.assert_allclose(full.C[k], equilibrate_fully(alone.C).C, rtol=1e-12, atol=1e-15)
