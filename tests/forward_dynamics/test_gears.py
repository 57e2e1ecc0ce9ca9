"""Teeth with a pressure angle: the mesh force by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import reactio

SPUR = """
reactio: 1
name: spur gears
space: planar
gravity: [0, 0]
bodies:
  pinion: {mass: 1, inertia: 0.01, position: [0, 0]}
  wheel: {mass: 2, inertia: 0.04, position: [0.3, 0]}
joints:
  a: {type: revolute, bodies: [ground, pinion], at: [0, 0]}
  b: {type: revolute, bodies: [ground, wheel], at: [0.3, 0]}
  mesh: {type: TYPE, a: {body: pinion}, b: {body: wheel}, radius_a: 0.1, radius_b: 0.2 ANGLE}
forces:
  drive: {type: torque, at: pinion, torque: -3}
"""


def found(kind: str, angle: str = "") -> reactio.Reactions:
    text = SPUR.replace("TYPE", kind).replace("ANGLE", angle)
    return reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(text))))


def test_mesh_force_is_along_the_line_of_action() -> None:
    """T = (I_A/r_A + r_A I_B/r_B²) a and F_t = I_B/r_B² a, a the acceleration along the pitch circles."""
    involute = found("involute-gear", ", pressure_angle: radians(20)")
    tangential = 3.0 * (0.04 / 0.2**2) / (0.01 / 0.1 + 0.1 * 0.04 / 0.2**2)
    assert involute["mesh"].force == pytest.approx([tangential * math.tan(math.radians(20)), -tangential])
    assert involute["b"].force == pytest.approx(-involute["mesh"].force)  # the bearing holds what the teeth push apart
    assert involute["a"].force == pytest.approx(involute["mesh"].force)
    assert involute["mesh"].verdict == "unique"


def test_the_motion_is_that_of_plain_gears() -> None:
    plain, involute = found("gear"), found("involute-gear", ", pressure_angle: radians(-25)")
    np.testing.assert_allclose(plain.vdot, involute.vdot, atol=1e-12)
    assert plain["mesh"].force[0] == pytest.approx(0.0, abs=1e-12)
    assert involute["mesh"].force[1] == pytest.approx(plain["mesh"].force[1])
    with pytest.raises(reactio.ReactioError, match="pressure_angle"):
        found("involute-gear", ", pressure_angle: 0")
