"""Events and end stops: read, written, described and checked, and the coordinates they look at."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from reactio.catalogue.places import CoordinateName
from reactio.errors import ModelError, ReactioError
from reactio.expressions.number import fold
from reactio.expressions.parameters import RESERVED
from reactio.expressions.syntax import Tree, names, parse
from reactio.functions.program import RATE_SUFFIX, coordinate_of
from reactio.model.checks import Path
from reactio.model.coordinates import NamedCoordinate, coordinate_unit, of_model, variable_names
from reactio.model.schema_parts import NUMBER_SCHEMA, mapping
from reactio.model.specs import Event, Joint, ModelParts, Stop
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.fields import LENGTH_OR_ANGLE, read_coordinate
from reactio.model.values.functions import like, parts, refuse_degrees
from reactio.model.values.yaml_tree import Node


class CrossingDirection(StrEnum):
    """In which direction a function crosses zero."""

    RISING = "rising"
    FALLING = "falling"
    BOTH = "both"  # of an event that looks for either


ACTIONS = ("record", "stop")  # what a model may ask for: note the event, or end the run there
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


def event_schema() -> dict[str, Any]:
    """The JSON Schema of an event in a model file."""
    keys: dict[str, Any] = {
        "when": {"type": "string", "description": "An expression that crosses zero: A.angle - pi/2."},
        "direction": {"enum": [str(direction) for direction in CrossingDirection]},
        "action": {"enum": list(ACTIONS)},
        "constants": {"type": "object", "additionalProperties": NUMBER_SCHEMA},
        "length_scale": NUMBER_SCHEMA,
        "angle_scale": NUMBER_SCHEMA,
    }
    return mapping(keys, "when")


def stop_schema() -> dict[str, Any]:
    """The JSON Schema of an end stop in a model file."""
    keys: dict[str, Any] = {
        "along": {"type": "string", "description": "A joint coordinate: joint or joint.coordinate."},
        "lower": NUMBER_SCHEMA,
        "upper": NUMBER_SCHEMA,
        "restitution": {
            **NUMBER_SCHEMA,
            "description": "0 … 1: fraction of the speed after an impact, reversed.",
        },
        "action": {"const": "stop", "description": "End the run at the limit."},
    }
    return mapping(keys, "along")


def tree_of(event: Event, model: ModelParts) -> Tree:
    """The expression of an event with its constants put in."""
    assert isinstance(event.when, str), "a function has no text"
    known = dict(event.constants)
    return fold(parse(event.when, variable_names(model) | known.keys()), known, event.when)


def watched(model: ModelParts) -> tuple[str, ...]:
    """The coordinates, by name, that events and stops look at and a system must measure, each once."""
    known = of_model(model) if model.events else {}
    used = [coordinate_of(name) for event in model.events for name in sorted(names(tree_of(event, model)))]
    measured = [name for name in used if name in known and _is_measured(known[name])]
    return tuple(dict.fromkeys([*measured, *(str(stop.along) for stop in model.stops)]))


def _is_measured(coordinate: NamedCoordinate) -> bool:
    """Is it a joint coordinate or that of a point?  Those of body origins are read from the state."""
    return isinstance(coordinate.of, CoordinateName) or bool(coordinate.of.point)


def check_event(event: Event, model: ModelParts) -> None:
    """Is it an expression of known names, with a direction and an action there are?"""
    path: Path = ("events", event.name)
    what = f"event '{event.name}'"
    if not isinstance(event.when, str):
        raise ModelError(f"{what}: a model holds texts only; give a function to simulate(…, events=[…]).", path)
    check_words(event, path)
    for key in ("length_scale", "angle_scale"):
        if not (math.isfinite(getattr(event, key)) and getattr(event, key) > 0):
            raise ModelError(f"{what}: {key} is {getattr(event, key)}; it must be positive.", (*path, key))
    for name, value in event.constants:
        if not math.isfinite(value):
            raise ModelError(f"{what}: the constant '{name}' is {value}; give a finite number.", (*path, "constants"))
    try:
        used = names(tree_of(event, model))
    except ReactioError as error:
        raise ModelError(f"{what}: {error}", (*path, "when")) from None
    if not used:
        raise ModelError(f"{what}: '{event.when}' never changes; name a coordinate or t.", (*path, "when"))


def check_words(event: Event, path: Path) -> None:
    """Direction and action, of an event in a model or given to a run."""
    for key, options in (("direction", tuple(CrossingDirection)), ("action", ACTIONS)):
        if getattr(event, key) not in options:
            raise ModelError(
                f"event '{event.name}': {key} is '{getattr(event, key)}'; it must be {' or '.join(options)}.",
                (*path, key),
            )


def check_stop(stop: Stop) -> None:
    """Limits in order, and a restitution that takes no more than all of the speed and gives none."""
    path: Path = ("stops", stop.name)
    what = f"stop '{stop.name}'"
    limits = {key: value for key in ("lower", "upper") if (value := getattr(stop, key)) is not None}
    if not limits:
        raise ModelError(f"{what} has no limit; give `lower`, `upper` or both.", path)
    for key, value in limits.items():
        if not math.isfinite(value):
            raise ModelError(f"{what}: {key} is {value}; give a finite number.", (*path, key))
    if len(limits) == 2 and not limits["lower"] < limits["upper"]:
        raise ModelError(f"{what}: lower is not less than upper.", (*path, "lower"))
    if stop.restitution is not None and not 0 <= stop.restitution <= 1:
        raise ModelError(
            f"{what}: restitution is {stop.restitution:g}; it lies between 0 (no rebound) and 1 (no loss).",
            (*path, "restitution"),
        )
