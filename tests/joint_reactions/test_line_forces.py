"""One number for a rod, a spring or a tooth: N, Ft and Fr, in reactions, sums, verdicts and histories."""

from __future__ import annotations

import math

import pytest

import reactio as ro
from reactio.design.error_bars import error_bars
from reactio.joint_reactions.component_history import component_history
from reactio.joint_reactions.springs import spring_tensions
from reactio.joint_reactions.sums import evaluated

TRUSS = """
space: planar
gravity: [0, -10]
bodies: {node: {mass: 2, inertia: 1, position: [0, -1]}}
joints:
  left: {type: distance, a: {body: ground, point: [-1, 0]}, b: node}
  right: {type: distance, a: {body: ground, point: [1, 0]}, b: node}
  still: {type: distance, a: {body: ground, point: [-5, -1]}, b: {body: node, point: [0, 1]}}
"""


def test_rods_report_their_tension() -> None:
    """Two rods at 45° carry 20 N: 20/√2 each."""
    found = ro.reactions(ro.parse_model(TRUSS))
    assert found["left"].line == {"N": pytest.approx(20 / math.sqrt(2))}
    assert [c.name for c in ro.check(ro.parse_model(TRUSS))["left"].components] == ["N"]
    total = evaluated(found, "left.N + right.N")
    assert total.value == pytest.approx(20 * math.sqrt(2))
    assert (total.unit, total.verdict) == ("N", "unique")
    assert evaluated(found, "left.Fy in world").value == pytest.approx(10.0)
    history = component_history(found.eqs.system, "left", [found])
    assert history.labels == ("N",)
    assert history.values[0, 0] == pytest.approx(20 / math.sqrt(2))


SPRING = """
space: planar
gravity: [0, -10]
bodies: {box: {mass: 2, inertia: 1, position: [0, -1.5]}}
joints:
  guide: {type: translational, bodies: [ground, box], at: [0, -1.5], axis: [0, 1]}
  rod: {type: distance, a: ground, b: box}
forces: {coil: {type: spring, a: ground, b: box, stiffness: 30, length: 1}}
"""


def test_springs_share_with_rods() -> None:
    found = ro.reactions(ro.parse_model(SPRING))
    assert spring_tensions(found.eqs) == {"coil": pytest.approx(15.0)}
    assert found["rod"].line["N"] == pytest.approx(5.0)  # 20 N less what the spring carries
    assert evaluated(found, "rod.N + coil.N").value == pytest.approx(20.0)
    assert evaluated(found, "coil.N").value == pytest.approx(15.0)


WHEELS = """
space: planar
bodies: {{one: {{mass: 1, inertia: 1}}, two: {{mass: 1, inertia: 1, position: [0.3, 0]}}}}
joints:
  A: {{type: revolute, bodies: [ground, one], at: [0, 0]}}
  B: {{type: revolute, bodies: [ground, two], at: [0.3, 0]}}
  {mesh}
forces: {{load: {{type: torque, at: two, torque: -20}}}}
hold: [A]
{more}
"""


@pytest.mark.parametrize("alpha", [None, 20.0])
def test_wheels_report_tooth_forces(alpha: float | None) -> None:
    """A torque of −20 N m on a wheel of 0.2 m is held by Ft = 100 N, and teeth at 20° press apart by 36.4 N."""
    given = f"involute-gear, pressure_angle: {math.radians(alpha)}" if alpha else "gear"
    mesh = f"mesh: {{type: {given}, a: one, b: two, radius_a: 0.1, radius_b: 0.2}}"
    found = ro.reactions(ro.parse_model(WHEELS.format(mesh=mesh, more="")))
    radial = {"Fr": pytest.approx(100 * math.tan(math.radians(alpha)))} if alpha else {}
    assert found["mesh"].line == {"Ft": pytest.approx(100.0), **radial}
    assert evaluated(found, "2*mesh.Ft").value == pytest.approx(200.0)
    assert [c.name for c in ro.check(found.eqs)["mesh"].components] == list(found["mesh"].line)
    if alpha:  # the shaft of the wheel bears what the teeth press apart
        assert found["B"].force[0] == pytest.approx(-100 * math.tan(math.radians(alpha)))


def test_couplings_report_tooth_forces_where_radii_are_known() -> None:
    mesh = "c: {type: gear, joints: [A, B], ratio: -2, radius: 0.1, pressure_angle: 0.3}"
    found = ro.reactions(ro.parse_model(WHEELS.format(mesh="", more=f"couplings: {{{mesh}}}")))
    assert abs(found["c"].line["Ft"]) == pytest.approx(100.0)
    assert found["c"].line["Fr"] == pytest.approx(found["c"].line["Ft"] * math.tan(0.3))
    total = evaluated(found, "c.Ft")
    assert total.value == pytest.approx(found["c"].line["Ft"])
    assert total.unit == "N"
    assert component_history(found.eqs.system, "c", [found]).labels == ("M", "Ft", "Fr")


SLING = """
space: planar
gravity: [0, -10]
ground: {{points: {{left: [-1, 0], right: [1, 0]}}}}
bodies: {{load: {{mass: 90, inertia: 1, position: [0, -1], points: {{left: [-1, 0], right: [1, 0]}}}}}}
joints:
  guide: {{type: translational, bodies: [ground, load], at: [0, -1], axis: [0, 1]}}
  left: {{type: distance, a: ground.left, b: load.left, stiffness: 1e6{misfit}}}
  right: {{type: distance, a: ground.right, b: load.right, stiffness: 1e6}}
"""


@pytest.mark.parametrize("word", ["length", "along"])
def test_a_rod_is_too_long_by_one_number(word: str) -> None:
    """A rod longer by δ carries k δ/2 less of the load: the two yield by as much each."""
    given = f", misfit: {{{word}: 1e-4}}"
    found = ro.reactions(ro.parse_model(SLING.format(misfit=given)), rule="compliance")
    assert found["left"].line["N"] == pytest.approx(450 - 1e6 * 1e-4 / 2)
    text = SLING.format(misfit="") + f"tolerances: {{left: {{{word}: 1e-4}}}}\n"
    bars = error_bars(ro.parse_model(text))
    assert bars["left.N"].worst == pytest.approx(50.0)
    assert error_bars(ro.parse_model(SLING.format(misfit="")), {f"left.{word}": 1e-4})["left.N"].worst == pytest.approx(
        50.0
    )
