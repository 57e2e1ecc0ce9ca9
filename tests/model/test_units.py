"""The same mechanism in mm, degrees, grams and ms or in SI is the same model, to rounding."""

from __future__ import annotations

import math
import os
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from reactio.catalogue.fields import DIMENSIONS
from reactio.catalogue.units import si_unit
from reactio.errors import ModelError
from reactio.expressions.number import evaluate
from reactio.functions.expression import Expression
from reactio.model.files.read import parse_model
from reactio.model.model import Model

# Conversion multiplies by a factor that is itself rounded, at most three times (length² · mass).
ROUNDING = 1e-15

SI = """\
space: planar
parameters: {l: 0.25, phi: pi/6}
gravity: [0, -9.81]
ground: {points: {o: [0.1, 0]}, frames: {f: {point: [0, 0.2], angle: pi/4}}}
bodies:
  rod: {mass: 1.5, inertia: 0.02, position: [l, 0.1], angle: phi, velocity: [0.3, 0], angular_velocity: pi/2,
    center: [0.01, 0]}
  car: {mass: 0.2, inertia: 1e-4, position: [0, 0.5]}
joints:
  A: {type: revolute, a: {body: ground, point: [0.1, 0], angle: pi/3}, b: {body: rod, point: [-l, 0]}}
  S: {type: translational, bodies: [ground, car], at: [0, 0.5], angle: pi/2}
  R: {type: distance, a: rod, b: car, length: 0.75}
  W: {type: rolling-disc, bodies: [ground, car], at: [0, 0.5], radius: 0.05, offset: 0.002}
  G: {type: gear, a: rod, b: car, radius_a: 0.1, radius_b: -0.2}
drives:
  poly: {joint: A, function: {polynomial: {coefficients: [pi/2, pi, -pi/4], origin: 0.5}}}
  wave: {joint: S, function: {harmonic: {amplitude: 0.02, frequency: 2, phase: pi/2, offset: 0.5}}}
  step: {joint: A, function: {step: {start: 0.1, end: 0.3, before: 0, after: pi}}}
  table: {joint: S, function: {spline: {table: [[0, 0.1], [0.5, 0.2], [1, 0.1]]}}}
  lists: {joint: S, function: {spline: {times: [0, 0.5, 1], values: [0.1, 0.2, 0.3], ends: clamped}}}
  file: {joint: S, function: {spline: {file: table.csv}}}
couplings:
  pinion: {type: rack, joints: [S, A], radius: 0.04, offset: 0.003}
  wheels: {type: linear, joints: [A, G], coefficients: [1, 2], offset: pi/6}
forces:
  push: {type: force, at: {body: rod, point: [l, 0]}, force: [12, {polynomial: [1, 2]}]}
  turn: {type: torque, at: rod, torque: 3.5}
  coil: {type: spring-damper, a: ground.o, b: car, stiffness: 250, length: 0.3, damping: 1.25}
  bar: {type: linear-spring-damper, joint: S, stiffness: 40, position: 0.02, damping: 3}
  spiral: {type: torsional-spring-damper, joint: A, stiffness: 36, angle: pi/4, damping: 0.9}
  law: {type: actuator, joint: S, effort: {linear-law: {stiffness: 40, free: 0.02, damping: 3}}}
  lever: {type: actuator, joint: A, effort: {linear-law: {stiffness: 36, free: pi/4, damping: 0.9}}}
"""
MM = """\
space: planar
units: [mm, deg, g, ms, kN]
parameters: {l: 250, phi: 30}
gravity: [0, -9.81e-3]
ground: {points: {o: [100, 0]}, frames: {f: {point: [0, 200], angle: 45}}}
bodies:
  rod: {mass: 1500, inertia: 2e7, position: [l, 100], angle: phi, velocity: [0.3, 0], angular_velocity: 0.09,
    center: [10, 0]}
  car: {mass: 200, inertia: 1e5, position: [0, 500]}
joints:
  A: {type: revolute, a: {body: ground, point: [100, 0], angle: 60}, b: {body: rod, point: [-l, 0]}}
  S: {type: translational, bodies: [ground, car], at: [0, 500], angle: 90}
  R: {type: distance, a: rod, b: car, length: 750}
  W: {type: rolling-disc, bodies: [ground, car], at: [0, 500], radius: 50, offset: 2}
  G: {type: gear, a: rod, b: car, radius_a: 100, radius_b: -200}
drives:
  poly: {joint: A, function: {polynomial: {coefficients: [90, 0.18, -45e-6], origin: 500}}}
  wave: {joint: S, function: {harmonic: {amplitude: 20, frequency: 2e-3, phase: 90, offset: 500}}}
  step: {joint: A, function: {step: {start: 100, end: 300, before: 0, after: 180}}}
  table: {joint: S, function: {spline: {table: [[0, 100], [500, 200], [1000, 100]]}}}
  lists: {joint: S, function: {spline: {times: [0, 500, 1000], values: [100, 200, 300], ends: clamped}}}
  file: {joint: S, function: {spline: {file: table-mm.csv}}}
couplings:
  pinion: {type: rack, joints: [S, A], radius: 40, offset: 3}
  wheels: {type: linear, joints: [A, G], coefficients: [1, 2], offset: 30}
forces:
  push: {type: force, at: {body: rod, point: [l, 0]}, force: [0.012, {polynomial: [1e-3, 2e-6]}]}
  turn: {type: torque, at: rod, torque: 3.5}
  coil: {type: spring-damper, a: ground.o, b: car, stiffness: 250e-6, length: 300, damping: 1.25e-3}
  bar: {type: linear-spring-damper, joint: S, stiffness: 40e-6, position: 20, damping: 3e-3}
  spiral: {type: torsional-spring-damper, joint: A, stiffness: 36*pi/180, angle: 45, damping: 900*pi/180}
  law: {type: actuator, joint: S, effort: {linear-law: {stiffness: 40e-6, free: 20, damping: 3e-3}}}
  lever: {type: actuator, joint: A, effort: {linear-law: {stiffness: 36*pi/180, free: 45, damping: 900*pi/180}}}
"""
SI_SPACE = """\
space: spatial
bodies:
  arm:
    mass: 1
    inertia: [2e-3, 2e-3, 2e-3, 1e-4, 0, 0]
    orientation: {axis: [0, 0, 1], angle: pi/3}
    angular_velocity: [pi, 0, pi/2]
    frames: {f: {point: [0.1, 0, 0], orientation: {euler: zxz, angles: [pi/6, pi/4, pi/2]}}}
joints:
  A: {type: screw, a: ground, b: arm.f, pitch: 0.005}
"""
MM_SPACE = """\
space: spatial
units: {length: mm, angle: degree}
bodies:
  arm:
    mass: 1
    inertia: [2e3, 2e3, 2e3, 1e2, 0, 0]
    orientation: {axis: [0, 0, 1], angle: 60}
    angular_velocity: [180, 0, 90]
    frames: {f: {point: [100, 0, 0], orientation: {euler: zxz, angles: [30, 45, 90]}}}
joints:
  A: {type: screw, a: ground, b: arm.f, pitch: 5}
"""


