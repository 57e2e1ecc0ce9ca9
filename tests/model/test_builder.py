"""Models built step by step in Python are those of the same YAML text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ReactioError

TEXT = """
space: planar
name: crank
gravity: [0, -9.81]
parameters: {r: 0.2}
bodies:
  crank: {mass: 1, inertia: 0.01, position: [r/2, 0]}
  rod: {mass: 2, inertia: 0.1, position: [0.5, 0]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}
  B: {type: revolute, bodies: [crank, rod], at: [r, 0], stiffness: [1e8, .inf, 0]}
drives:
  motor: {joint: A, function: 2*pi*t}
forces:
  push: {type: force, at: {body: rod, point: [0, 0]}, force: [0, -10*t]}
"""


def crank() -> ro.Model:
    return (
        ro.Model.new("crank", "planar", gravity=[0, -9.81], parameters={"r": 0.2})
        .body("crank", mass=1, inertia=0.01, position=["r/2", 0])
        .body("rod", mass=np.float64(2), inertia=0.1, position=np.array([0.5, 0]))
        .joint("A", "revolute", bodies=["ground", "crank"], at=(0, 0))
        .joint("B", "revolute", bodies=["crank", "rod"], at=["r", 0], stiffness=[1e8, np.inf, 0])
        .drive("motor", "A", "2*pi*t")
        .force("push", "force", at={"body": "rod", "point": [0, 0]}, force=[0, "-10*t"])
    )


def test_the_steps_give_the_model_of_the_text_and_the_file(tmp_path: Path) -> None:
    model = crank()
    assert model == ro.parse_model(TEXT)
    ro.save(model, tmp_path / "crank.yaml")
    assert ro.load(tmp_path / "crank.yaml") == model


def test_a_step_leaves_the_model_it_starts_from_as_it_is() -> None:
    model = crank()
    longer = model.body("slider", mass=1, inertia=1, position=[1, 0])
    assert "slider" not in model.body_index
    assert longer.body("slider").mass == 1.0


def test_a_replaced_joint_keeps_the_fields_that_are_not_given() -> None:
    model = crank()
    fixed = model.replace_joint("B", type="fixed").joint("B")
    assert (fixed.type, fixed.a, fixed.elastic) == ("fixed", model.joint("B").a, model.joint("B").elastic)
    assert not model.replace_joint("B", stiffness=None).joint("B").elastic.stiffness
    moved = model.replace_joint("B", bodies=["crank", "rod"], at=[0.3, 0]).joint("B")
    assert moved.b.point == pytest.approx((-0.2, 0.0))
    rod = model.joint("C", "distance", a={"body": "ground"}, b={"body": "rod"}, length=0.5)
    assert rod.replace_joint("C", type="revolute", bodies=["ground", "rod"], at=[0.5, 0]).joint("C").type == "revolute"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda m: m.body("x", mas=2), "Did you mean 'mass'"),
        (lambda m: m.body("rod", mass=2, inertia=1), "used twice"),
        (lambda m: m.joint("C", "revolut", bodies=["ground", "rod"], at=[0, 0]), "Did you mean 'revolute'"),
        (lambda m: m.joint("C", "revolute", a="rodd", b="ground"), "Did you mean 'rod'"),
        (lambda m: m.body("rodd"), "There is no body 'rodd'. Did you mean 'rod'"),
        (lambda m: m.joint("Q"), "There is no joint 'Q'"),
        (lambda m: m.replace_joint("Q", type="fixed"), "There is no joint 'Q'"),
        (lambda m: m.body("x", mass=object()), "a number, a text, a list or a mapping, not object"),
        (lambda m: ro.Model.new(gravity=-9.81), "gravity"),  # type: ignore[arg-type]
        (lambda m: ro.Model.new("x", "flat"), "planar or spatial"),
    ],
)
def test_mistakes_are_named(step: object, message: str) -> None:
    with pytest.raises(ReactioError, match=message):
        step(crank())  # type: ignore[operator]
