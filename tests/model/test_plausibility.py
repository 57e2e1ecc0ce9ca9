"""Numbers that are possible and hardly meant: remarked on once, in the head of every answer, with their sizes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio import library
from reactio.cli.app import app
from reactio.model.plausibility import far_centres, implausible, unloaded
from reactio_docs.run import run_command
from tests.counted_calls import calls_of

ARM = """
space: spatial
{units}
gravity: [0, 0, {g}]
bodies:
  arm: {{mass: {mass}, inertia: {inertia}, center: {center}}}
  rod: {{mass: {end}, inertia: {end_inertia}, position: [1, 0, 0]}}
joints:
  A: {{type: revolute, a: {{body: {base}, point: [0, 0, 0]}}, b: {{body: arm, point: [0, 0, 0]}}}}
  B: {{type: spherical, a: {{body: arm, point: [0.5, 0, 0]}}, b: {{body: rod, point: [-0.5, 0, 0]}}}}
"""
MEANT = {
    "units": "",
    "g": -9.81,
    "mass": 2,
    "inertia": "[0.04, 0.04, 0.01]",
    "center": "[0.2, 0, 0]",
    "base": "ground",
    "end": None,
    "end_inertia": None,
}


def words(**changed: object) -> str:
    given = MEANT | changed
    given |= {"end": given["end"] or given["mass"], "end_inertia": given["end_inertia"] or given["inertia"]}
    model = reactio.parse_model(ARM.format(**given))
    return "; ".join(map(str, implausible(model)))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ""),
        ({"mass": 0, "inertia": "[0, 0, 0]"}, "none of the 2 bodies has a mass and no force acts"),
        (
            {"units": "units: mm", "inertia": "[4e4, 4e4, 1e4]", "center": "[0.2, 0, 0]", "g": -9.81},
            "gravity: it is 0.00981 m/s², 0.001 of the 9.81 m/s² on Earth; in a file with `units: mm` write 9810",
        ),
        ({"g": -9810}, "in a file in metres write 9.81"),
        ({"base": "rod"}, "ground: nothing is attached to it: 2 bodies move freely, and fall together"),
        ({"center": "[200, 0, 0]"}, "it lies 200 m from the joints of 'arm', 399 times the 0.5 m that joints span"),
        ({"end": "0", "end_inertia": "[0, 0, 0]"}, "mass of 'rod': it is 0, unlike that of other bodies (1 of 2)"),
        ({"inertia": "[4e4, 4e4, 1e4]"}, "has a radius of gyration of 122 m, 245 times the size of the mechanism"),
        ({"inertia": "[4e-8, 4e-8, 1e-8]"}, "kg/m³, osmium has 22 600"),
    ],
)
def test_each_has_its_remark_with_numbers(changed: dict[str, object], expected: str) -> None:
    found = words(**changed)
    assert expected in found if expected else found == ""


@pytest.mark.parametrize("fit", ["misfit: {x: 1e-4}", "preload: {y: 500}"])
def test_a_misfit_or_a_preload_loads_a_mechanism_without_weight(fit: str) -> None:
    text = """{{space: planar, bodies: {{bar: {{mass: 1, inertia: 1, position: [0, 0]}}}}, joints: {{
        A: {{type: fixed, bodies: [ground, bar], at: [-1, 0], stiffness: [1e6, 1e6, 1e3]{fit}}},
        B: {{type: fixed, bodies: [ground, bar], at: [1, 0], stiffness: [1e6, 1e6, 1e3]}}}}}}"""
    assert "Nothing loads it" in unloaded(reactio.parse_model(text.format(fit="")))[0]
    assert unloaded(reactio.parse_model(text.format(fit=f", {fit}"))) == ()


def test_angles_in_degrees_and_forces_on_ground_are_remarked_on() -> None:
    model = reactio.parse_model(
        "{space: planar, gravity: [0, -9.81], bodies: {bar: {mass: 1, inertia: 1, angle: 90}}, "
        "joints: {A: {type: revolute, bodies: [ground, bar], at: [0, 0]}}, "
        "forces: {push: {type: force, at: ground, force: [0, 1]}}}"
    )
    assert [str(note) for note in implausible(model)] == [
        "angle of 'bar': it is 90 rad, 14.3 turns; for degrees write radians(90) or `units: deg`",
        "force 'push': it acts on ground, where it changes nothing",
    ]


def test_the_size_of_a_mechanism_is_found_without_looking_at_every_pair() -> None:
    """Four times as many joints on the ground are 16 times as many pairs."""
    few, many = (reactio.load("n-four-bar", N=loops) for loops in (200, 800))
    assert calls_of(lambda: implausible(many)) < 5 * calls_of(lambda: implausible(few))


@pytest.mark.parametrize("seed", range(5))
def test_the_size_of_a_mechanism_is_the_largest_distance_of_two_joints(seed: int) -> None:
    places = np.random.default_rng(seed).normal(size=(12, 2))
    size = max(float(np.hypot(*(p - q))) for p in places for q in places)
    joints = ", ".join(
        f"J{k}: {{type: revolute, bodies: [ground, plate], at: [{x}, {y}]}}" for k, (x, y) in enumerate(places)
    )
    model = reactio.parse_model(
        "{space: planar, bodies: {plate: {mass: 1, inertia: 1, center: [1000, 0], position: [0, 0]}}, "
        f"joints: {{{joints}}}}}"
    )
    [far] = far_centres(model)
    assert far.size == pytest.approx(size, rel=1e-12)


@pytest.mark.parametrize("name", sorted(library.names()))
def test_published_mechanisms_are_plausible(name: str) -> None:
    assert implausible(reactio.load(name)) == ()


def test_once_in_the_head_in_json_and_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text(
        ARM.format(**MEANT | {"end": 2, "end_inertia": "[0.04, 0.04, 0.01]"} | {"g": -9810}), encoding="utf-8"
    )
    for command in (["check"], ["reactions"], ["show"]):
        text = CliRunner().invoke(app, [*command, str(path)]).stdout
        assert text.count("Implausible: gravity") == 1
    data = json.loads(run_command(f"reactio check {path} --json"))
    assert [note["kind"] for note in data["source_notes"]] == ["implausible"]
    page = reactio.report(reactio.load(path))
    assert any(sentence.startswith("Implausible: gravity: it is 9810 m/s²") for sentence in page.source_lines)


@pytest.mark.parametrize(("distance", "radius", "better"), [(2, 1, "-1"), (4, -1, "1"), (2, -1, ""), (4, 1, "")])
def test_a_ring_gear_needs_its_sign(distance: float, radius: float, better: str) -> None:
    """Centres r_a − r_b apart belong to a ring gear, r_a + r_b to wheels side by side."""
    model = reactio.parse_model(f"""
