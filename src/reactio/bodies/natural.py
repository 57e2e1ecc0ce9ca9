"""Natural bodies: points and unit vectors fixed on a body, with their world coordinates; no angles, no quaternions.

Every row is at most quadratic in the coordinates of one body, and the mass matrix is constant.  The price is the
rigidity of the body, intrinsic rows that count in the rank and get no verdict: one in the plane, six in space, and as
many as it has coordinates for each element beyond those that are needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.bodies import BodyKind, natural_planar, natural_spatial, refuse, register
from reactio.bodies.elements import BASIS_SIZE, FLAT, ElementKind, elements
from reactio.bodies.pose import check_inertia
from reactio.catalogue.fields import unchanged


def check_elements(body: Any, path: tuple[str, ...]) -> None:
    """As many as describe the body or more, one of them a point, and not all in one line or plane."""
    size = len(body.position)
    needed, where = BASIS_SIZE[size], (*path, "elements")
    if not body.elements:
        return
    if len(body.elements) < needed:
        refuse(
            f"body '{body.name}' has {len(body.elements)} elements; {needed} points and unit vectors or more describe "
            f"a body {'of the plane' if size == 2 else 'in space'}. Add some, or leave `elements` out.",
            *where,
        )
    if not any(element.kind == ElementKind.POINT for element in body.elements):
        refuse(f"body '{body.name}': its elements are all vectors; one must be a point.", *where)
    if not _spread(body, needed) > FLAT:
        words = "coincide" if size == 2 else "lie in one plane"
        refuse(f"body '{body.name}': its elements {words} and do not fix its position; choose others.", *where)


def _spread(body: Any, needed: int) -> float:
    """How far the directions of the basis, seen from its first point, are from lying in one plane: 1 at best."""
    basis = elements(body).basis
    if len(basis) < needed:
        return 0.0
    first = next(e for e in basis if e[0] == ElementKind.POINT)
    directions = [
        np.subtract(at, first[1]) if kind == ElementKind.POINT else np.array(at)
        for kind, at in basis
        if (kind, at) != first
    ]
    sizes = [float(np.linalg.norm(direction)) for direction in directions]
    return abs(float(np.linalg.det(np.array(directions) / np.array(sizes)[:, None]))) if len(directions) == 3 else 1.0


NATURAL = register(
    BodyKind(
        name="natural",
        ports={"planar": natural_planar.PORT, "spatial": natural_spatial.PORT},
        check_inertia=check_inertia,
        check_elements=check_elements,
        turns=True,
        doc="A rigid body described by points and unit vectors fixed on it: quadratic rows, constant mass matrix.",
        rigid=True,
        mirrored=unchanged,
        exact=True,
    )
)
