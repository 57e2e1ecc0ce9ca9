"""Meshes: every keyword and card is read, has no part, or is refused by its name; against beams, rods and statics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.structures.condense import mass_properties_of
from reactio.structures.material import Material
from reactio.structures.meshes import read_mesh
from reactio.structures.meshes.element_mesh import ElementMesh
from reactio.structures.solids import assemble_solids

Floats = np.ndarray
STEEL = Material(E=2.1e11, nu=0.3, density=7800.0)
COUNT = 10  # elements along the bar of 1 m with a section of 50 mm
PLACES = [(k / COUNT, y, z) for k in range(COUNT + 1) for y in (-0.025, 0.025) for z in (-0.025, 0.025)]
CELLS = [[4 * k + n for n in (1, 5, 7, 3, 2, 6, 8, 4)] for k in range(COUNT)]
NODES = [(n + 1, *place) for n, place in enumerate(PLACES)]


def inp(
    kind: str = "C3D8I", nodes: Sequence[tuple[float, ...]] | None = None, head: str = "*NODE", more: str = ""
) -> str:
    lines = [head, *(", ".join(str(x) for x in row) for row in nodes or NODES), f"*ELEMENT, TYPE={kind},", "ELSET=ALL"]
    lines += [", ".join(str(n) for n in (k + 1, *row)) for k, row in enumerate(CELLS)]
    ends = [f"*NSET, NSET={name}\n" + ",\n".join(str(n) for n in own) for name, own in ENDS.items()]
    return "\n".join([*lines, *ends, more])


ENDS = {"LEFT": range(1, 5), "RIGHT": range(4 * COUNT + 1, 4 * COUNT + 5)}


def bdf(more: str = "", system: str = "", places: Sequence[tuple[float, ...]] | None = None) -> str:
    lines = ["SOL 101", "CEND", "DISPLACEMENT = ALL", "BEGIN BULK"]
    lines += [f"GRID,{n + 1},{system},{x},{y},{z}" for n, (x, y, z) in enumerate(places or PLACES)]
    for k, row in enumerate(CELLS):
        lines += [f"CHEXA,{k + 1},1," + ",".join(str(n) for n in row[:6]), "," + ",".join(str(n) for n in row[6:])]
    return "\n".join([*lines, "SPC1,1,123,1,2,3,4", more, "ENDDATA", "this is no card"])


def read(text: str, folder: Path, ending: str) -> ElementMesh:
    (folder / f"bar.{ending}").write_text(text)
    return read_mesh(str(folder / f"bar.{ending}"), ())


def mass_of(mesh: ElementMesh) -> float:
    solids = [(shape, table, STEEL) for shape, table, _ in mesh.elements]
    trusses = [(bar.nodes, bar.area, STEEL) for bar in mesh.trusses]
    found = mass_properties_of(assemble_solids(mesh.nodes, solids, trusses, [(m.node, m.mass) for m in mesh.masses]))
    assert found is not None
    return found.mass


HELD = """
space: spatial
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  b: {{points: {{l: [0, 0, 0], r: [1, 0, 0]}}, flexible: {structure}}}
joints:
  w: {{type: fixed, bodies: [ground, b], at: [0, 0, 0]}}
  s: {{type: point-on-plane, bodies: [ground, b], at: [1, 0, 0], axis: z, stiffness: 328125, misfit: 1e-3}}
