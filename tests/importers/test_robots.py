"""What files of robots hold beside joints and links: a world without a link, held joints, masses that cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers.pipeline import Imported, import_file
from reactio.model.notes import NoteKind

from . import four_bars
from .test_formats import numbers, written

INERTIAL = """<inertial><origin xyz="{at}"/><mass value="{mass}"/>
<inertia ixx="{J[0]}" iyy="{J[1]}" izz="{J[2]}" ixy="{J[3]}" ixz="0" iyz="0"/></inertial>"""


def imported(folder: Path, name: str, text: str, **options: object) -> Imported:
    from reactio.importers.options import options_from

    path = folder / name
    path.write_text(text, encoding="utf-8")
    return import_file(path, options_from(options))


def counts(found: Imported) -> tuple[int, int]:
    answer = ro.check(found.model)
    return answer.redundancy, answer.mobility


def urdf(joints: str, *links: str, inertial: str = "") -> str:
    listing = "".join(f'<link name="{name}">{inertial}</link>' for name in links)
    return f'<robot name="r">{listing}{joints}</robot>'


def joint(name: str, kind: str, parent: str, child: str, more: str = "", tag: str = "joint") -> str:
    inner = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="1 0 0"/>{more}'
    return f'<{tag} name="{name}" type="{kind}">{inner}</{tag}>'


def test_a_world_without_a_link_is_ground(tmp_path: Path) -> None:
    """Drake and Bullet take `world` as ground, whether a link has that name or not."""
    text = urdf(joint("A", "continuous", "world", "arm") + joint("B", "continuous", "arm", "hand"), "arm", "hand")
    found = imported(tmp_path, "a.urdf", text)
    assert counts(found) == (0, 2)
    assert [j.a.body for j in found.model.joints] == ["ground", "arm"]


@pytest.mark.parametrize(("kind", "more", "tag", "mobility"), [
    ("spherical", "", "joint", 3),
    ("ball", "", "drake:joint", 3),
    ("universal", "", "drake:joint", 2),
    ("planar", "", "drake:joint", 3),
    ("screw", '<axis xyz="0 0 1"/><drake:screw_thread_pitch value="0.01"/>', "drake:joint", 1),
])  # fmt: skip
def test_joints_that_bullet_and_drake_add_to_urdf(
    kind: str, more: str, tag: str, mobility: int, tmp_path: Path
) -> None:
    found = imported(tmp_path, "a.urdf", urdf(joint("A", kind, "base", "arm", more, tag), "base", "arm"))
    assert counts(found) == (0, mobility)


def test_a_planar_joint_of_drake_has_the_z_axis_as_normal(tmp_path: Path) -> None:
    found = imported(tmp_path, "a.urdf", urdf(joint("A", "planar", "base", "arm", tag="drake:joint"), "base", "arm"))
    (joint_,) = found.mechanism.joints
    assert joint_.frame_a.R[:, 2].tolist() == [0, 0, 1]


@pytest.mark.parametrize("tag", ["axis", "drake:axis"])
def test_an_axis_of_a_planar_joint_of_drake_is_not_its_normal(tag: str, tmp_path: Path) -> None:
    for name, text in {
        "a.urdf": urdf(joint("A", "planar", "base", "arm", f'<{tag} xyz="1 0 0"/>', "drake:joint"), "base", "arm"),
        "a.sdf": f"""<sdf version="1.9"><model name="m"><link name="a"/><drake:joint name="A" type="planar">
          <drake:parent>world</drake:parent><drake:child>a</drake:child><{tag}><xyz>1 0 0</xyz></{tag}>
          </drake:joint></model></sdf>""",
    }.items():
        found = imported(tmp_path, name, text)
        (joint_,) = found.mechanism.joints
        assert joint_.frame_a.R[:, 2].tolist() == [0, 0, 1]
        assert [note.why for note in found.report.of(NoteKind.SKIPPED) if f"<{tag}>" in note.what]


def test_the_normal_of_drake_is_written_as_each_format_reads_it() -> None:
    """An attribute of <axis> in URDF, an element inside it in SDF."""
    from reactio.importers.reading.drake_elements import without_drake_prefix
    from reactio.importers.reading.xml import parse_xml

    root = parse_xml('<r><drake:joint type="planar"><axis xyz="1 0 0"><xyz>1 0 0</xyz></axis></drake:joint></r>', "r")
    without_drake_prefix(root)
    (axis,) = root.children[0].all("axis")
    inner = axis.find("xyz")
    assert inner is not None
    assert (axis.get("xyz"), inner.text) == ("0 0 1", "0 0 1")


def test_what_drake_adds_and_is_left_out_is_named(tmp_path: Path) -> None:
    bushing = "<drake:linear_bushing_rpy><drake:bushing_frameA>f</drake:bushing_frameA></drake:linear_bushing_rpy>"
    found = imported(tmp_path, "a.sdf", four_bars.SDF.replace("</model>", f"{bushing}</model>"))
    (note,) = [note for note in found.model.notes if "drake" in note.what]
    assert note.kind is NoteKind.WARNING
    assert "linear_bushing_rpy" in note.what
    assert "reactions and motion do" in note.why


@pytest.mark.parametrize(("leader", "mimic", "mobility"), [
    ("continuous", 'multiplier="-2" offset="0.3"', 1),
    ("continuous", 'multiplier="0" offset="0.3"', 1),
    ("fixed", 'multiplier="4" offset="0.3"', 0),
])  # fmt: skip
def test_joints_follow_from_their_offset(leader: str, mimic: str, mobility: int, tmp_path: Path) -> None:
    """q = factor q₂ + offset holds in the model, also where the joint that is followed cannot move."""
    text = urdf(
        joint("A", leader, "base", "arm", '<axis xyz="0 0 1"/>')
        + joint("B", "continuous", "arm", "hand", f'<axis xyz="0 0 1"/><mimic joint="A" {mimic}/>')
        + joint("C", "continuous", "hand", "finger", '<axis xyz="0 1 0"/>'),
        "base", "arm", "hand", "finger",
    )  # fmt: skip
    found = imported(tmp_path, "a.urdf", text)
    assert counts(found) == (0, mobility + 1)
    system = ro.build(found.model)
    assert np.abs(ro.equations(system).Phi).max() < 1e-12  # the pose that was read closes
    pose = {part.name: part.pose for part in found.mechanism.parts}
    arm = pose["arm"].R if "arm" in pose else np.eye(3)
    lead, factor = np.arctan2(arm[1, 0], arm[0, 0]), float(mimic.split('"')[1]) if leader != "fixed" else 0.0
    total = lead + factor * lead + 0.3
    hand = [1 + np.cos(lead), np.sin(lead), 0]
    assert pose["finger"].r == pytest.approx([hand[0] + np.cos(total), hand[1] + np.sin(total), 0], abs=1e-12)


def chain_of_followers(*mimics: str, leader: str = "fixed") -> str:
    """Joints about z, J1 … each following the one before it, J0 the leader; links are 1 m long."""
    names = [f"l{k}" for k in range(len(mimics) + 2)]
    joints = joint("J0", leader, "l0", "l1", '<axis xyz="0 0 1"/>')
    for k, mimic in enumerate(mimics, 1):
        more = f'<axis xyz="0 0 1"/><mimic joint="J{k - 1}" {mimic}/>'
        joints += joint(f"J{k}", "continuous", names[k], names[k + 1], more)
    joints += joint("end", "continuous", names[-1], "tip", '<axis xyz="0 0 1"/>')
    return urdf(joints, *names, "tip")


def test_a_joint_that_follows_a_held_follower_is_held(tmp_path: Path) -> None:
    """q₁ = 0.3 and q₂ = −2 q₁ + 0.1 = −0.5, with a leader that is fixed or followed by a factor of 0."""
    for leader, mimic in (("fixed", 'offset="0.3"'), ("continuous", 'multiplier="0" offset="0.3"')):
        text = chain_of_followers(mimic, 'multiplier="-2" offset="0.1"', leader=leader)
        found = imported(tmp_path, f"{leader}.urdf", text)
        assert counts(found) == (0, 1 if leader == "fixed" else 2)
        tip = next(part for part in found.mechanism.parts if part.name == "tip")
        assert tip.pose.r == pytest.approx([2 + np.cos(0.3) + np.cos(-0.2), np.sin(0.3) + np.sin(-0.2), 0], abs=1e-12)


def test_joints_that_follow_each_other_are_not_held(tmp_path: Path) -> None:
    text = chain_of_followers('multiplier="2"').replace(
        'type="fixed"><parent link="l0"/>', 'type="continuous"><mimic joint="J1" multiplier="0.5"/><parent link="l0"/>'
    )
    assert counts(imported(tmp_path, "a.urdf", text)) == (1, 2)  # one of the two couplings is idle


@pytest.mark.parametrize(("word", "mobility"), [("FIXED", 1), ("SPHERICAL", None)])
def test_a_joint_that_a_list_gives_another_type_is_not_held_by_what_it_follows(
    word: str, mobility: int | None, tmp_path: Path
) -> None:
    """It stands at the zero of the joint: fixed there, or without one angle that could follow."""
    listed = f"joint_name: [J1]\njoint_type: [{word}]\n"
    (tmp_path / "robot.yaml").write_text(listed, encoding="utf-8")
    text = chain_of_followers('offset="0.3"')
    if mobility is None:
        with pytest.raises(ModelError, match="both need a rotation or a translation"):
            imported(tmp_path, "a.urdf", text)
        return
    found = imported(tmp_path, "a.urdf", text)
    assert counts(found) == (0, mobility)
    assert any(note.what == "mimic of 'J1'" for note in found.report.of(NoteKind.SKIPPED))
    tip = next(part for part in found.mechanism.parts if part.name == "tip")
    assert tip.pose.r == pytest.approx([3, 0, 0], abs=1e-15)


def test_a_fixed_joint_that_follows_stays_fixed(tmp_path: Path) -> None:
    text = urdf(
        joint("A", "continuous", "base", "arm") + joint("B", "fixed", "arm", "hand", '<mimic joint="A"/>'),
        "base", "arm", "hand",
    )  # fmt: skip
    found = imported(tmp_path, "a.urdf", text)
    assert counts(found) == (0, 1)
    assert any(note.what == "mimic of 'B'" for note in found.report.of(NoteKind.SKIPPED))


@pytest.mark.parametrize(("at", "J", "moments"), [
    ("0 0 0", (0.1, 0.2, 0.30015, 0), (0.1, 0.2, 0.3)),  # a plate with four digits
    ("0.1 0 0", (0, 0, 0, 2e-35), (0, 0, 0)),  # a point but for rounding
    ("0.1 0 0", (1e-21, 1e-21, 1e-21, 0), (0, 0, 0)),  # and another
    ("0 0 0", (0, 0.2, 0.2, 0), (0, 0.2, 0.2)),  # a thin rod
])  # fmt: skip
def test_inertia_with_the_digits_of_a_file(
    at: str, J: tuple[float, ...], moments: tuple[float, ...], tmp_path: Path
) -> None:
    text = urdf(joint("A", "continuous", "base", "arm", '<axis xyz="0 0 1"/>'), "base", "arm",
                inertial=INERTIAL.format(at=at, mass=2, J=J))  # fmt: skip
    model = imported(tmp_path, "a.urdf", text).model
    assert model.bodies[0].inertia[:3] == pytest.approx(moments, abs=1e-15)
    system = ro.build(model)
    ro.reactions(ro.equations(system, ro.assemble(system)))


def test_points_welded_at_one_place_are_a_point(tmp_path: Path) -> None:
    """Steiner's terms of places that agree but for rounding are no inertia."""
    point = INERTIAL.format(at="{at}", mass=0.3, J=(0, 0, 0, 0))
    text = urdf(
        joint("A", "continuous", "base", "arm", '<axis xyz="0 0 1"/>') + joint("W", "fixed", "arm", "tip"), "base"
    ).replace("</robot>", "")
    text += f"""<link name="arm">{point.format(at="1.1 0.1 0")}</link>
      <link name="tip">{point.format(at="0.10000000000000001 0.1 6e-18")}</link></robot>"""
    body = imported(tmp_path, "a.urdf", text).model.bodies[0]
    assert body.mass == pytest.approx(0.6)
    assert not any(body.inertia)


