"""Coordinates by the names that expressions use: those of joints, and positions of bodies and of points on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reactio import joints as joint_registry
from reactio.catalogue.places import CoordinateName, End
from reactio.functions.program import RATE_SUFFIX
from reactio.model.specs import Body, Coupling, Drive, Joint, ModelParts

# Coordinates of a body: the position of its origin, or of a point, in world axes; in the plane its angle too.
BODY_COORDINATES = {"planar": ("x", "y", "angle"), "spatial": ("x", "y", "z")}
COORDINATE_UNITS = {"x": "m", "y": "m", "z": "m", "angle": "rad"}


class NamedCoordinate(NamedTuple):
    """A coordinate with its unit: of a joint, or of a place on a body along an axis of the world."""

    unit: str  # m or rad
    of: CoordinateName | End
    axis: str = ""


def named_coordinates(space: str, bodies: Iterable[Body], joints: Iterable[Joint]) -> dict[str, NamedCoordinate]:
    """All coordinates by name: ``A.rotation``, ``ram.y``, ``ram.angle``, and ``ram.left.y`` of the point ``left``."""
    registry, named = joint_registry.JOINTS_BY_SPACE[space], dict[str, NamedCoordinate]()
    for joint in joints:
        known = registry.get(joint.type).coordinates if joint.type in registry else {}
        for name, measure in known.items():
            named[f"{joint.name}.{name}"] = NamedCoordinate(measure.unit, CoordinateName(joint.name, name))
    for body in bodies:
        for axis in BODY_COORDINATES[space]:
            if axis != "angle" or body.kind != "point":
                named[f"{body.name}.{axis}"] = NamedCoordinate(COORDINATE_UNITS[axis], End(body.name), axis)
        for key, point in body.points.items():
            for axis in BODY_COORDINATES[space]:
                if axis != "angle":
                    end = End(body.name, tuple(point))
                    named.setdefault(f"{body.name}.{key}.{axis}", NamedCoordinate(COORDINATE_UNITS[axis], end, axis))
    return named


def coordinate_unit(along: CoordinateName, space: str, joints: Mapping[str, Joint], unit: str = "") -> str:
    """``m`` or ``rad``, as far as it is known before the model is checked."""
    registry = joint_registry.JOINTS_BY_SPACE[space]
    joint = joints.get(along.joint)
    if joint is None or joint.type not in registry:
        return "m"
    known = registry.get(joint.type).coordinates
    if along.name in known:
        return known[along.name].unit
    return next((c.unit for c in known.values() if not unit or c.unit == unit), "m")


def units_of_misfits(
    space: str, joints: Iterable[Joint], drives: Iterable[Drive], couplings: Iterable[Coupling]
) -> dict[str, str]:
    """The unit of the one misfit of each drive and coupling: that of its first coordinate."""
    by_name = {joint.name: joint for joint in joints}
    first = {drive.name: drive.along for drive in drives} | {c.name: c.along[0] for c in couplings if c.along}
    return {name: coordinate_unit(along, space, by_name) for name, along in first.items()}


def of_model(model: ModelParts) -> dict[str, NamedCoordinate]:
    """All coordinates of a model by name."""
    return named_coordinates(model.space, model.bodies, model.joints)


def coordinate_names(model: ModelParts) -> Mapping[str, CoordinateName]:
    """All joint coordinates by the names that expressions use: ``A.angle``."""
    named = named_coordinates(model.space, (), model.joints)
    return {name: coordinate.of for name, coordinate in named.items() if isinstance(coordinate.of, CoordinateName)}


def variable_names(model: ModelParts) -> frozenset[str]:
    """Everything an expression may speak of: t, coordinates, and their rates."""
    places = of_model(model)
    return frozenset({"t", *places, *(name + RATE_SUFFIX for name in places)})
