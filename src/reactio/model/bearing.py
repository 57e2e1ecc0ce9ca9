"""The rolling bearing in a joint, for its life: read, described and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from reactio.errors import ModelError, did_you_mean
from reactio.model.checks import Path
from reactio.model.values.context import Context, named_numbers
from reactio.model.values.yaml_tree import Node

BEARING_KEY = "bearing"
BEARING_DIMENSIONS = {"C": "force", "p": "number", "X": "number", "Y": "number"}


def read_bearing(mapping: dict[str, Node], context: Context, what: str) -> dict[str, float]:
    """``bearing: {C: 12e3, p: 3}``: dynamic load rating [N], exponent of life; X, Y of the equivalent load."""
    return named_numbers(mapping, BEARING_KEY, BEARING_DIMENSIONS, context, what)


def bearing_schema(number: dict[str, Any]) -> dict[str, Any]:
    """What a model file may say of it."""
    return {
        BEARING_KEY: {
            "type": "object",
            "required": ["C"],
            "additionalProperties": False,
            "properties": dict.fromkeys(BEARING_DIMENSIONS, number),
            "description": "Dynamic load rating C, exponent p of life (3), factors X (1), Y (1) of radial and axial "
            "load, for `reactio envelope`.",
        }
    }


def check_bearing(bearing: Mapping[str, float], what: str, path: Path) -> None:
    """A positive load rating and exponent, factors that are not negative."""
    if bearing and "C" not in bearing:
        raise ModelError(f"{what}: bearing needs C, its dynamic load rating.", (*path, BEARING_KEY))
    for name, value in bearing.items():
        if name not in BEARING_DIMENSIONS:
            raise ModelError(
                f"{what}: bearing has no '{name}'.{did_you_mean(name, BEARING_DIMENSIONS)}", (*path, BEARING_KEY)
            )
        if not math.isfinite(value) or value < 0.0 or (value == 0.0 and name in "Cp"):
            raise ModelError(
                f"{what}: bearing: {name} must be a positive number, not {value:g}.", (*path, BEARING_KEY, name)
            )
