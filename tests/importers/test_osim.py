"""OpenSim models: joints with coordinate functions, constraints, couplers; mobility against counts made here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers.formats.osim.functions import tangent
from reactio.importers.pipeline import import_file
from reactio.importers.reading.xml import parse_xml

BODY = '<Body name="{0}"><mass>1</mass><mass_center>0 -0.5 0</mass_center><inertia>0.1 0.1 0.1 0 0 0</inertia></Body>'
FRAME = """<PhysicalOffsetFrame name="{name}"><socket_parent>/bodyset/{body}</socket_parent>
<translation>{at}</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame>"""
COORDINATE = """<Coordinate name="{name}"><default_value>{value}</default_value><range>-2 2</range>
<clamped>true</clamped><locked>{locked}</locked></Coordinate>"""


def joint(
    name: str, parent: str, child: str, at: str, tag: str = "PinJoint", coordinates: str = "", rest: str = ""
) -> str:
    """A joint between a point of its parent and the origin of its child."""
    given = coordinates or COORDINATE.format(name=f"{name}_angle", value=0, locked="false")
    frames = FRAME.format(name=f"{name}_at", body=parent, at=at).replace("/bodyset/ground", "/ground")
    return f"""<{tag} name="{name}"><socket_parent_frame>{name}_at</socket_parent_frame>
<socket_child_frame>/bodyset/{child}</socket_child_frame><coordinates>{given}</coordinates><frames>{frames}</frames>{rest}</{tag}>"""


def model(bodies: list[str], joints: str, constraints: str = "", forces: str = "") -> str:
    return f"""<?xml version="1.0"?><OpenSimDocument Version="40000"><Model name="test"><gravity>0 -9.81 0</gravity>
<BodySet><objects>{"".join(BODY.format(name) for name in bodies)}</objects></BodySet>
<JointSet><objects>{joints}</objects></JointSet>
<ConstraintSet><objects>{constraints}</objects></ConstraintSet><ForceSet><objects>{forces}</objects></ForceSet>
</Model></OpenSimDocument>"""


def written(folder: Path, text: str) -> Path:
    path = folder / "model.osim"
    path.write_text(text)
    return path


CHAIN = joint("A", "ground", "one", "0 0 0") + joint("B", "one", "two", "1 0 0") + joint("C", "two", "three", "0 1 0")


@pytest.mark.parametrize(
    ("constraint", "held", "redundant"),
    [
        ("PointConstraint", 3, 1),  # a ball at the end of a planar chain of hinges: its row along z is redundant
        ("PointOnLineConstraint", 2, 1),  # a line along x: y holds, z is redundant
        ("ConstantDistanceConstraint", 1, 0),
    ],
)
def test_a_chain_of_hinges_closed_by_a_constraint(tmp_path: Path, constraint: str, held: int, redundant: int) -> None:
    tags = ("line_body", "follower_body") if "Line" in constraint else ("body_1", "body_2")
    points = ("point_on_line", "point_on_follower") if "Line" in constraint else ("location_body_1", "location_body_2")
    more = {"PointOnLineConstraint": "<line_direction_vec>1 0 0</line_direction_vec>",
            "ConstantDistanceConstraint": "<constant_distance>2</constant_distance>"}.get(constraint, "")  # fmt: skip
    at = "-2 1 0" if "Distance" in constraint else "0 1 0"
    text = f"""<{constraint} name="loop"><socket_{tags[0]}>/ground</socket_{tags[0]}><{points[0]}>{at}</{points[0]}>
