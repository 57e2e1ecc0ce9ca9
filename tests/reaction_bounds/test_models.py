"""Bounds of the joints of a model: by hand, within capacities, on the command line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.reaction_bounds.over_run import bounds_envelope

# The table of the library, by hand: with F1 = s its legs bear s, 171.36 − s, s − 32.5 and 178.86 − s.
LEGS = {"leg1": (1, 0.0), "leg2": (-1, 171.36), "leg3": (1, -32.5), "leg4": (-1, 178.86)}


def test_nothing_limits_a_table_that_is_glued_to_the_floor() -> None:
    found = reactio.bounds(reactio.load("table"))
    assert found["leg1"]["Fz"].low == -np.inf
    assert found["leg1"]["Fz"].high == np.inf
    assert "self-stress" in found["leg1"]["Fz"].why
    assert found.feasible
    assert found.load_factor == np.inf


def test_capacities_limit_every_leg() -> None:
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.load("table"), capacity={leg: {"force": 120.0} for leg in LEGS})
    s = {leg: sorted((sign * (end - offset)) for end in (-120.0, 120.0)) for leg, (sign, offset) in LEGS.items()}
    low, high = max(one[0] for one in s.values()), min(one[1] for one in s.values())
    for leg, (sign, offset) in LEGS.items():
        ends = sorted((sign * low + offset, sign * high + offset))
        one = found[leg]["Fz"]
        assert [one.low, one.high] == pytest.approx(ends, rel=1e-7)  # an interior point comes to 1e-8 of an end
    # The largest load shares what legs 1 and 4 bear together: 2 · 120 N of 178.86 N.
    assert found.load_factor == pytest.approx(240 / 178.86, rel=1e-7)
    assert found.critical == ("leg1", "leg4")
    assert found.every_split_safe is False


def test_capacities_that_no_split_keeps() -> None:
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.load("table"), capacity={leg: {"force": 80.0} for leg in LEGS})
    assert not found.feasible
    assert found.load_factor == pytest.approx(160 / 178.86, rel=1e-7)
    assert "enlarge all capacities by 11.79 %" in found.notes[0]


def test_capacity_of_the_model_file_and_its_errors() -> None:
    text = to_yaml(reactio.load("table"))
    kind = "type: point-on-plane"
    model = reactio.parse_model(text.replace(f"leg1:\n    {kind}", f"leg1:\n    capacity: {{force: 120}}\n    {kind}"))
    if not model.joint("leg1").capacity:
        pytest.fail("the text of the model changed its form")
    assert reactio.parse_model(to_yaml(model)).joint("leg1").capacity == {"force": 120.0}
    with pytest.raises(ReactioError, match="positive"):
        reactio.bounds(model, capacity={"leg2": {"force": -1.0}})
    with pytest.raises(ReactioError, match="Did you mean"):
        reactio.bounds(model, capacity={"leg9": {"force": 1.0}})


def test_contract_on_the_command_line() -> None:
    done = CliRunner().invoke(app, ["bounds", "double-four-bar", "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert {"schema", "model", "t", "bounds", "feasible", "load_factor", "critical"} <= set(data)
    one = data["bounds"]["A"]["Fx"]
    assert {"low", "high", "unique", "limited_by"} <= set(one)
    assert data["load_factor"] is None


def test_unique_components_are_the_reactions() -> None:
    eqs = reactio.equations(reactio.build(reactio.load("mobile-robot")))
    found, known = reactio.bounds(eqs), reactio.reactions(eqs)
    for name in known:
        one = known[name]
        for label, bound in found[name].items():
            if bound.unique and label in ("Fx", "Fy"):
                value = one.force_in_joint["xy".index(label[1])]
                assert bound.low == pytest.approx(value, abs=1e-9)


WALLS = """
reactio: 1
name: block between walls
space: spatial
gravity: [0, 0, -9.81]
bodies: {block: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}}
contacts:
  left: {type: point-on-plane, plane: {body: ground, point: [-0.1, 0, 0], normal: [1, 0, 0]},
         point: {body: block, point: [-0.1, 0, 0]}, friction: FRICTION}
  right: {type: point-on-plane, plane: {body: ground, point: [0.1, 0, 0], normal: [-1, 0, 0]},
          point: {body: block, point: [0.1, 0, 0]}, friction: FRICTION}
