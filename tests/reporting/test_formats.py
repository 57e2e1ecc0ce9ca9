"""What a report says, in every format; names from model files stay names."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.accelerate import accelerations
from reactio.model.specs import Body
from reactio.reporting import gather
from reactio.reporting.as_json import to_data
from reactio.reporting.drawing import drawing_data
from reactio.reporting.formats import format_of, save_report
from reactio.reporting.html import to_html
from reactio.reporting.markdown import to_markdown
from reactio.reporting.report import Report

from .models import HOSTILE


@pytest.fixture(scope="module")
def robot() -> Report:
    system = reactio.build(reactio.load("mobile-robot"))
    run = reactio.simulate(system, until=2.0, tol=1e-6, output=12)
    return reactio.report(system, run=run, events=[(1.0, "the steering begins")], command="reactio report mobile-robot")


class Tags(HTMLParser):
    """All tags, and the text outside of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_verdicts_are_those_of_check(robot: Report) -> None:
    answer = reactio.check(reactio.load("mobile-robot"))
    assert {j.name: j.verdict for j in robot.joints} == {g.name: str(g.verdict) for g in answer.groups}
    assert {j.name: j.shares_with for j in robot.joints} == {g.name: g.shares_with for g in answer.groups}
    assert robot.headline == answer.headline
    # Wojtyra & Frączek 2013: B, C, W1–W4 are not unique, all others are.
    assert {j.name for j in robot.joints if j.verdict != "unique"} == {"B", "C", "W1", "W2", "W3", "W4"}


def test_every_position_of_a_slider_balances_the_load() -> None:
    """λ_rule + s N_k is a solution of Cᵀλ = f for any s, and unique components stay as they are."""
    system = reactio.build(reactio.load("spatial-parallelogram"))
    eqs = reactio.equations(system, reactio.assemble(system))
    made = reactio.report(system)
    (stress,) = made.stresses
    drawn = {joint.name: joint for joint in made.joints}
    # Oracle: Newton's law of the platform, whose joints are B, D, F, H, L, N (all on their second body).
    mass, platform = 39.0, system.model.body_index["platform"]
    vdot = accelerations(eqs).vdot[system.body_v[platform] : system.body_v[platform] + 3]
    wanted = mass * (vdot - np.array([0, 0, -9.81])) - np.array([2000.0, 3000.0, 3000.0])
    for s in (0.0, 700.0, -1234.5):
        total = sum(drawn[n].wrench[:3] + s * stress.wrenches.get(n, np.zeros(6))[:3] for n in "BDFHLN")
        np.testing.assert_allclose(total, wanted, atol=1e-7 * 5000)  # of loads of 5 kN, summed from six joints
    for name, change in stress.components.items():
        for part, d in zip(drawn[name].components, change, strict=True):
            # A unique component belongs to no self-stress: rounding of a unit vector beside changes of the order of 1.
            assert (abs(d) < 1e-9) == bool(part.unique)


def test_histories_are_the_reactions_of_the_run(robot: Report) -> None:
    assert robot.run is not None
    system = reactio.build(reactio.load("mobile-robot"))
    again = reactio.simulate(system, until=2.0, tol=1e-6, output=robot.run.times)
    history = next(h for h in robot.run.histories if h.name == "A")
    k = history.labels.index("Fx")
    # The same steps, asked for other rows: bit by bit up to the sign of zero.
    unique = history.unique[:, k]
    np.testing.assert_allclose(history.values[unique, k], again["A"].force_in_joint[unique, 0], rtol=1e-12, atol=1e-12)
    # Just after the steering begins, products of its small angle lie below rounding: A is ambiguous.
    doubtful = np.asarray(robot.run.times)[~unique]
    assert ((doubtful > 1.0) & (doubtful < 1.07)).all()
    edge = next(h for h in robot.run.histories if h.name == "W3")
    assert not edge.unique.all()
    # Rows of the run are met by the curve between them.
    assert robot.run.t[0] == 0.0
    assert robot.run.t[-1] == 2.0