def test_an_inertia_that_no_body_has_is_left_out_with_a_warning(tmp_path: Path) -> None:
    """Verdicts need no masses: a file with one impossible inertia still has a geometry."""
    text = urdf(joint("A", "continuous", "base", "arm"), "base", "arm",
                inertial=INERTIAL.format(at="0 0 0", mass=1, J=(1, 1, 5, 0)))  # fmt: skip
    found = imported(tmp_path, "a.urdf", text)
    assert counts(found) == (0, 1)
    assert found.model.bodies[0].mass is None
    assert any("exceeds the sum" in note.why and "--mend-inertia" in note.why for note in found.model.notes)
    mended = imported(tmp_path, "a.urdf", text, mend_inertia=True)
    assert mended.model.bodies[0].mass == 1.0
    assert mended.model.bodies[0].inertia[:3] == pytest.approx((1, 1, 2))  # the largest moment is the sum of the others


def test_a_wrist_whose_axes_meet_but_for_rounding(tmp_path: Path) -> None:
    """Points of a body that are apart by rounding say nothing of its size."""
    text = "".join(
        f'<joint name="{name}" type="continuous"><parent link="{a}"/><child link="{b}"/>'
        f'<origin xyz="{at}"/><axis xyz="{axis}"/></joint>'
        for name, a, b, at, axis in (
            ("A", "base", "arm", "0.2 0 0", "0 0 1"),
            ("B", "arm", "one", "0.1 0 0", "1 0 0"),
            ("C", "one", "two", "1e-17 0 0", "0 1 0"),
            ("D", "two", "hand", "0 3e-18 0", "0 0 1"),
        )
    )
    found = imported(tmp_path, "a.urdf", urdf(text, "base", "arm", "one", "two", "hand"))
    assert counts(found) == (0, 4)
    assert ro.build(found.model).length == pytest.approx(0.1)  # of the arm, the one body that has two points


