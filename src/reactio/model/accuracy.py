"""How well the geometry of a model is known: joints are where they are meant to be up to a length and an angle."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from reactio.catalogue.units import names_of_unit, quantity, small_quantity
from reactio.errors import ReactioError, did_you_mean

_QUANTITY = re.compile(r"\s*([0-9.][0-9.eE+-]*?)\s*([A-Za-zµμ]+)\s*")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Every joint may be off its intended place by ``length`` and its axes may be tilted by ``angle``.

    Without an angle that of ``length`` over the characteristic length of the mechanism counts.
    """

    length: float  # [m]
    angle: float | None = None  # [rad]
    # Does somebody say so?  Else it is what the loops of a file leave open.
    stated: bool = field(default=True, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", float(self.length))
        if self.angle is not None:
            object.__setattr__(self, "angle", float(self.angle))
        for value, unit in ((self.length, "m"), (self.angle, "rad")):
            if value is not None and not 0.0 < value < math.inf:
                raise ReactioError(
                    f"The accuracy of a geometry is positive and finite; got {quantity(value, unit, 6)}."
                )

    def __str__(self) -> str:
        words = small_quantity(self.length, "m")
        return words if self.angle is None else f"{words} and {small_quantity(self.angle, 'rad')}"


def parse_accuracy(text: str) -> Accuracy:
    """An accuracy from its words: a length, or a length and an angle, each with its unit.

    >>> parse_accuracy("0.1mm, 1 mrad")
    Accuracy(length=0.0001, angle=0.001)
    """
    return Accuracy(*parse_length_and_angle(text))


def parse_length_and_angle(text: str) -> tuple[float, float | None]:
    """A length [m] and, where one is given, an angle [rad] from their words; either may be zero.

    >>> parse_length_and_angle("0.1mm, 0 mrad")
    (0.0001, 0.0)
    """
    comma = " Numbers have a decimal point, not a comma." if re.match(r"\s*\d+,\d", text) else ""
    no_accuracy = ReactioError(
        f"'{text}' is not an accuracy; write a length with its unit, `0.1 mm`, or `0.1 mm, 1 mrad`.{comma}"
    )
    measures: dict[str, float] = {}
    for part in text.split(","):
        match = _QUANTITY.fullmatch(part)
        if match is None:
            raise ReactioError(f"'{text}' must be positive.") if part.lstrip().startswith("-") else no_accuracy
        try:
            number = float(match[1])
        except ValueError:
            raise no_accuracy from None
        measured, factor = _unit(match[2])
        if measured in measures:
            raise ReactioError(f"'{text}' gives two values of one quantity; give a length and, if known, an angle.")
        measures[measured] = number * factor
    if "length" not in measures:
        raise ReactioError(f"'{text}' has no length; write for example `0.1 mm, 1 mrad`.")
    return measures["length"], measures.get("angle")


def accuracy_of(given: Accuracy | str | float | tuple[float, float] | None) -> Accuracy | None:
    """An accuracy given in Python: words, metres, or metres and radians."""
    if given is None or isinstance(given, Accuracy):
        return given
    if isinstance(given, str):
        return parse_accuracy(given)
    return Accuracy(*given) if isinstance(given, tuple) else Accuracy(given)


def _unit(name: str) -> tuple[str, float]:
    lengths, angles = names_of_unit("m"), names_of_unit("rad")
    for measured, units in (("length", lengths), ("angle", angles)):
        if name in units:
            return measured, units[name]
    raise ReactioError(f"'{name}' is not a unit of length or angle.{did_you_mean(name, [*lengths, *angles])}")
