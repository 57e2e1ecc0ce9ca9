"""Sweeps: every case once, whatever happens on the way."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.simulation.state_at import judge_at
from reactio.sweeps.case import Case, Question
from reactio.sweeps.database import FILE, locked
from reactio.sweeps.results import RESULTS
from reactio.sweeps.sources import source_of
from reactio.sweeps.sweep import load_sweep, sweep
from reactio.sweeps.task import CaseRow, SweepTask

DOOR = {"hinges": [1, 2], "mass": [10.0, 20.0, 30.0]}


def mass(model: Model) -> float:
    """A result of the user."""
    found = model.bodies[0].mass
    assert found is not None
    return found


def ends_the_process(model: Model) -> float:
    """A result that ends its worker in one case."""
    if mass(model) == 20.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return mass(model)


def fails_once(model: Model) -> float:
    """A result that fails until a file is there."""
    if not Path(os.environ["REACTIO_TEST_FILE"]).exists():
        raise ValueError("not yet")
    return mass(model)


def test_rows_are_what_single_calls_give() -> None:
    want = "redundancy, hinge1.verdict, hinge1.Fz, hinge1.Fx.low, hinge1.Fz.unique"
    found = sweep("door", DOOR, [want, mass], processes=0)
    assert found.complete
    assert not found.failed
    for row in found.rows:
        model = reactio.load("door", **found.cases[row.number])
        answer = reactio.check(model)
        reaction = reactio.reactions(reactio.equations(s := reactio.build(model), reactio.assemble(s)))["hinge1"]
        expected = (answer.redundancy, str(answer["hinge1"].verdict), reaction.force_in_joint[2])
        assert row.values[:2] == expected[:2]
        assert row.values[2] is None if np.isnan(expected[2]) else row.values[2] == pytest.approx(expected[2])
        assert row.values[3] == reactio.bounds(model)["hinge1"]["Fx"].low
        assert row.values[5] == found.cases[row.number]["mass"]


def test_every_result_that_is_offered_has_a_value() -> None:
    """Every name of every kind of result can be asked for, and numbers of a run are those of `simulate`."""
    case = Case(source_of("double-four-bar"), {}, Question(until=0.02, rows=4), timed=False)
    for results in RESULTS.values():
        for name, find in results.available(case).items():
            value = find(case)
            assert value is None or isinstance(value, (int, float, str)), name
    run = reactio.simulate(reactio.load("double-four-bar"), 0.02, output=4)
    assert RESULTS.get("simulate").available(case)["steps"](case) == run.steps
    assert RESULTS.get("envelope").available(case)["A.Fx.max"](case) == reactio.envelope(run)["A.Fx"].largest


def test_processes_give_the_rows_of_this_process(tmp_path: Path) -> None:
    here = sweep("door", DOOR, "redundancy, hinge1.Fz", processes=0)
    there = sweep("door", DOOR, "redundancy, hinge1.Fz", processes=2, folder=tmp_path / "out")
    assert [row.values for row in here.rows] == [row.values for row in there.rows]
    assert there.written
    with open(tmp_path / "out" / "results.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["hinge1.Fz"] for row in table[3:]] == ["", "", ""]
    # Weights of 10, 20 and 30 kg, with the rounding of a balance of forces.
    assert [float(row["hinge1.Fz"]) for row in table[:3]] == pytest.approx([98.1, 196.2, 294.3], rel=1e-14)
    xarray, pandas = pytest.importorskip("xarray"), pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    with xarray.open_dataset(tmp_path / "out" / "results.nc", engine="scipy") as data:
        assert data["redundancy"].sel(hinges=2, mass=20.0).item() == 5
        assert data["hinge1.Fz"].dims == ("hinges", "mass")
    frame = pandas.read_parquet(tmp_path / "out" / "results.parquet")
    assert frame["redundancy"].tolist() == [0, 0, 0, 5, 5, 5]


def test_a_worker_that_dies_is_replaced_and_its_case_a_row(capfd: pytest.CaptureFixture[str]) -> None:
    found = sweep("door", {"mass": [10.0, 20.0, 30.0, 40.0]}, ends_the_process, processes=1)
    assert found.complete
    assert [row.number for row in found.failed] == [1]
    assert "SIGKILL" in found.failed[0].reason
    assert found["ends_the_process"][[0, 2, 3]].tolist() == [10.0, 30.0, 40.0]


def test_failed_cases_are_rows_and_are_tried_again_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTIO_TEST_FILE", str(tmp_path / "ready"))

    def ask(again: bool = False) -> Any:
        return sweep("door", {"mass": [10.0]}, fails_once, processes=0, folder=tmp_path / "out", again=again)

    assert ask().failed[0].reason == "fails_once: ValueError: not yet"
    (tmp_path / "ready").touch()
    assert len(ask().failed) == 1
    assert not ask(again=True).failed


def test_a_second_start_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    whole = sweep("door", DOOR, "redundancy", processes=0, folder=folder)
    with sqlite3.connect(folder / FILE) as db:
        db.execute("DELETE FROM rows WHERE number IN (1, 4)")
        db.execute("UPDATE rows SET answers = '[99]' WHERE number = 0")
    db.close()
    assert len(load_sweep(folder).rows) == 4
    second = sweep("door", DOOR, "redundancy", processes=0, folder=folder)
    assert second.complete
    assert second["redundancy"].tolist() == [99, *whole["redundancy"].tolist()[1:]]  # what was answered is not redone


SLOW = """
import sys, time
import reactio
def slow(model):
    time.sleep(0.1)
    return model.bodies[0].mass
