"""Elements of a file that were not read, in every answer on it; closures that other programs write in URDF and SDF."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import reactio as ro
from reactio.model.files.write import to_yaml
from reactio.model.notes import Note, NoteKind, folded, head_lines

from . import four_bars
from .test_robots import counts, imported, joint, urdf

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def open_four_bar(closure: str) -> str:
    """A four-bar whose rocker and coupler, each 1 m long, meet at (1, 1, 0) by ``closure`` alone."""
    joints = "".join(
        f'<joint name="{name}" type="continuous"><parent link="{a}"/><child link="{b}"/><origin xyz="{at}"/>'
        f'<axis xyz="0 0 1"/></joint>'
        for name, a, b, at in (
            ("A", "base", "crank", "0 0 0"), ("B", "crank", "coupler", "0 1 0"), ("D", "base", "rocker", "1 0 0"),
        )
    )  # fmt: skip
    return urdf(joints + closure, "base", "crank", "coupler", "rocker", inertial=INERTIAL)


LOOP_JOINT = """<loop_joint name="C" type="{}"><link1 link="coupler" xyz="1 0 0" rpy="0 0 0"/>
<link{} link="rocker" xyz="0 1 0" rpy="0 0 0"/>{}</loop_joint>"""
BALL_CONSTRAINT = """<drake:ball_constraint><drake:ball_constraint_body_A name="coupler"/>
<drake:ball_constraint_body_B name="rocker"/><drake:ball_constraint_p_AP value="1 0 0"/>
<drake:ball_constraint_p_BQ value="0 1 0"/></drake:ball_constraint>"""


@pytest.mark.parametrize(("closure", "redundant"), [
    (LOOP_JOINT.format("spherical", 2, ""), 1),
    (LOOP_JOINT.format("spherical", 1, ""), 1),  # some writers call both ends link1
    (LOOP_JOINT.format("revolute", 2, '<axis xyz="0 0 1"/>'), 3),
    (BALL_CONSTRAINT, 1),
])  # fmt: skip
def test_closures_of_isaac_sim_and_drake(closure: str, redundant: int, tmp_path: Path) -> None:
    """A spatial four-bar with parallel hinges has 3 redundant equations; a ball in place of a hinge has 2 fewer."""
    found = imported(tmp_path, "a.urdf", open_four_bar(closure))
    assert counts(found) == (redundant, 1)
    assert not [note for note in found.model.notes if note.kind is NoteKind.UNREAD]


def test_ball_constraints_of_drake_in_sdf(tmp_path: Path) -> None:
    """In place of hinge C of the four-bar: two redundant equations fewer, the same mobility."""
    before = imported(tmp_path, "whole.sdf", four_bars.SDF)
    (C,) = [one for one in before.mechanism.joints if one.name == "C"]
    start = four_bars.SDF.index('<joint name="C"')
    text = four_bars.SDF[:start] + four_bars.SDF[four_bars.SDF.index("</joint>", start) + len("</joint>") :]
    tag = "drake:ball_constraint"
    ball = "".join(
        f"<{tag}_{key}>{value}</{tag}_{key}>"
        for key, value in (
            ("body_A", C.a), ("body_B", C.b),
            ("p_AP", " ".join(map(repr, C.frame_a.r.tolist()))), ("p_BQ", " ".join(map(repr, C.frame_b.r.tolist()))),
        )
    )  # fmt: skip
    found = imported(tmp_path, "a.sdf", text.replace("</model>", f"<{tag}>{ball}</{tag}></model>"))
    (p, mobility) = counts(before)
    assert counts(found) == (p - 2, mobility)


@pytest.mark.parametrize("tag", ["weld", "closed_chain", "my_closure", "drake:tendon_constraint"])
def test_elements_that_may_connect_bodies_are_named(tag: str, tmp_path: Path) -> None:
    found = imported(tmp_path, "a.urdf", open_four_bar(f'<{tag}><x link="coupler"/><y link="rocker"/></{tag}>'))
    (note,) = [note for note in found.model.notes if note.kind is NoteKind.UNREAD]
    assert f"<{tag}> between 'coupler' and 'rocker'" in note.what


@pytest.mark.parametrize(("element", "names"), [
    ('<frame name="P" link="coupler"/><frame name="Q" link="rocker"/><pin a="P" b="Q"/>', ("coupler", "rocker")),
    ('<gazebo reference="coupler"><pin><to>rocker</to></pin></gazebo>', ("coupler", "rocker")),
    ('<gazebo><plugin filename="libmimic_joint.so"><x>A</x><y>D</y></plugin></gazebo>', ("A", "D")),
    ('<ratio of="A" to="D" value="2"/>', ("A", "D")),
])  # fmt: skip
def test_connections_by_frames_plugins_and_joints_are_named(
    element: str, names: tuple[str, str], tmp_path: Path
) -> None:
    found = imported(tmp_path, "a.urdf", open_four_bar(element))
    (note,) = [note for note in found.model.notes if note.kind is NoteKind.UNREAD]
    assert "between '{}' and '{}'".format(*names) in note.what


def test_plugins_and_lists_of_joints_that_connect_nothing(tmp_path: Path) -> None:
    more = '<gazebo><plugin filename="libdiff_drive.so"><left>A</left><right>D</right></plugin></gazebo>'
    more += '<home><j name="A"/><j name="B"/><j name="D"/></home><gazebo reference="coupler"><mu1>1</mu1></gazebo>'
    notes = imported(tmp_path, "a.urdf", open_four_bar(more)).model.notes
    assert not [note for note in notes if note.kind in (NoteKind.UNREAD, NoteKind.WARNING)]


def test_elements_between_frames_of_sdf_are_named(tmp_path: Path) -> None:
    more = '<frame name="P" attached_to="crank"/><frame name="Q" attached_to="P"/><tie a="Q" b="rocker"/>'
    found = imported(tmp_path, "a.sdf", four_bars.SDF.replace("</model>", f"{more}</model>"))
    (note,) = [note for note in found.model.notes if note.kind is NoteKind.UNREAD]
    assert "<tie> between 'crank' and 'rocker'" in note.what


def test_equalities_of_spatial_tendons_are_unread_closures(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    text = """<mujoco><worldbody><site name="s"/><body name="a"><joint name="A"/><geom size="1"/>
    <site name="t" pos="0 0 1"/></body></worldbody><tendon><spatial name="rope"><site site="s"/><site site="t"/>
    </spatial></tendon><equality><tendon tendon1="rope"/></equality></mujoco>"""
    notes = imported(tmp_path, "a.xml", text).model.notes
    assert [note.what for note in notes if note.kind is NoteKind.UNREAD] == ["equality '0'"]


def test_free_bodies_are_named(tmp_path: Path) -> None:
    more = "".join(f'<link name="{name}"/>' for name in ("box", "ball"))
    found = imported(tmp_path, "a.sdf", four_bars.SDF.replace("</model>", f"{more}</model>"))
    assert "2 free bodies ('box', 'ball')" in "".join(head_lines(found.model.notes))


def test_forces_between_bodies_and_what_connects_nothing(tmp_path: Path) -> None:
    more = '<force_element><x link="coupler"/><y link="rocker"/></force_element>'
    more += '<disable_collisions link1="coupler" link2="rocker"/><material name="coupler"/>'
    notes = imported(tmp_path, "a.urdf", open_four_bar(more)).model.notes
    grave = [note for note in notes if note.kind in (NoteKind.UNREAD, NoteKind.WARNING)]
    assert [note.kind for note in grave] == [NoteKind.WARNING]
    assert "force_element" in grave[0].what


COMMANDS = [
    ("check",), ("reactions",), ("show",), ("mobility",), ("bounds",), ("simulate", "--until", "0.01"),
    ("singular", "--until", "0.01"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_every_answer_begins_with_what_was_not_read(
    words: tuple[str, ...], tmp_path: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.urdf"
    file.write_text(open_four_bar('<weld a="coupler" b="rocker"/>'), encoding="utf-8")
    assert run_command(words[0], str(file), *words[1:]) == 0
    assert capsys.readouterr().out.startswith("Warning: <weld> between 'coupler' and 'rocker'")
    assert run_command(words[0], str(file), *words[1:], "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [note["kind"] for note in data["source_notes"]].count("unread") == 1


def test_a_report_and_a_written_model_keep_the_notes(tmp_path: Path) -> None:
    model = imported(tmp_path, "a.urdf", open_four_bar('<weld a="coupler" b="rocker"/>')).model
    assert any("<weld>" in sentence for sentence in ro.report(model).source_lines)
    again = ro.load(written(tmp_path, to_yaml(model)))
    assert again.notes == model.notes


def written(folder: Path, text: str) -> Path:
    path = folder / "again.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_strict_fails_where_a_closure_was_not_read(run_command: Callable[..., int], tmp_path: Path) -> None:
    for name, text in (("whole", ""), ("unread", '<weld a="coupler" b="rocker"/>')):
        (tmp_path / f"{name}.urdf").write_text(open_four_bar(text), encoding="utf-8")
    assert run_command("check", str(tmp_path / "whole.urdf"), "--strict") == 0
    assert run_command("check", str(tmp_path / "unread.urdf"), "--strict") == 1


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    from reactio import cli

    def run(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["reactio", *words])
        try:
            cli.run()
        except SystemExit as end:
            return int(end.code or 0)
        return 0

    return run


def test_folded_notes() -> None:
    notes = [Note(NoteKind.SKIPPED, f"tendon 't{k}'", "why") for k in range(5)]
    assert head_lines(notes) == ["Left out: 5 tendons ('t0', 't1', 't2', …)."]
    assert len(folded([*notes, Note(NoteKind.SKIPPED, "tendon 'x'", "another reason")])) == 2


def test_files_that_others_read(tmp_path: Path) -> None:
    """`--` inside comments, infinite limits, commas between numbers: files that strict readers refuse."""
    text = urdf(
        "<!-- a -- b -->"
        + joint("A", "revolute", "base", "arm", '<axis xyz="0, 0, 1"/><limit lower="-inf" upper="inf"/>'),
        "base", "arm",
    )  # fmt: skip
    assert counts(imported(tmp_path, "a.urdf", text)) == (0, 1)


@pytest.mark.parametrize(("pitch", "metres"), [
    ("<screw_thread_pitch>0.002</screw_thread_pitch>", 0.002),
    (f"<thread_pitch>{-1000 * 3.141592653589793!r}</thread_pitch>", 0.002),
    ("", 1.0),
])  # fmt: skip
def test_pitches_of_screws_in_sdf(pitch: str, metres: float, tmp_path: Path) -> None:
    """2 mm per turn, right-handed: 1000 π rad/m, which the older element counts negative; 1 m where it is not said."""
    text = f"""<sdf version="1.6"><model name="m"><link name="nut"/><joint name="A" type="screw"><parent>world</parent>
    <child>nut</child>{pitch}<axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
    result = imported(tmp_path, "a.sdf", text)
    (screw,) = result.mechanism.joints
    assert screw.parameters["pitch"] == pytest.approx(metres, rel=1e-12)
    assert any("1 m per turn is the default" in note.why for note in result.mechanism.notes) is not bool(pitch)


