"""A geometry is known to some digits: what is closer than that to an aligned one is read as aligned, and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.shared_models import SUSPENSION, four_cylinders

import reactio
from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.model.accuracy import Accuracy, parse_accuracy
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.model.placing import end_from_world
from reactio.model.specs import Joint

DOOR = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {{door: {{mass: 25, inertia: [8.33, 10.02, 1.69], position: [0.45, 0, 1]}}}}
joints:
  h1: {{type: revolute, bodies: [ground, door], at: [0, 0, 0.3], axis: [0, 0, 1]}}
  h2: {{type: revolute, bodies: [ground, door], at: [{x}, {y}, 1.7], axis: [{tilt}, 0, 1]}}
"""
RING = """
space: planar
bodies: {{a: {{position: [0, 0]}}, b: {{position: [1, 0]}}, c: {{position: [2, 0]}}}}
joints:
  A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}
  B: {{type: revolute, bodies: [ground, b], at: [1, 0]}}
  C: {{type: revolute, bodies: [ground, c], at: [2, 0]}}
couplings:
  g1: {{type: linear, joints: [A, B], coefficients: [1, {ratio}]}}
  g2: {{type: linear, joints: [B, C], coefficients: [1, 1]}}
  g3: {{type: linear, joints: [A, C], coefficients: [1, -{ratio}]}}
"""
MECHANISMS = ("four-bar-spatial", "door", "five-leg-parallelogram", "sarrus", "bennett", "modified-double-four-bar")


def door(x: float = 0.0, y: float = 0.0, tilt: float = 0.0) -> Model:
    return parse_model(DOOR.format(x=x, y=y, tilt=tilt))


@pytest.mark.parametrize("off", [1e-5, 1e-4, 3e-7])
def test_distance_is_how_far_the_hinges_are_off_one_line(off: float) -> None:
    answer = reactio.check(door(x=0.6 * off, y=0.8 * off))
    assert answer.rank == 6
    assert answer.geometry is not None
    nearest = answer.geometry.nearest or answer.geometry.as_written
    assert nearest is not None
    assert nearest.length == pytest.approx(off, rel=1e-3)


def test_distance_of_a_tilted_axis_is_a_tilt_no_larger_than_its_own() -> None:
    model = reactio.load("four-bar-spatial")
    tilted = _misplaced(model, {"A": (np.zeros(3), np.array([2e-4, 0.0, 0.0]))})
    found = reactio.check(tilted).geometry
    assert found is not None
    assert found.nearest is not None
    assert found.nearest.mobility == 1
    assert found.nearest.angle is not None
    assert 5e-5 < found.nearest.angle < 2.1e-4
    assert "rad" in found.words[0]


def test_both_readings_are_told_and_the_aligned_one_leads() -> None:
    as_given, read = reactio.check(door(x=1e-5)), reactio.check(door(x=1e-5), accuracy="20 µm")
    assert (as_given.mobility, read.mobility, read.redundancy) == (0, 1, 5)
    assert "10 µm from mobility 1" in as_given.headline
    assert read.geometry is not None
    assert read.geometry.as_written is not None
    assert read.geometry.as_written.mobility == 0
    assert "10 µm" in read.headline
    assert {name for name, _, _ in read.geometry.differing} == {"h1", "h2"}
    assert reactio.check(door(x=1e-5), accuracy=1e-6).mobility == 0
    assert [reactio.mobility(door(x=x), accuracy="0.1 mm, 1 mrad").finite for x in (1e-5, 5e-5)] == [1, 1]


def test_distance_is_told_in_what_the_accuracy_allows() -> None:
    """Hinges 1.4 mm beside each other at 1.4 m are aligned by tilts of 1 mrad, which is allowed; 1.4 mm is not."""
    found = reactio.check(door(x=1.4e-3), accuracy="0.1 mm, 1 mrad").geometry
    assert found is not None
    assert found.as_written is not None
    assert found.as_written.length is None
    assert found.as_written.angle == pytest.approx(1e-3, rel=1e-2)  # of first order in 1.4 mm over 1.4 m


