"""Files that cannot be read: one clear sentence each, with the file and where possible the line."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import reactio as ro
from reactio.errors import AssemblyError, ModelError, ReactioError
from reactio.importers.pipeline import import_file
from reactio.model.notes import NoteKind

from . import four_bars

GOOD = four_bars.URDF.replace("{loop}", four_bars.GAZEBO)
BOMB = '<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;&x;">]><robot name="&y;"/>'
MIMIC = """<link name="left"/><joint name="Z" type="continuous"><parent link="base"/><child link="left"/>
<mimic joint="P"/></joint>
<link name="plate"/><joint name="P" type="planar"><parent link="base"/><child link="plate"/></joint></robot>"""

BAD = {
    "text.urdf": ("this is no XML", "not valid XML"),
    "cut.urdf": (GOOD[:300], "not valid XML"),
    "empty.urdf": ("", "not valid XML"),
    "root.urdf": ("<sdf/>", "the root is <sdf>"),
    "root.xml": ("<html><body/></html>", "no format is known"),
    "entities.urdf": (BOMB, "entit"),
    "macros.urdf": (GOOD.replace("</robot>", "<xacro:m/></robot>"), "xacro"),
    "robot.xacro": (GOOD, "expand the file first"),
    "parent.urdf": (GOOD.replace('parent link="crank"', 'parent link="crnk"'), "Did you mean 'crank'"),
    "twice.urdf": (GOOD.replace('link name="rocker"', 'link name="crank"'), "given twice"),
    "joints.urdf": (GOOD.replace('joint name="B"', 'joint name="A"'), "given twice"),
    "cycle.urdf": (GOOD.replace('link="base"', 'link="rocker"').replace('<link name="base"/>', ""), "cycle"),
    "type.urdf": (GOOD.replace('"continuous"', '"continous"', 1), "Did you mean 'continuous'"),
    "nan.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="0 nan 0"'), "not finite"),
    "axis.urdf": (GOOD.replace('axis xyz="0 0 1"', 'axis xyz="0 0 0"', 1), "no direction"),
    "words.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="0 one 0"'), "not a list of numbers"),
    "short.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="0 1"'), "3 are needed"),
    "itself.sdf": (four_bars.SDF.replace("<parent>crank</parent>", "<parent>coupler</parent>"), "with itself"),
    "frame.sdf": (four_bars.SDF.replace('relative_to="crank"', 'relative_to="crnk"'), "there is no frame"),
    "stands.sdf": (four_bars.SDF.replace('relative_to="crank"', 'relative_to="coupler"'), "is relative to itself"),
    "gear.sdf": (four_bars.SDF.replace('name="B" type="revolute"', 'name="B" type="gearbox"'), "gearbox_ratio"),
    "mimic.urdf": (GOOD.replace("</robot>", MIMIC), "both need a rotation or a translation"),
    "constraint.adm": (four_bars.ADAMS.replace("END", "GCON/1, FUNCTION = DX(10,1)"), "no counterpart"),
    "preload.adm": (four_bars.ADAMS.replace("END", "BUSHING/1, I=10, J=1, K=1,1,1, FORCE=1,0,0"), "preload"),
    "system.adm": (four_bars.ADAMS.replace("LENGTH = MILLIMETER", "SYSTEM = XYZ"), "not a known system of units"),
    "include.sdf": (four_bars.SDF.replace("</model>", "<include><uri>x</uri></include></model>"), "include"),
    "quaternion.sdf": (
        four_bars.SDF.replace("<pose>2 0 0 0 0 0</pose>", '<pose rotation_format="quat_xyzw">2 0 0 0 0 0 0</pose>'),
        "quaternion has length 0",
    ),
    "statement.adm": (four_bars.ADAMS.replace("END", "CVCV/1, I = 10, J = 1"), "CVCV has no counterpart"),
    "marker.adm": (four_bars.ADAMS.replace("I = 10, J = 1", "I = 99, J = 1"), "there is no MARKER/99"),
    "joint.adm": (four_bars.ADAMS.replace("JOINT/2, REVOLUTE", "JOINT/2, REVOLUT"), "has no counterpart"),
    "unit.adm": (four_bars.ADAMS.replace("MILLIMETER", "PARSEC"), "not a known unit"),
    "number.adm": (four_bars.ADAMS.replace("QP = 2000, 0, 0", "QP = 2000, zero, 0"), "needs 3"),
    "inertias.adm": (four_bars.ADAMS.replace("IP = 1E5, 1E5, 1E5", "IP = 1E5, 0xx, 1E5", 1), "not a list of numbers"),
    "moment.adm": (four_bars.ADAMS.replace("IP = 1E5, 1E5\n, 1E5", "IP = 1E5"), "needs 3 finite numbers"),
    "formula.adm": (four_bars.ADAMS.replace("FUNCTION = 30.0D", "FUNCTION 30.0D"), "gives no FUNCTION"),
    "coupler.adm": (four_bars.ADAMS.replace("END", "COUPLER/1, JOINTS = 1, 2x, SCALES = 1, 1"), "not a list"),
    "far.adm": (four_bars.ADAMS.replace("QG = 2000", "QG = 1E308"), "part 'part_4' is 1e+305 m away"),
    "far.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="0 1e308 0"'), "'coupler' is 1e+308 m away"),
    "turned.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="0 1 0" rpy="1e400.000 0 0"'), "not a list of numbers"),
    "turns.sdf": (four_bars.SDF.replace("2 0 0 0 0 0</pose>", "2 0 0 0 0 1.000e999</pose>"), "not finite"),
    "heavy.urdf": (GOOD.replace('mass value="1"', 'mass value="1e300"', 1), "holds 1e+300"),
    "optenv.urdf": (GOOD.replace('xyz="0 1 0"', 'xyz="$(optenv X 0 1 0)"'), "macro that xacro expands"),
    "placed.sdf": (four_bars.SDF.replace("<model ", '<model placement_frame="x" '), "placement_frame"),
    "none.adm": ("title\nEND\n", "no PART"),
    "assembly.asmt": ("OndselSolver\n", "no Assembly"),
    "curve.asmt": (four_bars.asmt(four_bars.asmt_joint("CurveCurveJoint")), "no counterpart"),
    "marker.asmt": (
        four_bars.asmt(four_bars.asmt_joint("RevoluteJoint").replace("crank/M", "crank/N")),
        "there is no marker",
    ),
    "light.urdf": (GOOD.replace('mass value="1"', 'mass value="1e-60"', 1), "underflow double precision"),
    "model.step": ("ISO-10303-21;", "STEP files hold shapes"),
    "model.mo": ("model a end a;", "Modelica"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    text, words = BAD[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ro.ReactioError) as error:
        ro.load(path)
    assert words in str(error.value)
    assert name in str(error.value)


def test_errors_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(GOOD.replace('parent link="crank"', 'parent link="crnk"'), encoding="utf-8")
    with pytest.raises(ModelError, match=r"a\.urdf:5"):
        ro.load(path)


def test_archives_that_are_none_or_bombs(tmp_path: Path) -> None:
    path = tmp_path / "a.FCStd"
    path.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(ModelError, match="zip"):
        ro.load(path)
    whole = four_bars.fcstd(tmp_path / "b.FCStd").read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match="zip"):
        ro.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other.xml", "<a/>")
    with pytest.raises(ModelError, match=r"no Document\.xml"):
        ro.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Document.xml", b" " * 30_000_000)
    with pytest.raises(ModelError, match="unpacks from"):
        ro.load(path)
    four_bars.fcstd(path, '<Document SchemaVersion="4"><Objects/><ObjectData/></Document>')
    with pytest.raises(ModelError, match="no joints"):
        ro.load(path)


def test_damaged_archives_are_refused_whatever_bit_is_wrong(tmp_path: Path) -> None:
    """Each bit of some bytes of the packed text: it is refused as an archive or as a document, or read."""
    path = four_bars.fcstd(tmp_path / "a.FCStd")
    whole = path.read_bytes()
    refused = 0
    for place in range(40, len(whole), len(whole) // 40):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            path.write_bytes(bytes(damaged))
            try:
                ro.load(path)
            except ReactioError:
                refused += 1
    assert refused > 200


def test_meshes_that_cannot_be_drawn_are_left_out(tmp_path: Path) -> None:
    """A scale of four numbers, as a robot of Bullet has it: nothing that is drawn alone decides a verdict."""
    visual = '<visual><geometry><mesh scale="1 1 1 1" filename="a.stl"/></geometry></visual></link>'
    path = tmp_path / "a.urdf"
    path.write_text(GOOD.replace("</link>", visual, 1), encoding="utf-8")
    assert any("scale has 4 numbers" in str(note) for note in import_file(path).report.of(NoteKind.SKIPPED))
    visual = visual.replace(' scale="1 1 1 1" filename="a.stl"/>', "><uri>a.stl</uri><scale>1</scale></mesh>")
    path = tmp_path / "a.sdf"
    path.write_text(four_bars.SDF.replace('"crank"/>', f'"crank">{visual}'), encoding="utf-8")
    assert any("scale has 1 numbers" in str(note) for note in import_file(path).report.of(NoteKind.SKIPPED))


def test_newer_files_are_read_with_a_warning(tmp_path: Path) -> None:
    path = four_bars.fcstd(tmp_path / "a.FCStd")
    with zipfile.ZipFile(path) as archive:
        text = archive.read("Document.xml").decode()
    four_bars.fcstd(path, text.replace('SchemaVersion="4"', 'SchemaVersion="9"'))
    report = import_file(path).report
    assert any("newer" in note.why for note in report.of(NoteKind.WARNING))


def far_apart(folder: Path, more: str = "", loops: str = four_bars.LOOPS) -> Path:
    """The four-bar with its second pivot 9 m away, which 1 m + 2 m + 1 m of links cannot reach."""
    text = four_bars.URDF.replace("{loop}", four_bars.FRAMES + more)
    text = text.replace('link="rocker"/><origin xyz="2 0 0"', 'link="rocker"/><origin xyz="9 0 0"')
    (folder / "far.urdf").write_text(text, encoding="utf-8")
    (folder / "robot.yaml").write_text(loops, encoding="utf-8")
    return folder / "far.urdf"


def test_loops_that_cannot_close_are_named_with_their_gaps(tmp_path: Path) -> None:
    """What is missing, 9 m − 4 m, is left to the loop and to the joints of the tree."""
    with pytest.raises(AssemblyError, match=r"far\.urdf.*'loop left~end' by .* mm"):
        ro.load(far_apart(tmp_path))


ARM = (
    '<link name="arm"/><link name="hand"/>'
    '<joint name="E" type="continuous"><parent link="base"/><child link="arm"/>'
    '<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>'
    '<joint name="F" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0 1 0"/>'
    '<axis xyz="0 0 1"/></joint>'
)
TWO_LOOPS = "closed_loop: [[left, end], [hand, crank]]\ntype: [6d, 3d]\n"


def test_two_open_loops_are_tried_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second loop that closes alone, beside one that never can."""
    monkeypatch.setattr("reactio.importers.conversion.closure.RANDOM_TREE_POSES", 2)
    with pytest.raises(
        AssemblyError, match=r"'loop left~end' by .* mm even alone.*'loop hand~crank' would close alone"
    ):
        ro.load(far_apart(tmp_path, ARM, TWO_LOOPS))


