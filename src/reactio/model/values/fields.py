"""Fields of entries in files: how each type of field is read, written, and described for editors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from reactio.catalogue.fields import (
    Choice,
    Coordinate,
    Coordinates,
    Field,
    Law,
    LawVector,
    Matrix,
    Number,
    Numbers,
    Place,
    Vector,
)
from reactio.catalogue.places import CoordinateName
from reactio.functions import Function
from reactio.model.schema_parts import FUNCTION, NUMBER_SCHEMA, TEXT, VECTOR, list_of
from reactio.model.specs import Body
from reactio.model.values.context import Context
from reactio.model.values.frames import read_end, write_end
from reactio.model.values.functions import read_law, write_law
from reactio.model.values.yaml_tree import Node

LENGTH_OR_ANGLE = {"m": "length", "rad": "angle"}
FORCE_OR_TORQUE = {"m": "force", "rad": "torque"}
UNIT_OF = {"length": "m", "angle": "rad"}
# Dimensions that follow from the unit of a joint coordinate.
DIMENSIONS_ALONG_COORDINATE = {"any": LENGTH_OR_ANGLE, "effort": FORCE_OR_TORQUE}


class FieldNode(NamedTuple):
    """A field where a file gives it, with all that its value may depend on."""

    field: Any  # of one type for each reader
    node: Node
    context: Context
    label: str
    units: tuple[str, ...]  # of the joint coordinates along which the entry acts, m or rad
    bodies: Mapping[str, Body]  # that places are on

    def dimension(self, k: int = 0) -> str:
        """The dimension of the field along coordinate k, which it leaves to that coordinate or states by itself."""
        stated: str = self.field.dimension
        return DIMENSIONS_ALONG_COORDINATE[stated][self.units[k]] if self._follows_coordinate() else stated

    def _follows_coordinate(self) -> bool:
        return bool(self.units) and self.field.dimension in DIMENSIONS_ALONG_COORDINATE

    def numbers(self) -> tuple[float, ...]:
        """A list of numbers: of one dimension, or one number for each coordinate."""
        if len(self.units) < 2 or not self._follows_coordinate():
            return self.context.numbers(self.node, self.label, self.dimension())
        items = self.context.items(self.node, self.label, len(self.units))
        return tuple(self.context.number(item, self.label, self.dimension(k)) for k, item in enumerate(items))

    def law(self) -> Function:
        """A function of the first coordinate, or of a length or angle as the field says."""
        at = self if self.units else self._replace(units=(UNIT_OF[self.field.of],))
        return read_law(self.node, self.context, self.label, at.dimension(), LENGTH_OR_ANGLE[at.units[0]])

    def laws(self) -> tuple[Function, ...]:
        """Functions of time, one for each component."""
        nodes = [self.node] if isinstance(self.node.value, str | dict) else self.node.items(self.label)
        return tuple(read_law(node, self.context, self.label, self.field.dimension) for node in nodes)

    def choice(self) -> str:
        """One of the words of the field."""
        text = self.node.text(self.label)
        if text not in self.field.options:
            raise self.node.fail(f"{self.label} is '{text}'; it must be {' or '.join(self.field.options)}.")
        return text


class FieldForm(NamedTuple):
    """A type of field in files."""

    read: Callable[[FieldNode], Any]
    write: Callable[[Any], Any]  # a value as plain data, in SI
    schema: Callable[[Any], dict[str, Any]]  # of a field, in the JSON Schema of model files


FIELD_FORMS: Mapping[type[Field], FieldForm] = {
    Number: FieldForm(
        lambda at: at.context.number(at.node, at.label, at.dimension()),
        lambda value: value,
        lambda _: NUMBER_SCHEMA,
    ),
    Numbers: FieldForm(FieldNode.numbers, list, lambda field: list_of(NUMBER_SCHEMA, **_size(field))),
    Matrix: FieldForm(
        lambda at: tuple(at.context.numbers(row, at.label, at.field.dimension) for row in at.node.items(at.label)),
        lambda rows: [list(row) for row in rows],
        lambda _: list_of(list_of(NUMBER_SCHEMA)),
    ),
    Vector: FieldForm(lambda at: at.context.vector(at.node, at.label, at.field.dimension), list, lambda _: VECTOR),
    Law: FieldForm(FieldNode.law, write_law, lambda _: FUNCTION),
    LawVector: FieldForm(
        FieldNode.laws,
        lambda laws: [write_law(law) for law in laws],
        lambda _: {"anyOf": [FUNCTION, list_of(FUNCTION)]},
    ),
    Place: FieldForm(
        lambda at: read_end(at.node, at.context, at.bodies, at.label),
        write_end,
        lambda _: {"$ref": "#/$defs/end"},
    ),
    Coordinate: FieldForm(lambda at: read_coordinate(at.node, at.label), str, lambda _: TEXT),
    Coordinates: FieldForm(
        lambda at: tuple(read_coordinate(item, at.label) for item in at.node.items(at.label)),
        lambda names: [str(name) for name in names],
        lambda field: list_of(TEXT, minItems=field.least),
    ),
    Choice: FieldForm(FieldNode.choice, lambda value: value, lambda field: {"enum": list(field.options)}),
}


def read_field(
    field: Field,
    node: Node,
    context: Context,
    what: str,
    units: tuple[str, ...] = (),
    bodies: Mapping[str, Body] = MappingProxyType({}),
) -> Any:
    """The value of a field; ``units``: of the joint coordinates along which its entry acts, m or rad."""
    return FIELD_FORMS[type(field)].read(FieldNode(field, node, context, f"{what}: {field.name}", units, bodies))


def read_coordinate(node: Node, what: str) -> CoordinateName:
    """``joint`` or ``joint.coordinate``."""
    joint, _, name = node.text(what).partition(".")
    return CoordinateName(joint, name)


def write_field(field: Field, value: Any) -> Any:
    """The value of a field as plain data, in SI."""
    return FIELD_FORMS[type(field)].write(value)


def field_schema(field: Field) -> dict[str, Any]:
    """A field in the JSON Schema of model files."""
    return FIELD_FORMS[type(field)].schema(field)


def _size(field: Numbers) -> dict[str, int]:
    return {"minItems": field.size, "maxItems": field.size} if isinstance(field.size, int) else {}
