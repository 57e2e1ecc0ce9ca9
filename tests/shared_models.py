"""Mechanisms that tests of several folders use."""

from __future__ import annotations

# A planar parallelogram of lengths 1 m and 2 m; COUPLER is a body, LINK the joints that hold it.
PARALLELOGRAM = """
space: planar
gravity: [0, -9.81]
bodies:
  crank:  {mass: 2, inertia: 0.3, position: [0, 0], angle: 1.2, center: [0.5, 0]}
  rocker: {mass: 1, inertia: 0.2, position: [2, 0], angle: 1.2, center: [0.5, 0]}
  COUPLER
joints:
  A: {type: revolute, a: ground, b: crank}
  D: {type: revolute, a: {body: ground, point: [2, 0]}, b: rocker}
  LINK
"""
MASSLESS_ROD = "rod: {mass: 0, inertia: 0, position: [cos(1.2), sin(1.2)]}"
PINS_OF_ROD = """B: {type: revolute, a: {body: crank, point: [1, 0]}, b: rod}
  C: {type: revolute, a: {body: rod, point: [2, 0]}, b: {body: rocker, point: [1, 0]}}"""
MASSLESS_FOUR_BAR = PARALLELOGRAM.replace("COUPLER", MASSLESS_ROD).replace("LINK", PINS_OF_ROD)

# Supports of a planar beam of 1 m whose origin is in its middle: one more than the beam needs.
THREE_SUPPORTS = """
joints:
  left: {type: revolute, bodies: [ground, beam], at: [0, 0]}
  middle: {type: revolute-translational, a: {body: ground, point: [0.4, 0]}, b: {body: beam, point: [-0.1, 0]}}
  right: {type: revolute-translational, a: {body: ground, point: [1, 0]}, b: {body: beam, point: [0.5, 0]}}
"""

# Two bars stretched between fixed pins: the middle may only begin to move.
TAUT_BARS = """
space: planar
gravity: [0, {g}]
bodies:
  a: {{mass: 1, inertia: 0.1, position: [0.5, 0]}}
  b: {{mass: 1, inertia: 0.1, position: [1.5, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}
  B: {{type: revolute, bodies: [a, b], at: [1, 0]}}
  C: {{type: revolute, bodies: [b, ground], at: [2, 0]}}
"""


def beam_on_three_supports(E: float, of_flexible: str = "", rest: str = "") -> str:
    """A flexible beam of 20 × 10 mm under its weight; Young's modulus E [Pa], more fields of it, more of the model."""
    return f"""
space: planar
gravity: [0, -9.81]
materials: {{soft: {{E: {E}, nu: 0.3, density: 7800}}}}
bodies:
  beam:
    position: [0.5, 0]
    flexible:
      beam: {{from: [-0.5, 0], to: [0.5, 0], section: {{box: [0.02, 0.01]}}}}
      material: soft
      {of_flexible}
{THREE_SUPPORTS}
{rest}
"""
