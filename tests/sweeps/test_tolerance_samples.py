"""Sampled error bars beside the linear answer."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace

import pytest
from tests.sharing.test_gaps import PALLET

import reactio
from reactio.model.files.read import parse_model
from reactio.sweeps.case import Question
from reactio.sweeps.sources import FromFunction
from reactio.sweeps.task import SweepTask, packed
from reactio.sweeps.tolerance_samples import DeviatingModel, sampled_error_bars


def test_samples_and_the_linear_answer_agree() -> None:
    door = reactio.load("door", hinges=2, bushings=1)
    door = replace(door, bodies=(replace(door.bodies[0], expansion=2e-5),))
    bars = reactio.error_bars(door, {"hinge2.z": 1e-4, "hinge1.x": 1e-4, "door.length": 1e-4, "door.temperature": 5.0})
    found = sampled_error_bars(bars, 12, processes=0)
    assert found.samples == 12
    assert found.disagreement < 1e-3  # of second order in misfits of 0.1 mm on a door of 2 m
    one = found["hinge1.Fz"]
    assert one.sigma == pytest.approx(one.sigma_linear, rel=0.5)  # 12 samples: 15 % at one sigma
    assert one.largest <= one.worst * (1 + 1e-3)


def test_deviations_are_added_to_what_the_model_has() -> None:
    door = reactio.load("door", hinges=2, bushings=1, misfit=1e-3)
    made = DeviatingModel(door)(**{"hinge2.z": 1e-4, "hinge1.about_x": 2e-4})
    assert made.joint("hinge2").elastic.misfit["z"] == pytest.approx(1.1e-3)
    assert made.joint("hinge1").elastic.misfit["about_x"] == 2e-4


def test_sampled_machines_go_to_other_processes_on_the_plain_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A called object of a class that can be imported needs pickle only."""
    monkeypatch.setitem(sys.modules, "cloudpickle", None)  # as where the extra is not installed
    door = reactio.load("door", hinges=2, bushings=1)
    task = SweepTask(FromFunction(DeviatingModel(door)), (), Question(), timed=False, work=0.0)
    there = pickle.loads(packed(task))
    assert there.case({"hinge2.z": 1e-4}).model.joint("hinge2").elastic.misfit["z"] == 1e-4


BARS = """
space: planar
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: translational, a: ground, b: plate}
  one: {type: distance, a: {body: ground, point: [-1, 0]}, b: plate, stiffness: 1e6}
  two: {type: cable, a: {body: ground, point: [-1, 0]}, b: plate, stiffness: 1e6, length: 1 + 1e-4}
forces: {pull: {type: force, at: plate, force: [1000, 0]}}
"""


@pytest.mark.parametrize(
    ("text", "tolerance", "name", "nominal", "share"),
    [
        (PALLET, "c.y", "c.Fy", 800 / 3, 2 / 3),  # (F − 2 k g)/3, and − 2 k δ/3
        (BARS, "two.along", "two.N", 450.0, 0.5),  # (F − k g)/2, and − k δ/2
    ],
)
def test_parts_that_are_open_without_a_load_are_sampled(
    text: str, tolerance: str, name: str, nominal: float, share: float
) -> None:
    bars = reactio.error_bars(parse_model(text), {tolerance: 2e-5})
    assert bars[name].nominal == pytest.approx(nominal, rel=1e-9)
    found = sampled_error_bars(bars, 8, processes=0)
    assert (found.samples, found.failed) == (8, 0)
    assert found[name].worst == pytest.approx(share * 20.0, rel=1e-9)
    assert found[name].sigma > 0.0
    assert found.disagreement < 1e-3