def test_a_mimic_of_drake_stands_in_the_joint(tmp_path: Path) -> None:
    slides = "".join(
        f'<link name="{name}"/><joint name="{name}_slide" type="prismatic"><parent>world</parent><child>{name}</child>'
        f"<axis><xyz>1 0 0</xyz></axis>{mimic}</joint>"
        for name, mimic in (("left", ""), ("right", '<drake:mimic joint="left_slide" multiplier="-1" offset="0"/>'))
    )
    text = f'<sdf version="1.7"><model name="m">{slides}</model></sdf>'
    assert counts(imported(tmp_path, "a.sdf", text)) == (0, 1)


def test_merged_includes_of_sdf(tmp_path: Path) -> None:
    """Members of the merged model have no prefix, and stand where the model is placed."""
    arm = """<sdf version="1.9"><model name="arm"><pose>0 0 5 0 0 0</pose>
    <link name="upper"><pose>0 0 1 0 0 0</pose></link>
    <link name="lower"><pose relative_to="__model__">0 0 2 0 0 0</pose></link>
    <joint name="elbow" type="revolute"><parent>upper</parent><child>lower</child><axis><xyz>0 1 0</xyz></axis></joint>
    </model></sdf>"""
    (tmp_path / "arm.sdf").write_text(arm, encoding="utf-8")
    top = """<sdf version="1.9"><model name="robot"><link name="base"/>
    <joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
    <include merge="true"><uri>arm.sdf</uri><pose>3 0 0 0 0 0</pose></include>
    <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
    <axis><xyz>0 1 0</xyz></axis></joint>
    </model></sdf>"""
    found = imported(tmp_path, "a.sdf", top)
    assert counts(found) == (0, 2)
    places = {part.name: part.pose.r.tolist() for part in found.mechanism.parts}
    assert places == {"upper": [3, 0, 1], "lower": [3, 0, 2]}