<socket_{tags[1]}>/bodyset/three</socket_{tags[1]}><{points[1]}>-1 0 0</{points[1]}>{more}</{constraint}>"""
    muscle = '<Thelen2003Muscle name="m"/>'
    found = import_file(written(tmp_path, model(["one", "two", "three"], CHAIN, text, 2 * muscle))).model
    answer = ro.check(found)
    assert answer.redundancy == redundant
    assert answer.mobility == 3 - (held - redundant)
    assert "2 Thelen2003Muscles" in [note.what for note in found.notes]


KNEE = """<SpatialTransform>
<TransformAxis name="rotation1"><coordinates>knee</coordinates><axis>0 0 1</axis>
<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="rotation2"><coordinates/><axis>0 1 0</axis>
<Constant name="function"><value>0.2</value></Constant></TransformAxis>
<TransformAxis name="rotation3"><coordinates/><axis>1 0 0</axis>
<Constant name="function"><value>0</value></Constant></TransformAxis>
<TransformAxis name="translation1"><coordinates>knee</coordinates><axis>1 0 0</axis>
<PolynomialFunction name="function"><coefficients>0.1 0.2 0.3</coefficients></PolynomialFunction></TransformAxis>
<TransformAxis name="translation2"><coordinates/><axis>0 1 0</axis>
<Constant name="function"><value>-0.5</value></Constant></TransformAxis>
</SpatialTransform>"""


def test_a_knee_moves_along_its_curve(tmp_path: Path) -> None:
    """At φ = 0.4: x = 0.1 φ² + 0.2 φ + 0.3 and dx/dφ = 0.28, with φ about z before 0.2 about y."""
    knee = COORDINATE.format(name="knee", value=0.4, locked="false")
    text = model(["shank"], joint("K", "ground", "shank", "0 0 0", "CustomJoint", knee, KNEE))
    found = import_file(written(tmp_path, text)).model
    assert found.body("shank").position == pytest.approx((0.1 * 0.16 + 0.08 + 0.3, -0.5, 0.0))
    c, s = np.cos(0.4), np.sin(0.4)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[np.cos(0.2), 0, np.sin(0.2)], [0, 1, 0], [-np.sin(0.2), 0, np.cos(0.2)]]
    )
    w, x, y, z = found.body("shank").orientation
    assert 2 * (x * z + w * y) == pytest.approx(turned[0, 2])
    answer = ro.check(found)
    assert (answer.redundancy, answer.mobility) == (0, 1)
    system = ro.build(found)
    C = ro.equations(system).C.toarray()
    motion = np.linalg.svd(C)[2][-1][system.body_v[found.body_index["shank"]] :][:6]
    assert motion / motion[5] == pytest.approx([0.28, 0, 0, 0, 0, 1], abs=1e-9)  # an SVD of some ten columns
    assert any("slopes at the pose" in note.why for note in found.notes if note.kind == "warning")


def test_couplers_and_locked_coordinates(tmp_path: Path) -> None:
    coupler = """<CoordinateCouplerConstraint name="follow"><isEnforced>true</isEnforced><coupled_coordinates_function>
<LinearFunction><coefficients>2 0</coefficients></LinearFunction></coupled_coordinates_function>
<independent_coordinate_names>A_angle</independent_coordinate_names>
<dependent_coordinate_name>B_angle</dependent_coordinate_name></CoordinateCouplerConstraint>"""
    for slope in ("2", "0"):  # a follower that stands still at the pose is held there
        text = model(["one", "two", "three"], CHAIN, coupler.replace("2 0<", f"{slope} 0<"))
        answer = ro.check(ro.load(written(tmp_path, text)))
        assert (answer.redundancy, answer.mobility) == (0, 2)
    locked = CHAIN.replace("<locked>false", "<locked>true", 1)
    held = ro.load(written(tmp_path, model(["one", "two", "three"], locked, coupler)))
    assert ro.check(held).mobility == 1  # what follows a locked coordinate is held with it
    assert not [note for note in held.notes if note.kind == "unread"]
    assert ro.check(ro.load(written(tmp_path, model(["one", "two", "three"], locked)))).mobility == 2


OLD_BODY = """<Body name="{name}"><mass>2</mass><mass_center>0 0.1 0</mass_center><inertia_xx>1</inertia_xx>
<inertia_yy>1</inertia_yy><inertia_zz>1</inertia_zz><inertia_xy>0</inertia_xy><Joint><PinJoint name="{name}_pin">
<parent_body>{parent}</parent_body><location_in_parent>0 {y} 0</location_in_parent>
<orientation_in_parent>0 0 0.3</orientation_in_parent><location>0 1 0</location><orientation>0 0 0</orientation>
<CoordinateSet><objects><Coordinate name="{name}_angle"><default_value>0.5</default_value><locked>false</locked>
</Coordinate></objects></CoordinateSet><reverse>false</reverse></PinJoint></Joint></Body>"""
OLD_CONSTRAINTS = {
    "": 0,
    """<PointConstraint name="P"><isDisabled>false</isDisabled><body_1>ground</body_1><body_2>two</body_2>
<location_body_1>{at}</location_body_1><location_body_2>0 0 0</location_body_2></PointConstraint>""": 1,
    """<WeldConstraint name="W"><isDisabled>false</isDisabled><body_1>one</body_1><body_2>two</body_2>
