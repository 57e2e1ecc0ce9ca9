"""Superelements: stiffness and mass on interface frames, as other programs condense them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.structures import Description, Flexibility, MassProperties, StructureKind, extent, register
from reactio.structures.attachment import AT_INTERFACE
from reactio.structures.centrifugal import spin_loads
from reactio.structures.checks import check_condensed, check_sizes
from reactio.structures.condense import floating_root, mass_properties, rigid_mass, rigid_modes
from reactio.structures.file_units import file_units, matrix_units
from reactio.structures.matrix_files import matrix


def _frames(given: Description) -> tuple[Floats, tuple[str, ...]]:
    """The interface frames (J, 3): named points of the body, or positions."""
    listed: Any = given.interfaces.items() if hasattr(given.interfaces, "items") else [(n, n) for n in given.interfaces]
    points, labels = [], []
    for label, at in listed:
        if isinstance(at, str):
            if at not in given.markers:
                raise ModelError(
                    f"body '{given.name}': the interface '{at}' is not a point of the body; name it under `points`.",
                    given.where,
                )
            at = given.markers[at]
        points.append([*at, 0.0][:3])
        labels.append(str(label))
    if not points:
        raise ModelError(f"body '{given.name}': give `interfaces`, in the order of the rows of K.", given.where)
    return np.array(points), tuple(labels)


def _matrices(given: Description) -> tuple[Floats, Floats | None, Floats, tuple[str, ...]]:
    points, labels = _frames(given)
    K = matrix(given.parameters["stiffness"], f"body '{given.name}': stiffness", given.where)
    M = None
    if given.parameters.get("mass") is not None:
        M = matrix(given.parameters["mass"], f"body '{given.name}': mass", given.where)
    check_sizes(K, M, points, given)
    units = file_units(given.parameters, f"body '{given.name}'", given.where)
    K, M = units.stiffness(K), None if M is None else units.inertia(M)
    check_condensed(K, M, points, labels, given)
    return (K + K.T) / 2, None if M is None else (M + M.T) / 2, points, labels


def _inertia(given: Description) -> MassProperties | None:
    _, M, points, _ = _matrices(given)
    if M is None:
        return None
    J = rigid_modes(points)
    JMJ = J.T @ M @ J
    return mass_properties(JMJ) if JMJ[0, 0] > 0 else None


def _flexibility(given: Description) -> Flexibility:
    K, M, points, labels = _matrices(given)
    if M is None:
        if given.inertia is None:
            raise ModelError(
                f"body '{given.name}': give the mass matrix of the superelement, or its mass.", given.where
            )
        M = _lumped(points, given.inertia)
        return Flexibility(given.name, points, floating_root(K, M, points), None, K, M, labels=labels)
    L = floating_root(K, M, points)
    return Flexibility(given.name, points, L, L.T @ spin_loads(K, M, points, 6), K, M, labels=labels)


def _lumped(points: Floats, inertia: MassProperties) -> Floats:
    """A mass matrix (6J, 6J) with the given rigid inertia, JᵀM J = given, J the rigid motions.

    It sits on the frame that is its centre; where none is, it is spread over all frames.
    """
    at_center = np.flatnonzero(
        np.linalg.norm(points - np.array(inertia.center), axis=1) <= AT_INTERFACE * extent(points)
    )
    if len(at_center):
        M, freedoms = np.zeros((6 * len(points), 6 * len(points))), 6 * at_center[0] + np.arange(6)
        M[np.ix_(freedoms, freedoms)] = rigid_mass(replace(inertia, center=(0.0, 0.0, 0.0)))
        return M
    J = rigid_modes(points)
    half = J @ np.linalg.inv(J.T @ J)
    return np.asarray(half @ rigid_mass(inertia) @ half.T)


SUPERELEMENT = register(
    StructureKind(
        name="superelement",
        doc="Stiffness and mass (6 J × 6 J) on J interface frames, as Simscape's reduced solid takes them.",
        flexibility=_flexibility,
        inertia=_inertia,
        file_units=matrix_units,
        entries_are_matrices=True,
    )
)
