"""Nastran bulk data: solids, rods, point masses and coordinate systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import ROUNDOFF
from reactio.structures.meshes.coordinates import CoordinateSystem, frame_of
from reactio.structures.meshes.element_mesh import ElementMesh, PointMass, RawMesh, Truss

# Hexahedra of eight nodes have incompatible modes there too, unless PSOLID says otherwise.
NASTRAN_SOLIDS = {("CTETRA", 4): "tet4", ("CTETRA", 10): "tet10", ("CHEXA", 8): "hex8i", ("CHEXA", 20): "hex20"}
# It lists the edges between the two faces of a hexahedron before those of its upper face.
NASTRAN_HEX20 = (*range(12), 16, 17, 18, 19, 12, 13, 14, 15)
COORDINATE_CARDS = ("CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S")
# Cards without a part in the stiffness and mass of a free body: supports, loads, materials (those of the model count),
# and what is solved and printed.
HARMLESS_CARDS = (
    "ENDDATA", "MAT1", "MATT1", "PSOLID", "SPC", "SPCADD", "SPCD", "SUPORT", "SUPORT1", "LOAD", "FORCE", "FORCE1",
    "FORCE2", "MOMENT", "MOMENT1", "MOMENT2", "PLOAD", "PLOAD2", "PLOAD4", "GRAV", "ACCEL", "ACCEL1", "RFORCE", "TEMP",
    "TEMPD", "EIGR", "EIGRL", "EIGB", "EIGC", "ASET", "ASET1", "BSET", "BSET1", "CSET", "CSET1", "QSET", "QSET1",
    "OMIT", "OMIT1", "USET", "USET1", "SPOINT", "TABLED1", "TABLEM1", "TABDMP1", "FREQ", "FREQ1", "FREQ2", "TSTEP",
    "TLOAD1", "TLOAD2", "RLOAD1", "RLOAD2", "DAREA", "DLOAD", "SET3",
)  # fmt: skip
WHOLE = ROUNDOFF  # by which a factor of masses may differ from one


@dataclass
class _Bulk:
    """Cards that refer to each other, by their numbers; they are resolved at the end."""

    table: RawMesh = field(default_factory=RawMesh)
    grids: dict[int, tuple[int, list[float]]] = field(default_factory=dict)  # system and coordinates
    systems: dict[int, list[str]] = field(default_factory=dict)  # cards
    rods: list[tuple[int, tuple[int, int], int]] = field(default_factory=list)  # number, nodes, property
    areas: dict[int, float] = field(default_factory=dict)  # of properties
    known: dict[int, CoordinateSystem] = field(default_factory=lambda: {0: CoordinateSystem()})
    default_system: str = ""

    def system(self, number: int, within: tuple[int, ...] = ()) -> CoordinateSystem:
        """A coordinate system by its number; those it refers to first."""
        if number not in self.known:
            if number not in self.systems:
                raise ValueError(f"there is no coordinate system {number}")
            if number in within:
                raise ValueError(f"coordinate system {number} refers to itself")
            self.known[number] = self._made(self.systems[number], (*within, number))
        return self.known[number]

    def _made(self, card: list[str], within: tuple[int, ...]) -> CoordinateSystem:
        name = card[0].upper()
        if name.startswith("CORD1"):
            a, b, c = (self.position(int(card[k]), within) for k in (2, 3, 4))
        else:
            base = self.system(int(card[2] or 0), within)
            numbers = [_number(v) for v in (*card[3:12], *[""] * 9)[:9]]
            a, b, c = (base.point(numbers[k : k + 3]) for k in (0, 3, 6))
        z, x, y = frame_of(b - a, c - a).T  # the second point is on z, the third in the plane of x and z
        return CoordinateSystem(name[-1], a, np.column_stack([x, y, z]))

    def position(self, number: int, within: tuple[int, ...] = ()) -> Floats:
        """(3,) of a grid point, in the basic system."""
        if number not in self.grids:
            raise ValueError(f"there is no GRID {number}")
        system, x = self.grids[number]
        return self.system(system, within).point(x)

    def mesh(self) -> ElementMesh:
        """The mesh, all positions in the basic system."""
        self.table.nodes = {number: self.position(number).tolist() for number in self.grids}
        for element, nodes, number in self.rods:
            if number not in self.areas:
                raise ValueError(f"CROD {element} has no PROD {number}")
            self.table.trusses.append(Truss(f"CROD {element}", nodes, self.areas[number], str(number)))
        return self.table.mesh()


def read_nastran(text: str) -> ElementMesh:
    """The mesh of a file; a card that is neither read nor harmless is an error."""
    bulk = _Bulk()
    for card in _cards(text):
        if card[0].upper() == "GRDSET":
            bulk.default_system = card[2]
    for card in _cards(text):
        name = card[0].upper()
        reader = CARDS.get(name)
        if reader is not None:
            reader(bulk, card)
        elif name not in HARMLESS_CARDS:
            raise ValueError(
                f"it holds {name}, which is not read: it may change stiffness or mass. {', '.join(_READ)} are read"
            )
    return bulk.mesh()


def _grid(bulk: _Bulk, card: list[str]) -> None:
    system = int(card[2] or bulk.default_system or 0)
    bulk.grids[int(card[1])] = (system, [_number(v) for v in (*card[3:6], "", "", "")[:3]])


def _solid(bulk: _Bulk, card: list[str]) -> None:
    name, nodes = card[0].upper(), [int(v) for v in card[3:] if v]
    if (name, len(nodes)) not in NASTRAN_SOLIDS:
        raise ValueError(f"{name} {card[1]} has {len(nodes)} nodes")
    shape = NASTRAN_SOLIDS[name, len(nodes)]
    bulk.table.add(
        shape, card[2], [nodes[k] for k in NASTRAN_HEX20] if shape == "hex20" else nodes, f"{name} {card[1]}"
    )


def _point_mass(bulk: _Bulk, card: list[str]) -> None:
    """CONM2: number, node, system, mass, offset (3), then moments of inertia: none of these fit nodes of solids."""
    name = f"CONM2 {card[1]}"
    values = [_number(v) for v in card[5:8] + card[9:15]]
    if any(values):
        raise ValueError(f"{name} has an offset or moments of inertia, and nodes of solids do not rotate")
    bulk.table.masses.append(PointMass(name, int(card[2]), _number(card[4])))


def _rod(bulk: _Bulk, card: list[str]) -> None:
    bulk.rods.append((int(card[1]), (int(card[3]), int(card[4])), int(card[2] or card[1])))


def _rod_property(bulk: _Bulk, card: list[str]) -> None:
    bulk.areas[int(card[1])] = _area(f"PROD {card[1]}", card[3:7])


def _rod_alone(bulk: _Bulk, card: list[str]) -> None:
    name = f"CONROD {card[1]}"
    area = _area(name, card[5:9])
    bulk.table.trusses.append(Truss(name, (int(card[2]), int(card[3])), area, card[4]))


def _area(name: str, fields: list[str]) -> float:
    """Of area, torsion constant, stress coefficient and mass per length."""
    area, torsion, _, mass = (_number(v) for v in (*fields, "", "", "", "")[:4])
    if torsion or mass:
        raise ValueError(f"{name} has a torsion constant or a non-structural mass, which are not read")
    return area


def _system(bulk: _Bulk, card: list[str]) -> None:
    bulk.systems[int(card[1])] = card
    if card[0].upper().startswith("CORD1") and any(card[5:9]):  # two of them on a card
        bulk.systems[int(card[5])] = [card[0], *card[5:9]]


def _set(bulk: _Bulk, card: list[str]) -> None:
    bulk.table.sets.setdefault(card[1], set()).update(_listed(card[2:]))


def _supports(bulk: _Bulk, card: list[str]) -> None:
    """Nodes that are held together are a set, by its number."""
    bulk.table.sets.setdefault(card[1], set()).update(_listed(card[3:]))


def _parameter(_: _Bulk, card: list[str]) -> None:
    if card[1].upper() == "WTMASS" and abs(_number(card[2]) - 1.0) > WHOLE:
        raise ValueError(f"PARAM WTMASS is {card[2]}: masses have other units; write them in those of the model")


def _defaults(_: _Bulk, card: list[str]) -> None:
    """GRDSET, read before the grids."""


CARDS = {
    "GRID": _grid, "GRDSET": _defaults, "CTETRA": _solid, "CHEXA": _solid, "CONM2": _point_mass, "CROD": _rod,
    "PROD": _rod_property, "CONROD": _rod_alone, "SET1": _set, "SPC1": _supports, "PARAM": _parameter,
    **dict.fromkeys(COORDINATE_CARDS, _system),
}  # fmt: skip
_READ = ("GRID", "CTETRA", "CHEXA", "CROD", "CONROD", "CONM2", "CORD1", "CORD2", "SET1", "SPC1")


def _cards(text: str) -> Iterator[list[str]]:
    """Bulk data cards in free, small (8 columns) or large fields (16, marked by *), with their continuations.

    Lines before BEGIN BULK describe the analysis and are skipped.
    """
    card: list[str] = []
    for line in _bulk_lines(text):
        large = "*" in line[:8]
        width, most = (16, 5) if large else (8, 9)  # a further field names the continuation
        if "," in line:
            fields = [f.strip() for f in line.split(",")]
        else:
            fields = [line[:8].strip(), *(line[k : k + width].strip() for k in range(8, 72, width))]
        fields = (fields + [""] * most)[:most]
        if fields[0] == "" or fields[0].startswith(("+", "*")):
            card += fields[1:]
        else:
            if card:
                yield card
            card = [fields[0].rstrip("*"), *fields[1:]]
    if card:
        yield card


def _bulk_lines(text: str) -> Iterator[str]:
    lines = [line.split("$")[0].rstrip() for line in text.splitlines()]
    starts = [k for k, line in enumerate(lines) if line.upper().split()[:2] == ["BEGIN", "BULK"]]
    if len(starts) > 1:
        raise ValueError("it holds several bulk data sections (superelements); write one")
    for line in lines[starts[0] + 1 :] if starts else lines:
        if line.upper().startswith("INCLUDE"):
            raise ValueError("it includes another file; write one file")
        if line.upper().startswith("ENDDATA"):
            return
        if line:
            yield line


def _listed(values: list[str]) -> set[int]:
    """Numbers with ranges ``a THRU b``."""
    words = [v for v in values if v]
    numbers: set[int] = set()
    for k, word in enumerate(words):
        if word.upper() == "THRU":
            numbers.update(range(int(words[k - 1]), int(words[k + 1]) + 1))
        elif word.isdigit():
            numbers.add(int(word))
    return numbers


def _number(text: str) -> float:
    """1.5-3 is 1.5e-3 there; an empty field is zero."""
    if not text:
        return 0.0
    try:
        return float(text.upper().replace("D", "E"))
    except ValueError:
        at = max(text.rfind("+"), text.rfind("-"))
        return float(f"{text[:at]}e{text[at:]}")