SDF_WORLD = """<sdf version="1.9"><world name="w">
  <model name="crank"><link name="l"/></model>
  <model name="rocker"><pose>1 0 0 0 0 0</pose><link name="l"/></model>
  <frame name="pivot" attached_to="rocker::l"><pose relative_to="rocker">0 1 0 0 0 0</pose></frame>
  <joint name="A" type="revolute"><parent>world</parent><child>crank::l</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="B" type="revolute"><parent>crank::l</parent><child>pivot</child><axis><xyz>0 0 1</xyz></axis></joint>
</world></sdf>"""


def test_joints_of_an_sdf_world_connect_its_models(tmp_path: Path) -> None:
    found = imported(tmp_path, "a.sdf", SDF_WORLD)
    assert counts(found) == (0, 2)
    (pivot,) = [joint for joint in found.mechanism.joints if joint.name == "B"]
    assert pivot.frame_b.r.tolist() == [0, 1, 0]


def test_a_slide_of_sdf_that_follows_a_turn_from_its_reference(tmp_path: Path) -> None:
    """SDF: q = multiplier (q₂ − reference) + offset."""
    mimic = """<axis><xyz>0 0 1</xyz><mimic joint="A"><multiplier>0.5</multiplier><offset>0.2</offset>
      <reference>0.1</reference></mimic></axis>"""
    text = f"""<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>
      <joint name="A" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
      <joint name="B" type="prismatic"><parent>a</parent><child>b</child>{mimic}</joint></model></sdf>"""
    found = imported(tmp_path, "a.sdf", text)
    assert counts(found) == (0, 1)
    pose = {part.name: part.pose for part in found.mechanism.parts}
    turn = np.arctan2(pose["a"].R[1, 0], pose["a"].R[0, 0])
    assert pose["b"].r[2] == pytest.approx(0.5 * (turn - 0.1) + 0.2, abs=1e-12)


