"""Contacts of a model: read, written, described, checked, and as the joints that they are when closed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from reactio.catalogue.fields import REQUIRED
from reactio.catalogue.places import GROUND, End
from reactio.catalogue.units import quantity, si_unit
from reactio.contacts import CONTACTS, ContactType
from reactio.errors import ModelError, did_you_mean
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.checks import Path, check_fields
from reactio.model.placing import orientation_from
from reactio.model.play import one_way_gap
from reactio.model.schema_parts import NUMBER_SCHEMA, ORIENTATION, TEXT, VECTOR, list_of, mapping
from reactio.model.specs import RIGID, Body, Contact, Elastic, Joint, ModelParts
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.frames import read_end, read_orientation
from reactio.model.values.yaml_tree import Node
from reactio.space.rotations import axes_of

SURFACE = ("body", "point", "normal", "orientation", "angle")


def read_contact(name: str, node: Node, context: Context, bodies: Mapping[str, Body]) -> Contact:
    """A contact: its kind, the surface, the points or centres that may touch it, radii, restitution and friction."""
    what = f"contact '{name}'"
    word = required(
        node.mapping(what), "type", node, what, (k.name for k in CONTACTS.values() if k.space == context.space)
    )
    kind_name = word.text(f"{what}: type")
    if kind_name not in CONTACTS:
        raise word.fail(f"{what}: there is no contact '{kind_name}'.{did_you_mean(kind_name, CONTACTS)}")
    kind = CONTACTS.get(kind_name)
    if kind.space != context.space:
        raise word.fail(f"{what}: '{kind_name}' is a contact of the other space; this model is {context.space}.")
    several = f"{kind.body}s"
    fields = kind.fields
    keys = ("type", kind.surface, kind.body, several, *(f.name for f in fields))
    mapping = known_keys(node, f"{what} ({kind_name})", keys)
    if (kind.body in mapping) == (several in mapping):
        raise node.fail(f"{what}: give either `{kind.body}` or `{several}`, a list of them.")
    nodes = [mapping[kind.body]] if kind.body in mapping else mapping[several].items(f"{what}: {several}")
    given = {
        f.name: context.number(mapping[f.name], f"{what}: {f.name}", f.dimension) for f in fields if f.name in mapping
    }
    surface = required(mapping, kind.surface, node, what)
    return Contact(
        name,
        kind_name,
        _surface(surface, context, bodies, f"{what}: {kind.surface}", kind),
        tuple(read_end(inner, context, bodies, f"{what}: {several}") for inner in nodes),
        given,
        kind.body in mapping,
    )


def _surface(node: Node, context: Context, bodies: Mapping[str, Body], what: str, kind: ContactType) -> End:
    """``ground``, ``body.point``, or body, point and normal, in body axes; the normal is z, or y in the plane."""
    if not kind.normal or isinstance(node.value, str):
        return read_end(node, context, bodies, what)
    mapping = known_keys(node, what, SURFACE)
    end = read_end(required(mapping, "body", node, what), context, bodies, what)
    point = context.vector(mapping["point"], f"{what}: point", "length") if "point" in mapping else end.point
    if "normal" not in mapping:
        turned = {key: value for key, value in mapping.items() if key in ("orientation", "angle")}
        return End(end.body, point, read_orientation(turned, node, context, what) or end.orientation)
    normal = context.vector(mapping["normal"], f"{what}: normal", "number")
    if not math.hypot(*normal) > 0.0:
        raise mapping["normal"].fail(
            f"{what}: the normal {list(normal)} has no direction; give one of non-zero length."
        )
    axis = normal if context.space == "spatial" else (normal[1], -normal[0])
    return End(end.body, point, orientation_from(context.space, axis))


def write_contact(contact: Contact) -> dict[str, Any]:
    """A contact as data of a file; an orientation of the surface as its normal if that gives it exactly."""
    kind = CONTACTS.get(contact.type)
    touching: list[dict[str, Any]] = [{"body": end.body, "point": list(end.point)} for end in contact.points]
    if kind.axis:
        for place, end in zip(touching, contact.points, strict=True):
            place["axis"] = list(_normal(end.orientation))
    surface: dict[str, Any] = {"body": contact.surface.body, "point": list(contact.surface.point)}
    if kind.normal:
        surface |= _written(contact.surface.orientation)
    key = kind.body if contact.single else f"{kind.body}s"
    one_or_all = touching[0] if contact.single else touching
    return {"type": contact.type, kind.surface: surface, key: one_or_all, **contact.parameters}


def _written(orientation: tuple[float, ...]) -> dict[str, Any]:
    """An orientation of a surface in the way of a file."""
    normal = _normal(orientation)
    if len(orientation) == 1:
        same = orientation_from("planar", (normal[1], -normal[0])) == orientation
        return {"normal": list(normal)} if same else {"angle": orientation[0]}
    same = orientation_from("spatial", normal) == orientation
    return {"normal": list(normal)} if same else {"orientation": list(orientation)}


def _normal(orientation: tuple[float, ...]) -> tuple[float, ...]:
    """z of the frame in space, y in the plane."""
    if len(orientation) == 1:
        return (-math.sin(orientation[0]), math.cos(orientation[0]))
    return axes_of.plain(orientation)[2]  # type: ignore[arg-type]


def check_contact(contact: Contact, model: ModelParts) -> None:
    """A known kind of this space between two bodies, and numbers that can be."""
    path: Path = ("contacts", contact.name)
    what = f"contact '{contact.name}' ({contact.type})"
    if contact.type not in CONTACTS:
        raise ModelError(f"{what}: there is no such contact.{did_you_mean(contact.type, CONTACTS)}", path)
    kind = CONTACTS.get(contact.type)
    check_fields(contact.parameters, kind.fields, what, path)
    given = contact.parameters
    for field in kind.fields:
        if field.default is REQUIRED and field.name not in given:
            raise ModelError(f"{what}: `{field.name}` is missing.", path)
    if not 0.0 <= given.get("restitution", 0.0) <= 1.0:
        raise ModelError(
            f"{what}: restitution is {given['restitution']:g}; it must be from 0 to 1.", (*path, "restitution")
        )
    if given.get("friction", 0.0) < 0.0:
        raise ModelError(f"{what}: friction is {given['friction']:g}; it must not be negative.", (*path, "friction"))
    for field in kind.fields:
        if field.name in ("stiffness", "damping") and given.get(field.name, 0.0) < 0.0:
            written = quantity(given[field.name], si_unit(getattr(field, "dimension", "number")), 6)
            raise ModelError(f"{what}: {field.name} is {written}; it must not be negative.", (*path, field.name))
    if given.get("damping") and not given.get("stiffness"):
        raise ModelError(f"{what}: damping needs a stiffness; give both, or a restitution.", (*path, "damping"))
    if given.get("stiffness"):
        for key, instead in (
            ("restitution", "its `damping` determines the rebound"),
            ("friction", "leave it out"),
        ):
            if given.get(key, 0.0):
                raise ModelError(f"{what}: {key} cannot be combined with a stiffness: {instead}.", (*path, key))
    if given.get("adhesion", 0.0) != 0.0:
        raise ModelError(
            f"{what}: adhesion is {given['adhesion']:g}; it must be 0, because contacts only push.", (*path, "adhesion")
        )
    if not contact.points:
        raise ModelError(f"{what}: it lists no {kind.body}; give at least one.", path)
    for end in (contact.surface, *contact.points):
        if end.body != GROUND and end.body not in model.body_index:
            raise ModelError(f"{what}: there is no body '{end.body}'.{did_you_mean(end.body, model.body_index)}", path)
    if any(end.body == contact.surface.body for end in contact.points):
        raise ModelError(f"{what}: '{contact.surface.body}' touches itself.", path)


def joints_of(contact: Contact, *, rough: bool = False) -> Iterator[Joint]:
    """The joints that it is where closed: one for each point, numbered if several.

    ``rough``: where it has friction, those that it is while it does not slip.
    """
    kind = CONTACTS.get(contact.type)
    sticks = rough and contact.parameters.get("friction", 0.0) > 0.0
    if sticks and not kind.rough:
        raise ModelError(
            f"contact '{contact.name}': '{contact.type}' cannot have friction. Leave out `friction`.",
            ("contacts", contact.name, "friction"),
        )
    joint = kind.rough if sticks else kind.joint
    parameters = _joint_parameters(contact, kind, joint)
    neutral = () if not contact.points else contact.surface.orientation
    stiffness = contact.parameters.get("stiffness", 0.0)
    elastic = Elastic(stiffness=(stiffness,)) if stiffness else RIGID
    ends = [place for end in contact.points for place in _places(contact, kind, end)]
    for k, end in enumerate(ends, start=1):
        name = contact.name if len(ends) == 1 and contact.single else f"{contact.name}{k}"
        b = End(end.body, end.point, end.orientation or neutral)
        yield Joint(name, joint, contact.surface, b, parameters, elastic)


def one_way_members(model: ModelParts) -> tuple[Joint, ...]:
    """Its cables and struts."""
    return tuple(joint for joint in model.joints if is_one_way_member(model, joint))


def acts_one_way(model: ModelParts) -> bool:
    """Has it parts that only push or only pull, so that they bear at times: contacts, cables or struts?"""
    return bool(model.contacts or one_way_members(model))


def may_stand_open(model: ModelParts) -> bool:
    """Has it parts that act one way, and may bear nothing at a pose?"""
    return acts_one_way(model) or bool(joints_with_slack(model))


def joints_with_slack(model: ModelParts) -> tuple[Joint, ...]:
    """Joints that only push, such as closed contacts, and stand off by a slack."""
    return tuple(
        joint
        for joint in model.joints
        if joint.elastic.play
        and slack_of(joint) > 0.0
        and any(row.unilateral for row in JOINTS_BY_SPACE[model.space].get(joint.type).rows)
        and not is_one_way_member(model, joint)
    )


def slack_of(joint: Joint) -> float:
    """How far a part that acts one way stands off at the given pose [m]; a preload tightens it until it bears."""
    elastic = joint.elastic
    return 0.0 if any(elastic.preload.values()) else one_way_gap(elastic.play)


def is_one_way_member(model: ModelParts, joint: Joint) -> bool:
    """Is a joint a cable or strut?"""
    return JOINTS_BY_SPACE[model.space].get(joint.type).is_one_way


def _joint_parameters(contact: Contact, kind: ContactType, joint: str) -> dict[str, Any]:
    """The numbers of a contact that its joint has too, those left out as its kind says, and the sum of its radii."""
    known = {field.name for field in JOINTS_BY_SPACE[kind.space].get(joint).parameters}
    usual = {field.name: field.default for field in kind.numbers if field.default is not REQUIRED}
    parameters = {name: value for name, value in {**usual, **contact.parameters}.items() if name in known}
    if kind.radii and kind.reach not in known:
        raise ModelError(
            f"contact '{contact.name}': '{kind.name}' has radii, and its joint '{joint}' no parameter `{kind.reach}` "
            "that takes their sum.",
            ("contacts", contact.name),
        )
    reach = {kind.reach: sum(contact.parameters[field.name] for field in kind.radii)} if kind.reach in known else {}
    return {**parameters, **reach}


def _places(contact: Contact, kind: ContactType, end: End) -> Iterator[End]:
    """Where side b touches: at its point, or at both ends along its axis."""
    if kind.length is None:
        yield end
        return
    axis = _normal(end.orientation)
    for side in (0.5, -0.5):
        reach = side * contact.parameters[kind.length.name]
        yield End(end.body, tuple(x + reach * z for x, z in zip(end.point, axis, strict=True)), end.orientation)


def contact_schema() -> dict[str, Any]:
    """The JSON Schema of contacts in a model file."""
    end = {"$ref": "#/$defs/end"}
    placed = {"body": TEXT, "point": VECTOR, "normal": VECTOR, "orientation": ORIENTATION, "angle": NUMBER_SCHEMA}
    entries = []
    for kind in CONTACTS.values():
        keys = {
            "type": {"const": kind.name},
            kind.surface: {"anyOf": [TEXT, mapping(placed, "body")]} if kind.normal else end,
            kind.body: end,
            f"{kind.body}s": list_of(end, minItems=1),
            **{f.name: {**NUMBER_SCHEMA, "description": f.doc} for f in kind.fields},
        }
        entries.append(mapping(keys, "type", kind.surface, description=f"{kind.space}: {kind.doc}"))
    return {"oneOf": entries}
