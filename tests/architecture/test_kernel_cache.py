"""Compiled kernels are loaded only from a folder of the user's own, and only whole."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reactio.kernels.files import KernelFiles
from reactio.operating_system.private_folder import private_folder

KEY = ("float64", "x86_64")

# A kernel is compiled, or loaded, with the cache in the folder that is named; prints its value and which it was.
COMPILE = """
import sys
from reactio.kernels import CodeUse, running
from reactio.linear.lu import lu_solve
import numpy as np
b = np.ones(1)
with running(CodeUse.COMPILED):
    lu_solve(2.0 * np.eye(1), np.zeros(1, dtype=np.int64), 1, b)
print(b[0], "translated" if "reactio.translator.units" in sys.modules else "loaded")
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, and a folder for temporary files, in which everything is still to be made."""
    for name in ("REACTIO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "temporary").mkdir(mode=0o700)
    (tmp_path / "temporary").chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def compiled(folder: Path) -> str:
    free = {k: v for k, v in os.environ.items() if k != "REACTIO_KERNELS"}
    command, environment = [sys.executable, "-c", COMPILE], {**free, "REACTIO_CACHE": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def files_in(folder: Path) -> KernelFiles:
    return KernelFiles(folder, "name", "stamp")


def test_the_folder_is_for_the_user_alone(home: Path) -> None:
    found = private_folder("digest")
    assert found == home / "home" / ".cache" / "reactio" / "digest"
    assert found.stat().st_mode & 0o777 == found.parent.stat().st_mode & 0o777 == 0o700


def without_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").touch()
    monkeypatch.setenv("HOME", str(home / "file"))  # nothing can be made below it


def test_without_a_home_it_stands_under_the_name_of_the_user(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(home, monkeypatch)
    found = private_folder("digest")
    assert found == home / "temporary" / f"reactio-{os.geteuid()}" / "digest"


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_can_write_is_not_used(home: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    without_home(home, monkeypatch)
    planted = home / "temporary" / f"reactio-{os.geteuid()}"
    planted.mkdir()
    planted.chmod(mode)
    assert private_folder("digest") is None


def test_a_folder_of_somebody_else_is_not_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(home, monkeypatch)
    somebody = os.geteuid() + 1
    (home / "temporary" / f"reactio-{somebody}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert private_folder("digest") is None


def test_a_link_is_not_followed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(home, monkeypatch)
    (home / "elsewhere").mkdir()
    (home / "temporary" / f"reactio-{os.geteuid()}").symlink_to(home / "elsewhere")
    assert private_folder("digest") is None


def test_a_folder_that_others_could_replace_is_not_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(home, monkeypatch)
    (home / "temporary").chmod(0o777)  # not sticky: everybody renames what lies in it
    assert private_folder("digest") is None


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    assert files.load(KEY) is None
    files.save(KEY, [1, 2, 3])
    assert files.load(KEY) == [1, 2, 3]
    assert files.load(("int64", "x86_64")) is None
    assert KernelFiles(tmp_path, "name", "another stamp").load(KEY) is None
    assert [path.suffix for path in tmp_path.iterdir()] == [".kernel"]


@pytest.mark.parametrize("place", range(-40, 60, 3))
def test_a_damaged_file_counts_as_absent(tmp_path: Path, place: int) -> None:
    files = files_in(tmp_path)
    files.save(KEY, "some code")
    whole = files.path(KEY).read_bytes()
    flipped = bytearray(whole)
    flipped[place] ^= 1
    for damaged in (bytes(flipped), whole[:place], b"", whole + b"more"):
        files.path(KEY).write_bytes(damaged)
        assert files.load(KEY) is None
    files.save(KEY, "some code")
    assert files.load(KEY) == "some code"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_counts_as_absent(tmp_path: Path) -> None:
    """A pipe in the place of a file is not waited for, and gives way to one."""
    files = KernelFiles(tmp_path, "k", "stamp")
    os.mkfifo(files.path(KEY))
    assert files.load(KEY) is None
    files.save(KEY, b"code")
    assert files.load(KEY) == b"code"


def test_a_full_disk_leaves_the_file_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    files = files_in(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    files.save(KEY, "some code")
    assert list(tmp_path.iterdir()) == []
    gone = files_in(tmp_path / "gone")
    gone.save(KEY, "some code")
    assert gone.load(KEY) is None


def test_compiled_code_is_cached_and_compiled_anew_where_damaged(tmp_path: Path) -> None:
    assert compiled(tmp_path) == "0.5 translated"
    assert compiled(tmp_path) == "0.5 loaded"
    (file,) = tmp_path.rglob("*.kernel")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert compiled(tmp_path) == "0.5 translated"
    assert compiled(tmp_path) == "0.5 loaded"
