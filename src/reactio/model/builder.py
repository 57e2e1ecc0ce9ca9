"""Parts from Python values, read as the same fields of a model file would be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reactio.catalogue.places import GROUND
from reactio.errors import ModelError, ReactioError
from reactio.model.checks import check_name
from reactio.model.entities import (
    joint_keys,
    read_body,
    read_coupling,
    read_drive,
    read_force,
    read_joint,
    write_joint,
)
from reactio.model.specs import Body, Joint, ModelParts
from reactio.model.values.context import Context
from reactio.model.values.yaml_tree import Node, parse_nodes

PART_READERS: dict[str, Callable[..., Any]] = {
    "drives": lambda name, node, context, bodies, joints: read_drive(name, node, context, joints),
    "couplings": lambda name, node, context, bodies, joints: read_coupling(name, node, context, joints),
    "forces": read_force,
    "joints": lambda name, node, context, bodies, joints: read_joint(name, node, context, bodies),
    "bodies": lambda name, node, context, bodies, joints: read_body(name, node, context),
}
# Fields that say where a joint stands: a joint that is replaced keeps its ends unless one of them is given.
PLACES = ("a", "b", "bodies", "at", "axis", "axis_b", "x", "angle")


def part(model: ModelParts, section: str, name: str, fields: Mapping[str, Any]) -> Any:
    """A part of a model from the fields that it would have in that section of a file, in SI units."""
    bodies: dict[str, Body] = {body.name: body for body in model.bodies}
    if model.ground.points or model.ground.axes or model.ground.frames:
        bodies[GROUND] = model.ground
    joints = {joint.name: joint for joint in model.joints}
    context = Context(model.space, values=dict(model.parameters))
    try:
        check_name(name, (section, str(name)))
        return PART_READERS[section](name, node_of(fields), context, bodies, joints)
    except ModelError as error:
        raise ModelError(error.message, error.path) from None  # there is no file whose line could be named


def gravity_of(space: str, gravity: Any, parameters: Mapping[str, float]) -> tuple[float, ...]:
    """Gravity [m/s²] from numbers or expressions of parameters."""
    try:
        node = node_of({"gravity": gravity}).mapping("gravity")["gravity"]
        return Context(space, values=dict(parameters)).vector(node, "gravity", "acceleration")
    except ModelError as error:
        raise ModelError(error.message, error.path) from None


def replaced_joint(model: ModelParts, name: str, fields: Mapping[str, Any]) -> tuple[Joint, ...]:
    """The joints of a model, one of them with other fields; None takes a field away.

    A joint of another type keeps the fields that this type has too.
    """
    old = write_joint(model.joint(name))
    if any(key in fields for key in PLACES):
        old = {key: value for key, value in old.items() if key not in ("a", "b")}
    known = joint_keys(model.space, fields.get("type", old["type"]))
    kept = {key: value for key, value in old.items() if key in known or not known}
    merged = {key: value for key, value in (kept | dict(fields)).items() if value is not None}
    joint = part(model, "joints", name, merged)
    return tuple(joint if present.name == name else present for present in model.joints)


def node_of(fields: Mapping[str, Any]) -> Node:
    """Python values as the tree that a file with these values gives."""
    import yaml

    try:
        return parse_nodes(yaml.safe_dump(_plain(fields), allow_unicode=True))
    except yaml.representer.RepresenterError as error:
        raise ReactioError(
            f"A field of a model is a number, a text, a list or a mapping, not {type(error.args[-1]).__name__}."
        ) from None


def _plain(value: Any) -> Any:
    """Values of NumPy as those of Python, at any depth."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