@pytest.mark.parametrize(("name", "off"), [("door", 1e-4), ("door", 1e-8), ("rail-four-carriages", 5e-4)])
def test_joints_that_are_both_shifted_and_tilted_are_near_the_aligned_ones(name: str, off: float) -> None:
    """Three hinges beside each other and askew: neither shifts nor tilts alone align them, both together do."""
    model, random = reactio.load(name), np.random.default_rng(3)
    moves = {j.name: (random.uniform(-off, off, 3), random.uniform(-off, off, 3)) for j in model.joints}
    answer = reactio.check(_misplaced(model, moves))
    assert answer.rank == reactio.check(model).rank + 1
    assert answer.geometry is not None
    nearest = answer.geometry.nearest or answer.geometry.as_written
    assert nearest is not None
    assert nearest.mobility == 1
    assert max(nearest.length or 0.0, nearest.angle or 0.0) < 3 * off  # the three joints were moved by √3 off at most


MACHINES = {"engine": four_cylinders(), "suspension": SUSPENSION}


@pytest.mark.parametrize(("name", "digits"), [("engine", 6), ("engine", 8), ("suspension", 3), ("suspension", 6)])
def test_driven_machines_in_rounded_geometry(name: str, digits: int) -> None:
    """With its accuracy stated a machine has the verdicts of the aligned one, and what the last digit says is told."""
    model, random = reactio.parse_model(MACHINES[name]), np.random.default_rng(digits)
    off = 0.5 * 10.0**-digits
    moves = {j.name: (random.uniform(-off, off, 3), random.uniform(-off, off, 3)) for j in model.joints}
    meant, read = reactio.check(model), reactio.check(_misplaced(model, moves), accuracy=2 * off)
    assert [(g.name, g.verdict, g.determined) for g in read] == [(g.name, g.verdict, g.determined) for g in meant]
    assert read.geometry is not None
    assert read.geometry.as_written is not None
    drive = model.drives[0].name
    assert drive in [changed for changed, _, _ in read.geometry.differing]


def test_a_drive_that_dimensions_nearly_admit_is_judged_and_noted() -> None:
    """No velocity satisfies both, so nothing has a value; verdicts are those of the pose, and the distance is told."""
    model, random = reactio.parse_model(four_cylinders()), np.random.default_rng(1)
    moves = {j.name: (random.uniform(-5e-7, 5e-7, 3), random.uniform(-5e-7, 5e-7, 3)) for j in model.joints}
    held = _misplaced(model, moves)
    answer = reactio.check(held)
    assert str(answer["motor"].verdict) != "unique"
    assert any("no values" in note for note in answer.notes)
    assert any("from mobility 1" in note and "nm" in note for note in answer.notes)
    with pytest.raises(ReactioError, match="no velocities satisfy"):
        reactio.assemble(reactio.build(held))


def test_nothing_is_said_where_no_other_rank_is_near() -> None:
    assert reactio.check(door()).geometry is None
    assert reactio.check(door(x=0.1)).geometry is None


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("digits", [4, 6, 9])
def test_rounded_geometry_with_its_accuracy_gives_the_answer_of_the_unrounded(name: str, digits: int) -> None:
    model, random = reactio.load(name), np.random.default_rng(digits)
    off = 0.5 * 10.0**-digits
    moves = {j.name: (random.uniform(-off, off, len(j.a.point)), random.uniform(-off, off, 3)) for j in model.joints}
    meant, read = reactio.check(model), reactio.check(_misplaced(model, moves), accuracy=2 * off)
    assert (read.rank, read.redundancy, read.mobility) == (meant.rank, meant.redundancy, meant.mobility)
    for group in read:
        if str(group.verdict) != "ambiguous":
            assert (group.verdict, group.determined) == (meant[group.name].verdict, meant[group.name].determined)
    if digits >= 6:
        assert read.confident


