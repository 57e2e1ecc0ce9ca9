"""import, audit and export as a user runs them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_out_and_in_again(run: Run, tmp_path: Path) -> None:
    out = run("export", "four-bar-spatial", "-o", "a.urdf", "--json")
    assert out.returncode == 0, out.stderr
    assert json.loads(out.stdout)["written"] == ["a.urdf", "a.yaml"]
    done = run("import", "a.urdf", "-o", "b.yaml", "--json")
    data = json.loads(done.stdout)
    assert data["schema"] == "reactio.import/1"
    assert data["read"]["loop closures"] == 1
    assert run("check", "b.yaml", "--json").returncode == 0


def test_bad_files_end_with_code_2_and_no_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text("<robot name='a'><link", encoding="utf-8")
    for command in (("import", "a.urdf"), ("check", "a.urdf"), ("audit", "a.urdf"), ("import", "none.sdf")):
        done = run(*command)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert "Traceback" not in done.stderr


def test_files_to_write_are_checked_before_the_work(run: Run, tmp_path: Path) -> None:
    """What is wrong with -o is said, not what is wrong with the file that would be read first."""
    (tmp_path / "broken.urdf").write_text("<robot", encoding="utf-8")
    (tmp_path / "broken.asmt").write_text("?", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("[", encoding="utf-8")
    wrong = [
        ("import", "broken.urdf", "-o", "a.txt"), ("import", "broken.urdf", "-o", "no/a.yaml"),
        ("export", "broken.yaml", "-o", "a.txt"), ("export", "broken.yaml", "-o", "no/a.urdf"),
        ("audit", "broken.asmt", "-o", "no/a.html"),
    ]  # fmt: skip
    (tmp_path / "door-run.png").mkdir()
    done = run("simulate", "door", "--until", "1e9", "--plot")  # a run that would take for ever
    assert done.returncode == 2
    assert "door-run.png" in done.stderr
    for command in wrong:
        done = run(*command)
        assert done.returncode == 2
        assert command[-1] in done.stderr, done.stderr
        assert "broken" not in done.stderr


def test_every_command_takes_folders_of_packages(run: Run, tmp_path: Path) -> None:
    """The refusal of `check` names an option that `check` has."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "arm.sdf").write_text(
        '<sdf version="1.9"><model name="m"><include><uri>model://part</uri></include><joint name="j" type="revolute">'
        "<parent>world</parent><child>part::b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>",
        encoding="utf-8",
    )
    (tmp_path / "there").mkdir()
    text = '<sdf version="1.9"><model name="part"><link name="b"/></model></sdf>'
    (tmp_path / "there" / "model.sdf").write_text(text, encoding="utf-8")
    assert "give --package part=DIR" in run("check", "model/arm.sdf").stderr
    done = run("check", "model/arm.sdf", "--package", "part=there", "--json")
    assert json.loads(done.stdout)["mobility"] == 1
    assert "write NAME=DIR" in run("check", "model/arm.sdf", "--package", "=there").stderr
