"""Quantities on the command line: in the units of the file where they have none, as answers are."""

from __future__ import annotations

import math
import re

from reactio.catalogue.units import in_si, names_of_unit, unit_name
from reactio.errors import ReactioError, did_you_mean

SIGNED_QUANTITY = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([^0-9.,\s].*?)?\s*")


def amount(text: str, unit: str, option: str, what: str = "") -> float:
    """A number in SI from ``5``, in the units of the file, or ``5kN``, with its own, of something in ``unit``.

    >>> amount("0.1mm", "m", "--to"), amount("5", "m", "--to")
    (0.0001, 5.0)
    """
    match, names = SIGNED_QUANTITY.fullmatch(text), names_of_unit(unit)
    try:
        number = float(match[1]) if match else math.nan
    except ValueError:
        number = math.nan
    if match is None or not math.isfinite(number):
        comma = " Numbers have a decimal point, not a comma." if re.match(r"\s*[-+]?\d+,\d", text) else ""
        raise ReactioError(
            f"{option}: '{text.strip()}' is not a number with or without a unit, as 5 or {_example(unit)}.{comma}"
        )
    if match[2] is None:
        return float(in_si(number, unit))
    if match[2] not in names:
        measured = f"is measured in {what or unit_name(unit)}" if unit or what else "has no unit"
        raise ReactioError(
            f"{option}: '{match[2]}' is not a unit of this; it {measured}.{did_you_mean(match[2], names)}"
        )
    return number * names[match[2]]


def _example(unit: str) -> str:
    name = unit_name(unit)
    return f"5 {name}" if " " in name or "/" in name else f"5{name}"
