"""Equations of joints in world axes, and reactions in the axes in which a joint is one number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio as ro
from reactio.catalogue.places import ReactionAxes
from reactio.errors import ReactioError
from reactio.joint_reactions.wrench import joint_wrench
from reactio.kinematics.assemble import initial_state
from reactio.model.files.write import to_yaml

PENDULUM = """
space: planar
gravity: [0, -9.81]
{rows}
bodies:
  arm: {{mass: 1, inertia: 0.1, position: [0.3, 0.4], angle: 0.9, angular_velocity: 1.0, velocity: [-0.4, 0.3]}}
  fork: {{mass: 1, inertia: 0.1, position: [0.8, 0.6]}}
joints:
  A: {{type: revolute, bodies: [ground, arm], at: [0, 0]}}
  B: {{type: revolute, bodies: [arm, fork], at: [0.6, 0.8]{joint}}}
  S: {{type: revolute-translational, a: {{body: fork, point: [0.2, 0]}}, b: {{body: ground, point: [1, 0.6]}}}}
"""


def test_rows_of_a_model_and_of_a_joint() -> None:
    model = ro.parse_model(PENDULUM.format(rows="rows: world", joint=""))
    assert [joint.rows for joint in model.joints] == ["world", "world", "joint"]  # S holds no point: it keeps its axes
    other = ro.parse_model(PENDULUM.format(rows="rows: world", joint=", rows: joint"))
    assert [joint.rows for joint in other.joints] == ["world", "joint", "joint"]
    assert ro.parse_model(to_yaml(model)).joints == model.joints


def test_the_rows_are_those_of_eq_44_and_the_motion_is_the_same() -> None:
    plain = ro.parse_model(PENDULUM.format(rows="", joint=""))
    world = ro.parse_model(PENDULUM.format(rows="rows: world", joint=""))
    systems = [ro.build(model) for model in (plain, world)]
    eqs = [ro.equations(system, initial_state(system)) for system in systems]
    B = eqs[1].C.toarray()[2:4]
    assert B[:, [0, 1, 3, 4]].tolist() == [[-1, 0, 1, 0], [0, -1, 0, 1]]
    found = [ro.reactions(one) for one in eqs]
    # Two formulations of one regular problem in double precision.
    assert found[1].vdot == pytest.approx(found[0].vdot, abs=1e-12)
    assert found[1]["B"].force == pytest.approx(found[0]["B"].force, abs=1e-12)
    assert found[1]["B"].force_in_joint.tolist() == found[1]["B"].force.tolist()  # its axes are the world's


@pytest.mark.parametrize(
    ("rows", "joint", "message"),
    [
        ("rows: wold", "", r"the model: rows is 'wold'; it must be joint or world. Did you mean 'world'"),
        ("", ", rows: up", r"joint 'B': rows is 'up'"),
    ],
)
def test_other_axes_are_refused(rows: str, joint: str, message: str) -> None:
    with pytest.raises(ReactioError, match=message):
        ro.parse_model(PENDULUM.format(rows=rows, joint=joint))


def test_a_joint_that_holds_no_point_cannot_have_rows_in_world_axes() -> None:
    model = ro.parse_model(PENDULUM.format(rows="", joint=""))
    joints = (*model.joints[:2], replace(model.joints[2], rows=ReactionAxes.WORLD))
    with pytest.raises(ReactioError, match=r"joint 'S' \(revolute-translational\) cannot have its rows in world axes"):
        replace(model, joints=joints)


ONE_NUMBER = {
    "knife-edge": ("planar", "{type: knife-edge, a: ground, b: {body: disc, point: [0.1, 0.2]}}", ["Fy"]),
    "distance": ("planar", "{type: distance, a: {body: ground, point: [3, 1]}, b: disc}", ["N"]),
    "rod in space": ("spatial", "{type: distance, a: {body: ground, point: [3, 1, 2]}, b: disc}", ["N"]),
    "blade": ("spatial", "{type: knife-edge, a: ground, b: disc}", ["Fy", "Fz"]),
}


@pytest.mark.parametrize("name", ONE_NUMBER)
def test_a_joint_of_one_equation_has_one_component(name: str) -> None:
    """Bodies are turned, so that neither the world's axes nor those of frame A would do."""
    space, joint, labels = ONE_NUMBER[name]
    turned = "angle: 0.7, position: [1, 2]" if space == "planar" else "orientation: {axis: [0, 0, 1], angle: 0.7}"
    inertia = "0.1" if space == "planar" else "[0.1, 0.1, 0.1]"
    text = f"space: {space}\nbodies: {{disc: {{mass: 1, inertia: {inertia}, {turned}}}}}\njoints: {{J: {joint}}}"
    eqs = ro.equations(ro.build(ro.parse_model(text)))
    assert [one.name for one in ro.check(eqs.system)["J"].components] == labels
    wrench = joint_wrench(eqs, "J", np.ones(len(labels)))
    # A rotation keeps the size of a force, and its components are those that are named.
    assert np.linalg.norm(wrench.force_in_joint) == pytest.approx(np.linalg.norm(wrench.force), abs=1e-14)
    held = [0 if label == "N" else "xyz".index(label[1]) for label in labels]  # N is along x of a rod
    assert np.delete(wrench.force_in_joint, held) == pytest.approx(0.0, abs=1e-14)
