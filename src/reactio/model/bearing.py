"""The bearing in a joint, for its stiffness, clearance and life: read, described and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reactio.bearings import BEARING_NUMBERS, BEARINGS
from reactio.bearings.clearance import CLASSES
from reactio.catalogue.units import quantity, si_unit
from reactio.errors import ModelError, did_you_mean
from reactio.model.checks import Path
from reactio.model.play import ONE_WAY, play_quantity
from reactio.model.schema_parts import NUMBER_SCHEMA, mapping
from reactio.model.specs import Joint
from reactio.model.values.context import Context, known_keys
from reactio.model.values.yaml_tree import Node

BEARING_KEY = "bearing"
WORDS = ("type", "clearance")
NOT_ZERO = ("C", "C0", "p", "Z", "rows", "Dw", "length", "bore")
RADIAL_PLAY = ("natural", "radial", "lateral", "x", "y", ONE_WAY)


def read_bearing(mapping: dict[str, Node], context: Context, what: str) -> dict[str, float | str]:
    """``bearing: {type: deep-groove, Z: 9, Dw: 7.938 mm, bore: 25 mm, clearance: C3, C: 14e3}``.

    Load ratings C and C0 [N], exponent p of life, factors X, Y and X0, Y0 of equivalent loads; geometry by kind;
    clearance on the diameter, a class or a length.
    """
    if BEARING_KEY not in mapping:
        return {}
    label = f"{what}: {BEARING_KEY}"
    if isinstance(mapping[BEARING_KEY].value, str):
        raise mapping[BEARING_KEY].fail(
            f"{label}: catalogue numbers are not known; give its numbers, as in {{type: deep-groove, C: 14e3}} "
            "(`reactio bearings` lists the types)."
        )
    given: dict[str, float | str] = {}
    for name, node in known_keys(mapping[BEARING_KEY], label, (*WORDS, *BEARING_NUMBERS)).items():
        if name == "type" or (name == "clearance" and _is_word(node.value, context)):
            given[name] = node.text(f"{label}: {name}")
        elif name == "clearance" or BEARING_NUMBERS[name] == "length":
            given[name] = play_quantity(node, context, f"{label}: {name}", "length")
        else:
            given[name] = context.number(node, f"{label}: {name}", BEARING_NUMBERS[name])
    return given


def _is_word(value: object, context: Context) -> bool:
    """Is a value the name of a class, rather than a number, an expression or a parameter?"""
    return isinstance(value, str) and value.isidentifier() and value not in context.values


def bearing_schema() -> dict[str, Any]:
    """The JSON Schema of a bearing in a model file."""
    keys = {
        "type": {"enum": list(BEARINGS)},
        "clearance": {"anyOf": [{"enum": list(CLASSES)}, NUMBER_SCHEMA]},
        **dict.fromkeys(BEARING_NUMBERS, NUMBER_SCHEMA),
    }
    words = (
        "Type and geometry (Z, Dw, length, angle, rows) give the stiffness, a class and the bore the clearance, C and "
        "C0 life and static safety; `reactio bearings` lists the types."
    )
    return {BEARING_KEY: mapping(keys, description=words)}


def bearing_numbers(bearing: Mapping[str, float | str]) -> dict[str, float]:
    """Its numbers, without words."""
    return {name: value for name, value in bearing.items() if not isinstance(value, str)}


def check_bearing(bearing: Mapping[str, float | str], what: str, path: Path) -> None:
    """A known type, or a load rating; numbers that can be; a clearance class with the bore that it needs."""
    if bearing and not {"C", "type"} & bearing.keys():
        raise ModelError(f"{what}: bearing needs C, its dynamic load rating, or its type.", (*path, BEARING_KEY))
    for name, value in bearing.items():
        if name not in (*WORDS, *BEARING_NUMBERS):
            raise ModelError(
                f"{what}: bearing has no '{name}'.{did_you_mean(name, (*WORDS, *BEARING_NUMBERS))}",
                (*path, BEARING_KEY),
            )
        if not isinstance(value, str) and (not math.isfinite(value) or value < 0.0 or (not value and name in NOT_ZERO)):
            given = quantity(value, si_unit(BEARING_NUMBERS.get(name, "length")), 6)
            raise ModelError(f"{what}: bearing: {name} must be positive, not {given}.", (*path, BEARING_KEY, name))
    if "type" in bearing:
        _check_type(bearing, what, (*path, BEARING_KEY))
    elif rest := bearing.keys() - {"C", "C0", "p", "X", "Y", "X0", "Y0"}:
        raise ModelError(f"{what}: bearing: {sorted(rest)[0]} needs a `type`.", (*path, BEARING_KEY))


def _check_type(bearing: Mapping[str, float | str], what: str, path: Path) -> None:
    name = str(bearing["type"])
    if name not in BEARINGS:
        raise ModelError(
            f"{what}: there is no bearing of the type '{name}'.{did_you_mean(name, BEARINGS)}", (*path, "type")
        )
    kind, given = BEARINGS.get(name), {"Z", "Dw", "length", "angle"} & bearing.keys()
    missing = [key for key in kind.geometry if key not in bearing]
    if given and missing:
        raise ModelError(
            f"{what}: the stiffness of a {name} bearing needs {', '.join(kind.geometry)}; {missing[0]} is missing.",
            path,
        )
    if float(bearing.get("angle", 0.0)) > math.pi / 2:
        raise ModelError(f"{what}: bearing: the contact angle is at most 90 degrees.", (*path, "angle"))
    clearance = bearing.get("clearance")
    if isinstance(clearance, str):
        if clearance not in CLASSES:
            raise ModelError(
                f"{what}: there is no clearance class '{clearance}'.{did_you_mean(clearance, CLASSES)}",
                (*path, "clearance"),
            )
        if kind.clearance is None:
            raise ModelError(
                f"{what}: {name} bearings have no classes of radial clearance here; give it as a length on the "
                "diameter.",
                (*path, "clearance"),
            )
        if "bore" not in bearing:
            raise ModelError(
                f"{what}: the clearance class {clearance} needs the size of the bearing: give its `bore`.",
                (*path, "clearance"),
            )
        if kind.clearance.range(clearance, float(bearing["bore"])) is None:
            raise ModelError(
                f"{what}: the table of classes has no {clearance} for a bore of {float(bearing['bore']) * 1e3:g} mm; "
                "give the clearance as a length on the diameter.",
                (*path, "clearance"),
            )


def clearance_range(bearing: Mapping[str, float | str]) -> tuple[float, float] | None:
    """Least and largest clearance on the diameter [m]; None where it says none."""
    clearance = bearing.get("clearance")
    if clearance is None or not isinstance(clearance, str):
        return None if clearance is None else (clearance, clearance)
    table = BEARINGS.get(str(bearing["type"])).clearance
    return None if table is None else table.range(clearance, float(bearing["bore"]))


def with_bearing_play(joint: Joint) -> Joint:
    """The joint with half of the mean clearance of its bearing as radial play; a given `play` takes precedence."""
    ends = clearance_range(joint.bearing)
    if ends is None or any(word in joint.elastic.play for word in RADIAL_PLAY):
        return joint
    play = {**joint.elastic.play, "radial": 0.25 * (ends[0] + ends[1])}
    return replace(joint, elastic=replace(joint.elastic, play=play))