"""


def test_friction_holds_a_block_between_walls() -> None:
    """By hand: each wall bears half of the weight by friction, so that it is pressed with W/(2μ) or more."""
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.parse_model(WALLS.replace("FRICTION", "0.4")))
    for name in ("left", "right"):
        one = found[name]["Fz"]
        assert one.low == pytest.approx(2 * 9.81 / (2 * 0.4), rel=1e-6)
        assert one.high == np.inf
        assert not one.unique
        assert f"friction of {name}" in one.limited_by
        across = [found[name][label] for label in ("Fx", "Fy")]
        assert sum(b.low**2 for b in across) == pytest.approx(9.81**2, rel=1e-6)


def test_a_grip_that_is_known_settles_what_friction_leaves_open() -> None:
    pytest.importorskip("clarabel")
    model = reactio.parse_model(WALLS.replace("FRICTION", "0.4"))
    found = reactio.bounds(model, known={"left.Fz": (30.0, 40.0)})
    assert found["right"]["Fz"].low == pytest.approx(30.0, rel=1e-6)
    assert found["right"]["Fz"].high == pytest.approx(40.0, rel=1e-6)
    with pytest.raises(ReactioError, match="satisfies the known ranges"):
        reactio.bounds(model, known={"left.Fz": (10.0, 20.0)})  # 24.5 N are needed
    with pytest.raises(ReactioError, match="no Mz"):
        reactio.bounds(model, known={"left.Mz": (1.0, 2.0)})
    with pytest.raises(ReactioError, match="not a range"):
        reactio.bounds(model, known={"left.Fz": (3.0, 2.0)})


def test_safety_is_judged_over_the_splits_that_friction_and_known_ranges_allow() -> None:
    """Pressed with 30 to 40 N, each wall bears √(40² + 9.81²) = 41.2 N at most; 24.5 N are needed at least."""
    pytest.importorskip("clarabel")
    model = reactio.parse_model(WALLS.replace("FRICTION", "0.4"))
    grip = {"left.Fz": (30.0, 40.0)}
    assert reactio.bounds(model, known=grip, capacity={"all": {"force": 42.0}}).every_split_safe is True
    assert reactio.bounds(model, known=grip, capacity={"all": {"force": 39.0}}).every_split_safe is False
    weak = reactio.bounds(model, capacity={"all": {"force": 20.0}})
    assert not weak.feasible
    assert weak["left"]["Fz"].low == pytest.approx(24.525, rel=1e-6)  # without capacities, but with friction


@pytest.mark.parametrize("part", [1 - 1e-12, 1.0, 1 + 1e-12])
def test_a_box_at_the_angle_of_friction_is_held_whatever_rounding_does(part: float) -> None:
    """On a slope with μ = tan α every foot is at its limit, F_x = μ F_z; a thousandth less does not hold."""
    pytest.importorskip("clarabel")
    tilt = np.radians(20)
    text = f"""
space: spatial
gravity: [{-9.81 * np.sin(tilt)}, 0, {-9.81 * np.cos(tilt)}]
bodies:
  box: {{mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.1],
        points: {{a: [0.3, 0.2, -0.1], b: [-0.3, 0.2, -0.1], c: [-0.3, -0.2, -0.1], d: [0.3, -0.2, -0.1]}}}}
contacts: {{foot: {{type: point-on-plane, plane: ground, points: [box.a, box.b, box.c, box.d], friction: FRICTION}}}}
"""
    held = reactio.bounds(reactio.parse_model(text.replace("FRICTION", str(part * np.tan(tilt)))))
    for one in held.values():
        assert one["Fx"].high == pytest.approx(np.tan(tilt) * one["Fz"].high, rel=1e-5)  # six digits at the limit
    with pytest.raises(ReactioError, match="friction cones"):
        reactio.bounds(reactio.parse_model(text.replace("FRICTION", str(0.999 * np.tan(tilt)))))


def test_bounds_along_a_motion_with_friction_are_refused() -> None:
    model = reactio.parse_model(WALLS.replace("FRICTION", "0.4"))
    for ask in (lambda: reactio.bounds(model, at=0.1), lambda: bounds_envelope(model, until=0.1)):
        with pytest.raises(ReactioError, match=r"'left' has friction.*Leave out the time"):
            ask()


def test_friction_on_one_side_only_lets_go() -> None:
    """A wall that rubs cannot be pressed where the other one is missing: the block falls, and it is said which way."""
    pytest.importorskip("clarabel")
    alone = WALLS.replace("FRICTION", "0.4").split("  right:")[0]
    with pytest.raises(ReactioError, match=r"friction cones of left hold this load: 'block' along .*vz -"):
        reactio.bounds(reactio.parse_model(alone))


def test_friction_in_the_plane_is_that_of_a_ladder() -> None:
    """A ladder of weight W at 60°, smooth wall: the wall pushes W/(2 tan 60°) = 0.289 W, friction needs μ ≥ 0.289."""
    pytest.importorskip("clarabel")
    text = """
