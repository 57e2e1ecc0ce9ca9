"""FreeCAD assemblies as people draw them: joints that FreeCAD leaves out, distances of faces, wheels on shafts."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio as ro
from reactio.importers.pipeline import Imported, import_file
from tests.importers import four_bars

TYPES = ("Fixed", "Revolute", "Distance", "Gears")
Reference = tuple[str, list[str], float]  # the part, the elements on it, and its place along x [mm]
GivenJoint = tuple[str, list[Reference], str]  # its type, references and further properties


def assembly(path: Path, places: dict[str, float], joints: dict[str, GivenJoint]) -> Imported:
    """An assembly of parts at places along x [mm] on a grounded base; joints by type, references and properties."""
    parts = {"Base": 0.0} | places
    listing = "".join(f'<Object type="App::Link" name="{name}"/>' for name in parts)
    listing += "".join(f'<Object type="App::FeaturePython" name="{name}"/>' for name in (*joints, "G"))
    data = "".join(
        f'<Object name="{name}"><Properties>{four_bars.placement("Placement", x, 0)}</Properties></Object>'
        for name, x in parts.items()
    )
    words = "".join(f'<Enum value="{kind}"/>' for kind in TYPES)
    for name, (kind, references, more) in joints.items():
        properties = f'<Integer value="{TYPES.index(kind)}"/><CustomEnumList>{words}</CustomEnumList>'
        properties = f'<Property name="JointType">{properties}</Property>{more}'
        for side, (part, elements, x) in enumerate(references, start=1):
            subs = "".join(f'<Sub value="{element}"/>' for element in elements)
            properties += f'<Property name="Reference{side}"><XLink name="{part}">{subs}</XLink></Property>'
            properties += four_bars.placement(f"Placement{side}", x, 0)
        data += f'<Object name="{name}"><Properties>{properties}</Properties></Object>'
    ground = '<Property name="ObjectToGround"><Link value="Base"/></Property>'
    data += f'<Object name="G"><Properties>{ground}</Properties></Object>'
    text = f'<Document SchemaVersion="4"><Objects>{listing}</Objects><ObjectData>{data}</ObjectData></Document>'
    return import_file(four_bars.fcstd(path / "a.FCStd", text))


def hinge(one: str, x1: float, two: str, x2: float) -> GivenJoint:
    return "Revolute", [(one, [], x1), (two, [], x2)], ""


def number(name: str, value: float) -> str:
    return f'<Property name="{name}"><Float value="{value}"/></Property>'


@pytest.mark.parametrize(
    "references",
    [[("Arm", ["Face1"], 0.0), ("Arm", ["Face2"], 5.0)], [("Arm", ["Face1"], 0.0)], [("Base", [], 0.0)] * 2],
    ids=["one part", "one reference", "ground"],
)
def test_joints_that_freecad_leaves_out_are_named(tmp_path: Path, references: list[Reference]) -> None:
    """Both ends on one part, as inside a rigid sub-assembly, or a reference to a part that was deleted."""
    imported = assembly(tmp_path, {"Arm": 0.0}, {"A": hinge("Base", 0, "Arm", 0), "Left": ("Fixed", references, "")})
    answer = ro.check(imported.model)
    assert (answer.redundancy, answer.mobility) == (0, 1)
    assert [note.what for note in imported.report.notes if "FreeCAD leaves it out" in note.why] == ["joint 'Left'"]


@pytest.mark.parametrize(("point", "distance"), [("Vertex7", 20.0), ("Face1", -20.0)])
def test_a_distance_is_of_the_elements_not_of_the_points_on_them(tmp_path: Path, point: str, distance: float) -> None:
    """A reference names a face, and the vertex of it where the joint was placed: two faces slide on each other."""
    references = [("Base", ["Face1", point], 0.0), ("Arm", ["Face2", "Vertex3"], 0.0)]
    model = assembly(tmp_path, {"Arm": 0.0}, {"D": ("Distance", references, number("Distance", distance))}).model
    assert [joint.type for joint in model.joints] == ["planar"]
    assert ro.check(model).mobility == 3


@pytest.mark.parametrize("fixed", [{"W", "V"}, {"W"}, {"V"}, set()])
def test_wheels_fixed_on_shafts_turn_with_them(tmp_path: Path, fixed: set[str]) -> None:
    """A wheel and its shaft are one body, and so are the base and a bearing; radii of 10 and 20 mm: ω_v = −½ ω_w."""
    joints: dict[str, GivenJoint] = {"B": ("Fixed", [("Base", [], 0.0), ("Bearing", [], 0.0)], "")}
    parts = {"Bearing": 0.0}
    for wheel, x in (("W", 0.0), ("V", 30.0)):
        parts |= {wheel: x}
        shaft = f"{wheel}s" if wheel in fixed else wheel
        if wheel in fixed:
            parts |= {shaft: x}
            joints[f"fix {wheel}"] = ("Fixed", [(wheel, [], 0.0), (shaft, [], 0.0)], "")
        joints[f"hinge {wheel}"] = hinge("Bearing" if wheel == "V" else "Base", x, shaft, 0)
    radii = number("Distance", 10.0) + number("Distance2", 20.0)
    joints["gear"] = ("Gears", [("W", ["Face1"], 0.0), ("V", ["Face1"], 0.0)], radii)
    model = assembly(tmp_path, parts, joints).model
    assert (len(model.bodies), ro.check(model).mobility, ro.check(model).redundancy) == (2, 1, 0)
    (coupling,) = model.couplings
    assert [along.joint for along in coupling.along] == ["hinge_W", "hinge_V"]
    assert coupling.parameters["ratio"] == pytest.approx(-2.0)
