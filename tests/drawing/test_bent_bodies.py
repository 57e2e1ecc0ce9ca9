"""Bodies with modes are drawn as they bend."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.drawing.frames import placed, points, world
from reactio.drawing.motions import admissible_motions
from reactio.drawing.parts import PartRole
from reactio.drawing.scene import scene
from reactio.system.equations import Equations

LENGTH, FORCE, STIFFNESS = 1.0, 0.5, 2.1e11 * 0.02 * 0.005**3 / 12  # L [m], F [N], EI [N m²]
REED = """
space: {space}
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  reed:
    position: [0.5, 0{zero}]
    flexible: {{beam: {{from: [-0.5, 0{zero}], to: [0.5, 0{zero}], section: {{box: [0.02, 0.005]}}}}, material: steel,
               modes: {modes}, damping: 0.02}}
joints: {{clamp: {{type: fixed, bodies: [ground, reed], at: [0, 0{zero}]}}}}
forces: {{tip: {{type: force, at: {{body: reed, point: [0.5, 0{zero}]}}, force: [0{zero}, -0.5]}}}}
"""


def at_rest(space: str, modes: int) -> Equations:
    zero = ", 0" if space == "spatial" else ""
    text = REED.format(space=space, modes=modes, zero=zero)
    system = reactio.build(reactio.parse_model(text))
    return reactio.equations(system, reactio.equilibrium(system).state)


def drawn(eqs: Equations, role: PartRole) -> Floats:
    [part] = [part for part in scene(eqs).parts if part.role is role and part.name == "reed"]
    return points(placed(eqs), np.array(part.points))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("modes", [0, 3])
def test_the_drawn_axis_of_a_cantilever_is_its_elastic_line(space: str, modes: int) -> None:
    """w(x) = −F x² (3L − x)/(6EI), and the centre of mass is at its mean, −F L³/(8EI)."""
    eqs = at_rest(space, modes)
    line = drawn(eqs, PartRole.BODY)
    x, w = line[:, 0], line[:, 1 if space == "planar" else 2]
    assert len(line) > 10
    tip = FORCE * LENGTH**3 / (3 * STIFFNESS)
    assert w == pytest.approx(-FORCE * x**2 * (3 * LENGTH - x) / (6 * STIFFNESS), abs=2e-3 * tip)
    centre = drawn(eqs, PartRole.MASS)[0]
    assert centre[1 if space == "planar" else 2] == pytest.approx(-3 / 8 * tip, rel=2e-3)
    assert placed(eqs)[world(eqs.system), :3].tolist() == [0.0, 0.0, 0.0]


def test_an_arm_of_a_joint_off_the_axis_is_drawn() -> None:
    text = REED.format(space="planar", modes=2, zero="").replace("point: [0.5, 0]", "point: [0.5, 0.2]")
    eqs = reactio.equations(reactio.build(reactio.parse_model(text)))
    parts = [part for part in scene(eqs).parts if part.role is PartRole.BODY]
    assert sorted(len(part.points) for part in parts) == [2, 13]


def test_a_motion_in_which_a_body_bends_says_so() -> None:
    eqs = at_rest("planar", 2)
    assert {motion.words for motion in admissible_motions(eqs, reactio.check(eqs))} == {"reed bends"}
