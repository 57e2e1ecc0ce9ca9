"""Solid elements: stiffness and mass of isotropic bodies by tetrahedra and hexahedra, linear and quadratic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.linear.precision import ROUNDOFF
from reactio.structures import FiniteElements
from reactio.structures.centrifugal import spin_loads
from reactio.structures.material import Material

HEXAHEDRON_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
HEXAHEDRON_CORNERS = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
)
FACES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
TET_SIDES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
TET = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@dataclass(frozen=True, eq=False)
class ElementShape:
    """An element by its nodes in local coordinates and the monomials it interpolates; N = V⁻¹ m(ξ)."""

    nodes: Floats  # (k, 3)
    powers: Ints  # (k, 3)
    points: Floats  # (g, 3) of integration
    weights: Floats  # (g,)

    @property
    def middle(self) -> Floats:
        """The mean of the nodes (3,)."""
        return np.asarray(self.nodes.mean(axis=0))

    def values(self, at: Floats) -> tuple[Floats, Floats]:
        """N (k,) and ∂N/∂ξ (k, 3) at a point."""
        V = np.prod(self.nodes[:, None, :] ** self.powers[None], axis=2)
        m = np.prod(at**self.powers, axis=1)
        slopes = np.stack([self._slope(at, axis) for axis in range(3)], axis=1)
        return np.linalg.solve(V.T, m), np.linalg.solve(V.T, slopes)

    def _slope(self, at: Floats, axis: int) -> Floats:
        lower = self.powers.copy()
        lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
        return np.asarray(self.powers[:, axis] * np.prod(at**lower, axis=1))


def _means(nodes: Floats, sets: Iterable[tuple[int, ...]]) -> Floats:
    return np.array([nodes[list(corners)].mean(axis=0) for corners in sets])


@cache
def shapes() -> Mapping[str, ElementShape]:
    """The elements that are known, with nodes in the order of Abaqus and CalculiX."""
    x, w = np.polynomial.legendre.leggauss(3)
    cube = np.array(list(product(x, x, x))), np.array([a * b * c for a, b, c in product(w, w, w)])
    s, t = (x + 1) / 2, w / 2
    cone, inside = [], []
    for (a, p), (b, q), (c, r) in product(zip(s, t, strict=True), repeat=3):  # collapsed cube
        cone.append((a, b * (1 - a), c * (1 - a) * (1 - b * (1 - a) / (1 - a))))
        inside.append(p * q * r * (1 - a) ** 2 * (1 - b))
    tet = np.array(cone), np.array(inside)
    linear = np.array(list(product((0, 1), repeat=3)))
    corners = HEXAHEDRON_CORNERS.astype(float)
    twenty = np.array([p for p in product((0, 1, 2), repeat=3) if sum(1 for k in p if k == 2) <= 1 and _serendipity(p)])
    quadratic = np.array([p for p in product((0, 1, 2), repeat=3) if sum(p) <= 2])
    mid = np.vstack([corners, _means(corners, HEXAHEDRON_EDGES)])
    full = np.vstack([mid, _means(corners, FACES), np.zeros((1, 3))])
    four = TET.astype(float)
    return {
        "hex8": ElementShape(corners, linear, *cube),
        "hex20": ElementShape(mid, twenty, *cube),
        "hex27": ElementShape(full, np.array(list(product((0, 1, 2), repeat=3))), *cube),
        "tet4": ElementShape(four, np.array([p for p in product((0, 1), repeat=3) if sum(p) <= 1]), *tet),
        "tet10": ElementShape(np.vstack([four, _means(four, TET_SIDES)]), quadratic, *tet),
    }


def _serendipity(powers: tuple[int, ...]) -> bool:
    """Superlinear degree of at most two: the twenty monomials of a hexahedron with mid-side nodes."""
    return sum(k for k in powers if k > 1) <= 2


def elasticity_matrix(material: Material) -> Floats:
    """C (6, 6) of an isotropic material for (xx, yy, zz, xy, yz, zx) with engineering shear."""
    E, nu, G = material.E, material.nu, material.shear
    a = E / ((1 + nu) * (1 - 2 * nu))
    C = np.zeros((6, 6))
    C[:3, :3] = a * nu
    C[range(3), range(3)] = a * (1 - nu)
    C[range(3, 6), range(3, 6)] = G
    return C


def assemble_solids(
    nodes: Floats,
    groups: Iterable[tuple[str, Ints, Material]],
    trusses: Iterable[tuple[tuple[int, int], float, Material]] = (),
    masses: Iterable[tuple[int, float]] = (),
) -> FiniteElements:
    """K and M of elements, given in groups of one shape (its name, nodes of each (e, k), material).

    ``trusses``: two nodes, an area [m²] and a material; ``masses`` [kg] on nodes.
    """
    from scipy.sparse import coo_array

    n = 3 * len(nodes)
    parts = [(table, *_matrices(name, nodes[table], material)) for name, table, material in groups]
    parts += [(np.array([pair]), *_truss(nodes[list(pair)], area, material)) for pair, area, material in trusses]
    parts += [(np.array([[node]]), np.zeros((1, 3, 3)), mass * np.eye(3)[None]) for node, mass in masses]
    rows, columns, stiff, mass_entries = [], [], [], []
    for table, K, M in parts:
        at = (3 * table[:, :, None] + np.arange(3)).reshape(len(table), -1)
        size = at.shape[1]
        rows.append(np.repeat(at, size, axis=1).ravel())
        columns.append(np.tile(at, (1, size)).ravel())
        stiff.append(K.ravel())
        mass_entries.append(M.ravel())
    place = (np.concatenate(rows), np.concatenate(columns))
    matrices = [coo_array((np.concatenate(v), place), shape=(n, n)).tocsc() for v in (stiff, mass_entries)]
    return FiniteElements(matrices[0], matrices[1], nodes, 3, spin_loads(matrices[0], matrices[1], nodes, 3))


def misshapen(name: str, X: Floats) -> Bools:
    """Which elements with nodes X (e, k, 3) are flat, folded or without a finite volume?

    det J changes its sign, or is rounding of its columns, at a point of integration or in the middle.
    """
    shape = shapes()[name.removesuffix("i")]
    with np.errstate(over="ignore", invalid="ignore"):
        J = np.array([np.einsum("eki,kj->eij", X, shape.values(at)[1]) for at in (*shape.points, shape.middle)])
        det, size = np.linalg.det(J), np.prod(np.linalg.norm(J, axis=-2), axis=-1)
        return np.asarray(~((det > ROUNDOFF * size).all(axis=0) | (det < -ROUNDOFF * size).all(axis=0)))


def _truss(X: Floats, area: float, material: Material) -> tuple[Floats, Floats]:
    """K and M (1, 6, 6) of a straight bar between two points X (2, 3): E A/L along it, mass ρ A L."""
    along = X[1] - X[0]
    length = float(np.linalg.norm(along))
    K = np.kron([[1, -1], [-1, 1]], np.outer(along, along) * material.E * area / length**3)
    M = np.kron([[2, 1], [1, 2]], np.eye(3)) * material.density * area * length / 6
    return np.asarray(K[None], float), np.asarray(M[None], float)


def _strains(g: Floats) -> Floats:
    """B (e, 6, 3k) of displacements with gradients g (e, k, 3): (xx, yy, zz, xy, yz, zx) with engineering shear."""
    B = np.zeros((g.shape[0], 6, g.shape[1], 3))
    for i in range(3):
        B[:, i, :, i] = g[:, :, i]
    for row, (i, j) in enumerate(((0, 1), (1, 2), (2, 0)), start=3):
        B[:, row, :, i] = g[:, :, j]
        B[:, row, :, j] = g[:, :, i]
    return B.reshape(len(B), 6, -1)


def _matrices(name: str, X: Floats, material: Material) -> tuple[Floats, Floats]:
    """K and M (e, 3k, 3k) of elements with nodes X (e, k, 3).

    With incompatible modes 1 − ξ_i², whose gradients are those of the middle of the element times det J₀/det J so that
    they do no work in a constant stress (Taylor, Beresford & Wilson 1976, Int. J. Numer. Meth. Eng. 10): their
    amplitudes are condensed, K_uu − K_ua K_aa⁻¹ K_au.
    """
    shape, modes = shapes()[name.removesuffix("i")], name.endswith("i")
    count, k = X.shape[:2]
    C = elasticity_matrix(material)
    K, M = np.zeros((count, 3 * (k + 3 * modes), 3 * (k + 3 * modes))), np.zeros((count, k, k))
    middle = np.einsum("eki,kj->eij", X, shape.values(shape.middle)[1])
    for at, weight in zip(shape.points, shape.weights, strict=True):
        N, dN = shape.values(at)
        J = np.einsum("eki,kj->eij", X, dN)
        det = np.linalg.det(J)
        g = np.einsum("kj,eji->eki", dN, np.linalg.inv(J))
        if modes:
            ratio = np.linalg.det(middle) / det
            bent = np.einsum("e,kj,eji->eki", ratio, np.diag(-2 * at), np.linalg.inv(middle))
            g = np.concatenate([g, bent], axis=1)
        strain = _strains(g)
        K += np.einsum("e,eai,ab,ebj->eij", weight * np.abs(det), strain, C, strain, optimize=True)
        M += np.einsum("e,i,j->eij", weight * np.abs(det) * material.density, N, N)
    if modes:
        u, a = slice(0, 3 * k), slice(3 * k, None)
        K = K[:, u, u] - K[:, u, a] @ np.linalg.solve(K[:, a, a], K[:, a, u])
    mass = np.zeros((count, k, 3, k, 3))
    for i in range(3):
        mass[:, :, i, :, i] = M
    return K, mass.reshape(count, 3 * k, 3 * k)


def brick(corners: Floats, divisions: tuple[int, int, int]) -> tuple[Floats, Ints]:
    """Nodes and hex27 elements of a block between eight corners (8, 3), cut into equal parts."""
    sizes = tuple(2 * d + 1 for d in divisions)
    grid = np.stack(np.meshgrid(*(np.linspace(-1, 1, s) for s in sizes), indexing="ij"), axis=-1).reshape(-1, 3)
    N = np.prod(1 + grid[:, None] * HEXAHEDRON_CORNERS[None], axis=2) / 8
    number = np.arange(len(grid)).reshape(sizes)
    offsets = (shapes()["hex27"].nodes + 1).astype(int)
    table = [
        [number[2 * i + a, 2 * j + b, 2 * k + c] for a, b, c in offsets]
        for i, j, k in product(*(range(d) for d in divisions))
    ]
    return N @ corners, np.array(table)