if __name__ == "__main__":
    masses = [float(k) for k in range(1, 41)]
    reactio.sweep("door", {"mass": masses}, slow, processes=1, folder=sys.argv[1])
"""


def test_what_is_ended_or_killed_loses_only_cases_in_flight(tmp_path: Path) -> None:
    pytest.importorskip("cloudpickle")
    script, folder = tmp_path / "slow.py", tmp_path / "out"
    script.write_text(SLOW)
    seen: dict[int, float] = {}
    for how in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [sys.executable, str(script), str(folder)],
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not len(_rows(folder)) >= len(seen) + 3:
            time.sleep(0.02)
        before = _rows(folder)
        process.send_signal(how)
        process.wait(60)
        seen = _rows(folder)
        assert before.items() <= seen.items()
        assert len(seen) < 40
        assert (folder / "results.csv").exists()  # Ctrl-C writes what is done
    subprocess.run([sys.executable, str(script), str(folder)], check=True, timeout=120)
    assert seen.items() <= _rows(folder).items()  # rows that were answered are not answered again
    assert load_sweep(folder)["slow"].tolist() == [float(k) for k in range(1, 41)]


def _rows(folder: Path) -> dict[int, float]:
    """Every case that is answered, with the seconds it took, which no second answer would repeat."""
    try:
        return {row.number: row.seconds for row in load_sweep(folder).rows}
    except (ReactioError, KeyError):  # not begun yet
        return {}


def test_a_folder_is_about_one_question(tmp_path: Path) -> None:
    folder = tmp_path / "out"

    def ask(source: str = "door", over: Any = None, want: str = "redundancy", **more: Any) -> None:
        sweep(source, over or {"mass": [10.0]}, want, processes=0, folder=folder, **more)

    ask()
    others: list[tuple[dict[str, Any], str]] = [
        ({"source": "mobile-robot", "over": {"t": [0.0]}}, "another model"),
        ({"over": {"mass": [11.0]}}, "other cases"),
        ({"want": "rank"}, "other results"),
        ({"settings": {"hinges": 3}}, "other --set"),
        ({"at": 0.5}, "another time"),
    ]
    for other, said in others:
        with pytest.raises(ReactioError, match=said):
            ask(**other)
    with locked(folder), pytest.raises(ReactioError, match="Another sweep is running"):
        ask()
    ask()
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "letter.txt").touch()
    with pytest.raises(ReactioError, match="no sweep"):
        sweep("door", {"mass": [10.0]}, folder=taken, processes=0)
    with pytest.raises(ReactioError, match="holds no sweep"):
        load_sweep(taken)
    (taken / "letter.txt").rename(taken / FILE)
    (taken / FILE).write_text("Dear Sir or Madam, this is a letter and no data base of anything.")
    with pytest.raises(ReactioError, match="cannot be used"):
        sweep("door", {"mass": [10.0]}, folder=taken, processes=0)


def test_a_model_file_that_changed_is_another_model(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(to_yaml(reactio.load("double-four-bar")))
    sweep(file, {"t": [0.0, 0.01]}, "redundancy", processes=0, folder=tmp_path / "out")
    file.write_text(file.read_text().replace("double", "twofold"))
    with pytest.raises(ReactioError, match="another version of this model"):
        sweep(file, {"t": [0.0, 0.01]}, "redundancy", processes=0, folder=tmp_path / "out")


@pytest.mark.parametrize(
    ("over", "want", "more", "said"),
    [
        ({"mas": [1]}, "redundancy", {}, "no parameter 'mas'. Did you mean 'mass'"),
        ({"mass": [1]}, "hinge1.verdikt", {}, "Did you mean 'hinge1.verdict'"),
        ({"mass": [1]}, "redundancy, redundancy", {}, "twice"),
        ({"mass": [1]}, "", {}, "No result is requested"),
        ({"mass": [1]}, "energy_error", {}, "--until"),
        ({"mass": [1]}, "nowhere.py:f", {}, "cannot be imported"),
        ({"mass": [1]}, "math:f", {}, "no function 'f'"),
        ({"mass": [1]}, "redundancy", {"rule": "fair"}, "fair"),
        ({"mass": [1]}, "redundancy", {"cases": 7}, "--sample"),
        ({"mass": (1, 2)}, "redundancy", {"sampling": "sobol"}, "number of cases"),
        ({"mass": [-1.0]}, "redundancy", {}, "None of the cases"),
        ({name: np.arange(1e3) for name in ("mass", "width", "height")}, "rank", {}, "1,000,000,000 cases"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_before_anything_runs(
    over: Any, want: str, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(ReactioError, match=said):
        sweep("door", over, want, processes=0, **more)


def test_models_know_where_they_came_from() -> None:
    model = reactio.load("four-bar-spatial", crank=0.25)
    found = sweep(model, {"theta": [1.0, 1.1]}, lambda m: m.parameters["crank"], processes=0)
    assert found["<lambda>"].tolist() == [0.25, 0.25]
    moved = {row.number: reactio.load("four-bar-spatial", crank=0.25, **found.cases[row.number]) for row in found.rows}
    assert moved[0] != moved[1]
    with pytest.raises(ReactioError, match="was changed after"):
        sweep(replace(model, gravity=(0.0, 0.0, -1.0)), {"theta": [1.0]}, "rank", processes=0)
    with pytest.raises(ReactioError, match="made in Python"):
        sweep(replace(model, name="mine", source=""), {"theta": [1.0]}, "rank", processes=0)


def test_functions_make_models_too() -> None:
    def made(hinges: float) -> Model:
        return reactio.load("door", hinges=hinges)

    assert sweep(made, {"hinges": [1, 2]}, "redundancy", processes=0)["redundancy"].tolist() == [0, 5]
    with pytest.raises(ReactioError, match="no parameter 'hinge'"):
        sweep(made, {"hinge": [1]}, "redundancy", processes=0)


def test_time_is_an_axis() -> None:
    found = sweep("four-bar-spatial", {"t": [0.0, 0.1]}, "A.Fx", processes=0)
    system = reactio.build(reactio.load("four-bar-spatial"))
    for row, t in zip(found.rows, (0.0, 0.1), strict=True):
        assert row.values[0] == judge_at(system, t or None).reactions(None)["A"].force_in_joint[0]
    with pytest.raises(ReactioError, match="axis already"):
        sweep("four-bar-spatial", {"t": [0.0, 0.1]}, "rank", at=1.0, processes=0)


def test_motions_of_many_cases_are_worth_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work that is foreseen is that of all cases together, each instant of a motion some evaluations."""
    monkeypatch.delenv("REACTIO_KERNELS")
    asked: list[float] = []

    def answer(task: SweepTask, number: int, _: Any) -> CaseRow:
        asked.append(task.work)
        return CaseRow(number, (None,), "", 0.0)

    monkeypatch.setattr(SweepTask, "answer", answer)
    over = {"theta": [0.9, 1.0]}
    sweep("four-bar-planar", over, ["redundancy"], processes=0)
    sweep("four-bar-planar", over, ["B.Fx.max"], until=0.01, rows=11, processes=0)
    assert asked[-1] > 11 * asked[0]


