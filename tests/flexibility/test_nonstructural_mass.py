"""Mass that weighs and does not stiffen: beams by length, plates by area."""

from __future__ import annotations

import pytest

import reactio as ro
from reactio.errors import ReactioError

BEAM = """
space: spatial
units: {units}
gravity: [0, 0, {g}]
materials: {{steel: {{E: {E}, nu: 0.3, density: {rho}}}}}
bodies:
  arm: {{flexible: {{{kind}, material: steel}}, points: {{root: [0, 0, 0], tip: [{L}, 0, 0]}}}}
joints: {{wall: {{type: fixed, a: ground, b: arm.root}}}}
"""
PLATE = "plate: {outline: [[0, -0.1], [1, -0.1], [1, 0.1], [0, 0.1]], thickness: 0.01, divisions: 2"
SI = {"units": "m", "g": -10, "E": 2.1e11, "rho": 7800, "L": 1}


def weight(kind: str, numbers: dict[str, object] = SI) -> float:
    """What the wall bears [N]."""
    model = ro.parse_model(BEAM.format(kind=kind, **numbers))
    return float(ro.reactions(ro.build(model, vibration=False))["wall"].force[2])


@pytest.mark.parametrize(
    ("plain", "loaded", "added"),
    [
        ("beam: {from: root, to: tip, section: {rod: 0.02}", ", mass_per_length: 3}", 3 * 1.0),
        (PLATE, ", mass_per_area: 5}", 1.0),
    ],
)
def test_it_weighs(plain: str, loaded: str, added: float) -> None:
    assert weight(plain + loaded) - weight(plain + "}") == pytest.approx(10 * added, rel=1e-9)


def test_it_has_the_units_of_the_file() -> None:
    mm = {"units": "mm", "g": -10_000, "E": 2.1e5, "rho": 7.8e-6, "L": 1000}
    kind = "beam: {{from: root, to: tip, section: {{rod: {d}}}, mass_per_length: {m}}}"
    assert weight(kind.format(d=20, m=3e-3), mm) == pytest.approx(weight(kind.format(d=0.02, m=3)), rel=1e-9)


def test_it_cannot_be_negative() -> None:
    with pytest.raises(ReactioError, match="mass_per_length is -3"):
        weight("beam: {from: root, to: tip, section: {rod: 0.02}, mass_per_length: -3}")
