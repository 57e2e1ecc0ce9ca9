"""The same four-bar from every format: p = 3, mobility 1, and what each format adds."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio as ro
from reactio.errors import AssemblyError
from reactio.exporters import export
from reactio.importers.pipeline import import_file
from reactio.model.notes import NoteKind

from . import four_bars


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def numbers(model: ro.Model) -> tuple[int, int]:
    answer = ro.check(model)
    return answer.redundancy, answer.mobility


FILES = {
    "two_parents.urdf": four_bars.URDF.replace("{loop}", four_bars.TWO_PARENTS),
    "gazebo.urdf": four_bars.URDF.replace("{loop}", four_bars.GAZEBO),
    "four_bar.sdf": four_bars.SDF,
    "four_bar.adm": four_bars.ADAMS,
    "by_content.xml": four_bars.SDF,
}


@pytest.mark.parametrize("name", FILES)
def test_a_four_bar_in_space_is_three_times_redundant(name: str, tmp_path: Path) -> None:
    model = ro.load(written(tmp_path, name, FILES[name]))
    assert numbers(model) == (3, 1)
    assert len(model.joints) == 4


def test_loops_listed_next_to_a_tree(tmp_path: Path) -> None:
    """The cut hinge closes by a weld of a massless link: 4 moving links, p and mobility as before."""
    text = four_bars.URDF.replace("{loop}", four_bars.FRAMES)
    path = written(tmp_path, "arm.urdf", text)
    loops = written(tmp_path, "loops.yaml", four_bars.LOOPS)
    model = ro.load(path, loops=loops)
    assert numbers(model) == (3, 1)
    assert "loop left~end" in model.joint_index
    written(tmp_path, "robot.yaml", four_bars.LOOPS)
    assert numbers(ro.load(path)) == (3, 1)


def test_freecad_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    imported = import_file(four_bars.fcstd(tmp_path / "a.FCStd"))
    assert numbers(imported.model) == (3, 1)
    assert imported.model.bodies[0].mass is None
    assert any("no known mass" in note.why for note in imported.report.of(NoteKind.WARNING))


def test_mujoco_model_by_its_content(tmp_path: Path) -> None:
    """Two connects on one line are 6 rows of rank 5: 3 spatial redundancies of the four-bar and one more."""
    pytest.importorskip("mujoco")
    imported = import_file(written(tmp_path, "m.xml", four_bars.MJCF))
    assert numbers(imported.model) == (4, 1)
    assert {"connect coupler~rocker", "connect coupler~rocker_2"} <= set(imported.model.joint_index)


def test_equality_rows_of_mujoco_agree(tmp_path: Path) -> None:
    """p from MuJoCo's own equality Jacobian: rows − rank."""
    mujoco = pytest.importorskip("mujoco")
    np = pytest.importorskip("numpy")
    model = mujoco.MjModel.from_xml_string(four_bars.MJCF)
    data = mujoco.MjData(model)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    mujoco.mj_forward(model, data)
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    J = data.efc_J.reshape(-1, model.nv)[rows]
    ours = numbers(import_file(written(tmp_path, "m.xml", four_bars.MJCF)).model)
    assert ours[0] == len(J) - np.linalg.matrix_rank(J)


def test_motions_of_a_file_are_drives_when_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "d.adm", four_bars.ADAMS)
    assert not ro.load(path).drives
    (drive,) = ro.load(path, drives=True).drives
    assert str(drive.along) == "A.rotation"
    assert ro.load(path).gravity == pytest.approx((0.0, -9.80665, 0.0))


def test_imported_models_are_written_and_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, "g.urdf", FILES["gazebo.urdf"])
    imported = import_file(path)
    export(imported.model, tmp_path / "g.yaml", imported.report.lines())
    text = (tmp_path / "g.yaml").read_text(encoding="utf-8")
    assert text.startswith("# g.urdf (urdf)")
    assert "at: [2.0, 1.0, 0.0]" in text
    assert numbers(ro.load(tmp_path / "g.yaml")) == (3, 1)


def test_names_that_expressions_cannot_use(tmp_path: Path) -> None:
    text = FILES["gazebo.urdf"].replace('"crank"', '"left-arm/crank.1"')
    assert "left_arm_crank_1" in ro.load(written(tmp_path, "n.urdf", text)).body_index


def test_a_welded_part_adds_its_inertia(tmp_path: Path) -> None:
    """Two cubes of 1 kg, 2 m apart: J_zz = 2·0.1 + 2·1·1² (Steiner)."""
    extra = (
        '<link name="tip"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial></link><joint name="w" type="fixed"><parent link="rocker"/><child link="tip"/>'
        '<origin xyz="0 2 0"/></joint>'
    )
    body = ro.load(written(tmp_path, "w.urdf", four_bars.URDF.replace("{loop}", extra + four_bars.GAZEBO))).body(
        "rocker"
    )
    assert body.mass == pytest.approx(2.0)
    assert body.center == pytest.approx((0.0, 1.0, 0.0))
    assert body.inertia[2] == pytest.approx(2.2)


def test_axes_the_wrong_way_round_are_refused() -> None:
    """Products of axes vanish at half turns too: a joint that closes like this is another mechanism."""
    import numpy as np

    from reactio.importers.conversion.convert import nearest_admissible_pose
    from reactio.importers.mechanism import ImportedJoint
    from reactio.importers.pose import Pose, rotation

    joint = ImportedJoint("A", "revolute", "a", "b", Pose(), Pose())
    assert nearest_admissible_pose(joint, Pose(np.array([0.0, 0.0, 1e-9]), rotation((0, 0, 1), 2.0))).r[2] == 0.0
    with pytest.raises(AssemblyError, match="only with opposed axes"):
        nearest_admissible_pose(joint, Pose(np.zeros(3), rotation((1, 0, 0), np.pi)))


