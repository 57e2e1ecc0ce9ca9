"""One model at the desk: the file and the edits, whoever is first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.desk import answer, session
from reactio.desk.questions import QUESTIONS
from reactio.desk.session import Desk
from reactio.desk.source import source_of
from reactio.desk.starting import described_model, template_names, template_text
from reactio.errors import ReactioError
from reactio.linting.review import reviewed_file
from reactio.operating_system.files import unsaved

BAR = """\
space: planar
gravity: [0, -9.81]
parameters: {half: 1, mass: 2}
bodies:
  bar: {mass: mass, inertia: 1, position: [0, 0]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [-half, 0]}  # left
  B: {type: revolute, bodies: [ground, bar], at: [half, 0]}
"""
PATIENCE = 30.0  # [s] after which what should come has not come; the machine may be busy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bar.yaml"
    path.write_text(BAR)
    return path


def wait(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.01)
    raise AssertionError("nothing came")


@pytest.fixture
def desk(file: Path) -> Any:
    opened = Desk(source_of(str(file)))
    opened.start()
    yield opened
    opened.stop()


def settled(desk: Desk) -> dict[str, Any]:
    wait(lambda: desk.answered.get("version") == desk.version and desk.answered["complete"])
    return desk.answered


def test_the_verdicts_are_those_of_the_saved_file(desk: Desk, file: Path) -> None:
    settled(desk)
    desk.edit({"do": "type", "joint": "B", "type": "revolute-translational"})
    shown = settled(desk)
    assert ["redundant equations", "1", "0"] in shown["changes"]
    assert desk.save("bar.yaml", False) == "bar.yaml"
    assert "# left" in file.read_text()
    verdicts = {group.name: str(group.verdict) for group in reactio.check(reactio.load(file))}
    assert {name: joint[1] for name, joint in shown["summary"]["joints"].items()} == verdicts
    desk.undo()
    assert settled(desk)["edited"]
    assert file.read_text() != BAR  # undo changes the page, not the file


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"do": "type", "joint": "C", "type": "fixed"}, "no joint 'C'"),
        ({"do": "type", "joint": "A", "type": "distance"}, "its own numbers"),
        ({"do": "parameter", "name": "hal", "value": 1}, "Did you mean 'half'"),
        ({"do": "parameter", "name": "half", "value": "import os"}, "half"),
        ({"do": "parameter", "name": "half", "value": float("nan")}, "number"),
        ({"do": "field", "joint": "A", "field": "stiffness", "value": "{x: ["}, "written as in the file"),
        ({"do": "field", "joint": "A", "field": "stifness", "value": "1"}, "stiffness"),
        ({"do": "support", "point": "Q", "kind": "ground"}, "No bar ends at Q"),
        ({"do": "bar", "from": [0, "x"], "to": [1, 1]}, "number"),
        ({"do": "erase", "body": "nobody"}, "no body"),
        ({"do": "anything"}, "no edit"),
        ({}, "no edit"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused_and_changes_nothing(
    file: Path, order: dict[str, Any], reason: str
) -> None:
    desk = Desk(source_of(str(file)))
    with pytest.raises(ReactioError, match=reason):
        desk.edit(order)
    assert desk.text == BAR


def test_edits_of_every_kind_leave_a_readable_model(file: Path) -> None:
    desk = Desk(source_of(str(file)))
    for order in (
        {"do": "parameter", "name": "half", "value": "1 + 1/2"},
        {"do": "field", "joint": "A", "field": "stiffness", "value": "{x: 1e6, y: 1e6}"},
        {"do": "field", "joint": "A", "field": "stiffness", "value": ""},
        {"do": "like", "joint": "B"},
        {"do": "remove", "joint": "B_2"},
        {"do": "bar", "from": [0.0, 0.5], "to": [1.0, 0.5]},
        {"do": "bar", "from": "B", "to": [1.0, 1.5]},
        {"do": "support", "point": "A", "kind": "slider"},
        {"do": "force", "point": "C", "x": 3, "y": -4},
        {"do": "point", "point": "C", "x": 1.25, "y": 1.5},
        {"do": "erase", "body": "bar2"},
    ):
        desk.edit(order)
    model = reactio.parse_model(desk.text)
    assert [body.name for body in model.bodies] == ["bar", "bar1"]
    assert {joint.name for joint in model.joints} == {"A", "B", "A1"}
    assert not model.forces


def test_unsaved_edits_are_made_again_on_a_file_that_changes(desk: Desk, file: Path) -> None:
    desk.edit({"do": "parameter", "name": "mass", "value": 5})
    desk.edit({"do": "remove", "joint": "B"})
    file.write_text(BAR.replace("half: 1", "half: 3").replace("  B: {", "  C: {"))
    wait(lambda: "half: 3" in desk.text and "mass: 5" in desk.text)
    shown = settled(desk)
    assert "no longer fits" in shown["notes"][0]
    assert "There is no joint 'B'" in shown["notes"][0]


def test_a_file_that_is_written_slowly_or_taken_away_keeps_the_last_picture(desk: Desk, file: Path) -> None:
    joints = settled(desk)["summary"]["joints"]
    with file.open("w") as writing:
        writing.write(BAR[:60])
        writing.flush()
        wait(lambda: desk.answered["error"])
        assert desk.answered["summary"]["joints"] == joints
        writing.write(BAR[60:])
    wait(lambda: not desk.answered["error"])
    file.rename(file.with_suffix(".old"))
    wait(lambda: desk.answered["error"] and "is gone" in desk.answered["error"]["message"])
    desk.save("bar.yaml", False)  # the text is still here
    wait(lambda: not desk.answered["error"])
    assert file.read_text() == BAR


def test_two_who_edit_at_once_both_count(desk: Desk) -> None:
    def edit(name: str) -> None:
        for k in range(1, 11):
            desk.edit({"do": "parameter", "name": name, "value": k})

    hands = [threading.Thread(target=edit, args=(name,)) for name in ("half", "mass")]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert "{half: 10, mass: 10}" in desk.text
    for _ in range(20):
        desk.undo()
    assert desk.text == BAR


@pytest.mark.parametrize(
    "name", ["../x.yaml", "/tmp/x.yaml", "a/b.yaml", "..", ".x.yaml", "x.txt", "a\\b.yaml", "", "x\0.yaml"]
)
def test_nothing_is_written_outside_the_folder(file: Path, name: str) -> None:
    with pytest.raises(ReactioError):
        Desk(source_of(str(file))).save(name, True)


def test_a_link_and_a_foreign_file_are_not_overwritten(file: Path) -> None:
    (file.parent / "out").mkdir()
    (file.parent / "link.yaml").symlink_to(file.parent / "out" / "target.yaml")
    (file.parent / "notes.yaml").write_text("mine")
    desk = Desk(source_of(str(file)))
    with pytest.raises(ReactioError, match="link"):
        desk.save("link.yaml", True)
    with pytest.raises(ReactioError, match="exists"):
        desk.save("notes.yaml", False)
    desk.save("notes.yaml", True)
    assert (file.parent / "notes.yaml").read_text() == BAR


def test_a_large_model_says_what_it_leaves_out(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "MOST_DETAILED_JOINTS", 1)
    subject = answer.read_subject(BAR, "bar", file.parent)
    shown = answer.picture(subject, t=None, state=None, details=True)
    assert "With 2 joints, reasons" in shown["left_out"]
    assert shown["data"]["stresses"] == []
    assert session.MOST_STEPS > 0


def test_a_quick_answer_has_the_verdicts_and_numbers_of_the_whole_one(file: Path) -> None:
    subject = answer.read_subject(BAR, "bar", file.parent)
    quick, whole = (answer.picture(subject, t=None, state=None, details=details) for details in (False, True))
    assert quick["summary"] == whole["summary"]
    for a, b in zip(quick["data"]["joints"], whole["data"]["joints"], strict=True):
        assert a["components"] == b["components"]
    assert quick["data"]["free"] == whole["data"]["free"]


@pytest.mark.parametrize("name", template_names())
def test_a_template_is_a_model_with_comments(name: str) -> None:
    text = template_text(name.replace("-", " "))
    assert text.startswith("# ")
    model = reactio.parse_model(text)
    assert answer.picture(answer.read_subject(text, name, None), t=None, state=None, details=False)["summary"]
    assert bool(model.bodies) == (name != "sketch")


def test_answers_to_questions_become_a_model() -> None:
    text = described_model("planar", ["crank", "rod"], ["A revolute ground crank", "B revolute crank rod"])
    assert reactio.check(reactio.parse_model(text)).mobility == 2
    with pytest.raises(ReactioError, match="Did you mean 'crank'"):
        described_model("planar", ["crank"], ["A revolute ground krank"])
    with pytest.raises(ReactioError, match="NAME TYPE BODY BODY"):
        described_model("planar", ["crank"], ["A revolute"])


QUICK_QUESTIONS = [name for name in QUESTIONS if name not in ("envelope", "singular", "sensors", "rules")]


@pytest.mark.parametrize("name", QUICK_QUESTIONS)
def test_the_python_of_a_question_runs(name: str, file: Path) -> None:
    """On a model that each question can be asked of: elastic pins."""
    file.write_text(BAR.replace("at: [", "stiffness: {x: 1e6, y: 1e6}, at: ["))
    exec(QUESTIONS[name].python, {"ro": reactio, "model": reactio.load(file)})


def test_lint_looks_at_the_text_that_is_not_saved(file: Path) -> None:
    """The findings of a file are remembered by its content, those of a text in its place are not."""
    mended = BAR.replace(
        "revolute, bodies: [ground, bar], at: [half, 0]",
        "revolute-translational, bodies: [ground, bar], at: [half, 0], axis: [1, 0]",
    )
    before = [finding.code for finding in reviewed_file(file).findings]
    assert "R101" in before
    with unsaved(file, mended):
        assert "R101" not in [finding.code for finding in reviewed_file(file).findings]
    assert [finding.code for finding in reviewed_file(file).findings] == before
