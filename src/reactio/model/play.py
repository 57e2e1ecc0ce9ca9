"""Play of joints, backlash of gears and couplings, slack of cables: read, written, described and checked.

Lengths are clearances on the radius: the displacement from the middle to the stop.  Backlash is the whole free travel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reactio.catalogue.units import names_of_unit
from reactio.errors import ModelError, did_you_mean
from reactio.model.checks import Path, check_size
from reactio.model.schema_parts import NUMBER_SCHEMA, numbers_by_name
from reactio.model.specs import Elastic
from reactio.model.values.context import Context, known_keys
from reactio.model.values.yaml_tree import Node

NATURAL = "natural"  # the one number of a joint: radial, lateral, or along its single row
ONE_WAY = "gap"  # of a part that acts one way: how far it is from touching, or from being taut
ALONG = "along"  # of a coupling, or of a joint with one row: half of its backlash
PLAY_WORDS = ("radial", "lateral", "axial", "tilt", "torsion")
TURNING_WORDS = ("tilt", "torsion")
_WITH_UNIT = re.compile(r"\s*(.*[0-9)\s]\.?)([A-Za-zµμ]+)\s*")
PLAY_KEYS = ("play", "backlash", "slack", "fit")
FITS = ("interference",)


def read_play(
    mapping: dict[str, Node], context: Context, what: str, unit: str, components: tuple[str, ...]
) -> dict[str, Any]:
    """``play``, ``backlash``, ``slack`` and ``fit`` of a joint or coupling; ``unit``: of the row of a coupling."""
    play: dict[str, float] = {}
    if "play" in mapping:
        node = mapping["play"]
        if unit:
            raise node.fail(f"{what}: a coupling has `backlash`, the whole free travel of its first coordinate.")
        if isinstance(node.value, dict):
            for name, entry in known_keys(node, f"{what}: play", (*PLAY_WORDS, *components, ALONG)).items():
                turning = name in TURNING_WORDS or name.startswith("about_")
                play[name] = play_quantity(entry, context, f"{what}: play: {name}", "angle" if turning else "length")
        else:
            play[NATURAL] = play_quantity(node, context, f"{what}: play", "length")
    if "backlash" in mapping:
        dimension = "angle" if unit == "rad" else "length"
        play[ALONG] = 0.5 * play_quantity(mapping["backlash"], context, f"{what}: backlash", dimension)
    if "slack" in mapping:
        play[ONE_WAY] = play_quantity(mapping["slack"], context, f"{what}: slack", "length")
    given: dict[str, Any] = {"play": play} if play else {}
    if "fit" in mapping:
        given["fit"] = mapping["fit"].text(f"{what}: fit")
    return given


def play_quantity(node: Node, context: Context, what: str, dimension: str) -> float:
    """A number or expression in the units of the file, or with its own unit: ``0.02 mm``, ``1 mrad``."""
    match = _WITH_UNIT.fullmatch(node.value) if isinstance(node.value, str) else None
    units = names_of_unit("m" if dimension == "length" else "rad")
    if match is None or match[2] in context.values:
        return context.number(node, what, dimension)
    if match[2] not in units:
        raise node.fail(f"{what}: '{match[2]}' is not a unit of {dimension}.{did_you_mean(match[2], units)}")
    return units[match[2]] * context.number(replace(node, value=match[1]), what)


def write_play(elastic: Elastic) -> dict[str, Any]:
    """The keys of a file."""
    data: dict[str, Any] = {}
    play = dict(elastic.play)
    if ONE_WAY in play:
        data["slack"] = play.pop(ONE_WAY)
    if NATURAL in play and len(play) == 1:
        data["play"] = play[NATURAL]
    elif list(play) == [ALONG]:
        data["backlash"] = 2 * play[ALONG]
    elif play:
        data["play"] = play
    if elastic.fit:
        data["fit"] = elastic.fit
    return data


def play_schema(components: tuple[str, ...]) -> dict[str, Any]:
    """The keys in the JSON Schema of model files."""
    return {
        "play": {
            "description": "Clearance on the radius: one length, or radial, axial, tilt, or by component.",
            "anyOf": [NUMBER_SCHEMA, numbers_by_name((*PLAY_WORDS, *components, ALONG))],
        },
        "backlash": {**NUMBER_SCHEMA, "description": "Whole free travel of a gear, rack, belt or coupling."},
        "slack": {
            **NUMBER_SCHEMA,
            "description": "Distance by which a cable, strut or contact is open at the given pose.",
        },
        "fit": {"enum": list(FITS), "description": "Needed if play is negative: parts are pressed together."},
    }


def check_play(elastic: Elastic, one_way: bool, what: str, path: Path) -> None:
    """Refuse sizes that no gap has; negative play needs ``fit: interference``."""
    if elastic.fit and elastic.fit not in FITS:
        raise ModelError(f"{what}: there is no fit '{elastic.fit}'.{did_you_mean(elastic.fit, FITS)}", (*path, "fit"))
    if elastic.fit and not any(value < 0 for value in elastic.play.values()):
        raise ModelError(
            f"{what}: an interference fit is a negative play: write `play: -0.1 mm` (`slack` of a part that acts one "
            "way) by how much the parts overlap.",
            (*path, "fit"),
        )
    if one_way and {ONE_WAY, NATURAL} <= elastic.play.keys():
        raise ModelError(f"{what}: it acts one way only, so `play` and `slack` are the same; give one of them.", path)
    for name, value in elastic.play.items():
        key = "slack" if name == ONE_WAY else "play" if "play" not in path else ""
        check_size(value, f"{what}: {key} {name}", (*path, key))
        if math.isnan(value) or (value < 0 and not elastic.fit):
            raise ModelError(
                f"{what}: {key} is negative; it must be 0 or more. For an interference fit add `fit: interference`.",
                (*path, key),
            )
        if name == ONE_WAY and not one_way:
            raise ModelError(f"{what}: slack is for parts that act one way, such as cables; give `play`.", (*path, key))
        if one_way and name not in (ONE_WAY, NATURAL):
            raise ModelError(
                f"{what}: it acts one way only; give `slack`, the distance until it carries load, and no {name} play.",
                (*path, key),
            )


def one_way_gap(play: Mapping[str, float]) -> float:
    """How far a part that acts one way is from bearing [m]."""
    return play.get(ONE_WAY, play.get(NATURAL, 0.0))
