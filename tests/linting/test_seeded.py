"""Forty defects, some of every rule, in files of every text format: each is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.linting.test_rules import CLOSURE, DEFECTS, DRIVEN, INERTIAL, MESH, MISSED, SENSOR, reviewed, robot

LOOP = CLOSURE.format
LINK = INERTIAL.format(at="0 0 0", mass=1, izz=1)
SDF_INERTIAL = (
    "<inertial>{pose}<mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz></inertia></inertial>"
)
SOLID = {"pose": "", "mass": 1, "ixx": 1, "iyy": 1, "izz": 1}


def sdf(*extra: str, base: str = "", **lower: object) -> str:
    """A chain of two arms, one hinge each, with further elements."""
    return f"""<sdf version="1.9"><model name="m">
<link name="base">{base}</link>
<link name="upper"><pose>1 0 0 0 0 0</pose>{SDF_INERTIAL.format(**SOLID)}</link>
<link name="lower"><pose>2 0 0 0 0 0</pose>{SDF_INERTIAL.format(**(SOLID | lower))}</link>
<joint name="W" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="A" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="B" type="revolute"><parent>upper</parent><child>lower</child><axis><xyz>0 0 1</xyz></axis></joint>
{"".join(extra)}
</model></sdf>"""


def planar(*joints: str, drives: str = "") -> str:
    """One bar in the plane."""
    return _model("space: planar\nbodies:\n  bar: {mass: 1, inertia: 1, position: [0.5, 0]}\n", joints, drives)


def spatial(*joints: str) -> str:
    """One bar in space."""
    return _model("space: spatial\nbodies:\n  bar: {mass: 1, inertia: [1, 1, 1]}\n", joints, "")


def four_bar(space: str, inertia: str, *places: str, drives: str = "") -> str:
    """Ground and three bars on four hinges."""
    bodies = "".join(f"  {name}: {{mass: 1, inertia: {inertia}}}\n" for name in "abc")
    axis = ", axis: z" if space == "spatial" else ""
    ends = ("ground, a", "a, b", "b, c", "c, ground")
    joints = [f"{{type: revolute, bodies: [{pair}], at: [{at}]{axis}}}" for pair, at in zip(ends, places, strict=True)]
    return _model(f"space: {space}\nbodies:\n{bodies}", tuple(joints), drives)


def _model(head: str, joints: tuple[str, ...], drives: str) -> str:
    lines = "".join(f"  {name}: {joint}\n" for name, joint in zip("ABCD", joints, strict=False))
    return f"{head}joints:\n{lines}{drives}"


DRIVES = "drives:\n  one: {{joint: {}, function: 0}}\n  two: {{joint: {}, function: 0}}\n"
BETWEEN = "bodies: [ground, bar], at: "
SDF_LOOP = '<joint name="C" type="{}"><parent>lower</parent><child>base</child>{}</joint>'
HINGE = "<axis><xyz>0 0 1</xyz></axis>"
POINTS = ("0, 0", "0, 1", "2, 1.5", "2, 0")
TWO_CONNECTS = """<mujoco><worldbody><body name="p"><freejoint/><geom size=".1"/></body></worldbody><equality>
<connect name="C" body1="p" anchor="0 0 0"/><connect name="D" body1="p" anchor="0 0 1"/></equality></mujoco>"""
TOOL = f'<link name="t">{LINK}</link><joint name="F" type="fixed"><parent link="lower"/><child link="t"/></joint>'
FOLLOWER = f"""<link name="u">{LINK}</link><joint name="G" type="continuous"><parent link="lower"/><child link="u"/>
<axis xyz="0 0 1"/><mimic joint="{{}}" multiplier="{{}}"/></joint>"""

SEEDED = [
    ("R101", "a.urdf", robot(LOOP("C", "revolute", "-2 0 0", "0 0 0"))),
    ("R101", "a.sdf", sdf(SDF_LOOP.format("revolute", HINGE))),
    ("R101", "a.sdf", sdf(SDF_LOOP.format("fixed", ""))),
    ("R101", "a.xml", SENSOR),
    ("R101", "a.yaml", planar(f"{{type: fixed, {BETWEEN}[0, 0]}}", f"{{type: revolute, {BETWEEN}[1, 0]}}")),
    ("R101", "a.yaml", four_bar("spatial", "[1, 1, 1]", "0, 0, 0", "0, 1, 0", "2, 1.5, 0", "2, 0, 0")),
    ("R102", "a.urdf", DEFECTS["R102"][1]),
    ("R102", "a.yaml", spatial(*(f"{{type: revolute, {BETWEEN}[0, 0, {z}], axis: z}}" for z in (0, 1)))),
    ("R102", "a.yaml", spatial(*(f"{{type: prismatic, {BETWEEN}[{x}, 0, 0], axis: z}}" for x in (0, 1)))),
    ("R102", "a.yaml", spatial(*(f"{{type: spherical, {BETWEEN}[{x}, 0, 0]}}" for x in (0, 1)))),
    ("R102", "a.yaml", planar(*(f"{{type: revolute, {BETWEEN}[{x}, 0]}}" for x in (0, 1)))),
    ("R102", "a.xml", TWO_CONNECTS),
    ("R103", "a.yaml", DRIVEN),
    ("R103", "a.yaml", planar(f"{{type: translational, {BETWEEN}[0, 0], axis: x}}", drives=DRIVES.format("A", "A"))),
    ("R103", "a.yaml", four_bar("planar", "1", *POINTS, drives=DRIVES.format("A", "D"))),
    ("R201", "a.urdf", robot(LOOP("C", "spherical", "-1.2 0 0", "0.5 0 0"))),
    ("R201", "a.urdf", robot(LOOP("C", "revolute", "-2 0.01 0", "0 0 0"))),
    (
        "R201",
        "a.yaml",
        spatial(
            f"{{type: revolute, {BETWEEN}[0, 0, 0], axis: z}}",
            "{type: spherical, a: {body: ground, point: [1, 0, 0]}, b: {body: bar, point: [1, 0.1, 0]}}",
        ),
    ),
    ("R202", "a.yaml", four_bar("planar", "1", "0, 0", "1, 1e-9", "3, 0", "5, 0")),
    ("R203", "a.yaml", MISSED),
    ("R203", "a.yaml", spatial(*(f"{{type: revolute, {BETWEEN}[0, 0, {z}], axis: [{z}e-7, 0, 1]}}" for z in (0, 1)))),
    ("R203", "a.yaml", spatial(*(f"{{type: prismatic, {BETWEEN}[{x}, 0, 1], axis: [0, {x}e-6, 1]}}" for x in (0, 1)))),
    ("R301", "a.urdf", robot(izz="5")),
    ("R301", "a.urdf", robot(izz="-1")),
    ("R301", "a.urdf", robot(mass="-1")),
    ("R301", "a.sdf", sdf(izz=5)),
    ("R302", "a.urdf", DEFECTS["R302"][1]),
    ("R302", "a.urdf", robot(mass="")),
    ("R302", "a.sdf", sdf(mass=0, ixx=0, iyy=0, izz=0)),
    ("R303", "a.urdf", robot(at="500 0 0")),
    ("R303", "a.sdf", sdf(pose="<pose>0 900 0 0 0 0</pose>")),
    ("R401", "a.urdf", DEFECTS["R401"][1]),
    ("R401", "a.urdf", robot(TOOL, FOLLOWER.format("F", "1"))),
    ("R401", "a.urdf", robot(FOLLOWER.format("A", "0"))),
    ("R402", "a.urdf", robot(last=MESH)),
    (
        "R402",
        "a.sdf",
        sdf(base='<visual name="v"><geometry><mesh><uri>nowhere.dae</uri></mesh></geometry></visual>'),
    ),
    ("R403", "a.urdf", robot('<weld a="lower" b="base"/>')),
    ("R403", "a.urdf", robot("<closed_chain><link1>lower</link1><link2>base</link2></closed_chain>")),
    ("R403", "a.urdf", robot('<pin_constraint><body_a link="lower"/><body_b link="base"/></pin_constraint>')),
    ("R404", "a.urdf", robot('<link name="upper"/>')),
    ("R404", "a.urdf", robot(TOOL.replace('name="F"', 'name="A"'))),
    ("R404", "a.sdf", sdf(f'<link name="upper">{SDF_INERTIAL.format(**SOLID)}</link>')),
    ("R501", "a.xml", SENSOR),
    ("R501", "a.xml", SENSOR.replace('<force site="s"/>', '<torque site="s"/>')),
    ("R501", "a.sdf", sdf(SDF_LOOP.format("revolute", HINGE + '<sensor name="ft" type="force_torque"/>'))),
]


@pytest.mark.parametrize(("code", "name", "text"), SEEDED, ids=[f"{code}-{k}" for k, (code, _, _) in enumerate(SEEDED)])
def test_a_seeded_defect_is_found(code: str, name: str, text: str, tmp_path: Path) -> None:
    review = reviewed(tmp_path, name, text)
    assert code in {finding.code for finding in review.findings}, (review.findings, review.error)
