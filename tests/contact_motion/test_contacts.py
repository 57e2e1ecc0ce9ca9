"""Contacts of a model: closed and open, unique by signs, split with signs, lost, and wrong in a file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.design.envelope import envelope
from reactio.errors import ReactioError
from reactio.forward_dynamics.contact import contact_accelerations
from reactio.linear.convex.pushing import least_pushing
from reactio.model.files.write import to_yaml
from reactio.reaction_bounds.with_contacts import bounds_with_contacts
from tests.sharing.test_gaps import PALLET

# Weight 1 N over (0.6, 0.6), corners (1, 1), (−1, 1), (−1, −1), (1, −1).
BOX = {"cx": 0.6, "cy": 0.6, "mass": 1 / 9.81}
BALLS = """
space: planar
gravity: [0, -10]
bodies:
  low: {mass: 1, inertia: 1, position: [0, 1]}
  top: {mass: 2, inertia: 1, position: [0, 3]}
  far: {mass: 2, inertia: 1, position: [9, 3]}
contacts:
  floor: {type: disc-on-line, line: ground, centers: [low, far], radius: 1}
  pair: {type: disc-on-disc, other: low, center: top, radius: 1, other_radius: 1}
"""


def box(**parameters: float) -> reactio.Equations:
    return reactio.equations(reactio.build(reactio.load("box-on-plane", **parameters)))


def test_intervals_of_the_box() -> None:
    found = reactio.bounds(box(**BOX))
    ends = [(found[f"corner{k}"]["Fz"].low, found[f"corner{k}"]["Fz"].high) for k in (1, 2, 3, 4)]
    np.testing.assert_allclose(ends, [(0.6, 0.8), (0.0, 0.2), (0.0, 0.2), (0.0, 0.2)], atol=1e-12)
    held = set(found["corner1"]["Fz"].limited_by)  # above by corners 2 and 4 alike, of which one is enough
    assert "corner3" in held
    assert held & {"corner2", "corner4"}


def test_a_load_over_one_corner_is_unique_by_signs() -> None:
    found = reactio.bounds(box(cx=1.0, cy=1.0, mass=1 / 9.81))
    assert all(one["Fz"].unique and not one["Fz"].by_rank for one in found.values())
    assert found["corner1"]["Fz"].low == pytest.approx(1.0)


@pytest.mark.parametrize("rule", ["pseudoinverse", "null-space", "unit-rows"])
def test_minimum_norm_keeps_the_signs(rule: str) -> None:
    found = reactio.reactions(box(**BOX), rule)
    np.testing.assert_allclose([one.force[2] for one in found.values()], [0.6, 0.2, 0.0, 0.2], atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_smallest_push_against_bounded_least_squares(seed: int) -> None:
    """|y|² + 10¹² |A y − f|² with y ≥ 0, by SciPy: the same to the square root of what that weight leaves."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    A = np.vstack([np.ones(9), rng.uniform(-1, 1, (2, 9))])
    f, pushing = A @ (rng.uniform(0, 1, 9) ** 4), np.arange(9) < 7
    y = least_pushing(csr_array(A), f, pushing)
    np.testing.assert_allclose(A @ y, f, atol=1e-12)
    assert (y[pushing] >= 0.0).all()
    lower = np.where(pushing, 0.0, -np.inf)
    other = lsq_linear(
        np.vstack([np.eye(9), 1e6 * A]), np.concatenate([np.zeros(9), 1e6 * f]), (lower, np.inf), tol=1e-14
    )
    np.testing.assert_allclose(y, other.x, atol=1e-5)


def test_a_rule_without_signs_is_refused_where_it_would_pull() -> None:
    with pytest.raises(ReactioError, match="can only push"):
        reactio.reactions(box(**BOX), "elimination:corner1")


