"""The clearance of a pose: the distance from the next singular configuration, from the pivots of its factors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reactio
from reactio.integrate.integrator import prepare_integrator
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.projection.clearance import (
    CLEAR,
    CLOSE,
    KEPT_PART,
    NEARBY,
    clearance,
    enters,
    small_pivots,
)
from reactio.integrate.status import Status
from reactio.linear.sparse.gram import GramWork

from .test_termination import FLATTENED

NONE = np.zeros(0)


def factors(pivots: np.ndarray) -> GramWork:
    return GramWork(NONE, NONE, 1.0 / pivots, NONE, NONE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([1e-11, 1e-8, 4e-7, 3e-5, 2e-3, 0.1, 1.0]), max_size=12), st.integers(0, 6))
def test_the_next_pivot_after_those_of_redundant_rows(pivots: list[float], redundant: int) -> None:
    """Whatever the order, and also where pivots are equal."""
    roots = np.sqrt(sorted(pivots))
    found = clearance(factors(np.array(pivots)), redundant)
    expected = min(roots[redundant], CLEAR) if redundant < len(roots) else CLEAR
    assert found == pytest.approx(expected, rel=1e-14)
    assert small_pivots(factors(np.array(pivots))) == (roots < CLEAR).sum()


def test_what_is_clear_has_exactly_the_largest_clearance() -> None:
    """So that a start of a step that is clear counts as one, and its end may not come NEARBY."""
    assert clearance(factors(np.array([1.0, 1e-11])), 1) == CLEAR
    assert enters(0.9 * NEARBY, CLEAR, NEARBY)


@pytest.mark.parametrize("bound", [CLOSE, NEARBY])
def test_a_distance_that_is_kept_is_not_entered(bound: float) -> None:
    assert enters(0.9 * bound, 1.01 * bound / KEPT_PART, bound)
    assert not enters(0.9 * bound, 0.99 * bound / KEPT_PART, bound)
    assert not enters(1.1 * bound, CLEAR, bound)


def test_it_grows_with_the_angle_from_a_flat_pose() -> None:
    """Of a parallelogram, θ = e^(−5t): in proportion, by a factor that depends on its masses."""
    system = reactio.build(reactio.parse_model(FLATTENED))
    integrator, begun = prepare_integrator(system, reactio.assemble(system), IntegrationOptions(), 2.0)
    ratios = []
    for angle in (4e-4, 1e-3, 3e-3, 6e-3):
        there = reactio.assemble(system, reactio.State(-np.log(angle) / 5, begun.q, begun.v))
        ratios.append(integrator.project_state(begun, there.t, there.q, there.v).clearance / angle)
    assert ratios == pytest.approx([ratios[0]] * 4, rel=1e-2)  # next order: the angle itself
    assert 0.3 < ratios[0] < 3.0


@pytest.mark.parametrize("name", ["sarrus", "five-leg-parallelogram", "scissor-lattice"])
def test_implicit_steps_pass_poses_in_which_they_become_short(name: str) -> None:
    """As explicit ones do, at a tolerance for which implicit steps cannot reach across."""
    model = reactio.load(name)
    found = reactio.simulate(model, until=0.7, tol=1e-9, method="radau5", output=[0.7])
    assert found.status is Status.DONE
    exact = reactio.simulate(model, until=0.7, tol=1e-11, output=[0.7])
    assert found.q == pytest.approx(exact.q, abs=1e-8)  # 1e-9 a step, and some hundred steps
