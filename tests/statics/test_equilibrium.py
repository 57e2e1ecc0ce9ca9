"""Poses of rest against closed forms: pendulum, hanging spring, snap-through."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.arrays import Floats
from reactio.cli.app import app
from reactio.kinematics.assemble import closed_pose
from reactio.simulation.energy import energy
from reactio.statics.equilibrium import equilibria, equilibrium
from reactio.statics.equilibrium_pose import NoEquilibrium
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import System

from ..shared_models import TAUT_BARS, beam_on_three_supports

PENDULUM = """
space: planar
gravity: [0, -9.81]
bodies: {{rod: {{mass: 2, inertia: 0.1, position: [{x}, {y}], angle: {angle}}}}}
joints: {{A: {{type: revolute, a: ground, b: {{body: rod, point: [-0.5, 0]}}}}}}
forces: {{side: {{type: force, at: rod, force: [{side}, 0]}}}}
"""


def pendulum(angle: float, side: float = 0.0) -> reactio.Model:
    return reactio.parse_model(
        PENDULUM.format(x=0.5 * math.cos(angle), y=0.5 * math.sin(angle), angle=angle, side=side)
    )


@pytest.mark.parametrize("side", [0.0, 10.0])
def test_a_pendulum_hangs_along_its_load(side: float) -> None:
    rest = equilibrium(pendulum(0.3, side))
    angle = math.atan2(-2 * 9.81, side)
    x, y = rest.state.q[:2]
    assert (x, y) == pytest.approx((0.5 * math.cos(angle), 0.5 * math.sin(angle)), abs=1e-8)
    assert rest.stability == "stable"
    # Stiffness along the unit freedom (arc of the centre and rotation together): m g' l / (l² + 1) in these units.
    assert rest.stiffness[0] > 0


def test_on_its_head_it_is_unstable() -> None:
    rest = equilibrium(pendulum(math.pi / 2))
    assert rest.state.q[1] == pytest.approx(0.5)
    assert rest.stability == "unstable"


def test_from_several_starts_both_ends_of_a_bistable_frame_are_found() -> None:
    """A bar on two hinged springs: flat is unstable, two poses snap to either side."""
    text = """
space: planar
bodies: {block: {mass: 1, inertia: 0.1, position: [0, 0.05]}}
joints: {A: {type: translational, a: {body: ground, axis: [0, 1]}, b: {body: block, axis: [0, 1]}}}
forces:
  left: {type: spring, a: {body: ground, point: [-1, 0]}, b: block, stiffness: 1000, length: 1.1}
  right: {type: spring, a: {body: ground, point: [1, 0]}, b: block, stiffness: 1000, length: 1.1}
"""
    found = equilibria(reactio.parse_model(text), 12)
    heights = sorted(float(rest.state.q[1]) for rest in found if rest.stability == "stable")
    assert heights == pytest.approx([-math.sqrt(0.21), math.sqrt(0.21)], abs=1e-7)


def test_nothing_holds_what_falls() -> None:
    model = reactio.parse_model("space: planar\ngravity: [0, -9.81]\nbodies: {stone: {mass: 1, inertia: 1}}\n")
    with pytest.raises(NoEquilibrium, match="No equilibrium"):
        equilibrium(model)


def test_reactions_at_rest_carry_the_weight() -> None:
    rest = equilibrium(pendulum(-0.4))
    found = reactio.reactions(rest.eqs)
    assert found["A"].force == pytest.approx([0.0, 2 * 9.81], abs=1e-7)
    assert np.isfinite(rest.residual)


def test_forces_on_one_body_that_cancel_leave_it_at_rest() -> None:
    """A weight on a spring: Q itself is zero at rest, where y = 1 − (0.8 + m g/k); its loads are not."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {b: {mass: 3, inertia: 0.1, position: [0, Y]}}
joints: {A: {type: translational, a: {body: ground, axis: [0, 1]}, b: {body: b, axis: [0, 1]}}}
forces: {s: {type: spring, a: {body: ground, point: [0, 1]}, b: b, stiffness: 500, length: 0.8}}
"""
    y = 0.2 - 3 * 9.81 / 500
    for start in (0.0, y):
        rest = equilibrium(reactio.parse_model(text.replace("Y", repr(start))))
        assert rest.state.q[1] == pytest.approx(y, abs=1e-12)
        assert rest.stiffness == pytest.approx([500 * rest.eqs.system.length**2], rel=1e-8)
        assert rest.residual < 1e-10


@pytest.mark.parametrize(("k", "word"), [(4.904, "unstable"), (4.906, "stable")])
def test_a_spring_holds_a_pendulum_on_its_head_if_it_is_stiffer_than_the_weight(k: float, word: str) -> None:
    """m g l = 4.905 N m."""
    text = f"""