def test_a_box_that_tips_is_refused_with_its_motion() -> None:
    """Weight 0.5 m beyond the edge x = 1: it turns about that edge, falls, and corners 2 and 3 open."""
    for asked in (reactio.bounds, reactio.reactions):
        with pytest.raises(ReactioError, match=r"'box' along \(vz -0.5, ωy 1\).*Will open: corner2, corner3"):
            asked(box(cx=1.5))


def test_accelerations_of_a_box_that_tips() -> None:
    """By hand about the edge x = 1: α (J + m r²) = m g · 0.5, with the centre 0.5 m beyond and as high as 0.5 m."""
    found = contact_accelerations(box(cx=1.5))
    J = 1 / 3 + 1 / 12
    turn = 0.5 * 9.81 / (J + 0.5**2 + 0.5**2)
    free = 0.5 * 9.81 / (J + 0.5**2)  # nothing holds it along x: the height has no part
    assert found.opens == ("corner2", "corner3")
    assert found.vdot[4] == pytest.approx(free)
    assert found.vdot[4] > turn
    assert contact_accelerations(box(cx=0.5)).opens == ()


def test_closed_and_open_contacts_of_discs() -> None:
    """Discs on each other press with 20 N, on the floor with 30 N; the third floats above it."""
    system = reactio.build(reactio.parse_model(BALLS))
    assert [group.name for group in system.groups] == ["floor1", "pair"]
    found = reactio.reactions(reactio.equations(system))
    assert found["floor1"].force[1] == pytest.approx(30.0)
    assert found["pair"].force[1] == pytest.approx(20.0)


