"""Rotors: reflected inertia on joint coordinates, against MuJoCo and by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError

# Two links and a slide, all of them with armature.
ARMATURE = """
<mujoco model="arm">
  <option gravity="0 0 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" armature="{hinge}"/>
      <inertial pos="0.2 0 0" mass="2" diaginertia="0.01 0.02 0.02"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" axis="0 1 0" armature="{hinge}"/>
        <inertial pos="0.1 0 0.05" mass="1" diaginertia="0.01 0.01 0.01"/>
        <body name="hand" pos="0.3 0 0">
          <joint name="reach" type="slide" axis="1 0 0" armature="{slide}"/>
          <inertial pos="0.05 0.01 0.2" mass="0.5" diaginertia="0.001 0.001 0.001"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
PENDULUM = """
name: pendulum
space: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, inertia: 0.1, position: [0.5, 0], angular_velocity: 1, velocity: [0, 0.5]}
joints:
  A: {type: revolute, a: {body: ground, point: [0, 0]}, b: {body: rod, point: [-0.5, 0]}}
"""


def test_reactions_of_joints_with_armature_are_those_of_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    text = ARMATURE.format(hinge=0.3, slide=4)
    (tmp_path / "arm.xml").write_text(text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    system = ro.build(ro.load(tmp_path / "arm.xml"))
    found = ro.reactions(ro.equations(system))
    for b, joint in enumerate(("shoulder", "elbow", "reach"), start=1):
        force = data.cfrc_int[b][3:]  # MuJoCo's wrench includes what the rotor does along the slide, −J q̈
        across = slice(joint == "reach", None)
        assert np.allclose(found[joint].force[across], force[across], rtol=1e-9, atol=1e-9), joint  # sums of few terms
    assert [group.name for group in system.reacting] == ["shoulder", "elbow", "reach"]


def test_rotors_change_neither_verdicts_nor_counts(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    answers = []
    for hinge, slide in ((0, 0), (0.3, 4)):
        path = tmp_path / f"arm{slide}.xml"
        path.write_text(ARMATURE.format(hinge=hinge, slide=slide))
        answer = ro.check(ro.load(path))
        answers.append((answer.redundancy, answer.mobility, [(g.name, g.verdict) for g in answer.groups]))
    assert answers[0] == answers[1]


def test_a_rotor_slows_a_pendulum_and_its_energy_is_kept(tmp_path: Path) -> None:
    """J about the pivot is 0.1 + 2·0.5² + 0.4 = 1 kg m²: α = −9.81 rad/s², Fy = 2 (9.81 − 0.5·9.81) N."""
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM + "forces: {motor: {type: rotor, joint: A, inertia: 0.4}}\n")
    model = ro.load(path)
    found = ro.reactions(ro.equations(ro.build(model)))
    assert np.allclose(found["A"].force, (-1.0, 9.81), atol=1e-12)
    run = ro.simulate(model, 0.3)
    # ½ J ω² of rod and rotor against the work of the weight, to the accuracy of the run
    angle = run.body("rod").orientation[-1, 0]
    omega = run.body("rod").angular_velocity[-1, 0]
    assert omega**2 / 2 == pytest.approx(0.5 - 2 * 9.81 * 0.5 * np.sin(angle), rel=1e-7)
    assert not [name for name in run.columns() if "rotor" in name]


@pytest.mark.parametrize(
    ("entry", "words"), [("mass: 1", "give `inertia`"), ("inertia: 1, mass: 1", "one of them alone"), ("", "give")]
)
def test_a_rotor_needs_the_inertia_of_its_coordinate(tmp_path: Path, entry: str, words: str) -> None:
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM + f"forces: {{motor: {{type: rotor, joint: A, {entry}}}}}\n")
    with pytest.raises(ModelError, match=words):
        ro.build(ro.load(path))
