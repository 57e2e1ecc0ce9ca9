"""Abaqus and CalculiX input files: solids, trusses, point masses, node systems and sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from reactio.structures.meshes.coordinates import CoordinateSystem, frame_of
from reactio.structures.meshes.element_mesh import ElementMesh, PointMass, RawMesh, Truss

# C3D8R bends without locking there, by hourglass control: the element with incompatible modes does so by its shape.
ABAQUS_SOLIDS = {
    "C3D4": "tet4", "C3D10": "tet10", "C3D10M": "tet10", "C3D10HS": "tet10", "C3D8": "hex8", "C3D8R": "hex8i",
    "C3D8I": "hex8i", "C3D20": "hex20", "C3D20R": "hex20",
}  # fmt: skip
# Lines and faces that meshers write for the sake of their sets; with a section they carry load.
LINES_AND_FACES = ("T2D2", "T3D2", "T3D3", "CPS3", "CPS4", "CPS6", "CPS8", "CPS4R", "CPS8R", "SFM3D3", "SFM3D4",
                   "SFM3D4R", "SFM3D6", "SFM3D8")  # fmt: skip
# Keywords without a part in the stiffness and mass of a free body: supports, loads, output, names, and materials (those
# of the model count).
HARMLESS_KEYWORDS = (
    "HEADING", "PREPRINT", "RESTART", "FILE FORMAT", "PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "END INSTANCE",
    "END", "SURFACE", "BOUNDARY", "INITIAL CONDITIONS", "AMPLITUDE", "TIME POINTS", "PHYSICAL CONSTANTS",
    "ORIENTATION", "TRANSFORM", "MATERIAL", "ELASTIC", "DENSITY", "EXPANSION", "CONDUCTIVITY", "SPECIFIC HEAT",
    "DAMPING", "PLASTIC", "SURFACE INTERACTION", "SURFACE BEHAVIOR", "FRICTION", "SECTION CONTROLS",
    "HOURGLASS STIFFNESS", "NODE PRINT", "EL PRINT", "NODE FILE", "EL FILE", "OUTPUT", "NODE OUTPUT",
    "ELEMENT OUTPUT", "CLOAD", "DLOAD", "DSLOAD", "TEMPERATURE", "MONITOR", "FILTER",
)  # fmt: skip


class _ListedElement(NamedTuple):
    """An element as it is listed."""

    number: int
    kind: str
    group: str
    nodes: list[int]

    @property
    def name(self) -> str:
        """As errors call it."""
        return f"element {self.number} ({self.kind})"


@dataclass
class _InputDeck:
    """What keywords have said so far; sections are given to elements at the end."""

    table: RawMesh = field(default_factory=RawMesh)
    elements: list[_ListedElement] = field(default_factory=list)
    element_sets: dict[str, set[int]] = field(default_factory=dict)  # by name in capital letters
    areas: dict[str, float | None] = field(default_factory=dict)  # sections by the name of their set; None: none given
    masses: dict[str, float] = field(default_factory=dict)  # by the name of their set
    frame: CoordinateSystem = field(default_factory=CoordinateSystem)  # of *SYSTEM

    def mesh(self) -> ElementMesh:
        """The mesh, with sections and masses on the elements they belong to."""
        for element in self.elements:
            if element.kind == "MASS":
                self.table.masses.append(
                    PointMass(element.name, element.nodes[0], self._given(element, self.masses, "*MASS"))
                )
            elif (shape := ABAQUS_SOLIDS.get(element.kind)) is not None:
                self.table.add(shape, element.group, element.nodes, element.name)
            elif self._sections(element, self.areas):
                if element.kind != "T3D2":
                    raise ValueError(f"{element.name} has a section; of lines and faces only T3D2 is read")
                first, second = element.nodes
                area = self._given(element, self.areas, "an area in its *SOLID SECTION")
                self.table.trusses.append(Truss(element.name, (first, second), area, element.group))
        return self.table.mesh()

    def _sections(self, element: _ListedElement, known: dict[str, float | None] | dict[str, float]) -> list[str]:
        return [name for name in known if element.number in self.element_sets.get(name, ())]

    def _given(self, element: _ListedElement, known: dict[str, float | None] | dict[str, float], what: str) -> float:
        values = [known[name] for name in self._sections(element, known)]
        if len(values) != 1 or values[0] is None:
            raise ValueError(f"{element.name} has no {what}, or several")
        return values[0]


Options = dict[str, str]
Lines = list[list[str]]


def read_abaqus(text: str) -> ElementMesh:
    """The mesh of a file; a keyword that is neither read nor harmless is an error.

    Sets of elements are sets of their nodes too.  Lines from *STEP on describe the analysis and are skipped.
    """
    deck = _InputDeck()
    for keyword, options, lines in _blocks(text):
        if keyword == "STEP":
            break
        if "INPUT" in options or keyword == "INCLUDE":
            raise ValueError(f"*{keyword} includes another file; write one file")
        reader = KEYWORDS.get(keyword)
        if reader is not None:
            reader(deck, options, lines)
        elif keyword not in HARMLESS_KEYWORDS:
            raise ValueError(f"it holds *{keyword}, which is not read: it may change nodes, stiffness or mass")
    return deck.mesh()


def _blocks(text: str) -> Iterator[tuple[str, Options, Lines]]:
    """Every keyword with its options and lines of data; a line that ends with a comma goes on in the next one."""
    block: tuple[str, Options, Lines] | None = None
    head = ""
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("**"):
            continue
        if line.startswith("*") or head:
            head += line
            if head.endswith(","):
                continue
            if block is not None:
                yield block
            name, *rest = (word.strip() for word in head[1:].split(","))
            pairs = (word.partition("=") for word in rest)
            options = {key.strip().upper(): value.strip().strip('"') for key, _, value in pairs}
            block, head = (" ".join(name.upper().split()), options, []), ""
        elif block is None:
            raise ValueError(f"data stand before the first keyword: {line}")
        else:
            block[2].append([word.strip() for word in line.split(",")])
    if block is not None:
        yield block


def _nodes(deck: _InputDeck, options: Options, lines: Lines) -> None:
    kind = (options.get("SYSTEM") or "R").upper()[0]
    if kind not in ("R", "C"):
        raise ValueError(f"*NODE, SYSTEM={options['SYSTEM']} is not read: write R or C")
    system = replace(deck.frame, kind=kind)
    for number, *rest in lines:
        if int(number) in deck.table.nodes:
            raise ValueError(f"node {number} is there twice; write one part, without instances")
        x = [float(v) if v else 0.0 for v in (*rest[:3], "", "", "")[:3]]
        deck.table.nodes[int(number)] = system.point(x).tolist()
        if "NSET" in options:
            deck.table.sets.setdefault(options["NSET"], set()).add(int(number))


def _system(deck: _InputDeck, _: Options, lines: Lines) -> None:
    """Origin, a point on the x axis and one in the plane of x and y; nothing for the axes of the file."""
    numbers = [float(v) for line in lines for v in line if v]
    if len(numbers) not in (0, 3, 6, 9):
        raise ValueError(f"*SYSTEM has {len(numbers)} coordinates; one, two or three points are read")
    a, b, c = (np.array(numbers[k : k + 3]) for k in (0, 3, 6))
    if len(numbers) < 6:
        deck.frame = CoordinateSystem(origin=a if len(a) else np.zeros(3))
        return
    # Without a third point the plane is that of the x axis and the y axis of the file.
    deck.frame = CoordinateSystem(origin=a, axes=frame_of(b - a, c - a if len(c) else np.array([0.0, 1.0, 0.0])))


def _elements(deck: _InputDeck, options: Options, lines: Lines) -> None:
    kind, group = options.get("TYPE", "").upper(), options.get("ELSET", "")
    if kind not in (*ABAQUS_SOLIDS, *LINES_AND_FACES, "MASS"):
        raise ValueError(f"it holds elements {kind}; {', '.join((*ABAQUS_SOLIDS, 'T3D2', 'MASS'))} are read")
    pending: list[str] = []
    for words in lines:
        pending += [word for word in words if word]
        if words[-1]:  # a line that ends with a comma goes on
            numbers = [int(v) for v in pending]
            deck.elements.append(_ListedElement(numbers[0], kind, group, numbers[1:]))
            deck.element_sets.setdefault(group.upper(), set()).add(numbers[0])
            if group:
                deck.table.sets.setdefault(group, set()).update(numbers[1:])
            pending = []
    if pending:
        raise ValueError(f"element {pending[0]} ({kind}) is not complete")


def _node_set(deck: _InputDeck, options: Options, lines: Lines) -> None:
    name = options.get("NSET", "")
    nodes = _listed(lines, "GENERATE" in options, deck.table.sets)
    if "ELSET" in options:
        nodes |= _nodes_of(deck, deck.element_sets.get(options["ELSET"].upper(), set()))
    deck.table.sets.setdefault(name, set()).update(nodes)


def _element_set(deck: _InputDeck, options: Options, lines: Lines) -> None:
    name = options.get("ELSET", "")
    by_name = {key: numbers for key, numbers in deck.element_sets.items() if key}
    members = _listed([[word.upper() for word in line] for line in lines], "GENERATE" in options, by_name)
    deck.element_sets.setdefault(name.upper(), set()).update(members)
    deck.table.sets.setdefault(name, set()).update(_nodes_of(deck, members))


def _nodes_of(deck: _InputDeck, numbers: set[int]) -> set[int]:
    return {node for element in deck.elements if element.number in numbers for node in element.nodes}


def _listed(lines: Lines, generate: bool, sets: dict[str, set[int]]) -> set[int]:
    """Numbers, ranges of them, or what other sets hold."""
    members: set[int] = set()
    for line in lines:
        values = [word.strip('"') for word in line if word]
        if generate:
            first, last, *step = (int(v) for v in values)
            members.update(range(first, last + 1, step[0] if step else 1))
            continue
        for word in values:
            members.update([int(word)] if word.lstrip("-").isdigit() else sets.get(word, ()))
    return members


def _solid_section(deck: _InputDeck, options: Options, lines: Lines) -> None:
    if "COMPOSITE" in options:
        raise ValueError("*SOLID SECTION, COMPOSITE is not read: write solids of one material each")
    numbers = [word for line in lines for word in line if word]
    deck.areas[options.get("ELSET", "").upper()] = float(numbers[0]) if numbers else None


def _other_section(deck: _InputDeck, options: Options, _: Lines) -> None:
    deck.areas[options.get("ELSET", "").upper()] = None


def _mass(deck: _InputDeck, options: Options, lines: Lines) -> None:
    deck.masses[options.get("ELSET", "").upper()] = float(lines[0][0])


def _instance(_: _InputDeck, options: Options, lines: Lines) -> None:
    if lines:
        raise ValueError(f"*INSTANCE, NAME={options.get('NAME', '')} is moved or turned; write it where it stands")


KEYWORDS: dict[str, Callable[[_InputDeck, Options, Lines], None]] = {
    "NODE": _nodes, "SYSTEM": _system, "ELEMENT": _elements, "NSET": _node_set, "ELSET": _element_set,
    "SOLID SECTION": _solid_section, "SHELL SECTION": _other_section, "MEMBRANE SECTION": _other_section,
    "SURFACE SECTION": _other_section, "MASS": _mass, "INSTANCE": _instance,
}  # fmt: skip
