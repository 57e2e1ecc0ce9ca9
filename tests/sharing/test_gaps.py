"""Splits with play and one-way parts: closed forms, another formulation, finite differences and solving again."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.cli import run
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.engagement import engagement
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import sensitivity
from reactio.joint_reactions.closing import with_closing_contacts
from reactio.linear.convex import gap_sets
from reactio.linear.convex.gap_sets import GapProblem, GapSets, GapStart, NotBalanced, NotConverged
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
ROUNDING = 1e-9  # of forces: digits of double precision that stiffnesses over some decades leave

BARS = """
space: planar
gravity: [0, 0]
parameters: {{k1: {k1}, k2: {k2}, g: {g}, F: {F}}}
bodies: {{plate: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  guide: {{type: translational, a: ground, b: plate}}
  one: {{type: distance, a: {{body: ground, point: [-1, 0]}}, b: plate, stiffness: k1}}
  two: {{type: distance, a: {{body: ground, point: [-1, 0]}}, b: plate, stiffness: k2, play: g}}
forces: {{pull: {{type: force, at: plate, force: [F, 0]}}}}
"""
FEET = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {{top: {{mass: 10, inertia: [1, 1, 1], position: [{x}, {y}, 0]}}}}
joints:
  a: {{type: contact-plane, bodies: [ground, top], at: [-1, -1, 0], axis: z, stiffness: {{z: 1e6}}}}
  b: {{type: contact-plane, bodies: [ground, top], at: [1, -1, 0], axis: z, stiffness: {{z: 2e6}}}}
  c: {{type: contact-plane, bodies: [ground, top], at: [1, 1, 0], axis: z, stiffness: {{z: 1e6}}}}
  d: {{type: contact-plane, bodies: [ground, top], at: [-1, 1, 0], axis: z,
      stiffness: {{z: 5e5}}, misfit: {{z: {low}}}}}
"""
PLATE = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  a: {type: revolute, bodies: [ground, plate], at: [0, 0], play: 0.02 mm}
  b: {type: revolute, bodies: [ground, plate], at: [0.1, 0], play: 0.05 mm}
  c: {type: revolute, bodies: [ground, plate], at: [0, 0.13], play: 0.02 mm}
forces: {pull: {type: force, at: {body: plate, point: [0.03, 0.04]}, force: [1000, 500]}}
"""


def forces(text: str, rule: str = "compliance") -> dict[str, Floats]:
    found = reactio.reactions(parse_model(text), rule)
    return {name: found[name].force for name in found}


@pytest.mark.parametrize("F", [5.0, 19.999, 20.001, 300.0, -300.0])
def test_two_bars_one_with_a_gap(F: float) -> None:
    """λ₂ = max(0, k₂ (F − k₁ g)/(k₁ + k₂)), for pull and for push."""
    k1, k2, g = 1e5, 3e5, 2e-4
    two = -forces(BARS.format(k1=k1, k2=k2, g=g, F=F))["two"][0]
    assert two == pytest.approx(np.sign(F) * max(0.0, k2 * (abs(F) - k1 * g) / (k1 + k2)), abs=ROUNDING * abs(F))


def test_bars_with_a_gap_that_closes_know_their_one_sided_slopes() -> None:
    """At F = k₁ g the second bar touches without load."""
    found = sensitivity(parse_model(BARS.format(k1=1e5, k2=3e5, g=2e-4, F=20.0)))
    assert found.on_the_verge == ("two",)
    assert not sensitivity(parse_model(BARS.format(k1=1e5, k2=3e5, g=2e-4, F=21.0))).on_the_verge


@pytest.mark.parametrize("family", ["bolt groups", "hinge rows", "sling lifts"])
def test_forces_are_those_of_least_potential_energy(family: str) -> None:
    """Bolts in discs, balls in sockets and slings against displacements by cones: a few of benchmarks/gaps.py."""
    pytest.importorskip("clarabel")
    gaps = importlib.import_module("gaps")

    rng = np.random.default_rng(7)
    assert max(gaps.difference(gaps.FAMILIES[family](rng)) for _ in range(4)) < gaps.AGREEMENT


def test_forces_far_smaller_than_misfits_give_keep_their_digits() -> None:
    """Two pins in holes bear a moment of 1 mN m across their arm while a third, shifted by 30 µm, is idle.

    With all gaps closed the misfit alone would give 300 N: forces of 10 mN are left of that by cancellation.
    """
    text = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  a: {type: revolute, bodies: [ground, plate], at: [-0.05, 0], play: 0.1 mm, stiffness: [1e7, 1e7, 0]}
  b: {type: revolute, bodies: [ground, plate], at: [0.05, 0], play: 0.1 mm, stiffness: [1e7, 1e7, 0]}
  c: {type: revolute, bodies: [ground, plate], at: [0, 0.01], play: 0.1 mm, stiffness: [1e7, 1e7, 0],
      misfit: {x: 3e-5}}
forces: {turn: {type: torque, at: plate, torque: 1e-3}}
"""
    reactions = reactio.reactions(parse_model(text), "compliance")
    forces = [reactions[name].force[:2] for name in "abc"]
    assert forces[0] == pytest.approx([0.0, 1e-2], rel=1e-9, abs=1e-11)
    assert forces[1] == pytest.approx([0.0, -1e-2], rel=1e-9, abs=1e-11)
    assert forces[2] == pytest.approx([0.0, 0.0], abs=1e-13)


def test_without_play_it_is_the_linear_answer() -> None:
    stiff = ", stiffness: [1e8, 3e7, 0]}"
    tight = PLATE.replace(", play: 0.02 mm}", stiff).replace(", play: 0.05 mm}", stiff)
    loose = PLATE.replace("play: 0.02 mm}", "play: 1e-16" + stiff).replace("play: 0.05 mm}", "play: 1e-16" + stiff)
    expected, found = forces(tight), forces(loose)
    # 1e-16 m of play in springs of 1e8 N/m are 1e-8 N, of forces of 1e3 N.
    assert max(float(np.abs(expected[name] - found[name]).max()) for name in expected) < 1e-7


def test_rigid_parts_with_play_are_the_limit_of_stiff_ones() -> None:
    """1e3 N stretch springs of 1e12 N/m by 1e-9 m, which turns directions across gaps of 2e-5 m by 5e-5."""
    stiff = ", stiffness: [1e12, 1e12, 0]}"
    elastic = PLATE.replace("0.02 mm}", "0.02 mm" + stiff).replace("0.05 mm}", "0.05 mm" + stiff)
    expected, found = forces(elastic), forces(PLATE)
    assert np.abs(found["b"]).max() < ROUNDING * 1e3  # idle
    assert max(float(np.abs(expected[name] - found[name]).max()) for name in expected) < 0.1


def test_neither_units_nor_the_order_of_joints_matter() -> None:
    stiff = ", stiffness: [1e8, 1e8, 0]}"
    text = PLATE.replace("0.02 mm}", "0.02 mm" + stiff).replace("0.05 mm}", "0.05 mm" + stiff)
    lines = text.splitlines()
    turned = "\n".join([*lines[:5], lines[7], lines[5], lines[6], *lines[8:]]) + "\n"
    in_mm = text.replace("space:", "units: {length: mm}\nspace:").replace("1e8", "1e5")
    in_mm = in_mm.replace("[0.1, 0]", "[100, 0]").replace("[0, 0.13]", "[0, 130]").replace("[0.03, 0.04]", "[30, 40]")
    expected = forces(text)
    for other in (turned, in_mm):
        found = forces(other)
        assert max(float(np.abs(expected[name] - found[name]).max()) for name in expected) < 1e-7  # of 1e3 N


def test_what_neither_stiffness_nor_play_decides_is_an_interval() -> None:
    text = """
space: planar
gravity: [0, -10]
bodies: {plate: {mass: 10, inertia: 1, position: [0, 0]}}
joints:
  a: {type: revolute-translational, a: {body: ground, point: [-1, 0]}, b: {body: plate, point: [-1, 0]}, play: {y: GA}}
  b: {type: revolute-translational, a: {body: ground, point: [1, 0]}, b: {body: plate, point: [1, 0]}, play: {y: GA}}
  c: {type: revolute-translational, a: {body: ground, point: [0, 0]}, b: {body: plate, point: [0, 0]}, play: {y: 1e-5}}
"""
    with pytest.raises(ReactioError, match=r"a\.y between -50 and .* c\.y between -100 and"):
        forces(text.replace("GA", "1e-5"))
    assert forces(text.replace("GA", "2e-5"))["c"][1] == pytest.approx(100.0)
    assert forces(text.replace("GA", "5e-6"))["a"][1] == pytest.approx(50.0)


def test_a_lifted_rough_foot_holds_nothing_and_the_others_hold_all() -> None:
    rough = FEET.replace("contact-plane", "rough-plane").replace("stiffness: {{z:", "stiffness: {{x: 1e6, y: 1e6, z:")
    rough += "forces: {{side: {{type: force, at: top, force: [20, 0, 0]}}}}\n"
    found = forces(rough.format(x=0.2, y=0.1, low=-2e-4))
    assert np.abs(found["d"]).max() < ROUNDING * 98.1
    assert sum(force[0] for force in found.values()) == pytest.approx(-20.0)
    friction = rough.replace("axis: z,", "axis: z, friction: 2,").format(x=0.2, y=0.1, low=-2e-4)
    assert forces(friction)["a"] == pytest.approx(found["a"])


def test_slopes_are_those_of_finite_differences_with_lifted_feet_and_preload() -> None:
    legs = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {top: {mass: 10, inertia: [1, 1, 1], position: [0.1, 0.2, 0.5]}}
joints:
  l0: {type: point-on-plane, bodies: [ground, top], at: [-1, -1, 0], axis: z, stiffness: {z: 1e6}, preload: {z: 100}}
  l1: {type: point-on-plane, bodies: [ground, top], at: [1, -1, 0], axis: z, stiffness: {z: 2e6}}
  l2: {type: point-on-plane, bodies: [ground, top], at: [1, 1, 0], axis: z, stiffness: {z: 3e6}}
  l3: {type: point-on-plane, bodies: [ground, top], at: [-1, 1, 0], axis: z, stiffness: {z: 5e5}}
"""
    plate = PLATE.replace("0.02 mm}", "0.02 mm, stiffness: [1e8, 4e7, 0]}")
    plate = plate.replace("0.05 mm}", "0.01 mm, stiffness: [1e7, 4e7, 0]}")
    for text in (legs, FEET.format(x=0.2, y=0.1, low=-2e-4), FEET.format(x=0, y=0, low=-8e-5), plate):
        model = parse_model(text)
        found = sensitivity(model)
        for k, part in enumerate(found.parts):
            h = 1e-4
            ahead, behind = (instant(stiffer(model, part, np.exp(x))).whole.lam for x in (h, -h))
            # Central differences err by h² of the forces, and by their rounding over h.
            assert np.abs((ahead - behind) / (2 * h) - found.by_stiffness[:, k]).max() < 1e-6 * np.abs(found.lam).max()


def stiffer(model: reactio.Model, name: str, factor: float) -> reactio.Model:
    elastic = model.joint(name).elastic
    scaled = replace(elastic, stiffness=tuple(factor * k for k in elastic.stiffness))
    joints = (replace(joint, elastic=scaled) if joint.name == name else joint for joint in model.joints)
    return replace(model, joints=tuple(joints))


def test_change_if_rigid_is_that_of_a_rigid_foot() -> None:
    model = parse_model(FEET.format(x=0, y=0, low=-8e-5))
    before = instant(model).whole.lam
    for part in flexible(model).parts:
        after = instant(stiffer(model, part.name, 1e9)).whole.lam
        assert part.change_if_rigid == pytest.approx(np.abs(after - before).max(), rel=1e-6)  # 1e-9 of the compliance


def test_tolerances_of_feet_that_only_push() -> None:
    """A foot of a square table bears between nothing and half of the weight, however far feet are off."""
    text = FEET.format(x=0, y=0, low=0).replace("2e6", "1e6").replace("5e5", "1e6")
    bars = reactio.error_bars(parse_model(text), {f"{foot}.z": 2e-4 for foot in "abcd"})
    bar = bars["a.Fz"]
    assert bar.least is not None
    assert bar.largest is not None
    assert (bar.least, bar.largest) == pytest.approx((0.0, 49.05), abs=ROUNDING * 98.1)
    assert bar.linear_worst == pytest.approx(200.0)
    assert bars.machines is not None
    # A foot lifts where a sum of four uniform numbers is below −24.525/200 of its range: 0.33, known to ± 0.05.
    assert all(abs(p - 0.33) < 0.05 for p in bars.machines.idle.values())
    assert "does not hold" in bars.advice("a.Fz")


def test_tolerances_of_feet_that_are_never_idle_are_linear() -> None:
    """Feet that stay down: the range over machines is the linear one, and the advice is that of a linear model."""
    text = FEET.format(x=0, y=0, low=0).replace("2e6", "1e6").replace("5e5", "1e6")
    bars = reactio.error_bars(parse_model(text), {f"{foot}.z": 1e-6 for foot in "abcd"})
    bar = bars["a.Fz"]
    assert bar.is_linear
    assert bar.worst == pytest.approx(bar.linear_worst, rel=1e-9)
    assert "does not hold" not in bars.advice("a.Fz")
    assert "Halving" in bars.advice("a.Fz")


def test_a_stop_that_only_touches_is_idle_in_every_count() -> None:
    """Feet of a table without weight touch without a force: none bears, in the table and in the note."""
    text = FEET.format(x=0, y=0, low=0).replace("-9.81", "0")
    solution = instant(parse_model(text)).whole.solution
    assert solution is not None
    assert solution.idle == {gap.name for gap in solution.gaps}


def test_tolerances_of_a_preloaded_leg_change_nothing() -> None:
    legs = FEET.replace("contact-plane", "point-on-plane").replace("{{z: 2e6}}", "{{z: 2e6}}, preload: {{z: 50}}")
    bars = reactio.error_bars(parse_model(legs.format(x=0, y=0, low=0)), {"a.z": 1e-4})
    assert max(bar.worst for bar in bars.bars) == 0.0


def test_a_gap_that_closes_under_sag() -> None:
    """The stop bears what a seat as low as the gap would bear; below the gap's load it is open."""
    strip = """
space: planar
gravity: [0, -9.81]
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  strip:
    position: [0, 0]
    flexible: {beam: {from: [-1, 0], to: [1, 0], section: {box: [0.01, 0.02]}}, material: steel}
joints:
  l: {type: revolute, bodies: [ground, strip], at: [-1, 0], stiffness: [1e9, 1e9, 0]}
  r: {type: revolute-translational, a: {body: ground, point: [1, 0]}, b: {body: strip, point: [1, 0]}, stiffness: 1e9}
"""
    stop = "contacts: {stop: {type: point-on-line, line: {body: ground, point: [0, -GAP], normal: [0, 1]}, "
    stop += "point: {body: strip, point: [0, 0]}}}\n"
    seat = "  stop: {type: revolute-translational, a: {body: ground}, b: {body: strip}, misfit: -1e-4}\n"
    closed = with_closing_contacts(parse_model(strip + stop.replace("GAP", "1e-4")))
    found = reactio.reactions(closed, "compliance")
    assert found["stop"].force[1] == pytest.approx(forces(strip + seat)["stop"][1], rel=ROUNDING)
    assert found["stop"].bears
    model = parse_model(strip + stop.replace("GAP", "1e-2"))
    assert with_closing_contacts(model) is model


def test_a_middle_bearing_with_clearance_is_idle_until_the_shaft_sags_onto_it() -> None:
    """From then on it bears as a seat that stands lower by the clearance does."""
    c = 1e-3

    def middle(load: float, **more: float) -> float:
        model = reactio.load("shaft-three-bearings", bearing=1e8, load=load, **more)
        return float(reactio.reactions(model, "compliance")["middle"].force[2])

    first, second = middle(1000.0, misfit=-c), middle(2000.0, misfit=-c)
    assert middle(1000.0, clearance=c) == pytest.approx(first, rel=ROUNDING)
    event = 1000.0 - first * 1000.0 / (second - first)
    assert middle(0.999 * event, clearance=c) == pytest.approx(0.0, abs=ROUNDING * first)
    found = engagement(reactio.load("shaft-three-bearings", bearing=1e8, clearance=c), "load", 5000.0)
    assert [(one.begins, one.ceases) for one in found.events] == [(("middle",), ())]
    assert found.events[0].load == pytest.approx(event, rel=ROUNDING)


def test_the_order_of_bars_with_gaps() -> None:
    """k₁ alone up to k₁g."""
    found = engagement(parse_model(BARS.format(k1=1e5, k2=3e5, g=2e-4, F=1.0)), "pull", 100.0)
    assert [one.load for one in found.events] == pytest.approx([20.0])
    assert found.events[0].begins == ("two",)
    assert found.forces["two"][-1] == pytest.approx(60.0)
    with pytest.raises(ReactioError, match=r"no load 'pul'\. Did you mean 'pull'"):
        engagement(parse_model(BARS.format(k1=1e5, k2=3e5, g=2e-4, F=1.0)), "pul")


def test_a_load_that_no_forces_hold_is_not_solved() -> None:
    push_only = GapSets(np.array([-np.inf]), np.array([0.0]), np.array([-1]), np.zeros(0))
    with pytest.raises(NotBalanced):
        GapProblem(np.zeros((1, 1)), np.array([-1.0]), np.zeros(0), push_only).solve()


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("play: -0.01 mm", "play is negative; it must be 0 or more. For an interference fit add `fit: interference`"),
        ("play: {axial: 0.1 mm}", "has no field 'axial'|leaves z free"),
        ("play: 0.1 kg", "'kg' is not a unit of length"),
        ("play: 1 mrad", "'mrad' is not a unit of length"),
        ("play: .nan", "'.nan' is not a finite number"),
        ("bearing: {type: deep-groove, clearance: C3}", "class C3 needs the size of the bearing: give its `bore`"),
        ("bearing: {type: deep-groove, bore: 0.02, clearance: C9}", "no clearance class 'C9'. Known: C2, C3, C4, C5"),
        ("play: {about_z: 0.1}", "play .about_z. where the joint leaves about_z free"),
        ("slack: 0.1", "slack is for parts that act one way"),
        ("play: 0.1, fit: loose", "there is no fit 'loose'"),
    ],
)
def test_play_that_cannot_be_is_refused(play: str, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        forces(PLATE.replace("play: 0.05 mm", play))


@pytest.mark.parametrize("play", ["0.05 mm", "0.05mm", "c mm", "(c) mm", "5e-2*c/c mm", "5.e-2 mm", "c/1000"])
def test_play_is_an_expression_with_or_without_a_unit(play: str) -> None:
    text = PLATE.replace("play: 0.05 mm", f"play: {play}").replace("space:", "parameters: {c: 0.05}\nspace:", 1)
    assert forces(text)["b"] == pytest.approx(forces(PLATE)["b"], rel=1e-9)


def test_play_in_a_driven_coordinate_is_refused() -> None:
    drive = "drives: {turn: {joint: a.angle, function: {type: linear, slope: 1}, backlash: 0.1}}\n"
    with pytest.raises(ReactioError, match="backlash in a driven coordinate"):
        parse_model(PLATE + drive)


def test_play_is_written_as_it_was_read() -> None:
    text = PLATE.replace("play: 0.05 mm", "play: {radial: -5e-5}, fit: interference")
    model = parse_model(text)
    assert parse_model(to_yaml(model)).joints == model.joints
    assert model.joint("a").elastic.play["natural"] == pytest.approx(2e-5)


SLINGS = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {load: {mass: 700, inertia: [100, 100, 150], position: [0, 0, 0]}}
joints:
  s1: {type: cable, a: {body: ground, point: [0, 0, 2]}, b: {body: load, point: [1, 0.7, 0.3]}, EA: 4e6, slack: 8 mm}
  s2: {type: cable, a: {body: ground, point: [0, 0, 2]}, b: {body: load, point: [-1, 0.7, 0.3]}, EA: 4e6}
  s3: {type: cable, a: {body: ground, point: [0, 0, 2]}, b: {body: load, point: [-1, -0.7, 0.3]}, EA: 4e6}
  s4: {type: cable, a: {body: ground, point: [0, 0, 2]}, b: {body: load, point: [1, -0.7, 0.3]}, EA: 4e6}
"""


def test_a_long_sling_leaves_the_load_to_one_pair() -> None:
    found = reactio.reactions(parse_model(SLINGS), "compliance")
    length = np.sqrt(1 + 0.49 + 2.89)
    for name in ("s2", "s4"):
        assert found[name].axial == pytest.approx(700 * 9.81 / 2 * length / 1.7)  # tension is positive
    assert [found[name].bears for name in ("s1", "s2", "s3", "s4")] == [False, True, False, True]


def test_a_strut_pushes_and_a_cable_does_not() -> None:
    text = """
space: planar
gravity: [0, -9.81]
bodies: {box: {mass: 10, inertia: 1, position: [0, 0]}}
joints:
  g: {type: translational, a: {body: ground, angle: 1.5707963267948966}, b: {body: box, angle: 1.5707963267948966}}
  s1: {type: KIND, a: {body: ground, point: [-1, -2]}, b: {body: box, point: [-1, 0]}, stiffness: 2e6}
  s2: {type: KIND, a: {body: ground, point: [1, -2]}, b: {body: box, point: [1, 0]}, stiffness: 2e6}
"""
    found = reactio.reactions(parse_model(text.replace("KIND", "strut")), "compliance")
    assert found["s1"].axial == pytest.approx(-49.05)
    with pytest.raises(ReactioError, match=r"No cable can hold this load: 'box' along \(vy -1\).*s1, s2"):
        forces(text.replace("KIND", "cable"))


ON_SPRINGS = """
space: planar
gravity: [0, 0]
bodies: {{plate: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  s1: {{type: revolute-translational, bodies: [ground, plate], at: [-1, 0], stiffness: {{y: 1e5}}{s1}}}
  s2: {{type: revolute-translational, bodies: [ground, plate], at: [1, 0], stiffness: {{y: 1e5}}{s2}}}
  foot: {{type: contact-line, bodies: [ground, plate], at: [0, 0], stiffness: 1e5{foot}}}
"""


def test_a_foot_that_is_too_long_and_one_that_is_said_to_be_pressed_without_being_so() -> None:
    """Springs of k in series with 2 k and an overlap of 0.1 mm: F = 0.1 mm / (1/k + 1/2k)."""
    model = parse_model(ON_SPRINGS.format(s1="", s2="", foot=", slack: -0.1 mm, fit: interference"))
    forces = reactio.reactions(model, "compliance")
    assert forces["foot"].force[1] == pytest.approx(1e-4 / (1.5 / 1e5), rel=1e-9)  # a closed form
    with pytest.raises(ReactioError, match="negative play"):
        parse_model(ON_SPRINGS.format(s1="", s2="", foot=", slack: 0.1 mm, fit: interference"))


def preloaded(s1: str, foot: str, more: str = "") -> reactio.Model:
    """A plate on two springs and a foot between them, 0.5 m from the middle, that stands 1 mm too low."""
    text = ON_SPRINGS.format(s1=s1, s2="", foot=foot).replace("[0, 0], stiff", "[0.5, 0], stiff")
    return parse_model(text + more)


def of(model: reactio.Model) -> dict[str, float]:
    forces = reactio.reactions(model, "compliance")
    return {name: float(forces[name].force[1]) for name in ("s1", "s2", "foot")}


def test_a_preload_closes_gaps_and_keeps_its_force() -> None:
    """s1 pulls 100 N when nothing is loaded: the foot then bears 400 N and s2 pulls 300 N, however low it stands.

    Under a load the same misfit acts: springs 1/k each, the plate turns and sinks until all three agree.
    """
    for slack in (0.0, 1e-3, 5e-3):
        tight = preloaded(", preload: {y: -100}", f", slack: {slack}")
        assert of(tight) == pytest.approx({"s1": -100.0, "s2": -300.0, "foot": 400.0}, rel=1e-9)
    load = "forces: {down: {type: force, at: {body: plate, point: [0.5, 0]}, force: [0, -LOAD]}}\n"
    # The misfit of s1 in place of its preload: self-stress (−1, −3, 4), 26/k of compliance: x = −26 · 100/k − 4 slack.
    misfit = -26 * 100 / 1e5 - 4e-3
    for size in ("50", "600", "5000"):
        one, other = (
            of(preloaded(s1, ", slack: 1 mm", load.replace("LOAD", size)))
            for s1 in (", preload: {y: -100}", f", misfit: {{y: {misfit}}}")
        )
        assert one == pytest.approx(other, rel=1e-8, abs=1e-8)


def test_a_preload_beside_gaps_that_it_leaves_open() -> None:
    """Two springs braced by a third; the foot stays open and takes no part until a load closes it."""
    third = "  s3: {type: revolute-translational, bodies: [ground, plate], at: [0.2, 0], stiffness: {y: 1e5}}\n"
    alone, load = (
        preloaded(", preload: {y: 100}", ", slack: 10 mm", third + extra)
        for extra in ("", "forces: {down: {type: force, at: plate, force: [0, -300]}}\n")
    )
    assert of(alone) == pytest.approx({"s1": 100.0, "s2": 150.0, "foot": 0.0}, rel=1e-9)
    split = of(preloaded("", ", slack: 10 mm", third + "forces: {down: {type: force, at: plate, force: [0, -300]}}\n"))
    now = of(load)
    assert now == pytest.approx({name: split[name] + of(alone)[name] for name in split}, rel=1e-9)
    assert now["foot"] == 0.0


def test_a_preload_that_nothing_can_carry_or_that_leaves_the_misfit_open_is_refused_with_its_reason() -> None:
    """A foot cannot pull; and a preload of zero holds wherever the foot hangs above the ground."""
    with pytest.raises(ReactioError, match=r"foot: .* hold the preload s1\.y when nothing is loaded; .* the other way"):
        of(preloaded(", preload: {y: 100}", ", slack: 10 mm"))
    with pytest.raises(ReactioError, match=r"preload s1\.y is the same wherever foot lies .* Give its `misfit`"):
        of(preloaded(", preload: {y: 0}", ", slack: 10 mm"))


def test_nothing_is_loaded_where_a_misfit_opens_one_way_parts() -> None:
    """A spring that stands off lifts the plate from its feet: no force is left, and none is refused for rounding."""
    text = ON_SPRINGS.format(s1=", misfit: {y: 1e-4}", s2="", foot="").replace(
        "s2: {type: revolute-translational", "s2: {type: contact-line"
    )
    forces = reactio.reactions(parse_model(text), "compliance")
    assert max(abs(force.force).max() for force in forces.values()) == 0.0


BOLTS_TOO_STIFF = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  b1: {type: revolute, bodies: [ground, plate], at: [0.06, 0.03], stiffness: {radial: 1e14}, play: 2e-9}
  b2: {type: revolute, bodies: [ground, plate], at: [0.16, 0.15], stiffness: {radial: 1e6}, play: 2e-12,
       misfit: {x: 3e-9}}
  b3: {type: revolute, bodies: [ground, plate], at: [-0.01, 0.17], stiffness: {radial: 1e14}, play: 7e-10}
"""


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_split_that_is_not_found_is_refused_with_its_residuals(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stiffnesses eight decades apart, gaps two hundred times smaller than misfits: no number, and what to do."""
    (file := tmp_path / "bolts.yaml").write_text(BOLTS_TOO_STIFF)
    with pytest.raises(ReactioError) as refused:
        reactio.reactions(parse_model(BOLTS_TOO_STIFF), "compliance")
    residuals = re.search(r"after 60 steps compatibility is violated by (\S+) and .* by (\S+) of", str(refused.value))
    assert residuals is not None
    assert max(map(float, residuals.groups())) > gap_sets.VIOLATION
    monkeypatch.setattr(sys, "argv", ["reactio", "reactions", str(file), "--rule", "compliance", *more])
    with pytest.raises(SystemExit) as end:
        run()
    out, err = capsys.readouterr()
    assert end.value.code == 2
    assert "Reactions" not in out  # a remark on the stiffness, and no table
    assert not (more and out)
    assert err.endswith("or make the stiffest parts rigid.\n")


@pytest.mark.parametrize("arm", [1e-6, 1e-8, 1e-10])
def test_a_load_that_nearly_misses_a_part_still_turns_the_plate_against_it(arm: float) -> None:
    """40 kN at an arm e to a pin with clearance: a bolt at a distance h, with far more clearance, bears F e/h."""
    text = f"""
space: planar
gravity: [0, 0]
bodies: {{plate: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  pin: {{type: revolute, bodies: [ground, plate], at: [0, {arm}], stiffness: {{radial: 5e8}}, play: 1 mm}}
  far: {{type: revolute, bodies: [ground, plate], at: [0, 0.06], stiffness: {{radial: 2e7}}, play: 10 mm}}
forces: {{pull: {{type: force, at: plate, force: [-4e4, 0]}}}}
"""
    forces = reactio.reactions(parse_model(text), "compliance")
    assert forces["far"].force[0] == pytest.approx(-4e4 * arm / (0.06 - arm), abs=1e-13 * 4e4)


def test_an_idle_part_bears_exactly_nothing() -> None:
    """Rounding of stiff parts is no force: where a joint is idle all components are zero, in every form."""
    text = BOLTS_TOO_STIFF.replace("1e14", "1e10")
    forces = reactio.reactions(parse_model(text), "compliance")
    assert {name: forces[name].bears for name in forces} == {"b1": False, "b2": True, "b3": True}
    assert not forces["b1"].force.any()
    assert not forces["b1"].force_in_joint.any()
    assert forces.table().columns["value"][:2] == [0.0, 0.0]


def test_light_parts_next_to_a_press_are_not_idle() -> None:
    """10 MN have no say in what a bead of 0.1 g weighs: where the model determines it, and where stiffness does."""
    forces = reactio.reactions(
        parse_model("""
space: planar
gravity: [0, -9.81]
bodies:
  press: {mass: 1, inertia: 1, position: [0, 0]}
  bead: {mass: 1.0e-4, inertia: 1.0e-8, position: [5, 0]}
  pan: {mass: 1.0e-4, inertia: 1.0e-8, position: [6, 0]}
joints:
  frame: {type: revolute, bodies: [ground, press], at: [0, 0], stiffness: {radial: 1e8}}
  spare: {type: revolute, bodies: [ground, press], at: [1, 0], stiffness: {radial: 1e8}}
  weld: {type: fixed, bodies: [ground, bead], at: [5, 0]}
  knife: {type: revolute, bodies: [ground, pan], at: [6, 0], stiffness: {radial: 1e3}}
  stop: {type: revolute, bodies: [ground, pan], at: [6.1, 0], stiffness: {radial: 1e3}, play: 1 mm}
forces: {pull: {type: force, at: press, force: [0, 1e7]}}
"""),
        "compliance",
    )
    assert {name: forces[name].bears for name in forces} == {
        "frame": True, "spare": False, "weld": True, "knife": True, "stop": False,
    }  # fmt: skip
    for name in ("weld", "knife"):
        assert forces[name].force == pytest.approx([0, 9.81e-4], abs=1e-12)
    assert not forces["stop"].force.any()


def gap_problem(discs: int, seed: int) -> GapProblem:
    """Discs with random radii, loaded so that some of them bear."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(2 * discs, 3)))[0]
    B = np.linalg.qr(np.eye(2 * discs) - Q @ Q.T)[0][:, : 2 * discs - 3]
    ball, free = np.repeat(np.arange(discs), 2), np.full(2 * discs, np.inf)
    return GapProblem(B, Q @ np.ones(3), np.zeros(0), GapSets(-free, free, ball, 10 ** rng.uniform(-1, 1, discs)))


@pytest.mark.parametrize("seed", range(5))
def test_a_start_from_a_similar_problem_is_a_guess_that_is_checked(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = gap_problem(8, seed)
    found = problem.solve()
    assert 0 < found.bears.sum() < len(found.bears)
    for bears in (found.bears, ~found.bears):
        again = problem.solve([GapStart(found.s, bears)])
        assert again.w == pytest.approx(found.w, abs=1e-10)
        assert again.bears.tolist() == found.bears.tolist()
    monkeypatch.setattr(gap_sets, "MOST_GAP_UPDATES", 0)
    assert problem.solve([GapStart(found.s, found.bears)]).w == pytest.approx(found.w, abs=1e-10)
    with pytest.raises(NotConverged):
        problem.solve([GapStart(found.s, ~found.bears)])


def test_many_parts_by_iterations_are_those_by_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = gap_problem(75, 1)
    by_iterations = problem.solve()
    monkeypatch.setattr(gap_sets, "MOST_GRADIENTS", 0)
    by_elimination = problem.solve()
    assert by_iterations.w == pytest.approx(by_elimination.w, abs=1e-10)
    assert 0 < by_elimination.bears.sum() < 150


GROWING = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: translational, a: ground, b: plate}
  rod: {type: distance, a: {body: ground, point: [-0.5, 0]}, b: plate, stiffness: 1e5, expansion: 1.2e-5}
  wall: {type: distance, a: {body: ground, point: [1, 0]}, b: plate, stiffness: 3e5, play: 0.06 mm}
"""
JACK = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: translational, a: ground, b: plate}
  wall: {type: distance, a: {body: ground, point: [1, 0]}, b: plate, stiffness: 3e5, play: 0.06 mm}
drives: {jack: {joint: guide, function: 0, stiffness: 1e5}}
"""


@pytest.mark.parametrize(
    ("text", "name", "to", "length", "unit"),
    [
        (GROWING, "rod.temperature", 50.0, 50 * 1.2e-5 * 0.5, "K"),  # α ΔT L
        (GROWING, "rod.along", 3e-4, 3e-4, "m"),
        (GROWING, "rod.length", 3e-4, 3e-4, "m"),
        (JACK, "jack", 3e-4, 3e-4, "m"),
    ],
)
def test_a_temperature_or_a_position_closes_a_gap(text: str, name: str, to: float, length: float, unit: str) -> None:
    """The wall bears from the stretch g on; then k₁ (x − u) = k₂ (u − g)."""
    found = engagement(parse_model(text), name, to)
    (event,) = found.events
    assert found.unit == unit
    assert event.load == pytest.approx(to * 6e-5 / length, rel=1e-9)
    assert "wall" in event.begins
    u = (1e5 * length + 3e5 * 6e-5) / 4e5
    assert found.forces["wall"][-1] == pytest.approx(3e5 * (u - 6e-5), rel=1e-9)


@pytest.mark.parametrize("to", [None, 3e-4])
def test_a_misfit_grows_from_nothing_to_the_one_in_the_model_or_to_another(to: float | None) -> None:
    """The misfit of the file is the final size when none is given, and never the start: the wall bears from g on."""
    text = GROWING.replace("expansion: 1.2e-5", f"misfit: {3e-4 if to is None else 1e-4}")
    found, alone = engagement(parse_model(text), "rod.along", to), engagement(parse_model(GROWING), "rod.along", 3e-4)
    assert found.events == alone.events
    assert [event.load for event in found.events] == pytest.approx([6e-5], rel=1e-9)
    assert found.forces["wall"] == pytest.approx(alone.forces["wall"], rel=1e-9)


PALLET = """
space: planar
gravity: [0, -10]
bodies: {beam: {mass: 100, inertia: 10, position: [0, 0]}}
contacts:
  a: {type: point-on-line, line: ground, point: {body: beam, point: [-1, 0]}, stiffness: 1e6}
  b: {type: point-on-line, line: ground, point: {body: beam, point: [1, 0]}, stiffness: 1e6}
  c: {type: point-on-line, line: ground, point: {body: beam, point: [0, 1e-4]}, stiffness: 1e6}
"""


@pytest.mark.parametrize(("load", "to"), [("weight", 1.0), ("push", 1000.0)])
def test_a_contact_that_is_open_without_a_load_closes_as_the_load_grows(load: str, to: float) -> None:
    """Two feet yield by the gap g under 2 k g; under F each of them bears (F + k g)/3, and the third k g less."""
    text = PALLET
    if load != "weight":
        text = text.replace("-10", "0") + "forces: {push: {type: force, at: beam, force: [0, -1]}}"
    found = engagement(parse_model(text), load, to)
    assert found.bears_at_start == ("a", "b")
    assert [(event.begins, event.ceases) for event in found.events] == [(("c",), ())]
    assert found.events[0].load == pytest.approx(to * 200.0 / 1000.0, rel=1e-9)
    assert found.forces["a"][-1] == pytest.approx(1100.0 / 3, rel=1e-9)
    assert found.forces["c"][-1] == pytest.approx(800.0 / 3, rel=1e-9)
    assert not engagement(parse_model(text), load, 0.1 * to).events


def test_temperatures_of_a_model_grow_in_proportion() -> None:
    text = GROWING.replace("expansion: 1.2e-5", "expansion: 1.2e-5, temperature: 40")
    assert engagement(parse_model(text), "temperature").events[0].load == pytest.approx(6e-5 / (1.2e-5 * 0.5), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "to", "words"),
    [
        ("temperature", 1.0, "No part of the model has a `temperature`"),
        ("rodd.temperature", 1.0, "no part 'rodd'. Did you mean 'rod'"),
        ("wall.temperature", 1.0, "without a coefficient of thermal expansion"),
        ("rod.along", None, "grows to 0, its size in the model: give a positive number"),
        ("guide.x", 1e-4, "changes nothing as it grows: the joint is free there"),
        ("rod.radial", 1e-4, "rod"),
        ("jak", 1.0, "There is no load 'jak'"),
    ],
)
def test_what_cannot_grow_is_refused(name: str, to: float | None, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        engagement(parse_model(GROWING), name, to)
