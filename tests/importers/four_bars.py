"""One four-bar linkage with parallel hinges in every format that texts can hold: A (0,0), B (0,1), C (2,1), D (2,0)."""

from __future__ import annotations

import zipfile
from pathlib import Path

URDF = """<robot name="four bar">
  <link name="base"/>
  <link name="crank">{inertial}</link><link name="coupler">{inertial}</link><link name="rocker">{inertial}</link>
  <joint name="A" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/></joint>
  <joint name="B" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0 1 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="D" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="2 0 0"/>
    <axis xyz="0 0 1"/></joint>
  {loop}
</robot>
""".replace(
    "{inertial}",
    '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>',
)
TWO_PARENTS = """<joint name="C" type="continuous"><parent link="coupler"/><child link="rocker"/>
  <origin xyz="2 0 0"/><axis xyz="0 0 1"/></joint>"""
GAZEBO = """<gazebo><joint name="C" type="revolute"><parent>coupler</parent><child>rocker</child>
  <pose>0 1 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis></joint></gazebo>"""
FRAMES = """<link name="left"/><link name="right"/>
  <joint name="C" type="continuous"><parent link="coupler"/><child link="left"/><origin xyz="2 0 0"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="end" type="fixed"><parent link="rocker"/><child link="right"/><origin xyz="0 1 0"/></joint>"""
LOOPS = "closed_loop: [[left, end]]\ntype: [6d]\n"

SDF = """<sdf version="1.9"><model name="four bar">
  <link name="crank"/>
  <link name="coupler"><pose relative_to="crank">0 1 0 0 0 0</pose></link>
  <link name="rocker"><pose>2 0 0 0 0 0</pose></link>
  <joint name="A" type="revolute"><parent>world</parent><child>crank</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="B" type="revolute"><parent>crank</parent><child>coupler</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="C" type="revolute"><pose>0 1 0 0 0 0</pose><parent>coupler</parent><child>rocker</child>
    <axis><xyz expressed_in="crank">0 0 1</xyz><limit><lower>-1</lower><upper>1e16</upper></limit></axis></joint>
  <joint name="D" type="continuous"><parent>world</parent><child>rocker</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>
"""

ADAMS = """ADAMS/View model name: four bar
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = MILLIMETER, TIME = SECOND
! adams_view_name='ground'
PART/1, GROUND
MARKER/1, PART = 1
MARKER/2, PART = 1, QP = 2000, 0, 0
! adams_view_name='crank'
PART/2, MASS = 1, CM = 10, IP = 1E5, 1E5
, 1E5
MARKER/10, PART = 2
MARKER/11, PART = 2, QP = 0, 1000, 0
PART/3, QG = 0, 1000, 0, REULER = 90D, 0D, 0D, MASS = 1, CM = 12, IP = 1E5, 1E5, 1E5
MARKER/12, PART = 3, REULER = 0D, 180D, 0D
MARKER/13, PART = 3, QP = 0, -2000, 0
PART/4, QG = 2000, 0, 0, MASS = 1, CM = 14, IP = 1E5, 1E5, 1E5
MARKER/14, PART = 4
MARKER/15, PART = 4, QP = 0, 1000, 0
! adams_view_name='A'
JOINT/1, REVOLUTE, I = 10, J = 1
JOINT/2, REVOLUTE, I = 12, J = 11
JOINT/3, REVOLUTE, I = 13, J = 15
JOINT/4, REVOLUTE, I = 14, J = 2
MOTION/1, ROTATION, JOINT = 1, FUNCTION = 30.0D * time
ACCGRAV/JGRAV = -9806.65
END
"""

MJCF = """<mujoco model="four bar"><worldbody>
  <body name="crank"><joint name="A" axis="0 0 1"/><geom size="0.1" mass="1"/>
    <body name="coupler" pos="0 1 0"><joint name="B" axis="0 0 1"/><geom size="0.1" mass="1"/></body></body>
  <body name="rocker" pos="2 0 0"><joint name="D" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
</worldbody><equality>
  <connect body1="coupler" body2="rocker" anchor="2 0 0"/><connect body1="coupler" body2="rocker" anchor="2 0 1"/>
</equality></mujoco>
"""


