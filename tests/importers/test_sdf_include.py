"""Includes of SDF: the same mechanism in one file and in several, and includes that cannot be followed.

Poses of nested includes with placement frames were compared once with those of Drake 1.51 (13 bodies, to six digits).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers import Options
from reactio.importers.pipeline import Imported, import_file
from reactio.model.notes import NoteKind

AXIS = "<axis><xyz>0 0 1</xyz></axis>"
BAR = """<sdf version="1.9"><model name="bar"><pose>7 7 7 0 0 0</pose><link name="rod"/>
  <frame name="far" attached_to="rod"><pose>1 0 0 0 0 0</pose></frame></model></sdf>"""
# A square of bars in the plane z = 0: one along y, one along x by its far end, one along −y by its far end.
BARS = f"""
  <include><uri>bar.sdf</uri><name>crank</name><pose>0 0 0 0 0 1.5707963267948966</pose></include>
  <include><uri>bar.sdf</uri><name>coupler</name><pose relative_to="crank::far">0 0 0 0 0 -1.5707963267948966</pose>
    </include>
  <include><uri>bar.sdf</uri><name>rocker</name><placement_frame>far</placement_frame>
    <pose relative_to="coupler::far">0 0 0 0 0 1.5707963267948966</pose></include>
  <joint name="A" type="revolute"><parent>world</parent><child>crank</child>{AXIS}</joint>
  <joint name="B" type="revolute"><parent>crank::far</parent><child>coupler::rod</child>{AXIS}</joint>
  <joint name="C" type="revolute"><parent>coupler::far</parent><child>rocker::far</child>{AXIS}</joint>
  <joint name="D" type="revolute"><parent>world</parent><child>rocker::rod</child>{AXIS}</joint>"""
FLAT = f"""<sdf version="1.9"><model name="square">
  <link name="crank"><pose>0 0 0 0 0 1.5707963267948966</pose></link>
  <link name="coupler"><pose>0 1 0 0 0 0</pose></link>
  <link name="rocker"><pose>1 0 0 0 0 1.5707963267948966</pose></link>
  <joint name="A" type="revolute"><parent>world</parent><child>crank</child>{AXIS}</joint>
  <joint name="B" type="revolute"><parent>crank</parent><child>coupler</child>{AXIS}</joint>
  <joint name="C" type="revolute"><pose>1 0 0 0 0 0</pose><parent>coupler</parent><child>rocker</child>{AXIS}</joint>
  <joint name="D" type="revolute"><parent>world</parent><child>rocker</child>{AXIS}</joint>
