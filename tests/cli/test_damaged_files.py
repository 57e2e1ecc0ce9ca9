"""Damaged ledgers, tables and audits, and models with too little in them, are clear errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import reactio
from reactio.importers.formats.asmt.series import Series, read_series
from reactio.sweeps.sweep import load_sweep

Call = Callable[..., tuple[int, str, str]]
POINTS = """space: planar
bodies:
  b: {kind: point, mass: 1, position: [1, 0]}
  c: {kind: point, mass: 1, position: [3, 0]}
joints:
  e: {type: distance, a: {body: ground, point: [0, 0]}, b: b}
  f: {type: distance, a: b, b: c}
  g: {type: distance, a: c, b: {body: ground, point: [2, 0]}}
"""
PARAMETERS = """space: planar
parameters: {NAME: 1, b: 2}
bodies: {d: {mass: 1 + b, inertia: 1}}
joints: {h: {type: revolute, a: ground, b: d}}
"""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("sweep")
    reactio.sweep("door", {"hinges": [1, 2]}, "redundancy, hinge1.verdict", processes=0, folder=folder)
    return (folder / "sweep.sqlite").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE rows DROP COLUMN seconds",
        "UPDATE rows SET answers = '{['",
        "UPDATE rows SET answers = CAST(x'fffe' AS TEXT)",
        "UPDATE rows SET answers = x'fffe'",
        "UPDATE rows SET answers = '[1]'",
        "UPDATE rows SET answers = '[{}, []]'",
        f"UPDATE rows SET answers = '[1{'0' * 400}, \"unique\"]'",
        "UPDATE rows SET number = 77 WHERE number = 1",
        "UPDATE about SET value = '[1]' WHERE key = 'wants'",
        'UPDATE about SET value = \'{"grid": true, "axes": {"a": [[1]]}}\' WHERE key = \'cases\'',
        "UPDATE about SET value = 'NaN' WHERE key = 'question'",
        "DELETE FROM about WHERE key = 'model'",
        "DROP TABLE about",
    ],
)
def test_a_damaged_ledger_is_named(tmp_path: Path, ledger: bytes, change: str, call: Call) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sweep.sqlite").write_bytes(ledger)
    with sqlite3.connect(tmp_path / "out" / "sweep.sqlite") as database:
        database.execute(change)
    database.close()
    code, _, err = call("sweep", "show", "out", "--json")
    assert code == 2
    assert "out/sweep.sqlite" in err
    again = ("sweep", "door", "--over", "hinges=1,2", "--want", "redundancy, hinge1.verdict", "--processes", "0")
    assert call(*again, "-o", "out")[0] == 2


def test_a_ledger_whose_names_are_not_utf_8_is_named(tmp_path: Path, ledger: bytes, call: Call) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sweep.sqlite").write_bytes(
        ledger.replace(b"sqlite_autoindex_about", b"sqlite_autoindex_\xc1bout")
    )
    again = ("sweep", "door", "--over", "hinges=1,2", "--want", "redundancy, hinge1.verdict", "--processes", "0")
    for words in (("sweep", "show", "out"), (*again, "-o", "out")):
        code, _, err = call(*words)
        assert code == 2
        assert "out/sweep.sqlite" in err


def test_a_ledger_with_one_more_column_is_read(tmp_path: Path, ledger: bytes) -> None:
    (tmp_path / "sweep.sqlite").write_bytes(ledger)
    with sqlite3.connect(tmp_path / "sweep.sqlite") as database:
        database.execute("ALTER TABLE rows ADD COLUMN more TEXT")
    database.close()
    assert load_sweep(tmp_path)["redundancy"].tolist() == [0, 5]


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_a_table_may_have_line_ends_of_any_system(tmp_path: Path, end: str, call: Call) -> None:
    (tmp_path / "t.csv").write_bytes(end.join(["hinges", "", "1", "x y", ""]).encode())
    code, _, err = call("sweep", "door", "--table", "t.csv", "--processes", "0")
    assert code == 2
    assert "t.csv:4: 'x y'" in err
    (tmp_path / "t.csv").write_bytes(end.join(["hinges", "1", "2", ""]).encode())
    assert call("sweep", "door", "--table", "t.csv", "--processes", "0")[0] == 0


def test_a_table_that_is_not_csv_is_refused(tmp_path: Path, call: Call) -> None:
    (tmp_path / "t.csv").write_text("hinges\n" + "1" * 200_000 + "\n")
    code, _, err = call("sweep", "door", "--table", "t.csv", "--processes", "0")
    assert code == 2
    assert "t.csv:2: is not a CSV table" in err


@pytest.mark.parametrize(("name", "values"), [("status", "1,2"), ("redundancy", "1,2"), ("a", "1,x"), ("float", "1,2")])
def test_tables_that_cannot_hold_a_sweep_are_left_out(tmp_path: Path, name: str, values: str, call: Call) -> None:
    pytest.importorskip("xarray")
    pytest.importorskip("pyarrow")
    (tmp_path / "p.yaml").write_text(PARAMETERS.replace("NAME", name))
    code, out, _ = call("sweep", "p.yaml", "--over", f"{name}={values}", "-o", "out", "--processes", "0")
    assert code == ("x" in values)  # a parameter that is a word fails
    assert (tmp_path / "out" / "results.csv").is_file()
    assert ("left out" in out) == (not (tmp_path / "out" / "results.nc").exists()) == (name in ("status", "redundancy"))


def test_a_row_that_an_audit_has_twice_is_named() -> None:
    """Without the name of the series after it, the rows of a motion would count as those of a joint."""
    text = "TimeSeries\nTime\t0\t0.0\nRevoluteJointSeries /A/J\nFXonI\t0\t1.0\nFXonI\t0\t0.0\n"
    with pytest.raises(reactio.ReactioError, match=r"a\.asmt:5: a series has the row 'FXonI' twice"):
        read_series(text, "a.asmt")


def test_a_missing_or_short_row_of_an_audit_is_named() -> None:
    series = Series("a.asmt", (0.0, 1.0), joints={"/A/J1": {"FX": (1.0, 2.0), "FY": (1.0,), "FZ": (1.0, float("nan"))}})
    assert series.of_joint("/A/J1", ("FX", "FY"), 0).tolist() == [1.0, 1.0]
    for words, message in (
        (("FX", "TX"), "reaction of joint 'J1' has no row 'TX'"),
        (("FX", "FY"), "the row 'FY' of the reaction of joint 'J1' has 1 values for 2 times"),
        (("FZ",), "not finite"),
    ):
        with pytest.raises(reactio.ReactioError, match=message):
            series.of_joint("/A/J1", words, 1)
    with pytest.raises(reactio.ReactioError, match="reaction of joint 'J2' is not stored"):
        series.of_joint("/A/J2", ("FX",), 0)


def test_a_model_without_bodies(tmp_path: Path, call: Call) -> None:
    (tmp_path / "m.yaml").write_text("space: planar\nbodies: {}\n")
    code, _, err = call("draw", "m.yaml", "-o", "m.svg")
    assert (code, "nothing to draw" in err) == (2, True)
    code, _, err = call("simulate", "m.yaml", "--until", "0.01", "--method", "moreau")
    assert (code, "nothing moves" in err) == (2, True)


def test_time_steps_without_contacts(call: Call) -> None:
    assert call("simulate", "pendulum-twice", "--until", "0.002", "--method", "moreau")[0] == 0


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_mobility_of_point_masses(tmp_path: Path, space: str, call: Call) -> None:
    text = POINTS if space == "planar" else POINTS.replace("planar", "spatial").replace("0]", "0, 0]")
    (tmp_path / "m.yaml").write_text(text)
    code, out, _ = call("mobility", "m.yaml")
    assert code == 0
    assert ("2 real branches" in out) == (space == "planar")


def test_a_plot_of_a_motion_without_singular_poses(call: Call) -> None:
    pytest.importorskip("matplotlib")
    assert call("singular", "pendulum-twice", "--until", "0.01", "--plot", "s.svg")[0] == 0
