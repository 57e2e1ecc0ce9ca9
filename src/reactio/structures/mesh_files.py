"""Meshes of solids from Gmsh (2.2 and 4.1, text), Abaqus and CalculiX (.inp) and Nastran (.bdf, .nas) files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ModelError
from reactio.files import read_text

# Order of mid-side nodes: theirs, for each of ours.
GMSH: dict[int, tuple[str, tuple[int, ...] | None]] = {
    4: ("tet4", None),
    11: ("tet10", (0, 1, 2, 3, 4, 5, 6, 7, 9, 8)),
    5: ("hex8", None),
}
GMSH_HEX20 = (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)
GMSH |= {17: ("hex20", GMSH_HEX20), 12: ("hex27", (*GMSH_HEX20, 20, 25, 21, 23, 24, 22, 26))}
ABAQUS = {"C3D4": "tet4", "C3D10": "tet10", "C3D10M": "tet10", "C3D8": "hex8", "C3D8R": "hex8", "C3D8I": "hex8",
          "C3D20": "hex20", "C3D20R": "hex20"}  # fmt: skip
NASTRAN = {("CTETRA", 4): "tet4", ("CTETRA", 10): "tet10", ("CHEXA", 8): "hex8", ("CHEXA", 20): "hex20"}
NODE_COUNT = {"tet4": 4, "tet10": 10, "hex8": 8, "hex20": 20, "hex27": 27}
# Elements that carry load and are not built here: leaving them out of a structure would be a wrong stiffness.
GMSH_OTHERS = {6: "prism", 7: "pyramid", 13: "prism", 14: "pyramid", 18: "prism", 19: "pyramid"}
ABAQUS_OTHERS = ("C3D", "SC", "S3", "S4", "S6", "S8", "B2", "B3", "CPE", "CAX")
NASTRAN_OTHERS = ("CPENTA", "CPYRAM", "CQUAD4", "CQUAD8", "CTRIA3", "CTRIA6", "CBAR", "CBEAM")
# Nastran lists the edges between the two faces of a hexahedron before those of its upper face.
NASTRAN_HEX20 = (*range(12), 16, 17, 18, 19, 12, 13, 14, 15)


@dataclass
class ElementMesh:
    """Nodes, elements by shape and group, and sets of nodes by name."""

    nodes: Floats  # (N, 3)
    elements: list[tuple[str, Ints, str]] = field(default_factory=list)  # shape, nodes (e, k), group
    sets: dict[str, Ints] = field(default_factory=dict)
    numbers: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # (N,) of the nodes in the file


def read_mesh(path: str, where: tuple[str, ...]) -> ElementMesh:
    """The mesh of a file, by its ending."""
    readers = {".msh": _gmsh, ".inp": _abaqus, ".bdf": _nastran, ".nas": _nastran, ".dat": _nastran}
    ending = Path(path).suffix.lower()
    if ending not in readers:
        raise ModelError(f"'{path}' is no mesh that is read here: {', '.join(readers)}.", where)
    try:
        mesh = readers[ending](read_text(Path(path)))
    except (ValueError, IndexError, KeyError) as error:
        raise ModelError(f"'{path}' cannot be read as a mesh: {error!s}.", where) from None
    if not mesh.elements:
        raise ModelError(f"'{path}' holds no solid elements (tetrahedra or hexahedra).", where)
    return mesh


class _RawMesh:
    """Nodes by number, elements by shape and group, sets; numbers become places at the end."""

    def __init__(self) -> None:
        self.nodes: dict[int, list[float]] = {}
        self.elements: dict[tuple[str, str], list[list[int]]] = {}
        self.sets: dict[str, set[int]] = {}

    def mesh(self) -> ElementMesh:
        """Only nodes that solids use are kept."""
        used = sorted({n for rows in self.elements.values() for row in rows for n in row})
        place = {n: i for i, n in enumerate(used)}
        elements = [
            (s, np.array([[place[n] for n in row] for row in rows]), g) for (s, g), rows in self.elements.items()
        ]
        sets = {
            name: np.array(sorted(place[n] for n in own if n in place), dtype=np.int64)
            for name, own in self.sets.items()
        }
        missing = [n for n in used if n not in self.nodes]
        if missing:
            raise ValueError(f"node {missing[0]} of an element has no position")
        return ElementMesh(np.array([self.nodes[n] for n in used]), elements, sets, np.array(used, dtype=np.int64))


def _blocks(text: str) -> dict[str, list[str]]:
    """The sections ``$Name … $EndName`` of a Gmsh file."""
    found: dict[str, list[str]] = {}
    own: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("$End"):
            own = None
        elif line.startswith("$"):
            own = found.setdefault(line[1:].strip(), [])
        elif own is not None and line.strip():
            own.append(line)
    return found


def _gmsh(text: str) -> ElementMesh:
    part, table = _blocks(text), _RawMesh()
    if (
        not part.get("MeshFormat", ["0"])[0].split()[0].startswith(("2.2", "4.1"))
        or part["MeshFormat"][0].split()[1] != "0"
    ):
        raise ValueError("Gmsh files of format 2.2 and 4.1 in text form are read; save with -format msh2 or msh41")
    names = _GroupNames()
    for line in part.get("PhysicalNames", ["0"])[1:]:
        dimension, tag, name = line.split(maxsplit=2)
        names[int(dimension), int(tag)] = name.strip().strip('"')
    (_gmsh2 if part["MeshFormat"][0].startswith("2") else _gmsh4)(part, table, names)
    return table.mesh()


class _GroupNames(dict[tuple[int, int], str]):
    """Physical groups by dimension and number; one without a name is called by its number."""

    def __missing__(self, key: tuple[int, int]) -> str:
        return str(key[1]) if key[1] else ""


def _add(table: _RawMesh, kind: int, nodes: list[int], name: str) -> None:
    if name:
        table.sets.setdefault(name, set()).update(nodes)
    if kind in GMSH_OTHERS:
        raise ValueError(f"it holds a {GMSH_OTHERS[kind]}; tetrahedra and hexahedra are read")
    if kind in GMSH:
        shape, order = GMSH[kind]
        table.elements.setdefault((shape, name), []).append(nodes if order is None else [nodes[k] for k in order])


DIMENSION = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 8: 1, 9: 2, 10: 2, 11: 3, 12: 3, 15: 0, 16: 2, 17: 3}


def _gmsh2(part: dict[str, list[str]], table: _RawMesh, names: _GroupNames) -> None:
    for line in part["Nodes"][1:]:
        number, *x = line.split()
        table.nodes[int(number)] = [float(v) for v in x]
    for line in part["Elements"][1:]:
        _, kind, tags, *rest = (int(v) for v in line.split())
        group = names[DIMENSION.get(kind, -1), rest[0] if tags else 0]
        _add(table, kind, rest[tags:], group)


def _gmsh4(part: dict[str, list[str]], table: _RawMesh, names: _GroupNames) -> None:
    physical: dict[tuple[int, int], str] = {}
    lines = iter(part.get("Entities", ["0 0 0 0"]))
    counts = [int(v) for v in next(lines).split()]
    for dimension, count in enumerate(counts):
        for _ in range(count):
            row = next(lines).split()
            at = 4 if dimension == 0 else 7
            if int(row[at]):
                physical[dimension, int(row[0])] = names[dimension, abs(int(row[at + 1]))]
    lines = iter(part["Nodes"])
    for _ in range(int(next(lines).split()[0])):
        count = int(next(lines).split()[3])
        numbers = [int(next(lines)) for _ in range(count)]
        for number in numbers:
            table.nodes[number] = [float(v) for v in next(lines).split()[:3]]
    lines = iter(part["Elements"])
    for _ in range(int(next(lines).split()[0])):
        dimension, tag, kind, count = (int(v) for v in next(lines).split())
        for _ in range(count):
            _add(table, kind, [int(v) for v in next(lines).split()[1:]], physical.get((dimension, tag), ""))


def _abaqus(text: str) -> ElementMesh:
    """Nodes, solids and sets; a set of elements is one of their nodes too."""
    table, keyword, options = _RawMesh(), "", dict[str, str]()
    lines = (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("**"))
    pending: list[int] = []
    own: dict[int, list[int]] = {}  # nodes of every element
    for line in lines:
        if line.startswith("*"):
            head, *rest = (word.strip() for word in line[1:].split(","))
            keyword, pending = head.upper(), []
            options = {k.strip().upper(): v.strip() for k, _, v in (word.partition("=") for word in rest)}
            if keyword == "INCLUDE":
                raise ValueError("it includes another file; write one file")
            continue
        values = [word.strip() for word in line.split(",") if word.strip()]
        if keyword == "NODE":
            if int(values[0]) in table.nodes:
                raise ValueError(f"node {values[0]} is there twice; write one part, without instances")
            table.nodes[int(values[0])] = [float(v) for v in (*values[1:4], "0", "0")][:3]
            if "NSET" in options:
                table.sets.setdefault(options["NSET"], set()).add(int(values[0]))
        elif keyword == "ELEMENT":
            pending += [int(v) for v in values]
            if not line.endswith(","):
                _abaqus_element(table, options, pending)
                own[pending[0]], pending = pending[1:], []
        elif keyword in ("NSET", "ELSET"):
            found = _abaqus_listed(values, "GENERATE" in options, table.sets)
            nodes = found if keyword == "NSET" else {n for e in found for n in own.get(e, ())}
            table.sets.setdefault(options.get(keyword, ""), set()).update(nodes)
    return table.mesh()


def _abaqus_element(table: _RawMesh, options: dict[str, str], numbers: list[int]) -> None:
    """An element by its number and nodes."""
    kind, group = options.get("TYPE", "").upper(), options.get("ELSET", "")
    if group:
        table.sets.setdefault(group, set()).update(numbers[1:])
    if kind not in ABAQUS:
        if kind.startswith(ABAQUS_OTHERS):
            raise ValueError(f"it holds elements {kind}; {', '.join(ABAQUS)} are read")
        return  # surfaces and lines that a mesher writes for the sake of their sets
    if len(numbers) != 1 + NODE_COUNT[ABAQUS[kind]]:
        raise ValueError(f"element {numbers[0]} ({kind}) has {len(numbers) - 1} nodes")
    table.elements.setdefault((ABAQUS[kind], group), []).append(numbers[1:])


def _abaqus_listed(values: list[str], generate: bool, sets: dict[str, set[int]]) -> set[int]:
    """Numbers, a range of them, or what other sets hold."""
    if generate:
        first, last, *step = (int(v) for v in values)
        return set(range(first, last + 1, step[0] if step else 1))
    return {n for v in values for n in ([int(v)] if v.lstrip("-").isdigit() else sets.get(v, ()))}


def _cards(text: str) -> Iterator[list[str]]:
    """Bulk data cards in free, small (8 columns) or large fields (16, marked by *), with their continuations."""
    card: list[str] = []
    for line in text.splitlines():
        line = line.split("$")[0].rstrip()
        if not line:
            continue
        if "," in line:
            fields = [f.strip() for f in line.split(",")]
        elif "*" in line[:8]:
            fields = [line[:8].strip(), *(line[k : k + 16].strip() for k in range(8, 72, 16))]
        else:
            fields = [line[k : k + 8].strip() for k in range(0, 72, 8)]
        size = 5 if fields[0].endswith("*") or fields[0].startswith("*") else 9
        fields = (fields + [""] * size)[:size]
        if fields[0] == "" or fields[0].startswith(("+", "*")):
            card += fields[1:]
        else:
            if card:
                yield card
            card = [fields[0].rstrip("*"), *fields[1:]]
    if card:
        yield card


def _nastran_listed(values: list[str]) -> set[int]:
    """Numbers with ranges ``a THRU b``."""
    words = [v for v in values if v]
    found: set[int] = set()
    for k, word in enumerate(words):
        if word.upper() == "THRU":
            found.update(range(int(words[k - 1]), int(words[k + 1]) + 1))
        elif word.isdigit():
            found.add(int(word))
    return found


def _nastran_number(text: str) -> float:
    """1.5-3 is 1.5e-3 there."""
    try:
        return float(text)
    except ValueError:
        at = max(text.rfind("+"), text.rfind("-"))
        return float(f"{text[:at]}e{text[at:]}")


def _nastran(text: str) -> ElementMesh:
    table = _RawMesh()
    for card in _cards(text):
        name = card[0].upper()
        if name == "GRID":
            if card[2] not in ("", "0"):
                raise ValueError(f"GRID {card[1]} is in coordinate system {card[2]}; write all in the basic one")
            table.nodes[int(card[1])] = [_nastran_number(v or "0") for v in (*card[3:6], "0", "0", "0")][:3]
        elif name in ("CTETRA", "CHEXA"):
            nodes = [int(v) for v in card[3:] if v]
            if (name, len(nodes)) not in NASTRAN:
                raise ValueError(f"{name} {card[1]} has {len(nodes)} nodes")
            shape = NASTRAN[name, len(nodes)]
            if shape == "hex20":
                nodes = [nodes[k] for k in NASTRAN_HEX20]
            table.elements.setdefault((shape, card[2]), []).append(nodes)
        elif name in NASTRAN_OTHERS:
            raise ValueError(f"it holds {name}; CTETRA and CHEXA are read")
        elif name == "SET1":
            table.sets.setdefault(card[1], set()).update(_nastran_listed(card[2:]))
        elif name == "SPC1":
            table.sets.setdefault(card[1], set()).update(_nastran_listed(card[3:]))
    return table.mesh()