"""
MESH = "{{mesh: {file}, material: steel, interfaces: {{l: {{nodes: LEFT}}, r: {{nodes: RIGHT}}}}}}"


def force(structure: str, folder: Path) -> float:
    model = reactio.parse_model(HELD.format(structure=structure), folder=folder)
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return float(found["s"].force[2])


@pytest.mark.parametrize("kind", ["C3D8I", "C3D8R"])
def test_one_row_of_hexahedra_bends_as_a_beam(kind: str, tmp_path: Path) -> None:
    """A hexahedron without further modes is too stiff by a third here."""
    (tmp_path / "bar.inp").write_text(inp(kind))
    beam = force("{beam: {from: l, to: r, section: {box: [0.05, 0.05]}}, material: steel}", tmp_path)
    assert force(MESH.format(file="bar.inp"), tmp_path) == pytest.approx(beam, rel=1e-2)  # Poisson's effect at the ends
    (tmp_path / "bar.inp").write_text(inp("C3D8"))
    assert force(MESH.format(file="bar.inp"), tmp_path) > 1.2 * beam


def test_incompatible_modes_pass_the_patch_test() -> None:
    """Distorted hexahedra in a linear field: the inner node is in equilibrium, and the energy is that of the strain."""
    rng = np.random.default_rng(3)
    grid = np.array([[x, y, z] for x in (0.0, 1.0, 2.0) for y in (0.0, 1.0, 2.0) for z in (0.0, 1.0, 2.0)])
    inner = (grid == 1.0).all(axis=1)
    grid[inner] += 0.3 * rng.uniform(-1, 1, 3)

    def at(i: int, j: int, k: int) -> int:
        return 9 * i + 3 * j + k

    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    table = np.array([[at(i + a, j + b, k + c) for a, b, c in corners] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    K = assemble_solids(grid, [("hex8i", table, STEEL)]).K
    gradient = 1e-3 * rng.standard_normal((3, 3))
    u = (grid @ gradient.T).ravel()
    loads = (K @ u).reshape(-1, 3)
    assert np.abs(loads[inner]).max() < 1e-9 * np.abs(loads).max()  # rounding
    e = (gradient + gradient.T) / 2
    lame = STEEL.E * 0.3 / (1.3 * 0.4)
    energy = 8 * (lame / 2 * np.trace(e) ** 2 + STEEL.shear * (e * e).sum())
    assert u @ (K @ u) / 2 == pytest.approx(energy, rel=1e-9)


MASS = "*ELEMENT, TYPE=MASS, ELSET=M\n900, 22\n*MASS, ELSET=m\n100.\n"
TRUSS = "*ELEMENT, TYPE=T3D2, ELSET=T\n901, 1, 44\n"
SECTION = "*Solid  section, ELSET=T, MATERIAL=S\n0.01\n"
BAR = 7800 * 0.05 * 0.05
ROD = 7800 * 0.01 * float(np.linalg.norm(np.subtract(PLACES[43], PLACES[0])))


@pytest.mark.parametrize(
    ("ending", "text", "mass"),
    [
        ("inp", inp(more=MASS), BAR + 100),
        ("inp", inp(more=MASS + TRUSS + SECTION), BAR + 100 + ROD),
        ("inp", inp(more=TRUSS), BAR),  # lines without a section are there for the sake of their set
        ("inp", inp(more="*BOUNDARY\nLEFT, 1, 3\n*STEP\n*STATIC\n*ANYTHING\n1, 2\n*END STEP"), BAR),
        ("bdf", bdf("CONM2,900,22,,100."), BAR + 100),
        ("bdf", bdf("CONM2   900     22              100."), BAR + 100),
        ("bdf", bdf("CONROD,901,1,44,7,.01"), BAR + ROD),
        ("bdf", bdf("CROD,901,8,1,44\nPROD,8,7,.01\nMAT1,7,2.1+11,,.3,7800.\nPARAM,POST,-1"), BAR + ROD),
    ],
)
def test_masses_and_rods_are_read(ending: str, text: str, mass: float, tmp_path: Path) -> None:
    assert mass_of(read(text, tmp_path, ending)) == pytest.approx(mass, rel=1e-9)


def test_point_masses_have_the_units_of_the_model(tmp_path: Path) -> None:
    """A file in mm and t beside a model in these units: 0.1 t are 100 kg."""
    (tmp_path / "bar.inp").write_text(inp(nodes=[(n, 1e3 * x, 1e3 * y, 1e3 * z) for n, x, y, z in NODES], more=MASS))
    (tmp_path / "bar.inp").write_text((tmp_path / "bar.inp").read_text().replace("100.", "0.1"))
    text = "units: [mm, t]\n" + HELD.format(structure=MESH.format(file="bar.inp"))
    text = text.replace("[1, 0, 0]", "[1000, 0, 0]").replace("E: 2.1e11", "E: 210000").replace("7800", "7.8e-9")
    assert reactio.parse_model(text, folder=tmp_path).bodies[0].mass == pytest.approx(BAR + 100, rel=1e-9)


def test_a_truss_bears_along_its_line() -> None:
    """Springs by hand: E A/L of a rod between opposite corners of a cube, added to its stiffness."""
    cube = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    table = np.array([[0, 4, 6, 2, 1, 5, 7, 3]])
    bare, held = (assemble_solids(cube, [("hex8", table, STEEL)], rods) for rods in ((), [((0, 7), 0.01, STEEL)]))
    u = np.random.default_rng(1).standard_normal(24)
    longer = (u[21:] - u[:3]) @ np.ones(3) / 3**0.5
    energy = STEEL.E * 0.01 / 3**0.5 * longer**2
    assert u @ (held.K @ u) - u @ (bare.K @ u) == pytest.approx(energy, rel=1e-6)  # of a difference of larger numbers


def cylindrical(x: float, y: float, z: float) -> tuple[float, float, float]:
    return float(np.hypot(x, y)), float(np.degrees(np.arctan2(y, x))), z


def spherical(x: float, y: float, z: float) -> tuple[float, float, float]:
    """As Nastran has it: the angle from z, then that about z."""
    r = float(np.sqrt(x * x + y * y + z * z))
    return r, float(np.degrees(np.arccos(z / r))) if r else 0.0, float(np.degrees(np.arctan2(y, x)))


TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]).T  # columns: axes of a frame
SHIFT = np.array([0.3, -0.2, 0.7])


@pytest.mark.parametrize("curved", [False, True])
def test_node_systems_of_abaqus(curved: bool, tmp_path: Path) -> None:
    """Coordinates in a frame of *SYSTEM, rectangular or cylindrical; after an empty one those of the file."""
    local = [TURN.T @ (np.array(p) - SHIFT) for p in PLACES]
    nodes = [(n + 1, *(cylindrical(*x) if curved else x.tolist())) for n, x in enumerate(local)]
    a, b, c = SHIFT, SHIFT + 2 * TURN[:, 0], SHIFT + 0.3 * TURN[:, 0] + TURN[:, 1]
    numbers = [", ".join(repr(float(v)) for v in row) for row in ((*a, *b), c)]
    head = f"*SYSTEM\n{numbers[0]}\n{numbers[1]}\n*NODE" + (", SYSTEM=C" if curved else "")
    assert read(inp(nodes=nodes, head=head), tmp_path, "inp").nodes == pytest.approx(np.array(PLACES), abs=1e-12)
    rest = [(n, *p) for n, *p in NODES]
    text = inp(nodes=rest, head=f"*SYSTEM\n{numbers[0]}\n{numbers[1]}\n*SYSTEM\n*NODE, SYSTEM=R")
    assert read(text, tmp_path, "inp").nodes == pytest.approx(np.array(PLACES), abs=1e-12)


@pytest.mark.parametrize("letter", ["R", "C", "S"])
@pytest.mark.parametrize("by_grids", [False, True])
def test_coordinate_systems_of_nastran(letter: str, by_grids: bool, tmp_path: Path) -> None:
    """The second point is on the z axis, the third in the plane of x and z; a system may refer to another one."""
    change = {"R": lambda x, y, z: (x, y, z), "C": cylindrical, "S": spherical}[letter]
    local = [change(*(TURN.T @ (np.array(p) - SHIFT))) for p in PLACES]
    corners = [SHIFT, SHIFT + 2 * TURN[:, 2], SHIFT + TURN[:, 0] + 0.4 * TURN[:, 2]]
    if by_grids:
        more = "\n".join(f"GRID,{900 + k},,{','.join(repr(float(v)) for v in x)}" for k, x in enumerate(corners))
        more += f"\nCORD1{letter},5,900,901,902"
    else:  # in a system that is shifted by SHIFT
        a, b, c = ([repr(float(v)) for v in x - SHIFT] for x in corners)
        more = f"CORD2{letter},5,4,{','.join(a + b)}\n,{','.join(c)}\n"
        first, second = SHIFT + np.array([0, 0, 1]), SHIFT + np.array([1, 0, 0])
        more += "CORD2R,4,0," + ",".join(repr(float(v)) for v in (*SHIFT, *first)) + "\n,"
        more += ",".join(repr(float(v)) for v in second)
    found = read(bdf(more, "5", local), tmp_path, "bdf").nodes
    assert found == pytest.approx(np.array(PLACES), abs=1e-12)
    if not by_grids:
        default = read(bdf("GRDSET,,5\n" + more, "", local), tmp_path, "bdf")
        assert default.nodes == pytest.approx(np.array(PLACES), abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "*NGEN\n1, 5, 1", "*NFILL\nA, B, 2", "*NCOPY, CHANGE NUMBER=10", "*ELGEN\n1, 3", "*ELCOPY",
        "*TIE, NAME=t\na, b",
        "*MPC\nBEAM, 1, 2", "*EQUATION\n2\n1,1,1.,2,1,-1.", "*RIGID BODY, REF NODE=1, ELSET=ALL", "*COUPLING",
        "*SPRING",
        "*NONSTRUCTURAL MASS", "*ROTARY INERTIA, ELSET=M\n1.", "*EMBEDDED ELEMENT", "*KINEMATIC", "*NMAP",
        "*USER ELEMENT",
        "*CONTACT PAIR", "*BEAM SECTION, ELSET=ALL",
    ],
)  # fmt: skip
def test_other_keywords_are_refused_by_name(text: str, tmp_path: Path) -> None:
    name = text.partition("\n")[0].partition(",")[0]
    with pytest.raises(ReactioError, match=rf"bar\.inp' cannot be read as a mesh: .*\{name}"):
        read(inp(more=text), tmp_path, "inp")


@pytest.mark.parametrize(
    "kind",
    ["SPRINGA", "ROTARYI", "B31", "S4R", "C3D6", "C3D15", "CONN3D2", "GAPUNI", "DASHPOTA", "STRI3", "M3D4", "R3D4",
     "U1",
     "DC3D8", "COH3D8", "SC8R", "C3D8H"],
)  # fmt: skip
def test_other_elements_are_refused_by_name(kind: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=f"elements {kind}; C3D4"):
        read(inp(more=f"*ELEMENT, TYPE={kind}\n901, 1, 2, 3, 4"), tmp_path, "inp")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (TRUSS + "*SOLID SECTION, ELSET=T", "no an area|has no an area|an area in its"),
        (TRUSS.replace("T3D2", "T3D3") + SECTION, r"element 901 \(T3D3\) has a section"),
        ("*ELEMENT, TYPE=MASS, ELSET=M\n900, 22", r"element 900 \(MASS\) has no \*MASS"),
        (MASS.replace("900, 22", "900, 99"), "is on node 99, which no solid element holds"),
        ("*INSTANCE, NAME=i, PART=p\n1., 0., 0.\n*END INSTANCE", r"\*INSTANCE, NAME=i is moved"),
        ("*NODE, SYSTEM=S\n99, 1., 2., 3.", "SYSTEM=S is not read"),
        ("*NODE, INPUT=more.inp", "includes another file"),
        ("*SOLID SECTION, ELSET=ALL, COMPOSITE", "COMPOSITE is not read"),
    ],
)
def test_parts_of_keywords_that_are_not_read(more: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=words):
        read(inp(more=more), tmp_path, "inp")


@pytest.mark.parametrize(
    "card",
    ["RBE2,9,1,123,2", "RBE3,9,,1,123,1.,123,2", "CBAR,9,1,1,2", "CBEAM,9,1,1,2", "CELAS1,9,1,1,1,2", "CELAS2,9,1.,1,1",
     "CBUSH,9,1,1,2", "CQUAD4,9,1,1,2,3,4", "CPENTA,9,1,1,2,3,4,5,6", "CMASS2,9,1.,1,1", "CONM1,9,1", "MPC,1,1,1,1.",
     "RBAR,9,1,2", "DMIG,K2GG,0,6,1", "CGAP,9,1,1,2", "NSM1,1,PSOLID,ALL,2.", "CTUBE,9,1,1,2", "RSPLINE,1"],
)  # fmt: skip
def test_other_cards_are_refused_by_name(card: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=f"it holds {card.partition(',')[0]}, which is not read"):
        read(bdf(card), tmp_path, "bdf")


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("CONM2,900,22,,100.,.1", "CONM2 900 has an offset"),
        ("CONM2,900,22,,100.\n,1.", "CONM2 900 has an offset or moments"),
        ("CONROD,901,1,44,7,.01,1.", "CONROD 901 has a torsion constant"),
        ("CROD,901,8,1,44\nPROD,8,7,.01,,,3.", "PROD 8 has a torsion constant or a non-structural mass"),
        ("CROD,901,8,1,44", "CROD 901 has no PROD 8"),
        ("PARAM,WTMASS,.00259", "PARAM WTMASS"),
        ("GRID,900,77,0.,0.,0.", "there is no coordinate system 77"),
        ("CORD2R,5,5,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,900,5,0.,0.,0.", "refers to itself"),
        ("INCLUDE 'more.bdf'", "includes another file"),
    ],
)
def test_parts_of_cards_that_are_not_read(card: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=words):
        read(bdf(card), tmp_path, "bdf")


def test_other_elements_of_gmsh_are_refused(tmp_path: Path) -> None:
    text = (
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 29 2 1 1 1\n$EndElements"
    )
    with pytest.raises(ReactioError, match="element of Gmsh's type 29"):
        read(text, tmp_path, "msh")


@pytest.mark.parametrize("x", [0.0, -0.3, -1e308], ids=["flat", "folded", "without a finite volume"])
@pytest.mark.parametrize("kind", ["C3D8", "C3D8I"])
def test_flat_and_folded_elements_are_refused_by_their_nodes(tmp_path: Path, kind: str, x: float) -> None:
    """Their volumes would count as positive, or divide by zero."""
    wrong = range(5, 9) if x == 0.0 else [6]
    nodes = [(n, x, *at) if n in wrong else (n, old, *at) for n, old, *at in NODES]
    (tmp_path / "bar.inp").write_text(inp(kind, nodes))
    (tmp_path / "m.yaml").write_text(HELD.format(structure=MESH.format(file="bar.inp")))
    with pytest.raises(ReactioError, match=r"elements are flat or folded, for example .* nodes 1, 5, 7, 3, 2, 6, 8, 4"):
        reactio.load(tmp_path / "m.yaml")
