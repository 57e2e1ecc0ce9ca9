"""Functions in files: a number, a text in t, or a kind with its fields; and back again."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from numbers import Real
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.expressions.number import TYPES, evaluate, fold
from reactio.expressions.parameters import is_literal
from reactio.expressions.syntax import Apply, Name, NumberLiteral, Radians, Tree, names, parse
from reactio.functions import FUNCTIONS, FieldMeasure, Function
from reactio.functions.constant import Constant, Hold
from reactio.functions.expression import Expression
from reactio.functions.linear_law import LinearLaw
from reactio.functions.program import RATE_SUFFIX, VARIABLES, coordinate_of
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.yaml_tree import Node
from reactio.operating_system.files import read_csv

DOTTED_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)+")  # a name of parts
REACTION_LABEL = re.compile(r"[FM][xyz]?|N|F[tr]")  # a component of a reaction
# Powers of time in what the numbers of a function measure.
PER_TIME = {FieldMeasure.SLOPE: 1, FieldMeasure.FREQUENCY: 1}
# Arguments whose unit the result of an operation has, and functions whose argument is in radians.
SAME_UNIT = {
    **dict.fromkeys(("add", "sub", "mul", "neg", "abs", "min", "max"), slice(None)),
    **dict.fromkeys(("div", "mod"), slice(1)),
    "step": slice(2, None, 2),
}
OF_RADIANS = ("sin", "cos", "tan")
# What those of a linear law measure, by its coordinate.
LINEAR_LAW_DIMENSIONS = {
    "length": {"stiffness": "stiffness", "free": "length", "damping": "damping"},
    "angle": {"stiffness": "torsional stiffness", "free": "angle", "damping": "torsional damping"},
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
        if kind not in FUNCTIONS:
            raise node.fail(f"{what}: there is no function '{kind}'.{did_you_mean(kind, FUNCTIONS)}")
        reader = FUNCTION_READERS.get(kind, _fields)
        return reader(kind, inner, context, f"{what}: {kind}", dimension, coordinate)
    except ReactioError as error:
        if getattr(error, "place", ""):
            raise
        raise node.fail(f"{what}: {error}") from None


def _text(node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    text = node.text(what)
    named = dict.fromkeys([*context.coordinates, *(name + RATE_SUFFIX for name in context.coordinates)])
    _refuse_foreign(node, text, named, what)
    used = names(parse(text, {*context.values, *VARIABLES, *named})) if not is_literal(text) else frozenset()
    variables = (frozenset(VARIABLES) if coordinate else frozenset({"t"})) | named.keys()
    if hidden := sorted(used & variables & context.values.keys()):
        raise node.fail(f"{what}: '{hidden[0]}' is a parameter and a variable here; rename the parameter.")
    if unknown := sorted(used - variables - context.values.keys()):
        also = " and coordinates have, A.rotation or body.x" if context.coordinates else " has"
        raise node.fail(f"{what}: '{unknown[0]}' has no meaning here; only t{also}.")
    if not used & variables:
        return Constant(context.in_si(node, what, evaluate(text, context.values), dimension))
    if context.units.time != "s":
        raise node.fail(f"{what}: an expression in t needs seconds; leave the unit of time out or use a table.")
    tree = fold(parse(text, used), context.values, text)
    refuse_degrees(node, tree, context, what, coordinate)
    scale = context.factor(node, what, like(tree), dimension)
    constants = tuple((name, float(context.values[name])) for name in sorted(used - variables))
    coordinate_scale = 1 / context.units.factor(coordinate) if coordinate else 1.0
    others = tuple((name, 1 / context.units.factor(_dimension(name, context))) for name in sorted(used & named.keys()))
    return Expression(text, constants, scale, coordinate_scale, others)


def _dimension(name: str, context: Context) -> str:
    """Length or angle, of a coordinate or of what its rate changes."""
    return "angle" if context.coordinates[coordinate_of(name)] == "rad" else "length"


def _refuse_foreign(node: Node, text: str, named: Collection[str], what: str) -> None:
    """Refuse names of known bodies and joints that are not coordinates: reactions, axes that a body does not have."""
    for word in DOTTED_NAME.findall(text):
        owner, _, last = word.removesuffix(RATE_SUFFIX).rpartition(".")
        known = [name for name in named if name.startswith(f"{owner}.") and not name.endswith(RATE_SUFFIX)]
        known.sort(key=lambda name: name.count("."))
        if not known or word in named:
            continue
        if REACTION_LABEL.fullmatch(last):
            raise node.fail(
                f"{what}: '{word}' is a reaction, and reactions follow from the forces: a force cannot be a function "
                "of one. Friction by the normal force of a joint is `type: joint-friction`."
            )
        raise node.fail(f"{what}: there is no '{word}'; '{owner}' has {', '.join(known)}, each with {RATE_SUFFIX}.")


def like(tree: Tree) -> float:
    """A number of the type of a formula in t: plain, in radians or mixed."""
    if isinstance(tree, NumberLiteral):
        return tree.value
    if isinstance(tree, Apply) and tree.operation in TYPES:
        return TYPES[tree.operation](*map(like, tree.arguments))(1.0)
    return 1.0


def refuse_degrees(node: Node, tree: Tree, context: Context, what: str, coordinate: str = "") -> None:
    """Refuse sin, cos or tan of a coordinate in degrees; ``coordinate`` is that of s."""
    if context.units.angle == "rad":
        return
    angles = {name for name, unit in context.coordinates.items() if unit == "rad"}
    angles |= {"s"} if coordinate == "angle" else set()
    for part in parts(tree):
        if isinstance(part, Apply) and part.operation in OF_RADIANS and (name := _degrees(part.arguments[0], angles)):
            raise node.fail(
                f"{what}: {part.operation} takes radians, and '{name}' is in degrees in this file; "
                f"write radians({name})."
            )


def _degrees(tree: Tree, angles: Collection[str]) -> str:
    """A name of ``angles``, or of a rate of them, in whose unit a formula is; empty where it is in another unit."""
    if isinstance(tree, Name):
        return tree.name if coordinate_of(tree.name) in angles else ""
    if isinstance(tree, NumberLiteral) or isinstance(like(tree), Radians):
        return ""
    terms = tree.arguments[SAME_UNIT.get(tree.operation, slice(0))]
    return next((name for term in terms if (name := _degrees(term, angles))), "")


def parts(tree: Tree) -> list[Tree]:
    """A tree and all its parts."""
    return [tree, *(part for a in tree.arguments for part in parts(a))] if isinstance(tree, Apply) else [tree]


def _fields(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    """Any kind: its dataclass fields are the keys."""
    known = {f.name: f for f in fields(FUNCTIONS.get(kind))}  # type: ignore[arg-type]
    if not isinstance(node.value, dict) and len(known) >= 1:
        first = next(iter(known))  # {polynomial: [0, 1]} gives the first field alone
        node = Node({first: node}, node.file, node.line)
    mapping = known_keys(node, what, known)
    for name, field in known.items():
        if field.default is MISSING and name not in mapping:
            raise node.fail(f"{what} needs '{name}'.")
    several = {name for name, field in known.items() if str(field.type).startswith("tuple")}
    return FUNCTIONS.get(kind)(
        **{name: _field(kind, name, n, name in several, context, what, dimension) for name, n in mapping.items()}
    )


def _field(kind: str, name: str, node: Node, several: bool, context: Context, what: str, dimension: str) -> Any:
    """The value of a field: a text, a number, or several numbers."""
    what = f"{what}: {name}"
    measured = FUNCTIONS.get(kind).measures.get(name)
    if measured is None:
        raise node.fail(f"{what}: the kind of function does not say what it measures; add it to its `measures`.")
    if measured == FieldMeasure.WORD:
        return node.text(what)
    dimensions = {
        FieldMeasure.TIME: "time",
        FieldMeasure.ANGLE: "angle",
        FieldMeasure.NUMBER: "number",
        FieldMeasure.FREQUENCY: "number",
    }
    unit = dimensions.get(measured, dimension)
    if measured == FieldMeasure.POWERS:
        return tuple(c / context.units.factor("time") ** k for k, c in enumerate(context.numbers(node, what, unit)))
    per_time = context.units.factor("time") ** PER_TIME.get(measured, 0)
    numbers = context.numbers(node, what, unit) if several else (context.number(node, what, unit),)
    return tuple(x / per_time for x in numbers) if several else numbers[0] / per_time


def _spline(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    """Times and values, a table of pairs, or a CSV file next to the model."""
    mapping = known_keys(node, what, ("times", "values", "table", "file", "ends"))
    if len(ways := [key for key in ("times", "table", "file") if key in mapping]) > 1:
        raise node.fail(f"{what}: give one of {', '.join(ways)}, not {len(ways)}.")
    ends: Any = mapping["ends"].text(what) if "ends" in mapping else "not-a-knot"
    if "file" in mapping:
        pairs = _csv(mapping["file"], context, what, dimension)
    elif "table" in mapping:
        pairs = [_row(row, context, what, dimension) for row in mapping["table"].items(f"{what}: table")]
    else:
        times = context.numbers(required(mapping, "times", node, what), what, "time")
        values = context.numbers(required(mapping, "values", node, what), what, dimension)
        if len(times) != len(values):
            raise node.fail(f"{what}: {len(times)} times and {len(values)} values are given.")
        pairs = list(zip(times, values, strict=True))
    return Spline(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), ends)


def _row(row: Node, context: Context, what: str, dimension: str) -> tuple[float, float]:
    """A time and a value."""
    t, value = context.items(row, f"{what}: a row of the table", 2)
    return context.number(t, what, "time"), context.number(value, what, dimension)


def _csv(node: Node, context: Context, what: str, dimension: str) -> list[tuple[float, float]]:
    """Pairs from the first two columns of a CSV file; # starts a comment, a first line of words is its head."""
    path = table_path(node, context, what)
    try:
        rows = [line for line in read_csv(path) if not line.cells[0].startswith("#")]
    except ReactioError as error:
        raise node.fail(f"{what}: the table cannot be used: {error}") from None
    if rows and not is_literal(rows[0].cells[0]):
        del rows[0]
    pairs = []
    for line, cells in rows:
        if len(cells) < 2 or not (is_literal(cells[0]) and is_literal(cells[1])):
            raise node.fail(f"{what}: {path}:{line}: a line holds a time and a value, two numbers; this one does not.")
        nodes: list[Node] = [Node(cell, str(path), line) for cell in cells[:2]]
        pairs.append(_row(Node(nodes, str(path), line), context, what, dimension))
    return pairs


