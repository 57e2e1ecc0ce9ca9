"""Answers in the units of the file: tables, notes, errors, CSV, figures and pages; JSON stays in SI."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reactio import load_run
from reactio.catalogue.units import Units, in_units, quantity, small_quantity, unit_name, units_of, writing_in

from ..importers import four_bars

Call = Callable[..., tuple[int, str, str]]

# A beam of 400 mm, 20 N in its middle: each pin bears 10 N, and a clamp at its left end 4000 N mm.
BEAM = """\
space: planar
units: mm
bodies:
  beam: {mass: 1, inertia: 1e4, position: [200, 0]}
joints:
  clamp: {type: fixed, bodies: [ground, beam], at: [0, 0]}
forces:
  pull: {type: force, at: beam, force: [0, -20]}
"""


@pytest.fixture
def beam(tmp_path: Path) -> Path:
    path = tmp_path / "beam.yaml"
    path.write_text(BEAM)
    return path


@pytest.mark.parametrize(
    ("unit", "names", "name", "value"),
    [
        ("N m", ["mm"], "N mm", 1e3),
        ("N m", ["mm", "kN"], "kN mm", 1.0),
        ("m/s²", ["mm"], "mm/s²", 1e3),
        ("kg m²", ["mm", "g"], "g mm²", 1e9),
        ("N m/rad", ["deg"], "N m/deg", 0.017453292519943295),
        ("N s/m", ["mm"], "N s/mm", 1e-3),
        ("kg/m³", ["mm", "t"], "t/mm³", 1e-12),
        ("%", ["mm"], "%", 1.0),
    ],
)
def test_a_unit_of_si_becomes_that_of_the_file(unit: str, names: list[str], name: str, value: float) -> None:
    with writing_in(units_of(names)):
        assert unit_name(unit) == name
        assert in_units(1.0, unit) == pytest.approx(value, rel=1e-12)  # some factors, each rounded
    assert unit_name(unit) == unit


def test_quantities_have_no_powers_of_ten_where_millimetres_make_them_large() -> None:
    with writing_in(Units(length="mm")):
        assert quantity(123.456, "N m") == "123500 N mm"
        assert small_quantity(2e-5, "m") == "0.02 mm"
    assert small_quantity(2e-5, "m") == "20 µm"


def test_tables_have_the_units_of_the_file_and_json_has_si(beam: Path, call: Call) -> None:
    _, out, _ = call("reactions", str(beam))
    assert "moment N mm" in out
    assert "4000" in out
    _, out, _ = call("reactions", str(beam), "--units", "si")
    assert "moment N m " in out
    assert " 4 " in out
    _, out, _ = call("reactions", str(beam), "--units", "cm,kN")
    assert "moment kN cm" in out
    assert "0.4" in out
    _, out, _ = call("reactions", str(beam), "--json")
    data = json.loads(out)
    assert data["units"]["moment"] == "N m"
    assert data["reactions"]["clamp"]["moment"] == pytest.approx([4.0], rel=1e-12)  # a product of two numbers
    _, out, _ = call("show", str(beam))
    assert "position mm" in out
    assert "200, 0" in out


def test_errors_have_the_units_of_the_file(beam: Path, call: Call) -> None:
    beam.write_text(BEAM.replace("at: [0, 0]", "a: {body: ground, point: [0, 0]}, b: {body: beam, point: [-197, 0]}"))
    beam.write_text(beam.read_text().replace("bodies: [ground, beam], ", ""))
    code, _, err = call("reactions", str(beam))
    assert code == 2
    assert "off by 3 mm" in err
    _, _, err = call("reactions", str(beam), "--units", "m")
    assert "off by 0.003 m" in err


def test_files_and_pages_have_the_units_of_the_file(beam: Path, call: Call, tmp_path: Path) -> None:
    run, peaks, page = tmp_path / "run.csv", tmp_path / "peaks.csv", tmp_path / "page.md"
    assert call("simulate", str(beam), "--until", "0.1", "--out", str(run), "--peaks", str(peaks))[0] == 0
    head, first = run.read_text().splitlines()[1:3]
    assert float(dict(zip(head.split(","), first.split(","), strict=True))["beam.position.x [mm]"]) == 200.0
    assert "clamp,Mz,unique,4000.0" in peaks.read_text()
    assert "N mm" in peaks.read_text()
    assert call("check", str(beam), "--along", str(run))[0] == 0  # the file is read back as it was
    assert call("report", str(beam), "-o", str(page))[0] == 0
    assert "Mz 4000 N mm" in page.read_text()
    assert call("report", str(beam), "-o", str(page), "--units", "si", "--force")[0] == 0
    assert "Mz 4 N m" in page.read_text()


@pytest.mark.parametrize("suffix", ["npz", "nc", "csv"])
def test_the_page_of_a_saved_run_has_the_units_of_the_file(beam: Path, call: Call, tmp_path: Path, suffix: str) -> None:
    run = str(tmp_path / f"run.{suffix}")
    assert call("simulate", str(beam), "--until", "0.1", "--rows", "3", "--out", run)[0] == 0
    for page in (tmp_path / "page.md", tmp_path / "page.html"):
        assert call("report", str(beam), "--run", run, "-o", str(page))[0] == 0
        assert "4000 N mm" in page.read_text()
        assert "N m " not in page.read_text()
    assert load_run(run).system.model.units == Units(length="mm")


def test_other_units_are_refused_by_name(beam: Path, call: Call) -> None:
    _, _, err = call("reactions", str(beam), "--units", "mm,cm")
    assert "two units of one quantity" in err
    _, _, err = call("reactions", str(beam), "--units", "parsec")
    assert "--units parsec: 'parsec' is not a unit" in err


@pytest.mark.parametrize(
    ("deck", "units"),
    [
        (four_bars.ADAMS, Units(length="mm")),
        (four_bars.ADAMS.replace("MILLIMETER", "METER"), Units()),
        (four_bars.ADAMS.replace("NEWTON", "KNEWTON"), Units(length="mm", force="kN")),
    ],
)
def test_files_of_other_programs_are_answered_in_the_units_that_they_state(
    call: Call, tmp_path: Path, deck: str, units: Units
) -> None:
    (tmp_path / "bars.adm").write_text(deck)
    code, out, err = call("reactions", str(tmp_path / "bars.adm"))
    assert code == 0, err
    with writing_in(units):
        assert f"force {unit_name('N')}" in out
        assert f"moment {unit_name('N m')}" in out
