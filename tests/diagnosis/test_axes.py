"""Components in joint or in world axes: named, judged and told in one system at a time."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.diagnosis.why import describe_all
from reactio.errors import ReactioError
from reactio.system.constraints import components, joint_axes

LYING = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  shaft: {mass: 4, inertia: [0.01, 0.2, 0.2], position: [0, 0, 0]}
joints:
  M1: {type: revolute, bodies: [ground, shaft], at: [-1, 0, 0], axis: x}
  M2: {type: cylindrical, bodies: [ground, shaft], at: [1, 0, 0], axis: +x}
"""


@pytest.fixture(scope="module")
def shaft() -> reactio.Model:
    return reactio.parse_model(LYING)


def test_components_are_named_in_the_axes_asked_for(shaft: reactio.Model) -> None:
    assert [c.name for c in reactio.check(shaft)["M1"].components] == ["Fx", "Fy", "Fz", "Mx", "My"]
    world = reactio.check(shaft, axes="world")["M1"]
    assert [c.name for c in world.components] == ["Fx", "Fy", "Fz", "My", "Mz"]  # none about the axis of the shaft
    assert [c.name for c in world.components if c.unique] == ["Fx"]


@pytest.mark.parametrize("kind", ["distance", "cable", "strut"])
def test_a_member_is_one_number_along_itself(kind: str) -> None:
    """From a at (0, 0, 0) to b at (1, 2, 2): x is along it, in whatever axes its ends are."""
    text = "space: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 2]}}\n"
    here = reactio.equations(
        reactio.build(reactio.parse_model(f"{text}joints: {{rod: {{type: {kind}, a: ground, b: b, length: 3}}}}\n"))
    )
    group = here.system.group("rod")
    assert components(here, group).labels == ("N",)
    # A unit vector of 1/3, 2/3, 2/3: rounding.
    assert joint_axes(here, group)[0, :3] == pytest.approx([1 / 3, 2 / 3, 2 / 3], abs=1e-14)


def test_both_are_the_same_wrench_turned(shaft: reactio.Model) -> None:
    system = reactio.build(shaft)
    here, there = (reactio.equations(system.in_axes(axes)) for axes in ("joint", "world"))
    turn = joint_axes(here, system.group("M2"))
    world = np.zeros((6, 4))
    table = components(there, system.group("M2"))
    world[[("Fx", "Fy", "Fz", "Mx", "My", "Mz").index(name) for name in table.labels]] = table.P
    joint = components(here, system.group("M2"))
    kept = [("Fx", "Fy", "Fz", "Mx", "My", "Mz").index(name) for name in joint.labels]
    assert np.allclose((turn @ world)[kept], joint.P, atol=1e-15)  # rotations of unit rows: rounding


def test_unique_sums_have_the_same_value_in_both(shaft: reactio.Model) -> None:
    joint, world = (reactio.check(shaft, axes=axes) for axes in ("joint", "world"))
    weight = world.functional("M1.Fz + M2.Fz")
    assert weight.unique
    assert weight.value == pytest.approx(4 * 9.81, rel=1e-12)
    across, up = (joint.functional(f"M1.{name} + M2.{name}").value for name in ("Fx", "Fy"))
    assert across is not None
    assert up is not None
    assert float(np.hypot(across, up)) == pytest.approx(4 * 9.81, rel=1e-12)


def test_sentences_speak_of_the_same_axes_as_tables(shaft: reactio.Model) -> None:
    system = reactio.build(shaft)
    told = {}
    for axes in ("joint", "world"):
        eqs = reactio.equations(system.in_axes(axes))
        told[axes] = " ".join(describe_all(eqs, reactio.check(system.in_axes(axes)).self_stress))
    assert "forces along joint axes x and y and moments about joint axes x and y" in told["joint"]
    assert "forces along world y and z and moments about world y and z" in told["world"]
    assert "world" not in told["joint"]
    assert "(4 independent self-stresses)" in told["joint"]


def test_joints_whose_axes_differ_are_named_one_by_one() -> None:
    eqs = reactio.equations(reactio.build(reactio.load("modified-double-four-bar")))
    turned = reactio.load("bennett")
    told = describe_all(reactio.equations(reactio.build(turned)), reactio.check(turned).self_stress)
    assert any(" of " in sentence for sentence in told)
    assert eqs.system.axes == "joint"


def test_unknown_axes_are_refused(shaft: reactio.Model) -> None:
    with pytest.raises(ReactioError, match="joint or world"):
        reactio.check(shaft, axes="body")


def test_report_and_peaks_follow(shaft: reactio.Model) -> None:
    made = reactio.report(shaft, axes="world")
    assert made.axes == "world"
    assert [c.name for c in made.joints[0].components] == ["Fx", "Fy", "Fz", "My", "Mz"]
    assert {one.axes for one in made.sums} == {"world"}
    run = reactio.simulate(reactio.build(shaft).in_axes("world"), until=0.01, output=2)
    found = run.peaks({"weight": "M1.Fz + M2.Fz"})
    assert found.axes == "world"
    assert found.found[-1].peak == pytest.approx(4 * 9.81, rel=1e-9)  # tolerance of a step
    assert "M1.Fz" in run.columns()
