"""Files appear whole or not at all, and reading a model stays light."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reactio.errors import ReactioError
from reactio.library import load
from reactio.model.files.write import save
from reactio.operating_system.files import write_text


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    write_text(tmp_path / "new", "naïve\n")
    assert (tmp_path / "new").read_bytes() == "naïve\n".encode()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize(("owner", "step"), [(Path, "write_bytes"), (os, "chmod"), (os, "replace")])
def test_a_failure_leaves_the_old_file_and_no_litter(
    owner: object, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "model.yaml"
    write_text(file, "old")
    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(ReactioError, match=r"model\.yaml' cannot be written: No space left"):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_an_interruption_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "model.yaml"
    write_text(file, "old")
    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    write_text(file, "old")
    with pytest.raises(ReactioError, match="cannot be written"):
        write_text(file, "new \ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("place", ["", "missing/model.yaml", "nul\0.yaml", "x" * 300])
def test_places_that_cannot_be_written(place: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match="cannot be written"):
        save(load("door"), tmp_path / place)
    assert list(tmp_path.iterdir()) == []


def test_devices_are_not_replaced() -> None:
    with pytest.raises(ReactioError, match="device"):
        write_text("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "target").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_the_longest_file_name_will_do(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)  # the limit of common file systems
    write_text(file, "text")
    assert file.read_text() == "text"


def test_reading_a_model_loads_neither_llvm_nor_scipy(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("0,0\n1,1\n2,0\n")
    file = tmp_path / "model.yaml"
    file.write_text("""\
space: planar
bodies: {rod: {mass: 1, inertia: 1}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
drives: {d: {joint: A, function: {sum: [2*t, {spline: {file: table.csv}}]}}}
""")
    code = f"""
import sys, reactio
from reactio import library
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml
reactio.load({str(file)!r})
for name in library.names():
    if name != "shaft-three-bearings":  # the mass of a flexible shaft is found by sparse matrices
        to_yaml(reactio.load(name))
schema()
print([name for name in sys.modules if name.split(".")[0] in ("llvmlite", "scipy")])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
