"""Every rule finds its own defect, at its line, and nothing in a sound file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reactio.linting import LintFinding, rules_by_code
from reactio.linting.outputs import OUTPUTS
from reactio.linting.review import Reviewed, reviewed_file

INERTIAL = """<inertial><origin xyz="{at}"/><mass value="{mass}"/>
<inertia ixx="1" iyy="1" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial>"""


def robot(*extra: str, at: str = "0 0 0", mass: str = "1", izz: str = "1", last: str = "") -> str:
    """A chain of two arms, one hinge each, with further elements."""
    body = INERTIAL.format(at=at, mass=mass, izz=izz)
    links = f'<link name="base"/>\n<link name="upper">{INERTIAL.format(at="0 0 0", mass=1, izz=1)}</link>\n'
    links += f'<link name="lower">{body if mass else ""}{last}</link>\n'
    joints = "".join(
        f'<joint name="{name}" type="continuous"><parent link="{a}"/><child link="{b}"/><origin xyz="1 0 0"/>'
        f'<axis xyz="0 0 1"/></joint>\n'
        for name, a, b in (("A", "base", "upper"), ("B", "upper", "lower"))
    )
    return f'<robot name="r">\n{links}{joints}{"".join(extra)}\n</robot>'


CLOSURE = """<loop_joint name="{}" type="{}"><link1 link="lower" xyz="{}" rpy="0 0 0"/>
<link2 link="base" xyz="{}" rpy="0 0 0"/><axis xyz="0 0 1"/></loop_joint>"""
MIMIC = """<link name="tool">{}</link><joint name="F" type="fixed"><parent link="lower"/><child link="tool"/>
<mimic joint="A"/></joint>"""
MESH = '<visual><geometry><mesh filename="nowhere.stl"/></geometry></visual>'
DRIVEN = """space: planar
bodies:
  bar: {mass: 1, inertia: 1, position: [0.5, 0]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0]}
drives:
  one: {joint: A, function: 0}
  two: {joint: A, function: 0}
"""
# Two hinges whose axes miss one another's line by a micrometre: a bar that cannot turn, but for its digits.
MISSED = """space: spatial
bodies:
  bar: {mass: 1, inertia: [1, 1, 1]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, bodies: [ground, bar], at: [1e-6, 0, 1], axis: [0, 0, 1]}
