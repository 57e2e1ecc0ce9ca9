"""Quantities in options: in the units of the file, or with their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import reactio

Call = Callable[..., tuple[int, str, str]]

# A bar of 0.1 t at 100 mm on three equal springs of 1000 N/mm, 500 mm apart: a third of 981 N each, less or more
# 98.1 N.  A spring that is 0.1 mm too high in the middle bears 2/3 · 1000 · 0.1 = 66.67 N more.
BEAM = """\
units: [mm, t]
space: spatial
gravity: [0, 0, -9810]
bodies:
  beam: {mass: 0.1, inertia: [2e3, 1e4, 1e4], position: [100, 0, 0]}
joints:
  a: {type: point-on-plane, bodies: [ground, beam], at: [-500, 0, 0], axis: z, stiffness: {z: 1000}}
  b: {type: point-on-plane, bodies: [ground, beam], at: [0, 0, 0], axis: z, stiffness: {z: 1000}}
  c: {type: point-on-plane, bodies: [ground, beam], at: [500, 0, 0], axis: z, stiffness: {z: 1000}}
"""


@pytest.fixture
def beam(tmp_path: Path) -> str:
    path = tmp_path / "beam.yaml"
    path.write_text(BEAM)
    return str(path)


@pytest.mark.parametrize("size", ["0.1", "0.1mm", "100µm", "1e-4 m"])
def test_tolerances_are_in_the_units_of_the_file(call: Call, beam: str, size: str) -> None:
    code, out, err = call("tolerances", beam, "--of", f"b.z={size}", "--json")
    assert code == 0, err
    worst = {f"{bar['joint']}.{bar['component']}": bar["worst"] for bar in json.loads(out)["bars"]}
    assert worst["b.Fz"] == pytest.approx(200 / 3, rel=1e-6)


@pytest.mark.parametrize(
    ("given", "units"), [("0.5", "kN"), ("500", "mm"), ("0.5kN", "mm"), ("500 N,1e9 N mm", "kN"), ("500,1e9", "mm")]
)
def test_capacities_and_their_words_are_in_the_units_of_answers(call: Call, beam: str, given: str, units: str) -> None:
    code, out, err = call("bounds", beam, "--capacity", f"all={given}", "--units", units)
    assert code == 0, err
    assert f"capacity of b: {'0.5 kN' if units == 'kN' else '500 N'}" in out


def test_known_ranges_are_in_the_units_of_the_answer(call: Call, beam: str) -> None:
    code, out, err = call("bounds", beam, "--known", "b.Fz=300..0.35kN", "--json")
    assert code == 0, err
    b = json.loads(out)["bounds"]["b"]["Fz"]
    assert (b["low"], b["high"]) == pytest.approx((300, 350))


def test_readings_without_a_unit_are_in_the_units_of_the_file(call: Call, beam: str, tmp_path: Path) -> None:
    (tmp_path / "readings.csv").write_text("t,b.Fz\n0,0.327\n")
    data = ("measure", beam, "--data", str(tmp_path / "readings.csv"), "--accuracy", "0.001", "--json")
    code, out, err = call(*data, "--units", "kN")
    assert code == 0, err
    found = json.loads(out)["components"]
    assert found["a.Fz"]["values"][0] == pytest.approx(228.9, rel=1e-6)
    assert found["b.Fz"]["sigma"][0] == pytest.approx(1.0, rel=1e-6)


def test_a_bushing_is_in_the_units_of_the_file(call: Call, tmp_path: Path) -> None:
    soft = tmp_path / "soft.yaml"
    code, _, err = call("export", "four-bar-spatial", "--bushing", "1000", "--units", "mm", "-o", str(soft))
    assert code == 0, err
    assert "held by a bushing of 1000 N/mm" in soft.read_text()
    sizes = [x for force in reactio.load(soft).forces for row in force.parameters["stiffness"] for x in row]
    assert max(sizes) == pytest.approx(1e6, rel=1e-9)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tolerances", "--of", "b.z=0.1kg"), "'kg' is not a unit of this; it is measured in mm."),
        (("tolerances", "--of", "b.z"), "write NAME=NUMBER, as in hinge2.z=0.1mm"),
        (("bounds", "--capacity", "all=much"), "'much' is not a number with or without a unit, as 5 or 5N."),
        (("bounds", "--capacity", "all=5,2s"), "'s' is not a unit of this; it is measured in N mm."),
        (("bounds", "--known", "b.Fz=300..inf"), "'inf' is not a number"),
        (("engage", "--load", "weight", "--to", "2N"), "it is measured in parts of the weight."),
    ],
)
def test_sizes_that_do_not_fit_are_refused(call: Call, beam: str, words: tuple[str, ...], message: str) -> None:
    verb, *options = words
    code, _, err = call(verb, beam, *options)
    assert code == 2
    assert message in " ".join(err.split())


def test_the_tolerance_of_a_drive_has_the_unit_of_its_coordinate(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    (tmp_path / "two.yaml").write_text(
        "space: planar\ngravity: [0, 0]\nbodies: {ram: {mass: 1, inertia: 1, position: [0, 0]}}\n"
        "joints: {hinge: {type: revolute, bodies: [ground, ram], at: [0, 0]}}\n"
        "drives:\n  a: {joint: hinge, function: hold, stiffness: 100}\n  b: {joint: hinge, function: hold}\n"
    )
    code, out, _ = call("tolerances", "two.yaml", "--of", "a=1mrad")
    assert code == 0
    assert "0.1" in out
    assert "'mm' is not a unit of this" in call("tolerances", "two.yaml", "--of", "a=1mm")[2]
    assert "write a=" in call("tolerances", "two.yaml", "--of", "a.angle=1mrad")[2]
