"""Split rods: the paper's halves, and level 1 as what they settle to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.sensitivity import sensitivity
from reactio.simulation.read_run import load_run
from reactio.simulation.write_run import save_run
from reactio.statics.equilibrium import equilibrium

ROD = """
space: planar
bodies:
  bar: {mass: 2, inertia: 0.1, position: [0, 1]}
  r0: {mass: 0.1, inertia: 0.001, position: [-1, 0.5], flexible: {split: {stiffness: 1e5, damping: 300}}}
  r1: {mass: 0.1, inertia: 0.001, position: [0, 0.5], flexible: {split: {stiffness: 3e5, damping: 900}}}
  r2: {mass: 0.1, inertia: 0.001, position: [1, 0.5], flexible: {split: {stiffness: 1e5, damping: 300}}}
joints:
  A0: {type: revolute, bodies: [ground, r0], at: [-1, 0]}
  A1: {type: revolute, bodies: [ground, r1], at: [0, 0]}
  A2: {type: revolute, bodies: [ground, r2], at: [1, 0]}
  B0: {type: revolute, bodies: [r0, bar], at: [-1, 1]}
  B1: {type: revolute, bodies: [r1, bar], at: [0, 1]}
  B2: {type: revolute, bodies: [r2, bar], at: [1, 1]}
forces: {down: {type: force, at: bar, force: [0, -1000]}}
"""


def test_halves_have_springs_and_no_redundancy() -> None:
    whole, halves = reactio.build(reactio.parse_model(ROD), vibration=False), reactio.build(reactio.parse_model(ROD))
    assert whole.m - np.linalg.matrix_rank(reactio.equations(whole).C.toarray()) == 1
    assert halves.m == np.linalg.matrix_rank(reactio.equations(halves).C.toarray())
    assert {body.mass for body in halves.model.bodies} == {2.0, 0.05}


def test_level_one_splits_by_the_springs() -> None:
    """Three rods side by side under a load in the middle: 1/5, 3/5, 1/5, apart from their inertia."""
    model = reactio.parse_model(ROD)
    found = flexible(model)
    assert found["r1"].share == pytest.approx((4 / 3) / (4 / 3 + 2), rel=1e-9)  # n = (1, −2, 1): 4/k₁ of 4/k₁ + 2/k₀
    eqs = reactio.equations(reactio.build(model, vibration=False))
    forces = reactio.reactions(eqs, "compliance")
    whole = sum(forces[f"B{k}"].force[1] for k in range(3))
    assert [forces[f"B{k}"].force[1] / whole for k in range(3)] == pytest.approx([0.2, 0.6, 0.2], abs=1e-9)


def test_rods_with_three_joints_are_refused() -> None:
    text = ROD.replace("forces:", "  C: {type: revolute, bodies: [ground, r1], at: [0.3, 0.5]}\nforces:")
    with pytest.raises(ReactioError, match=r"'r1' has joints at 3 points; a rod that is split has two"):
        reactio.build(reactio.parse_model(text))


UNEQUAL = """
space: planar
gravity: [0, -9.81]
bodies:
  p: {mass: 10, inertia: 1, position: [0.1, 1]}
  r0: {mass: 0.5, inertia: 0.05, position: [-1, 0.5], angle: pi/2, flexible: {split: {stiffness: 1e6, damping: 1}}}
  r1: {mass: 0.5, inertia: 0.05, position: [0.2, 0.5], angle: pi/2, flexible: {split: {stiffness: 2e6, damping: 1}}}
  r2: {mass: 0.5, inertia: 0.05, position: [1, 0.5], angle: pi/2, flexible: {split: {stiffness: 5e5, damping: 1}}}
