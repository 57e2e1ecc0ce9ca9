"""Functions of time in files: a number, a text in t, or a kind with its fields; and back again."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.expressions.number import evaluate
from reactio.expressions.syntax import names, parse
from reactio.functions import KINDS, Function
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum
from reactio.model.context import Context, known_keys, needed
from reactio.model.nodes import Node

VARIABLES = frozenset({"t", "s", "rate"})

# What the fields of the kinds of functions measure, by their name: "" is the value of the function itself.
MEASURES = {
    "value": "",
    "before": "",
    "after": "",
    "amplitude": "",
    "offset": "",
    "values": "",
    "start": "time",
    "end": "time",
    "origin": "time",
    "times": "time",
    "phase": "angle",
}


def read_law(node: Node, context: Context, what: str, dimension: str, coordinate: str = "") -> Function:
    """A function whose value has a dimension; ``coordinate`` is that of s where the text may use it."""
    try:
        if isinstance(node.value, str):
            return _text(node, context, what, dimension, coordinate)
        mapping = node.mapping(what)
        if len(mapping) != 1:
            raise node.fail(f"{what} must be one function, such as {{step: …}}; {len(mapping)} names are given.")
        ((kind, inner),) = mapping.items()
        if kind not in KINDS:
            raise node.fail(f"{what}: there is no function '{kind}'.{did_you_mean(kind, KINDS)}")
        reader = READERS.get(kind, _fields)
        return reader(kind, inner, context, f"{what}: {kind}", dimension, coordinate)
    except ReactioError as error:
        if getattr(error, "place", ""):
            raise
        raise node.fail(f"{what}: {error}") from None


def _text(node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    text = node.text(what)
    used = names(parse(text, frozenset(context.values) | VARIABLES)) if not _is_number(text) else frozenset()
    variables = VARIABLES if coordinate else frozenset({"t"})
    if hidden := sorted(used & variables & context.values.keys()):
        raise node.fail(f"{what}: '{hidden[0]}' is a parameter and a variable here; rename the parameter.")
    if unknown := sorted(used - variables - context.values.keys()):
        raise node.fail(f"{what}: '{unknown[0]}' has no meaning here; only t has.")
    if not used & variables:
        return Constant(context.in_si(node, what, evaluate(text, context.values), dimension))
    constants = tuple((name, float(context.values[name])) for name in sorted(used - variables))
    inside = 1 / context.units.factor(coordinate) if coordinate else 1.0
    return Expression(_in_seconds(text, context), constants, context.units.factor(dimension), inside)


def _in_seconds(text: str, context: Context) -> str:
    if context.units.time != 1.0:
        raise ReactioError("an expression in t needs seconds; leave the unit of time out or use a table.")
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fields(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    """Any kind: its dataclass fields are the keys."""
    known = {f.name: f for f in fields(KINDS[kind])}  # type: ignore[arg-type]
    if not isinstance(node.value, dict) and len(known) >= 1:
        first = next(iter(known))  # {polynomial: [0, 1]} gives the first field alone
        node = Node({first: node}, node.file, node.line)
    mapping = known_keys(node, what, known)
    for name, one in known.items():
        if one.default is MISSING and name not in mapping:
            raise node.fail(f"{what} needs '{name}'.")
    return KINDS[kind](**{name: _field(name, n, context, what, dimension) for name, n in mapping.items()})


def _field(name: str, node: Node, context: Context, what: str, dimension: str) -> Any:
    what = f"{what}: {name}"
    measured = MEASURES.get(name, "number") or dimension
    if name == "frequency":
        return context.number(node, what) / context.units.time
    if name == "coefficients":
        factor, time = context.units.factor(dimension), context.units.time
        return tuple(c * factor / time**k for k, c in enumerate(context.numbers(node, what, "number")))
    if name == "ends":
        return node.text(what)
    if isinstance(node.value, list):
        return context.numbers(node, what, measured)
    return context.number(node, what, measured)


def _spline(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    """Times and values, a table of pairs, or a CSV file beside the model."""
    mapping = known_keys(node, what, ("times", "values", "table", "file", "ends"))
    ends = mapping["ends"].text(what) if "ends" in mapping else "not-a-knot"
    if "file" in mapping:
        pairs = _csv(mapping["file"], context, what, dimension)
    elif "table" in mapping:
        pairs = []
        for row in mapping["table"].items(f"{what}: table"):
            t, value = (row.items(f"{what}: a row of the table") + [row, row])[:2]
            if len(row.items(what)) != 2:
                raise row.fail(f"{what}: a row of the table holds a time and a value.")
            pairs.append((context.number(t, what, "time"), context.number(value, what, dimension)))
    else:
        times = context.numbers(needed(mapping, "times", node, what), what, "time")
        values = context.numbers(needed(mapping, "values", node, what), what, dimension)
        if len(times) != len(values):
            raise node.fail(f"{what}: {len(times)} times and {len(values)} values are given.")
        pairs = list(zip(times, values, strict=True))
    return Spline(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), ends)


def _csv(node: Node, context: Context, what: str, dimension: str) -> list[tuple[float, float]]:
    path = context.folder / node.text(what)
    pairs: list[tuple[float, float]] = []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                cells = [cell.strip() for cell in row]
                if not any(cells) or cells[0].startswith("#") or (number == 1 and not _is_number(cells[0])):
                    continue
                line = Node("", str(path), number)
                if len(cells) < 2 or not (_is_number(cells[0]) and _is_number(cells[1])):
                    raise line.fail(f"{what}: a line holds a time and a value, not '{','.join(row)[:60]}'.")
                t, value = (Node(cell, str(path), number) for cell in cells[:2])
                pairs.append((context.number(t, what, "time"), context.number(value, what, dimension)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise node.fail(
            f"{what}: the table '{path}' cannot be read: {getattr(error, 'strerror', None) or error}."
        ) from None
    return pairs


def _sum(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    return Sum(tuple(read_law(item, context, what, dimension, coordinate) for item in node.items(what)))


def _expression(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    if isinstance(node.value, str):
        return _text(node, context, what, dimension, coordinate)
    mapping = known_keys(node, what, ("text", "constants", "scale", "coordinate_scale"))
    constants = mapping["constants"].mapping(what) if "constants" in mapping else {}
    number = lambda key: context.number(mapping[key], what) if key in mapping else 1.0  # noqa: E731
    return Expression(
        needed(mapping, "text", node, what).text(what),
        tuple((name, context.number(value, what)) for name, value in constants.items()),
        number("scale"),
        number("coordinate_scale"),
    )


READERS: Mapping[str, Callable[[str, Node, Context, str, str, str], Function]] = {
    "spline": _spline,
    "sum": _sum,
    "expression": _expression,
}


def write_law(function: Function) -> Any:
    """A function as plain data, in SI."""
    if isinstance(function, Constant):
        return function.value
    if isinstance(function, Expression):
        if function == Expression(function.text):
            return function.text
        given = {"text": function.text, "constants": dict(function.constants), "scale": function.scale}
        return {"expression": {**given, "coordinate_scale": function.coordinate_scale}}
    if isinstance(function, Sum):
        return {"sum": [write_law(term) for term in function.terms]}
    values = {f.name: getattr(function, f.name) for f in fields(function)}  # type: ignore[arg-type]
    return {function.kind: {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}}
