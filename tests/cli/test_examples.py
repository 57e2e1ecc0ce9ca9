"""Models to copy: every joint, coupling, force, contact and kind of body has one, and it is read and judged."""

from __future__ import annotations

import pytest

import reactio
from reactio.bodies import BODIES
from reactio.cli.output.examples import EntryKind, entry_example, joint_example
from reactio.contacts import CONTACTS
from reactio.couplings import COUPLINGS
from reactio.forces import FORCES
from reactio.joints import JOINTS_BY_SPACE

JOINTS = [joint for registry in JOINTS_BY_SPACE.values() for joint in registry.values()]
TEXTS = {
    **{f"{joint.space} {joint.name}": joint_example(joint) for joint in JOINTS},
    **{f"coupling {name}": entry_example(EntryKind.COUPLING, name) for name in COUPLINGS},
    **{f"force {name}": entry_example(EntryKind.FORCE, name) for name in FORCES},
    **{f"contact {name}": entry_example(EntryKind.CONTACT, name) for name in CONTACTS},
    **{f"body {name}": entry_example(EntryKind.BODY, name) for name in BODIES if not BODIES.get(name).internal},
}


def test_those_from_outside_have_none() -> None:
    for kind in EntryKind:
        assert entry_example(kind, "mine") == ""


@pytest.mark.parametrize("what", TEXTS)
def test_an_example_is_read_and_judged(what: str) -> None:
    model = reactio.parse_model(TEXTS[what], "example.yaml")
    answer = reactio.check(model)
    assert answer.redundancy == 0
    assert what.split()[-1] in TEXTS[what]


def test_examples_are_short() -> None:
    assert "at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.1}" in TEXTS["spatial screw"]
    assert max(len(text.splitlines()) for text in TEXTS.values()) < 10