<location_body_1>0 -1 0</location_body_1><orientation_body_1>0 0 0.8</orientation_body_1>
<location_body_2>0 1 0</location_body_2><orientation_body_2>0 0 0</orientation_body_2></WeldConstraint>""": 5,
}


@pytest.mark.parametrize(("constraint", "redundant"), OLD_CONSTRAINTS.items())
def test_models_of_opensim_3_have_joints_inside_their_bodies(tmp_path: Path, constraint: str, redundant: int) -> None:
    """Two pendulums, one on the other: angles of 0.3 + 0.5 each; the tip is where the sum of the rods leads."""
    angles = np.array([0.8, 1.6])
    places = np.cumsum([(np.sin(a), -np.cos(a)) for a in angles], axis=0)
    bodies = OLD_BODY.format(name="one", parent="ground", y=0) + OLD_BODY.format(name="two", parent="one", y=0)
    at = f"{places[1][0]!r} {places[1][1]!r} 0".replace("np.float64(", "").replace(")", "")
    text = (
        '<OpenSimDocument Version="30000"><Model name="old"><gravity>0 -9.8 0</gravity><BodySet><objects>'
        f'<Body name="ground"><mass>0</mass></Body>{bodies}</objects></BodySet><ConstraintSet><objects>'
        f"{constraint.format(at=at)}</objects></ConstraintSet></Model></OpenSimDocument>"
    )
    if redundant == 5:
        text = text.replace("<location_body_1>0 -1 0<", "<location_body_1>0 0 0<")
    found = ro.load(written(tmp_path, text))
    assert [body.position[:2] for body in found.bodies] == pytest.approx(places, abs=1e-12)
    assert found.body("two").mass == 2.0
    answer = ro.check(found)
    rank = {0: 10, 1: 12, 5: 11}[redundant]
    assert (answer.rank, answer.redundancy) == (rank, redundant)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('Version="40000"', 'Version="10900"'), "older than OpenSim 2"),
        (("/bodyset/two</socket_child", "/bodyset/tow</socket_child"), "no body or frame 'tow'"),
        (("<PinJoint", "<EllipsoidJoint"), "<EllipsoidJoint> is not read"),
        (("/ground</socket_parent>", "/bodyset/three</socket_parent>"), "no joint connects to ground"),
        (("<coordinates>", "<connectors/><coordinates>"), "between OpenSim 3 and 4"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    text = model(["one", "two", "three"], CHAIN).replace(*change)
    if "Ellipsoid" in words:
        text = text.replace("</PinJoint", "</EllipsoidJoint")
    with pytest.raises(ModelError, match=words):
        ro.load(written(tmp_path, text))


def test_functions_have_the_slopes_of_their_differences() -> None:
    points = "<x>0 1 2 4</x><y>0 1 0 3</y>"
    texts = [
        "<LinearFunction><coefficients>2 1</coefficients></LinearFunction>",
        "<PolynomialFunction><coefficients>1 -2 3 4</coefficients></PolynomialFunction>",
        f"<SimmSpline>{points}</SimmSpline>",
        f"<PiecewiseLinearFunction>{points}</PiecewiseLinearFunction>",
        f"<MultiplierFunction><function><SimmSpline>{points}</SimmSpline></function><scale>3</scale></MultiplierFunction>",
    ]
    for text in texts:
        element = parse_xml(text, "test")
        for x in (-0.5, 0.3, 2.6, 5.0):
            h = 1e-6  # central differences: errors of h² and of rounding / h
            slope = (tangent(element, x + h).value - tangent(element, x - h).value) / (2 * h)
            assert tangent(element, x).slope == pytest.approx(slope, abs=1e-6)


def test_sockets_are_read_as_versions_before_4_write_them(tmp_path: Path) -> None:
    text = model(["one", "two", "three"], CHAIN)
    older = re.sub(r"(</?socket_\w+)>", r"\1_connectee_name>", text)
    found = [ro.check(ro.load(written(tmp_path, each))) for each in (text, older)]
    assert [(answer.redundancy, answer.mobility) for answer in found] == [(0, 3), (0, 3)]


@pytest.mark.parametrize(("angle", "noted"), [("3.14159265", True), ("3.141592653589793", False)])
def test_angles_with_few_digits_are_the_multiples_they_stand_for(tmp_path: Path, angle: str, noted: bool) -> None:
    """A half turn with eight decimals is 4e-9 off, and hinges that are parallel would be so only nearly."""
    loop = """<PointConstraint name="loop">
<socket_body_1>/ground</socket_body_1><location_body_1>2 1 0</location_body_1>
<socket_body_2>/bodyset/three</socket_body_2><location_body_2>-1 0 0</location_body_2></PointConstraint>"""
    straight = FRAME.format(name="B_at", body="one", at="1 0 0")
    turned = straight.replace("<orientation>0 0 0", f"<orientation>0 {angle} 0")
    found = import_file(written(tmp_path, model(["one", "two", "three"], CHAIN.replace(straight, turned), loop)))
    assert any(note.what == "angles" for note in found.report.notes) == noted
    answer = ro.check(found.model)
    assert (answer.redundancy, answer.mobility) == (1, 1)
    assert "ambiguous" not in {str(answer[joint.name].verdict) for joint in found.model.joints}


def test_angles_between_commas_are_read_as_other_numbers_are(tmp_path: Path) -> None:
    plain = model(["one", "two", "three"], CHAIN)
    commas = plain.replace("<orientation>0 0 0<", "<orientation>0, 0,0.0<")
    assert commas != plain
    assert ro.load(written(tmp_path, commas)).joints == ro.load(written(tmp_path, plain)).joints
