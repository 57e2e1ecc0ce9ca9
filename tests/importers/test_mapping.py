"""Single rows of the mapping from other formats, each against a count or a number that is known otherwise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.model.notes import NoteKind
from reactio.system.compile.build import build
from reactio.system.equations import equations

from . import four_bars
from .test_formats import numbers, written

FRAMES = four_bars.URDF.replace("{loop}", four_bars.FRAMES)
RETYPED = """closed_loop: [['left', 'end']]
type: ['6D']
name_mot: ['A']
joint_name: ['B', 'D']
joint_type: ['SPHERICAL', 'UJOINT_XY']
"""


def test_a_list_next_to_the_file_gives_joint_types(tmp_path: Path) -> None:
    """R S U and a weld with a hinge behind it: 5 + 3 + 4 + 5 + 6 equations for 4 links, one of them idle."""
    path = written(tmp_path, "robot.urdf", FRAMES)
    written(tmp_path, "robot.yaml", RETYPED)
    model = ro.load(path)
    types = {joint.name: joint.type for joint in model.joints}
    assert (types["B"], types["D"]) == ("spherical", "universal")
    assert numbers(model) == (0, 1)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("'SPHERICAL'", "'SPHERIC'", "Did you mean 'SPHERICAL'"),
    ("'UJOINT_XY'", "'UJOINT_XX'", "not known"),
    ("['B', 'D']", "['B']", "each joint needs one type"),
    ("['B', 'D']", "['B', 'Q']", "not a joint"),
])  # fmt: skip
def test_lists_that_are_wrong(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, "robot.urdf", FRAMES)
    written(tmp_path, "robot.yaml", RETYPED.replace(old, new))
    with pytest.raises(ModelError, match=words):
        ro.load(path)


def test_motors_hold_their_joints_where_the_assembly_left_them(tmp_path: Path) -> None:
    """The tree is drawn 0.1 m away from closing; the held angle is that of the closed pose."""
    path = written(tmp_path, "robot.urdf", FRAMES.replace('xyz="2 0 0"', 'xyz="2.1 0 0"', 1))
    written(tmp_path, "robot.yaml", "closed_loop: [[left, end]]\ntype: [3d]\nname_mot: [A]\n")
    model = ro.load(path, drives=True)
    (drive,) = model.drives
    assert str(drive.along) == "A.rotation"
    assert np.abs(equations(build(model)).Phi).max() < 1e-12  # all joints and the drive, to rounding


def test_angles_with_few_digits_are_parts_of_pi(tmp_path: Path) -> None:
    """An axis given as x and turned by 1.5708 is y: the loop of three hinges and a ball is redundant once."""
    text = """<robot name="r"><link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
    <joint name="A" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 1 0"/></joint>
    <joint name="B" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0.25 0 0.5"/>
      <axis xyz="0 1 0"/></joint>
    <joint name="C" type="continuous"><parent link="base"/><child link="rocker"/>
      <origin xyz="1 0 0" rpy="0 0 1.5708"/><axis xyz="1 0 0"/></joint>
    <constraint name="D" type="ball"><parent link="coupler"/><parent_origin xyz="0.75 0 0.25"/>
      <child link="rocker"/><child_origin xyz="0 0 0.75"/></constraint></robot>"""
    assert numbers(ro.load(written(tmp_path, "r.urdf", text))) == (1, 1)
    commas = text.replace('"0 0 1.5708"', '"0, 0,1.5708"')
    assert numbers(ro.load(written(tmp_path, "commas.urdf", commas))) == (1, 1)


MJCF = """<mujoco><compiler angle="radian"/><worldbody>
 <body name="torso" pos="0 0 1"><joint name="uz" axis="0 0 1"/><joint name="uy" axis="0 1 0"/><geom size=".1"/>
  <body name="thigh" pos="0 .1 -.2"><joint axis="1 0 0"/><joint axis="0 0 1"/><joint axis="0 1 0"/><geom size=".1"/>
   <body name="shin" pos="0 0 -.4"><joint name="knee" axis="0 1 0"/><geom size=".1"/></body></body>
  <body name="table" pos="0.2 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
   <joint axis="0 0 1"/><geom size=".05"/></body>
  <body name="nut" pos="0 0.3 .3"><joint name="turn" axis="0 0 1"/><joint name="lift" type="slide" axis="0 0 -1"/>
   <geom size=".05"/></body></body>
 <body name="a" pos="3 0 0"><joint name="ja" axis="0 0 1"/><geom size=".1"/>
  <body name="b" pos="1 0 0"><joint name="jb" axis="0 0 1"/><geom size=".1"/>
   <body name="c" pos="1 0 0"><joint name="jc" axis="0 0 1"/><geom size=".1"/></body></body></body>
 <body name="d" pos="7 0 0"><joint name="jd" axis="0 0 1"/><geom size=".1"/></body>
 <body name="free" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><fixed name="t1"><joint joint="ja" coef="1"/><joint joint="jb" coef="-2"/></fixed>
 <fixed name="t2"><joint joint="jc" coef="1"/></fixed></tendon>