WELDED = """<mujoco><worldbody><body name="a" pos="0.3 0 0" euler="0 0 20"><joint axis="1 0 0"/>{mass}
 <body name="b" pos="0 1 0"><joint axis="1 0 0"/>{mass}<body name="c" pos="0 0 2" euler="40 0 0"><joint axis="1 0 0"/>
 {mass}<body name="d" pos="0 -1 0"><joint axis="1 0 0"/>{mass}</body></body></body></body></worldbody>
 <equality><weld body1="a" body2="d" anchor="0.1 0.2 0.4"/></equality></mujoco>""".replace(
    "{mass}", '<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>'
)


def test_a_weld_of_mujoco_with_an_anchor_stands_closed(tmp_path: Path) -> None:
    """MuJoCo holds the bodies as they stand: no pose has to be found, and rows minus rank of its efc_J is p."""
    mujoco = pytest.importorskip("mujoco")
    found = imported(tmp_path, "a.xml", WELDED)
    assert max((gap.before for gap in found.report.gaps), default=0.0) < 1e-12
    model = mujoco.MjModel.from_xml_string(WELDED)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    J = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(J, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
    else:
        J = data.efc_J.reshape(-1, model.nv)
    rank = np.linalg.matrix_rank(J[: data.ne], tol=1e-9)
    assert counts(found) == (data.ne - rank, model.nv - rank)


def test_what_the_compiler_of_mujoco_warns_of_is_a_note(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    text = WELDED.replace("<worldbody>", '<compiler settotalmass="3"/><worldbody>')
    found = imported(tmp_path, "a.xml", text)
    assert any("settotalmass" in note.why for note in found.report.of(NoteKind.WARNING))


@pytest.mark.parametrize("joint", [
    '<pose relative_to="coupler">2 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>',
    '<pose relative_to="B">2 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>',  # a joint stands where its child does
    '<pose degrees="true" relative_to="__model__">2 1 0 0 90 0</pose>'
    '<axis><xyz expressed_in="coupler">0 0 1</xyz></axis>',
])  # fmt: skip
def test_joints_of_gazebo_on_frames_that_they_name(joint: str, tmp_path: Path) -> None:
    """The same hinge at (2, 1, 0) along z, written in three ways."""
    text = four_bars.GAZEBO.replace("<pose>0 1 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>", joint)
    path = written(tmp_path, "robot.urdf", four_bars.URDF.replace("{loop}", text))
    found = import_file(path)
    assert numbers(found.model) == (3, 1)
    pivot = next(one for one in found.mechanism.joints if one.name == "C")
    at = found.mechanism.pose_of(pivot.a) @ pivot.frame_a
    assert at.r.tolist() == pytest.approx([2, 1, 0])
    assert at.R[:, 2].tolist() == pytest.approx([0, 0, 1])


def test_the_cross_of_a_universal_joint_of_gazebo(tmp_path: Path) -> None:
    """The first axis is that of the parent, the second one that of the child."""
    cross = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>"
    text = four_bars.GAZEBO.replace("<axis><xyz>0 0 1</xyz></axis>", cross).replace("revolute", "universal")
    path = written(tmp_path, "robot.urdf", four_bars.URDF.replace("{loop}", text))
    joint = next(one for one in import_file(path).mechanism.joints if one.name == "C")
    assert np.abs(joint.frame_a.R[:, 0]).tolist() == pytest.approx([0, 0, 1])
    assert np.abs(joint.frame_b.R[:, 1]).tolist() == pytest.approx([1, 0, 0])


def test_what_a_world_says_beside_its_joints(tmp_path: Path) -> None:
    """Links that do not fall, and a version that is newer than all that are known."""
    falls = '<link name="crank"><gravity>0</gravity></link>'
    text = four_bars.SDF.replace('"1.9"', '"1.90"').replace('<link name="crank"/>', falls)
    found = import_file(written(tmp_path, "world.sdf", text))
    assert numbers(found.model) == (3, 1)
    said = [note.what for note in found.report.of(NoteKind.WARNING) if note.what != "masses"]
    assert said == ["version", "gravity of 'crank'"]


@pytest.mark.parametrize(("version", "axis"), [("1.4", [0, 0, 1]), ("1.9", [1, 0, 0]), ("1.10", [1, 0, 0])])
def test_axes_are_in_the_frame_of_the_joint_from_version_1_5_on(version: str, axis: list[int], tmp_path: Path) -> None:
    """A joint that is turned by a quarter about y; 1.10 is newer than 1.9."""
    text = f"""<sdf version="{version}"><model name="m"><link name="a"/><joint name="A" type="revolute">
      <parent>world</parent><child>a</child>
      <pose>0 0 0 0 1.5707963267948966 0</pose><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
    (joint,) = import_file(written(tmp_path, "m.sdf", text)).mechanism.joints
    assert joint.frame_a.R[:, 2].tolist() == pytest.approx(axis, abs=1e-12)  # rounding of the quarter turn


def test_negligible_inertia_is_zero(tmp_path: Path) -> None:
    """A cart of 10 kg that never turns, with moments of 1e-20 kg m², and a pole."""
    text = """<sdf version="1.9"><model name="m">
      <link name="cart"><inertial><mass>10</mass><inertia><ixx>1e-20</ixx><iyy>1e-20</iyy><izz>1e-20</izz></inertia>
      </inertial></link><link name="pole"><pose>0 0 -1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
      <joint name="A" type="prismatic"><parent>world</parent><child>cart</child><axis><xyz>1 0 0</xyz></axis></joint>
      <joint name="B" type="revolute"><parent>cart</parent><child>pole</child><axis><xyz>0 1 0</xyz></axis></joint>
      </model></sdf>"""
    found = import_file(written(tmp_path, "cart.sdf", text))
    assert numbers(found.model) == (0, 2)
    assert (found.model.bodies[0].mass, set(found.model.bodies[0].inertia)) == (10.0, {0.0})
    assert any(note.what == "inertia of 'cart'" for note in found.report.of(NoteKind.REMARK))