</model></sdf>"""
IN_MODEL = f'<sdf version="1.9"><model name="square">{BARS}</model></sdf>'
IN_WORLD = f'<sdf version="1.9"><world name="w">{BARS}</world></sdf>'
WHOLE = '<sdf version="1.9"><world name="w"><include><uri>{}</uri>{}</include></world></sdf>'
ROUNDING = 1e-12  # [m] of a square of 1 m that is placed by a few products of matrices


def files(folder: Path, **texts: str) -> Path:
    """Write files, ``a__b_sdf`` as ``a/b.sdf``, and return the first."""
    paths = [folder / (name.replace("__", "/").removesuffix("_sdf") + ".sdf") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths[0]


def judged(found: Imported) -> tuple[int, int, int, list[str]]:
    answer = ro.check(found.model)
    return answer.redundancy, answer.rank, answer.mobility, [str(group.verdict) for group in answer]


def places(found: Imported) -> np.ndarray:
    """Origins and axes of all parts and of all joints, in the order of the file."""
    parts = {part.name: part.pose for part in found.mechanism.parts}
    joints = [parts[joint.b] @ joint.frame_b for joint in found.mechanism.joints]
    return np.array([np.column_stack([pose.r, pose.R]) for pose in (*parts.values(), *joints)])


@pytest.fixture
def flat(tmp_path: Path) -> Imported:
    return import_file(files(tmp_path, flat=FLAT))


@pytest.mark.parametrize("text", [IN_MODEL, IN_WORLD])
def test_one_file_included_three_times(text: str, flat: Imported, tmp_path: Path) -> None:
    """By pose on a frame of another include, by placement frame, and joined by the frames of models."""
    found = import_file(files(tmp_path, square=text, bar=BAR))
    assert judged(found) == judged(flat)
    assert judged(found)[:3] == (3, 17, 1)
    np.testing.assert_allclose(places(found), places(flat), atol=ROUNDING)
    scope = "square::" if text == IN_MODEL else ""
    (note,) = [note for note in found.report.of(NoteKind.REMARK) if note.what == "include 'bar.sdf'"]
    assert note.why == f"read as '{scope}crank', '{scope}coupler', '{scope}rocker'"


def test_includes_of_includes(flat: Imported, tmp_path: Path) -> None:
    """Addresses count from the file that holds them; a pose of the outermost moves all, and the world stays."""
    top = WHOLE.format("parts/square.sdf", "<name>mine</name>")
    found = import_file(files(tmp_path, top=top, parts__square=IN_MODEL, parts__bar=BAR))
    assert judged(found) == judged(flat)
    np.testing.assert_allclose(places(found), places(flat), atol=ROUNDING)
    assert any("'mine::crank'" in str(note) for note in found.report.of(NoteKind.REMARK))


def test_an_included_model_stands_where_its_file_says_unless_told(tmp_path: Path) -> None:
    text = f"""<sdf version="1.9"><world name="w"><include><uri>bar.sdf</uri></include>
      <include><uri>bar.sdf</uri><name>fixed</name><static>true</static></include>
      <joint name="A" type="revolute"><parent>fixed::rod</parent><child>bar::rod</child>{AXIS}</joint></world></sdf>"""
    found = import_file(files(tmp_path, top=text, bar=BAR))
    (part,) = found.mechanism.parts
    (joint,) = found.mechanism.joints
    np.testing.assert_allclose(part.pose.r, [7, 7, 7])
    assert (joint.a, joint.b) == ("ground", "bar__rod")


def test_axes_follow_the_version_of_their_own_file(tmp_path: Path) -> None:
    """Before version 1.5 axes are given in the frame of the model, not of the joint."""
    hinge = """<sdf version="{}"><model name="m"><link name="a"/><joint name="A" type="revolute"><parent>world</parent>
      <child>a</child><pose>0 0 0 0 1.5707963267948966 0</pose><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
    both = """<sdf version="1.9"><world name="w"><include><uri>old.sdf</uri><name>old</name></include>
      <include><uri>new.sdf</uri><name>new</name></include></world></sdf>"""
    found = import_file(files(tmp_path, top=both, old=hinge.format("1.4"), new=hinge.format("1.9")))
    axes = [joint.frame_a.R[:, 2] for joint in found.mechanism.joints]
    np.testing.assert_allclose(axes, [[0, 0, 1], [1, 0, 0]], atol=ROUNDING)


def test_folders_of_models_and_packages(flat: Imported, tmp_path: Path) -> None:
    """``model://bar`` beside the file, above the file that holds it, and in a package; by model.config or model.sdf."""
    in_folder = IN_MODEL.replace("bar.sdf", "model://bar")
    by_config = {"bar__new": BAR, "bar__old": BAR.replace("1 0 0", "9 0 0")}
    config = (
        '<model><sdf version="1.6">old.sdf</sdf><sdf version="1.10">new.sdf</sdf><sdf version="9.9">x.sdf</sdf></model>'
    )
    top = files(tmp_path / "a", top=WHOLE.format("robots/square.sdf", ""), robots__square=in_folder, **by_config)
    (tmp_path / "a/bar/model.config").write_text(config, encoding="utf-8")
    lone = files(tmp_path / "b", top=in_folder)
    away = {"bar": files(tmp_path / "c", model=BAR).parent}
    options = Options(packages=away)
    for found in (import_file(top), import_file(lone, options)):
        assert judged(found) == judged(flat)
        np.testing.assert_allclose(places(found), places(flat), atol=ROUNDING)


