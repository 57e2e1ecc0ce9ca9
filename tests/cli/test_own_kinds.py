"""What a file from outside registers, on the command line and in sweeps, as the documentation tells."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KINDS = """
from dataclasses import replace
from reactio.bodies import BODIES, register
from reactio.catalogue.fields import Number

register(replace(BODIES.get("rigid"), name="painted", fields=(Number("coats", "Of paint.", 2.0),)))
"""
COMMAND = "import my_kinds\nfrom reactio.cli import main; main()\n"
MODEL = """
space: planar
parameters: {m: 2}
bodies: {door: {kind: painted, mass: m, inertia: 0.1, coats: 3}}
joints: {hinge: {type: revolute, a: ground, b: door}}
"""
SWEEP = """
import my_model
import reactio

if __name__ == "__main__":
    found = reactio.sweep(my_model.model, {"mass": [1, 2]}, "hinge.verdict", processes=1)
    print([row.values[0] for row in found.rows])
"""
BUILT = 'import my_kinds\nimport reactio\n\ndef model(mass=2.0):\n    return reactio.load("door.yaml", m=mass)\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"my_kinds.py": KINDS, "my_reactio.py": COMMAND, "door.yaml": MODEL, "go.py": SWEEP, "my_model.py": BUILT}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "140"}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=folder, env=env, timeout=300)


def test_a_script_of_two_lines_is_the_command_with_them(folder: Path) -> None:
    assert "1 of 1 reactions are unique" in called(folder, "my_reactio.py", "check", "door.yaml").stdout
    listed = called(folder, "my_reactio.py", "joints", "painted").stdout
    assert "kind of body" in listed
    assert "coats (may be left out): Of paint." in listed
    alone = called(folder, "-m", "reactio", "check", "door.yaml")
    assert alone.returncode == 2
    assert "there is no kind of body 'painted'" in alone.stderr
    assert "once its file has been imported" in alone.stderr


def test_an_error_in_a_file_of_the_user_is_no_bug_of_the_package(folder: Path) -> None:
    """The file and line where it arose are named, and the exit code is that of errors that one can mend."""
    broken = "\ndef check(body, path):\n    return {}['coats']\n"
    again = "BODIES.remove('painted')\nregister(replace(BODIES.get('rigid'), name='painted', fields=(), check=check))\n"
    (folder / "my_kinds.py").write_text(KINDS + broken + again, encoding="utf-8")
    (folder / "door.yaml").write_text(MODEL.replace(", coats: 3", ""), encoding="utf-8")
    done = called(folder, "my_reactio.py", "check", "door.yaml")
    assert done.returncode == 2
    assert f"error: KeyError in {folder / 'my_kinds.py'}:9: 'coats'" in done.stderr
    assert "not part of Reactio" in done.stderr
    assert "bug" not in done.stderr


def test_a_sweep_in_this_process(folder: Path) -> None:
    words = ("sweep", "door.yaml", "--over", "m=1,2", "--want", "hinge.verdict", "--processes", "0", "--quiet")
    done = called(folder, "my_reactio.py", *words)
    assert done.returncode == 0, done.stderr
    assert "0 cases failed" in done.stdout
    assert "unique 2" in done.stdout


def test_a_sweep_of_a_function_in_a_module_that_imports_them(folder: Path) -> None:
    done = called(folder, "go.py")
    assert done.stdout.strip() == "['unique', 'unique']", done.stderr
