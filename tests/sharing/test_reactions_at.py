"""Reactions at an instant: numbers where the model gives them, nothing else unless a rule is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.at_state import reactions
from reactio.joint_reactions.compare import compare
from reactio.sharing import RULES, problem, share
from reactio.sharing.elimination import InadmissibleElimination, automatic, name_of
from reactio.simulation.state_at import state_at
from reactio.uniqueness import Verdict


@pytest.fixture(scope="module")
def turning() -> reactio.Equations:
    """The mobile robot while it turns."""
    system = reactio.build(reactio.load("mobile-robot"))
    return reactio.equations(system, state_at(system, 2.0))


def at_start(name: str, **parameters: float) -> reactio.Equations:
    system = reactio.build(reactio.load(name, **parameters))
    return reactio.equations(system, reactio.assemble(system))


def test_only_unique_components_are_numbers(turning: reactio.Equations) -> None:
    found = reactions(turning)
    assert found.rule is None
    for name in ("A", "D", "E", "F", "G", "H", "W5"):
        assert found[name].unique
        assert np.isfinite(found[name].force).all(), name
    for name in ("W1", "W2", "W3", "W4"):
        assert found[name].verdict is Verdict.NOT
        assert np.isnan(found[name].force_in_joint).any(), name
    assert found["steering"].unique
    assert found["steering"].force.shape == (1,)
    assert found["steering"].moment.shape == (0,)


def test_partly_unique_joint_shows_the_axis_it_knows() -> None:
    """While the robot goes straight, pin B is open along y and known along x, in world and joint axes alike."""
    found = reactions(at_start("mobile-robot"))["B"]
    assert found.verdict is Verdict.PARTLY
    assert found.determined[:2] == (True, False)
    assert np.isfinite(found.force[0])
    assert np.isnan(found.force[1])
    assert found.moment.tolist() == [0.0]  # a pin has no moment, and that is known


def test_turned_axes_hide_a_known_component(turning: reactio.Equations) -> None:
    """B is still known along one direction, but neither along x nor along y of the robot or of the world."""
    found = reactions(turning)["B"]
    assert found.verdict is Verdict.PARTLY
    assert np.isnan(found.force).all()
    assert np.isnan(found.force_in_joint).all()


def test_masked_multipliers_are_exactly_the_open_rows(turning: reactio.Equations) -> None:
    lam = reactions(turning).lam
    N = reactio.solvability(turning.constraints).N
    # Rows of an orthonormal null basis: zero to rounding, or of the order of one.
    assert np.isnan(lam).tolist() == (np.linalg.norm(N, axis=1) > 1e-6).tolist()


def test_rule_fills_the_gaps_and_is_named(turning: reactio.Equations) -> None:
    plain, ruled = reactions(turning), reactions(turning, "elimination:C.y,W4")
    assert np.isfinite(ruled.lam).all()
    assert ruled["W4"].rule == "elimination:C.y,W4"
    assert ruled["W4"].force.tolist() == [0.0, 0.0]
    assert not ruled["W4"].unique
    for name, one in plain.items():
        known = np.isfinite(one.force)
        # Two solutions of one regular part: rounding relative to the forces, which are up to 0.2 N.
        assert ruled[name].force[known] == pytest.approx(one.force[known], abs=1e-13), name
    assert turning.C.T @ ruled.lam == pytest.approx(ruled.f, abs=1e-13)


def test_table_against_the_closed_form() -> None:
    """Minimum norm on four legs: N_i = W/4 + M_x y_i/(4 b²) + M_y x_i/(4 a²) for weight and load."""
    a, b, x, y, load, weight = 0.5, 0.4, 0.1, 0.05, 200.0, 12 * 9.81
    found = reactions(at_start("table"), "pseudoinverse")
    for name, (sx, sy) in zip(("leg1", "leg2", "leg3", "leg4"), ((1, 1), (-1, 1), (-1, -1), (1, -1)), strict=True):
        expected = (weight + load) / 4 + load * (x * sx / a + y * sy / b) / 4
        assert found[name].force == pytest.approx([0, 0, expected], abs=1e-11)  # rounding of 100 N
        assert found[name].body == "table"


def test_door_carries_its_weight_under_every_rule() -> None:
    """Three hinges: each one's share is open, their sum is m g upwards."""
    eqs = at_start("door", mass=25)
    weight = 9.81 * 25
    assert np.isnan(reactions(eqs)["hinge1"].force[2])
    for rule in (name for name in RULES if not RULES.get(name).elastic):
        total = sum(reaction.force for reaction in reactions(eqs, rule).values())
        assert total == pytest.approx([0, 0, weight], abs=1e-9), rule  # rounding of 1e3 N