# A base and three boxes: the first in a part, the second two in a sub-assembly that copies another.
NESTED = """<Document SchemaVersion="4"><Objects>{listing}</Objects><ObjectData>{data}</ObjectData></Document>"""


def nested(folder: Path, rigid: str) -> Path:
    """Base, Part(Body) and a sub-assembly Sub(One, Two) that copies Source, with hinges at x = 0, 1 and 2 m."""
    types = {"Base": "Part::Feature", "Part": "App::Part", "Body": "PartDesign::Body", "One": "App::Link",
             "Two": "App::Link", "Top": "Assembly::AssemblyObject", "Source": "Assembly::AssemblyObject",
             "Sub": "Assembly::AssemblyLink", "Joints": "Assembly::JointGroup",
             "Joints0": "Assembly::JointGroup"}  # fmt: skip
    group = {"Top": ["Base", "Part", "Sub"], "Part": ["Body"], "Sub": ["One", "Two", "Joints"], "Joints": ["Inner"],
             "Source": ["Joints0"], "Joints0": ["Inner0"]}  # fmt: skip
    at = {"Body": 300.0, "Part": 200.0, "Sub": 1000.0, "One": 0.0, "Two": 500.0}
    joints = {  # each placement is on the last object of its path
        "A": ("Top", "Base.Face1", 0.0, "Top", "Part.Body.Pad.Face1", -500.0),
        "B": ("Top", "Part.Body.Face2", 500.0, "Top", "Sub.One.Face1", 0.0),
        "Inner": ("Sub", "One.Face2", 1000.0, "Sub", "Two.Face1", 500.0),
        "Inner0": ("Source", "One.Face2", 1000.0, "Source", "Two.Face1", 500.0),
    }
    listing = "".join(f'<Object type="{kind}" name="{name}"/>' for name, kind in types.items())
    listing += "".join(f'<Object type="App::FeaturePython" name="{name}"/>' for name in (*joints, "G"))
    own = {"Sub": f'<Property name="Rigid"><Bool value="{rigid}"/></Property>'
                  '<Property name="LinkedObject"><XLink file="" name="Source"/></Property>'}  # fmt: skip
    data = ""
    for name in types:
        held = "".join(f'<Link value="{child}"/>' for child in group.get(name, ()))
        listed = f'<Property name="Group"><LinkList>{held}</LinkList></Property>' if held else ""
        place = four_bars.placement("Placement", at.get(name, 0.0), 0.0)
        data += f'<Object name="{name}"><Properties>{place}{listed}{own.get(name, "")}</Properties></Object>'
    for name, (one, sub1, x1, two, sub2, x2) in joints.items():
        data += (
            f'<Object name="{name}"><Properties><Property name="JointType"><Integer value="1"/><CustomEnumList>'
            '<Enum value="Fixed"/><Enum value="Revolute"/></CustomEnumList></Property>'
            f'<Property name="Reference1"><XLink name="{one}"><Sub value="{sub1}"/></XLink></Property>'
            f'<Property name="Reference2"><XLink name="{two}"><Sub value="{sub2}"/></XLink></Property>'
            f"{four_bars.placement('Placement1', x1, 0)}{four_bars.placement('Placement2', x2, 0)}"
            "</Properties></Object>"
        )
    grounded = '<Property name="ObjectToGround"><Link value="Base"/></Property>'
    data += f'<Object name="G"><Properties>{grounded}</Properties></Object>'
    return four_bars.fcstd(folder / "nested.FCStd", NESTED.replace("{listing}", listing).replace("{data}", data))


@pytest.mark.parametrize(("rigid", "parts"), [("true", {"Part", "Sub"}), ("false", {"Part", "One", "Two"})])
def test_paths_of_freecad_through_parts_and_sub_assemblies(rigid: str, parts: set[str], tmp_path: Path) -> None:
    """Every hinge closes as it stands, so that each is where the file has it; a rigid sub-assembly is one body."""
    found = import_file(nested(tmp_path, rigid))
    assert {body.name for body in found.model.bodies} == parts
    assert numbers(found.model) == (0, len(parts))
    assert not found.report.gaps
    assert any("'Inner0'" in note.what for note in found.report.of(NoteKind.SKIPPED))


def test_sdf_places_a_model_by_a_frame_of_its_own(tmp_path: Path) -> None:
    """With placement_frame the pose of a nested model is that of its link, 1 m along x in the model, turned by π/2."""
    text = """<sdf version="1.9"><model name="outer"><link name="base"/>
      <joint name="hold" type="fixed"><parent>world</parent><child>base</child></joint>
      <model name="arm" placement_frame="tip"><pose>0 0 3 0 0 0</pose>
        <link name="root"/><link name="tip"><pose>1 0 0 0 0 1.5707963267948966</pose></link>
        <joint name="bend" type="revolute"><parent>root</parent><child>tip</child><axis><xyz>0 0 1</xyz></axis></joint>
      </model>
      <joint name="turn" type="revolute"><parent>base</parent><child>arm::root</child>
        <axis><xyz>1 0 0</xyz></axis></joint>
    </model></sdf>"""
    bodies = {body.name: body for body in import_file(written(tmp_path, "a.sdf", text)).model.bodies}
    assert bodies["tip"].position == pytest.approx((0.0, 0.0, 3.0), abs=1e-12)
    assert bodies["root"].position == pytest.approx((0.0, 1.0, 3.0), abs=1e-12)
