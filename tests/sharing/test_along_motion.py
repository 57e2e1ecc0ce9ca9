"""Splits with play at many instants of a motion, side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import reactio as ro
from reactio.joint_reactions.solve import solve_reactions
from reactio.model.model import Model
from reactio.model.specs import Elastic
from reactio.sharing import along_motion
from reactio.simulation.in_run import judge_in_run

RADIAL, TILT = 2e-5, 2e-5


def lattice(play: float) -> Model:
    """A planar lattice of thirteen joints, each with its own stiffness and misfit."""
    model, rng = ro.load("scissor-lattice", rows=2, columns=2), np.random.default_rng(3)
    joints = []
    for joint in model.joints:
        k, off = 10 ** rng.uniform(7, 8), rng.normal(0, 3e-5)
        pinned = joint.type == "revolute"
        misfit, gap = ({"x": off}, {"radial": play}) if pinned and play else ({}, {})
        joints.append(replace(joint, elastic=Elastic(stiffness=(k, k, 0.0), misfit=misfit, play=gap)))
    return replace(model, joints=tuple(joints))


def row_of_hinges(seed: int) -> Model:
    """Three spatial four-bars in a row, whose hinges have clearance and misfits across it."""
    rng = np.random.default_rng(seed)
    model = ro.load("n-four-bar", N=3, spatial=1, omega=-3.0, theta=float(rng.uniform(0.5, 2.5)))
    joints = []
    for joint in model.joints:
        misfit = {name: round(float(rng.normal(0, 2e-5)), 6) for name in ("z", "about_x")}
        stiff = (1e7, 1e7, 1e7, 1e5, 1e5, 1e5)
        play = {"radial": RADIAL, "tilt": TILT}
        joints.append(replace(joint, elastic=Elastic(stiffness=stiff, misfit=misfit, play=play)))
    return replace(model, joints=tuple(joints))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many instants each stack left to be solved alone."""
    left: list[int] = []
    real = along_motion.splits_along

    def splits(*given: Any) -> list[Any]:
        found = real(*given)
        left.append(sum(one is None for one in found))
        return found

    monkeypatch.setattr(along_motion, "splits_along", splits)
    return left


@pytest.mark.parametrize("model", [lattice(2e-5), row_of_hinges(0)], ids=["planar", "spatial"])
def test_instants_side_by_side_are_split_as_each_alone(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    run, left = ro.simulate(model, until=0.05, output=12, rule="compliance"), counted(monkeypatch)
    rows = range(len(run.t))
    found = run.reactions_at_rows(rows)
    assert left
    assert sum(left) == 0
    judged = judge_in_run(run, [run.state(k) for k in rows], list(run.vdot))
    for one, here in zip(found, judged, strict=True):
        alone = solve_reactions(here.eqs, here.answer, None, "compliance")
        size = np.abs(alone.balanced).max()
        assert one.balanced == pytest.approx(alone.balanced, abs=1e-9 * size)
        assert [one[name].bears for name in one] == [alone[name].bears for name in alone]


def test_without_play_instants_are_solved_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    run, left = ro.simulate(lattice(0.0), until=0.02, output=3, rule="compliance"), counted(monkeypatch)
    assert np.isfinite(run.reactions_at_rows(range(3))[2].balanced).all()
    assert left == [3]


def test_a_part_may_touch_without_a_force() -> None:
    """Hinges at rest on the edge of their clearance, whose place the others share, bear nothing."""
    found = ro.reactions(row_of_hinges(4), "compliance")
    assert np.isfinite(found.balanced).all()