def test_meshes_of_an_included_file_lie_beside_it(tmp_path: Path) -> None:
    visual = "<visual><geometry><mesh><uri>{}</uri></mesh></geometry></visual></link>"
    bar = BAR.replace('<link name="rod"/>', f'<link name="rod">{visual.format("a.stl")}')
    top = files(tmp_path, top=IN_MODEL.replace("bar.sdf", "parts/bar.sdf"), parts__bar=bar)
    (tmp_path / "parts/a.stl").write_text("solid a\nendsolid a\n", encoding="utf-8")
    assert {mesh.file for part in import_file(top).mechanism.parts for mesh in part.meshes} == {"parts/a.stl"}
    files(tmp_path, parts__bar=bar.replace("a.stl", "model://parts/a.stl"))
    assert {mesh.file for part in import_file(top).mechanism.parts for mesh in part.meshes} == {"parts/a.stl"}


LIGHT = '<sdf version="1.9"><light name="l" type="point"/></sdf>'


def test_scenery_is_skipped_by_name(tmp_path: Path) -> None:
    more = "<include><uri>https://fuel.gazebosim.org/1.0/x/models/Sun</uri></include><include><uri>lamp.sdf</uri></include>"
    found = import_file(files(tmp_path, top=IN_WORLD.replace("</world>", f"{more}</world>"), bar=BAR, lamp=LIGHT))
    assert {"include 'Sun'", "include 'lamp.sdf'"} <= {note.what for note in found.report.of(NoteKind.SKIPPED)}


def test_static_models_hold_their_own_joints(tmp_path: Path) -> None:
    """A static robot beside a mechanism is scenery; what is free inside a static model is said."""
    more = """<include><uri>square.sdf</uri><name>still</name><pose>9 0 0 0 0 0</pose><static>1</static></include>"""
    still = FLAT.replace("<parent>world</parent><child>crank", "<parent>coupler</parent><child>crank")
    still = still.replace("<parent>world</parent><child>rocker", "<parent>coupler</parent><child>rocker")
    found = import_file(files(tmp_path, top=IN_WORLD.replace("</world>", f"{more}</world>"), bar=BAR, square=still))
    assert judged(found)[:3] == (3, 17, 1)
    assert sum("both its links are static" in note.why for note in found.report.of(NoteKind.SKIPPED)) == 4
    free = import_file(files(tmp_path, top=once("square.sdf", "<static>true</static>"), square=IN_MODEL, bar=BAR))
    assert judged(free)[:3] == (3, 17, 1)
    assert any("'square::crank', 'square::coupler'" in note.what for note in free.report.of(NoteKind.WARNING))


