"""Matrices of another finite-element program: K and M on nodes, with their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.errors import ModelError, did_you_mean
from reactio.structures import Description, FiniteElements, Flexibility, MassProperties, StructureKind, register
from reactio.structures.condense import ASYMMETRIC, RIGID, condense, mass_properties
from reactio.structures.held_nodes import interfaces
from reactio.structures.matrix_files import matrix, sparse_matrix
from reactio.structures.solids import stretch_field

KEYS = ("K", "M", "nodes")


def _elements(given: Description) -> FiniteElements:
    from scipy.sparse import csc_array

    p, what = given.parameters, f"body '{given.name}': matrices"
    for key in p:
        if key not in KEYS:
            raise ModelError(f"{what}: there is no '{key}'.{did_you_mean(key, KEYS)}", given.where)
    missing = [key for key in KEYS if key not in p]
    if missing:
        raise ModelError(f"{what} need {', '.join(missing)}.", given.where)
    K, M = (csc_array(_read(p[key], f"{what}: {key}", given.where)) for key in ("K", "M"))
    nodes = matrix(p["nodes"], f"{what}: nodes", given.where)
    nodes = nodes[:, -3:]
    freedoms = K.shape[0] // max(1, len(nodes))
    if K.shape != M.shape or freedoms not in (3, 6) or freedoms * len(nodes) != K.shape[0]:
        raise ModelError(
            f"{what}: K is {K.shape[0]} × {K.shape[1]}, M {M.shape[0]} × {M.shape[1]}, and there are {len(nodes)} "
            "nodes; each has 3 or 6 degrees of freedom.",
            given.where,
        )
    rigid = FiniteElements(K, M, nodes, freedoms, np.zeros((K.shape[0], 6))).rigid()
    largest = float(np.abs(K.data).max())
    if abs(K - K.T).max() > ASYMMETRIC * largest:
        raise ModelError(
            f"{what}: K is not symmetric, by {abs(K - K.T).max() / largest:.2g} of its largest.", given.where
        )
    meets = float(np.abs(K @ rigid).max()) / (largest * max(1.0, float(np.abs(nodes).max())))
    if meets > RIGID:
        raise ModelError(
            f"{what}: rigid motions meet stiffness ({meets:.2g} of the largest entry): it is supported, or the nodes "
            "are not in the order or the unit of K.",
            given.where,
        )
    field = np.zeros((len(nodes), freedoms, 6))
    field[:, :3] = stretch_field(nodes).reshape(len(nodes), 3, 6)
    return FiniteElements(K, M, nodes, freedoms, -(M @ field.reshape(-1, 6)))


def _read(given: Any, what: str, where: tuple[str, ...]) -> Any:
    return sparse_matrix(given, what, where) if isinstance(given, str) else matrix(given, what, where)


def _inertia(given: Description) -> MassProperties | None:
    whole = _elements(given)
    R = whole.rigid()
    JMJ = R.T @ (whole.M @ R)
    return mass_properties(JMJ) if JMJ[0, 0] > 0 else None


def _flexibility(given: Description) -> Flexibility:
    whole = _elements(given)
    return condense(whole, interfaces(given, whole.nodes, {}, None, whole.freedoms), given.name)


MATRICES = register(
    StructureKind(
        name="matrices",
        doc="Stiffness K and mass M of another program with the positions of its nodes; interfaces hold sets of nodes.",
        flexibility=_flexibility,
        inertia=_inertia,
    )
)
