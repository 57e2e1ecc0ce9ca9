"""Stiffness, misfit, preload and temperature of joints, drives and couplings: read, written, described and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from reactio.catalogue.units import decimal, in_units, quantity
from reactio.errors import ModelError, did_you_mean
from reactio.joints import TENSION
from reactio.linear.precision import SOLUTION
from reactio.model.checks import Path, check_expansion, check_size
from reactio.model.play import ALONG, PLAY_KEYS, check_play, play_schema, read_play, write_play
from reactio.model.schema_parts import NUMBER_SCHEMA, list_of, numbers_by_name
from reactio.model.specs import RIGID, Elastic
from reactio.model.values.context import Context, known_keys
from reactio.model.values.functions import table_path
from reactio.model.values.yaml_tree import Node
from reactio.operating_system.files import read_text
from reactio.structures import PRINTED_MATRIX

ELASTIC_KEYS = ("stiffness", "misfit", "preload", "temperature", "expansion", *PLAY_KEYS)
SPATIAL_COMPONENTS = ("x", "y", "z", "about_x", "about_y", "about_z")
PLANAR_COMPONENTS = ("x", "y", "about_z")
COMPONENTS = {"spatial": SPATIAL_COMPONENTS, "planar": PLANAR_COMPONENTS}
# Short words for bearings and bushings whose axis is z: the directions each of them stands for.
DIRECTION_WORDS = {
    "radial": ("x", "y"),
    "axial": ("z",),
    "tilt": ("about_x", "about_y"),
    "torsion": ("about_z",),
}
LENGTHWISE = (ALONG, "length")  # two words for the one component of a rod, cable or strut
LARGE_MISFIT = 0.05  # rad, or part of the mechanism: linear elasticity is about parts that nearly fit
SOFTEST = 1e-9  # N/m or N m/rad: no joint is softer, and sums with its compliance keep no digits of the others


def read_elastic(
    mapping: dict[str, Node], context: Context, what: str, unit: str = "", *, member: bool = False
) -> Elastic:
    """The elasticity of a joint; ``unit`` is that of the one row of a drive or coupling, empty for a joint.

    ``member``: is it a rod, cable or strut, which yields along its line and has its tension N as preload?
    """
    given: dict[str, Any] = {}
    if "stiffness" in mapping:
        given["stiffness"] = _stiffness(mapping["stiffness"], context, f"{what}: stiffness", unit, member)
    for key, dimensions in (("misfit", ("length", "angle")), ("preload", ("force", "torque"))):
        if key in mapping:
            tension = member and key == "preload"
            given[key] = _components(mapping[key], context, f"{what}: {key}", dimensions, unit, tension)
    for key in ("temperature", "expansion"):
        if key in mapping:
            given[key] = context.number(mapping[key], f"{what}: {key}")
    given |= read_play(mapping, context, what, unit, COMPONENTS[context.space])
    return Elastic(**given) if given else RIGID


def turning(component: str) -> bool:
    """Is a component of a joint or a seat an angle?"""
    return component.startswith("about_")


def _components(
    node: Node, context: Context, what: str, dimensions: tuple[str, str], unit: str, tension: bool
) -> dict[str, float]:
    """Values by component; one number stands for that of the single row; N, where known, is minus the force on b."""
    if isinstance(node.value, str):
        return {ALONG: context.number(node, what, dimensions[unit == "rad"])}
    lengthwise = (*LENGTHWISE, TENSION) if tension else LENGTHWISE
    mapping = known_keys(node, what, (ALONG,) if unit else (*COMPONENTS[context.space], *lengthwise))
    values: dict[str, float] = {}
    for name, number in mapping.items():
        component = ALONG if name in lengthwise else name
        if component in values:
            raise node.fail(f"{what}: '{name}' is the same component as another one here; give it once.")
        is_angle = turning(name) or unit == "rad"
        sign = -1.0 if name == TENSION else 1.0
        values[component] = sign * context.number(number, f"{what}: {name}", dimensions[is_angle])
    return values


def _stiffness(node: Node, context: Context, what: str, unit: str, member: bool) -> tuple[float, ...]:
    """One number, a list, a matrix, a mapping by direction, or a file with a matrix; one number along a ``unit``."""
    names = (ALONG,) if unit else COMPONENTS[context.space]
    if unit and not isinstance(node.value, str):
        raise node.fail(f"{what}: a drive or coupling has one, along its coordinate; give one number.")
    if isinstance(node.value, dict):
        return _lengthwise(node, context, what) if member else _by_direction(node, context, what, names)
    if isinstance(node.value, str):
        if node.value == "rigid":
            return ()
        if node.value.endswith((".csv", ".txt")) and not unit:
            return _table(node, context, what)
        return (_entry(node, context, what, _dimension(unit == "rad", unit == "rad")),)
    rows = node.items(what)
    if rows and isinstance(rows[0].value, list):
        return _matrix(node, context, what, [[context.number(x, what) for x in row.items(what)] for row in rows])
    if context.space == "planar" and len(rows) == len(SPATIAL_COMPONENTS):
        rows = [rows[i] for i, name in enumerate(SPATIAL_COMPONENTS) if name in names]
    if len(rows) == 1:
        return (_entry(rows[0], context, what, _dimension(unit == "rad", unit == "rad")),)
    if len(rows) != len(names):
        listing = ", ".join(names)
        raise node.fail(f"{what} has {len(rows)} numbers; {len(names)} are needed ({listing}), or a matrix of them.")
    return tuple(
        _entry(row, context, f"{what}: {name}", _dimension(turning(name), turning(name)))
        for row, name in zip(rows, names, strict=True)
    )


def _word(node: Node) -> str:
    return node.value if isinstance(node.value, str) else ""


def _entry(node: Node, context: Context, what: str, dimension: str) -> float:
    """A number, or ``rigid`` for no compliance at all."""
    return math.inf if _word(node) in ("rigid", "inf", ".inf") else context.number(node, what, dimension)


def _dimension(force_turns: bool, motion_turns: bool) -> str:
    """Of a stiffness that makes a force or moment of a displacement or rotation."""
    names = {(False, False): "stiffness", (True, True): "torsional stiffness", (False, True): "force per angle"}
    return names.get((force_turns, motion_turns), "force")


def _lengthwise(node: Node, context: Context, what: str) -> tuple[float, ...]:
    """The stiffness of a rod, cable or strut, by one of the two words for its line."""
    given = [(name, number) for name, number in node.mapping(what).items() if name in LENGTHWISE]
    if len(given) != 1 or len(node.mapping(what)) != 1:
        raise node.fail(
            f"{what}: a rod, cable or strut yields along its line only; write {{length: …}}, or the number alone."
        )
    name, number = given[0]
    return (_entry(number, context, f"{what}: {name}", _dimension(False, False)),)


def _by_direction(node: Node, context: Context, what: str, names: tuple[str, ...]) -> tuple[float, ...]:
    words = [word for word, stands_for in DIRECTION_WORDS.items() if set(stands_for) <= set(names)]
    mapping = known_keys(node, what, (*names, *words))
    stiffnesses = dict.fromkeys(names, math.inf)
    for word in (*words, *names):  # keys that name a single direction come last
        for name in DIRECTION_WORDS.get(word, (word,)) if word in mapping else ():
            dimension = _dimension(turning(name), turning(name))
            stiffnesses[name] = _entry(mapping[word], context, f"{what}: {word}", dimension)
    return tuple(stiffnesses.values())


def _table(node: Node, context: Context, what: str) -> tuple[float, ...]:
    """A matrix in a file of numbers, row by row, or a line of its diagonal; in the units of the model."""
    text = read_text(table_path(node, context, what))
    try:
        rows = [[float(x) for x in line.replace(",", " ").replace(";", " ").split()] for line in text.splitlines()]
    except ValueError as error:
        raise node.fail(f"{what}: '{node.value}' is not a table of numbers: {error}.") from None
    rows = [row for row in rows if row]
    if len(rows) == 1 < len(rows[0]):
        rows = [[k if i == j else 0.0 for j in range(len(rows[0]))] for i, k in enumerate(rows[0])]
    return _matrix(node, context, what, rows)


def _matrix(node: Node, context: Context, what: str, rows: list[list[float]]) -> tuple[float, ...]:
    names = COMPONENTS[context.space]
    if (
        context.space == "planar"
        and len(rows) == len(SPATIAL_COMPONENTS)
        and all(len(row) == len(SPATIAL_COMPONENTS) for row in rows)
    ):
        kept = [i for i, name in enumerate(SPATIAL_COMPONENTS) if name in names]
        rows = [[rows[i][j] for j in kept] for i in kept]
    size = len(names)
    if len(rows) != size or any(len(row) != size for row in rows):
        raise node.fail(f"{what} is not a {size} × {size} matrix: its rows have {[len(row) for row in rows]} numbers.")
    factor = context.units.factor
    return tuple(
        rows[i][j] * factor(_dimension(turning(a), turning(b)))
        for i, a in enumerate(names)
        for j, b in enumerate(names)
    )


def write_elastic(elastic: Elastic) -> dict[str, Any]:
    """The keys of a file; none for a part that is rigid and fits."""
    data: dict[str, Any] = {}
    if elastic.stiffness:
        data["stiffness"] = _written(elastic.stiffness)
    for key in ("misfit", "preload"):
        if given := getattr(elastic, key):
            data[key] = given[ALONG] if list(given) == [ALONG] else dict(given)
    for key, plain in (("temperature", 0.0), ("expansion", None)):
        if getattr(elastic, key) != plain:
            data[key] = getattr(elastic, key)
    return data | write_play(elastic)


def _written(stiffness: tuple[float, ...]) -> Any:
    values = ["rigid" if math.isinf(k) else k for k in stiffness]
    size = math.isqrt(len(values))
    if len(values) == 1:
        return values[0]
    return [values[i * size : (i + 1) * size] for i in range(size)] if size * size == len(values) else values


def elastic_schema() -> dict[str, Any]:
    """The keys in the JSON Schema of model files."""
    row = list_of(NUMBER_SCHEMA)
    by_name = numbers_by_name((*SPATIAL_COMPONENTS, *DIRECTION_WORDS, *LENGTHWISE))
    components = numbers_by_name((*SPATIAL_COMPONENTS, *LENGTHWISE))
    return {
        "stiffness": {
            "description": "One number, [kx, ky, kz, krx, kry, krz], a 6 × 6 matrix, or by direction, of a rod by its "
            "`length`; rigid if left out.",
            "anyOf": [NUMBER_SCHEMA, row, list_of(row), by_name],
        },
        "misfit": {
            "description": "Offset of the seat on body a from its nominal place, in joint axes.",
            "anyOf": [NUMBER_SCHEMA, components],
        },
        "preload": {
            "description": "Force or moment of the joint on body b, in joint axes, without load; of a rod, cable or "
            "strut also N, positive for tension.",
            "anyOf": [NUMBER_SCHEMA, numbers_by_name((*SPATIAL_COMPONENTS, *LENGTHWISE, TENSION))],
        },
        "temperature": {**NUMBER_SCHEMA, "description": "Rise above the temperature of assembly [K]."},
        "expansion": {**NUMBER_SCHEMA, "description": "Coefficient of thermal expansion [1/K]."},
        **play_schema(SPATIAL_COMPONENTS),
    }


def check_elastic(
    elastic: Elastic,
    directions: tuple[str, ...],
    rows: int,
    lengths: bool,
    what: str,
    path: Path,
    one_way: bool = False,
) -> None:
    """Refuse values that no joint of so many rows can have; ``lengths``: is any of them kept at a length?

    ``directions``: the components of a joint; none for a drive or coupling, which has but its own coordinate.
    """
    names = (*directions, ALONG) if rows == 1 else directions
    for key in ("misfit", "preload"):
        given: Mapping[str, float] = getattr(elastic, key)
        for name, value in given.items():
            if name == ALONG and rows != 1:
                given_value = decimal(in_units(value, "m" if key == "misfit" else "N"), 6)
                raise ModelError(
                    f"{what}: {key} is one number, and the joint has {rows} equations; name components, as in "
                    f"{{{names[0]}: {given_value}}}; known: {', '.join(names)}.",
                    (*path, key),
                )
            if name not in names:
                raise ModelError(f"{what}: {key} has no component '{name}'.{did_you_mean(name, names)}", (*path, key))
            check_size(value, f"{what}: {key}: {name}", (*path, key))
    check_play(elastic, one_way, what, path)
    check_size(elastic.temperature, f"{what}: temperature", (*path, "temperature"))
    check_expansion(elastic.expansion, what, (*path, "expansion"))
    if elastic.temperature and elastic.expansion is None:
        raise ModelError(
            f"{what}: a temperature without a coefficient of thermal expansion changes nothing; give `expansion` "
            "[1/K], 1.2e-5 for steel.",
            (*path, "temperature"),
        )
    if elastic.temperature and not lengths:
        raise ModelError(
            f"{what} keeps no length that heat could change; give the body a temperature, or a `misfit`.",
            (*path, "temperature"),
        )
    if elastic.stiffness:
        _check_stiffness(elastic.stiffness, directions, rows, what, (*path, "stiffness"))


def _along(name: str) -> str:
    return "" if name == ALONG else f" along {name}"


def _signed(stiffness: float, name: str) -> str:
    """A stiffness that is refused, in the unit of the file; that along one coordinate has the unit of that one."""
    return "negative" if name == ALONG else quantity(stiffness, "N m/rad" if turning(name) else "N/m", 6)


def _check_stiffness(stiffness: tuple[float, ...], names: tuple[str, ...], rows: int, what: str, path: Path) -> None:
    count, size = len(stiffness), len(names)
    if not names and count != 1:
        raise ModelError(f"{what}: stiffness has {count} numbers; it has one, along its coordinate.", path)
    if count not in (1, size, size * size):
        raise ModelError(f"{what}: stiffness has {count} numbers; {size} or {size} × {size} are needed.", path)
    if count == 1 and rows != 1:
        raise ModelError(
            f"{what}: one stiffness is given, and the joint has several components; give {size} numbers "
            f"({', '.join(names)}), or name them.",
            path,
        )
    if count <= max(size, 1):
        for name, k in zip((ALONG,) if count == 1 else names, stiffness, strict=True):
            if math.isnan(k) or k < 0:
                raise ModelError(f"{what}: stiffness{_along(name)} is {_signed(k, name)}; it must be 0 or more.", path)
            if not math.isinf(k):
                check_size(k, f"{what}: stiffness{_along(name)}", path)
            if 0 < k < SOFTEST:
                raise ModelError(f"{what}: stiffness{_along(name)} is {k:g}; check its unit, or leave it 0.", path)
        return
    K = np.array(stiffness).reshape(size, size)
    for k in stiffness:
        check_size(k, f"{what}: stiffness", path)
    off = np.abs(K - K.T)
    if off.max() > PRINTED_MATRIX * np.abs(K).max():
        i, j = np.unravel_index(int(off.argmax()), K.shape)
        raise ModelError(
            f"{what}: the stiffness matrix is not symmetric: entry ({names[i]}, {names[j]}) is {K[i, j]:.6g}, its "
            f"mirror {K[j, i]:.6g}. Check its rows, and the units of couplings between forces and rotations.",
            path,
        )
    scale = np.sqrt(np.abs(np.diagonal(K)))
    scale = np.where(scale > 0, scale, 1.0)
    lowest = float(np.linalg.eigvalsh(K / np.outer(scale, scale))[0])
    if lowest < -SOLUTION:
        raise ModelError(
            f"{what}: the stiffness matrix has a negative eigenvalue ({lowest:.3g} of its diagonal): it would push "
            "away from rest. Check signs, and the units of its couplings.",
            path,
        )
