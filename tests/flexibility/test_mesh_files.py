"""Meshes written as Gmsh, Abaqus, CalculiX and Nastran do are the elements they were written from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.structure import structure
from reactio.structures.material import Material
from reactio.structures.meshes import read_mesh
from reactio.structures.solids import assemble_solids, brick

Floats = np.ndarray
SIZE = np.array([1.0, 0.3, 0.2])
STEEL = Material(E=2.1e11, nu=0.3, density=7800.0)
# Corners that mid-side nodes lie between, in the order of each program's manual.
BOTTOM, TOP, UP = ((0, 1), (1, 2), (2, 3), (3, 0)), ((4, 5), (5, 6), (6, 7), (7, 4)), ((0, 4), (1, 5), (2, 6), (3, 7))
EDGES: dict[tuple[str, str], tuple[tuple[int, ...], ...]] = {
    ("abaqus", "hex"): BOTTOM + TOP + UP,
    ("nastran", "hex"): BOTTOM + UP + TOP,
    ("gmsh", "hex"): (
        *((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3)),
        *((2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)),
    ),
    ("gmsh", "faces"): ((0, 3, 2, 1), (0, 1, 5, 4), (0, 4, 7, 3), (1, 2, 6, 5), (2, 3, 7, 6), (4, 5, 6, 7)),
    ("abaqus", "tet"): ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
    ("nastran", "tet"): ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
    ("gmsh", "tet"): ((0, 1), (1, 2), (2, 0), (0, 3), (2, 3), (1, 3)),
}
SIX = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))  # tetrahedra of a cube


class Block:
    """A bar of 2 × 1 × 1 bricks, turned into elements of one shape with nodes as a program lists them."""

    def __init__(self, shape: str, program: str) -> None:
        corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]) * SIZE
        grid, table = brick(np.vstack([corners, corners + np.array([0, 0, SIZE[2]])]), (2, 1, 1))
        cells = table[:, :8]
        if shape.startswith("tet"):
            cells = np.array([[row[k] for k in own] for row in cells for own in SIX])
        self.grid, self.shape = grid, shape
        kind = shape[:3]
        extra: tuple[tuple[int, ...], ...] = ()
        if shape in ("hex20", "hex27", "tet10"):
            extra = EDGES[program, kind]
        if shape == "hex27":
            extra += (*EDGES[program, "faces"], tuple(range(8)))
        self.elements = [[*row, *(self.middle(row, own) for own in extra)] for row in cells.tolist()]
        used = sorted({n for row in self.elements for n in row})
        self.number = {n: 100 + 7 * k for k, n in enumerate(used)}  # numbers with gaps, as after editing

    def middle(self, row: list[int], own: Iterable[int]) -> int:
        at = self.grid[[row[k] for k in own]].mean(axis=0)
        return int(np.linalg.norm(self.grid - at, axis=1).argmin())

    @property
    def nodes(self) -> list[tuple[int, Floats]]:
        return [(number, self.grid[n]) for n, number in self.number.items()]

    @property
    def rows(self) -> list[list[int]]:
        return [[self.number[n] for n in row] for row in self.elements]

    def end(self, x: float) -> list[int]:
        return [number for number, at in self.nodes if abs(at[0] - x) < 1e-9]


def gmsh2(block: Block) -> str:
    kind = {"hex8": 5, "hex20": 17, "hex27": 12, "tet4": 4, "tet10": 11}[block.shape]
    listed = [(kind, 1, row) for row in block.rows]
    listed += [(15, 2 + (x > 0), [n]) for x in (0.0, SIZE[0]) for n in block.end(x)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3"]
    lines += ['3 1 "steel part"', '0 2 "left"', '0 3 "right"', "$EndPhysicalNames", "$Nodes", str(len(block.nodes))]
    lines += [f"{n} {x!r} {y!r} {z!r}" for n, (x, y, z) in ((n, at.tolist()) for n, at in block.nodes)]
    lines += ["$EndNodes", "$Elements", str(len(listed))]
    lines += [f"{k + 1} {kind} 2 {tag} 1 {' '.join(map(str, row))}" for k, (kind, tag, row) in enumerate(listed)]
    return "\n".join([*lines, "$EndElements"])


def gmsh4(block: Block) -> str:
    kind = {"hex8": 5, "hex20": 17, "hex27": 12, "tet4": 4, "tet10": 11}[block.shape]
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$PhysicalNames", "3"]
    lines += ['3 1 "steel part"', '0 2 "left"', '0 3 "right"', "$EndPhysicalNames", "$Entities", "2 0 0 1"]
    lines += ["1 0 0 0 1 2", "2 1 0 0 1 3", "1 0 0 0 1 1 1 1 1 0", "$EndEntities", "$Nodes"]
    n = len(block.nodes)
    lines += [f"1 {n} 1 100000", f"3 1 0 {n}", *(str(k) for k, _ in block.nodes)]
    lines += [" ".join(repr(float(x)) for x in at) for _, at in block.nodes]
    ends = [block.end(0.0), block.end(SIZE[0])]
    lines += ["$EndNodes", "$Elements", f"3 {len(block.rows) + sum(map(len, ends))} 1 100000"]
    lines += [f"3 1 {kind} {len(block.rows)}"]
    lines += [f"{k + 1} {' '.join(map(str, row))}" for k, row in enumerate(block.rows)]
    for tag, own in enumerate(ends, start=1):
        lines += [f"0 {tag} 15 {len(own)}", *(f"{1000 * tag + k} {n}" for k, n in enumerate(own))]
    return "\n".join([*lines, "$EndElements"])


def abaqus(block: Block) -> str:
    kind = {"hex8": "C3D8", "hex20": "C3D20", "tet4": "C3D4", "tet10": "C3D10"}[block.shape]
    lines = ["** a bar", "*NODE, NSET=all"]
    lines += [f"{n}, {', '.join(repr(float(x)) for x in at)}" for n, at in block.nodes]
    lines += [f"*ELEMENT, TYPE={kind}, ELSET=steel part"]
    for k, row in enumerate(block.rows):
        own = [str(x) for x in (k + 1, *row)]
        cut = [own[i : i + 16] for i in range(0, len(own), 16)]
        lines += [", ".join(part) + ("," if i + 1 < len(cut) else "") for i, part in enumerate(cut)]
    left, right = block.end(0.0), block.end(SIZE[0])
    lines += ["*NSET, NSET=left", *(f"{n}," for n in left), "*ELEMENT, TYPE=CPS3, ELSET=right"]
    return "\n".join([*lines, *(f"{9000 + k}, {n}, {n}, {n}" for k, n in enumerate(right)), "*END"])


def free(*fields: object) -> str:
    return ",".join(str(f) for f in fields)


def nastran(block: Block, write: Callable[..., str] = free) -> str:
    lines = ["CEND", "BEGIN BULK", *(write("GRID", n, "", *at) for n, at in block.nodes)]
    name = "CHEXA" if block.shape.startswith("hex") else "CTETRA"
    for k, row in enumerate(block.rows):
        parts = [row[:6], *(row[i : i + 8] for i in range(6, len(row), 8))]
        lines += [free(name, k + 1, 5, *parts[0]), *(free("+", *more) for more in parts[1:])]
    for number, x in (("7", 0.0), ("8", SIZE[0])):
        own = block.end(x)
        lines += [free("SET1", number, *own[:7]), *(free("+", *own[i : i + 8]) for i in range(7, len(own), 8))]
    return "\n".join([*lines, "ENDDATA"])


def large(name: str, number: int, system: str, *at: float) -> str:
    """Fields of 16 columns, marked by a star, on two lines."""
    x, y, z = (f"{value:16.9E}"[:16] for value in at)
    return f"{name + '*':8}{number:16}{system:16}{x}{y}\n*       {z}"


def small(name: str, number: int, system: str, *at: float) -> str:
    """Fields of 8 columns with numbers such as 2.-1."""
    cells = "".join(f"{value:.4f}".replace("0.2000", "2.-1").rjust(8) for value in at)
    return f"{name:8}{number:8}{system:8}{cells}"


WRITERS: dict[str, tuple[str, str, Callable[[Block], str], tuple[str, ...]]] = {
    "gmsh2": ("msh", "gmsh", gmsh2, ("hex8", "hex20", "hex27", "tet4", "tet10")),
    "gmsh4": ("msh", "gmsh", gmsh4, ("hex8", "hex20", "hex27", "tet4", "tet10")),
    "abaqus": ("inp", "abaqus", abaqus, ("hex8", "hex20", "tet4", "tet10")),
    "nastran": ("bdf", "nastran", nastran, ("hex8", "hex20", "tet4", "tet10")),
    "nastran-small": ("nas", "nastran", lambda block: nastran(block, small), ("hex8",)),
    "nastran-large": ("bdf", "nastran", lambda block: nastran(block, large), ("hex20",)),
}
CASES = [(name, shape) for name, (_, _, _, shapes) in WRITERS.items() for shape in shapes]


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_what_is_read_is_what_was_written(name: str, shape: str, tmp_path: Path) -> None:
    """Mass, and stiffness on displacements that straight and curved fields give: the same as of the block itself."""
    ending, program, write, _ = WRITERS[name]
    (tmp_path / f"bar.{ending}").write_text(write(Block(shape, program)))
    mesh = read_mesh(str(tmp_path / f"bar.{ending}"), ())
    own = Block(shape, "gmsh" if shape == "hex27" else "abaqus")
    order = sorted(own.number)
    place = {n: k for k, n in enumerate(order)}
    table = np.array([[place[n] for n in row] for row in own.elements])
    if shape == "hex27":  # ours lists the faces bottom, top, front, right, back, left
        table = table[:, [*range(8), 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 20, 25, 21, 23, 24, 22, 26]]
    nodes = own.grid[order]
    incompatible = program == "nastran" and shape == "hex8"  # as these elements are there
    expected = assemble_solids(nodes, [("hex8i" if incompatible else shape, table, STEEL)])
    found = assemble_solids(mesh.nodes, [(s, t, STEEL) for s, t, _ in mesh.elements])
    assert mesh.numbers.tolist() == [100 + 7 * k for k in range(len(order))]
    for field in (_quadratic, _straight):
        u, v = field(nodes).ravel(), field(mesh.nodes).ravel()
        assert v @ found.K @ v == pytest.approx(u @ expected.K @ u, rel=1e-9)
        assert v @ found.M @ v == pytest.approx(u @ expected.M @ u, rel=1e-9)
    left, right = ("7", "8") if program == "nastran" else ("left", "right")
    assert mesh.nodes[mesh.sets[left]][:, 0] == pytest.approx(0.0)
    assert mesh.nodes[mesh.sets[right]][:, 0] == pytest.approx(SIZE[0])
    assert len(mesh.sets[left]) == len(own.end(0.0))


def _quadratic(x: Floats) -> Floats:
    return np.column_stack([x[:, 0] ** 2 + x[:, 1] * x[:, 2], x[:, 0] * x[:, 1], x[:, 2] ** 2 - x[:, 0] * x[:, 2]])


def _straight(x: Floats) -> Floats:
    return np.column_stack([x[:, 0] + 2 * x[:, 1], x[:, 2], x[:, 0] - x[:, 2]])


BAR = """
space: spatial
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}, soft: {{E: 7e10, nu: 0.3, density: 2700}}}}
bodies:
  bar: {{points: {{l: [0, 0.15, 0.1], r: [1, 0.15, 0.1]}}, flexible: {{mesh: {mesh}, material: steel,
    interfaces: {{l: {{nodes: left, as: {way}}}, r: {{nodes: {right}, as: {way}}}}}}}}}
