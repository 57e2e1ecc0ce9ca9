"""Error bars against springs in a row."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reactio
from reactio.design.error_bars import error_bars, farthest
from reactio.errors import ReactioError
from reactio.flexibility.instant import instant
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.model.specs import Elastic
from reactio.simulation.state_at import state_at
from reactio.sweeps.tolerance_samples import sampled_error_bars

DOOR = reactio.load("door", hinges=2, bushings=1)


def test_a_misfit_of_two_hinges_in_line_is_taken_by_two_springs_in_a_row() -> None:
    off = 1e-4
    k = DOOR.joint("hinge1").elastic.stiffness[2]
    bars = reactio.error_bars(DOOR, {"hinge2.z": off, "hinge1.z": off})
    bar = bars["hinge1.Fz"]
    assert bar.nominal == pytest.approx(25 * 9.81 / 2)  # two equal springs bear the weight
    assert bar.worst == pytest.approx(k / 2 * 2 * off)
    assert bar.rss == pytest.approx(k / 2 * np.sqrt(2) * off)
    assert dict(bar.dominant) == pytest.approx({"hinge1.z": 0.5, "hinge2.z": 0.5})


def test_a_default_holds_for_every_seat() -> None:
    bars = reactio.error_bars(DOOR, {"hinge1.z": 0.0}, default="0.05 mm, 0.1 mrad")
    assert len(bars.tolerances) == 12
    assert bars.tolerances["hinge1.z"] == 0.0
    assert bars.tolerances["hinge2.z"] == pytest.approx(5e-5)
    assert bars.tolerances["hinge2.about_x"] == pytest.approx(1e-4)


@pytest.mark.parametrize(
    ("source", "named", "words"),
    [
        (DOOR, {"hinge1.z": -1e-4}, "tolerance of 'hinge1.z' is -0.0001"),
        (DOOR, {}, "No tolerance is given"),
        (reactio.load("door", hinges=2), {"hinge1.z": 1e-4}, "Give joints a `stiffness`"),
        (DOOR, {"hinge9.z": 1e-4}, "no joint, body or drive 'hinge9'"),
    ],
)
def test_bad_tolerances_are_refused(source: reactio.Model, named: dict[str, float], words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        reactio.error_bars(source, named)


def test_a_seat_of_a_shaft_on_three_bearings_is_lifted_against_the_beam() -> None:
    """The middle of a beam on two supports gives L³/48EI + L/4κGA; the bearings are in a row with it."""
    off, k, length, diameter = 1e-4, 1e7, 2.0, 0.05
    model = reactio.load("shaft-three-bearings", bearing=k, length=length, diameter=diameter)
    steel = model.materials["steel"]
    assert steel.E is not None
    assert steel.nu is not None
    area, second = np.pi * diameter**2 / 4, np.pi * diameter**4 / 64
    shear = 6 * (1 + steel.nu) / (7 + 6 * steel.nu)  # Cowper 1966, circular section
    beam = length**3 / (48 * steel.E * second) + length / (4 * shear * steel.E / (2 * (1 + steel.nu)) * area)
    force = off / (beam + 1 / k + 1 / (2 * k))
    bars = reactio.error_bars(model, {"middle.y": off})
    assert bars["middle.Fy"].worst == pytest.approx(force, rel=2e-3)  # the coefficient of shear differs by convention
    assert bars["left.Fy"].worst == pytest.approx(force / 2, rel=2e-3)
    assert {fit.joint: fit.force for fit in bars.fits}["middle"] == bars["middle.Fy"].worst
    plain = off / (length**3 / (48 * steel.E * second) + 1.5 / k)
    assert bars["middle.Fy"].worst == pytest.approx(plain, rel=1e-2)  # shear is a small part of a slender shaft


def heated(model: reactio.Model, body: str, kelvin: float) -> reactio.Model:
    return replace(model, bodies=tuple(replace(b, temperature=kelvin) if b.name == body else b for b in model.bodies))


def test_lengths_and_temperatures_do_what_heat_does() -> None:
    """A door that is warmer than its frame pushes its hinges apart by α ΔT h against two springs in a row."""
    door = replace(DOOR, bodies=(replace(DOOR.bodies[0], expansion=2e-5),))
    bars = reactio.error_bars(door, {"door.temperature": 20.0, "door.length": 4e-4})
    span, k = 1.0, DOOR.joint("hinge1").elastic.stiffness[2]
    changes = bars.changes("hinge1.Fz")
    assert abs(changes["door.temperature"]) == pytest.approx(k / 2 * 2e-5 * 20.0 * span)
    assert changes["door.length"] == pytest.approx(changes["door.temperature"])  # 0.4 mm of 1 m is 20 K
    here = instant(heated(door, "door", 20.0))
    warm = here.forces(here.whole.lam)["hinge1"]
    assert warm[2] == pytest.approx(bars["hinge1.Fz"].nominal + changes["door.temperature"])


TOLERANT = """
space: spatial
units: {length: mm}
bodies:
  door: {mass: 25, inertia: [8e6, 9e6, 2e6], position: [450, 0, 1000], expansion: 1e-5}
