"""Deformed mechanisms: what joints hold together stays together, and what linear elasticity leaves out is sized."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.drawing.plots.deformed import displaced_frames, visible_scale
from reactio.flexibility.deformation import deformation
from reactio.flexibility.instant import instant
from reactio.flexibility.remarks import centrifugal, euler_ratios, remarks


@pytest.mark.parametrize("scale", [1.0, 200.0])
def test_ball_joints_stay_closed_on_the_deformed_mechanism(scale: float) -> None:
    """Links and platform bend; both ends of every ball joint go the same way, to first order of the displacement."""
    found = deformation(reactio.load("spatial-parallelogram", links="beam", platform="plate", k2=2, k3=0.5, k4=3))
    system = found.here.eqs.system
    frames = displaced_frames(found, scale)
    small = scale * found.largest
    for group in system.reacting:
        assert group.frames is not None
        a, b = (frames[k, :3] for k in group.frames)
        # What is left is of second order: rotations of links times their displacement.
        assert np.linalg.norm(a - b) < 4 * small**2 / 0.1


def test_the_shaft_bends_as_a_beam() -> None:
    """A midspan load on one of two spans: its point goes down by what three-moment theory says, beside the bearings."""
    model = reactio.load("shaft-three-bearings")
    found = deformation(model)
    load = next(force for force in model.forces)
    at = np.array(load.parameters["at"].point)
    k = int(np.linalg.norm(found.points["shaft"] - at, axis=1).argmin())
    assert np.linalg.norm(found.points["shaft"][k] - at) < 1e-12
    frames = displaced_frames(found, 1.0)
    ends = {end.point: frames[i, 2] for i, end in enumerate(found.here.eqs.system.frame_ends) if end.body == "shaft"}
    assert min(ends.values()) == ends[tuple(at)]
    assert -5e-3 < ends[tuple(at)] < 0
    assert found.as_data()["bending"]["shaft"][k]["point"] == at.tolist()


def test_scales_are_round() -> None:
    found = deformation(reactio.load("door", hinges=2, bushings=1))
    digits = visible_scale(found) / 10 ** math.floor(math.log10(visible_scale(found)))
    assert digits == pytest.approx(1) or digits == pytest.approx(2) or digits == pytest.approx(5)


COLUMN = """
space: planar
gravity: [0, -9.81]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 0}}}}
bodies:
  post: {{mass: 1e-3, inertia: 1e-5, position: [0, {up}],
    flexible: {{beam: {{from: [0, 0], to: [0, {long}], section: {{rod: 0.01}}}}, material: steel}}}}
  top: {{mass: {mass}, inertia: 1, position: [0, {top}]}}
joints:
  foot: {{type: revolute, a: ground, b: {{body: post, point: [0, 0]}}}}
  head: {{type: revolute, a: {{body: post, point: [0, {long}]}}, b: top}}
  guide: {{type: translational, a: {{body: ground, point: [0, 0], angle: 1.5707963267948966}},
           b: {{body: top, angle: 1.5707963267948966}}}}
"""


def test_the_part_of_the_buckling_load() -> None:
    """A hinged column of 1 m under 50 kg: N L² / π² E I; one that hangs is not pressed."""
    model = reactio.parse_model(COLUMN.format(up=0, long=1.0, top=1.0, mass=50))
    here = instant(model)
    expected = 50 * 9.81 / (math.pi**2 * 2.1e11 * math.pi / 64 * 0.01**4)
    assert euler_ratios(here, here.whole)["post"] == pytest.approx(expected, rel=1e-3)  # and its own gram
    assert any("% of its buckling load" in line for line in remarks(here, here.whole))
    hung = instant(replace(model, gravity=(0.0, 9.81)))
    assert euler_ratios(hung, hung.whole)["post"] == 0.0


SPIN = """
space: planar
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  bar: {angular_velocity: 50, points: {l: [-0.5, 0], r: [0.5, 0]},
    flexible: {beam: {from: l, to: r, section: {rod: 0.02}}, material: steel}}
  link: {mass: 1, inertia: 1, angular_velocity: 50}
joints:
  pivot: {type: revolute, a: ground, b: link}
  l: {type: revolute, a: {body: link, point: [-0.5, 0]}, b: bar.l}
  r: {type: revolute, a: {body: link, point: [0.5, 0]}, b: bar.r}
"""


def test_the_centrifugal_stretch_of_a_bar_between_fixed_points() -> None:
    """A bar spins with a rigid link that holds its ends: each end pulls by the third part of ρ A ω² l² / 2 · 2/3.

    Free, it would grow at each end by u = ρ ω² l³ / 3 E; the force that keeps its length is E A u / l, with l the half.
    """
    here = instant(reactio.parse_model(SPIN))
    A, half = math.pi / 4 * 0.02**2, 0.5
    force = 7800 * A * 50**2 * half**2 / 3
    assert centrifugal(here, here.whole) == pytest.approx(force, rel=1e-9)


def test_feet_that_pull_are_named() -> None:
    from .test_closed_forms import table

    here = instant(table(misfit={1: 5e-4}))
    found = [line for line in remarks(here, here.whole) if "lift off" in line]
    pulling = [name for name, force in here.forces(here.whole.lam).items() if force[2] < 0]
    assert len(found) == len(pulling) > 0
    assert all(any(f"'{name}'" in line for line in found) for name in pulling)


def test_contacts_that_lift_off_are_named() -> None:
    from .test_closed_forms import propped_bar

    here = instant(propped_bar(1e-3))
    assert any("'f2' carries no load" in line for line in remarks(here, here.whole))
    here = instant(propped_bar(1e-6))
    assert not remarks(here, here.whole)
