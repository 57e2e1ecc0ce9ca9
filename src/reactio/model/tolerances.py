"""Manufacturing tolerances of joints, drives and bodies, and costs of changing a joint: read, described and checked.

Names are checked where they come from a file, or are used: a model with a joint left out keeps its entry.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from reactio.catalogue.units import quantity
from reactio.errors import ModelError, did_you_mean
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.checks import Path
from reactio.model.elastic import COMPONENTS, LENGTHWISE, SPATIAL_COMPONENTS, turning
from reactio.model.play import ALONG
from reactio.model.schema_parts import NUMBER_SCHEMA, numbers_by_name
from reactio.model.values.context import Context, known_keys, named_numbers
from reactio.model.values.yaml_tree import Node

TOLERANCES_KEY, COSTS = "tolerances", "costs"
EVERY_OTHER_JOINT = "default"  # of every joint that is not named
POSITION_TOLERANCE, ANGLE_TOLERANCE = "position", "angle"
OF_JOINT = {POSITION_TOLERANCE: "length", ANGLE_TOLERANCE: "angle"}  # each stands for all components of its kind
TEMPERATURE = "temperature"
OF_BODY = {"length": "length", TEMPERATURE: "number"}
ManufacturingTolerances = Mapping[str, Mapping[str, float]]


def tolerance_unit(name: str, along: Mapping[str, str] = {}) -> str:
    """The unit of SI of a tolerance by its name: ``m``, ``rad`` or ``K``; ``along``: of each drive and coupling.

    >>> tolerance_unit("hinge2.angle"), tolerance_unit("beam.temperature"), tolerance_unit("hinge2.z")
    ('rad', 'K', 'm')
    """
    if name in along:
        return along[name]
    kind = name.rpartition(".")[2]
    if kind == TEMPERATURE:
        return "K"
    return "rad" if kind == ANGLE_TOLERANCE or turning(kind) else "m"


def read_tolerances(
    node: Node, context: Context, joints: Iterable[str], bodies: Iterable[str], along: Mapping[str, str]
) -> dict[str, dict[str, float]]:
    """``hinge2: {position: 5e-5, angle: 1e-4, z: 1e-4}``, ``beam: {length: 1e-4, temperature: 20}``; ± of each.

    A drive or coupling has one number, ``motor: 1e-4``, in the unit of its coordinate, listed in ``along``.
    """
    known_joints, known_bodies = {*joints, EVERY_OTHER_JOINT}, set(bodies)
    tolerances: dict[str, dict[str, float]] = {}
    for name, inner in known_keys(node, TOLERANCES_KEY, (*known_joints, *known_bodies, *along)).items():
        if name in along:
            tolerances[name] = {ALONG: _along_coordinate(name, inner, context, along[name])}
            continue
        kinds = tolerance_kinds(context.space, name in known_joints, name in known_bodies)
        tolerances[name] = named_numbers({name: inner}, name, kinds, context, TOLERANCES_KEY, (ALONG,))
    return tolerances


def tolerance_kinds(space: str, of_joint: bool, of_body: bool) -> dict[str, str]:
    """The tolerances that a joint or a body may have, and what each measures."""
    components = {name: "angle" if turning(name) else "length" for name in COMPONENTS[space]}
    kinds = {**OF_JOINT, **components, **dict.fromkeys(LENGTHWISE, "length")} if of_joint else {}
    return kinds | OF_BODY if of_body else kinds


def _along_coordinate(name: str, node: Node, context: Context, unit: str) -> float:
    """The tolerance of a drive or coupling, which has one misfit."""
    label = f"{TOLERANCES_KEY}: {name}"
    if not isinstance(node.value, str):
        given = next(iter(node.value.values()), None) if isinstance(node.value, dict) else None
        number = given.value if given is not None and isinstance(given.value, str) else "0.001"
        raise node.fail(f"{label} has one misfit, along its own coordinate: write {name}: {number}.")
    return context.number(node, label, "angle" if unit == "rad" else "length")


def read_costs(node: Node, context: Context, joints: Iterable[str]) -> dict[str, float]:
    """``B: 5``, the cost of changing a joint (1), and ``spherical: 2``, the extra cost of a new type (0)."""
    names = (*joints, *JOINTS_BY_SPACE[context.space])
    return {name: context.number(inner, f"{COSTS}: {name}") for name, inner in known_keys(node, COSTS, names).items()}


def tolerances_schema() -> dict[str, Any]:
    """The keys in the JSON Schema of model files."""
    return {
        TOLERANCES_KEY: {
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    NUMBER_SCHEMA,
                    numbers_by_name((*OF_JOINT, *SPATIAL_COMPONENTS, *OF_BODY, *LENGTHWISE)),
                ]
            },
            "description": "By name of joint (position, angle, length of a rod, or a component; `default` for all "
            "others) or body (length, temperature [K]); of a drive or coupling one number: plus or minus, for "
            "`reactio tolerances`.",
        },
        COSTS: {
            "type": "object",
            "additionalProperties": NUMBER_SCHEMA,
            "description": "Of changing a joint (1), and of a new type (0), for `reactio advise`.",
        },
    }


def check_tolerances(tolerances: ManufacturingTolerances, space: str, along: Mapping[str, str]) -> None:
    """Finite numbers, none negative, of what joints, drives and bodies have."""
    of_joints_and_bodies = (*OF_JOINT, *COMPONENTS[space], *OF_BODY, *LENGTHWISE)
    for name, given in tolerances.items():
        kinds = (ALONG,) if name in along else of_joints_and_bodies
        for key, value in given.items():
            if key not in kinds:
                raise ModelError(
                    f"tolerances of '{name}' have no '{key}'.{did_you_mean(key, kinds)}", (TOLERANCES_KEY, name)
                )
            if name in along:
                check_tolerance(value, name, along[name], (TOLERANCES_KEY, name))
            else:
                check_tolerance(value, f"{name}.{key}", tolerance_unit(key), (TOLERANCES_KEY, name, key))


def check_tolerance(value: float, name: str, unit: str, path: Path = ()) -> None:
    """A finite number, 0 or more."""
    if not (math.isfinite(value) and value >= 0.0):
        raise ModelError(f"the tolerance of '{name}' is {quantity(value, unit, 6)}; it must be 0 or more.", path)


def check_costs(costs: Mapping[str, float]) -> None:
    """Finite numbers, none negative."""
    for name, value in costs.items():
        if not (math.isfinite(value) and value >= 0.0):
            raise ModelError(f"the cost of '{name}' is {value:g}; a cost is a finite number, 0 or more.", (COSTS, name))
