"""Gmsh files of format 2.2 and 4.1 in text form."""

from __future__ import annotations

from reactio.structures.meshes.element_mesh import ElementMesh, RawMesh

# Shape, and the order of mid-side nodes: theirs, for each of ours.
GMSH_SOLIDS: dict[int, tuple[str, tuple[int, ...] | None]] = {
    4: ("tet4", None),
    11: ("tet10", (0, 1, 2, 3, 4, 5, 6, 7, 9, 8)),
    5: ("hex8", None),
}
GMSH_HEX20 = (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)
GMSH_SOLIDS |= {17: ("hex20", GMSH_HEX20), 12: ("hex27", (*GMSH_HEX20, 20, 25, 21, 23, 24, 22, 26))}
# Dimensions of the elements that are read: points, lines and faces for the sake of their sets.
GMSH_DIMENSION = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 8: 1, 9: 2, 10: 2, 11: 3, 12: 3, 15: 0, 16: 2, 17: 3}
# Solids that carry load and are not built here: leaving them out of a structure would be a wrong stiffness.
OTHER_GMSH_SOLIDS = {6: "prism", 7: "pyramid", 13: "prism", 14: "pyramid", 18: "prism", 19: "pyramid"}


def _blocks(text: str) -> dict[str, list[str]]:
    """The sections ``$Name … $EndName`` of a Gmsh file."""
    sections: dict[str, list[str]] = {}
    section: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("$End"):
            section = None
        elif line.startswith("$"):
            section = sections.setdefault(line[1:].strip(), [])
        elif section is not None and line.strip():
            section.append(line)
    return sections


def read_gmsh(text: str) -> ElementMesh:
    """The mesh of a file."""
    part, table = _blocks(text), RawMesh()
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


def _add(table: RawMesh, number: int, kind: int, nodes: list[int], name: str) -> None:
    if name:
        table.sets.setdefault(name, set()).update(nodes)
    if kind in GMSH_SOLIDS:
        shape, order = GMSH_SOLIDS[kind]
        table.add(shape, name, nodes if order is None else [nodes[k] for k in order], f"element {number} ({shape})")
    elif kind not in GMSH_DIMENSION:
        words = OTHER_GMSH_SOLIDS.get(kind, f"element of Gmsh's type {kind}")
        raise ValueError(f"it holds a {words}; tetrahedra and hexahedra of order 1 and 2 are read")


def _gmsh2(part: dict[str, list[str]], table: RawMesh, names: _GroupNames) -> None:
    for line in part["Nodes"][1:]:
        number, *x = line.split()
        table.nodes[int(number)] = [float(v) for v in x]
    for line in part["Elements"][1:]:
        element, kind, tags, *rest = (int(v) for v in line.split())
        group = names[GMSH_DIMENSION.get(kind, -1), rest[0] if tags else 0]
        _add(table, element, kind, rest[tags:], group)


def _gmsh4(part: dict[str, list[str]], table: RawMesh, names: _GroupNames) -> None:
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
            number, *nodes = (int(v) for v in next(lines).split())
            _add(table, number, kind, nodes, physical.get((dimension, tag), ""))
