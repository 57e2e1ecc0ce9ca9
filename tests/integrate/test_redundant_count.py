"""Rows that are dependent everywhere are told from those of a singular pose near which a run starts."""

from __future__ import annotations

import math

import pytest

import reactio

START = 0.002  # [rad] of the crank beside the flat pose, where the four links lie on one line


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_a_start_near_a_singular_pose_makes_no_row_redundant(method: str) -> None:
    """A parallelogram has no redundant row outside its flat pose, where it starts at rest: no pose is taken for one."""
    c, s = math.cos(START), math.sin(START)
    model = reactio.parse_model(
        f"""
space: planar
name: parallelogram
bodies:
  crank: {{mass: 1, inertia: 0.1, position: [{c / 2}, {s / 2}]}}
  coupler: {{mass: 2, inertia: 0.3, position: [{1 + c}, {s}]}}
  rocker: {{mass: 1, inertia: 0.1, position: [{2 + c / 2}, {s / 2}]}}
joints:
  A: {{type: revolute, bodies: [ground, crank], at: [0, 0]}}
  B: {{type: revolute, bodies: [crank, coupler], at: [{c}, {s}]}}
  C: {{type: revolute, bodies: [coupler, rocker], at: [{2 + c}, {s}]}}
  D: {{type: revolute, bodies: [ground, rocker], at: [2, 0]}}
drives:
  motor: {{joint: A, function: {{step: {{start: 0, end: 1, before: 0, after: 1}}}}}}
""",
        "parallelogram.yaml",
    )
    run = reactio.simulate(model, 0.9, method=method, output=2)
    assert run.checkpoint.redundant == 0