def test_page_is_one_file_without_the_network(robot: Report) -> None:
    text = to_html(robot)
    page = Tags(text)
    assert not [tag for tag, a in page.found if a.get("src") or (tag == "link" and a.get("href") != "data:,")]
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    assert len(text) < 2_000_000
    assert "the steering begins" in text
    assert "reactio report mobile-robot" in text
    rows = [a for tag, a in page.found if tag == "tr" and "data-joint" in a]
    assert len(rows) == len(robot.joints)
    labelled = [a for tag, a in page.found if tag == "input" and a.get("type") == "range"]
    assert labelled
    assert all(a.get("aria-label") for a in labelled)


def test_embedded_frames_are_those_of_the_state(robot: Report) -> None:
    data = drawing_data(robot)
    frames = np.frombuffer(base64.b64decode(data["frames"]), dtype="<f4").reshape(-1, 9)
    # Single precision: 6e-8 of coordinates of a few metres.
    np.testing.assert_allclose(frames, robot.frames[:, :9], atol=1e-6)


def test_names_are_only_names(tmp_path: Path) -> None:
    made = reactio.report(reactio.parse_model(HOSTILE, "hostile.yaml"))
    text = to_html(made)
    page = Tags(text)
    assert sum(tag == "script" for tag, _ in page.found) == 2
    assert not any(tag in ("img", "b") and a for tag, a in page.found)
    assert "<script>hacked" not in text
    assert any("<script>hacked=2</script>" in words for words in page.words)
    start = text.index('id="data">') + len('id="data">')
    data = json.loads(text[start : text.index("</script>", start)])
    assert data["joints"][0]["name"] == "<script>hacked=2</script>"
    markdown = to_markdown(made)
    assert not re.search(r"(?<!\\)<script", markdown)
    for form in ("pdf", "json"):
        save_report(made, tmp_path / f"hostile.{form}")
    assert (tmp_path / "hostile.pdf").read_bytes().startswith(b"%PDF")