space: planar
gravity: [0, -9.81]
bodies: {{rod: {{mass: 1, inertia: 0.1, position: [0, 0.5]}}}}
joints: {{A: {{type: revolute, bodies: [ground, rod], at: [0, 0]}}}}
forces: {{s: {{type: torsional-spring-damper, joint: A, stiffness: {k}}}}}
"""
    assert equilibrium(reactio.parse_model(text)).stability == word


STIFF = """
space: planar
gravity: [0, -9.81]
bodies:
  base: {mass: 1, inertia: 0.1}
  rod: {mass: 1, inertia: 0.1, position: [0.4, -0.3]}
joints: {A: {type: revolute, bodies: [base, rod], at: [0, 0]}}
forces: {b: {type: bushing, a: ground, b: base, stiffness: [[1e9, 0, 0], [0, 1e9, 0], [0, 0, 1e9]]}}
"""


def test_a_pendulum_on_a_stiff_mount_hangs() -> None:
    """Stiffness along the unit freedom m g l/(1 + l²)/…: nine orders below that of the mount, and still seen."""
    rest = equilibrium(reactio.parse_model(STIFF))
    assert rest.stability == "stable"
    assert rest.state.q[3:5] == pytest.approx([0.0, -0.5 - 2 * 9.81 / 1e9], abs=1e-9)


CRITICAL = 3.5 - 2**0.5


@pytest.mark.parametrize(
    ("P", "damping", "word"),
    [
        (2.05, 0.0, "stable"),
        (2.08, 0.0, "stable"),
        (2.09, 0.0, "unstable"),
        (CRITICAL * (1 - 1e-5), 0.0, "stable"),
        (CRITICAL, 0.0, "undecided"),
        (CRITICAL * (1 + 1e-5), 0.0, "unstable"),
        (41 / 28 + 0.5e-4 - 1e-4, 0.01, "stable"),
        (41 / 28 + 0.5e-4 + 1e-4, 0.01, "unstable"),
    ],
)
def test_a_follower_force_makes_a_double_pendulum_flutter(P: float, damping: float, word: str) -> None:
    """Ziegler 1952, Ing.-Arch. 20: P = (7/2 − √2) c/l = 2.0858 without damping; K + Kᵀ is indefinite from P = 2 on.

    With damping b in both joints P = 41/28 c/l + b²/(2 m l³): beyond it growth rates start from zero.
    """
    text = f"""
space: planar
bodies:
  one: {{mass: 2, inertia: 1e-9, position: [1, 0]}}
  two: {{mass: 1, inertia: 1e-9, position: [2, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, one], at: [0, 0]}}
  B: {{type: revolute, bodies: [one, two], at: [1, 0]}}
forces:
  a: {{type: torsional-spring-damper, joint: A, stiffness: 1, damping: {damping}}}
  b: {{type: torsional-spring-damper, joint: B, stiffness: 1, damping: {damping}}}
  f: {{type: force, at: two, force: [{-P}, 0], axes: body}}
"""
    rest = equilibrium(reactio.parse_model(text))
    assert rest.stability == word
    assert "no potential" in rest.judged.why


def test_both_ends_of_a_pendulum_are_two_poses() -> None:
    """Its only frame, at the hinge, is in the same place in both."""
    found = equilibria(pendulum(math.pi / 2), 5)
    assert [rest.stability for rest in found] == ["stable", "unstable"]


def test_a_pose_where_rods_are_in_line_is_not_judged() -> None:
    """Two rods between two supports as far apart as they are long: of first order they move, in truth they do not."""
    rest = equilibrium(reactio.parse_model(TAUT_BARS.format(g=0)))
    assert rest.stability == "undecided"
    assert "singular" in rest.judged.why


def test_reactions_at_rest_know_no_acceleration_of_drives() -> None:
    """The cart is driven with 6 m/s², and held where it starts: the bob hangs, and the drive carries nothing."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {cart: {mass: 1, inertia: 0.1}, bob: {mass: 1, inertia: 0.01, position: [0, -1]}}
joints:
  s: {type: translational, a: {body: ground, axis: [1, 0]}, b: {body: cart, axis: [1, 0]}}
  h: {type: revolute, bodies: [cart, bob], at: [0, 0]}
