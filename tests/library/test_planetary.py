"""Planets with pin errors: closed forms of load sharing."""

from __future__ import annotations

import numpy as np
import pytest

import reactio


def mesh_forces(**given: float) -> np.ndarray:
    """The force of every mesh at the sun, by stiffness."""
    model = reactio.load("planetary", **given)
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return np.array([np.linalg.norm(found[f"inner{k}"].force) for k in range(1, int(given.get("planets", 4)) + 1)])


@pytest.mark.parametrize("count", [2, 4, 5])
def test_fixed_members_share_by_pin_errors(count: int) -> None:
    """The planet with the error e bears k e (n − 1)/n more than T/(n r), the others k e/n less each."""
    e, k = 2e-6, 2e8
    forces = mesh_forces(planets=count, error=e)
    equal = 500.0 / (count * 0.05)
    expected = [equal + k * e * (count - 1) / count] + [equal - k * e / count] * (count - 1)
    assert forces == pytest.approx(expected, rel=1e-9)


def test_three_planets_share_equally_where_the_sun_floats() -> None:
    """Whatever the error, T/(3 r): the sun is held by three forces, and nothing is redundant."""
    forces = mesh_forces(planets=3, floating=1, error=5e-4)
    assert forces == pytest.approx([500 / 0.15] * 3, rel=1e-9)
    assert reactio.check(reactio.load("planetary", planets=3, floating=1)).redundancy == 0


def test_backlash_lets_the_others_lift() -> None:
    """With an error that the load does not close, planet1 bears all: its deflection is below the backlash."""
    forces = mesh_forces(planets=3, error=1e-3, backlash=0.1)
    assert forces == pytest.approx([500 / 0.05, 0.0, 0.0], rel=1e-9, abs=1e-6)


def test_door_with_play() -> None:
    """Rigid hinges with axial play, the top one 0.1 mm high: it alone bears the weight; bushings share it again."""
    loose = reactio.load("door", bushings=1, misfit=1e-4, play=2e-5)
    found = reactio.reactions(reactio.equations(reactio.build(loose)), "compliance")
    lifts = [found[f"hinge{k}"].force[2] for k in (1, 2, 3)]
    assert sum(lifts) == pytest.approx(25 * 9.81, rel=1e-9)
    assert lifts[2] > 0.99 * 25 * 9.81