joints:
  a: {{type: fixed, a: {{body: ground, point: [0, 0.15, 0.1]}}, b: bar.l}}
  b: {{type: fixed, a: {{body: ground, point: [1, 0.15, 0.1]}}, b: bar.r}}
"""


def bar(
    folder: Path, way: str = "rigid", right: str = "right", mesh: str = "bar.msh", shape: str = "hex20"
) -> reactio.Model:
    (folder / "bar.msh").write_text(gmsh2(Block(shape, "gmsh")))
    return reactio.parse_model(BAR.format(mesh=mesh, way=way, right=right), folder=folder)


def stiffness(model: reactio.Model) -> Floats:
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.K is not None
    return made.K


def test_mean_interfaces_let_the_ends_breathe(tmp_path: Path) -> None:
    """A bar pulled by the mean of its ends stretches by F L / E A, exactly; held rigidly at its ends it is stiffer."""
    mean, rigid = (stiffness(bar(tmp_path, way, shape="hex8"))[6, 6] for way in ("mean", "rigid"))
    assert mean == pytest.approx(2.1e11 * 0.06 / 1.0, rel=1e-9)
    assert rigid > 1.01 * mean


def test_loads_on_mean_interfaces_do_the_work_of_their_displacement(tmp_path: Path) -> None:
    """wᵀ F w is twice the energy in the elements: force on an interface times its displacement."""
    model = bar(tmp_path, "mean")
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.B is not None
    assert made.K is not None
    assert made.elements is not None
    q = np.random.default_rng(2).standard_normal(12)
    u = made.B @ q
    assert u @ made.elements.K @ u == pytest.approx(q @ made.K @ q, rel=1e-9)


def test_nodes_are_called_by_their_numbers_in_the_file(tmp_path: Path) -> None:
    numbers = Block("hex20", "gmsh").end(SIZE[0])
    assert stiffness(bar(tmp_path, right=str(numbers))) == pytest.approx(stiffness(bar(tmp_path)), rel=1e-9)


def test_groups_have_materials_of_their_own(tmp_path: Path) -> None:
    model = bar(tmp_path, mesh="{file: bar.msh, materials: {steel part: soft}}")
    assert model.bodies[0].mass == pytest.approx(2700 * 0.06, rel=1e-9)


def test_millimetres_are_scaled(tmp_path: Path) -> None:
    model = bar(tmp_path)
    big = gmsh2(Block("hex20", "gmsh"))
    head, _, rest = big.partition("$Nodes\n")
    count, *lines = rest.split("\n")
    scaled = [
        f"{n} " + " ".join(repr(1e3 * float(x)) for x in xs)
        for n, *xs in (line.split() for line in lines[: int(count)])
    ]
    (tmp_path / "mm.msh").write_text("\n".join([head + "$Nodes", count, *scaled, *lines[int(count) :]]))
    again = bar(tmp_path, mesh="{file: mm.msh, scale: 0.001}")
    assert stiffness(again) == pytest.approx(stiffness(model), rel=1e-8)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    import os

    assert bar(tmp_path).bodies[0].mass == pytest.approx(468.0)
    (tmp_path / "bar.msh").write_text(gmsh2(Block("hex8", "gmsh")))
    os.utime(tmp_path / "bar.msh", ns=(1, 1))
    model = reactio.parse_model(BAR.format(mesh="bar.msh", way="rigid", right="right"), folder=tmp_path)
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.elements is not None
    assert len(made.elements.nodes) == 12


@pytest.mark.parametrize(
    ("ending", "text", "words"),
    [
        ("msh", "$MeshFormat\n4.1 1 8\n$EndMeshFormat", "text form"),
        ("msh", gmsh2(Block("hex8", "gmsh")).replace(" 5 2 1 1 ", " 6 2 1 1 "), "holds a prism"),
        ("inp", abaqus(Block("hex8", "abaqus")).replace("C3D8", "C3D6"), "elements C3D6"),
        ("inp", abaqus(Block("hex8", "abaqus")).replace("C3D8", "C3D20"), "has 8 nodes"),
        ("inp", "*INCLUDE, INPUT=more.inp\nx\n", "includes another file"),
        ("bdf", "GRID,1,3,0.,0.,0.\nCTETRA,1,1,1,2,3,4\n", "coordinate system 3"),
        ("bdf", "GRID,1,,0.,0.,0.\nCTETRA,1,1,1,2,3,4\n", "node 2 of an element has no position"),
        ("bdf", "CQUAD4,1,1,1,2,3,4\n", "holds CQUAD4"),
        ("inp", "*NODE\n1, 0, 0, 0\n", "holds no solid elements"),
        ("stl", "solid", "is not a mesh file that Reactio reads"),
    ],
)
def test_files_that_are_no_such_mesh(ending: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / f"part.{ending}").write_text(text)
    with pytest.raises(ReactioError, match=words):
        read_mesh(str(tmp_path / f"part.{ending}"), ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"right": "rihgt"}, r"has no set of nodes 'rihgt'.*right"),
        ({"right": "left"}, r"node \d+ belongs to the interfaces 'l' and 'r'"),
        ({"right": str(Block("hex20", "gmsh").end(SIZE[0])[:2])}, "holds 2 nodes in a line"),
        ({"right": "[100, 101]"}, "has no node 101"),
        ({"way": "soft"}, "'rigid' or as 'mean', not as 'soft'"),
        ({"mesh": "bra.msh"}, "bra.msh"),
    ],
)
def test_interfaces_that_cannot_be(change: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=words):
        stiffness(bar(tmp_path, **change))