<equality><connect body1="shin" body2="free" anchor="0 0 -.4"/>
 <joint joint1="turn" joint2="lift" polycoef="0.1 2 0 0 0"/><tendon tendon1="t1" tendon2="t2"/>
 <joint name="lock" joint1="jd" polycoef="0.3 0 0 0 0"/></equality>
<actuator><position joint="ja" kp="10"/><motor joint="jb" gear="2"/></actuator>
<keyframe><key name="k" qpos="0 0 0 0 0 0 0 0 0 0.1 0 0.1 0.2 -0.3 0.3 1 0 1 1 0 0 0" ctrl="0 1.5"/></keyframe>
</mujoco>"""


def test_joints_and_equalities_of_mujoco(tmp_path: Path) -> None:
    """p and mobility of MuJoCo's own equality rows; several joints of a body are one where one is known."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(model)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    mujoco.mj_forward(model, data)
    J = data.efc_J.reshape(-1, model.nv)[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    rank = np.linalg.matrix_rank(J)
    ours = ro.load(written(tmp_path, "m.xml", MJCF))
    assert numbers(ours) == (len(J) - rank, model.nv - rank)
    assert {"universal", "spherical", "planar"} <= {joint.type for joint in ours.joints}
    assert np.abs(equations(build(ours)).Phi).max() < 1e-12


def test_servos_and_motors_of_mujoco(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    model = ro.load(written(tmp_path, "m.xml", MJCF), pose="k", drives=True)
    assert [str(drive.along) for drive in model.drives] == ["ja.rotation"]
    motor = next(force for force in model.forces if force.name == "motor jb")
    assert motor.parameters["effort"].value == 3.0  # gear 2 times control 1.5


ADAMS = """title
PART/1, GROUND
MARKER/1, PART = 1
MARKER/2, PART = 1, QP = 0, 0, 1
PART/2, MASS = 2, CM = 3, IM = 4, IP = 5, 6, 7, 0.1, 0.2, 0.3
MARKER/3, PART = 2, QP = 0, 0, 0.5
MARKER/4, PART = 2, QP = 1, 0, 0.5
"""


def test_inertia_of_adams(tmp_path: Path) -> None:
    """Products are ∫xy dm, about the inertia marker, here 1 m along x from the centre of a part of 2 kg."""
    (body,) = ro.load(written(tmp_path, "a.adm", ADAMS + "JOINT/1, REVOLUTE, I = 3, J = 2\nEND\n")).bodies
    assert body.inertia == pytest.approx((5, 6 - 2, 7 - 2, -0.1, -0.2, -0.3))
    assert body.center == pytest.approx((0, 0, 0.5))


@pytest.mark.parametrize(("joints", "types", "expected"), [
    ("JOINT/1, CYLINDRICAL, I = 3, J = 2\nJOINT/2, SCREW, I = 3, J = 2, PITCH = 0.1\n",
     {"cylindrical", "thread"}, (0, 1)),
    ("JOINT/2, SCREW, I = 3, J = 2, PITCH = 0.1\n", {"screw"}, (0, 1)),
    ("JPRIM/1, PARALLEL_AXES, I = 3, J = 2\nJPRIM/2, INPLANE, I = 3, J = 2\n",
     {"parallel-axes", "point-on-plane"}, (0, 3)),
    ("JPRIM/1, ORIENTATION, I = 3, J = 2\nJPRIM/2, ATPOINT, I = 3, J = 2\nJPRIM/3, INLINE, I = 3, J = 2\n",
     {"orientation", "spherical", "point-on-line"}, (2, 0)),
    ("GCON/1, FUNCTION = DM(3, 1) - 0.5\n", {"distance"}, (0, 5)),
])  # fmt: skip
def test_joints_of_adams(joints: str, types: set[str], expected: tuple[int, int], tmp_path: Path) -> None:
    model = ro.load(written(tmp_path, "a.adm", ADAMS + joints + "END\n"))
    assert {joint.type for joint in model.joints} == types
    assert numbers(model) == expected


@pytest.mark.parametrize(("preload", "length"), [("+ 10.0", 2.1), ("+ -10.0", 1.9), ("- -10.0", 2.1)])
def test_springs_of_adams(tmp_path: Path, preload: str, length: float) -> None:
    """Functions as Adams View writes them over several lines: 100 N/m, rest at 2 m and 10 N more, and in degrees."""
    loads = """JOINT/1, REVOLUTE, I = 3, J = 2
SFORCE/1
, TRANSLATIONAL
, I = 4
, J = 1
, FUNCTION =  - 100.0*(dm(4,1)-2.0)
, - 1.0*vr(4,1)
, + 10.0
SFORCE/2, ROTATIONAL, I = 3, J = 2, FUNCTION = - 1.0*RTOD*(az(3,2)-30.0*DTOR) - 5.0E-002*RTOD*wz(3,2,2)
VFORCE/1, I = 3, JFLOAT = 1, RM = 1
, FX = 10*time\\
, FY = 3.0\\
END
"""
    model = ro.load(written(tmp_path, "a.adm", ADAMS + loads.replace("+ 10.0", preload)))
    by_name = {force.name: dict(force.parameters) for force in model.forces}
    spring, torsion = by_name["sforce_1"], by_name["sforce_2"]
    assert (spring["stiffness"], spring["length"], spring["damping"]) == pytest.approx((100.0, length, 1.0))
    assert (torsion["stiffness"], torsion["angle"]) == pytest.approx((180 / np.pi, np.pi / 6))
    assert [str(f.text) for f in by_name["vforce_1"]["force"]] == ["(10*t) * 1.0", "(3.0) * 1.0", "0"]


@pytest.mark.parametrize("statement", ["BEAM", "FIELD", "NFORCE"])
def test_forces_of_adams_that_are_not_read_are_named(statement: str, tmp_path: Path) -> None:
    """They act between markers by their deformation: no verdict depends on them."""
    deck = (
        ADAMS
        + f"JOINT/1, REVOLUTE, I = 3, J = 2\n{statement}/1, I = 4, J = 1\nSECTION/1, TYPE = Solid\n"
        + "SPLINE/1, X = 1, 2\nEND\n"
    )
    model = ro.load(written(tmp_path, "a.adm", deck))
    assert numbers(model) == (0, 1)
    (note,) = [note for note in model.notes if statement in note.what]
    assert note.kind is NoteKind.WARNING


@pytest.mark.parametrize(("kind", "more", "expected"), [
    ("ParallelAxesJoint", "", (0, 4)),
    ("NoRotationJoint", "", (0, 3)),
    ("PlanarJoint", "\t\t\t\toffset\n\t\t\t\t\t0.0\n", (0, 3)),
    ("ScrewJoint", "\t\t\t\tpitch\n\t\t\t\t\t2.0\n", (0, 1)),
])  # fmt: skip
def test_joints_of_ondsel(kind: str, more: str, expected: tuple[int, int], tmp_path: Path) -> None:
    text = four_bars.asmt(four_bars.asmt_joint(kind, more=more))
    assert numbers(ro.load(written(tmp_path, "a.asmt", text))) == expected


def test_shafts_of_ondsel_point_away_from_a_constant_velocity_joint(tmp_path: Path) -> None:
    text = four_bars.asmt(four_bars.asmt_joint("ConstantVelocityJoint"))
    head, word, tail = text.rpartition("RotationMatrix")  # of the marker on the crank
    text = head + word + tail.replace("0 1 0", "0 -1 0", 1).replace("0 0 1", "0 0 -1", 1)
    assert numbers(ro.load(written(tmp_path, "a.asmt", text))) == (0, 2)


def test_a_thread_with_a_guide_is_one_equation(tmp_path: Path) -> None:
    """Ondsel holds a thread by one equation; the cylindrical joint beside it guides."""
    joints = four_bars.asmt_joint("CylindricalJoint", "guide")
    joints += four_bars.asmt_joint("ScrewJoint", "nut", "\t\t\t\tpitch\n\t\t\t\t\t2.0\n")
    model = ro.load(written(tmp_path, "a.asmt", four_bars.asmt(joints)))
    assert numbers(model) == (0, 1)


def test_limits_of_ondsel_are_ranges(tmp_path: Path) -> None:
    limit = (
        "\t\tLimits\n\t\t\tRotationLimit\n\t\t\t\tName\n\t\t\t\t\tend\n\t\t\t\tMotionJoint\n"
        "\t\t\t\t\t/OndselAssembly/pin\n\t\t\t\tLimit\n\t\t\t\t\t0.5d*pi\n\t\t\t\tType\n\t\t\t\t\t=<\n"
    )
    text = four_bars.asmt(four_bars.asmt_joint("RevoluteJoint"))
    path = written(tmp_path, "a.asmt", text.replace("\t\tGeneralConstraintSets", limit + "\t\tGeneralConstraintSets"))
    (stop,) = ro.load(path, stops=True).stops
    assert stop.lower is None
    assert stop.upper == pytest.approx(np.pi / 2)


SDF = """<sdf version="1.7"><model name="g"><link name="base"/>
<link name="w1"><pose relative_to="__model__">0 0 0 0 0 0</pose></link><link name="w2"><pose>0.3 0 0 0 0 0</pose></link>
<joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="j1" type="revolute"><parent>base</parent><child>w1</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="j2" type="revolute"><parent>w2</parent><child>base</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="box" type="gearbox"><parent>w1</parent><child>w2</child><gearbox_ratio>2</gearbox_ratio>
<gearbox_reference_body>base</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>
</joint></model></sdf>"""


def test_a_gearbox_across_its_hinge_drops_no_term(tmp_path: Path) -> None:
    text = SDF.replace("<axis2><xyz>0 0 1</xyz>", "<axis2><xyz>0 1 0</xyz>")
    with pytest.raises(ModelError, match=r"'g::box'.*angle of 90°"):
        ro.load(written(tmp_path, "box.sdf", text))


def test_a_gearbox_of_sdf(tmp_path: Path) -> None:
    """θ₂ = −2 θ₁ against the base; the second hinge counts the base against its wheel, the other way round."""
    model = ro.load(written(tmp_path, "g.sdf", SDF))
    assert numbers(model) == (0, 1)
    C = equations(build(model)).C.toarray()
    spin = {body.name: 6 * k + 5 for k, body in enumerate(model.bodies)}  # columns: velocity, then angular velocity
    row = C[-1]
    assert row[spin["w1"]] == pytest.approx(2 * row[spin["w2"]])  # 2 ω₁ + ω₂ = 0


def test_warnings_of_mujoco_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo writes MUJOCO_LOG.TXT where the user stands, unless its warnings are taken."""
    mujoco = pytest.importorskip("mujoco")
    from reactio.importers.formats.mjcf.compilation import without_a_log

    monkeypatch.chdir(tmp_path)
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    data.qpos[0] = 1e12
    with without_a_log(mujoco):
        mujoco.mj_step(model, data)
    assert data.warning[int(mujoco.mjtWarning.mjWARN_BADQPOS)].number == 1
    assert list(tmp_path.iterdir()) == []
