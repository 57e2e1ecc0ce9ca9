"""What events and end stops must fulfil, and the coordinates they look at."""

from __future__ import annotations

import math
from enum import StrEnum

from reactio.catalogue.places import CoordinateName
from reactio.errors import ModelError, ReactioError
from reactio.expressions.number import fold
from reactio.expressions.syntax import Tree, names, parse
from reactio.functions.program import coordinate_of
from reactio.model.checks import Path
from reactio.model.coordinates import NamedCoordinate, of_model, variable_names
from reactio.model.specs import Event, ModelParts, Stop


class CrossingDirection(StrEnum):
    """In which direction a function crosses zero."""

    RISING = "rising"
    FALLING = "falling"
    BOTH = "both"  # of an event that looks for either


ACTIONS = ("record", "stop")  # what a model may ask for: note the event, or end the run there


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
