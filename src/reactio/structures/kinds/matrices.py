"""Matrices of another finite-element program: K and M on nodes, with their positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ModelError, did_you_mean
from reactio.operating_system.files import read_text
from reactio.structures import (
    PRINTED_MATRIX,
    Description,
    FiniteElements,
    Flexibility,
    MassProperties,
    StructureKind,
    register,
)
from reactio.structures.centrifugal import spin_loads
from reactio.structures.condense import RIGID_RESISTANCE, condense, mass_properties_of
from reactio.structures.file_units import file_units, matrix_units
from reactio.structures.held_nodes import FACTORS, interfaces
from reactio.structures.matrix_files import matrix, sparse_matrix

NEEDED = ("K", "M", "nodes")
MATRIX_KEYS = (*NEEDED, "dofs", "units")


def _elements(given: Description) -> tuple[FiniteElements, Ints]:
    """K and M with the degrees of freedom of each node together, and the numbers of the nodes.

    Rows follow the nodes as they are listed, or ``dofs`` (the .dof file of CalculiX: node.direction of every row).
    """
    from scipy.sparse import csc_array

    p, what = given.parameters, f"body '{given.name}': matrices"
    for key in p:
        if key not in MATRIX_KEYS:
            raise ModelError(f"{what}: there is no '{key}'.{did_you_mean(key, MATRIX_KEYS)}", given.where)
    missing = [key for key in NEEDED if key not in p]
    if missing:
        raise ModelError(f"{what} need {', '.join(missing)}.", given.where)
    K, M = (csc_array(_read(p[key], f"{what}: {key}", given.where)) for key in ("K", "M"))
    nodes = matrix(p["nodes"], f"{what}: nodes", given.where)
    numbers = nodes[:, 0].astype(np.int64) if nodes.shape[1] == 4 else np.arange(1, len(nodes) + 1)
    if nodes.shape[1] not in (3, 4):
        raise ModelError(
            f"{what}: nodes have {nodes.shape[1]} columns; x, y, z are read, or number, x, y, z.", given.where
        )
    units = file_units(p, what, given.where)
    nodes = units.length * nodes[:, -3:]
    freedoms = _freedoms(K, M, len(nodes), what, given.where)
    if "dofs" in p:
        order = _order(read_text(Path(p["dofs"])), numbers, freedoms, what, given.where)
        K, M = (csc_array(matrix.tocsr()[order][:, order]) for matrix in (K, M))
    for name, entries in (("K", K.data), ("M", M.data), ("nodes", nodes)):
        if not np.isfinite(entries).all():
            raise ModelError(f"{what}: {name} holds entries that are not finite numbers.", given.where)
    K, M = units.stiffness(K, freedoms), units.inertia(M, freedoms)
    _check_free_body(K, M, nodes, freedoms, what, given.where)
    return FiniteElements(K, M, nodes, freedoms, spin_loads(K, M, nodes, freedoms)), numbers


def _freedoms(K: Any, M: Any, nodes: int, what: str, where: tuple[str, ...]) -> int:
    """Degrees of freedom of a node, 3 or 6, by the sizes of the matrices."""
    freedoms = int(K.shape[0] // max(1, nodes))
    if K.shape != M.shape or freedoms not in (3, 6) or freedoms * nodes != K.shape[0]:
        raise ModelError(
            f"{what}: K is {K.shape[0]} × {K.shape[1]}, M {M.shape[0]} × {M.shape[1]}, and there are {nodes} "
            "nodes; each has 3 or 6 degrees of freedom.",
            where,
        )
    return freedoms


def _check_free_body(K: Any, M: Any, nodes: Floats, freedoms: int, what: str, where: tuple[str, ...]) -> None:
    """Refuse a K that is not symmetric, or in which rigid motions meet stiffness."""
    rigid = FiniteElements(K, M, nodes, freedoms, np.zeros((K.shape[0], 6))).rigid()
    largest = float(np.abs(K.data).max())
    if abs(K - K.T).max() > PRINTED_MATRIX * largest:
        raise ModelError(f"{what}: K is not symmetric, by {abs(K - K.T).max() / largest:.2g} of its largest.", where)
    meets = float(np.abs(K @ rigid).max()) / (largest * max(1.0, float(np.abs(nodes).max())))
    if meets > RIGID_RESISTANCE:
        raise ModelError(
            f"{what}: rigid motions meet stiffness ({meets:.2g} of the largest entry): it is supported, or the nodes "
            f"are not in the order or the unit of K.{_factor(K, nodes, freedoms)}",
            where,
        )


def _order(text: str, numbers: Ints, freedoms: int, what: str, where: tuple[str, ...]) -> Ints:
    """The row of every degree of freedom, node by node, from lines ``node.direction``."""
    rows = {tuple(int(x) for x in line.strip().split(".")): k for k, line in enumerate(text.split())}
    wanted = [(int(n), d + 1) for n in numbers for d in range(freedoms)]
    missing = [freedom for freedom in wanted if freedom not in rows]
    if missing:
        node, direction = missing[0]
        raise ModelError(f"{what}: the list of rows has no direction {direction} of node {node}: is it held?", where)
    return np.array([rows[freedom] for freedom in wanted], dtype=np.int64)


def _factor(K: Any, nodes: Floats, freedoms: int) -> str:
    """The factor of lengths with which K would be that of a free body, in words."""
    for unit, factor in FACTORS.items() if freedoms == 6 else ():
        rigid = FiniteElements(K, K, nodes / factor, freedoms, np.zeros((0, 6))).rigid()
        if np.abs(K @ rigid).max() <= RIGID_RESISTANCE * np.abs(K.data).max() * max(
            1.0, float(np.abs(nodes).max()) / factor
        ):
            return f" Nodes times {1 / factor:g} would fit: K is in {unit}, and they are not."
    return ""


def _read(given: Any, what: str, where: tuple[str, ...]) -> Any:
    return sparse_matrix(given, what, where) if isinstance(given, str) else matrix(given, what, where)


def _inertia(given: Description) -> MassProperties | None:
    return mass_properties_of(_elements(given)[0])


def _flexibility(given: Description) -> Flexibility:
    elements, numbers = _elements(given)
    return condense(elements, interfaces(given, elements.nodes, {}, None, elements.freedoms, numbers), given.name)


MATRICES = register(
    StructureKind(
        name="matrices",
        doc="Stiffness K and mass M of another program with the positions of its nodes; interfaces hold sets of nodes.",
        flexibility=_flexibility,
        inertia=_inertia,
        file_units=matrix_units,
    )
)
