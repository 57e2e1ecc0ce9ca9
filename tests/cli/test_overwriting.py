"""No command loses a file: its inputs stay, files next to its output stay, and files of the user need ``--force``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import reactio
from reactio.exporters import export

Call = Callable[..., tuple[int, str, str]]
MAIN = """<mujoco><include file="arm.xml"/><worldbody><body name="base"><joint type="hinge"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
ARM = """<mujocoinclude><worldbody><body name="arm" pos="0 0 1"><joint type="hinge"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujocoinclude>"""
DRIVEN = """space: planar
bodies: {rod: {mass: 1, inertia: 0.1, center: [0.5, 0]}}
joints: {A: {type: revolute, a: ground, b: rod}}
drives: {motor: {joint: A, function: {spline: {file: motion.csv}}}}
"""


def kept(call: Call, folder: Path, name: str, *words: str) -> str:
    """The error of a command that must leave a file as it is, with and without --force."""
    before = (folder / name).read_bytes()
    for more in ((), ("--force",)):
        code, _, err = call(*words, *more)
        assert code == 2
        assert (folder / name).read_bytes() == before
    return err


def test_an_export_does_not_replace_its_source_by_a_list_of_loops(tmp_path: Path, call: Call) -> None:
    reactio.save(reactio.load("four-bar-spatial"), tmp_path / "machine.yaml")
    err = kept(call, tmp_path, "machine.yaml", "export", "machine.yaml", "-o", "machine.urdf")
    assert "the input 'machine.yaml' would be overwritten" in err
    assert not (tmp_path / "machine.urdf").exists()  # all files of an export, or none


def test_an_export_does_not_replace_a_file_next_to_its_output(tmp_path: Path, call: Call) -> None:
    (tmp_path / "other.yaml").write_text("notes: mine\n")
    err = kept(call, tmp_path, "other.yaml", "export", "four-bar-spatial", "-o", "other.urdf")
    assert "'other.yaml' exists" in err
    assert "--force" not in err
    assert not (tmp_path / "other.urdf").exists()


def test_an_import_does_not_replace_the_loops_of_the_robot(tmp_path: Path, call: Call) -> None:
    export(reactio.load("four-bar-spatial"), tmp_path / "robot.urdf")
    assert "the input 'robot.yaml'" in kept(call, tmp_path, "robot.yaml", "import", "robot.urdf", "-o", "robot.yaml")
    (tmp_path / "link.yaml").symlink_to("robot.yaml")
    assert "the input 'robot.yaml'" in kept(call, tmp_path, "robot.yaml", "import", "robot.urdf", "-o", "link.yaml")


def test_an_import_does_not_replace_an_included_file(tmp_path: Path, call: Call) -> None:
    pytest.importorskip("mujoco")
    (tmp_path / "main.xml").write_text(MAIN)
    (tmp_path / "arm.xml").write_text(ARM)
    assert "the input 'arm.xml'" in kept(call, tmp_path, "arm.xml", "import", "main.xml", "-o", "arm.xml")


def test_a_run_does_not_replace_the_table_of_its_drive(tmp_path: Path, call: Call) -> None:
    (tmp_path / "m.yaml").write_text(DRIVEN)
    (tmp_path / "motion.csv").write_text("0, 0\n0.5, 0.1\n1, 0.3\n")
    kept(call, tmp_path, "motion.csv", "simulate", "m.yaml", "--until", "0.01", "--out", "motion.csv")


def test_a_sweep_does_not_replace_an_edited_table(tmp_path: Path, call: Call) -> None:
    words = ("sweep", "door", "--over", "hinges=1,2", "--processes", "0", "-o", "out")
    assert call(*words)[0] == call(*words)[0] == 0
    table = tmp_path / "out" / "results.csv"
    table.write_text(table.read_text() + "# checked by me\n")
    code, _, err = call(*words)
    assert (code, "results.csv' exists" in err) == (2, True)
    assert call(*words, "--force")[0] == 0


def test_a_result_may_be_written_again_until_it_is_edited(tmp_path: Path, call: Call) -> None:
    words, file = ("export", "door", "-o", "door.yaml"), tmp_path / "door.yaml"
    assert call(*words)[0] == call(*words)[0] == 0
    assert call("export", "door", "--set", "hinges=2", "-o", "door.yaml")[0] == 0
    file.write_text(file.read_text() + "# edited\n")
    code, _, err = call(*words)
    assert (code, "--force overwrites it" in err) == (2, True)
    assert file.read_text().endswith("# edited\n")
    assert call(*words, "--force")[0] == call(*words)[0] == 0
    file.write_text("mine")
    reactio.save(reactio.load("door"), file)  # a function writes where it is told to
