"""Joint coordinates can be read, held, and a drive that does not fit says what would."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.simulation.read_run import load_run
from reactio.system.joint_coordinates import joint_coordinates

ARM = """
space: {space}
gravity: {gravity}
bodies:
  arm: {{mass: 2, inertia: {inertia}{pose}}}
joints:
  A: {{type: revolute, a: {{body: ground, point: {origin}{axis}}}, b: {{body: arm, point: {origin}{axis}}}}}
{more}
"""
PLANAR = {"space": "planar", "gravity": "[0, -9.81]", "inertia": "0.1", "origin": "[0, 0]"}
PLANAR |= {"axis": ", angle: 0", "pose": ", angle: -0.5"}
HALF = math.sin(-0.25)
SPATIAL = {"space": "spatial", "gravity": "[0, 0, -9.81]", "inertia": "[0.1, 0.1, 0.1]", "origin": "[0, 0, 0]"}
SPATIAL |= {"axis": "", "pose": f", orientation: [{math.cos(0.25)!r}, 0, 0, {HALF!r}]"}


def arm(case: dict[str, str], more: str = "") -> reactio.Model:
    text = ARM.format(**case, more=more)
    if case["space"] == "spatial":  # frames in the axes of the bodies, not of the world
        text = text.replace("point: [0, 0, 0]}", "point: [0, 0, 0], orientation: [1, 0, 0, 0]}")
    return reactio.parse_model(text)


@pytest.mark.parametrize("case", [PLANAR, SPATIAL], ids=["planar", "spatial"])
def test_angles_are_read_with_their_sign(case: dict[str, str]) -> None:
    (angle,) = joint_coordinates(reactio.build(arm(case)))
    assert (angle.unit, angle.rate) == ("rad", 0.0)
    assert angle.value == pytest.approx(-0.5, abs=1e-12)


@pytest.mark.parametrize("case", [PLANAR, SPATIAL], ids=["planar", "spatial"])
@pytest.mark.parametrize("more", ["drives: {motor: {joint: A, function: hold}}", "hold: [A]"])
def test_a_held_joint_keeps_the_pose_of_the_file(case: dict[str, str], more: str) -> None:
    model = arm(case, more)
    assert reactio.parse_model(to_yaml(model), name=model.name) == model
    answer = reactio.check(model)
    assert answer.mobility == 0
    run = reactio.simulate(model, 0.2, output=3)
    name = next(iter(joint_coordinates(run.system))).name
    assert run.coordinate(name).value == pytest.approx(np.full(len(run.t), -0.5), abs=1e-9)
    assert run.coordinate(name).rate == pytest.approx(np.zeros(len(run.t)), abs=1e-9)


def test_a_drive_that_does_not_fit_says_the_value_that_would() -> None:
    with pytest.raises(ReactioError) as error:
        reactio.check(arm(PLANAR, "drives: {motor: {joint: A, function: 0.5 + t}}"))
    assert "drive 'motor' starts at 0.5 rad, and A is at -0.5 rad (-28.6478897565°)" in str(error.value)
    assert "`function: hold`" in str(error.value)


@pytest.mark.parametrize(
    ("more", "words"),
    [("hold: [B]", "there is no joint 'B'"), ("hold: [A.stroke]", "no coordinate 'stroke' to hold; it has rotation")],
)
def test_what_cannot_be_held_is_refused(more: str, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        arm(PLANAR, more)


def test_runs_have_them_as_columns_and_count_full_turns(tmp_path: Path) -> None:
    model = reactio.parse_model(ARM.format(**PLANAR, more="").replace("angle: -0.5", "angle: 0, angular_velocity: 40"))
    run = reactio.simulate(model, 0.5, output=40)
    angle = run.coordinate("A.rotation")
    assert angle.value[-1] > 2 * math.pi
    assert np.gradient(angle.value, run.t)[5:-5] == pytest.approx(angle.rate[5:-5], rel=0.05)  # differences of h²
    names = [column.name for column in run.named_columns()]
    assert {"A.rotation", "A.rotation.rate"} <= set(names)
    run.save(str(tmp_path / "run.csv"))
    again = load_run(tmp_path / "run.csv")
    assert again.coordinate("A.rotation").value == pytest.approx(angle.value)
    with pytest.raises(ReactioError, match=r"no joint coordinate 'A.rotaton'.*A.rotation"):
        run.coordinate("A.rotaton")
