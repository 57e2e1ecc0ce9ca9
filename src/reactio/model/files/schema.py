"""The JSON Schema of model files, generated from the registries, for editors that complete and check."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from reactio import joints as joint_registry
from reactio.bodies import BODIES, BodyKind
from reactio.catalogue.fields import REQUIRED, Field
from reactio.catalogue.units import UNITS
from reactio.couplings import COUPLINGS
from reactio.forces import FORCES
from reactio.functions import FUNCTIONS
from reactio.functions.spline import Ends
from reactio.model.bearing import bearing_schema
from reactio.model.capacity import capacity_schema
from reactio.model.contacts import contact_schema
from reactio.model.elastic import elastic_schema
from reactio.model.events import event_schema, stop_schema
from reactio.model.files.notes import notes_schema
from reactio.model.flexible import flexible_schema, material_schema
from reactio.model.schema_parts import FUNCTION, NUMBER_SCHEMA, ORIENTATION, TEXT, VECTOR, list_of, mapping
from reactio.model.shapes import shapes_schema
from reactio.model.tolerances import tolerances_schema
from reactio.model.values.fields import field_schema

# Fields of functions that are not numbers, by their name.
SPECIAL: dict[str, dict[str, Any]] = {
    "text": TEXT,
    "constants": {"type": "object", "additionalProperties": NUMBER_SCHEMA},
    "ends": {"enum": list(get_args(Ends))},
    "terms": list_of(FUNCTION),
}


def schema() -> dict[str, Any]:
    """The JSON Schema of a model file.

    >>> schema()["required"]
    ['space']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Reactio model",
        "description": "A planar or spatial mechanism. Numbers may be expressions of the parameters.",
        "type": "object",
        "required": ["space"],
        "additionalProperties": False,
        "properties": _top(),
        "$defs": {
            "number": {"type": ["number", "string"], "description": "A number or an expression: 4*a, sqrt(2)/2."},
            "vector": list_of(NUMBER_SCHEMA, minItems=2, maxItems=3),
            "orientation": _orientation(),
            "end": _end(),
            "function": _function(),
            "body": _body(),
        },
    }


def _named(item: dict[str, Any]) -> dict[str, Any]:
    """A mapping from names to items of one kind; an empty section says nothing."""
    return {"type": ["object", "null"], "additionalProperties": item}


def _top() -> dict[str, Any]:
    joints = [
        _joint(kind) for space in ("planar", "spatial") for kind in joint_registry.JOINTS_BY_SPACE[space].values()
    ]
    couplings = [_entry(c.name, c.doc, (c.joints, *c.parameters)) for c in COUPLINGS.values()]
    for entry in couplings:
        entry["properties"] |= elastic_schema()
    forces = [_entry(f.name, f.doc, f.fields) for f in FORCES.values()]
    drive = mapping({"joint": TEXT, "function": FUNCTION, **elastic_schema()}, "joint", "function")
    return {
        "reactio": {"const": 1, "description": "Version of the file format."},
        "name": TEXT,
        "title": {"type": "string", "description": "One line about it."},
        "cite": {"type": "string", "description": "Where it was published."},
        "space": {"enum": ["planar", "spatial"]},
        "units": _units(),
        "parameters": _named(NUMBER_SCHEMA),
        "accuracy": {
            "description": "How well places and axes of joints are known: 0.1 mm, or 0.1 mm, 1 mrad.",
            "anyOf": [
                {"type": ["number", "string"]},
                mapping({"length": NUMBER_SCHEMA, "angle": NUMBER_SCHEMA}, "length"),
            ],
        },
        "gravity": VECTOR,
        "drop": {
            "type": "array",
            "items": TEXT,
            "description": "Equations that are left out, with their reactions: B.z, or the name of a drive.",
        },
        "rows": {
            "enum": ["joint", "world"],
            "description": "Axes in which joints that hold a point write its equations: their own (default), or the "
            "world's. A joint may say otherwise.",
        },
        "share_points": {
            "type": "boolean",
            "description": "Natural bodies share the points of their joints: refused, because there are then no "
            "reactions.",
        },
        "ground": {
            **_optional({**_markers(), **shapes_schema()}),
            "description": "Named points, axes and frames of the ground.",
        },
        "materials": _named(material_schema()),
        "bodies": _named({"$ref": "#/$defs/body"}),
        "assemblies": _assemblies(),
        "joints": _named({"anyOf": joints}),
        "drives": _named(drive),
        "hold": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Joints, or coordinates such as J.rotation, that keep their value in the given pose.",
        },
        "couplings": _named({"anyOf": couplings}),
        "forces": _named({"anyOf": forces}),
        "events": _named(event_schema()),
        "stops": _named(stop_schema()),
        "contacts": _named(contact_schema()),
        **tolerances_schema(),
        **notes_schema(),
    }


def _assemblies() -> dict[str, Any]:
    keys: dict[str, Any] = {
        "use": {"type": "string", "description": "A model file next to this one."},
        "prefix": {"type": "string", "description": "Put before all its names; its own name and _ when left out."},
        "mirror": {"enum": ["x", "y", "z"], "description": "Mirrored across the plane with this normal."},
        "position": VECTOR,
        "orientation": ORIENTATION,
        "on": {"type": "string", "description": "The body that takes the place of its ground."},
        "parameters": _named(NUMBER_SCHEMA),
    }
    assembly = mapping(keys, "use")
    return {"anyOf": [_named(assembly), list_of(assembly)]}


def _units() -> dict[str, Any]:
    names = sorted({unit for units in UNITS.values() for unit in units})
    return {
        "description": "SI if left out; force is N also where length is mm.",
        "anyOf": [
            {"enum": names},
            {"type": "array", "items": {"enum": names}},
            mapping({quantity: {"enum": list(units)} for quantity, units in UNITS.items()}),
        ],
    }