def test_a_map_of_counts_has_areas_with_names() -> None:
    """Whole numbers and missing limits are areas with words; other numbers keep their colour bar."""
    from reactio.sweeps.plot import _counted

    counts = np.array([[3.0, 10.0], [None, -np.inf]], dtype=object)
    assert _counted(counts).tolist() == [["3", "10"], [None, "no lower limit"]]
    loads = np.array([[3.5, 10.0]], dtype=object)
    assert _counted(loads) is loads


UNREADABLE = """
import sys
from functools import cache
import reactio
@cache
def mass(model):
    return model.bodies[0].mass
def asked(model):
    return mass(model)
if __name__ == "__main__":
    try:
        reactio.sweep("door", {"mass": [1.0, 2.0]}, asked, processes=1, folder=sys.argv[1])
    except reactio.ReactioError as error:
        print(error)
"""


def test_functions_that_other_processes_cannot_read_are_refused(tmp_path: Path) -> None:
    """Once, with a remedy: not in a new process for every case."""
    pytest.importorskip("cloudpickle")
    script = tmp_path / "asked.py"
    script.write_text(UNREADABLE)
    command = [sys.executable, str(script), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Another process cannot read the functions of this sweep: AttributeError" in done.stdout
    assert "work in this process (processes=0)" in done.stdout
    assert "Traceback" not in done.stderr