def test_parallelogram_links_differ_and_the_guide_does_not() -> None:
    """Wojtyra & Fraczek 2012, Sect. 3: the lower links share load, joints K, L, M, N of the upper ones are unique."""
    eqs = at_start("spatial-parallelogram")
    answer = reactio.solvability(eqs.constraints)
    choices = list(answer.eliminations())[:2]
    found = [reactions(eqs, f"elimination:{row + 1}", answer=answer) for (row,) in choices]
    forces = {name: np.ptp([f[name].force for f in found], axis=0).max() for name in found[0]}
    # Unique ones to rounding of the loads, which are up to 1e3 N; the others by 1.7 N.
    assert {name for name, spread in forces.items() if spread < 1e-9} == {"K", "L", "M", "N"}
    assert all(spread > 1.0 for name, spread in forces.items() if name not in "KLMN")


def test_massless_body_under_every_rule() -> None:
    """A doubled pin between a bob and a massless link: half of the weight each; rules that need mass say so."""
    text = """
space: planar
gravity: [0, -10]
bodies:
  link: {mass: 0, position: [0, -0.5]}
  bob: {mass: 3, inertia: 1, position: [0, -1]}
joints:
  A: {type: revolute, bodies: [ground, link], at: [0, 0]}
  B1: {type: revolute, bodies: [link, bob], at: [0, -1]}
  B2: {type: revolute, bodies: [link, bob], at: [0, -1]}
"""
    eqs = reactio.equations(reactio.build(reactio.parse_model(text)))
    table = compare(eqs)
    assert [name for name, _ in table.refused] == ["inertia", "mass-rows", "penalty"]
    assert all("'link' has none" in reason for _, reason in table.refused)
    pin = next(row for row in table.of("A") if row.component == "Fy")
    assert pin.unique
    assert pin.values == pytest.approx(np.full(len(table.rules), 30.0), abs=1e-11)  # rounding of 30 N
    found = reactions(eqs, "pseudoinverse")
    assert found["B1"].force == pytest.approx([0.0, 15.0], abs=1e-11)
    assert found.vdot == pytest.approx(np.zeros(6), abs=1e-12)


def test_compare_marks_the_unique_ones(turning: reactio.Equations) -> None:
    table = compare(turning, ["pseudoinverse", "elimination:6,21", "elimination:18,20"])
    assert table.rules == ("pseudoinverse", "elimination:6,21", "elimination:18,20")
    for row in table.rows:
        # Unique: rounding of forces up to 0.3 N.  Others: these three rules differ by more than a thousandth of that.
        assert (row.spread < 1e-12) == bool(row.unique), (row.group, row.component)
        assert (row.spread > 1e-4) == (row.unique is False), (row.group, row.component)


def test_compare_keeps_going_when_a_rule_is_refused(turning: reactio.Equations) -> None:
    table = compare(turning, ["inertia", "elimination:A.x,W4"])
    assert table.rules == ("inertia",)
    assert table.refused[0][0] == "elimination:A.x,W4"
    with pytest.raises(reactio.ReactioError, match="no sharing rule 'pseudo'"):
        compare(turning, ["pseudo"])


def test_nothing_to_react() -> None:
    text = "{space: planar, bodies: {b: {mass: 2, inertia: 1}}}"
    with pytest.raises(reactio.ReactioError, match="has no constraints"):
        reactions(reactio.equations(reactio.build(reactio.parse_model(text))))


def test_unknown_name(turning: reactio.Equations) -> None:
    with pytest.raises(reactio.ReactioError, match=r"no joint, drive or coupling 'stering'.*'steering'"):
        reactions(turning)["stering"]


def test_large_system_uses_the_blocks() -> None:
    """A spatial chain of 110 loops, 3 redundancies each: rules balance and agree on what is unique."""
    eqs = at_start("n-four-bar", N=110, spatial=1)
    f = accelerations(eqs).f
    plain = reactions(eqs)
    for rule in ("inertia", "elimination", "augmented-lagrangian"):
        found = reactions(eqs, rule, answer=plain.answer)
        # Sparse solutions refined on the true residual, forces up to 1e3 N.
        assert np.abs(eqs.C.T @ found.lam - f).max() < 1e-8, rule
        known = np.isfinite(plain.lam)
        assert 0 < known.sum() < len(known)
        assert found.lam[known] == pytest.approx(plain.lam[known], abs=1e-8), rule


def test_large_elimination_by_name() -> None:
    eqs = at_start("n-four-bar", N=110, spatial=1)
    task = problem(eqs.constraints, accelerations(eqs).f, eqs.M)
    E = automatic(task)
    assert len(E) == 330
    names = [name_of(task, int(i)) for i in E]
    assert np.all(share(task, "elimination:" + ",".join(names))[E] == 0.0)
    with pytest.raises(InadmissibleElimination, match="330 equations are redundant, so 330 must go, not 329"):
        share(task, "elimination:" + ",".join(names[1:]))
