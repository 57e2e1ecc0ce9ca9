"""The context of reading a file: its units, its parameters, and the conversion of texts to numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from reactio.catalogue.fields import DIMENSIONS
from reactio.catalogue.places import SPACE_SIZES
from reactio.catalogue.units import Units
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.expressions.number import Mixed, Radians, evaluate
from reactio.model.values.yaml_tree import Node

MOST_NAMED_TYPES = 12  # that an error names


@dataclass(frozen=True, slots=True)
class Context:
    """The units and parameters of a file."""

    space: str
    units: Units = field(default_factory=Units)
    values: dict[str, float] = field(default_factory=dict)  # parameters
    folder: Path | None = None  # in which tables are looked up; nowhere else is a file opened
    trail: tuple[str, ...] = ()  # the file, and those that use it as a sub-assembly
    coordinates: Mapping[str, str] = field(default_factory=dict)  # units, m or rad, of those that forces may name

    @property
    def size(self) -> int:
        """Components of a vector."""
        return SPACE_SIZES[self.space].vector

    def number(self, node: Node, what: str, dimension: str = "number") -> float:
        """A number or an expression of parameters, in SI."""
        text = node.value
        if not isinstance(text, str) or not text.strip():
            raise node.fail(f"{what} must be a number or an expression, not {node.word}.")
        try:
            value = evaluate(text, self.values)
        except ReactioError as error:
            raise node.fail(f"{what}: {error}") from None
        return self.in_si(node, what, value, dimension)

    def factor(self, node: Node, what: str, value: float, dimension: str) -> float:
        """The factor from a value of the file to SI; atan gives radians whatever the file uses."""
        units = self.units
        if DIMENSIONS[dimension][1] == 1 and units.angle != "rad":
            if isinstance(value, Mixed):
                raise node.fail(
                    f"{what}: adds radians (from asin, acos, atan or radians) to a number in degrees; "
                    "write degrees(…) around the former."
                )
            if isinstance(value, Radians):
                units = replace(units, angle="rad")
        return units.factor(dimension)

    def in_si(self, node: Node, what: str, value: float, dimension: str) -> float:
        """A value of the file in SI units."""
        converted = float(value) * self.factor(node, what, value, dimension)
        if not math.isfinite(converted):
            raise node.fail(f"{what} is too large to be a number in SI units.")
        return converted

    def items(self, node: Node, what: str, size: int) -> list[Node]:
        """The entries of a list of known length."""
        items = node.items(what)
        if len(items) != size:
            raise node.fail(f"{what} has {len(items)} numbers; {size} are needed.")
        return items

    def numbers(self, node: Node, what: str, dimension: str, size: int | None = None) -> tuple[float, ...]:
        """A list of numbers; ``size`` None takes any."""
        items = node.items(what) if size is None else self.items(node, what, size)
        return tuple(self.number(item, what, dimension) for item in items)

    def vector(self, node: Node, what: str, dimension: str) -> tuple[float, ...]:
        """A vector of the plane or of space."""
        letters = "[x, y] in the plane" if self.size == 2 else "[x, y, z] in space"
        if isinstance(node.value, str):
            given = node.value.strip() or "1"
            downwards = "-" if what == "gravity" and not given.startswith("-") else ""
            example = ", ".join([*["0"] * (self.size - 1), downwards + given])
            raise node.fail(f"{what} is a vector: give its {self.size} numbers {letters}, for example [{example}].")
        if isinstance(node.value, list) and len(node.value) != self.size:
            comma = " Numbers have a decimal point, not a comma." if len(node.value) > self.size else ""
            raise node.fail(f"{what} has {len(node.value)} numbers; {self.size} are needed, {letters}.{comma}")
        return self.numbers(node, what, dimension, self.size)


def known_keys(node: Node, what: str, keys: Iterable[str], synonyms: Collection[str] = ()) -> dict[str, Node]:
    """The mapping of a node, all of whose keys are known; ``synonyms`` among them are read, and never offered."""
    allowed = set(keys)
    mapping = node.mapping(what)
    for key, value in mapping.items():
        if key not in allowed:
            at = Node(value.value, node.file, (node.keys or {}).get(key, node.line))
            hint = _misread(key, value, allowed) or did_you_mean(key, allowed.difference(synonyms))
            raise at.fail(f"{what} has no field '{key}'.{hint}")
    return mapping


def _misread(key: str, value: Node, allowed: Collection[str]) -> str:
    """A closing hint where YAML made a key of something else: the end of ``1,5``, or ``mass:1`` without its space."""
    if key.isdigit() and value.value == "":
        return f" YAML separates entries by commas: a number has a decimal point, as in 1.{key}."
    word = re.match(r"\w+", key)
    if word and word[0] in allowed and value.value == "" and (rest := key[word.end() :].strip(": ")):
        return f" Write a colon and a space: `{word[0]}: {rest}`."
    return ""


def required(mapping: dict[str, Node], key: str, node: Node, what: str, known: Iterable[str] = ()) -> Node:
    """The value of a key that must be there; ``known`` values are named where it is not."""
    if key not in mapping:
        names = sorted(known)
        choices = f" Known: {listed(names, MOST_NAMED_TYPES)}." if names else ""
        raise node.fail(f"{what} needs '{key}'.{choices}")
    return mapping[key]


def named_numbers(
    mapping: dict[str, Node],
    key: str,
    dimensions: Mapping[str, str],
    context: Context,
    what: str,
    synonyms: Collection[str] = (),
) -> dict[str, float]:
    """Numbers by name that an entry holds under ``key``, each of its own dimension; empty where the key is missing."""
    if key not in mapping:
        return {}
    label = f"{what}: {key}"
    text = mapping[key].value
    if isinstance(text, str) and text:
        number = text if text[0].isdigit() else "1000"
        example = f"{{{next(iter(dimensions))}: {number}}}"
        raise mapping[key].fail(f"{label} is given by name, for example {example}; known: {', '.join(dimensions)}.")
    given = known_keys(mapping[key], label, tuple(dimensions), synonyms)
    return {name: context.number(node, f"{label}: {name}", dimensions[name]) for name, node in given.items()}