def test_after_a_loop_that_cannot_close_few_poses_of_others_are_tried(tmp_path: Path) -> None:
    """Neither loop closes: the smaller one decides, and of the other one at most six random poses are tried."""
    far = ARM.replace('<origin xyz="1 0 0"/>', '<origin xyz="30 0 0"/>')
    with pytest.raises(AssemblyError, match=r"mm even alone; .* mm even alone \(from [2-7] poses\)"):
        ro.load(far_apart(tmp_path, far, TWO_LOOPS))


def test_a_loop_that_names_nothing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"robot\.yaml:1.*neither a link nor a joint"):
        ro.load(far_apart(tmp_path, loops="closed_loop: [[left, nowhere]]\n"))


def test_a_chain_of_thousands_needs_no_recursion(tmp_path: Path) -> None:
    from reactio.importers import Options
    from reactio.importers.formats.urdf import read

    count = 3000
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/>'
        '<origin xyz="0 1 0"/></joint>'
        for k in range(count)
    )
    path = tmp_path / "chain.urdf"
    path.write_text(f'<robot name="chain">{links}{joints}</robot>', encoding="utf-8")
    assert read(path, Options()).parts[-1].pose.r[1] == pytest.approx(count)


def test_without_mujoco_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "mujoco", None)
    path = tmp_path / "m.xml"
    path.write_text(four_bars.MJCF, encoding="utf-8")
    with pytest.raises(ro.ReactioError, match=r"reactio\[mjcf\]"):
        ro.load(path)


@pytest.mark.parametrize(("option", "name"), [
    ({"units": "mm"}, "asmt"), ({"pose": "home"}, "mjcf"), ({"hinges": True}, "mjcf"), ({"linearise": True}, "mjcf"),
])  # fmt: skip
def test_options_that_say_nothing_of_a_format_are_refused(option: dict[str, object], name: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text('<robot name="r"/>', encoding="utf-8")
    with pytest.raises(ReactioError, match=f"does not apply to urdf files; it is for .*{name}"):
        ro.load(path, **option)