def _orientation() -> dict[str, Any]:
    return {
        "description": "A unit quaternion, scalar first; or axis and angle; or Euler angles; or the axes z and x.",
        "anyOf": [
            NUMBER_SCHEMA,
            list_of(NUMBER_SCHEMA, minItems=4, maxItems=4),
            mapping(
                {
                    "axis": VECTOR,
                    "angle": NUMBER_SCHEMA,
                    "euler": TEXT,
                    "angles": list_of(NUMBER_SCHEMA),
                    "x": VECTOR,
                    "z": VECTOR,
                }
            ),
        ],
    }


def _turning() -> dict[str, Any]:
    return {
        "orientation": ORIENTATION,
        "angle": NUMBER_SCHEMA,
        "axis": {"anyOf": [VECTOR, TEXT], "description": "Main axis: z in space, x in the plane."},
        "x": VECTOR,
    }


def _end() -> dict[str, Any]:
    return {
        "description": "A frame on a body: body, body.point, body.frame, or a mapping.",
        "anyOf": [
            TEXT,
            mapping({"body": TEXT, "point": {"anyOf": [VECTOR, TEXT]}, "frame": TEXT, **_turning()}, "body"),
        ],
    }


def _function() -> dict[str, Any]:
    known = {kind.kind: (kind.__doc__ or "").splitlines()[0] for kind in FUNCTIONS.values()}
    kinds = {name: {**_kind(name), "description": doc} for name, doc in known.items()}
    function = {**mapping(kinds), "minProperties": 1, "maxProperties": 1}
    return {
        "description": "A number, an expression in t, or one of the kinds of functions.",
        "anyOf": [NUMBER_SCHEMA, function],
    }


def _kind(name: str) -> dict[str, Any]:
    """A kind of function: its fields, or its first field alone."""
    values = {"anyOf": [NUMBER_SCHEMA, list_of(NUMBER_SCHEMA)]}
    keys = {f.name: SPECIAL.get(f.name, values) for f in fields(FUNCTIONS.get(name))}  # type: ignore[arg-type]
    if name == "spline":
        keys |= {
            "table": list_of({"type": "array", "items": NUMBER_SCHEMA}),
            "file": TEXT,
        }
    return {"anyOf": [next(iter(keys.values())), _optional(keys)]}


def _optional(properties: dict[str, Any]) -> dict[str, Any]:
    """A mapping that may be empty: YAML has null there."""
    return mapping(properties) | {"type": ["object", "null"]}


def _markers() -> dict[str, Any]:
    frame = _optional({"point": VECTOR, **_turning()})
    return {"points": _named(VECTOR), "axes": _named(VECTOR), "frames": _named(frame)}


def _body() -> dict[str, Any]:
    """The fields of every body, and those of its kind."""
    one_or_more = {"anyOf": [NUMBER_SCHEMA, list_of(NUMBER_SCHEMA)]}
    return {
        "type": ["object", "null"],
        "properties": {
            "mass": NUMBER_SCHEMA,
            "inertia": {**one_or_more, "description": "About the centre of mass: J, or xx, yy, zz (, xy, xz, yz)."},
            "position": VECTOR,
            "orientation": ORIENTATION,
            "angle": NUMBER_SCHEMA,
            "velocity": VECTOR,
            "angular_velocity": one_or_more,
            "center": {**VECTOR, "description": "Centre of mass in body axes."},
            "kind": {"enum": [name for name in BODIES if not BODIES.get(name).internal]},
            "elements": _elements(),
            **flexible_schema(),
            **shapes_schema(),
            **_markers(),
        },
        "allOf": [_of_kind(kind) for kind in BODIES.values() if kind.fields and not kind.internal],
        "unevaluatedProperties": False,
    }


def _of_kind(kind: BodyKind) -> dict[str, Any]:
    """The fields that a kind adds to its bodies."""
    return {
        "if": {"required": ["kind"], "properties": {"kind": {"const": kind.name}}},
        "then": {
            "required": [f.name for f in kind.fields if f.default is REQUIRED],
            "properties": {f.name: {**field_schema(f), "description": f"{kind.name}: {f.doc}"} for f in kind.fields},
        },
    }


def _elements() -> dict[str, Any]:
    place = {"anyOf": [VECTOR, TEXT]}
    element = {**mapping({"point": place, "vector": place}), "minProperties": 1, "maxProperties": 1}
    return {
        "type": "array",
        "items": element,
        "description": "Points and unit vectors that describe a natural body: two or more in the plane, four in space.",
    }


def _entry(name: str, doc: str, given: tuple[Field, ...]) -> dict[str, Any]:
    """A mapping with its type and fields."""
    keys = {"type": {"const": name}, **{f.name: {**field_schema(f), "description": f.doc} for f in given}}
    return mapping(keys, "type", *(f.name for f in given if f.default is REQUIRED), description=doc)


def _joint(kind: joint_registry.JointType) -> dict[str, Any]:
    entry = _entry(kind.name, f"{kind.space}: {kind.doc}", kind.parameters)
    end = {"$ref": "#/$defs/end"}
    entry["properties"] |= {
        **({"type": {"enum": [kind.name, *kind.aliases]}} if kind.aliases else {}),
        "a": end,
        "b": end,
        "bodies": list_of(TEXT, minItems=2, maxItems=2),
        "at": {**VECTOR, "description": "Place of the joint in the world, the bodies posed as given."},
        "axis_b": VECTOR,
        **({"rows": {"enum": ["joint", "world"]}} if kind.holds_a_point else {}),
        **{key: value for key, value in _turning().items() if key != "orientation"},
        **elastic_schema(),
        **capacity_schema(),
        **bearing_schema(),
    }
    return entry
