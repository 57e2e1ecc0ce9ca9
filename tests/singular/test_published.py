"""A sample of benchmarks/mobility.py: published mechanisms with the answers of the literature, and cusps in detail."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import reactio
from reactio.singular.second_order.branch_start import on_branch
from reactio.singular.second_order.branches import study
from reactio.singular.second_order.tangency import step

FILE = Path(__file__).parents[2] / "benchmarks" / "mobility.py"


def _benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mobility_benchmark", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BENCHMARK = _benchmark()
# Those that take less than a third of a second of processor time each.
QUICK = [
    "toggle, straight", "three parallel equal bars", "three parallel unequal bars", "three concurrent bars",
    "K33 on two lines", "K44 on two rectangles", "K33 on a conic", "2 toggles in series", "4 toggles in series",
    "Peaucellier on its line", "elliptic trammel with a crank", "four-bar with its cognate",
    "parallelogram of other screws", "octahedron, regular", "octahedron, line-symmetric", "octahedron, twisted by 90°",
    "Jessen's icosahedron", "platform on six parallel equal legs", "3-UPU of Tsai",
]  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_published_answers(name: str) -> None:
    assert BENCHMARK.answer(name)[2] == "right"


def test_a_platform_that_may_translate_or_twist_is_not_misjudged() -> None:
    assert BENCHMARK.answer("Wren platform, legs upright")[2] in ("right", "undecided")


def test_the_table_is_long_enough() -> None:
    assert len(BENCHMARK.MECHANISMS) >= 30


def test_the_double_watt_linkage_moves_to_one_side_of_its_cusp() -> None:
    """Connelly and Servatius: (s − t)² ~ t⁵, so that two arms leave one side and part like the power 5/2."""
    found = reactio.mobility(BENCHMARK.watt_pair(True))
    assert (found.gruebler, found.differential, found.finite, found.shaky) == (1, 2, 1, True)
    assert [(b.status, b.both_ways) for b in found.branches] == [("real", False)] * 2
    # Measured on circles of 0.05 and 0.025 m, where the next power, 7/2, adds some 0.025² of the first.
    assert [b.contact for b in found.branches] == pytest.approx([2.5, 2.5], abs=0.01)
    assert any("cusp" in sentence for sentence in found.words)


def test_both_arms_of_the_cusp_close_where_a_solution_by_hand_does() -> None:
    """Crank t = 0.1 rad of the first linkage: the other one stands at s = 0.095860 or 0.104622 rad."""
    system = reactio.build(BENCHMARK.watt_pair(True))
    found = study(system, reactio.assemble(system))
    first, second = (int(system.body_v[system.model.body_index[name]]) + 2 for name in ("cA0P0", "cA1P1"))
    closed = []
    for branch in found.real:
        chord = min(branch.chords, key=lambda d: abs(abs(d[first]) - 0.1))
        x, (low, high) = chord / np.linalg.norm(chord), (0.2, 0.4)
        for _ in range(18):
            middle = 0.5 * (low + high)
            there = step(found.at, x, middle)
            low, high = (middle, high) if abs(there.state.q[first]) < 0.1 else (low, middle)
        assert there.closed
        closed.append(abs(float(there.state.q[second])))
    assert sorted(closed) == pytest.approx([0.09586, 0.104622], abs=2e-6)  # the digits given, and 2⁻¹⁸ of 0.2 m


def test_a_run_starts_on_either_arm_of_a_cusp() -> None:
    system = reactio.build(BENCHMARK.watt_pair(True))
    pose, (first, second) = reactio.assemble(system), reactio.branches(system)
    starts = [on_branch(system, pose, branch, 1.0, reach=0.1) for branch in (first, second)]
    assert np.abs(starts[0].q - starts[1].q).max() > 1e-4  # 0.1^2.5 = 3e-3 apart, shared by the two linkages
    with pytest.raises(reactio.ReactioError, match="forwards"):
        on_branch(system, pose, first, -1.0, reach=0.1)


def test_two_motions_with_one_tangent_are_two_branches() -> None:
    found = reactio.mobility(BENCHMARK.watt_pair(False))
    assert [(b.status, b.both_ways) for b in found.branches] == [("real", True)] * 2
    assert [b.contact for b in found.branches] == pytest.approx([4.0, 4.0], abs=0.1)  # on circles of 0.4 and 0.2 m
    assert any("common tangent" in sentence for sentence in found.words)


NEARLY_STRAIGHT = """
space: planar
parameters: {a: 0.005, b: -0.0015, c: -0.0025}
bodies:
  r1: {mass: 1, inertia: 0.1, position: [cos(a), sin(a)], angle: a}
  r2: {mass: 1, inertia: 0.1, position: [cos(a)+cos(b), sin(a)+sin(b)], angle: b}
  r3: {mass: 1, inertia: 0.1, position: [cos(a)+cos(b)+cos(c), sin(a)+sin(b)+sin(c)], angle: c}
joints:
  A: {type: revolute, a: ground, b: {body: r1, point: [-1, 0]}}
  B: {type: revolute, a: r1, b: {body: r2, point: [-1, 0]}}
  C: {type: revolute, a: r2, b: {body: r3, point: [-1, 0]}}
  D: {type: revolute, a: {body: ground, point: [cos(a)+cos(b)+cos(c), sin(a)+sin(b)+sin(c)]}, b: r3}
"""


def test_a_motion_of_a_few_milliradians_is_a_motion() -> None:
    """Four bars that are almost straight: nothing is redundant, so that the admissible velocity is real."""
    found = reactio.mobility(reactio.parse_model(NEARLY_STRAIGHT))
    assert (found.differential, found.finite, found.shaky) == (1, 1, False)


@pytest.mark.parametrize("middle", ["[1.0, 0.0]", "[1.0, 0.0, 0.0]"])
def test_points_between_points(middle: str) -> None:
    """A flat parallelogram of point masses, in the plane and in space, where they also leave the plane."""
    zero = ", 0.0]" if middle.count(",") == 2 else "]"
    model = f"""
space: {"spatial" if "0.0, 0.0" in middle else "planar"}
bodies:
  b: {{kind: point, mass: 1, position: {middle}}}
  c: {{kind: point, mass: 1, position: [3.0, 0.0{zero}}}
joints:
  e0: {{type: distance, a: ground, b: b}}
  e1: {{type: distance, a: b, b: c}}
  e2: {{type: distance, a: c, b: {{body: ground, point: [2.0, 0.0{zero}}}}}
"""
    found = reactio.mobility(reactio.parse_model(model))
    assert found.differential == (2 if found.system.space == "planar" else 4)
    assert found.finite in ((1,) if found.system.space == "planar" else (3, None))
