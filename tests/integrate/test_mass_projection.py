"""Kernels of the projections: their indices count from zero, and the reach of L leaves out zeros only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reactio
from reactio.integrate.projection.mass_projection import (
    COLUMN_END,
    ROW_FIRST,
    add_transposed,
    factor_rows,
    force_to_root,
    from_root,
    least_change,
    metric_plan,
    metric_work,
    to_root,
)
from reactio.kinematics.assemble import initial_state
from reactio.linear.sparse.gram import factorise
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

BENT = """
space: spatial
materials: {rubber: {E: 2e8, nu: 0.4, density: 1100}}
bodies:
  arm:
    flexible:
      beam: {from: [0, 0, 0], to: [1, 0, 0], section: {box: [0.03, 0.02]}}
      material: rubber
      modes: 4
      damping: 0.01
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}
"""


class FromZero(np.ndarray[Any, Any]):
    """An array that refuses indices below zero."""

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        for k in index if isinstance(index, tuple) else (index,):
            assert isinstance(k, slice) or k >= 0


def checking(value: Any) -> Any:
    """A named tuple whose arrays refuse indices below zero."""
    if isinstance(value, np.ndarray):
        return value.view(FromZero)
    return type(value)(*map(checking, value)) if isinstance(value, tuple) else value


def systems() -> dict[str, System]:
    names = ("double-four-bar", "bennett", "spatial-parallelogram")
    return {name: reactio.build(reactio.load(name)) for name in names} | {
        "flexible": reactio.build(reactio.parse_model(BENT))
    }


def displaced(system: System) -> State:
    """Another pose, open joints and all."""
    state = initial_state(system)
    return State(0.0, advance(system, state.q, np.sin(1.0 + np.arange(system.n))), state.v)


@pytest.mark.parametrize("name", systems())
def test_indices_of_the_projections_are_never_negative(name: str) -> None:
    system = systems()[name]
    eqs = equations(system, displaced(system))
    plan, work = checking(metric_plan(system)), checking(metric_work(metric_plan(system)))
    v = np.cos(np.arange(system.n)).view(FromZero)
    with np.errstate(all="ignore"):
        factor_rows.plain(plan, work, eqs.M.data.view(FromZero), eqs.C.data.view(FromZero))
        factorise.plain(plan.gram, work.gram, work.A, work.square, 1e-8)
        to_root.plain(plan, work, v)
        least_change.plain(plan, work, 1e-6)
        add_transposed.plain(plan, work, work.z)
        from_root.plain(plan, work, v)
        force_to_root.plain(plan, work, v)


@pytest.mark.parametrize("name", systems())
def test_the_reach_of_a_root_leaves_out_zeros_only(name: str) -> None:
    """L of its rows within reach is the Cholesky factor of M, at a pose at which the reach was not determined."""
    system = systems()[name]
    eqs = equations(system, displaced(system))
    plan = metric_plan(system)
    work = metric_work(plan)
    factor_rows.plain(plan, work, eqs.M.data, eqs.C.data)
    M = eqs.M.toarray()
    for first, at, width in plan.block.tolist():
        L = work.root[at : at + width * width].reshape(width, width).copy()
        np.fill_diagonal(L, 1.0 / L.diagonal())
        block = M[first : first + width, first : first + width]
        assert np.tril(L) @ np.tril(L).T == pytest.approx(block, abs=1e-12 * np.abs(block).max())
        for i, j in np.argwhere(np.tril(L) != 0.0):
            assert plan.reach[first + i, ROW_FIRST] <= j
            assert plan.reach[first + j, COLUMN_END] > i
