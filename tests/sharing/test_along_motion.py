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
# A bent and heated rod on a hub, pushed across itself and pulled by a spring to ground.
SPUN = {
    "planar": """
space: planar
gravity: [0, -9.81]
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  hub: {mass: 10, inertia: 1, position: [0, 0], angular_velocity: 60}
  rod:
    position: [0.2, 0]
    velocity: [0, 12]
    angular_velocity: 60
    points: {a: [0, 0], b: [1, 0]}
    flexible: {beam: {from: a, to: b, section: {box: [0.01, 0.01]}}, material: steel}
    temperature: 20
    expansion: 1.2e-5
joints:
  axle: {type: revolute, bodies: [ground, hub], at: [0, 0]}
  inner: {type: revolute, bodies: [hub, rod], at: [0.2, 0]}
  outer: {type: revolute, bodies: [hub, rod], at: [1.2, 0], misfit: {x: 1e-4}}
forces:
  push: {type: force, at: rod.b, force: [3, 40], axes: body}
  pull: {type: spring, a: {body: ground, point: [3, 0]}, b: rod.b, stiffness: 200, length: 1}
""",
    "spatial": """
space: spatial
gravity: [0, 0, -9.81]
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  hub: {mass: 10, inertia: [1, 1, 1], angular_velocity: [0, 0, 30]}
  blade:
    angular_velocity: [0, 0, 30]
    points: {left: [-0.5, 0, 0], right: [0.5, 0, 0]}
    flexible: {beam: {from: left, to: right, section: {box: [0.01, 0.1]}}, material: steel}
    temperature: 20
    expansion: 1.2e-5
joints:
  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  left: {type: fixed, bodies: [hub, blade], at: [-0.5, 0, 0]}
  right: {type: fixed, bodies: [hub, blade], at: [0.5, 0, 0]}
forces:
  push: {type: force, at: blade.right, force: [3, 40, -7], axes: body}
  pull: {type: spring, a: {body: ground, point: [3, 0, 1]}, b: blade.right, stiffness: 200, length: 1}
""",
}


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


def models() -> dict[str, Model]:
    """Models with and without play, with joints and with bodies that give way."""
    return {
        "planar play": lattice(2e-5),
        "spatial play": row_of_hinges(0),
        "joints": lattice(0.0),
        "links": ro.load("spatial-parallelogram", links="beam", k1=1.0, k2=2.0, k3=0.5, k4=3.0),
        **{f"{space} rod": ro.parse_model(text) for space, text in SPUN.items()},
    }


@pytest.mark.parametrize("model", models().values(), ids=models())
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


def test_instants_with_undecided_self_stresses_are_solved_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single elastic joint decides one self-stress of four."""
    model = lattice(0.0)
    joints = tuple(joint if k == 0 else replace(joint, elastic=Elastic()) for k, joint in enumerate(model.joints))
    run = ro.simulate(replace(model, joints=joints), until=0.02, output=3, rule="compliance")
    left = counted(monkeypatch)
    assert len(run.reactions_at_rows(range(3))) == 3
    assert left == [3]


def test_a_part_may_touch_without_a_force() -> None:
    """Hinges at rest on the edge of their clearance, whose place the others share, bear nothing."""
    found = ro.reactions(row_of_hinges(4), "compliance")
    assert np.isfinite(found.balanced).all()