def once(uri: str, more: str = "") -> str:
    return WHOLE.format(uri, more)


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "missing": ({"top": once("parts/none.sdf")}, "there is no file '{folder}/parts/none.sdf'"),
    "missing model": ({"top": once("model://hand")}, "there is no 'hand' in the folder.*--package hand=DIR"),
    "folder": ({"top": once("parts"), "parts__bar": BAR}, "there is no file '{folder}/parts/model.sdf'"),
    "itself": ({"top": once("top.sdf")}, "in a circle: top.sdf → top.sdf"),
    "circle": (
        {"top": once("a.sdf"), "a": IN_MODEL.replace("bar.sdf", "b.sdf"), "b": IN_MODEL.replace("bar.sdf", "a.sdf")},
        "in a circle: a.sdf → b.sdf → a.sdf",
    ),
    "outside": ({"top": once("../bar.sdf")}, "lies outside the folder of the model; --anywhere"),
    "absolute": ({"top": once("file:///etc/passwd")}, "'/etc/passwd' lies outside the folder"),
    "network": ({"top": once("https://example.org/arm")}, "network addresses are not read"),
    "no uri": ({"top": once("")}, "has no <uri>"),
    "long": ({"top": once("a" * 5000)}, "there is no file"),
    "inside a file": ({"top": once("bar.sdf/x"), "bar": BAR}, "there is no file"),
    "robot": ({"top": once("a.sdf"), "a": "<robot name='r'/>"}, "a.sdf:1: the root is <robot>; an include names"),
    "broken": ({"top": once("a.sdf"), "a": BAR[:80]}, "a.sdf:.* not valid XML"),
    "two models": ({"top": once("a.sdf"), "a": '<sdf><model name="a"/><model name="b"/></sdf>'}, "holds 2 models"),
    "world": ({"top": once("a.sdf"), "a": IN_WORLD, "bar": BAR}, "and a world"),
    "changes": ({"top": once("bar.sdf", "<experimental:params/>"), "bar": BAR}, "changes its model"),
    "placed": ({"top": once("bar.sdf", "<placement_frame>far</placement_frame>"), "bar": BAR}, "give both"),
    "frame": (
        {"top": once("bar.sdf", "<placement_frame>end</placement_frame><pose>0 0 0 0 0 0</pose>"), "bar": BAR},
        "no frame 'end'",
    ),
    "stands": ({"top": once("a.sdf"), "a": BAR.replace("<pose>7", '<pose relative_to="x">7')}, "relative to 'x'"),
    "names": ({"top": IN_WORLD.replace("coupler</name>", "crank</name>"), "bar": BAR}, "the model 'crank' has no name"),
    "in a link": ({"top": FLAT.replace("<pose>0 1", "<include/><pose>0 1")}, "in a <model> or a <world>"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_includes_that_cannot_be_followed(case: str, tmp_path: Path) -> None:
    """One sentence with the file and the line."""
    texts, words = REFUSED[case]
    top = files(tmp_path, **texts)
    with pytest.raises(ModelError, match=words.format(folder=tmp_path)) as error:
        import_file(top)
    assert ".sdf:" in str(error.value)  # the line of the include, or of what it names


def test_links_of_the_file_system_do_not_lead_outside(tmp_path: Path) -> None:
    top = files(tmp_path / "a", top=once("bar.sdf"))
    (tmp_path / "a/bar.sdf").symlink_to(files(tmp_path / "b", bar=BAR))
    with pytest.raises(ModelError, match="lies outside"):
        import_file(top)


def test_anywhere_looks_above_the_folder(flat: Imported, tmp_path: Path) -> None:
    top = files(tmp_path, a__top=IN_MODEL.replace("bar.sdf", "model://bar"), bar__model=BAR)
    assert judged(import_file(top, Options(anywhere=True))) == judged(flat)
    with pytest.raises(ModelError, match="--package bar=DIR"):
        import_file(top)


def nested(folder: Path, depth: int, times: int) -> Path:
    """Files that each include the next one so many times."""
    for k in range(depth):
        inner = "".join(f"<include><uri>f{k + 1}.sdf</uri><name>i{n}</name></include>" for n in range(times))
        (folder / f"f{k}.sdf").write_text(f'<sdf version="1.9"><model name="m">{inner}</model></sdf>', encoding="utf-8")
    (folder / f"f{depth}.sdf").write_text(BAR, encoding="utf-8")
    return folder / "f0.sdf"


@pytest.mark.parametrize(
    ("depth", "times", "words"), [(40, 1, "more than 32 deep"), (30, 2, "are too large; at most 1 MB")]
)
def test_depth_and_size_are_bounded(
    depth: int, times: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2³⁰ bars from 31 small files are refused; the bound is made small here to be reached soon."""
    monkeypatch.setattr("reactio.importers.formats.sdf.include.MOST_MODEL_BYTES", 2**20)
    with pytest.raises(ModelError, match=words):
        import_file(nested(tmp_path, depth, times))
