"""The JSON Schema of model files, generated from the registries, for editors that complete and check."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.couplings import COUPLINGS
from reactio.fields import REQUIRED, Choice, Coordinate, Coordinates, Field, Law, LawVector, Numbers, Place, Vector
from reactio.forces import FORCES
from reactio.functions import KINDS
from reactio.model.units import UNITS

NUMBER = {"$ref": "#/$defs/number"}
VECTOR = {"$ref": "#/$defs/vector"}


def schema() -> dict[str, Any]:
    """The JSON Schema of a model file."""
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
            "vector": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 3},
            "orientation": _orientation(),
            "end": _end(),
            "function": _function(),
            "body": _body(),
        },
    }


def _top() -> dict[str, Any]:
    named = lambda item: {"type": "object", "additionalProperties": item}  # noqa: E731
    joints = [_joint(kind) for space in ("planar", "spatial") for kind in joint_registry.BY_SPACE[space].values()]
    couplings = [_entry(c.name, c.doc, (c.joints, *c.parameters)) for c in COUPLINGS.values()]
    forces = [_entry(f.name, f.doc, f.fields) for f in FORCES.values()]
    drive = {
        "type": "object",
        "required": ["joint", "function"],
        "additionalProperties": False,
        "properties": {"joint": {"type": "string"}, "function": {"$ref": "#/$defs/function"}},
    }
    return {
        "reactio": {"const": 1, "description": "Version of the file format."},
        "name": {"type": "string"},
        "title": {"type": "string", "description": "One line that says what it is."},
        "cite": {"type": "string", "description": "Where it was published."},
        "space": {"enum": ["planar", "spatial"]},
        "units": _units(),
        "parameters": named(NUMBER),
        "gravity": VECTOR,
        "ground": {"$ref": "#/$defs/body", "description": "Named points, axes and frames of the ground."},
        "bodies": named({"$ref": "#/$defs/body"}),
        "joints": named({"anyOf": joints}),
        "drives": named(drive),
        "couplings": named({"anyOf": couplings}),
        "forces": named({"anyOf": forces}),
    }


def _units() -> dict[str, Any]:
    names = sorted({unit for units in UNITS.values() for unit in units})
    return {
        "description": "SI if left out; force is N also where length is mm.",
        "anyOf": [
            {"enum": names},
            {"type": "array", "items": {"enum": names}},
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {quantity: {"enum": list(units)} for quantity, units in UNITS.items()},
            },
        ],
    }


def _orientation() -> dict[str, Any]:
    return {
        "description": "A unit quaternion, scalar first; or axis and angle; or Euler angles; or the axes z and x.",
        "anyOf": [
            NUMBER,
            {"type": "array", "items": NUMBER, "minItems": 4, "maxItems": 4},
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "axis": VECTOR,
                    "angle": NUMBER,
                    "euler": {"type": "string"},
                    "angles": {"type": "array", "items": NUMBER},
                    "x": VECTOR,
                    "z": VECTOR,
                },
            },
        ],
    }


def _turning() -> dict[str, Any]:
    return {
        "orientation": {"$ref": "#/$defs/orientation"},
        "angle": NUMBER,
        "axis": {"anyOf": [VECTOR, {"type": "string"}], "description": "Main axis: z in space, x in the plane."},
        "x": VECTOR,
    }


def _end() -> dict[str, Any]:
    return {
        "description": "A frame on a body: body, body.point, body.frame, or a mapping.",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["body"],
                "additionalProperties": False,
                "properties": {
                    "body": {"type": "string"},
                    "point": {"anyOf": [VECTOR, {"type": "string"}]},
                    "frame": {"type": "string"},
                    **_turning(),
                },
            },
        ],
    }


def _function() -> dict[str, Any]:
    kinds = {name: {"description": (kind.__doc__ or "").splitlines()[0]} for name, kind in KINDS.items()}
    one = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": False, "properties": kinds}
    return {"description": "A number, an expression in t, or one of the kinds of functions.", "anyOf": [NUMBER, one]}


def _body() -> dict[str, Any]:
    named = lambda item: {"type": "object", "additionalProperties": item}  # noqa: E731
    frame = {"type": "object", "additionalProperties": False, "properties": {"point": VECTOR, **_turning()}}
    one_or_more = {"anyOf": [NUMBER, {"type": "array", "items": NUMBER}]}
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {
            "mass": NUMBER,
            "inertia": {**one_or_more, "description": "About the centre of mass: J, or xx, yy, zz (, xy, xz, yz)."},
            "position": VECTOR,
            "orientation": {"$ref": "#/$defs/orientation"},
            "angle": NUMBER,
            "velocity": VECTOR,
            "angular_velocity": one_or_more,
            "center": {**VECTOR, "description": "Centre of mass in body axes."},
            "kind": {"enum": list(BODIES)},
            "points": named(VECTOR),
            "axes": named(VECTOR),
            "frames": named(frame),
        },
    }


def _entry(name: str, doc: str, fields: tuple[Field, ...]) -> dict[str, Any]:
    """A mapping with its type and fields."""
    return {
        "type": "object",
        "description": doc,
        "required": ["type", *(f.name for f in fields if f.default is REQUIRED)],
        "additionalProperties": False,
        "properties": {"type": {"const": name}, **{f.name: {**_field(f), "description": f.doc} for f in fields}},
    }


def _joint(kind: joint_registry.JointType) -> dict[str, Any]:
    entry = _entry(kind.name, f"{kind.space}: {kind.doc}", kind.parameters)
    end = {"$ref": "#/$defs/end"}
    entry["properties"] |= {
        "a": end,
        "b": end,
        "bodies": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        "at": {**VECTOR, "description": "Place of the joint in the world, the bodies posed as given."},
        "axis_b": VECTOR,
        **{key: value for key, value in _turning().items() if key != "orientation"},
    }
    return entry


@singledispatch
def _field(one: Field) -> dict[str, Any]:
    return dict(NUMBER)


@_field.register
def _(one: Numbers) -> dict[str, Any]:
    return {"type": "array", "items": NUMBER}


@_field.register
def _(one: Vector) -> dict[str, Any]:
    return dict(VECTOR)


@_field.register
def _(one: Law) -> dict[str, Any]:
    return {"$ref": "#/$defs/function"}


@_field.register
def _(one: LawVector) -> dict[str, Any]:
    law = {"$ref": "#/$defs/function"}
    return {"anyOf": [law, {"type": "array", "items": law}]}


@_field.register
def _(one: Place) -> dict[str, Any]:
    return {"$ref": "#/$defs/end"}


@_field.register
def _(one: Coordinate) -> dict[str, Any]:
    return {"type": "string"}


@_field.register
def _(one: Coordinates) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "minItems": 2}


@_field.register
def _(one: Choice) -> dict[str, Any]:
    return {"enum": list(one.options)}
