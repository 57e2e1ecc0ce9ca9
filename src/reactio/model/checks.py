"""Elementary checks: each raises a ModelError that names the object, the numbers and the way to it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

from reactio.catalogue.fields import REQUIRED, Choice, Field, Matrix, Number, Numbers, Vector
from reactio.catalogue.places import GROUND
from reactio.catalogue.units import quantity, si_unit
from reactio.errors import ModelError, did_you_mean
from reactio.expressions.syntax import shortened
from reactio.functions.expression import Expression, jump
from reactio.functions.sum import Sum
from reactio.model.defaults import PRINTED_QUATERNION
from reactio.model.variables import variables

Path = tuple[str, ...]


LONGEST_NAME = 200  # letters of a name
# Up to five numbers are multiplied (m c² ω²) and the result may be squared: within these it stays in double precision.
LARGEST, SMALLEST = 1e40, 1e-40  # SI units
# [1/K] Solids expand by up to 3e-4 (waxes, soft rubber); more is mostly a number of millionths.
LARGEST_EXPANSION = 1e-3


def check_names(given: Iterable[tuple[str, str]]) -> None:
    """Valid names, each used once, with the section of each."""
    seen: dict[str, str] = {}
    for section, name in given:
        check_name(name, (section, str(name)))
        if name in seen:
            first = f" in {seen[name]} and in {section}" if seen[name] != section else ""
            raise ModelError(f"the name '{name}' is used twice{first}; give each its own.", (section, name))
        seen[name] = section


def check_name(name: str, path: Path) -> None:
    """Refuse an invalid name."""
    if name == GROUND:
        raise ModelError("the name 'ground' is reserved; choose another.", path)
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"{name!r} cannot be a name; choose another.", path)
    if len(name) > LONGEST_NAME:
        raise ModelError(f"the name '{name[:40]}…' has {len(name)} letters; at most {LONGEST_NAME} fit.", path)
    if not name.isprintable():
        raise ModelError(f"the name {name!r} holds a letter that cannot be printed; leave it out.", path)
    if "." in name:
        raise ModelError(f"the name '{name}' holds a dot, which separates body and point; leave it out.", path)


def check_text(text: str, most: int, key: str) -> None:
    """Refuse a text that is too long to be shown, or holds terminal commands."""
    if not isinstance(text, str):
        raise ModelError(f"{key} is {text!r}; give a text.", (key,))
    if len(text) > most:
        raise ModelError(f"{key} '{text[:40]}…' has {len(text):,} letters; at most {most} fit.", (key,))
    if wrong := next((c for c in text if not c.isprintable() and not c.isspace()), ""):
        raise ModelError(f"{key} holds the letter {wrong!r}, which cannot be printed; leave it out.", (key,))


def check_vector(given: tuple[float, ...], size: int, what: str, path: Path) -> None:
    """As many finite numbers as needed."""
    if len(given) != size:
        raise ModelError(f"{what} has {len(given)} numbers; {size} are needed.", path)
    for x in given:
        if not -LARGEST <= x <= LARGEST:
            check_size(x, what, path)


def check_size(x: float, what: str, path: Path, least: float = 0.0) -> None:
    """A finite number, not so large, nor (unless it is zero) so small, that double precision fails it."""
    if not math.isfinite(x):
        raise ModelError(f"{what} is {x}, which is not a finite number; give one.", path)
    if abs(x) > LARGEST:
        raise ModelError(
            f"{what} is {x:g} in SI units; products of numbers beyond {LARGEST:g} overflow double precision. Check "
            f"the number and its unit.",
            path,
        )
    if x != 0 and abs(x) < least:
        raise ModelError(
            f"{what} is {x:g} in SI units; squares of numbers below {least:g} underflow double precision. Check the "
            f"number and its unit.",
            path,
        )


def check_rotation(given: tuple[float, ...], size: int, what: str, path: Path) -> None:
    """An angle, or a quaternion of length 1."""
    check_vector(given, size, what, path)
    if size == 4 and abs(math.hypot(*given) - 1) > PRINTED_QUATERNION:
        raise ModelError(f"{what} is a quaternion of length {math.hypot(*given):.6g}; it must be 1.", path)


def check_fields(
    given: Mapping[str, Any], fields: Iterable[Field], what: str, path: Path, dimension: int | None = None
) -> None:
    """Are the right fields there, and the numbers as they must be?  Vectors have as many as ``dimension`` says."""
    by_name = {f.name: f for f in fields}
    for name in given:
        if name not in by_name:
            raise ModelError(f"{what} has no field '{name}'.{did_you_mean(name, by_name)}", (*path, name))
    for name, field in by_name.items():
        value = given.get(name, field.default)
        if value is REQUIRED:
            raise ModelError(f"{what} needs '{name}': {field.doc}", path)
        if isinstance(field, Number) and value is not None:
            check_number(value, field, what, (*path, name))
        if isinstance(field, Numbers) and value is not None:
            check_vector(value, _size(field, given, by_name, value), f"{what}: {name}", (*path, name))
        if isinstance(field, Vector) and value is not None and dimension is not None:
            check_vector(value, dimension, f"{what}: {name}", (*path, name))
        if isinstance(field, Choice) and value not in field.options:
            raise ModelError(f"{what}: {name} is '{value}'; it must be {' or '.join(field.options)}.", (*path, name))
        if isinstance(field, Matrix) and value is not None:
            check_matrix(value, field, what, (*path, name))


def _size(field: Numbers, given: Mapping[str, Any], fields: Mapping[str, Field], value: Any) -> int:
    """The number of numbers a list must have; its own length if none is stated."""
    if callable(field.size):
        return field.size({name: given.get(name, declared.default) for name, declared in fields.items()})
    return len(value) if field.size is None else field.size


def check_matrix(value: Any, field: Matrix, what: str, path: Path) -> None:
    """Rows of finite numbers, as many as the field asks for."""
    rows, columns = field.size or (len(value), len(value[0]) if value else 0)
    if len(value) != rows or any(len(row) != columns for row in value):
        given = " and ".join(sorted({str(len(row)) for row in value})) or "no"
        raise ModelError(
            f"{what}: {field.name} has {len(value)} rows of {given} numbers; {rows} rows of {columns} are needed.", path
        )
    for row in value:
        check_vector(row, columns, f"{what}: {field.name}", path)


def check_number(value: float, field: Number, what: str, path: Path) -> None:
    """A finite number of the size and sign its field asks for."""
    if not isinstance(value, Real):
        raise ModelError(f"{what}: {field.name} is {value}, which is not a finite number; give one.", path)
    check_size(float(value), f"{what}: {field.name}", path, SMALLEST if field.positive or field.nonzero else 0.0)
    if (field.positive and value <= 0) or (field.nonzero and value == 0):
        must = "positive" if field.positive else "different from zero"
        given = quantity(float(value), si_unit(field.dimension), 6)
        raise ModelError(f"{what}: {field.name} is {given}; it must be {must}.", path)


def check_function(function: Any, allowed: set[str], what: str, path: Path) -> None:
    """Is it a function of allowed variables only?"""
    if not hasattr(function, "emit"):
        raise ModelError(f"{what} is {function!r}; give a number or a function.", path)
    if foreign := sorted(variables(function) - allowed):
        named = [name for name in foreign if "." in name]
        hint = did_you_mean(named[0], allowed) if named and len(allowed) > 1 else ""
        may = "t and coordinates of the model only" if any("." in name for name in allowed) else "t only"
        raise ModelError(f"{what} depends on {' and '.join(foreign)}; here it may depend on {may}.{hint}", path)
    if isinstance(function, Sum):
        for term in function.terms:
            check_function(term, allowed, what, path)
    elif isinstance(function, Expression) and (part := jump(function.tree())) is not None:
        raise ModelError(
            f"{what}: {part.operation}(…) in '{shortened(function.text)}' jumps as a coordinate moves, and no step "
            "of a run can cross a jump; write abs(x) for sign(x)*x, tanh(x/width) or step(x, x0, h0, x1, h1).",
            path,
        )


def check_expansion(expansion: float | None, what: str, path: Path) -> None:
    """Refuse a coefficient of thermal expansion that no solid has."""
    if expansion is None:
        return
    check_size(expansion, f"{what}: expansion", path)
    if abs(expansion) > LARGEST_EXPANSION:
        raise ModelError(
            f"{what}: expansion is {expansion:g} 1/K, more than any solid has; was it in 1e-6/K? Then write "
            f"{expansion * 1e-6:g}.",
            path,
        )