reactio: 1
name: ladder
space: planar
gravity: [0, -10]
bodies: {ladder: {mass: 1, inertia: 1/3, position: [0.5, sin(pi/3)], angle: 2*pi/3}}
contacts:
  floor: {type: point-on-line, line: {body: ground, normal: [0, 1]}, point: {body: ladder, point: [-1, 0]},
          friction: MU}
  wall: {type: point-on-line, line: {body: ground, normal: [1, 0]}, point: {body: ladder, point: [1, 0]}}
"""
    found = reactio.bounds(reactio.parse_model(text.replace("MU", "0.3")))
    assert found["wall"]["Fy"].low == pytest.approx(10 / (2 * np.tan(np.pi / 3)), rel=1e-7)
    assert found["floor"]["Fy"].low == pytest.approx(10.0, rel=1e-7)
    with pytest.raises(ReactioError, match="'ladder' along"):
        reactio.bounds(reactio.parse_model(text.replace("MU", "0.28")))


def test_names_that_are_not_there_are_answered_in_words() -> None:
    found = reactio.bounds(reactio.load("box-on-plane"))
    assert "corner1" in found
    assert "corner9" not in found
    with pytest.raises(reactio.ReactioError, match="Did you mean 'corner1'"):
        found["corner11"]
    assert "Fq" not in found["corner1"]
    with pytest.raises(reactio.ReactioError, match=r"'corner1' has the components Fz, and no 'Fq'\."):
        found["corner1"]["Fq"]


def test_a_contact_that_is_open_says_so() -> None:
    """A box that is thrown up bears on none of its corners."""
    box = reactio.load("box-on-plane")
    body = replace(box.bodies[0], velocity=(0.0, 0.0, 5.0))
    found = reactio.bounds(replace(box, bodies=(body, *box.bodies[1:])), at=0.1)
    assert all(one["Fz"].why == "open: nothing touches there" for one in found.values())


def test_envelope_over_a_motion() -> None:
    system = reactio.build(reactio.load("four-bar-spatial"))
    found = bounds_envelope(system, until=0.2, samples=4)
    each = [reactio.bounds(system, at=t)["A"]["Fx"].low for t in found.times]
    assert found["A"]["Fx"].low == pytest.approx(min(each), abs=1e-6)
    assert found["A"]["Fx"].high == pytest.approx(max(each), abs=1e-6)
    assert found["A"]["Fx"].unique
    assert found["A"]["Fz"].high == np.inf
    with pytest.raises(ReactioError, match="no duration"):
        bounds_envelope(system, until=0.0)
    done = CliRunner().invoke(app, ["bounds", "four-bar-spatial", "--until", "0.1", "--samples", "2", "--json"])
    data = json.loads(done.output)
    assert data["bounds"]["A"]["Fz"]["high"] is None
    assert data["times"] == [0.0, 0.1]
    both = CliRunner().invoke(app, ["bounds", "four-bar-spatial", "--until", "0.1", "--at", "0.1"])
    assert isinstance(both.exception, ReactioError)


def test_check_says_unique_by_signs() -> None:
    """All of the weight over one corner: by rank nothing is unique, by signs everything."""
    done = CliRunner().invoke(app, ["check", "box-on-plane", "--set", "cx=1", "--set", "cy=1", "--json"])
    data = json.loads(done.output)
    assert data["by_signs"]["unique"] == ["corner1", "corner2", "corner3", "corner4"]
    assert {group["verdict"] for group in data["groups"]} == {"not unique"}
    words = CliRunner().invoke(app, ["check", "box-on-plane", "--set", "cx=1", "--set", "cy=1", "--strict"])
    assert words.exit_code == 0
    assert "Unique by signs, because some parts only push" in words.output
    open_ = CliRunner().invoke(app, ["check", "box-on-plane", "--set", "cx=0.6", "--set", "cy=0.6", "--strict"])
    assert open_.exit_code == 1
    assert "is between 5.886 and 7.848 N" in open_.output


def test_the_gripper_holds_by_friction_or_lets_go() -> None:
    """Three fingers at 20 N, an object of 4.905 N: each tip bears a third by friction, 1.635 N, so that μ ≥ 0.08175."""
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.load("gripper", friction=0.09))
    assert found["tip1"]["Fz"].low == pytest.approx(20.0)
    assert found["tip1"]["Fz"].unique
    with pytest.raises(ReactioError, match="friction cones of tip1, tip2, tip3"):
        reactio.bounds(reactio.build(reactio.load("gripper", friction=0.08)))


LIFT = """
space: planar
gravity: [0, -10]
bodies:
  lift: {mass: 5, inertia: 1, position: [0, 0]}
  load: {mass: 2, inertia: 1, position: [0, 0.5]}