drives: {d: {joint: s, function: {polynomial: [0, 0, 3]}}}
"""
    model = reactio.parse_model(text)
    assert reactio.reactions(equilibrium(model).eqs)["d"].force == pytest.approx([0.0], abs=1e-12)
    assert equilibrium(model, t=0.5).state.q[0] == pytest.approx(0.75)


FOUR_BAR = """
space: SPACE
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
  b: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 1]}
  c: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0.5]}
  d: {mass: 0.5, inertia: [0.1, 0.1, 0.01], position: [0.25, 0.5, 1]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, bodies: [a, b], at: [0, 0, 1], axis: [0, 1, 0]}
  C: {type: revolute, bodies: [b, c], at: [1, 0, 1], axis: [0, 1, 0]}
  D: {type: revolute, bodies: [ground, c], at: [1, 0, 0], axis: [0, 1, 0]}
  E: {type: spherical, bodies: [b, d], at: [0.25, 0, 1]}
forces:
  s: {type: spring, a: {body: ground, point: [2, 1, 2]}, b: b, stiffness: 30, length: 0.5}
  t: {type: spring, a: {body: ground, point: [0, 2, 0]}, b: d, stiffness: 10, length: 0.5}
"""


def potential(system: System, q: Floats) -> float:
    return energy(system, 0.0, q, np.zeros(system.n), np.zeros(system.m)).potential


def test_stiffness_is_the_second_difference_of_the_potential_on_closed_poses() -> None:
    """V(q(h)) + V(q(−h)) − 2 V(q) = h² xᵀKx on a spatial four-bar, overconstrained, with a free arm and two springs."""
    rest = equilibrium(reactio.parse_model(FOUR_BAR.replace("SPACE", "spatial")))
    system, q, h = rest.eqs.system, rest.state.q, 1e-3
    assert rest.eqs.solvability.redundancy == 3
    K = (rest.tangent_stiffness.K + rest.tangent_stiffness.K.T) / 2
    for x in np.random.default_rng(2).standard_normal((6, len(K))):
        x = x / np.linalg.norm(x)
        ends = [closed_pose(system, 0.0, advance(system, q, s * h * rest.freedoms.T @ x)) for s in (1.0, -1.0)]
        second = (potential(system, ends[0]) + potential(system, ends[1]) - 2 * potential(system, q)) / h**2
        assert second == pytest.approx(x @ K @ x, abs=1e-4 * np.abs(K).max())  # h² times fourth derivatives
    assert rest.stability == "stable"


def test_bodies_that_bend_rest_as_the_split_by_compliance_says() -> None:
    """A beam on three supports with its modes: the pose of rest of level 3 is level 1, but for rotations of 1e-3."""
    model = reactio.parse_model(beam_on_three_supports(2.1e9, "modes: 3\n      damping: 0"))
    bent = reactio.reactions(equilibrium(model).eqs)
    level1 = reactio.reactions(reactio.equations(reactio.build(model, vibration=False)), "compliance")
    for name in ("left", "middle", "right"):
        assert bent[name].force == pytest.approx(level1[name].force, abs=1e-5 * 15.3)


BALL = """
space: planar
gravity: [0, -9.81]
bodies: {{ball: {{mass: 1, inertia: 0.1, position: [{x}, {y}]}}}}
{forces}
contacts:
  left: {{type: disc-on-line, line: {{body: ground, normal: [0.6, 0.8]}}, center: ball, radius: 0.5}}
  right: {{type: disc-on-line, line: {{body: ground, normal: [-0.6, 0.8]}}, center: ball, radius: 0.5}}
"""


def test_a_ball_comes_to_rest_in_a_groove() -> None:
    rest = equilibrium(reactio.parse_model(BALL.format(x=0.2, y=1.5, forces="")))
    assert rest.state.q[:2] == pytest.approx([0.0, 0.5 / 0.8], abs=1e-9)
    assert rest.touching == ("left", "right")
    found = reactio.reactions(rest.eqs)
    assert found["left"].force == pytest.approx([9.81 / 2 * 0.75, 9.81 / 2], abs=1e-7)


def test_contacts_that_would_pull_open() -> None:
    """A spring lifts the ball out of the groove, though it starts with both contacts closed."""
    spring = "forces: {s: {type: spring, a: {body: ground, point: [0, 2]}, b: ball, stiffness: 500, length: 0.8}}"
    rest = equilibrium(reactio.parse_model(BALL.format(x=0, y=0.625, forces=spring)))
    assert rest.touching == ()
    assert rest.state.q[1] == pytest.approx(1.2 - 9.81 / 500, abs=1e-9)
    assert rest.stability == "stable"
    assert rest.judged.idle == ("ball",)


def test_every_pose_of_rest_of_a_double_pendulum_is_found() -> None:
    """Both rods hang or stand: four poses, of which only that with both hanging is stable."""
    found = equilibria(
        reactio.parse_model("""
