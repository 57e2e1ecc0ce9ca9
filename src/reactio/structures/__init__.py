"""Structures: bodies that bend, reduced to the frames where joints and loads hold them; one file for each kind.

A kind turns a description in a model (a beam, a plate, a mesh, matrices of another program) into a ``Flexibility``:
stiffness and mass on interface frames, and the compliance of the floating body between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.registry import Registry
from reactio.linear.precision import ROUNDOFF
from reactio.structures.material import Material

STRUCTURES: Registry[StructureKind] = Registry("kind of flexible body", "reactio.structures.kinds")
register = STRUCTURES.register
# Part of the largest entry to which matrices from files are symmetric and have no negative eigenvalue: programs print
# eight digits, and fewer do not distinguish them from wrong matrices.
PRINTED_MATRIX = 1e-8
# Part of the largest column of L below which one is rounding: compliances then differ by 24 decades.
NO_DEFORMATION = ROUNDOFF


def extent(points: Floats) -> float:
    """The diagonal of the box around points [m]; 1 where they are at one place."""
    return float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0


@dataclass(frozen=True, eq=False)
class Particles:
    """Mass points in place of the mass of elements whose nodes rotate, with the same M = Nᵀ m N; body axes.

    Fields that such elements cannot follow, as ω×Ψ, have values here, while nodes would need rotations for them.
    """

    places: Floats  # (P, 3) [m]
    mass: Floats  # (P,) [kg]
    N: Floats  # (3 P, n) displacements of the points for those of the nodes


@dataclass(frozen=True, eq=False)
class FiniteElements:
    """Nodes with 3 or 6 degrees of freedom each, and the matrices on them; body axes."""

    K: Any  # (n, n) CSC stiffness [N/m, N, N m]
    M: Any  # (n, n) CSC mass [kg, kg m, kg m²]
    nodes: Floats  # (N, 3) positions [m]
    freedoms: int  # of a node: 3 translations, or these and 3 rotations
    stretch: Floats  # (n, 6) loads of the centrifugal field ω×(ω×x), for the six numbers of ωωᵀ − ω²I
    particles: Particles | None = None  # where nodes rotate and the inside is wanted
    bars: tuple[tuple[int, int], ...] = ()  # nodes at both ends of the pieces of beams, along each beam

    def rigid(self) -> Floats:
        """(n, 6) displacements of the nodes in the rigid motions of the body about its origin."""
        out = np.zeros((len(self.nodes), self.freedoms, 6))
        out[:, :3, :3] = np.eye(3)
        x, y, z = self.nodes.T
        zero = np.zeros_like(x)
        out[:, :3, 3:] = np.stack(
            [np.stack([zero, z, -y]), np.stack([-z, zero, x]), np.stack([y, -x, zero])]
        ).transpose(2, 0, 1)
        if self.freedoms == 6:
            out[:, 3:, 3:] = np.eye(3)
        return out.reshape(-1, 6)


@dataclass(frozen=True, eq=False)
class Interface:
    """A frame of a joint or load that holds nodes: rigidly (they move with it), or as their mean."""

    label: str
    point: Floats  # (3,) [m]
    nodes: Ints  # (k,)
    rigid: bool = True


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass [kg], centre [m] and moments about it (xx, yy, zz, xy, xz, yz) [kg m²], body axes."""

    mass: float
    center: tuple[float, ...]
    inertia: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Flexibility:
    """A flexible body as its joints and loads see it: J interface frames, body axes; six displacements at each.

    ``F`` maps wrenches on the interfaces to their displacements once the inertia of the floating body has balanced the
    wrenches: F = Pᵀ K^g P.  ``elements`` and ``B`` serve modes, shapes and stresses, which need the inside.
    """

    name: str
    points: Floats  # (J, 3) interface frames, turned as the body
    L: Floats  # (6J, r) root of F
    # (r, 6) deformations by the six numbers of ωωᵀ − ω²I, displacements are L times these; None where the distribution
    # of mass, which makes them, is not known.
    spin: Floats | None
    K: Floats | None = None  # (6J, 6J) stiffness condensed on the interfaces
    M: Floats | None = None  # (6J, 6J) BᵀM B
    B: Floats | None = None  # (n, 6J) constraint modes: shapes of the nodes for unit displacements of the interfaces
    elements: FiniteElements | None = None
    labels: tuple[str, ...] = ()  # names of the interfaces, where they have any
    held: Floats | None = None  # (P, 3) points that rigid arms connect with interfaces, when these are not the same
    interface_of: tuple[int, ...] = ()  # (P,) the interface of each of them
    holding: Any = None  # (c, n) CSR: rows that vanish on motions of the nodes with all interfaces held

    @cached_property
    def F(self) -> Floats:
        """(6J, 6J) = L Lᵀ [m/N, rad/N, rad/(N m)]."""
        return self.L @ self.L.T

    @cached_property
    def directions(self) -> Floats:
        """(6J, q) columns that span those of L, all of size one in lengths of the body: wrenches that deform it."""
        from reactio.linear.column_space import column_space

        unit = np.tile(np.repeat([1.0, self.size], 3), len(self.points))[:, None]
        size = np.linalg.norm(unit * self.L, axis=0)
        kept = size > NO_DEFORMATION * size.max(initial=0.0)
        return np.asarray(column_space(unit * self.L[:, kept] / size[kept]) / unit)

    @property
    def size(self) -> float:
        """The diagonal of the box around its interfaces [m]."""
        return extent(self.points)


@dataclass(frozen=True)
class Description:
    """A flexible body as a model describes it: its kind's parameters, its material, its interfaces, and its points."""

    name: str  # of the body
    parameters: Mapping[str, Any]
    material: str
    interfaces: Mapping[str, Any]
    materials: Mapping[str, Material]
    markers: Mapping[str, tuple[float, ...]]  # named points of the body [m]
    points: tuple[tuple[float, ...], ...]  # where joints and loads hold it [m]
    inertia: MassProperties | None  # as the model gives it, for a structure without mass of its own
    inside: bool = False  # is its inside wanted too, for modes?
    planar: bool = False  # is its body one of the plane?
    stamps: tuple[int, ...] = ()  # when the files it names were written: a file that changed is another description

    @property
    def where(self) -> tuple[str, ...]:
        """Its path in a model."""
        return ("bodies", self.name, "flexible")


@dataclass(frozen=True, slots=True)
class StructureKind:
    """A kind of flexible body."""

    name: str
    doc: str
    flexibility: Callable[[Description], Flexibility]
    inertia: Callable[[Description], MassProperties | None]  # as it follows from the description; None when it does not
    # Parameters for the files that a model names, from its units; the arguments are its unit of length [m], of mass
    # [kg] and of force [N].
    file_units: Callable[[float, float, float], Mapping[str, Any]] = lambda length, mass, force: {}
    entries_are_matrices: bool = False  # its parameters are matrices, written out or in files
    vibrates: bool = True  # may modes of it vibrate?