def table_path(node: Node, context: Context, what: str) -> Path:
    """The path of a table; a model opens no file outside its folder, whatever path or link leads there."""
    name = node.text(what)
    if context.folder is None:
        raise node.fail(f"{what}: this model was not read from a folder, so it cannot name the file of a table.")
    path = context.folder / name
    try:
        inside = path.resolve().is_relative_to(context.folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a name that cannot be one, or links that lead to each other
        raise node.fail(f"{what}: '{name[:80]}' cannot be the name of a file.") from None
    if not inside:
        raise node.fail(f"{what}: '{name[:80]}' lies outside the folder of the model; put the table next to the model.")
    return path


def _linear_law(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    """Stiffness and damping are per unit of the coordinate."""
    if not coordinate:
        raise node.fail(f"{what} needs a joint coordinate; here only functions of time have a meaning.")
    mapping = known_keys(node, what, [f.name for f in fields(LinearLaw)])
    required(mapping, "stiffness", node, what)
    measures = LINEAR_LAW_DIMENSIONS[coordinate]
    return LinearLaw(**{k: context.number(n, f"{what}: {k}", measures[k]) for k, n in mapping.items()})


def _sum(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    return Sum(tuple(read_law(item, context, what, dimension, coordinate) for item in node.items(what)))


def _expression(kind: str, node: Node, context: Context, what: str, dimension: str, coordinate: str) -> Function:
    if isinstance(node.value, str):
        return _text(node, context, what, dimension, coordinate)
    mapping = known_keys(node, what, [f.name for f in fields(Expression)])
    constants = mapping["constants"].mapping(what) if "constants" in mapping else {}
    scales: dict[str, Any] = {
        key: context.number(mapping[key], what) for key in ("scale", "coordinate_scale") if key in mapping
    }
    if "coordinates" in mapping:
        factors = mapping["coordinates"].mapping(what)
        scales["coordinates"] = tuple((name, context.number(value, what)) for name, value in factors.items())
    return Expression(
        required(mapping, "text", node, what).text(what),
        tuple((name, context.number(value, what)) for name, value in constants.items()),
        **scales,
    )


FUNCTION_READERS: Mapping[str, Callable[[str, Node, Context, str, str, str], Function]] = {
    "spline": _spline,
    "sum": _sum,
    "expression": _expression,
    "linear-law": _linear_law,
}


def write_law(function: Function) -> Any:
    """A function as plain data, in SI."""
    if isinstance(function, Hold):
        return function.kind
    if isinstance(function, Constant):
        return float(function.value)
    if isinstance(function, Expression):
        return _write_expression(function)
    if isinstance(function, Sum):
        return {"sum": [write_law(term) for term in function.terms]}
    values = {f.name: getattr(function, f.name) for f in fields(function)}  # type: ignore[arg-type]
    return {function.kind: {name: _written(value) for name, value in values.items()}}


def _write_expression(function: Expression) -> Any:
    """A formula in t and named coordinates is its text; s and rate could be parameters; without any it is a number."""
    named = {name for name, _ in function.coordinates}
    used = names(parse(function.text, {*VARIABLES, *named, *dict(function.constants)}))
    if used and used <= {"t", *named}:
        plain = tuple((name, 1.0) for name, _ in function.coordinates)
        if function == Expression(function.text, coordinates=plain):
            return function.text
    constants = {name: float(value) for name, value in function.constants}
    scales: dict[str, Any] = {"scale": float(function.scale), "coordinate_scale": float(function.coordinate_scale)}
    if function.coordinates:
        scales["coordinates"] = {name: float(factor) for name, factor in function.coordinates}
    return {"expression": {"text": function.text, "constants": constants, **scales}}


def _written(value: Any) -> Any:
    if isinstance(value, tuple):
        return [float(x) for x in value]
    return float(value) if isinstance(value, Real) else value