@pytest.mark.parametrize("accuracy", ["1 µm", "10 µm", "1 mm"])
def test_a_small_share_that_no_misplacement_explains_is_never_called_unique(accuracy: str) -> None:
    answer = reactio.check(parse_model(RING.format(ratio="1e-6")), accuracy=accuracy)
    assert str(answer["g2"].verdict) == "ambiguous"


def test_poses_that_close_to_their_own_digits_are_accepted_and_said() -> None:
    model = door()
    joint = model.joints[1]
    apart = replace(joint, b=replace(joint.b, point=tuple(p + 4e-9 for p in joint.b.point)))
    off = replace(model, joints=(model.joints[0], apart))
    answer = reactio.check(off)
    assert (answer.mobility, answer.redundancy) == (1, 5)
    assert answer.geometry is not None
    assert answer.geometry.source == "closure"
    assert "known to 4 nm" in answer.headline


def test_simulation_says_that_it_follows_the_last_digit() -> None:
    stated = replace(door(x=1e-5), accuracy=Accuracy(2e-5))
    notes = reactio.simulate(reactio.build(stated), 0.01).notes
    assert any("to the last digit: mobility 0" in note for note in notes)


@pytest.mark.parametrize(
    ("text", "length", "angle"),
    [("0.1 mm", 1e-4, None), ("0.1mm,1mrad", 1e-4, 1e-3), ("5um, 0.1 deg", 5e-6, 0.1 * np.pi / 180)],
)
def test_accuracy_in_words(text: str, length: float, angle: float | None) -> None:
    found = parse_accuracy(text)
    assert found.length == pytest.approx(length)
    assert found.angle == (None if angle is None else pytest.approx(angle))


@pytest.mark.parametrize("text", ["3", "", "1 mrad", "0.1 mm, 1 mm", "-1 mm", "0 mm", "1 furlong", "x mm"])
def test_what_is_no_accuracy_is_refused(text: str) -> None:
    with pytest.raises(ReactioError):
        parse_accuracy(text)


@pytest.mark.parametrize("written", ["0.1 mm", "0.1", "{length: 0.1, angle: 1}"])
def test_accuracy_of_a_file_is_read_and_written(written: str) -> None:
    model = parse_model(f"{{space: planar, units: mm, accuracy: {written}, bodies: {{a: {{}}}}}}")
    assert model.accuracy is not None
    assert model.accuracy.length == pytest.approx(1e-4)
    assert parse_model(to_yaml(model)).accuracy == model.accuracy


def _misplaced(model: Model, moves: dict[str, tuple[Floats, Floats]]) -> Model:
    """Joints shifted [m] and tilted [rad] in world axes, both ends alike, so that they stay closed."""
    return replace(
        model, joints=tuple(_moved(model, j, *moves[j.name]) if j.name in moves else j for j in model.joints)
    )


def _moved(model: Model, joint: Joint, shift: Floats, tilt: Floats) -> Joint:
    ends = []
    for end in (joint.a, joint.b):
        ground = end.body == "ground"
        body = end.body if ground else replace(model.body(end.body), position=(0.0,) * len(shift))
        local = end_from_world(body, tuple(shift.tolist()), end.orientation).point
        q = np.array([1.0, 0.0, 0.0, 0.0]) if ground else np.array(model.body(end.body).orientation)
        turned = end.orientation if len(shift) == 2 else _tilted(q, np.array(end.orientation), tilt)
        ends.append(replace(end, point=tuple(p + d for p, d in zip(end.point, local, strict=True)), orientation=turned))
    return replace(joint, a=ends[0], b=ends[1])


def _tilted(body: Floats, local: Floats, tilt: Floats) -> tuple[float, ...]:
    world = _times(np.append(1.0, tilt / 2), _times(body, local))
    found = _times(body * [1, -1, -1, -1], world)
    return tuple((found / np.linalg.norm(found)).tolist())


def _times(p: Floats, q: Floats) -> Floats:
    return np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))
