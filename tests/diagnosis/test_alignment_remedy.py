"""An ambiguous verdict names its cause in mm, and an accuracy that decides it: both are tried here."""

from __future__ import annotations

import re

import pytest

import reactio
from reactio.system.geometry.accuracy import with_accuracy

TWO_HINGES = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {{door: {{mass: 25, inertia: [8, 9, 1.7], position: [0.45, 0, 1]}}}}
joints:
  h1: {{type: revolute, a: {{body: ground, point: [0, 0, 0.3]}}, b: {{body: door, point: [-0.45, 0, -0.7]}}}}
  h2:
    type: revolute
    a: {{body: ground, point: [{off}, 0, 1.7], axis: [{off}, 0, 1]}}
    b: {{body: door, point: ["-0.45 + {off}", 0, 0.7], axis: [{off}, 0, 1]}}
"""


@pytest.mark.parametrize("off", ["1e-9", "1e-10", "1e-11"])
def test_the_accuracy_that_is_named_decides(off: str) -> None:
    system = reactio.build(reactio.parse_model(TWO_HINGES.format(off=off)))
    eqs = reactio.equations(system)
    assert eqs.solvability["h1"].verdict == "ambiguous"
    (cure, *_) = reactio.explain(eqs, eqs.solvability, "h1").remedies
    assert "flexible" not in cure
    assert re.search(r"miss an aligned geometry by [\d.e-]+ mm, at h", cure)
    accuracy = re.search(r"--tolerance (\S+)`", cure)
    assert accuracy
    decided = reactio.check(with_accuracy(system, accuracy[1]))
    assert {str(group.verdict) for group in decided.groups} == {"not unique"}
