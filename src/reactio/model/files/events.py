"""Events and end stops read from a file and written back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reactio.errors import ReactioError
from reactio.expressions.number import fold
from reactio.expressions.parameters import RESERVED
from reactio.expressions.syntax import parse
from reactio.functions.program import RATE_SUFFIX
from reactio.model.coordinates import coordinate_unit
from reactio.model.specs import Event, Joint, Stop
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.fields import LENGTH_OR_ANGLE, read_coordinate
from reactio.model.values.functions import like, parts, refuse_degrees
from reactio.model.values.yaml_tree import Node

WORD = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def read_event(name: str, node: Node, context: Context) -> Event:
    """An expression in coordinates, in the units of the file; names are checked with the whole model."""
    what = f"event '{name}'"
    keys = ("when", "direction", "action", "constants", "length_scale", "angle_scale")
    mapping = known_keys(node, what, keys)
    when = required(mapping, "when", node, what)
    text = when.text(f"{what}: when")
    used = set(WORD.findall(text))
    if context.units.time != "s" and any(word == "t" or word.endswith(RATE_SUFFIX) for word in used):
        raise when.fail(f"{what}: an expression in t or rates needs seconds; leave the unit of time out.")
    _check_angles(when, text, used, context, f"{what}: when")
    given = mapping["constants"].mapping(f"{what}: constants") if "constants" in mapping else {}
    constants = {key: float(context.values[key]) for key in sorted(used & context.values.keys())}
    constants |= {key: context.number(value, f"{what}: {key}") for key, value in given.items()}
    words: dict[str, Any] = {
        key: mapping[key].text(f"{what}: {key}") for key in ("direction", "action") if key in mapping
    }
    scales: dict[str, Any] = {
        key: context.number(mapping[key], f"{what}: {key}") if key in mapping else context.units.factor(dimension)
        for key, dimension in (("length_scale", "length"), ("angle_scale", "angle"))
    }
    return Event(name, text, **words, constants=tuple(constants.items()), **scales)


def _check_angles(node: Node, text: str, used: set[str], context: Context, what: str) -> None:
    """Refuse radians plus degrees, and sines of degrees; other errors of the text are reported when names are known."""
    try:
        tree = fold(parse(text, used - RESERVED | {"t"}), context.values, text)
    except ReactioError:
        return
    for part in parts(tree):
        context.factor(node, what, like(part), "angle")
    refuse_degrees(node, tree, context, what)


def read_stop(name: str, node: Node, context: Context, joints: Mapping[str, Joint]) -> Stop:
    """Limits of a joint coordinate, and the action there."""
    what = f"stop '{name}'"
    mapping = known_keys(node, what, ("along", "lower", "upper", "restitution", "action"))
    along = read_coordinate(required(mapping, "along", node, what), f"{what}: along")
    dimension = LENGTH_OR_ANGLE[coordinate_unit(along, context.space, joints)]
    limits = {k: context.number(mapping[k], f"{what}: {k}", dimension) for k in ("lower", "upper") if k in mapping}
    if ("restitution" in mapping) == ("action" in mapping):
        raise node.fail(f"{what}: give either `restitution` (0 … 1) or `action: stop`.")
    if "action" in mapping and mapping["action"].text(f"{what}: action") != "stop":
        raise mapping["action"].fail(f"{what}: the only action is stop; a rebound is given by `restitution`.")
    rebound = context.number(mapping["restitution"], f"{what}: restitution") if "restitution" in mapping else None
    return Stop(name, along, limits.get("lower"), limits.get("upper"), rebound)


def write_event(event: Event) -> dict[str, Any]:
    """An event as plain data, without default values."""
    data: dict[str, Any] = {"when": event.when}
    plain = Event(event.name, event.when)
    for key in ("direction", "action", "length_scale", "angle_scale"):
        if getattr(event, key) != getattr(plain, key):
            data[key] = getattr(event, key)
    return data | ({"constants": dict(event.constants)} if event.constants else {})


def write_stop(stop: Stop) -> dict[str, Any]:
    """A stop as plain data, in SI."""
    limits = {key: value for key in ("lower", "upper") if (value := getattr(stop, key)) is not None}
    end = {"action": "stop"} if stop.restitution is None else {"restitution": stop.restitution}
    return {"along": str(stop.along), **limits, **end}