joints:
  a0: {type: revolute, bodies: [ground, r0], at: [-1, 0]}
  b0: {type: revolute, bodies: [r0, p], at: [-1, 1]}
  a1: {type: revolute, bodies: [ground, r1], at: [0.2, 0]}
  b1: {type: revolute, bodies: [r1, p], at: [0.2, 1]}
  a2: {type: revolute, bodies: [ground, r2], at: [1, 0]}
  b2: {type: revolute, bodies: [r2, p], at: [1, 1]}
  g: {type: distance, a: {body: ground, point: [3, 1]}, b: {body: p, point: [0.9, 0]}}
"""


def _by_hand() -> list[float]:
    """Forces of the rods on the platform: springs under half a rod each and a plate that stays straight.

    A rod shortens by (b + a)/2 over k, where a = b + m g is the force at its lower end.
    """
    x, k, weight = np.array([-1.0, 0.2, 1.0]), np.array([1e6, 2e6, 5e5]), 0.5 * 9.81
    A = np.array([[k.sum(), k @ x], [k @ x, k @ x**2]])
    load = np.array([10 * 9.81 + 1.5 * weight, 0.1 * 10 * 9.81 + weight / 2 * x.sum()])
    lift, turn = np.linalg.solve(A, load)
    return [float(force) for force in k * (lift + turn * x) - weight / 2]


def test_every_command_has_the_same_loads_by_compliance(tmp_path: Path) -> None:
    model, hand = reactio.parse_model(UNEQUAL), _by_hand()
    assert hand == pytest.approx([19.478, 61.668, 16.954], abs=1e-3)
    table = {name: value for name, value in sensitivity(model).now.items() if name[0] == "b"}
    assert [table[f"b{k}"][1] for k in range(3)] == pytest.approx(hand, rel=1e-12)
    run = reactio.simulate(model, 0.01, rule="compliance", output=3)
    assert [run[f"b{k}"].force[-1][1] for k in range(3)] == pytest.approx(hand, rel=1e-9)  # drift of the integration
    save_run(run, tmp_path / "run.npz")
    again = load_run(tmp_path / "run.npz")
    assert [again[f"b{k}"].force[-1][1] for k in range(3)] == pytest.approx(hand, rel=1e-9)
    path = tmp_path / "rods.yaml"
    path.write_text(UNEQUAL + "parameters: {none: 0}\n")
    wanted = [f"b{k}.Fy" for k in range(3)]
    cases = reactio.sweep(path, {"none": [0.0]}, want=wanted, rule="compliance", processes=0)
    assert [float(cases[name][0]) for name in wanted] == pytest.approx(hand, rel=1e-9)
    level = [f"{name}.flexible" for name in wanted]
    cases = reactio.sweep(path, {"none": [0.0]}, want=level, processes=0)
    assert [float(cases[name][0]) for name in level] == pytest.approx(hand, rel=1e-4)  # on the displaced pose
    rest = reactio.reactions(equilibrium(model).eqs)
    assert [rest[f"b{k}"].force[1] for k in range(3)] == pytest.approx(hand, rel=1e-6)  # displaced too


def test_compliance_of_halves_that_vibrate_is_refused() -> None:
    eqs = reactio.equations(reactio.build(reactio.parse_model(UNEQUAL)))
    with pytest.raises(ReactioError, match=r"r0, r1, r2 vibrate\. Use `reactio\.build\(model, vibration=False\)`"):
        reactio.reactions(eqs, "compliance")


def test_an_axis_across_the_line_of_joints_is_that_of_both_levels() -> None:
    """The spring acts along its axis: the pose at rest of level 2 has the loads of level 1."""
    model = reactio.parse_model(UNEQUAL.replace("2e6,", "2e6, axis: [-1, 0.4],"))
    rigid = reactio.equations(reactio.build(model, vibration=False))
    level_one = [reactio.reactions(rigid, "compliance")[f"b{k}"].force[1] for k in range(3)]
    rest = reactio.reactions(equilibrium(model).eqs)
    assert [rest[f"b{k}"].force[1] for k in range(3)] == pytest.approx(level_one, rel=1e-3)  # displaced