def test_two_axes_of_a_steered_wheel(tmp_path: Path) -> None:
    """SDF's revolute2 turns about two axes: four equations."""
    text = four_bars.SDF.replace('name="B" type="revolute"', 'name="B" type="revolute2"')
    axis2 = text.index("</axis>", text.index('name="B"')) + len("</axis>")
    text = text[:axis2] + "<axis2><xyz>1 0 0</xyz></axis2>" + text[axis2:]
    (B,) = [one for one in imported(tmp_path, "a.sdf", text).model.joints if one.name == "B"]
    assert B.type == "universal"


@pytest.mark.parametrize(("element", "named"), [
    ('<group name="arm"><loop_joint name="C"><link1 link="coupler"/><link2 link="rocker"/></loop_joint></group>', 1),
    ('<tether links="coupler, rocker"/>', 1),
    ('<transmission name="t"><joint name="A"/><joint name="D"/><actuator name="m"/></transmission>', 1),
    ('<transmission><joint name="A"/><joint name="D"/><actuator name="m"/><actuator name="n"/></transmission>', 0),
    ('<group name="arm"><chain base_link="base" tip_link="coupler"/><joint name="A"/><link name="crank"/></group>', 0),
])  # fmt: skip
def test_connections_in_lists_and_transmissions_are_named(element: str, named: int, tmp_path: Path) -> None:
    """A transmission with an actuator for each joint couples none; groups of links are lists for planners."""
    found = imported(tmp_path, "a.urdf", open_four_bar(element))
    assert len([note for note in found.model.notes if note.kind is NoteKind.UNREAD]) == named


def test_a_transmission_between_joints_that_follow_each_other_is_read_already(tmp_path: Path) -> None:
    """The coupling is that of <mimic>."""
    text = open_four_bar('<transmission name="t"><joint name="A"/><joint name="D"/><actuator name="m"/></transmission>')
    axis = '<axis xyz="0 0 1"/></joint><transmission'
    found = imported(tmp_path, "a.urdf", text.replace(axis, f'<mimic joint="A"/>{axis}'))
    assert counts(found) == (0, 2)
    assert not [note for note in found.model.notes if note.kind is NoteKind.UNREAD]
