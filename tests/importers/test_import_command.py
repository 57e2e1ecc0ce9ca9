"""`reactio import` of files that are wrong, or only odd: one sentence and exit code 2, or a word in the report."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reactio import cli

from . import four_bars

Call = Callable[..., tuple[int, str, str]]
URDF = four_bars.URDF.replace("{loop}", four_bars.GAZEBO)
TREE = four_bars.URDF.replace("{loop}", four_bars.FRAMES)
SDF = four_bars.SDF
MESH = '<visual><geometry><mesh filename="/etc/shape.stl"/></geometry></visual></link>'
INCLUDE = "<include><uri>{}</uri></include></model>"
FIXED = (
    '<link name="plate"/><joint name="E" type="fixed"><parent link="base"/><child link="plate"/>'
    '<axis xyz="0 0 0"/></joint>'
)

# Texts of files, the first of which is imported, and words of the sentence.
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "no XML": ({"a.urdf": "robot"}, "a.urdf:1: is not valid XML"),
    "cut XML": ({"a.sdf": SDF[:200]}, "is not valid XML"),
    "wrong root": ({"a.urdf": "<sdf/>"}, "the root is <sdf>"),
    "unknown root": ({"a.xml": "<html/>"}, "no format is known"),
    "loop frame": ({"a.urdf": TREE, "robot.yaml": "closed_loop: [[left, nowhere]]\n"}, "neither a link nor a joint"),
    "cycle": ({"a.urdf": URDF.replace('link="base"', 'link="rocker"').replace('<link name="base"/>', "")}, "cycle"),
    "links alone": ({"a.urdf": '<robot name="r"><link name="a"/></robot>'}, "holds no"),
    "zero axis": ({"a.urdf": URDF.replace('axis xyz="0 0 1"', 'axis xyz="0 0 0"', 1)}, "no direction"),
    "zero axis of SDF": ({"a.sdf": SDF.replace("<xyz>0 0 1</xyz>", "<xyz>0 0 0</xyz>", 1)}, "no direction"),
    "NaN": ({"a.urdf": URDF.replace('xyz="0 1 0"', 'xyz="0 nan 0"')}, "not finite"),
    "NaN of SDF": ({"a.sdf": SDF.replace("2 0 0 0 0 0", "nan 0 0 0 0 0")}, "not finite"),
    "NaN of Adams": ({"a.adm": four_bars.ADAMS.replace("QP = 2000, 0, 0", "QP = NaN, 0, 0", 1)}, "finite"),
    "quaternion": (
        {"a.sdf": SDF.replace("<pose>2 0 0 0 0 0", '<pose rotation_format="quat_xyzw">2 0 0 0 0 0 0')}, "length 0",
    ),
    "two links of a name": ({"a.urdf": URDF.replace('link name="rocker"', 'link name="crank"')}, "given twice"),
    "two joints of a name": ({"a.sdf": SDF.replace('name="B"', 'name="A"')}, "given twice"),
    "missing include": ({"a.sdf": SDF.replace("</model>", INCLUDE.format("b.sdf"))}, "there is no file"),
    "circle of includes": ({"a.sdf": SDF.replace("</model>", INCLUDE.format("a.sdf"))}, "a.sdf → a.sdf"),
    "xacro": ({"a.urdf": URDF.replace("</robot>", "<xacro:m/></robot>")}, "xacro"),
    "suffix of xacro": ({"a.xacro": URDF}, "expand the file first"),
    "itself": ({"a.sdf": SDF.replace("<parent>crank</parent>", "<parent>coupler</parent>")}, "with itself"),
    "entities": ({"a.urdf": '<!DOCTYPE a [<!ENTITY x "x"><!ENTITY y "&x;&x;">]><robot name="&y;"/>'}, "entity"),
    "entities outside": ({"a.sdf": '<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]><sdf>&x;</sdf>'}, "entity"),
    "open loop": (
        {"a.urdf": TREE.replace('link="rocker"/><origin xyz="2', 'link="rocker"/><origin xyz="9'),
         "robot.yaml": four_bars.LOOPS}, "'loop left~end' by",
    ),
}  # fmt: skip
OF_MUJOCO = {
    "missing include of MJCF": (
        four_bars.MJCF.replace("<worldbody>", '<include file="b.xml"/><worldbody>', 1),
        "b.xml",
    ),
    "equality with itself": (four_bars.MJCF.replace('body2="rocker"', 'body2="coupler"', 1), "repeated"),
    "quaternion of MJCF": (four_bars.MJCF.replace('pos="2 0 0"', 'pos="2 0 0" quat="0 0 0 0"'), "a.xml"),
    "NaN of MJCF": (four_bars.MJCF.replace('pos="2 0 0"', 'pos="nan 0 0"'), "a.xml"),
    "cut MJCF": (four_bars.MJCF[:200], "a.xml"),
    "mass of MJCF": (four_bars.MJCF.replace('mass="1"', 'mass="-1"', 1), "a.xml"),
    "names of MJCF": (four_bars.MJCF.replace('name="rocker"', 'name="crank"', 1), "a.xml"),
}


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command in this process, in an empty folder, with its exit code; mistakes of the program are raised."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REACTIO_DEBUG", "1")
    monkeypatch.setenv("COLUMNS", "140")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["reactio", *words])
        code = 0
        try:
            cli.run()
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return run


def refused(call: Call, *words: str) -> str:
    """The one sentence with which an import ends; a traceback would be raised by ``call``."""
    code, out, error = call("import", *words)
    assert code == 2, (out, error)
    assert error.startswith("error: ")
    assert "Traceback" not in error
    return " ".join(error.split())


def write(folder: Path, texts: dict[str, str]) -> str:
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return next(iter(texts))


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_files_end_with_one_sentence(case: str, call: Call, tmp_path: Path) -> None:
    texts, words = REFUSED[case]
    assert words in refused(call, write(tmp_path, texts))


@pytest.mark.parametrize("case", OF_MUJOCO)
def test_wrong_files_of_mujoco(case: str, call: Call, tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    text, words = OF_MUJOCO[case]
    assert words in refused(call, write(tmp_path, {"a.xml": text}))


@pytest.mark.parametrize("case", ["cut", "bomb", "no document"])
def test_wrong_archives(case: str, call: Call, tmp_path: Path) -> None:
    path = four_bars.fcstd(tmp_path / "a.FCStd")
    if case == "cut":
        path.write_bytes(path.read_bytes()[:-30])
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("Document.xml" if case == "bomb" else "x", b" " * 30_000_000)
    words = {"cut": "zip", "bomb": "unpacks from", "no document": "no Document.xml"}
    assert words[case] in refused(call, "a.FCStd")


def test_absolute_paths_of_meshes_are_not_opened(call: Call, tmp_path: Path) -> None:
    """Drawn without it and said so; refused where the mass depends on it."""
    text = URDF.replace("</link>", MESH, 1)
    assert "/etc/shape.stl" in said(call, {"a.urdf": text}, tmp_path)
    bare = '<robot name="r"><link name="base"/><link name="crank">' + MESH + URDF[URDF.index('<joint name="A"') :]
    bare = bare.replace('<joint name="A"', '<link name="coupler"/><link name="rocker"/><joint name="A"', 1)
    write(tmp_path, {"b.urdf": bare})
    assert "outside the folder" in refused(call, "b.urdf", "--mass-from-mesh", "1000")


def said(call: Call, texts: dict[str, str], folder: Path) -> str:
    """The report of an import that is read."""
    code, out, error = call("import", write(folder, texts))
    assert code == 0, error
    return " ".join(out.split())


ODD: dict[str, tuple[dict[str, str], str]] = {
    "loop to a joint": ({"a.urdf": TREE, "robot.yaml": four_bars.LOOPS}, "1 loop closure"),
    "two parents": ({"a.urdf": four_bars.URDF.replace("{loop}", four_bars.TWO_PARENTS)}, "'rocker'"),
    "fixed without axis": ({"a.urdf": URDF.replace("</robot>", f"{FIXED}</robot>")}, "'plate' welded to 'ground'"),
    "link alone in SDF": ({"a.sdf": SDF.replace("</model>", '<link name="alone"/></model>')}, "no joint holds it"),
    "newer SDF": ({"a.sdf": SDF.replace('"1.9"', '"1.90"')}, "newer than"),
    "no ground": (
        {"a.sdf": SDF.replace("<parent>world</parent><child>crank", "<parent>rocker</parent><child>crank").replace(
            "<parent>world</parent><child>rocker", "<parent>coupler</parent><child>rocker")}, "the mechanism floats",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_files_are_read_with_a_word(case: str, call: Call, tmp_path: Path) -> None:
    texts, words = ODD[case]
    assert words in said(call, texts, tmp_path)
