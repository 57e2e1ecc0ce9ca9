"""Load envelopes against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.errors import ModelError, ReactioError
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml

G, L, MASS, RATE = 9.81, 0.5, 2.0, 10.0
# A rod driven at a constant rate about a level axle: the axle bears weight and centripetal force.
ROTOR = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {{rod: {{mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}}}}
joints:
  axle: {{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0], bearing: {bearing}}}
drives:
  motor: {{joint: axle, function: 10*t}}
"""
TURN = 2 * np.pi / RATE


def rotor(bearing: str = "{C: 1e4, p: 3, Y: 0}") -> reactio.Model:
    """The rod with a bearing."""
    return parse_model(ROTOR.format(bearing=bearing))


def test_a_rotor_bears_weight_and_centripetal_force() -> None:
    found = reactio.envelope(rotor(), TURN, rows=9)
    radial = found["axle.radial"]
    centripetal = MASS * RATE**2 * L
    # Joint axes turn with neither body: frame A is on the ground; |F| is largest at the bottom, least at the top.
    assert radial.largest == pytest.approx(centripetal + MASS * G, rel=1e-3)
    assert radial.least == pytest.approx(centripetal - MASS * G, rel=1e-3)
    assert radial.by == "unique"
    assert found.change is not None
    assert found.change < 1e-2
    # ∫|F|³ over a turn by a second quadrature; |F|² = a² + b² + 2ab cos φ.
    phi = np.linspace(0, 2 * np.pi, 20001)
    size = np.sqrt(centripetal**2 + (MASS * G) ** 2 + 2 * centripetal * MASS * G * np.cos(phi))
    cubic = (np.trapezoid(size**3, phi) / (2 * np.pi)) ** (1 / 3)
    assert radial.cubic == pytest.approx(cubic, rel=1e-4)
    life = found.lives[0]
    assert life.revolutions == pytest.approx(1.0)
    assert life.millions == pytest.approx((1e4 / cubic) ** 3, rel=1e-3)
    assert life.hours == pytest.approx((1e4 / cubic) ** 3 * 1e6 * TURN / 3600, rel=1e-3)


def test_open_loads_have_no_number_unless_a_rule_or_bounds_are_asked_for() -> None:
    model = reactio.load("door", hinges=2, bushings=1)
    bare = reactio.envelope(model, 0.1, rows=5)
    assert (bare["hinge1.Fz"].by, bare["hinge1.Fz"].largest) == ("open", None)
    assert "--rule compliance" in bare.notes[-1]
    shared = reactio.envelope(model, 0.1, rows=5, rule="compliance")
    assert shared["hinge1.Fz"].by == "determined by stiffness"
    assert shared["hinge1.Fz"].largest is not None
    wide = reactio.envelope(model, 0.1, rows=3, interval=True)["hinge1.Fz"]
    assert (wide.by, wide.largest) == ("interval", None)  # nothing limits what one hinge may pull against the other


def test_parts_have_intervals_that_hold_every_split() -> None:
    """Hinges that bear 500 N and 400 N m at most: what stiffnesses make of the load is one of the splits."""
    model = reactio.load("door", hinges=2, bushings=1)
    limited = replace(model, joints=tuple(replace(j, capacity={"force": 500.0, "moment": 400.0}) for j in model.joints))
    wide = reactio.envelope(limited, 0.02, rows=3, interval=True)
    shared = reactio.envelope(model, 0.02, rows=3, rule="compliance")
    assert wide.notes == ()
    for part in ("radial", "axial", "bending"):
        found, one = wide[f"hinge1.{part}"], shared[f"hinge1.{part}"]
        assert found.by == "interval"
        assert found.least is not None
        assert found.largest is not None
        assert one.least is not None
        assert one.largest is not None
        assert found.least - 1e-6 <= one.least <= one.largest <= found.largest + 1e-6
        assert found.largest <= (400.0 if part == "bending" else 500.0) * 2**0.5 + 1e-3  # each component by itself
    sliding = wide["hinge1.axial"]
    assert sliding.largest == pytest.approx(500.0, rel=0.05)  # one hinge may bear nearly all it can


def test_a_life_whose_load_is_open_is_open() -> None:
    door = reactio.load("door", hinges=2)
    joints = tuple(replace(joint, bearing={"C": 1e4}) for joint in door.joints)
    found = reactio.envelope(replace(door, joints=joints), 0.05, rows=3)
    assert [life.by for life in found.lives] == ["open", "open"]
    assert found.lives[0].millions is None


def test_bearings_are_written_and_read_back() -> None:
    model = rotor()
    assert parse_model(to_yaml(model)).joint("axle").bearing == model.joint("axle").bearing


@pytest.mark.parametrize(
    ("bearing", "words"), [("{p: 3}", "needs C"), ("{C: -1}", "must be positive"), ("{C: 1, q: 2}", "q")]
)
def test_bad_bearings_are_refused(bearing: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        reactio.build(rotor(bearing))


def test_an_envelope_needs_a_motion() -> None:
    with pytest.raises(ReactioError, match="give its end time"):
        reactio.envelope(rotor())


def test_rounding_counts_as_zero() -> None:
    """The sides of the guide of a slider-crank bear no moment: what is left of it in rounding is shown as 0."""
    found = reactio.envelope(reactio.load("slider-crank"), 0.02, rows=9)
    for name in ("D.Mz", "D.Fx", "C.Mz"):
        assert (found[name].least, found[name].largest, found[name].cubic) == (0.0, 0.0, 0.0)


def test_loads_that_are_all_zero_change_by_nothing_that_is_known() -> None:
    """A robot at rest on level ground in its plane: its loads are zero but for rounding, which has no largest part."""
    found = reactio.envelope(reactio.load("mobile-robot"), 0.02, rows=5)
    assert {load.largest for load in found.loads} == {0.0, None}
    assert found.change is None


def test_where_all_loads_are_open_no_change_with_fewer_instants_is_stated() -> None:
    """Of Bennett's linkage no component of any hinge is unique."""
    found = reactio.envelope(reactio.load("bennett"), 0.1, rows=5)
    assert all(load.largest is None or load.largest == 0.0 for load in found.loads)
    assert found.change is None


def test_a_rod_has_its_tension_alone() -> None:
    """A weight on two equal rods 60° off the vertical, at rest: m g in each, as in the tables of reactions."""
    height, wide = 0.5, 0.5 * np.sqrt(3.0)
    model = parse_model(f"""
space: planar
bodies: {{w: {{mass: 2, inertia: 1, position: [0, {-height}]}}}}
joints:
  left: {{type: distance, a: {{body: ground, point: [{-wide}, 0]}}, b: w}}
  right: {{type: distance, a: {{body: ground, point: [{wide}, 0]}}, b: w}}
gravity: [0, -9.81]
""")
    loads = reactio.envelope(model, until=0.1, rows=5)
    assert [(load.joint, load.part) for load in loads.loads] == [("left", "N"), ("right", "N")]
    assert [load.largest for load in loads.loads] == pytest.approx([2 * 9.81] * 2, rel=1e-9)  # of a run at rest
    world = reactio.envelope(model, until=0.1, rows=5, axes="world")
    assert [load.part for load in world.loads] == ["Fx", "Fy", "Mz"] * 2
    (idle, *_) = reactio.envelope(replace(model, gravity=(0.0, 0.0)), until=0.1, rows=5).loads
    assert (str(idle.least), str(idle.largest)) == ("0.0", "0.0")