def asmt(joints: str) -> str:
    """An assembly with a crank on ground and the joints given, by tabs."""
    pose = "Position3D\n\t{i}\t0 0 0\n{i}RotationMatrix\n\t{i}\t1 0 0\n\t{i}\t0 1 0\n\t{i}\t0 0 1\n"

    def at(i: str) -> str:
        return i + pose.replace("\t{i}\t", "\t" + i).replace("{i}", i)

    marker = "\t\t\t\tMarker\n\t\t\t\t\tName\n\t\t\t\t\t\tM\n" + at("\t\t\t\t\t")
    points = "\tRefPoints\n\t\tRefPoint\n" + at("\t\t\t") + "\t\t\tMarkers\n" + marker
    part = (
        "\t\tPart\n\t\t\tName\n\t\t\t\tcrank\n"
        + at("\t\t\t")
        + "".join("\t\t" + x + "\n" for x in points.split("\n") if x)
    )
    return (
        "OndselSolver\nAssembly\n\tName\n\t\tOndselAssembly\n" + at("\t") + points + "\tParts\n" + part
        + "\tConstraintSets\n\t\tJoints\n" + joints + "\t\tMotions\n\t\tGeneralConstraintSets\n\tForceTorques\n"
        + "\tConstantGravity\n\t\t0 0 0\n"
    )  # fmt: skip


def asmt_joint(kind: str, name: str = "pin", more: str = "") -> str:
    return (
        f"\t\t\t{kind}\n\t\t\t\tName\n\t\t\t\t\t{name}\n\t\t\t\tMarkerI\n\t\t\t\t\t/OndselAssembly/M\n"
        f"\t\t\t\tMarkerJ\n\t\t\t\t\t/OndselAssembly/crank/M\n{more}"
    )


def placement(name: str, x: float, y: float) -> str:
    return (
        f'<Property name="{name}"><PropertyPlacement Px="{x}" Py="{y}" Pz="0" Q0="0" Q1="0" Q2="0" Q3="1"/></Property>'
    )


def fcstd(path: Path, document: str | None = None) -> Path:
    """A FreeCAD file of the four-bar with coupler and rocker as parts of an assembly, in millimetres."""
    places = {"Base": (0.0, 0.0), "Crank": (0.0, 0.0), "Coupler": (0.0, 1000.0), "Rocker": (2000.0, 0.0)}
    joints = (
        ("A", "Base", 0.0, 0.0, "Crank", 0.0, 0.0),
        ("B", "Crank", 0.0, 1000.0, "Coupler", 0.0, 0.0),
        ("C", "Coupler", 2000.0, 0.0, "Rocker", 0.0, 1000.0),
        ("D", "Base", 2000.0, 0.0, "Rocker", 0.0, 0.0),
    )
    listing = "".join(f'<Object type="App::Link" name="{name}"/>' for name in places)
    listing += "".join(f'<Object type="App::FeaturePython" name="{joint[0]}"/>' for joint in joints)
    data = "".join(
        f'<Object name="{name}"><Properties>{placement("Placement", *at)}</Properties></Object>'
        for name, at in places.items()
    )
    for name, one, x1, y1, two, x2, y2 in joints:
        data += (
            f'<Object name="{name}"><Properties><Property name="JointType"><Integer value="1"/><CustomEnumList>'
            '<Enum value="Fixed"/><Enum value="Revolute"/></CustomEnumList></Property>'
            f'<Property name="Reference1"><XLink name="{one}"/></Property>{placement("Placement1", x1, y1)}'
            f'<Property name="Reference2"><XLink name="{two}"/></Property>{placement("Placement2", x2, y2)}'
            "</Properties></Object>"
        )
    grounded = '<Property name="ObjectToGround"><Link value="Base"/></Property>'
    data += f'<Object name="G"><Properties>{grounded}</Properties></Object>'
    listing += '<Object type="App::FeaturePython" name="G"/>'
    text = document or (
        f'<Document SchemaVersion="4"><Objects>{listing}</Objects><ObjectData>{data}</ObjectData></Document>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Document.xml", text)
    return path
