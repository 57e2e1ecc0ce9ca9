"""Cables and struts whose length is left to the pose: it is read with its sign, and warmth makes them longer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.kinematics.body_state import model_at

MODEL = """space: planar
gravity: [0, -10]
bodies: {{load: {{mass: 10, inertia: 1, position: [0, 0], points: {{l: [-1, 0], m: [0, 0], r: [1, 0]}}}}}}
joints:
  a: {{type: {type}, a: {{body: ground, point: [-1, {y}]}}, b: load.l, EA: 1e5}}
  b: {{type: {type}, a: {{body: ground, point: [0, {y}]}}, b: load.m, EA: 1e5, temperature: {warm}, expansion: 1e-5}}
  c: {{type: {type}, a: {{body: ground, point: [1, {y}]}}, b: load.r, EA: 1e5}}
"""


@pytest.mark.parametrize(("kind", "y", "change"), [("cable", 2.0, -1.0), ("strut", -2.0, 1.0)])
def test_a_warm_member_is_longer(kind: str, y: float, change: float, tmp_path: Path) -> None:
    """A load of 100 N on three members, k = EA/2 m; the one in the middle gets longer by α ΔT = 1e-4 of its length.

    The others give way by as much: (2/3) EA α ΔT leaves a cable, or enters a strut.
    """
    file = tmp_path / "model.yaml"
    file.write_text(MODEL.format(type=kind, y=y, warm=10))
    model = reactio.load(file)
    eqs = reactio.equations(reactio.build(model))
    found = reactio.reactions(eqs, "compliance")
    middle = 100 / 3 + change * 2 / 3 * 1e5 * 1e-4
    forces = [float(np.linalg.norm(found[name].force)) for name in "abc"]
    # Three equations: rounding is some 1e-15 of the load.
    assert forces == pytest.approx([(100 - middle) / 2, middle, (100 - middle) / 2], rel=1e-12)
    written = model_at(eqs.system, eqs.state)
    assert [joint.parameters["length"] for joint in written.joints] == pytest.approx([2.0, 2.0, 2.0], rel=1e-15)
    assert any("a.length = 2 m" in note for note in reactio.check(model).notes)