def test_formats_say_the_same(robot: Report, tmp_path: Path) -> None:
    for form in ("html", "md", "pdf", "json"):
        robot.save(tmp_path / f"robot.{form}")
    data = json.loads((tmp_path / "robot.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps(to_data(robot)))
    assert data["schema"] == "reactio.report/1"
    assert [j["name"] for j in data["joints"]] == [j.name for j in robot.joints]
    assert len(data["evidence"]["sigma"]) == 21
    text = (tmp_path / "robot.md").read_text(encoding="utf-8")
    for joint in robot.joints:
        assert f"| {joint.name} | {joint.type} | {joint.verdict} |" in text
    with pytest.raises(reactio.ReactioError, match="html, md, pdf, json"):
        format_of("robot.docx")


def test_large_mechanisms_stay_small_files() -> None:
    made = reactio.report(reactio.load("n-four-bar", N=200))
    assert len(made.joints) == 601
    assert len(to_html(made)) < 3_000_000
    assert made.stresses == ()


def test_no_constraints_is_a_clear_error() -> None:
    free = reactio.Model("free", "planar", (Body("a", 1.0, (1.0,), (0.0, 0.0), (0.0,)),))
    with pytest.raises(reactio.ReactioError, match="no constraints"):
        reactio.report(free)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Report:
    """The mobile robot, as if its 13 joints were very many."""
    monkeypatch.setattr(gather, "MOST_REPORTED_JOINTS", 10)
    monkeypatch.setattr(gather, "MOST_LEAST_CERTAIN", 8)
    system = reactio.build(reactio.load("mobile-robot"))
    return reactio.report(system, run=reactio.simulate(system, until=0.5, tol=1e-6, output=4))


def test_of_very_many_joints_the_worst_are_shown_and_all_are_counted(robot: Report, large: Report) -> None:
    """The least certain first, then the most loaded; tables, histories and the drawing hold no others."""
    every = len(robot.joints)
    doubtful = [joint for joint in robot.joints if joint.verdict != "unique"]
    assert robot.left_out == ""
    assert (len(large.joints), sum(large.counts.values())) == (8, every)
    assert large.counts == robot.counts
    assert {joint.name for joint in large.joints[: len(doubtful)]} == {joint.name for joint in doubtful}
    shown = {joint.name for joint in large.joints}
    assert {badge.name for badge in large.scene.badges} <= shown
    assert large.run is not None
    assert [history.name for history in large.run.histories] == [joint.name for joint in large.joints]
    said = f"The 8 worst are shown, the least certain first, then the most loaded; {every - 8} more are left out"
    assert said in to_html(large)
    assert said in to_markdown(large)
    assert to_data(large)["counts"] == dict(robot.counts)
    assert len(drawing_data(large)["joints"]) == 8


def test_what_cannot_be_decided_is_not_counted_as_known(tmp_path: Path) -> None:
    """Two hinges of a door whose axes miss each other by 1e-9: no format says "5 of 5" of a joint that is ambiguous."""
    door = """
space: spatial
name: door
bodies: {leaf: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}}
joints:
  top: {type: revolute, bodies: [ground, leaf], at: [0, 0, 1]}
  bottom: {type: revolute, bodies: [ground, leaf], at: [1e-9, 0, 0]}
"""
    (tmp_path / "door.yaml").write_text(door)
    model = reactio.load(tmp_path / "door.yaml")
    answer, found = reactio.check(model), reactio.report(model)
    ambiguous = [g for g in answer if str(g.verdict) == "ambiguous"]
    assert ambiguous
    assert all(len({d for _, d in g.alternatives}) == 2 for g in ambiguous)
    for g in ambiguous:
        assert "–" in g.known
        assert next(j for j in found.joints if j.name == g.name).known == g.known
        row = next(line for line in to_markdown(found).splitlines() if f"| {g.name} |" in line)
        assert f"| {g.known} |" in row
        assert f">{g.known}</span>" in to_html(found)
        assert next(j for j in to_data(found)["joints"] if j["name"] == g.name)["known"] == g.known
        assert next(j for j in drawing_data(found)["joints"] if j["name"] == g.name)["known"] == g.known
        assert g.known in answer._repr_html_()


def test_pages_of_a_pdf_hold_all_they_say() -> None:
    """Forces and moments have panels of their own, with peaks; long lists go on overleaf, and no line is cut."""
    from reactio.reporting.pdf import BOTTOM, MOST_LINE_LETTERS, _back, _plots, _tables

    run = reactio.simulate(reactio.load("door"), 0.2, output=5)
    made = reactio.report(run.system, run=run, rule="inertia", sums={"weight": "hinge1.Fz + hinge2.Fz + hinge3.Fz"})
    (plots,) = _plots(made)
    assert [axes.get_ylabel() for axes in plots.axes] == ["N", "N m"] * 3
    named = [text.get_text() for text in plots.axes[0].get_legend().get_texts()]
    assert any(text.startswith("Fz (undetermined) peak 81.75 at ") for text in named)  # weight / 3
    (table,) = _tables(made)
    words = [text.get_text() for text in table.texts]
    assert "weight = hinge1.Fz + hinge2.Fz + hinge3.Fz = 245.25 N (unique), in world axes" in words
    assert (
        max(len(line) for text in words for line in text.split("\n") if "≈" in text and "Fx" in text)
        <= MOST_LINE_LETTERS
    )
    stretched = replace(made, stresses=made.stresses * 6)
    pages = _back(stretched)
    assert len(pages) > 1
    assert all(text.get_position()[1] > BOTTOM for page in pages for text in page.texts)


def test_a_report_without_some_equations_is_refused() -> None:
    """Without its redundant equation both rods would look unique."""
    model = reactio.load("pendulum-two-rods")
    run = reactio.simulate(model, 0.01, drop="auto", output=2)
    for system in (model, run.system):
        with pytest.raises(reactio.ReactioError, match="Equations were dropped"):
            reactio.report(system, run=run)


SLINGS = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {load: {mass: 2000, inertia: [800, 1000, 1500], position: [0, 0, -0.5]}}
joints:
  s1: {type: cable, a: {body: ground, point: [0, 0, 3]}, b: {body: load, point: [1, 0.75, 0.5]}, stiffness: 5e6,
    misfit: {length: 5e-3}}
  s2: {type: cable, a: {body: ground, point: [0, 0, 3]}, b: {body: load, point: [-1, 0.75, 0.5]}, stiffness: 5e6}
  s3: {type: cable, a: {body: ground, point: [0, 0, 3]}, b: {body: load, point: [-1, -0.75, 0.5]}, stiffness: 5e6}
  s4: {type: cable, a: {body: ground, point: [0, 0, 3]}, b: {body: load, point: [1, -0.75, 0.5]}, stiffness: 5e6}
"""


def test_the_page_says_which_parts_bear_nothing() -> None:
    page = reactio.report(reactio.parse_model(SLINGS), rule="compliance")
    assert [joint.bears for joint in page.joints] == [False, True, False, True]
    told = " ".join(page.sentences)
    for words in ("'s1' carries no load", "2 of 4 parts with a gap carry load", "Level 1"):
        assert words in told
    assert "| 0 of 1 | N ◆ 0 N | s2 … s4 | idle |" in to_markdown(page)
    assert to_html(page).count("class='dim load'>idle<") == 2


TABLE = """
space: planar
gravity: [0, -9.81]
bodies: {table: {mass: 80, inertia: 10, position: [0, 0.7]}}
contacts:
  f1: {type: point-on-line, line: ground, point: {body: table, point: [-0.5, -0.7]}}
  f2: {type: point-on-line, line: ground, point: {body: table, point: [0.5, -0.7]}}
  f3: {type: point-on-line, line: ground, point: {body: table, point: [0, -0.6998]}}
"""


def test_the_page_names_open_contacts_below_its_headline() -> None:
    assert "Open, without a reaction: f3 (gap 0.0002 m)." in reactio.report(reactio.parse_model(TABLE)).words


FOOT = """
space: planar
units: mm
gravity: [0, -9810]
bodies: {machine: {mass: 40, inertia: 1e6, points: {left: [-300, 0], right: [300, 0]}}}
contacts:
  left: {type: point-on-line, line: ground, point: machine.left, stiffness: 200, damping: 1e-3}
  right: {type: point-on-line, line: ground, point: machine.right, stiffness: 50, damping: 1e-3}
"""
GUIDE = "joints: {guide: {type: revolute-translational, bodies: [ground, machine], at: [0, 0], axis: [0, 1]}}\n"


def test_a_report_follows_a_run_in_which_contacts_yield() -> None:
    """Their forces are among the peaks, as in `simulate`; the run is that of the model, not of closed contacts."""
    model = reactio.parse_model(FOOT + GUIDE)
    page = reactio.report(model, run=reactio.simulate(model, until=0.05))
    assert page.run is not None
    by_name = {peak.name: peak for peak in page.run.peaks.found}
    assert by_name["right"].peak == pytest.approx(-357.26, rel=1e-3)  # as `simulate` says; 196.2 N at rest
    (guide,) = page.joints
    assert (guide.name, guide.components[0].value) == ("guide", 0.0)  # beside a weight of 392 N, not its rounding
    assert not guide.wrench.any()
    assert not page.run.wrenches.any()


def test_without_joints_there_is_nothing_to_report_along_such_a_run() -> None:
    model = reactio.parse_model(FOOT)
    run = reactio.simulate(model, until=0.01)
    with pytest.raises(reactio.ReactioError, match=r"left and right yield|`reactio simulate` gives the peaks"):
        reactio.report(model, run=run)
    assert len(reactio.report(model).joints) == 2  # closed, at the start
