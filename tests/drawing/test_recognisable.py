"""What a mechanism shows besides its joints: drives, meshing gears, panels on hinges, bodies that spin."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.drawing.frames import placed, points
from reactio.drawing.motions import admissible_motions
from reactio.drawing.painter import coil
from reactio.drawing.scene import scene
from reactio.system.equations import Equations

GEARS = """
space: planar
bodies:
  small: {{mass: 1, inertia: 0.01, position: [0, 0]}}
  large: {{mass: 2, inertia: 0.04, position: [0.3, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, small], at: [0, 0]}}
  B: {{type: revolute, bodies: [ground, large], at: [0.3, 0]}}
couplings:
  mesh: {{type: gear, joints: [A, B], ratio: {ratio}}}
drives:
  motor: {{joint: A, function: 3*t}}
"""


def at_start(model: reactio.Model) -> Equations:
    return reactio.equations(reactio.build(model))


@pytest.mark.parametrize(("ratio", "radii", "mesh"), [(-2, (0.1, 0.2), 0.1), (2, (0.3, 0.6), -0.3)])
def test_coupled_gears_have_pitch_circles_that_touch(ratio: int, radii: tuple[float, float], mesh: float) -> None:
    """Outside each other r₁ + r₂ = d; inside r₂ − r₁ = d; they touch in the mesh point."""
    eqs = at_start(reactio.parse_model(GEARS.format(ratio=ratio)))
    own = [part for part in scene(eqs).parts if part.name == "mesh"]
    frames = placed(eqs)
    circles = [points(frames, np.array(part.points)) for part in own if not part.radius]
    assert [float(np.ptp(c[:, 0]) / 2) for c in circles] == pytest.approx(radii, rel=3e-3)  # polygons of 48 sides
    (dot,) = (points(frames, np.array(part.points))[0] for part in own if part.radius)
    assert dot == pytest.approx([mesh, 0, 0], abs=1e-12)
    assert abs(dot[0] - 0.3) == pytest.approx(radii[1], abs=1e-12)


def test_a_driven_joint_has_an_arrow_on_it() -> None:
    drawn = scene(at_start(reactio.parse_model(GEARS.format(ratio=-2))))
    assert len([part for part in drawn.parts if part.name == "motor" and part.role == "drive"]) == 2


def test_a_door_is_a_panel_as_wide_as_its_mass_says() -> None:
    eqs = at_start(reactio.load("door"))
    (panel,) = (part for part in scene(eqs).parts if part.role == "body")
    corners = points(placed(eqs), np.array(panel.points))
    assert float(np.ptp(corners[:, 0])) == pytest.approx(2 * 0.45, rel=1e-12)


def test_what_moves_is_said_as_it_moves() -> None:
    door = at_start(reactio.load("door"))
    assert [m.words for m in admissible_motions(door, door.solvability)] == ["door turns about its joints"]
    rod = reactio.parse_model(
        "{space: spatial, bodies: {rod: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}}, joints: {"
        "A: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}, "
        "B: {type: spherical, bodies: [ground, rod], at: [1, 0, 0]}}}"
    )
    eqs = at_start(rod)
    assert [m.words for m in admissible_motions(eqs, eqs.solvability)] == ["rod spins about its own axis"]


def test_a_coil_runs_from_end_to_end() -> None:
    line = coil(np.array([[0.0, 0.0], [2.0, 0.0]]), 0.1)
    assert line[0].tolist() == [0.0, 0.0]
    assert line[-1].tolist() == [2.0, 0.0]
    assert np.abs(line[:, 1]).max() == pytest.approx(0.1)
    assert (np.diff(line[:, 0]) > 0).all()


@pytest.mark.parametrize(
    ("radius_b", "at", "mesh"),
    [(0.1, 0.3, 0.2), (-0.5, -0.3, 0.2), (-0.1, 0.1, 0.2)],
    ids=["outside", "ring", "within"],
)
def test_the_verdict_on_meshing_wheels_stands_where_they_mesh(radius_b: float, at: float, mesh: float) -> None:
    """Circles of radius 0.2 about the origin and |r_b| about (at, 0) touch at (mesh, 0); a ring has a rim around it."""
    model = reactio.parse_model(f"""
space: planar
bodies: {{a: {{position: [0, 0]}}, b: {{position: [{at}, 0]}}}}
joints:
  A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}
  B: {{type: revolute, bodies: [ground, b], at: [{at}, 0]}}
  teeth: {{type: gear, a: {{body: a}}, b: {{body: b}}, radius_a: 0.2, radius_b: {radius_b}}}
""")
    eqs = reactio.equations(reactio.build(model))
    made = scene(eqs)
    badge = next(badge for badge in made.badges if badge.name == "teeth")
    assert badge.at(placed(eqs)) == pytest.approx([mesh, 0, 0])
    circles = [part for part in made.parts if part.name == "teeth" and len(part.points) > 90]
    assert len(circles) == (2 if radius_b > 0 else 3)
