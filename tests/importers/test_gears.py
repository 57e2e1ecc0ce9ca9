"""Gears between parts: in which sense, on which joint, and against which arm their turns count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers.mechanism import ImportedJoint, PartFrame
from reactio.importers.pipeline import import_file
from reactio.importers.pose import Pose, rotation
from reactio.importers.reading.gears import GearFinder
from reactio.importers.reading.marker_axes import joint_frames
from reactio.model.notes import NoteKind

FLIPPED = rotation((1, 0, 0), np.pi)
ACROSS = rotation((1, 0, 0), -np.pi / 2)  # z along y
AT = {"sun": 0.0, "arm": 0.0, "planet": 3.0, "rod": 5.0}  # places of parts along x [m]
POSES = {name: Pose(np.array([x, 0.0, 0.0])) for name, x in AT.items()}


def hinge(name: str, a: str, b: str, x: float, flipped: bool = False) -> ImportedJoint:
    """A hinge about z through a point of the x axis; flipped: about −z."""
    world = Pose(np.array([x, 0.0, 0.0]), FLIPPED if flipped else np.eye(3))
    on_a, on_b = (world if part == GROUND else POSES[part].inverse @ world for part in (a, b))
    return ImportedJoint(name, "revolute", a, b, on_a, on_b)


SUN, PLANET = PartFrame("sun", Pose()), PartFrame("planet", Pose())


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_wheels_outside_turn_against_each_other(flipped: bool, swapped: bool) -> None:
    """ω₁ r₁ + ω₂ r₂ = 0 about one axis, whichever way round the joint of the second counts its angle."""
    ends = ("planet", GROUND) if swapped else (GROUND, "planet")
    gears = GearFinder([hinge("S", GROUND, "sun", 0), hinge("P", *ends, 3, flipped)], POSES)
    found = gears.gear("g", SUN, PLANET, 2.0, 1.0)
    assert found.along == ("S.rotation", "P.rotation")
    assert found.parameters["ratio"] == (-0.5 if flipped == swapped else 0.5)


def test_of_several_hinges_the_one_on_the_axis_of_the_wheel() -> None:
    """A crank pin on a wheel is another hinge of the same part."""
    pin = hinge("pin", "rod", "planet", 5)
    gears = GearFinder([pin, hinge("P", GROUND, "planet", 3), hinge("S", GROUND, "sun", 0)], POSES)
    assert gears.gear("g", SUN, PLANET, 2.0, 1.0).along == ("S.rotation", "P.rotation")


@pytest.mark.parametrize("swapped", [False, True])
def test_a_planet_counts_against_its_arm(swapped: bool) -> None:
    """Willis: r_s (ω_s − ω_c) + r_p (ω_p − ω_c) = 0; the joint of the planet counts ω_p − ω_c."""
    ends = ("arm", GROUND) if swapped else (GROUND, "arm")
    gears = GearFinder([hinge("S", GROUND, "sun", 0), hinge("C", *ends, 0), hinge("P", "arm", "planet", 3)], POSES)
    sense = -1.0 if swapped else 1.0
    for one, two, radii, signs in ((SUN, PLANET, (2.0, 1.0), (2.0, 1.0)), (PLANET, SUN, (1.0, 2.0), (1.0, 2.0))):
        found = gears.gear("g", one, two, *radii)
        assert found.type == "linear"
        assert found.along[2] == "C.rotation"
        assert found.parameters["coefficients"] == (*signs, -2.0 * sense)


def test_axes_on_parts_that_no_hinge_joins() -> None:
    gears = GearFinder([hinge("S", GROUND, "sun", 0), hinge("P", "rod", "planet", 3)], POSES)
    with pytest.raises(ReactioError, match="turn on 'ground' and 'rod'"):
        gears.gear("g", SUN, PLANET, 2.0, 1.0)


@pytest.mark.parametrize("flipped", [False, True])
def test_bevel_wheels_count_about_their_own_axes(flipped: bool) -> None:
    """r_a z_a·ω_a + r_b z_b·ω_b = 0, as OndselSolver counts: axes along z and y, radii 2 and 1."""
    world = Pose(np.array([3.0, 0.0, 0.0]), ACROSS)
    on_planet = POSES["planet"].inverse @ world
    gears = GearFinder(
        [hinge("S", GROUND, "sun", 0), ImportedJoint("P", "revolute", GROUND, "planet", world, on_planet)], POSES
    )
    marker = on_planet @ Pose(np.zeros(3), FLIPPED if flipped else np.eye(3))
    assert gears.gear("g", SUN, PartFrame("planet", marker), 2.0, 1.0).parameters["ratio"] == (0.5 if flipped else -0.5)
    with pytest.raises(ReactioError, match="axis of joint 'P' makes an angle of 90°"):
        gears.gear("g", SUN, PLANET, 2.0, 1.0)


def test_a_planet_marked_across_its_hinge_drops_no_term() -> None:
    gears = GearFinder(
        [hinge("S", GROUND, "sun", 0), hinge("C", GROUND, "arm", 0), hinge("P", "arm", "planet", 3)], POSES
    )
    with pytest.raises(ReactioError, match="axis of joint 'P' makes an angle of 90°"):
        gears.gear("g", SUN, PartFrame("planet", Pose(np.zeros(3), ACROSS)), 2.0, 1.0)


def test_an_opposed_marker_reverses_the_sign_of_the_rotation() -> None:
    """The angle of each wheel is seen about the z axis of its own marker."""
    gears = GearFinder([hinge("S", GROUND, "sun", 0), hinge("P", GROUND, "planet", 3)], POSES)
    assert gears.gear("g", SUN, PartFrame("planet", Pose(np.zeros(3), FLIPPED)), 2.0, 1.0).parameters["ratio"] == 0.5


@pytest.mark.parametrize(("r_a", "r_b", "part"), [(0.0, 1.0, "sun"), (1.0, 0.0, "planet")])
def test_wheels_have_radii(r_a: float, r_b: float, part: str) -> None:
    gears = GearFinder([hinge("S", GROUND, "sun", 0), hinge("P", GROUND, "planet", 3)], POSES)
    with pytest.raises(ReactioError, match=f"radius of '{part}' is 0"):
        gears.gear("g", SUN, PLANET, r_a, r_b)


@pytest.mark.parametrize(
    ("radius", "words"), [(0.0, "radius of 'sun' is 0"), (1.0, "axis of joint 'G' makes an angle of 90°")]
)
def test_racks_that_cannot_roll(radius: float, words: str) -> None:
    """The slide is along z, the x axis of the rack across it."""
    guide = ImportedJoint("G", "prismatic", GROUND, "rod", POSES["rod"], Pose())
    with pytest.raises(ReactioError, match=words):
        GearFinder([hinge("S", GROUND, "sun", 0), guide], POSES).rack("r", PartFrame("rod", Pose()), SUN, radius)


def test_shafts_of_a_constant_velocity_joint_point_away_from_each_other() -> None:
    """Ondsel and Adams hold x·y' + y·x' = 0 of two markers; the joint here x·y − y·x = 0 of its frames."""
    for angle in (0.2, 0.9):
        I, J = rotation((0, 0, 1), angle), rotation((1, 0, 0), 0.4) @ rotation((0, 0, 1), -0.3)
        theirs = I[:, 0] @ J[:, 1] + I[:, 1] @ J[:, 0]
        a, b = (one.R for one in joint_frames("constant-velocity", Pose(np.zeros(3), I), Pose(np.zeros(3), J)))
        assert a[:, 0] @ b[:, 1] - a[:, 1] @ b[:, 0] == pytest.approx(-theirs, abs=1e-15)


RACK = """rack of Adams
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1, QP=0,0,0
MARKER/2, PART=1, QP=0,-0.1,0, REULER=90D,90D,0D
PART/2, MASS=1, CM=3, IP=1,1,1
MARKER/3, PART=2, QP=0,0,0
PART/3, MASS=1, CM=4, IP=1,1,1
MARKER/4, PART=3, QP=0,-0.1,0, REULER=90D,90D,0D
JOINT/1, REVOLUTE, I=3, J=1
JOINT/2, TRANSLATIONAL, I=4, J=2
JOINT/3, RACKPIN, I=3, J=4, PD=0.2
END
"""


def test_a_rack_of_adams_says_what_bearings_do_not_feel(tmp_path: Path) -> None:
    """Two joints and their coupling: 11 equations, none of them redundant."""
    path = tmp_path / "rack.adm"
    path.write_text(RACK, encoding="utf-8")
    found = import_file(path)
    answer = ro.check(found.model)
    assert (answer.m, answer.redundancy, answer.mobility) == (11, 0, 1)
    assert any("between the teeth" in note.why for note in found.report.of(NoteKind.WARNING))
