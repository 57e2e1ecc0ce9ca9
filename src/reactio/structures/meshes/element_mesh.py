"""Meshes as readers hand them on: nodes, elements, point masses, trusses, and sets of nodes by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints

NODE_COUNT = {"tet4": 4, "tet10": 10, "hex8": 8, "hex8i": 8, "hex20": 20, "hex27": 27}


class PointMass(NamedTuple):
    """A mass on a node."""

    name: str  # as an error calls it: element 900 (MASS)
    node: int
    mass: float  # in units of the file


class Truss(NamedTuple):
    """A straight bar between two nodes that bears forces along it only."""

    name: str
    nodes: tuple[int, int]
    area: float  # in units of the file
    group: str


@dataclass
class ElementMesh:
    """Nodes, elements by shape and group, point masses, trusses, and sets of nodes by name."""

    nodes: Floats  # (N, 3)
    elements: list[tuple[str, Ints, str]] = field(default_factory=list)  # shape, nodes (e, k), group
    sets: dict[str, Ints] = field(default_factory=dict)
    numbers: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # (N,) of the nodes in the file
    masses: list[PointMass] = field(default_factory=list)  # on places of nodes
    trusses: list[Truss] = field(default_factory=list)  # between places of nodes


class RawMesh:
    """A mesh by the numbers of a file, which become places of nodes at the end."""

    def __init__(self) -> None:
        self.nodes: dict[int, Sequence[float]] = {}
        self.elements: dict[tuple[str, str], list[list[int]]] = {}
        self.sets: dict[str, set[int]] = {}
        self.masses: list[PointMass] = []
        self.trusses: list[Truss] = []

    def add(self, shape: str, group: str, nodes: list[int], name: str) -> None:
        """A solid element; an error where it has another number of nodes than its shape."""
        if len(nodes) != NODE_COUNT[shape]:
            raise ValueError(f"{name} has {len(nodes)} nodes, not {NODE_COUNT[shape]}")
        self.elements.setdefault((shape, group), []).append(nodes)

    def mesh(self) -> ElementMesh:
        """Only nodes that solids use are kept."""
        used = sorted({n for rows in self.elements.values() for row in rows for n in row})
        if missing := [n for n in used if n not in self.nodes]:
            raise ValueError(f"node {missing[0]} of an element has no position")
        place = {n: i for i, n in enumerate(used)}
        for name, node in [(m.name, m.node) for m in self.masses] + [
            (t.name, n) for t in self.trusses for n in t.nodes
        ]:
            if node not in place:
                raise ValueError(f"{name} is on node {node}, which no solid element holds")
        for bar in self.trusses:
            if list(self.nodes[bar.nodes[0]]) == list(self.nodes[bar.nodes[1]]) or not bar.area > 0:
                raise ValueError(f"{bar.name} has no length, or no area")
        elements = [
            (s, np.array([[place[n] for n in row] for row in rows]), g) for (s, g), rows in self.elements.items()
        ]
        sets = {
            name: np.array(sorted(place[n] for n in members if n in place), dtype=np.int64)
            for name, members in self.sets.items()
        }
        return ElementMesh(
            np.array([self.nodes[n] for n in used]),
            elements,
            sets,
            np.array(used, dtype=np.int64),
            [mass._replace(node=place[mass.node]) for mass in self.masses],
            [bar._replace(nodes=(place[bar.nodes[0]], place[bar.nodes[1]])) for bar in self.trusses],
        )