"""
SENSOR = """<mujoco><worldbody><body name="crank"><joint name="A" axis="0 1 0"/><site name="s"/>
<geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
<body name="coupler" pos="0 0 .3"><joint name="B" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 .1"/>
<body name="rocker" pos=".5 0 .1"><joint name="C" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/>
</body></body></body></worldbody><equality><connect name="D" body1="rocker" anchor="0 0 -.4"/></equality>
<sensor>
<force site="s"/></sensor></mujoco>"""

DEFECTS: dict[str, tuple[str, str, str]] = {  # code: file, text, a part of the line that is named
    "R101": ("a.urdf", robot(CLOSURE.format("C", "revolute", "-2 0 0", "0 0 0")), '"A"'),
    "R102": (
        "a.urdf",
        robot(CLOSURE.format("C", "revolute", "-1 0 0", "1 0 0"), CLOSURE.format("D", "revolute", "-1 0 1", "1 0 1")),
        '"D"',
    ),
    "R103": ("a.yaml", DRIVEN, "one:"),
    "R201": ("a.urdf", robot(CLOSURE.format("C", "spherical", "-1.2 0 0", "0.5 0 0")), '"C"'),
    "R203": ("a.yaml", MISSED, "B:"),
    "R301": ("a.urdf", robot(izz="5"), 'link name="lower"'),
    "R302": (
        "a.urdf",
        robot(mass="0", izz="0").replace('ixx="1" iyy="1" izz="0"', 'ixx="0" iyy="0" izz="0"'),
        'link name="lower"',
    ),
    "R303": ("a.urdf", robot(at="500 0 0"), 'link name="lower"'),
    "R401": ("a.urdf", robot(MIMIC.format(INERTIAL.format(at="0 0 0", mass=1, izz=1))), '"F"'),
    "R402": ("a.urdf", robot(last=MESH), "nowhere.stl"),
    "R403": ("a.urdf", robot('<weld a="lower" b="base"/>'), "<weld"),
    "R404": ("a.urdf", robot('<link name="upper"/>'), '<link name="upper"/>'),
    "R501": ("a.xml", SENSOR, "<force"),
}


def reviewed(folder: Path, name: str, text: str) -> Reviewed:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return reviewed_file(path)


def test_a_sound_file_has_no_findings(tmp_path: Path) -> None:
    assert reviewed(tmp_path, "a.urdf", robot()).findings == ()


@pytest.mark.parametrize("code", DEFECTS)
def test_every_rule_finds_its_defect(code: str, tmp_path: Path) -> None:
    name, text, part = DEFECTS[code]
    review = reviewed(tmp_path, name, text)
    found = [finding for finding in review.findings if finding.code == code]
    assert found, (review.findings, review.error)
    assert found[0].line == text[: text.index(part)].count("\n") + 1


def test_a_line_is_known_where_the_import_changes_a_name(tmp_path: Path) -> None:
    text = DEFECTS["R101"][1].replace('"A"', '"A-1"')
    (finding,) = (finding for finding in reviewed(tmp_path, "a.urdf", text).findings if finding.code == "R101")
    assert finding.line == text[: text.index('"A-1"')].count("\n") + 1


def test_the_defects_here_are_those_of_the_rules() -> None:
    """R202 needs a nearly singular pose, R304 a file of another program with some masses."""
    assert set(rules_by_code()) - set(DEFECTS) == {"R202", "R304"}


@pytest.mark.parametrize("comment", ["reactio: ignore[R403]", "reactio: ignore", "reactio: ignore-file[R4]"])
def test_comments_silence_findings(comment: str, tmp_path: Path) -> None:
    review = reviewed(tmp_path, "a.urdf", robot(f'<!-- {comment} -->\n<weld a="lower" b="base"/>'))
    assert review.findings == ()


def test_a_changed_file_is_reviewed_again(tmp_path: Path) -> None:
    assert reviewed(tmp_path, "a.urdf", robot()).findings == ()
    assert reviewed(tmp_path, "a.urdf", robot()).findings == ()
    assert [f.code for f in reviewed(tmp_path, "a.urdf", robot('<weld a="lower" b="base"/>')).findings] == ["R403"]


FOUND = (LintFinding("R101", "a: b, 100 %\nnew line", 3, "A", "models/a b.urdf"),)
LOST = (Reviewed("b.urdf", error="is empty."),)


def test_outputs() -> None:
    assert OUTPUTS["text"](FOUND[:0], ()) == "No findings.\n"
    assert "models/a b.urdf:3: R101" in OUTPUTS["text"](FOUND, LOST)
    data = json.loads(OUTPUTS["json"](FOUND, LOST))
    assert data["findings"][0] == {
        "code": "R101", "file": "models/a b.urdf", "line": 3, "joint": "A", "message": FOUND[0].message,
    }  # fmt: skip
    github = OUTPUTS["github"](FOUND, LOST).splitlines()
    assert github[0] == "::warning file=models/a b.urdf,line=3,title=R101::a: b, 100 %25%0Anew line"
    (run,) = json.loads(OUTPUTS["sarif"](FOUND, LOST))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("models/a%20b.urdf", 3)
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == set(rules_by_code())
    assert run["invocations"][0]["executionSuccessful"] is False


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    from reactio import cli

    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["reactio", "lint", *words])
        try:
            cli.run()
        except SystemExit as end:
            return int(end.code or 0)
        return 0

    return run


def test_exit_codes_select_and_baseline(
    tmp_path: Path, lint: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.urdf").write_text(robot('<weld a="lower" b="base"/>'), encoding="utf-8")
    (tmp_path / "broken.urdf").write_text("<robot", encoding="utf-8")
    assert lint("a.urdf") == 1
    assert lint("a.urdf", "--ignore", "R4") == 0
    assert lint("a.urdf", "--select", "R1") == 0
    assert lint("a.urdf", "--select", "R9") == 2  # no such rule
    assert lint("a.urdf", "broken.urdf") == 2
    assert lint("a.urdf", "--write-baseline", "known.json") == 0
    assert lint("a.urdf", "--baseline", "known.json") == 0
    (tmp_path / "pyproject.toml").write_text('[tool.reactio.lint]\nignore = ["R403"]\n', encoding="utf-8")
    assert lint("a.urdf") == 0
    (tmp_path / "pyproject.toml").write_text('[tool.reactio.lint]\nignor = ["R403"]\n', encoding="utf-8")
    assert lint("a.urdf") == 2
    assert "did you mean" in capsys.readouterr().err.lower()


def test_the_page_lists_every_rule() -> None:
    from reactio_docs.lint_rules import PAGE, rules_listing

    assert rules_listing() in PAGE.read_text(encoding="utf-8")
