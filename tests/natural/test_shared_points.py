"""The classical form of natural coordinates, in which bodies share points, is refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

import reactio
from reactio.model.files.write import to_yaml
from reactio.model.transform.natural import natural


def test_shared_points_are_refused_with_the_reason() -> None:
    """Where a point belongs to both bodies no row is left whose multiplier could be the reaction."""
    model = replace(natural(reactio.load("four-bar-planar")), share_points=True)
    assert reactio.parse_model(to_yaml(model)).share_points
    system = reactio.build(model)
    for ask in (
        lambda: reactio.check(system),
        lambda: reactio.reactions(reactio.equations(system)),
        lambda: reactio.simulate(system, 0.01, output=2),
    ):
        with pytest.raises(reactio.ReactioError, match=r"without an equation there is no reaction.*joint-augmented"):
            ask()
