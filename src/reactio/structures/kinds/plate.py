"""Plates: a quadrilateral of constant thickness, by quadratic solid elements."""

from __future__ import annotations

import math

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ModelError, did_you_mean
from reactio.linear.precision import GEOMETRY, LOCATED
from reactio.structures import Description, FiniteElements, Flexibility, MassProperties, StructureKind, register
from reactio.structures.condense import condense, mass_properties_of
from reactio.structures.held_nodes import interfaces
from reactio.structures.material import loaded
from reactio.structures.solids import assemble_solids, brick

PLATE_KEYS = ("outline", "thickness", "divisions", "insert", "level", "mass_per_area")
MOST_DIVISIONS = 60  # divisions of a side: 45,000 nodes, and some seconds to factor
DIVISIONS = 12  # of a side, when not given: bending of a plate on its corners to a part in a thousand
# An insert as wide as the spacing of nodes holds the next ones, also where both are rounded.
SPACING_MARGIN = 1 + LOCATED


def elements(given: Description) -> FiniteElements:
    """The plate in the plane z = level of its body, one element through the thickness."""
    p, what = given.parameters, f"body '{given.name}': plate"
    for key in p:
        if key not in PLATE_KEYS:
            raise ModelError(f"{what} has no field '{key}'.{did_you_mean(key, PLATE_KEYS)}", given.where)
    if "outline" not in p or "thickness" not in p:
        raise ModelError(f"{what} needs `outline` (four corners) and `thickness`.", given.where)
    outline = p["outline"] if isinstance(p["outline"], tuple | list) else ()
    points = [x for x in outline if isinstance(x, tuple | list) and all(isinstance(c, int | float) for c in x)]
    if len(points) < len(outline) or not outline:
        raise ModelError(f"{what}: `outline` is a list of corners, [[0, 0], [0.5, 0], …].", given.where)
    level, h = float(p.get("level", 0.0)), float(p["thickness"]) / 2
    if any(len(point) not in (2, 3) or point[2:] not in ((), (level,)) for point in points):
        raise ModelError(
            f"{what}: its corners are x, y of the plane z = {level:g} in body axes; give another `level`, or a `mesh`.",
            given.where,
        )
    corners = [point[:2] for point in points]
    if len(corners) != 4:
        raise ModelError(
            f"{what} has {len(corners)} corners; 4 are meshed here. Give a `mesh` for others.", given.where
        )
    if not p["thickness"] > 0:
        raise ModelError(
            f"{what}: the thickness is {quantity(p['thickness'], 'm', 6)}; it must be positive.", given.where
        )
    if given.material not in given.materials:
        hint = did_you_mean(given.material, given.materials)
        raise ModelError(f"{what} needs a material of the model.{hint}", given.where)
    flat: Floats = np.array(corners, dtype=float)
    turned = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(flat, np.roll(flat, -1, axis=0), strict=True))
    flat = flat if turned > 0 else flat[::-1]
    if not _convex(flat):
        raise ModelError(f"{what}: its corners are in no convex order, or coincide: {flat.tolist()}.", given.where)
    block = np.vstack([np.column_stack([flat, np.full(4, level + s * h)]) for s in (-1, 1)])
    count = _divisions(given, flat)
    nodes, table = brick(block, (count, count, 1))
    material = loaded(given.materials[given.material], p, "mass_per_area", float(p["thickness"]), what, given.where)
    return assemble_solids(nodes, [("hex27", table, material)])


def _longest(flat: Floats) -> float:
    return float(np.linalg.norm(np.roll(flat, -1, axis=0) - flat, axis=1).max())


def _divisions(given: Description, flat: Floats) -> int:
    """Divisions of a side: as given, or so many that an insert of the given radius reaches the next nodes.

    Two elements of a side hold three nodes, so that nodes are half a division apart.
    """
    p, what = given.parameters, f"body '{given.name}': plate"
    insert = p.get("insert")
    if insert is not None and not insert > 0:
        raise ModelError(
            f"{what}: `insert` is the radius that joints hold, {quantity(insert, 'm', 6)} here; not positive.",
            given.where,
        )
    enough = 1 if insert is None else math.ceil(SPACING_MARGIN * _longest(flat) / (2 * float(insert)))
    count = int(p.get("divisions", max(DIVISIONS, enough)))
    if insert is not None and "divisions" not in p and enough > MOST_DIVISIONS:
        least = _longest(flat) / (2 * MOST_DIVISIONS)
        raise ModelError(
            f"{what}: inserts of radius {quantity(insert, 'm', 6)} would need {enough} divisions of a side; up to "
            f"{MOST_DIVISIONS} "
            f"are made here, for a radius of {quantity(least, 'm', 3)}. Give a `mesh` for smaller ones.",
            given.where,
        )
    if not 1 <= count <= MOST_DIVISIONS:
        raise ModelError(f"{what} has {count} divisions of a side; 1 to {MOST_DIVISIONS} are made here.", given.where)
    return count


def _convex(flat: Floats) -> bool:
    """Do four corners turn left one after the other?"""
    ahead = np.roll(flat, -1, axis=0) - flat
    after = np.roll(ahead, -1, axis=0)
    turns = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    return bool((turns > GEOMETRY * np.abs(ahead).max() ** 2).all())


def _inertia(given: Description) -> MassProperties | None:
    return mass_properties_of(elements(given))


def _flexibility(given: Description) -> Flexibility:
    """Joints and loads hold rigid inserts around their points, of the radius ``insert``.

    Where that is left out it is the thickness, or the distance of nodes where they are further apart.
    """
    plate, p = elements(given), given.parameters
    flat = np.array([[*point, 0.0, 0.0][:2] for point in p["outline"]])
    apart = SPACING_MARGIN * _longest(flat) / (2 * _divisions(given, flat))
    radius = float(p.get("insert", max(p["thickness"], apart)))
    return condense(plate, interfaces(given, plate.nodes, {}, radius, 3), given.name)


PLATE = register(
    StructureKind(
        name="plate",
        doc="A quadrilateral of constant thickness in the x-y plane of its body; joints hold rigid inserts.",
        flexibility=_flexibility,
        inertia=_inertia,
    )
)