def test_text_of_contacts_is_read_as_it_was_written() -> None:
    model = reactio.parse_model(BALLS)
    assert reactio.parse_model(to_yaml(model)).contacts == model.contacts


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("line: ground", "line: {body: ground, normal: [0, 0]}", "no direction"),
        ("radius: 1}", "radius: 1, friction: -0.1}", "must not be negative"),
        ("radius: 1}", "radius: 1, restitution: 2}", "from 0 to 1"),
        ("radius: 1}", "radius: 1, adhesion: 2}", "only push"),
        ("radius: 1}", "radius: 1.25}", "0.25 m deep"),
        ("disc-on-line", "disc-on-lime", "Did you mean"),
        ("centers: [low, far]", "centers: [low, fat]", "Did you mean"),
        ("other: low", "other: top", "touches itself"),
    ],
)
def test_wrong_contacts(old: str, new: str, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        reactio.build(reactio.parse_model(BALLS.replace(old, new, 1)))


def test_friction_of_a_gripper_bears_its_weight() -> None:
    """Each of three fingers presses with its grip of 20 N and bears a third of the weight, which is unique."""
    found = reactio.reactions(reactio.equations(reactio.build(reactio.load("gripper"))))
    for k in (1, 2, 3):
        assert found[f"tip{k}"].unique
        assert found[f"tip{k}"].force_in_joint[2] == pytest.approx(20.0)
        assert found[f"tip{k}"].force[2] == pytest.approx(-0.5 * 9.81 / 3)


def test_a_gripper_without_enough_friction_is_told() -> None:
    """A third of 4.905 N under 20 N needs μ = 0.08175."""
    reactio.reactions(reactio.equations(reactio.build(reactio.load("gripper", friction=0.082))))
    with pytest.raises(ReactioError, match=r"does not stick.*1\.635 N"):
        reactio.reactions(reactio.equations(reactio.build(reactio.load("gripper", friction=0.081))))


@pytest.mark.parametrize("rule", ["inertia", "pseudoinverse", "null-space"])
def test_rules_keep_the_signs_of_contacts_with_friction(rule: str) -> None:
    found = reactio.reactions(reactio.equations(reactio.build(reactio.load("gripper", fingers=4))), rule)
    assert not found["tip1"].unique
    assert sum(found[f"tip{k}"].force[2] for k in (1, 2, 3, 4)) == pytest.approx(-0.5 * 9.81)


def test_contacts_with_friction_that_slip_have_no_reactions_of_rest() -> None:
    text = BALLS.replace("radius: 1}", "radius: 1, friction: 0.3}", 1).replace(
        "position: [0, 1]}", "position: [0, 1], velocity: [1, 0]}"
    )
    with pytest.raises(ReactioError, match="slips, at 1 m/s"):
        reactio.build(reactio.parse_model(text))


DISC = """
space: spatial
gravity: [0, 0, -10]
bodies:
  wheel: {mass: 2, inertia: [1, 1, 2], position: [0, 0, 0.5], orientation: {axis: [1, 0, 0], angle: pi/2}}
contacts:
  rim: {type: cylinder-on-plane, plane: ground, center: wheel, radius: 0.5, length: 0.4}
"""


def test_a_cylinder_rests_on_two_rims() -> None:
    """Its axis lies along y; the weight of 20 N stands on both ends alike."""
    model = reactio.parse_model(DISC)
    found = reactio.reactions(reactio.equations(reactio.build(model)))
    assert list(found) == ["rim1", "rim2"]
    assert [found[name].force[2] for name in found] == pytest.approx([10.0, 10.0])
    assert reactio.parse_model(to_yaml(model)).contacts == model.contacts


def test_commands_name_the_open_contacts(tmp_path: Path) -> None:
    """The third disc floats 2 m above the floor."""
    file = tmp_path / "balls.yaml"
    file.write_text(BALLS, encoding="utf-8")
    for command in ("check", "reactions", "bounds"):
        done = CliRunner().invoke(app, [command, str(file)])
        assert done.exit_code == 0, done.output
        assert "floor2 (gap 2 m)" in " ".join(done.output.split())
    for command in ("check", "bounds"):
        data = json.loads(CliRunner().invoke(app, [command, str(file), "--json"]).output)
        assert data["open_contacts"] == {"floor2": pytest.approx(2.0)}


@pytest.mark.parametrize("command", ["check", "reactions", "bounds"])
def test_a_body_that_touches_nothing_is_told_so(command: str, tmp_path: Path) -> None:
    file = tmp_path / "ball.yaml"
    file.write_text(
        "space: planar\nbodies: {ball: {mass: 1, inertia: 1, position: [0, 3]}}\n"
        "contacts: {floor: {type: disc-on-line, line: ground, center: ball, radius: 1}}\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, [command, str(file)])
    assert "No contact of" in str(done.exception)
    assert "floor (gap 2 m)" in str(done.exception)


def test_simulate_tells_events_energy_and_overlap(tmp_path: Path) -> None:
    file = tmp_path / "slide.yaml"
    file.write_text(BALLS.replace("centers: [low, far]", "centers: [low, far], friction: 0.2"), encoding="utf-8")
    done = CliRunner().invoke(app, ["simulate", str(file), "--until", "0.1"])
    assert "--method moreau" in str(done.exception)
    command = ["simulate", str(file), "--until", "0.02", "--method", "moreau", "--step", "0.005"]
    data = json.loads(CliRunner().invoke(app, [*command, "--json"]).output)
    assert data["method"] == "moreau"
    assert data["rule"] == "minimum norm"
    assert data["contacts"]["closed"] == ["floor1", "pair"]
    assert data["contacts"]["energy"]["largest_growth"] < 1e-12
    words = " ".join(CliRunner().invoke(app, command).output.split())
    assert "deepest overlap" in words
    assert "Momentum at the end" in words


def test_commands_on_a_motion_say_that_contacts_which_yield_are_forces() -> None:
    beam = reactio.parse_model(PALLET)
    told = "a, b, c yield, and a contact that yields is a force there, not a reaction. `reactio simulate` gives"
    with pytest.raises(ReactioError, match=told):
        envelope(beam, 0.1)
    with pytest.raises(ReactioError, match=told):
        list(bounds_with_contacts(beam, [0.0, 0.1]))
