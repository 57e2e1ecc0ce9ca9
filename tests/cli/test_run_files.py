"""Runs on disk: whole, of the model they are shown for, or refused with a reason."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.integrate.state import ROW_FIELDS
from reactio.model.files.write import to_yaml
from reactio.model.transform.natural import natural
from reactio.simulation import read_run, write_run
from reactio.simulation.read_run import load_run

Call = Callable[..., tuple[int, str, str]]
SUFFIXES = ("npz", "nc", "csv")


@pytest.fixture(scope="module")
def made() -> reactio.Trajectory:
    """A short run of a mechanism with few numbers."""
    return reactio.simulate(reactio.load("pendulum-twice"), 0.05, output=3)


@pytest.fixture(scope="module")
def contents(made: reactio.Trajectory, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The run in every format."""
    folder = tmp_path_factory.mktemp("runs")
    for suffix in SUFFIXES:
        made.save(str(folder / f"run.{suffix}"))
    return {suffix: (folder / f"run.{suffix}").read_bytes() for suffix in SUFFIXES}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_flipped_bit_is_noticed_or_changes_nothing(
    made: reactio.Trajectory, contents: dict[str, bytes], tmp_path: Path, suffix: str
) -> None:
    whole, path = contents[suffix], tmp_path / f"run.{suffix}"
    random, refused = np.random.default_rng(1), 0
    places = random.integers(len(whole), size=60)
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.integers(8)
        path.write_bytes(damaged)
        try:
            found = load_run(path)
        except reactio.ReactioError:
            refused += 1
            continue
        for key in ROW_FIELDS:
            np.testing.assert_array_equal(getattr(found, key), getattr(made, key))
        assert found.system.model == made.system.model
    assert refused > 40  # the rest hits padding and dates of archives


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_cut_file_is_refused(contents: dict[str, bytes], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run.{suffix}"
    for part in (0.0, 0.3, 0.7, 0.999):
        path.write_bytes(contents[suffix][: int(part * len(contents[suffix]))])
        with pytest.raises(reactio.ReactioError, match="run"):
            load_run(path)


def test_windows_line_ends_change_nothing(contents: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_bytes(contents["csv"].replace(b"\n", b"\r\n"))
    assert load_run(tmp_path / "run.csv").t.tolist() == [0.0, 0.025, 0.05]


def invented(made: reactio.Trajectory, path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """A run with contents of somebody's invention and the checksum that belongs to them."""
    arrays: dict[str, Any] = {key: getattr(made, key) for key in ROW_FIELDS}
    data = json.loads(write_run._about(made, ()))
    change(data, arrays)
    del data["sha256"]
    data["sha256"] = write_run.checksum(data, write_run.numbers_of(arrays))
    about = np.frombuffer(json.dumps(data).encode(), dtype=np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, about=about, **arrays)
    path.write_bytes(out.getvalue())


def checkpoint(key: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda data, arrays: data["checkpoint"].__setitem__(key, value)


def scalar(key: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda data, arrays: data.__setitem__(key, value)


def array(key: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda data, arrays: arrays.__setitem__(key, value)


def infinite(key: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda data, arrays: arrays.__setitem__(key, arrays[key] * np.inf)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (checkpoint("q", [1.0]), "'q' of its checkpoints has the shape"),
        (checkpoint("q", [[1.0]]), "'q' is '\\[1.0\\]'"),
        (checkpoint("v", "abc"), "'v'"),
        (checkpoint("t", "soon"), "'t' is 'soon'"),
        (checkpoint("t", float("nan")), "'t' is nan"),
        (checkpoint("h", None), "'h'"),
        (checkpoint("steps", 1.5), "'steps'"),
        (checkpoint("more", 1), "its checkpoints have other fields"),
        (scalar("checkpoint", 3), "its checkpoints have other fields"),
        (scalar("segments", [3]), "its checkpoints have other fields"),
        (scalar("segments", 3), "run"),
        (scalar("events", [{"name": "e"}]), "its events have other fields"),
        (scalar("status", "HAPPY"), "HAPPY"),
        (scalar("status", []), "run"),
        (scalar("notes", "abc"), "'notes'"),
        (scalar("tol", -1.0), "a tolerance lies between"),
        (scalar("method", "magic"), "no method 'magic'"),
        (scalar("until", float("inf")), "'until'"),
        (scalar("model", 3), "run"),
        (scalar("model", "space: planar"), "run"),
        (array("t", np.array([0.0, 0.05, 0.025])), "do not increase"),
        (array("q", np.zeros((3, 5))), "belong to its times and its model"),
        (array("q", np.zeros(3)), "belong to its times and its model"),
        (array("t", np.array(3.0)), "run"),
        (infinite("lam"), "'lam' holds a value that is not a finite number"),
    ],
)
def test_contents_that_no_run_has(
    made: reactio.Trajectory, tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None], words: str
) -> None:
    invented(made, tmp_path / "run.npz", lambda data, arrays: None)
    assert len(load_run(tmp_path / "run.npz").t) == 3
    invented(made, tmp_path / "run.npz", change)
    with pytest.raises(reactio.ReactioError, match=words):
        load_run(tmp_path / "run.npz")


def test_a_run_opens_no_other_file(made: reactio.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("0,1\n1,2\n")
    model = to_yaml(made.system.model) + "drives: {d: {joint: A, function: {spline: {file: secret.csv}}}}\n"
    invented(made, tmp_path / "run.npz", scalar("model", model))
    with pytest.raises(reactio.ReactioError, match="was not read from a folder"):
        load_run(tmp_path / "run.npz")


def test_an_archive_that_unfolds_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_run, "MOST_RUN_BYTES", 2**20)
    with zipfile.ZipFile(tmp_path / "run.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("t.npy", bytes(2**21))
    with pytest.raises(reactio.ReactioError, match="unfolds to"):
        load_run(tmp_path / "run.npz")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_ordinary_file_is_refused(tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"zero.{suffix}").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(reactio.ReactioError, match="not an ordinary file"):
            load_run(tmp_path / f"{name}.{suffix}")


def test_a_report_is_on_the_model_of_its_run(call: Call, tmp_path: Path) -> None:
    given = ("--set", "r=0.05", "--set", "l=0.25")
    assert call("simulate", "slider-crank", *given, "--until", "0.002", "--out", "run.npz", "--rows", "3")[0] == 0
    code, out, err = call("report", "slider-crank", "--set", "r=0.06", "--set", "l=0.3", "--run", "run.npz", "--json")
    assert code == 2, out
    assert "the model or its numbers differ" in err
    code, out, err = call("report", "slider-crank", *given, "--run", "run.npz", "--json")
    assert code == 0, err
    assert json.loads(out)["run"]["histories"]["A"]


def test_reports_on_runs_in_natural_coordinates(call: Call, tmp_path: Path) -> None:
    words = ("four-bar-planar", "--until", "0.02", "--rows", "3")
    assert call("simulate", *words, "--coordinates", "natural", "--out", "run.npz")[0] == 0
    code, out, err = call("report", "four-bar-planar", "--run", "run.npz", "--json")
    assert code == 0, err
    by_run = json.loads(out)["run"]["histories"]
    reactio.save(natural(reactio.load("four-bar-planar")), tmp_path / "natural.yaml")
    code, out, err = call("report", "natural.yaml", "--until", "0.02", "--json")
    assert code == 0, err
    assert by_run.keys() == json.loads(out)["run"]["histories"].keys() == {"A", "B", "C", "D"}
    assert call("report", "natural.yaml", "--until", "0.02", "-o", "page.html")[0] == 0
    assert "rod.rigid" not in (tmp_path / "page.html").read_text()


def test_a_report_does_not_say_where_files_lie_here(call: Call, tmp_path: Path) -> None:
    reactio.save(reactio.load("door"), tmp_path / "door.yaml")
    code, out, err = call("report", str(tmp_path / "door.yaml"), f"--output={tmp_path / 'page.html'}", "--json")
    assert code == 0, err
    assert json.loads(out)["command"] == "reactio report door.yaml --output=page.html --json"
