"""Nodes of interfaces in another unit of length than the model, and what only looks like it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from reactio.errors import ModelError
from reactio.structures import Interface
from reactio.structures.held_nodes import _check_unit

TUBE = np.array([[x, y, z] for x in (0.0, 0.3) for y, z in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01))])


@dataclass
class Given:
    name: str = "tube"
    where: str = "bodies.tube"


def checked(nodes: np.ndarray, *points: tuple[float, float, float]) -> bool:
    """Are the nodes of interfaces about some points accepted?  Those in another unit raise an error."""
    found = [Interface(f"end {k}", np.array(p), np.arange(4 * k, 4 * k + 4), True) for k, p in enumerate(points)]
    _check_unit(found, Given(), nodes)  # type: ignore[arg-type]
    return True


def test_nodes_in_millimetres_beside_points_in_metres_are_refused_with_the_factor() -> None:
    with pytest.raises(ModelError, match=r"would fit times 0\.001: they are in mm"):
        checked(1e3 * TUBE, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))


def test_a_point_at_the_origin_and_rounding_of_its_nodes() -> None:
    off = TUBE.copy()
    off[0, 1] += 1e-10
    assert checked(off, (0.0, 0.0, 0.0))


def test_a_flange_that_is_held_about_a_point_outside_it() -> None:
    assert checked(TUBE[4:], (0.28, 0.0, 0.0))
    assert checked(TUBE, (0.02, 0.0, 0.0))