space: planar
gravity: [0, -9.81]
bodies: {upper: {mass: 1, inertia: 0.01, position: [0.5, 0]}, lower: {mass: 1, inertia: 0.01, position: [1.5, 0]}}
joints:
  A: {type: revolute, bodies: [ground, upper], at: [0, 0]}
  B: {type: revolute, bodies: [upper, lower], at: [1, 0]}
"""),
        20,
    )
    heights = {tuple(np.round(rest.state.q[[1, 4]], 6).tolist()): rest.stability for rest in found}
    assert heights == {
        (-0.5, -1.5): "stable", (0.5, 0.5): "unstable", (-0.5, -0.5): "unstable", (0.5, 1.5): "unstable",
    }  # fmt: skip
    assert found[0].stability == "stable"


ON_SPRINGS = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  table:
    mass: 20
    inertia: [1, 1, 2]
    position: [0, 0, 0.75]
    orientation: {{axis: [0, 0, 1], angle: {angle}}}
    center: [0.1, 0.05, 0]
    points: {{a: [-0.5, -0.4, 0], b: [0.5, -0.4, 0], c: [0, 0.4, 0]}}
contacts:
  feet: {{type: point-on-plane, plane: {{body: ground, point: [0, 0, 0.7]}}, points: [table.a, table.b, table.c],
         stiffness: 1e4}}
"""


@pytest.mark.parametrize("angle", [0.0, 0.5])
def test_a_table_on_springs_keeps_to_its_place_where_nothing_holds_it(angle: float) -> None:
    """Shifts and a turn about the vertical meet no stiffness: of all poses of rest the nearest has none of them."""
    rest = equilibrium(reactio.parse_model(ON_SPRINGS.format(angle=angle)))
    assert rest.stability == "neutral"
    assert rest.judged.why.endswith("this is the pose of rest nearest to the start.")
    x, y, z, *quaternion = rest.state.q[:7]
    assert (x, y) == pytest.approx((0, 0), abs=1e-9)
    sunk = np.array([[1, -0.5, -0.4], [1, 0.5, -0.4], [1, 0, 0.4]])  # of each foot by z and the two slopes
    a, b, c = np.linalg.solve(1e4 * sunk.T @ sunk, 20 * 9.81 * np.array([1, 0.1, 0.05]))
    assert z == pytest.approx(0.7 - a, abs=1e-6)  # of second order in slopes of 0.01
    turned = np.array(quaternion)
    start = np.array([math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)])
    turned_back = turned @ start  # cosine of half the whole turn: nothing but the tilt
    assert 2 * math.acos(turned_back) == pytest.approx(math.hypot(b, c), rel=1e-3)


def test_a_cart_with_a_swing_moves_as_little_as_it_can() -> None:
    text = """
space: planar
gravity: [0, -9.81]
bodies:
  cart: {mass: 20, inertia: 1, position: [3, 0]}
  bob: {mass: 5, inertia: 0.1, position: [3.6, -0.8]}
joints:
  rail: {type: translational, bodies: [ground, cart], at: [3, 0], axis: [1, 0]}
  pin: {type: revolute, bodies: [cart, bob], at: [3, 0]}
"""
    rest = equilibrium(reactio.parse_model(text))
    assert rest.stability == "neutral"
    cart, bob = (rest.state.q[k] for k in (0, 3))
    assert bob == pytest.approx(cart)
    assert cart == pytest.approx(3.3)  # (cart − 3)² + (bob − 3.6)² is least half-way


def test_springs_and_contacts_that_yield_are_listed_with_their_force(tmp_path: Path) -> None:
    """Each of two feet with stiffnesses 200 and 50 N/mm bears half of 40 kg."""
    file = tmp_path / "foot.yaml"
    file.write_text("""
space: planar
units: mm
gravity: [0, -9810]
bodies: {machine: {mass: 40, inertia: 1e6, points: {left: [-300, 0], right: [300, 0]}}}
contacts:
  left: {type: point-on-line, line: ground, point: machine.left, stiffness: 200}
  right: {type: point-on-line, line: ground, point: machine.right, stiffness: 50}
joints: {guide: {type: revolute-translational, bodies: [ground, machine], at: [0, 0], axis: [0, 1]}}
""")
    printed = CliRunner().invoke(app, ["equilibrium", str(file)]).output
    assert re.search(r"left +-196\.2\b", printed)
    assert re.search(r"right +-196\.2\b", printed)
    [pose] = json.loads(CliRunner().invoke(app, ["equilibrium", str(file), "--json"]).stdout)["poses"]
    assert pose["springs"]["left"]["N"] == pytest.approx(-196.2, rel=1e-6)
