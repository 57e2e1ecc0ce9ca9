"""Loops, bridges and blocks against networkx-free oracles: Euler's formula and removal of edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import reactio
from reactio import library
from reactio.kinematics.assemble import initial_state
from reactio.system.topology import loops, topology


def connected(nodes: set[str], edges: list[tuple[str, str]]) -> int:
    """Number of connected parts, by flooding."""
    left, parts = set(nodes), 0
    while left:
        parts += 1
        queue = [left.pop()]
        while queue:
            here = queue.pop()
            for a, b in edges:
                for x, y in ((a, b), (b, a)):
                    if x == here and y in left:
                        left.remove(y)
                        queue.append(y)
    return parts


@pytest.mark.parametrize("name", library.names())
def test_against_flooding(name: str) -> None:
    model = reactio.build(reactio.load(name)).model  # closed contacts are joints there
    found = topology(reactio.build(model))
    nodes = {b.name for b in model.bodies} | {"ground"}
    edges = [(j.a.body, j.b.body) for j in model.joints]
    parts = connected(nodes, edges)
    assert found.parts == parts
    assert found.loops == len(edges) - len(nodes) + parts
    bridges = {
        joint.name for k, joint in enumerate(model.joints) if connected(nodes, edges[:k] + edges[k + 1 :]) > parts
    }
    assert set(found.bridges) == bridges
    members = [name for block in found.blocks for name in block]
    assert sorted(members + list(found.bridges)) == sorted(j.name for j in model.joints)


@pytest.mark.parametrize("name", library.names())
def test_fundamental_loops_close(name: str) -> None:
    model = reactio.build(reactio.load(name)).model
    found = loops(model)
    assert len(found) == topology(reactio.build(model)).loops
    for loop in found:
        ends: dict[str, int] = {}
        for joint in loop:
            for body in (model.joint(joint).a.body, model.joint(joint).b.body):
                ends[body] = ends.get(body, 0) + 1
        assert set(ends.values()) == {2}, "every body of a loop is entered once and left once"


def test_chain_of_two_pendulums_has_bridges_only() -> None:
    text = """
space: planar
bodies: {one: {mass: 1, inertia: 1}, two: {mass: 1, inertia: 1, position: [1, 0]}}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0]}
  B: {type: revolute, bodies: [one, two], at: [1, 0]}
"""
    found = topology(reactio.build(reactio.parse_model(text)))
    assert (found.loops, found.bridges, found.blocks, found.gruebler) == (0, ("A", "B"), (), 2)


def test_gear_between_four_bodies_makes_a_block() -> None:
    """A coupling ties its joints together though no loop of joints is closed."""
    text = """
space: spatial
bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, bodies: [ground, two], at: [1, 0, 0], axis: [1, 0, 0]}
couplings: {G: {type: gear, joints: [A, B], ratio: -2}}
"""
    found = topology(reactio.build(reactio.parse_model(text)))
    assert set(found.blocks[0]) == {"A", "B", "G"}
    assert found.loops == 0
    assert found.bridges == ()


@pytest.mark.parametrize("call", [topology, initial_state])
def test_a_model_is_not_a_system(call: Callable[[Any], object]) -> None:
    with pytest.raises(reactio.ReactioError, match=r"not (a Model;|Model:) reactio\.build"):
        call(reactio.load("door"))
