"""Bodies, joints, drives, couplings and forces read from a file, and joints written back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reactio import joints as joint_registry
from reactio.bodies import BODIES, COMMON_FIELDS, unknown_kind
from reactio.catalogue.fields import Coordinate, Coordinates, Field
from reactio.catalogue.places import GROUND, CoordinateName, End, ReactionAxes
from reactio.couplings import COUPLINGS
from reactio.errors import did_you_mean
from reactio.forces import FORCES
from reactio.functions.constant import Hold
from reactio.model.bearing import BEARING_KEY as BEARING
from reactio.model.bearing import read_bearing
from reactio.model.capacity import CAPACITY_KEY as CAPACITY
from reactio.model.capacity import read_capacity
from reactio.model.coordinates import coordinate_unit, named_coordinates
from reactio.model.elastic import ELASTIC_KEYS as ELASTIC
from reactio.model.elastic import read_elastic, write_elastic
from reactio.model.flexible import read_flexible
from reactio.model.play import PLAY_KEYS
from reactio.model.shapes import SHAPES_KEY as SHAPES
from reactio.model.shapes import read_shapes
from reactio.model.specs import Body, Coupling, Drive, Force, Joint
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.fields import LENGTH_OR_ANGLE, read_coordinate, read_field
from reactio.model.values.frames import (
    MARKERS,
    ends_at_place,
    one_or_more,
    read_elements,
    read_end,
    read_markers,
    read_orientation,
    with_orientations,
    write_end,
)
from reactio.model.values.functions import read_law
from reactio.model.values.yaml_tree import Node

JOINT_KEYS = ("type", "a", "b", "bodies", "at", "axis", "axis_b", "x", "angle", "rows")


def read_body(name: str, node: Node, context: Context) -> Body:
    """A body, or ground with its points."""
    what = f"body '{name}'"
    fields = _kind_fields(node, what)
    mapping = known_keys(
        node, what, (*MARKERS, SHAPES) if name == GROUND else (*COMMON_FIELDS, *(f.name for f in fields))
    )
    given: dict[str, Any] = {}
    for key, dimension in (("position", "length"), ("velocity", "velocity"), ("center", "length")):
        if key in mapping:
            given[key] = context.vector(mapping[key], f"{what}: {key}", dimension)
    if "mass" in mapping:
        given["mass"] = context.number(mapping["mass"], f"{what}: mass", "mass")
    if "inertia" in mapping:
        given["inertia"] = one_or_more(mapping["inertia"], context, f"{what}: inertia", "inertia")
    if "angular_velocity" in mapping:
        key = "angular_velocity"
        given[key] = one_or_more(mapping[key], context, f"{what}: {key}", "angular velocity")
    if "kind" in mapping:
        given["kind"] = mapping["kind"].text(f"{what}: kind")
    if orientation := read_orientation(mapping, node, context, what):
        given["orientation"] = orientation
    if "flexible" in mapping:
        given["flexible"] = read_flexible(mapping["flexible"], context, what)
    for key in ("temperature", "expansion"):
        if key in mapping:
            given[key] = context.number(mapping[key], f"{what}: {key}")
    if SHAPES in mapping:
        given["shapes"] = read_shapes(mapping[SHAPES], context, what)
    markers = read_markers(mapping, context, what)
    if "elements" in mapping:
        given["elements"] = read_elements(mapping["elements"], context, markers, what)
    parameters = {f.name: read_field(f, mapping[f.name], context, what) for f in fields if f.name in mapping}
    return Body(name, **given, **markers, parameters=parameters)


def _kind_fields(node: Node, what: str) -> tuple[Field, ...]:
    """The fields that the kind of a body adds."""
    kind = node.mapping(what).get("kind")
    if kind is None:
        return BODIES.get("rigid").fields
    name = kind.text(f"{what}: kind")
    if name not in BODIES or BODIES.get(name).internal:
        raise kind.fail(f"{what}: {unknown_kind(name)}")
    return BODIES.get(name).fields


def read_rows(node: Node, what: str) -> ReactionAxes:
    """The axes in which equations are written: ``joint`` or ``world``."""
    text = node.text(f"{what}: rows")
    if text not in list(ReactionAxes):
        hint = did_you_mean(text, list(ReactionAxes))
        raise node.fail(f"{what}: rows is '{text}'; it must be joint or world.{hint}")
    return ReactionAxes(text)


def joint_keys(space: str, kind: str) -> tuple[str, ...]:
    """The fields of a joint of a type; none where there is no such type."""
    registry = joint_registry.JOINTS_BY_SPACE[space]
    if kind not in registry:
        return ()
    return (*JOINT_KEYS, *ELASTIC, CAPACITY, BEARING, *(f.name for f in registry.get(kind).parameters))


def read_joint(
    name: str,
    node: Node,
    context: Context,
    bodies: Mapping[str, Body],
    rows: ReactionAxes = ReactionAxes.JOINT,
) -> Joint:
    """A joint by its two ends, or by two bodies and a place of the world where they meet as posed.

    ``rows`` are the axes that the model asks for; joints that hold no point are written in their own.
    """
    what = f"joint '{name}'"
    registry = joint_registry.JOINTS_BY_SPACE[context.space]
    kind_node = required(node.mapping(what), "type", node, what, registry)
    kind = registry.name_of(kind_node.text(f"{what}: type"))
    if kind not in registry:
        return Joint(name, kind, End(GROUND), End(GROUND))  # validation names the nearest type
    fields = registry.get(kind).parameters
    mapping = known_keys(node, f"{what} ({kind})", joint_keys(context.space, kind))
    given = {f.name: read_field(f, mapping[f.name], context, what) for f in fields if f.name in mapping}
    if "bodies" in mapping or "at" in mapping:
        if twice := [side for side in "ab" if side in mapping]:
            raise node.fail(f"{what}: give `bodies` and `at`, or `a` and `b`; not `{twice[0]}` with the former.")
        ends = ends_at_place(mapping, node, context, bodies, what)
    else:
        ends = [read_end(required(mapping, side, node, what), context, bodies, f"{what}: {side}") for side in "ab"]
    a, b = with_orientations(ends, mapping, node, context, bodies, what)
    member = registry.get(kind).line_labels == (joint_registry.TENSION,)
    elastic = read_elastic(mapping, context, what, member=member)
    capacity = read_capacity(mapping, context, what)
    if "rows" in mapping:
        rows = read_rows(mapping["rows"], what)
    elif not registry.get(kind).holds_a_point:
        rows = ReactionAxes.JOINT
    return Joint(name, kind, a, b, given, elastic, capacity, read_bearing(mapping, context, what), rows)


def read_held(node: Node, context: Context, joints: Mapping[str, Joint]) -> tuple[Drive, ...]:
    """Drives that keep joints in the pose of the file: ``hold: [J1, J2.translation]``."""
    drives = []
    for item in node.items("hold"):
        text = item.text("hold")
        joint, _, name = (text, "", "") if text in joints else text.rpartition(".")
        if joint not in joints:
            raise item.fail(f"hold: there is no joint '{text}'.{did_you_mean(text, joints)}")
        known = joint_registry.JOINTS_BY_SPACE[context.space].get(joints[joint].type).coordinates
        if not known or (name and name not in known):
            has = f"it has {', '.join(known)}" if known else f"a {joints[joint].type} joint has none"
            raise item.fail(f"hold: '{joint}' has no coordinate '{name}' to hold; {has}.")
        for coordinate in [name] if name else known:
            label = text if name or len(known) == 1 else f"{joint}.{coordinate}"
            drives.append(Drive(f"hold_{label.replace('.', '_')}", CoordinateName(joint, coordinate), Hold()))
    return tuple(drives)


def read_drive(name: str, node: Node, context: Context, joints: Mapping[str, Joint]) -> Drive:
    """A joint coordinate that follows a function of time."""
    what = f"drive '{name}'"
    for key in {"speed", "velocity", "rate"} & node.mapping(what).keys():
        raise node.mapping(what)[key].fail(
            f"{what} has no field '{key}': a drive gives the coordinate over time; a constant speed is `function: 3*t`."
        )
    mapping = known_keys(node, what, ("joint", "function", *ELASTIC))
    for key in PLAY_KEYS:
        if key in mapping:
            raise mapping[key].fail(
                f"{what}: {key} in a driven coordinate: a drive determines its position. Give the play to a joint "
                f"or coupling "
                "between the drive and the load."
            )
    along = read_coordinate(required(mapping, "joint", node, what), f"{what}: joint")
    unit = coordinate_unit(along, context.space, joints)
    law = required(mapping, "function", node, what)
    held = isinstance(law.value, str) and law.text(what) == Hold.kind and Hold.kind not in context.values
    function = Hold() if held else read_law(law, context, f"{what}: function", LENGTH_OR_ANGLE[unit])
    return Drive(name, along, function, read_elastic(mapping, context, what, unit))


def read_coupling(name: str, node: Node, context: Context, joints: Mapping[str, Joint]) -> Coupling:
    """A linear equation between joint coordinates."""
    what = f"coupling '{name}'"
    kind = required(node.mapping(what), "type", node, what, COUPLINGS).text(f"{what}: type")
    if kind not in COUPLINGS:
        return Coupling(name, kind, ())  # validation names the nearest type
    fields = COUPLINGS.get(kind).parameters
    mapping = known_keys(node, f"{what} ({kind})", ("type", "joints", *ELASTIC, *(f.name for f in fields)))
    names = required(mapping, "joints", node, what).items(f"{what}: joints")
    along = tuple(read_coordinate(n, f"{what}: joints") for n in names)
    units = COUPLINGS.get(kind).joints.units
    declared = units[0] if units else ""
    unit = declared or (coordinate_unit(along[0], context.space, joints) if along else "m")
    given = {f.name: read_field(f, mapping[f.name], context, what, (unit,)) for f in fields if f.name in mapping}
    return Coupling(name, kind, along, given, read_elastic(mapping, context, what, unit))


def with_coordinates(context: Context, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> Context:
    """The context with the units of all coordinates that an expression may name."""
    moving = (body for body in bodies.values() if body.name != GROUND)
    named = named_coordinates(context.space, moving, joints.values())
    return replace(context, coordinates={name: coordinate.unit for name, coordinate in named.items()})


def read_force(
    name: str, node: Node, context: Context, bodies: Mapping[str, Body], joints: Mapping[str, Joint]
) -> Force:
    """A load of one of the registered kinds."""
    what = f"force '{name}'"
    kind = required(node.mapping(what), "type", node, what, FORCES).text(f"{what}: type")
    if kind not in FORCES:
        return Force(name, kind)  # validation names the nearest type
    fields = FORCES.get(kind).fields
    mapping = known_keys(node, f"{what} ({kind})", ("type", *(f.name for f in fields)))
    context = with_coordinates(context, bodies, joints)
    named = [f for f in fields if isinstance(f, Coordinate | Coordinates) and f.name in mapping]
    given: dict[str, Any] = {f.name: read_field(f, mapping[f.name], context, what) for f in named}
    units = _units_along(named[0], given, context, joints) if named else ()
    for field in fields:
        if field in named:
            units = _units_along(field, given, context, joints)
        elif field.name in mapping:
            given[field.name] = read_field(field, mapping[field.name], context, what, units, bodies)
    return Force(name, kind, given)


def _units_along(
    field: Field, given: Mapping[str, Any], context: Context, joints: Mapping[str, Joint]
) -> tuple[str, ...]:
    """The units of the joint coordinates that a field of a force names."""
    if isinstance(field, Coordinates):
        units = field.units or ("",) * len(given[field.name])
        pairs = zip(given[field.name], units, strict=False)  # validation counts them
        return tuple(coordinate_unit(along, context.space, joints, unit) for along, unit in pairs)
    return (coordinate_unit(given[field.name], context.space, joints, getattr(field, "unit", "")),)


def write_joint(joint: Joint) -> dict[str, Any]:
    """A joint as a file has it, by its two ends."""
    data = {**write_parameters(joint.parameters), **write_elastic(joint.elastic)}
    if joint.capacity:
        data["capacity"] = dict(joint.capacity)
    if joint.bearing:
        data["bearing"] = dict(joint.bearing)
    if joint.rows != ReactionAxes.JOINT:
        data["rows"] = str(joint.rows)
    return {"type": joint.type, "a": write_end(joint.a), "b": write_end(joint.b), **data}


def write_parameters(parameters: Any) -> dict[str, Any]:
    """Parameters as a file has them; those that are not given are left out."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in parameters.items() if v is not None}
