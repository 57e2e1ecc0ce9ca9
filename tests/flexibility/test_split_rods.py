"""Split rods: the paper's halves, and level 1 as what they settle to."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible

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
    whole, halves = reactio.build(reactio.parse_model(ROD), halves=False), reactio.build(reactio.parse_model(ROD))
    assert whole.m - np.linalg.matrix_rank(reactio.equations(whole).C.toarray()) == 1
    assert halves.m == np.linalg.matrix_rank(reactio.equations(halves).C.toarray())
    assert {body.mass for body in halves.model.bodies} == {2.0, 0.05}


def test_level_one_splits_by_the_springs() -> None:
    """Three rods side by side under a load in the middle: 1/5, 3/5, 1/5, apart from their inertia."""
    model = reactio.parse_model(ROD)
    found = flexible(model)
    assert found["r1"].share == pytest.approx((4 / 3) / (4 / 3 + 2), rel=1e-9)  # n = (1, −2, 1): 4/k₁ of 4/k₁ + 2/k₀
    eqs = reactio.equations(reactio.build(model, halves=False))
    forces = reactio.reactions(eqs, "compliance")
    whole = sum(forces[f"B{k}"].force[1] for k in range(3))
    assert [forces[f"B{k}"].force[1] / whole for k in range(3)] == pytest.approx([0.2, 0.6, 0.2], abs=1e-9)


def test_rods_with_three_joints_are_refused() -> None:
    text = ROD.replace("forces:", "  C: {type: revolute, bodies: [ground, r1], at: [0.3, 0.5]}\nforces:")
    with pytest.raises(ReactioError, match=r"'r1' has joints at 3 points; a rod that is split has two"):
        reactio.build(reactio.parse_model(text))
