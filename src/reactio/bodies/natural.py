"""Natural bodies: points and unit vectors fixed on a body, with their world coordinates; no angles, no quaternions.

Every row is at most quadratic in the coordinates of one body, and the mass matrix is constant.  The price is the
rigidity of the body, intrinsic rows that count in the rank and get no verdict: one in the plane, six in space.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.bodies import BodyKind, natural_planar, natural_spatial, refuse, register
from reactio.bodies.pose import check_inertia

COUNT = {2: 2, 3: 4}  # elements in the plane and in space
FLAT = 1e-6  # determinant of elements of unit size below which they lie nearly in one plane or line


def check_elements(body: Any, path: tuple[str, ...]) -> None:
    """As many as describe the body and no more, one of them a point, and not all in one line or plane."""
    size = len(body.position)
    needed, where = COUNT[size], (*path, "elements")
    if not body.elements:
        return
    if len(body.elements) != needed:
        refuse(
            f"body '{body.name}' has {len(body.elements)} elements; {needed} points and unit vectors describe a body "
            f"{'of the plane' if size == 2 else 'in space'}. What else is fixed on it follows from them: name it in "
            "`points` or `axes`.",
            *where,
        )
    if not any(element.kind == "point" for element in body.elements):
        refuse(f"body '{body.name}': its elements are all vectors; one must be a point.", *where)
    if not _spread(body) > FLAT:
        words = "coincide" if size == 2 else "lie in one plane"
        refuse(f"body '{body.name}': its elements {words} and do not fix its position; choose others.", *where)


def _spread(body: Any) -> float:
    """How far the directions of the elements, seen from the first point, are from lying in one plane: 1 at best."""
    first = next(element for element in body.elements if element.kind == "point")
    rest = [element for element in body.elements if element is not first]
    ways = [np.subtract(e.at, first.at) if e.kind == "point" else np.array(e.at) for e in rest]
    sizes = [float(np.linalg.norm(way)) for way in ways]
    if not min(sizes) > 0:
        return 0.0
    return abs(float(np.linalg.det(np.array(ways) / np.array(sizes)[:, None]))) if len(ways) == 3 else 1.0


NATURAL = register(
    BodyKind(
        name="natural",
        ports={"planar": natural_planar.PORT, "spatial": natural_spatial.PORT},
        check_inertia=check_inertia,
        check_elements=check_elements,
        turns=True,
        doc="A rigid body by points and unit vectors fixed on it: quadratic rows, constant mass matrix.",
    )
)