joints:
  low: {type: revolute, a: {body: ground, point: [0, 0, 500]}, b: {body: door, point: [-450, 0, -500]},
        stiffness: [8e3, 8e3, 5e3, 2e6, 2e6, 0]}
  top: {type: revolute, a: {body: ground, point: [0, 0, 1500]}, b: {body: door, point: [-450, 0, 500]},
        stiffness: [8e3, 8e3, 5e3, 2e6, 2e6, 0]}
tolerances:
  default: {position: 0.05}
  top: {position: 0.1, z: 0.2, angle: 0.001}
  door: {length: 0.3, temperature: 10}
costs: {top: 5, spherical: 2}
"""


def test_tolerances_of_a_file_are_read_written_and_used() -> None:
    model = reactio.parse_model(TOLERANT)
    assert dict(model.costs) == {"top": 5.0, "spherical": 2.0}
    bars = reactio.error_bars(model)
    expected = {"top.x": 1e-4, "top.y": 1e-4, "top.z": 2e-4, "low.x": 5e-5, "low.z": 5e-5, "top.about_x": 1e-3,
                "door.length": 3e-4, "door.temperature": 10.0}  # fmt: skip
    assert {name: bars.tolerances[name] for name in expected} == pytest.approx(expected)
    assert reactio.error_bars(model, {"top.z": 1e-5}).tolerances["top.z"] == 1e-5
    assert reactio.error_bars(model, default="1 mm").tolerances["low.x"] == 1e-3
    again = reactio.parse_model(to_yaml(model))
    assert again.tolerances == model.tolerances
    assert again.costs == model.costs


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("position: 0.1,", "position: -0.1,", r":13.*tolerance of 'top.position' is -0.1 mm"),
        ("  top: {position", "  tip: {position", "Did you mean 'top'"),
        ("angle: 0.001", "angel: 0.001", "Did you mean 'angle'"),
        ("temperature: 10", "position: 10", "position"),
        ("top: 5", "top: -5", "cost of 'top' is -5"),
        ("spherical: 2", "sperical: 2", "Did you mean 'spherical'"),
    ],
)
def test_tolerances_of_a_file_that_mean_nothing_are_refused(before: str, after: str, words: str) -> None:
    assert before in TOLERANT
    with pytest.raises(ReactioError, match=words):
        reactio.parse_model(TOLERANT.replace(before, after))


def test_bodies_without_expansion_or_length_are_named() -> None:
    with pytest.raises(ReactioError, match="give `expansion`"):
        reactio.error_bars(DOOR, {"door.temperature": 10.0})
    with pytest.raises(ReactioError, match="no joint, body or drive 'dor'"):
        reactio.error_bars(DOOR, {"dor.length": 1e-3})


@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_largest_sum_over_all_signs_is_that_of_trying_all(d: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    V = random.normal(size=(d, k)) if seed % 2 else random.integers(-2, 3, size=(d, k)).astype(float)
    signs = np.array(list(product([-1, 1], repeat=k))).T
    assert farthest(V) == pytest.approx(np.linalg.norm(V @ signs, axis=0).max(), rel=1e-9, abs=1e-9)


def test_advice_is_about_the_tolerance_that_counts() -> None:
    bars = reactio.error_bars(DOOR, {"hinge2.z": 1e-4, "hinge1.x": 1e-7})
    assert bars.advice("hinge1.Fz") == "hinge1.Fz, ± 250 N: Halving the position tolerance of hinge2 halves it."
    halved = reactio.error_bars(DOOR, {"hinge2.z": 5e-5, "hinge1.x": 1e-7})
    assert halved["hinge1.Fz"].worst == pytest.approx(bars["hinge1.Fz"].worst / 2)
    both = reactio.error_bars(DOOR, {"hinge2.z": 1e-4, "hinge1.z": 1e-4})
    assert both.advice("hinge1.Fz").endswith("makes it ± 375 N.")


def test_components_are_in_the_axes_of_the_joint_unless_the_world_is_asked_for() -> None:
    """The bearings of the shaft look along it: their y axis is the z axis of the world."""
    model = reactio.load("shaft-three-bearings")
    own = reactio.error_bars(model, {"middle.y": 1e-4})
    world = reactio.error_bars(model, {"middle.y": 1e-4}, axes="world")
    assert (own.axes, world.axes) == ("joint", "world")
    assert own["left.Fy"].worst == pytest.approx(world["left.Fz"].worst, rel=1e-12)  # a turn of axes, no new solve
    assert own["left.Fz"].worst == pytest.approx(0.0, abs=1e-9 * own["left.Fy"].worst)


def test_error_bars_at_a_time_are_those_of_the_state_there() -> None:
    model = reactio.load("four-bar-spatial")
    soft = Elastic((1e6,) * 3 + (1e3,) * 2 + (0.0,))
    model = replace(model, joints=tuple(replace(joint, elastic=soft) for joint in model.joints))
    late = reactio.error_bars(model, {"B.z": 1e-4}, t=0.05)
    assert late.t == 0.05
    state = state_at(reactio.build(model, vibration=False), 0.05)
    same = reactio.error_bars(model, {"B.z": 1e-4}, state=state)
    assert [bar.worst for bar in late.bars] == pytest.approx([bar.worst for bar in same.bars])
    start = reactio.error_bars(model, {"B.z": 1e-4})
    assert [bar.worst for bar in late.bars] != pytest.approx([bar.worst for bar in start.bars], rel=1e-3)
    with pytest.raises(ReactioError, match="sampled at the start"):
        sampled_error_bars(late, 2)


def test_contacts_have_tolerances_as_seats_do() -> None:
    """Four feet, k each: a misfit δ of one changes all by k δ/4, whether named with its contact or by its number."""
    text = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {top: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}}
contacts:
  feet:
    type: point-on-plane
    plane: {body: ground, point: [0, 0, 0], normal: [0, 0, 1]}
    points: [POINTS]
    stiffness: 1e6
"""
    corners = [f"{{body: top, point: [{x}, {y}, 0]}}" for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    text = text.replace("POINTS", ", ".join(corners))
    every = error_bars(reactio.parse_model(text + "tolerances: {feet: {z: 1e-6}}"))
    alone = error_bars(reactio.parse_model(text), {"feet2.z": 1e-6})
    assert every["feet1.Fz"].worst == pytest.approx(1.0, rel=1e-9)
    assert alone["feet1.Fz"].worst == pytest.approx(0.25, rel=1e-9)
    assert error_bars(reactio.parse_model(text), default="1e-6 m")["feet1.Fz"].worst == pytest.approx(1.0, rel=1e-9)
    stop = "  stop: {type: point-on-plane, plane: {body: ground, point: [0, 0, -1], normal: [0, 0, 1]},\n"
    stop += "    point: {body: top, point: [0, 0, -0.9999]}, stiffness: 1e6}\n"
    with pytest.raises(ReactioError, match="'stop' is open by"):
        error_bars(reactio.parse_model(text + stop), {"stop.z": 2e-4})


SHAFT = """
space: spatial
gravity: [0, 0, 0]
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  shaft:
    position: [0, 0, 0]
    flexible: {beam: {from: [0, 0, 0], to: [1.6, 0, 0], section: {rod: 0.04}}, material: steel}
joints:
  left: {type: spherical, bodies: [ground, shaft], at: [0, 0, 0]}
  middle: {type: point-on-line, bodies: [ground, shaft], at: [0.8, 0, 0], axis: x, play: 1e-4}
  right: {type: point-on-line, bodies: [ground, shaft], at: [1.6, 0, 0], axis: x}
forces:
  wheel: {type: force, at: {body: shaft, point: [0.4, 0, 0]}, force: [0, 0, -4000]}
"""


@pytest.mark.parametrize(("size", "holds"), [("0.1 mm", True), ("5 mm", False)])
def test_the_linear_answer_holds_where_forces_hardly_turn_in_round_play(size: str, holds: bool) -> None:
    """The shaft goes on pressing on the lower side of the middle seat until this is off by more than the sag."""
    bars = reactio.error_bars(parse_model(SHAFT), default=size)
    largest = max((bar for bar in bars.bars if bar.joint == "middle"), key=lambda bar: abs(bar.nominal))
    assert largest.is_linear == holds
    advice = bars.advice(f"middle.{largest.component}")
    assert ("does not hold" in advice) != holds
    assert ("Halving the position tolerance of middle" in advice) == holds


def test_tolerances_of_a_mechanism_without_redundant_equations_cause_no_reactions() -> None:
    bars = reactio.error_bars(reactio.load("door", hinges=1), default="0.1 mm")
    assert bars.determinate
    assert abs(bars["hinge1.Fz"].nominal) > 1.0
    assert all(bar.worst == bar.rss == 0.0 for bar in bars.bars)
    assert bars.largest == ()
    with pytest.raises(ReactioError, match="Without redundant equations tolerances cause no reactions"):
        sampled_error_bars(bars, 3)


def test_tolerances_of_a_rigid_mechanism_are_refused_where_its_rank_is_in_doubt() -> None:
    text = """
space: planar
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  across: {type: distance, a: {body: ground, point: [-1, 0]}, b: {body: plate, point: [1, 0]}}
  one: {type: distance, a: {body: ground, point: [0, -1]}, b: plate}
  two: {type: distance, a: {body: ground, point: [1e-10, -1]}, b: {body: plate, point: [1e-10, 0]}}
"""
    with pytest.raises(ReactioError, match="may have redundant equations, and no stiffness"):
        reactio.error_bars(parse_model(text), default="0.1 mm")


CYLINDERS = reactio.parse_model("""
space: planar
units: mm
gravity: [0, 0]
bodies: {ram: {mass: 1, inertia: 1e4, position: [0, 0]}}
joints:
  gl: {type: translational, bodies: [ground, ram], at: [-400, 0], axis: [0, 1], stiffness: {y: 1e5, about_z: 5e10}}
  gr: {type: translational, bodies: [ground, ram], at: [400, 0], axis: [0, 1], stiffness: {y: 1e5, about_z: 5e10}}
drives:
  cl: {joint: gl, function: hold, stiffness: 1e6}
  cr: {joint: gr, function: hold, stiffness: 1e6}
""")


@pytest.mark.parametrize("name", ["cr.position", "cr.angle", "cr.y", "cr.length"])
def test_a_drive_has_one_misfit_along_its_coordinate(name: str) -> None:
    assert list(reactio.error_bars(CYLINDERS, {"cr": 1e-4}).tolerances) == ["cr"]
    with pytest.raises(ReactioError, match=rf"'cr' has one misfit, along its own coordinate: write cr, not {name}"):
        reactio.error_bars(CYLINDERS, {name: 1e-4})


def test_a_default_says_its_angle_and_that_drives_are_exact() -> None:
    angle, drives = reactio.error_bars(CYLINDERS, default="0.1 mm").remarks
    assert angle == "The angle tolerance is 0.125 mrad: 0.1 mm over the size of the mechanism."
    assert drives == "Drives are exact unless named: --of cl=0.1mm."
    with_one = reactio.error_bars(CYLINDERS, {"cl": 1e-4}, default="0.1 mm, 0 mrad")
    assert with_one.remarks == ("Drives are exact unless named: --of cr=0.1mm.",)
    assert with_one.tolerances["gl.about_z"] == 0.0


def test_what_is_zero_in_every_machine_keeps_its_linear_answer() -> None:
    """A weight on two cables beside a guide that bears nothing: its rounding is no range."""
    model = reactio.parse_model("""
space: planar
gravity: [0, -10]
bodies: {p: {mass: 7, inertia: 1, position: [0, 0]}}
joints:
  g: {type: translational, bodies: [ground, p], at: [0, 0], axis: [0, 1]}
  c1: {type: cable, a: {body: ground, point: [0, 1]}, b: p, stiffness: 1e6}
  c2: {type: cable, a: {body: ground, point: [0, 1]}, b: p, stiffness: 1e6, length: 1 + 1e-4}
""")
    bars = reactio.error_bars(model, {"c1.y": 1e-4, "c2.y": 1e-4})
    assert all(bars[f"g.{label}"].is_linear and not bars[f"g.{label}"].worst for label in ("Fx", "Fy", "Mz"))
    assert "no tolerance changes it" in bars.advice("g.Mz")


DRIVEN = """
space: planar
units: [mm, deg]
bodies: {{bar: {{mass: 1, inertia: 100, position: [25, 0]}}}}
joints:
  A: {{type: revolute, bodies: [ground, bar], at: [0, 0], stiffness: {{x: 1e4, y: 1e4}}}}
  B: {{type: revolute, bodies: [ground, bar], at: [50, 0], stiffness: {{x: 1e4, y: 1e4}}}}
drives:
  motor: {{joint: A, function: hold}}
tolerances: {{{given}}}
"""


def test_the_tolerance_of_a_drive_is_one_number_in_the_file() -> None:
    """0.1° lifts the end of 50 mm by 0.0873 mm against two springs of 1e4 N/mm in a row."""
    model = parse_model(DRIVEN.format(given="motor: 0.1"))
    bars = reactio.error_bars(model)
    force = 0.5e7 * 0.05 * np.radians(0.1)
    assert bars["B.Fy"].worst == pytest.approx(force, rel=1e-6)
    assert dict(bars["B.Fy"].dominant) == pytest.approx({"motor": 1.0})
    assert bars.advice("B.Fy").endswith("Halving the tolerance of motor halves it.")
    assert parse_model(to_yaml(model)) == model
    assert reactio.error_bars(model, {"motor": 0.0})["B.Fy"].worst == 0.0  # what is given by name replaces it


def test_machines_deviate_in_their_drives_too() -> None:
    sampled = sampled_error_bars(reactio.error_bars(parse_model(DRIVEN.format(given="motor: 0.1"))), 8, processes=0)
    assert sampled.failed == 0
    assert sampled.disagreement < 1e-4  # 1 − cos 0.1° is 1.5e-6
    assert sampled["motor.M"].largest > 0.75 * sampled["motor.M"].worst  # one of eight strata lies beyond 6/8


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("motor: {angle: 0.1}", "motor has one misfit, along its own coordinate: write motor: 0.1."),
        ("motor: [0.1]", "write motor: 0.001"),
        ("motor: -0.1", "the tolerance of 'motor' is -0.1 deg; it must be 0 or more"),
        ("moter: 0.1", "Did you mean 'motor'?"),
    ],
)
def test_bad_tolerances_of_drives_are_refused_with_their_line(given: str, words: str) -> None:
    with pytest.raises(ReactioError, match="10: ") as caught:
        parse_model(DRIVEN.format(given=given))
    assert words in str(caught.value)
