"""Splits that no flexible part decides: found in any axes, in any size, and named."""

from __future__ import annotations

import math

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.data import Basis
from reactio.linear.column_space import column_space
from reactio.sharing import compliance, problem, share
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS
from reactio.system.elasticity.compliance import elasticity

ONE_PLACE = """
space: spatial
gravity: [0, 0, -9.81]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  b: {{flexible: {{beam: {{from: [0, 0, 0], to: [1, 0, 0], section: {{box: [0.02, 0.03]}}}}, material: steel}}}}
joints:
  p1: {{type: spherical, bodies: [ground, b], at: [0, 0, 0], axis: {first}}}
  p2: {{type: spherical, bodies: [ground, b], at: [0, 0, 0], axis: {second}}}
  p3: {{type: fixed, bodies: [ground, b], at: [1, 0, 0]}}
"""


@pytest.mark.parametrize("seed", range(8))
def test_two_pins_in_one_place_share_nothing_knowable(seed: int) -> None:
    """Three self-stresses, whatever the axes of the joints: p1 against p2."""
    axes = np.random.default_rng(seed).standard_normal((2, 3)).tolist() if seed else [[0, 0, 1], [0, 0, 1]]
    model = reactio.parse_model(ONE_PLACE.format(first=axes[0], second=axes[1]))
    by_stiffness = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    assert not any(by_stiffness["p1"].by_stiffness)
    assert all(basis == Basis.OPEN for basis in by_stiffness["p1"].bases("world")[:3])
    assert by_stiffness["p3"].state == "determined by stiffness"
    # The two pins together are one pin, which the beam loads as if there were one.
    once = reactio.parse_model(ONE_PLACE.format(first=axes[0], second=axes[1]).replace("  p2:", "  #p2:"))
    single = reactio.reactions(reactio.equations(reactio.build(once)), "compliance")
    assert by_stiffness["p3"].force == pytest.approx(single["p3"].force, rel=1e-9, abs=1e-9)
    found = flexible(model)
    assert [one.joints for one in found.open] == [("p1", "p2")] * 3


def _beams(count: int, doubled: range) -> str:
    """Beams side by side on a pin and a weld; some have their pin twice."""
    bodies, joints = [], []
    for k in range(count):
        beam = "{from: [0, 0, 0], to: [1, 0, 0], section: {box: [0.02, 0.03]}}"
        bodies.append(f"  b{k}: {{position: [0, {k}, 0], flexible: {{beam: {beam}, material: st}}}}")
        joints.append(f"  p{k}: {{type: spherical, bodies: [ground, b{k}], at: [0, {k}, 0]}}")
        if k in doubled:
            joints.append(f"  q{k}: {{type: spherical, bodies: [ground, b{k}], at: [0, {k}, 0], axis: [0.3, 0, 1]}}")
        joints.append(f"  w{k}: {{type: fixed, bodies: [ground, b{k}], at: [1, {k}, 0]}}")
    head = "space: spatial\ngravity: [0, 0, -9.81]\nmaterials: {st: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
    return head + "bodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints)


@pytest.mark.parametrize("doubled", [range(1), range(3, 5), range(12)])
def test_large_and_small_models_are_judged_alike(doubled: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sparse path on a model that the dense one judges too: the same count, and all joints named or counted."""
    eqs = reactio.equations(reactio.build(reactio.parse_model(_beams(12, doubled))))
    f = accelerations(eqs).f
    task = problem(eqs.constraints, f, eqs.M, eqs.solvability, None, lambda: elasticity(eqs))
    words = []
    for most in (MOST_NULL_SPACE_ROWS, 10):
        monkeypatch.setattr(compliance, "MOST_NULL_SPACE_ROWS", most)
        with pytest.raises(ReactioError) as error:
            share(task, "compliance")
        words.append(str(error.value))
    assert words[0] == words[1]
    assert f"leave {3 * len(doubled)} of {36 + 3 * len(doubled)} self-stresses undecided" in words[1]
    names = [f"{letter}{k}" for k in doubled for letter in "pq"]
    assert (f"{len(names)} joints (p0, q0" if len(names) > 8 else ", ".join(names)) in words[1]


def test_decided_beams_are_solved_by_the_sparse_path_too(monkeypatch: pytest.MonkeyPatch) -> None:
    eqs = reactio.equations(reactio.build(reactio.parse_model(_beams(6, range(0)))))
    dense = reactio.reactions(eqs, "compliance")
    monkeypatch.setattr(compliance, "MOST_NULL_SPACE_ROWS", 10)
    sparse = reactio.reactions(eqs, "compliance")
    for k in range(6):
        assert sparse[f"p{k}"].force == pytest.approx(dense[f"p{k}"].force, abs=1e-7)  # of some 10 N


LEGS = """
space: planar
bodies:
  p: {{mass: 1, inertia: 1, position: {centre}}}
joints:
  a: {{type: distance, a: {{body: ground, point: {a}}}, b: {{body: p, point: {a}}}, stiffness: {stiff}}}
  b: {{type: distance, a: {{body: ground, point: {b}}}, b: {{body: p, point: {b}}}, stiffness: {stiff}}}
  c: {{type: distance, a: {{body: ground, point: {c}}}, b: {{body: p, point: {c}}}, stiffness: {stiff}}}
  h: {{type: distance, a: {{body: ground, point: {far}}}, b: p, stiffness: 1e6}}
forces: {{f: {{type: force, at: p, force: {load}}}}}
"""


@pytest.mark.parametrize("turn", [0.3, 0.7, 1.1])
@pytest.mark.parametrize("decades", [0, 6, 9, 16, 20, 24])
def test_rounding_of_the_geometry_never_decides_in_silence(turn: float, decades: int) -> None:
    """A soft rod across three stiff legs: right to four digits, or refused with the reason."""

    def place(x: float, y: float) -> list[float]:
        return [math.cos(turn) * x - math.sin(turn) * y, math.sin(turn) * x + math.cos(turn) * y]

    points = {"centre": place(0, 1), "a": place(-1, 0), "b": place(0.3, 0), "c": place(1, 0), "far": place(3, 1)}
    model = reactio.parse_model(LEGS.format(**points, load=place(50, -100), stiff=10.0 ** (6 + decades)))
    x = np.array([-1.0, 0.3, 1.0])
    lift, tilt = np.linalg.solve([[3, x.sum()], [x.sum(), x @ x]], [100.0, 0.0])
    eqs = reactio.equations(reactio.build(model))
    if decades > 12:
        with pytest.raises(ReactioError, match="rounding of the geometry changes the load distribution"):
            reactio.reactions(eqs, "compliance")
        return
    found = reactio.reactions(eqs, "compliance")
    forces = [float(np.linalg.norm(found[name].force)) for name in "abc"]
    assert forces == pytest.approx((lift + tilt * x).tolist(), rel=1e-4)


def test_columns_span_their_space() -> None:
    """Lᵀx = 0 exactly where Qᵀx = 0, with a column that repeats others."""
    rng = np.random.default_rng(2)
    L = rng.standard_normal((7, 4))
    L[:, 3] = L[:, 0] - 2 * L[:, 1]
    Q = column_space(L)
    assert Q.shape == (7, 3)
    assert pytest.approx(np.eye(3), abs=1e-14) == Q.T @ Q
    assert pytest.approx(Q @ (Q.T @ L), abs=1e-13) == L