space: planar
bodies:
  ring: {{mass: 1, inertia: 1, position: [0, 0]}}
  planet: {{mass: 1, inertia: 1, position: [0, {distance}], orientation: 0.3}}
joints:
  shaft: {{type: revolute, bodies: [ground, ring], at: [0, 0]}}
  pin: {{type: revolute, bodies: [ground, planet], at: [0, {distance}]}}
  teeth: {{type: gear, a: ring, b: planet, radius_a: 3, radius_b: {radius}}}
""")
    remarks = [note for note in implausible(model) if "radius_b" in str(note)]
    assert bool(remarks) == bool(better)
    assert not better or f"if radius_b has the other sign, {better} m" in str(remarks[0])
    assert len(remarks) <= 1


TABLE_ON_FEET = """
space: spatial
{units}
gravity: [0, 0, {g}]
materials: {{steel: {{E: {E}, nu: 0.3, density: {density}}}}}
bodies:
  table: {{position: [0, 0, 0.7], flexible: {{beam: {{from: [-0.5, 0, 0], to: [0.5, 0, 0],
          section: {{rod: {diameter}}}}}, material: steel}}}}
joints:
  left: {{type: fixed, bodies: [ground, table], at: [-0.5, 0, 0.7]}}
  right: {{type: point-on-plane, bodies: [ground, table], at: [0.5, 0, 0.7], axis: z, stiffness: {{z: {k}}}}}
contacts:
  foot: {{type: point-on-plane, plane: {{body: ground, point: [0, 0, 0.7]}},
         points: [{{body: table, point: [0, 0, 0]}}], stiffness: {foot}}}
"""


def test_a_stub_of_an_i_beam_is_not_higher_than_long() -> None:
    """IPE 300: 0.3 m high, and the rectangle with its A and I would be 0.43 m high."""
    stub = TABLE_ON_FEET.replace("{{rod: {diameter}}}", "{{A: 5.38e-3, Iy: 8.36e-5, Iz: 6.04e-6, J: 2e-7}}")
    stub = stub.replace("[-0.5, 0, 0]", "[-0.2, 0, 0]").replace("[0.5, 0, 0]", "[0.2, 0, 0]")
    stub = stub.replace("[-0.5, 0, 0.7]", "[-0.2, 0, 0.7]").replace("[0.5, 0, 0.7]", "[0.2, 0, 0.7]")
    model = reactio.parse_model(stub.format(units="", g=-9.81, E=2.1e11, density=7850, k="1e7", foot="1e6"))
    assert not [remark for remark in implausible(model) if remark.what.startswith("section")]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ""),
        ({"k": "1e9", "foot": "1e9"}, ""),  # of a stiff bearing
        (
            {"k": "2.1e12"},
            "stiffness of 'right': that of 'right' is 2.1e+12 N/m, 10 times that of a solid steel cube as large as the "
            "mechanism, 1 m; a rigid part needs none",
        ),
        ({"foot": "1e12"}, "stiffness of 'foot': that of 'foot' is 1e+12 N/m, 4.76 times"),
        ({"k": "1e12", "foot": "2e12"}, "stiffness of 'right', 'foot': that of 'foot' is 2e+12 N/m"),
        ({"diameter": 20}, "section of 'table': it is at least 10 m high, and the beam 1 m long"),
        ({"E": 2.1e14}, "E of 'steel': it is 2.1e+14 N/m²; diamond, the stiffest material, has 1.2e+12 N/m²"),
        ({"density": 7.85e6}, "density of 'steel': it is 7850000 kg/m³; osmium, the densest, has 22600 kg/m³"),
    ],
)
def test_stiffnesses_and_sections_that_no_part_has_are_remarked_on(changed: dict[str, object], expected: str) -> None:
    given = {"units": "", "g": -9.81, "E": 2.1e11, "density": 7850, "diameter": 0.02, "k": "1e7", "foot": "1e6"}
    model = reactio.parse_model(TABLE_ON_FEET.format(**given | changed))
    remarks = "; ".join(map(str, implausible(model)))
    assert (expected in remarks) if expected else not remarks, remarks


def test_springs_that_pull_at_any_distance_are_remarked_on() -> None:
    model = reactio.parse_model("""
space: planar
units: mm
gravity: [0, -9810]
bodies: {box: {mass: 1, inertia: 100, position: [0, -150]}}
forces: {coil: {type: spring, a: ground, b: box, stiffness: 5, length: -150}}
""")
    assert [str(note) for note in implausible(model)] == [
        "length of 'coil': it is -0.15 m, so that it pulls at any distance"
    ]