joints: {guide: {type: translational, bodies: [ground, lift], at: [0, 0], axis: [0, 1]}}
drives: {motor: {joint: guide, function: {polynomial: [0, 0, 0, RATE]}}}
contacts:
  foot: {type: point-on-line, line: {body: lift, point: [0, 0.1], normal: [0, 1]},
         points: [{body: load, point: [-0.3, -0.4]}, {body: load, point: [0.3, -0.4]}]}
"""


def test_a_lift_that_starts_and_one_that_falls_away() -> None:
    """y = c t³ pushes each foot of 2 kg with (10 + 6 c t) N; from 6 c t = −10 on the lift falls away from its load."""
    up = reactio.parse_model(LIFT.replace("RATE", "1"))
    assert reactio.bounds(up, at=0.5)["foot1"]["Fy"].low == pytest.approx(13.0, abs=1e-6)
    found = bounds_envelope(up, until=0.5, samples=6)
    assert [found["foot2"]["Fy"].low, found["foot2"]["Fy"].high] == pytest.approx([10.0, 13.0], abs=1e-6)
    down = bounds_envelope(reactio.parse_model(LIFT.replace("RATE", "-5")), until=0.5, samples=6)
    assert [down["foot1"]["Fy"].low, down["foot1"]["Fy"].high] == pytest.approx([0.0, 10.0], abs=1e-6)
    assert down["motor"]["F"].low == pytest.approx(5 * (10 - 15), abs=1e-5)  # the lift alone


def test_loads_that_fall_behind_an_acceleration_do_positive_work() -> None:
    away = LIFT.replace("[0, 0, 0, RATE]", "[0, 0, -6]")  # 12 m/s² downwards
    with pytest.raises(ReactioError, match=r"positive work is done by .*, less the inertia of the motion \([0-9]"):
        reactio.bounds(reactio.parse_model(away))


def test_progress_counts_joints_and_contacts() -> None:
    told: list[tuple[int, int]] = []
    reactio.bounds(reactio.load("box-on-plane", cx=0.6, cy=0.6), on_progress=lambda *now: told.append(now))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def plate_on_balls(velocity: str, push: float = 0.0) -> reactio.Model:
    """A plate of weight 9.81 N with three half balls under it, of other radii, on three balls that stand in a row."""
    return reactio.parse_model(f"""
space: planar
gravity: [0, -9.81]
bodies: {{plate: {{mass: 1, inertia: 0.5, position: [0, 1], velocity: {velocity}}}}}
contacts:
  c1: {{type: disc-on-disc, other: {{body: ground, point: [-1, -0.5]}}, other_radius: 0.5,
       center: {{body: plate, point: [-1, -0.5]}}, radius: 0.5}}
  c2: {{type: disc-on-disc, other: {{body: ground, point: [0, -0.5]}}, other_radius: 0.5,
       center: {{body: plate, point: [0, -0.5]}}, radius: 0.5}}
  c3: {{type: disc-on-disc, other: {{body: ground, point: [1, -0.5]}}, other_radius: 0.5,
       center: {{body: plate, point: [1, 0]}}, radius: 1}}
