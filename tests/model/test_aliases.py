"""Words of the workshop for joints: model files may write them, and the model has the name of the catalogue."""

from __future__ import annotations

import pytest

import reactio as ro
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.files.schema import schema

TEXT = {
    "planar": "{space: planar, bodies: {bar: {}}, joints: {A: {type: WORD, bodies: [ground, bar], at: [0, 0]}}}",
    "spatial": "{space: spatial, bodies: {bar: {}}, joints: {A: {type: WORD, bodies: [ground, bar], at: [0, 0, 0]}}}",
}


@pytest.mark.parametrize(
    ("space", "word", "name"),
    [
        ("spatial", "hinge", "revolute"),
        ("planar", "pin", "revolute"),
        ("spatial", "ball joint", "spherical"),
        ("spatial", "Ball", "spherical"),
        ("spatial", "slider", "prismatic"),
        ("planar", "slider", "translational"),
        ("planar", "prismatic", "translational"),
        ("spatial", "weld", "fixed"),
        ("spatial", "cardan", "universal"),
    ],
)
def test_a_word_of_the_workshop_is_a_joint_of_the_catalogue(space: str, word: str, name: str) -> None:
    assert ro.parse_model(TEXT[space].replace("WORD", word)).joint("A").type == name


def test_the_builder_takes_them_too() -> None:
    model = ro.Model.new("pendulum", "planar").body("rod", mass=1, inertia=1)
    assert model.joint("A", "hinge", bodies=["ground", "rod"], at=[0, 0]).joint("A").type == "revolute"


@pytest.mark.parametrize("space", sorted(JOINTS_BY_SPACE))
def test_no_alias_hides_a_joint_or_another_alias(space: str) -> None:
    registry = JOINTS_BY_SPACE[space]
    aliases = [alias for kind in registry.values() for alias in kind.aliases]
    assert len(aliases) == len(set(aliases))
    assert not set(aliases) & set(registry)


def test_the_schema_knows_them() -> None:
    assert '"hinge"' in str(schema()).replace("'", '"')
