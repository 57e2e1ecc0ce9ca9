"""Models to copy: every joint, coupling and force has one, and it is read and judged."""

from __future__ import annotations

import pytest

import reactio
from reactio.cli.examples import COUPLING_EXAMPLES, FORCE_EXAMPLES, coupling_example, force_example, joint_example
from reactio.couplings import COUPLINGS
from reactio.forces import FORCES
from reactio.joints import BY_SPACE

JOINTS = [joint for registry in BY_SPACE.values() for joint in registry.values()]
TEXTS = {
    **{f"{joint.space} {joint.name}": joint_example(joint) for joint in JOINTS},
    **{f"coupling {name}": coupling_example(name) for name in COUPLINGS},
    **{f"force {name}": force_example(name) for name in FORCES},
}


def test_every_coupling_and_force_has_one() -> None:
    assert set(COUPLING_EXAMPLES) == set(COUPLINGS)
    assert set(FORCE_EXAMPLES) == set(FORCES)


@pytest.mark.parametrize("what", TEXTS)
def test_an_example_is_read_and_judged(what: str) -> None:
    model = reactio.parse_model(TEXTS[what], "example.yaml")
    answer = reactio.check(model)
    assert answer.redundancy == 0
    assert what.split()[-1] in TEXTS[what]


def test_examples_are_short() -> None:
    assert "at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.1}" in TEXTS["spatial screw"]
    assert max(len(text.splitlines()) for text in TEXTS.values()) < 10