forces: {{push: {{type: force, at: plate, force: [{push}, 0]}}}}
""")


def test_contacts_have_no_singular_poses() -> None:
    """Nearby the three would be independent, but pushed along they part; here they bear the weight as on a floor."""
    found = reactio.bounds(plate_on_balls("[0, 0]", push=3.0))  # x of a contact is its line of centres
    assert [one["Fx"].low for one in found.values()] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert [one["Fx"].high for one in found.values()] == pytest.approx([4.905, 9.81, 4.905], rel=1e-9)


def test_a_motion_that_opens_contacts_says_which() -> None:
    """Over balls of sums of radii 1, 1, 1.5 m the plate follows the first and the third: the second falls behind."""
    with pytest.raises(ReactioError, match="Will open: c2"):
        reactio.bounds(plate_on_balls("[0.5, 0]"))


def test_a_weight_that_is_lifted_but_for_rounding_loads_no_contact() -> None:
    """Three forces lift 0.3 kg · 9.81 m/s² with what is left of rounding, up or down."""
    for third in (0.9810000000000001, 0.981, 0.9809999999999999):
        model = reactio.parse_model(f"""
space: planar
gravity: [0, -9.81]
bodies: {{bar: {{mass: 0.3, inertia: 1, position: [0, 0]}}}}
contacts:
  foot: {{type: point-on-line, line: ground, points: [{{body: bar, point: [-1, 0]}}, {{body: bar, point: [1, 0]}}]}}
forces:
  a: {{type: force, at: bar, force: [0, 0.981]}}
  b: {{type: force, at: bar, force: [0, 0.981]}}
  c: {{type: force, at: bar, force: [0, {third}]}}
""")
        assert all(one["Fy"].high == 0.0 for one in reactio.bounds(model).values())


@pytest.mark.parametrize("beyond", [-1e-9, -1e-12, 0.0, 1e-12, 1e-9])
def test_a_weight_over_an_edge_is_unique_and_its_ends_do_not_cross(beyond: float) -> None:
    """Two corners bear 0.65 and 0.35 of it; beyond the edge by less than the linear programmes see, it is held too."""
    found = reactio.bounds(reactio.load("box-on-plane", cx=1 + beyond, cy=0.3, mass=1 / 9.81))
    for name, share in zip(found, (0.65, 0.0, 0.0, 0.35), strict=True):
        one = found[name]["Fz"]
        assert one.unique
        assert one.low <= one.high
        assert (one.low, one.high) == pytest.approx((share, share), abs=1e-8)


def test_redundant_joints_beside_contacts_make_no_singular_pose() -> None:
    """Two pins join two plates for good, and two feet stand on one vertical: the forces of this instant exist."""
    text = """
space: planar
gravity: [0, -10]
bodies:
  left: {mass: 1, inertia: 0.1, position: [-1, 0]}
  right: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  pin1: {type: revolute, bodies: [left, right], at: [0, 0.2]}
  pin2: {type: revolute, bodies: [left, right], at: [0, -0.2]}
contacts:
  upper: {type: point-on-line, line: {body: ground, point: [0, 0.5]}, point: {body: right, point: [0, 0.5]}}
  lower: {type: point-on-line, line: {body: ground, point: [0, -0.5]}, point: {body: right, point: [0, -0.5]}}
  foot: {type: point-on-line, line: {body: ground, point: [0, -0.5]}, point: {body: left, point: [0, -0.5]}}
"""
    model = reactio.parse_model(text)
    found = reactio.bounds(model)
    assert found["foot"]["Fy"].low == pytest.approx(10.0)
    assert [found["upper"]["Fy"].low, found["upper"]["Fy"].high] == pytest.approx([0.0, 10.0], abs=1e-9)
    split = reactio.reactions(reactio.equations(reactio.build(model)), "pseudoinverse")
    assert split["upper"].force[1] == pytest.approx(5.0)
    words = CliRunner().invoke(app, ["check", "box-on-plane", "--set", "cx=0.6"]).output
    assert "is between 0 and" in words
    assert "inf" not in words
