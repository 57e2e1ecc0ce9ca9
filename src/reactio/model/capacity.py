"""Capacity of a joint, the largest force and moment it bears: read, described and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from reactio.catalogue.units import quantity, si_unit
from reactio.errors import ModelError, did_you_mean
from reactio.model.checks import Path
from reactio.model.schema_parts import numbers_by_name
from reactio.model.values.context import Context, named_numbers
from reactio.model.values.yaml_tree import Node

CAPACITY_KEY = "capacity"
CAPACITY_DIMENSIONS = {"force": "force", "moment": "torque"}


def read_capacity(mapping: dict[str, Node], context: Context, what: str) -> dict[str, float]:
    """``capacity: {force: 5e3, moment: 200}``, either or both."""
    return named_numbers(mapping, CAPACITY_KEY, CAPACITY_DIMENSIONS, context, what)


def capacity_schema() -> dict[str, Any]:
    """The JSON Schema of a capacity in a model file."""
    words = "Largest force and moment the joint can carry, for `reactio bounds`."
    return {CAPACITY_KEY: numbers_by_name(CAPACITY_DIMENSIONS, description=words)}


def check_capacity(capacity: Mapping[str, float], what: str, path: Path) -> None:
    """Positive forces and moments."""
    for name, value in capacity.items():
        if name not in CAPACITY_DIMENSIONS:
            raise ModelError(
                f"{what}: capacity has no '{name}'.{did_you_mean(name, CAPACITY_DIMENSIONS)}", (*path, CAPACITY_KEY)
            )
        if not (math.isfinite(value) and value > 0.0):
            given = quantity(value, si_unit(CAPACITY_DIMENSIONS[name]), 6)
            raise ModelError(f"{what}: capacity: {name} must be positive, not {given}.", (*path, CAPACITY_KEY, name))