def assert_close(one: Any, other: Any, path: str = "model") -> None:
    """Equal in everything, numbers to rounding; parameters and the name are as each file says."""
    if isinstance(one, float):
        assert one == pytest.approx(other, rel=ROUNDING, abs=ROUNDING), path
    elif is_dataclass(one):
        assert type(one) is type(other), path
        for field in fields(one):
            if not (isinstance(one, Model) and field.name in ("parameters", "source", "units")):
                assert_close(getattr(one, field.name), getattr(other, field.name), f"{path}.{field.name}")
    elif isinstance(one, tuple):
        assert len(one) == len(other), path
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_close(a, b, f"{path}[{i}]")
    elif hasattr(one, "keys"):
        assert one.keys() == other.keys(), path
        for key in one:
            assert_close(one[key], other[key], f"{path}.{key}")
    else:
        assert one == other, path


def test_every_field_is_converted(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("# measured\ntime, way\n0, 0.1\n0.5, 0.2\n\n1, 0.1\n")
    (tmp_path / "table-mm.csv").write_text("0,100\n500,200\n1000,100\n")
    assert_close(parse_model(SI, folder=tmp_path), parse_model(MM, folder=tmp_path))
    assert_close(parse_model(SI_SPACE), parse_model(MM_SPACE))


def value(f: Expression, t: float, s: float = 0.0, rate: float = 0.0) -> float:
    """The value of a formula in SI, without compiling it."""
    given = {**dict(f.constants), "t": t, "s": f.coordinate_scale * s, "rate": f.coordinate_scale * rate}
    return f.scale * float(evaluate(f.text, given))


def function_in(text: str, units: str, joint: str = "A") -> Any:
    sections = f"""\
space: planar
units: {units}
parameters: {{phi: atan(1/4), k: 30}}
bodies: {{rod: {{mass: 1, inertia: 1, angle: phi}}, car: {{mass: 1, inertia: 1}}}}
joints:
  A: {{type: revolute, bodies: [ground, rod], at: [0, 0]}}
  S: {{type: translational, bodies: [ground, car], at: [0, 0]}}
"""
    if joint == "drive":
        model = parse_model(f"{sections}drives: {{d: {{joint: A, function: '{text}'}}}}\n")
        return model.drives[0].function
    model = parse_model(f"{sections}forces: {{f: {{type: actuator, joint: {joint}, effort: '{text}'}}}}\n")
    return model.forces[0].parameters["effort"]


@pytest.mark.parametrize(
    ("in_degrees", "in_radians"),
    [
        ("90*t", "pi/2*t"),
        ("k*sin(t)", "pi/6*sin(t)"),
        ("phi*t", "phi*t"),
        ("t*atan(1/4)", "phi*t"),
        ("step(t, 0, 0, 1, phi)", "step(t, 0, 0, 1, phi)"),
        ("degrees(phi) + 90*t", "phi + pi/2*t"),
        ("radians(90)*t - phi", "pi/2*t - phi"),
    ],
)
def test_angles_of_formulas(in_degrees: str, in_radians: str) -> None:
    one, other = function_in(in_degrees, "deg", "drive"), function_in(in_radians, "rad", "drive")
    assert isinstance(one, Expression)
    for t in (0.0, 0.3, 2.0):
        assert value(one, t) == pytest.approx(value(other, t), rel=1e-14, abs=1e-14)  # a handful of roundings


@pytest.mark.parametrize("text", ["atan(1/4)", "phi", "radians(degrees(phi))", "degrees(phi)"])
def test_arcs_are_radians_in_a_file_of_degrees(text: str) -> None:
    assert function_in(text, "deg", "drive").value == pytest.approx(math.atan(0.25), rel=1e-15)  # two roundings


@pytest.mark.parametrize("text", ["phi + 30", "phi + 30*t", "30 - atan(t)", "max(phi, k)"])
def test_radians_and_degrees_do_not_mix(text: str) -> None:
    with pytest.raises(ModelError, match=r"drive 'd'.*degrees\(…\)"):
        function_in(text, "deg", "drive")
    assert function_in(text, "rad", "drive")


def test_formulas_in_a_coordinate_and_its_rate() -> None:
    """f = −2 s − 3 rate: in mm and N, and on a rotation in degrees and N·mm."""
    along, si = function_in("-2*s - 3*rate + t", "mm", "S"), function_in("-2000*s - 3000*rate + t", "m", "S")
    assert value(along, 0.5, 0.02, 0.1) == pytest.approx(value(si, 0.5, 0.02, 0.1), rel=1e-14)  # roundings
    about = function_in("-2*s - 3*rate", "[mm, deg]", "A")
    s, rate = math.radians(10), math.radians(20)
    assert value(about, 0.0, s, rate) == pytest.approx(-(2 * 10 + 3 * 20) * 1e-3, rel=1e-14)  # roundings


ARM = """\
space: planar
units: [mm, deg]
bodies: {arm: {mass: 1, inertia: 1}}
joints: {A: {type: revolute, bodies: [ground, arm], at: [0, 0]}}
parameters: {phi: atan(1)}
"""
FORCE = 'forces: {{f: {{type: force, at: arm, force: [0, "100*{}"]}}}}'
EVENT = 'events: {{e: {{when: "{}"}}}}'
ACTUATOR = 'forces: {{f: {{type: actuator, joint: A, effort: "{}"}}}}'


@pytest.mark.parametrize(
    ("place", "text", "name"),
    [
        (FORCE, "cos(A.rotation)", "A.rotation"),
        (FORCE, "sin(2*arm.angle - phi)", "arm.angle"),
        (FORCE, "tan(radians(arm.angle) + A.rotation.rate*t)", "A.rotation.rate"),
        (EVENT, "cos(A.rotation)", "A.rotation"),
        (ACTUATOR, "sin(s/2)", "s"),
    ],
)
def test_sines_of_degrees_are_refused(place: str, text: str, name: str) -> None:
    with pytest.raises(ModelError, match=rf"takes radians, and '{name}' is in degrees.*write radians\({name}\)"):
        parse_model(ARM + place.format(text))
    assert parse_model(ARM.replace("deg", "rad") + place.format(text))


@pytest.mark.parametrize(
    "text",
    ["cos(radians(A.rotation))", "cos(A.rotation*pi/180)", "sin(arm.x/50)", "cos(step(A.rotation, 0, 0, 90, phi))"],
)
def test_sines_of_radians_pass_in_a_file_of_degrees(text: str) -> None:
    assert parse_model(ARM + FORCE.format(text)).forces
    assert parse_model(ARM + EVENT.format(text)).events


def test_formulas_need_seconds() -> None:
    with pytest.raises(ModelError, match="seconds"):
        function_in("2*t", "ms", "drive")


TABLE = """\
space: planar
bodies: {rod: {}}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
drives:
  d: {joint: A, function: {spline: {file: table.csv}}}
"""


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (None, "No such file"),
        ("", "give at least two"),
        ("0,1\n", "give at least two"),
        ("0,1\n1,x\n", "table.csv:2"),
        ("0;1\n1;2\n2;3\n", "table.csv:2"),
        ("0,1\n1\n", "table.csv:2"),
        ("0,1\n1,nan\n", "table.csv:2"),
        ("0,1\n1,1e999\n", "table.csv:2"),
        ("t,s\n0,1\n1,\n", "table.csv:3"),
        ("0,1\n2,1\n1,1\n", "times must increase"),
        ("0,1\n0,1\n", "times must increase"),
        (b"\xff\xfe0,1\n", "UTF-8"),
        ("0," + "1" * 200_000 + "\n", "table"),
    ],
)
def test_tables_that_are_none(table: str | bytes | None, words: str, tmp_path: Path) -> None:
    if table is not None:
        (tmp_path / "table.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    with pytest.raises(ModelError) as caught:
        parse_model(TABLE, folder=tmp_path)
    assert words in str(caught.value)
    assert "drive 'd'" in str(caught.value)


def test_a_folder_or_an_endless_file_as_a_table(tmp_path: Path) -> None:
    (tmp_path / "table.csv").mkdir()
    with pytest.raises(ModelError, match=r"drive 'd'.*folder"):
        parse_model(TABLE, folder=tmp_path)
    (tmp_path / "table.csv").rmdir()
    os.mkfifo(tmp_path / "table.csv")
    with pytest.raises(ModelError, match=r"drive 'd'.*not an ordinary file"):
        parse_model(TABLE, folder=tmp_path)


def test_a_model_opens_no_file_outside_its_folder(tmp_path: Path) -> None:
    """By whatever road: an absolute path, a way up, a link; and nothing of a file is repeated."""
    own = tmp_path / "models"
    own.mkdir()
    (tmp_path / "secret.csv").write_text("0,password\n")
    (own / "link.csv").symlink_to(tmp_path / "secret.csv")
    (own / "loop.csv").symlink_to(own / "loop.csv")
    for name in (str(tmp_path / "secret.csv"), "../secret.csv", "link.csv", "/dev/zero"):
        with pytest.raises(ModelError, match="outside the folder of the model"):
            parse_model(TABLE.replace("table.csv", name), folder=own)
    for name in ("loop.csv", "x" * 5000 + ".csv"):
        with pytest.raises(ModelError, match="drive 'd'"):
            parse_model(TABLE.replace("table.csv", name), folder=own)
    with pytest.raises(ModelError, match="was not read from a folder"):
        parse_model(TABLE)
    (own / "table.csv").write_text("0,1\n1,password\n")
    with pytest.raises(ModelError, match=r"table.csv:2") as caught:
        parse_model(TABLE, folder=own)
    assert "password" not in str(caught.value)
    (own / "tables").mkdir()
    (own / "tables" / "table.csv").write_text("0,1\n1,2\n")
    assert parse_model(TABLE.replace("table.csv", "tables/table.csv"), folder=own).drives


@pytest.mark.parametrize("text", ["45", "atan(1)", "pi/4", "b", "b*180/pi", "degrees(b)", "90*pi/360"])
def test_angles_of_a_degree_file_by_any_road(text: str) -> None:
    """Forty-five degrees, written as people write them."""
    model = parse_model(
        f"space: planar\nunits: deg\nparameters: {{b: atan(1)}}\nbodies: {{a: {{mass: 1, inertia: 1, angle: {text}}}}}"
    )
    assert model.bodies[0].orientation[0] == pytest.approx(math.pi / 4, rel=1e-15)


def test_a_wrong_number_is_named_in_the_units_of_the_file() -> None:
    wheel = "{type: rolling-disc, a: ground, b: car, radius: -50}"
    text = f"{{space: planar, units: mm, bodies: {{car: {{}}}}, joints: {{W: {wheel}}}}}"
    with pytest.raises(ModelError, match=r"radius is -50 mm; it must be positive"):
        parse_model(text)


@pytest.mark.parametrize("dimension", sorted(set(DIMENSIONS) - {"number", "any", "effort"}))
def test_the_unit_of_a_dimension_has_its_powers(dimension: str) -> None:
    above, _, below = si_unit(dimension).partition("/")
    found = dict.fromkeys(("m", "rad", "kg", "s", "N"), 0)
    for side, sign in ((above, 1), (below, -1)):
        for word in side.split():
            symbol = word.rstrip("²³⁴")
            found[symbol] += sign * {"": 1, "²": 2, "³": 3, "⁴": 4}[word[len(symbol) :]]
    assert tuple(found.values()) == DIMENSIONS[dimension]
